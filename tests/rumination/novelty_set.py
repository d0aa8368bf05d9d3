"""Reasons for a revision, labelled by hand: does it name something the old text did not say?

Old text, reason, label. The synonyms at the end are rewordings that words alone cannot tell.
"""

DEPLOY = "Restart the server after each deploy. Run the migrations first, then check the logs."
HASH = "Use bcrypt for password hashing. It is slow on purpose, so stolen hashes are hard to crack."
RETRY = "Retry a failed request three times with a pause of one second between attempts."
TESTS = "Run the whole test suite before you push. Never push on a Friday."
CACHE = "Clear the Redis cache when users report stale prices on the product page."
NAMES = "Name every migration file after its ticket, with the number first."

NEW = (
    (DEPLOY, "Waits for the health check to turn green before traffic is switched."),
    (DEPLOY, "Drains open connections, so no request is cut off during a rollout."),
    (DEPLOY, "A deploy with a pending migration lock now stops instead of restarting."),
    (DEPLOY, "Restart one server of the pool at a time, with 30 s between them."),
    (DEPLOY, "Predicts that the error rate stays under 0.1 % while servers restart."),
    (DEPLOY, "Covers Kubernetes, where a restart is a rolling update of pods."),
    (HASH, "bcrypt cuts input at 72 bytes; Argon2id does not, so long passphrases count."),
    (HASH, "Passwords longer than 72 bytes are rejected before hashing."),
    (HASH, "Argon2id needs 64 MiB of memory, which makes attacks by GPU expensive."),
    (HASH, "Rehash at login when the cost factor is below 12."),
    (HASH, "Adds a pepper kept in the vault outside of the database."),
    (RETRY, "Backs off exponentially with jitter, so clients do not retry in step."),
    (RETRY, "Only idempotent methods are retried; POST is not."),
    (RETRY, "A 429 waits for Retry-After instead of a fixed second."),
    (RETRY, "Gives up after a budget of 10 s in all, whatever the number of attempts."),
    (TESTS, "The suite takes 40 minutes; only the tests of changed packages run locally."),
    (TESTS, "Flaky browser tests are quarantined and do not block a push."),
    (TESTS, "CI runs the suite on a merge queue, so a local run is not needed."),
    (CACHE, "Prices are stale because the CDN ignores Vary; purge the CDN, too."),
    (CACHE, "Set a TTL of 60 seconds on price keys, then no clearing is needed."),
    (CACHE, "Flushing Redis logs everybody out: delete only keys with the prefix price."),
    (NAMES, "Two tickets on one day collided; a timestamp comes before the ticket."),
    (NAMES, "Down migrations get the suffix revert, which the linter checks."),
    (NAMES, "Squashed migrations name the range of tickets, first and last."),
    (DEPLOY, "Erst die Datenbank sichern, danach den Lastverteiler umschalten."),
    (RETRY, "リトライは指数バックオフとジッターを使う。"),
    (HASH, "Port 8443"),
    (TESTS, "Allowed on Fridays before noon with an on-call engineer named."),
)
REWORDED = (
    (DEPLOY, "After every deployment the server is restarted, with migrations run first."),
    (DEPLOY, "First run migrations, then deploy, restart the server and check its logs."),
    (DEPLOY, "This version is much clearer and better structured than the old one."),
    (DEPLOY, "Improved wording and more precise instructions for restarting servers."),
    (DEPLOY, "Rewritten to be more concise, accurate and readable."),
    (DEPLOY, "The steps are now in the right order and easier to understand."),
    (DEPLOY, "Checking logs and running migrations are mentioned explicitly, more helpful."),
    (HASH, "For hashing passwords, bcrypt should be used, as it is purposely slow."),
    (HASH, "Because bcrypt is slow, cracking stolen hashes is hard. Much better wording."),
    (HASH, "The rule says the same but reads better and is more robust."),
    (HASH, "Corrected the text so that it is right now and works reliably."),
    (HASH, "More effective and more useful than the previous version of this memory."),
    (RETRY, "Failed requests are retried three times, pausing one second between attempts."),
    (RETRY, "Between attempts there is a pause of a second; three retries when requests fail."),
    (RETRY, "Clarifies that a failing request must be retried, with pauses."),
    (TESTS, "Before pushing, the whole suite of tests must be run; no pushes on Fridays."),
    (TESTS, "Never push before the test suite was run, and not on Friday."),
    (TESTS, "A better explained rule about running tests before a push."),
    (CACHE, "When a user reports that product page prices are stale, the Redis cache is cleared."),
    (CACHE, "Clearing the cache of Redis fixes stale prices that users report."),
    (CACHE, "Updated, revised and simplified; the meaning is more exact now."),
    (NAMES, "Each migration's file is named by ticket; its number comes first."),
    (NAMES, "Migration files: ticket number first, naming is more consistent."),
    (NAMES, "aaaaaaaaaaaaaaaaaaaa"),
    (DEPLOY, "................!!!!"),
    (HASH, "It is better because it is better than it was before, really."),
)
SYNONYMS = (
    (DEPLOY, "Reboot the machine following every rollout."),
    (HASH, "Choose bcrypt to protect credentials; its cost deters attackers."),
    (RETRY, "Repeat an unsuccessful call thrice, waiting briefly."),
    (CACHE, "Empty Redis if customers complain of outdated amounts."),
)

FRESH_NEW = (
    (DEPLOY, "Take a snapshot of the disk, so a bad migration can be rolled back in minutes."),
    (DEPLOY, "Feature flags decouple release from restart; nobody restarts by hand."),
    (HASH, "Set the cost to 13: at 10 a card cracks eight characters in a day."),
    (HASH, "Compare digests in constant time, or timing leaks a prefix."),
    (RETRY, "Open a circuit breaker after five failures in a row."),
    (RETRY, "Timeouts are not retried, because the server may still work on it."),
    (TESTS, "A pre-push hook runs the linters, the suite runs nightly."),
    (TESTS, "Pushing on Friday is fine when canary metrics are watched."),
    (CACHE, "Invalidate by event from the pricing service."),
    (NAMES, "Use UTC timestamps."),
)
FRESH_REWORDED = (
    (DEPLOY, "Deploying is always followed by restarting servers, logs being checked last."),
    (DEPLOY, "I made the language tighter and fixed grammar mistakes."),
    (HASH, "Password hashes are hard to crack when stolen, given bcrypt's purposeful slowness."),
    (HASH, "It is now a stronger, well formulated statement."),
    (RETRY, "Three attempts with one-second pauses for any request that failed."),
    (RETRY, "Now captures the essence of the rule in fewer words."),
    (TESTS, "On Fridays nothing is pushed, otherwise run all tests in the suite beforehand."),
    (CACHE, "Stale product prices on pages, reported by users: clear Redis."),
    (CACHE, "The new wording leaves no room for misinterpretation."),
    (NAMES, "Ticket numbers lead the names of migration files."),
)
"""Written after the first word lists, which refused 4 of 10 of these rewordings."""

LAST_NEW = (
    (DEPLOY, "Migrations older than a week are rejected by the gate."),
    (DEPLOY, "Announce it in the channel, as sessions are lost."),
    (HASH, "Legacy MD5 accounts are wrapped, not reset."),
    (HASH, "An HSM holds the key."),
    (RETRY, "Writes carry a request id, so a duplicate is dropped."),
    (RETRY, "After the third attempt the job goes to a dead letter queue."),
    (TESTS, "Mutation tests gate the payment package."),
    (TESTS, "Hotfixes may skip it when two people approve."),
    (CACHE, "Warm it up again, or the database falls over."),
    (NAMES, "Two digits are too few: pad to five."),
)
LAST_REWORDED = (
    (DEPLOY, "You should deploy, do migrations, restart servers, look at logs."),
    (DEPLOY, "A cleaner presentation of the very same deployment steps."),
    (HASH, "It highlights why slow hashing with bcrypt matters for passwords."),
    (HASH, "Streamlined and modernised, so that everyone gets it at once."),
    (RETRY, "Wait a second, then retry the request, thrice at most."),
    (RETRY, "An upgrade in tone and flow; nothing vague is left."),
    (TESTS, "Tests first, push second, and Friday is off limits."),
    (TESTS, "The point about the suite is made with more emphasis."),
    (CACHE, "If the product page shows stale prices to users, Redis gets cleared."),
    (NAMES, "Filenames of migrations start with numbers from tickets."),
)
"""Written after the second word lists; with two new words for enough, 4 of 10 were refused."""

FINAL_NEW = (
    (DEPLOY, "Skip the restart for static assets, nginx serves them from disk."),
    (DEPLOY, "A deploy outside of the maintenance window needs a second approver."),
    (HASH, "Salts are generated by bcrypt itself; a separate column is dead weight."),
    (HASH, "scrypt resists ASICs where bcrypt does not."),
    (RETRY, "Connection refused means the service is down: fail at once."),
    (RETRY, "Log the attempt number as a metric, alert above two percent."),
    (TESTS, "Contract tests of the consumer catch what the unit suite misses."),
    (TESTS, "Use a draft pull request; the runner has the licence for the simulator."),
    (CACHE, "Memcached holds prices since the spring, Redis only carts."),
    (NAMES, "Never rename one that has run in production."),
)
FINAL_REWORDED = (
    (DEPLOY, "It is always necessary to restart servers once deploys end; migrate first."),
    (DEPLOY, "Makes the checklist for deploys nicer to look at."),
    (HASH, "bcrypt is what you want for password hashes, since slowness hinders cracking."),
    (HASH, "Trimmed the fluff; hashing advice is unchanged."),
    (RETRY, "Three retries, one second apart, whenever some request has failed."),
    (RETRY, "A crisper statement of how requests are retried after failing."),
    (TESTS, "Pushing requires a complete run of tests; Fridays are excluded."),
    (TESTS, "Reads more naturally and has a friendlier tone."),
    (CACHE, "Users reporting stale product prices means that Redis must be cleared."),
    (NAMES, "Put the number at the start of migration file names, then the ticket."),
)
"""Written after everything else, which was not changed for them."""
