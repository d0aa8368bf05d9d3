"""Detection over real vaults: what is added, changed, raised again and closed, and what stays."""

from dataclasses import replace
from datetime import timedelta

import pytest

from mnemos_files.config import Settings
from mnemos_files.errors import CorruptError
from mnemos_files.rumination.detect import Failure, detect
from mnemos_files.rumination.gather import gather
from mnemos_files.rumination.monitors.table import MONITORS, Monitor
from mnemos_files.rumination.queue import filed
from tests.conftest import an_observation, git
from tests.rumination.conftest import a_raw_memory, a_skill, dream, edit, only, read, use, write


def test_a_failing_skill_becomes_a_file_in_one_commit(store, vault, failing):
    found = detect(store)

    commit = write(store, found)

    candidate = only(store)
    assert (candidate.monitor, candidate.target) == ("skill-effectiveness-floor", failing.id)
    assert (candidate.severity, candidate.count) == ("medium", 10)
    assert candidate.link == "skills/codex/deploy/SKILL"
    assert candidate.status == "pending"
    assert candidate.detected == store.now()
    assert git(vault, "show", "--name-status", "--format=", commit).split() == [
        "A",
        f"ruminations/skill-effectiveness-floor-{candidate.id[-12:]}.md",
    ]


def test_a_second_detection_finds_nothing_to_do(store, clock, failing):
    a_raw_memory(store)
    a_skill(store, "old")
    doubted = store.put(an_observation(store)).record
    other = store.put(an_observation(store, title="B", content="b")).record
    store.link(other.id, doubted.id, "contradicts")
    clock.tick(days=95)
    dream(store)

    again = detect(store)

    assert (again.adds, again.changes, again.failed) == ((), (), ())
    assert sorted(one.candidate.monitor for one in filed(store)) == [
        "contradiction-detected",
        "skill-effectiveness-floor",
        "skill-stale",
        "skill-stale",
        "stale-raw",
    ]


def test_a_pending_candidate_follows_its_evidence_but_keeps_its_time(store, clock, failing):
    dream(store)
    began = clock.now
    clock.tick(days=3)
    use(store, failing, failures=8)

    found = dream(store)

    assert (len(found.changes), found.raised) == (1, 0)
    candidate = only(store)
    assert (candidate.severity, candidate.count) == ("high", 18)
    assert candidate.detected == began
    assert candidate.judgement == ""


def test_time_alone_changes_no_file_until_the_severity_does(store, clock):
    a_raw_memory(store)
    clock.tick(days=15)
    dream(store)

    changes = []
    for _ in range(60):
        clock.tick(days=1)
        changes.append(len(dream(store).changes))

    assert sum(changes) == 2  # medium after 28 days, high after 42
    assert only(store).severity == "high"


@pytest.mark.parametrize("status", ["dismissed", "resolved"])
def test_what_a_person_judged_stays_judged_while_the_evidence_stays(
    store, vault, clock, failing, status
):
    dream(store)
    name = only(store).id
    edit(store, vault, name, "status: pending", f"status: {status}\nwhy: mine  # really")
    text = (vault / store.get(name).note.path).read_bytes()
    clock.tick(days=40)
    use(store, failing, successes=1)

    found = dream(store)

    assert (found.adds, found.changes) == ((), ())
    assert (vault / store.get(name).note.path).read_bytes() == text


def test_more_evidence_than_was_judged_raises_it_again_and_says_what_is_new(
    store, vault, clock, failing
):
    dream(store)
    name = only(store).id
    edit(store, vault, name, "status: pending", "status: dismissed\nwhy: mine  # really")
    clock.tick(days=2)
    use(store, failing, failures=1)

    found = dream(store)

    candidate = only(store)
    assert found.raised == 1
    assert candidate.status == "pending"
    assert candidate.raised == clock.now
    assert candidate.judgement == (
        "- 2026-12-04 raised again: 2 of 13 uses worked, less than 0.3 of them; "
        "evidence 11, judged were 10"
    )
    assert "why: mine  # really\n" in (vault / store.get(name).note.path).read_text("utf-8")
    assert detect(store).changes == ()


def test_dismissed_by_hand_after_it_was_raised_again_it_stays_so(store, vault, clock, failing):
    dream(store)
    name = only(store).id
    edit(store, vault, name, "status: pending", "status: dismissed")
    use(store, failing, failures=1)
    dream(store)
    edit(store, vault, name, "status: pending", "status: dismissed")
    clock.tick(days=1)

    found = dream(store)

    assert found.changes == ()
    assert only(store).status == "dismissed"


def test_a_person_may_set_a_severity_that_stays_while_the_facts_do(store, vault, clock, failing):
    dream(store)
    name = only(store).id
    edit(store, vault, name, "severity: medium", "severity: high")
    clock.tick(days=5)

    assert dream(store).changes == ()
    assert only(store).severity == "high"


def test_a_person_may_move_the_file_below_ruminations(store, vault, failing):
    dream(store)
    path = vault / store.get(only(store).id).note.path
    (path.parent / "later").mkdir()
    path.rename(path.parent / "later" / "mine.md")
    use(store, failing, failures=8)

    found = dream(store)

    assert (found.adds, len(found.changes)) == ((), 1)
    assert only(store).severity == "high"


def test_a_stale_skill_that_was_mended_and_is_stale_again_is_raised_again(store, clock):
    skill = a_skill(store)
    clock.tick(days=91)
    dream(store)
    clock.tick(days=1)
    store.skills.save(replace(skill, tags=(f"ruminated-from:{only(store).id}",)))
    clock.tick(days=1)
    dream(store)
    assert only(store).status == "resolved"
    clock.tick(days=80)
    dream(store)
    assert only(store).status == "resolved"

    clock.tick(days=20)
    found = dream(store)

    assert found.raised == 1
    assert only(store).status == "pending"


def test_a_deleted_target_closes_its_candidate_and_says_so(store, clock, failing):
    dream(store)
    store.remove(failing.id)
    clock.tick(days=1)

    found = dream(store)

    candidate = only(store)
    assert found.closed == 1
    assert candidate.status == "dismissed"
    assert candidate.judgement == "- 2026-12-03 dismissed: the target was deleted"
    assert detect(store).changes == ()


def test_a_replaced_target_closes_its_candidate_and_names_what_replaced_it(store, clock):
    old = a_raw_memory(store)
    clock.tick(days=15)
    dream(store)
    new = store.put(
        an_observation(store, title="Sure", content="Checked."), supersedes=[old.id]
    ).path

    dream(store)

    candidate = only(store)
    assert candidate.status == "dismissed"
    assert candidate.judgement.endswith(f"dismissed: the target was replaced by [[{new.stem}]]")


def test_a_memory_that_left_quarantine_needs_no_judgement_until_it_is_back(store, clock):
    raw = a_raw_memory(store)
    clock.tick(days=15)
    dream(store)

    store.update(raw.id, lambda note: replace(note.record, trust_tier="curated"), op="promote")
    dream(store)
    assert only(store).judgement.endswith(
        "dismissed: there is nothing left to judge, says stale-raw"
    )

    store.update(raw.id, lambda note: replace(note.record, trust_tier="raw"), op="promote")
    dream(store)
    assert only(store).status == "pending"


def test_a_target_that_expired_closes_its_candidate(store, clock):
    a_raw_memory(store, expires=store.now() + timedelta(days=20))
    clock.tick(days=15)
    dream(store)
    clock.tick(days=10)

    dream(store)

    assert only(store).judgement.endswith("dismissed: the target does not hold any more")


def broken(facts):
    yield from ()
    raise CorruptError("x.md", 3, "no such thing")


def stupid(facts):
    return [1 / 0]


def test_a_monitor_that_fails_is_told_and_stops_no_other(store, clock, failing):
    dream(store)
    a_raw_memory(store)
    clock.tick(days=15)
    others = [one for one in MONITORS if one.name != "skill-effectiveness-floor"]
    monitors = [
        Monitor("skill-effectiveness-floor", broken),
        Monitor("other", stupid),
        *others,
    ]

    found = detect(store, monitors)

    assert found.failed == (
        Failure("skill-effectiveness-floor", "x.md:3: no such thing"),
        Failure("other", "ZeroDivisionError"),
    )
    assert [add.record.title for add in found.adds] == ["stale-raw: Guess"]
    assert found.changes == ()  # what the broken one found before stays


def test_at_most_so_many_wait_and_the_next_come_when_those_are_judged(store, vault, clock):
    for number in range(5):
        a_raw_memory(store, f"Guess {number}")
        clock.tick(minutes=1)
    clock.tick(days=15)
    (stale,) = [one for one in MONITORS if one.name == "stale-raw"]
    few = [replace(stale, pending_max=2)]
    write(store, detect(store, few))

    assert {one.candidate.name for one in filed(store)} == {"Guess 0", "Guess 1"}
    assert detect(store, few).adds == ()
    edit(store, vault, filed(store)[0].candidate.id, "status: pending", "status: dismissed")
    write(store, detect(store, few))
    assert {one.candidate.name for one in filed(store)} == {"Guess 0", "Guess 1", "Guess 2"}
    assert detect(store, few).adds == ()


def test_what_was_undone_takes_no_room_from_others(store, clock):
    for number in range(4):
        a_raw_memory(store, f"Guess {number}")
        clock.tick(minutes=1)
    clock.tick(days=15)
    (stale,) = [one for one in MONITORS if one.name == "stale-raw"]
    few = [replace(stale, pending_max=2)]
    undone = {"Guess 0", "Guess 1"}

    found = detect(store, few, lambda candidate: candidate.name in undone)

    assert {add.record.title for add in found.adds} == {
        f"stale-raw: Guess {number}" for number in range(4)
    }


def test_a_monitor_that_gives_only_some_closes_nothing(store, clock):
    a_raw_memory(store)
    clock.tick(days=15)
    (stale,) = [one for one in MONITORS if one.name == "stale-raw"]
    write(store, detect(store, [stale]))

    found = detect(store, [replace(stale, find=lambda facts: (), finds_all=False)])

    assert found.changes == ()


def test_a_change_looks_at_the_file_as_it_is_by_then(store, vault, clock, failing):
    dream(store)
    name = only(store).id
    use(store, failing, failures=8)
    found = detect(store)
    edit(store, vault, name, "status: pending", "status: dismissed\njudged_evidence: 18")

    assert write(store, found) == ""
    assert read(store, name).count == 10


def test_a_secret_in_a_title_does_not_stop_the_pass(store, vault, clock):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    folder = vault / "observations" / "global"
    folder.mkdir(parents=True)
    (folder / "mine.md").write_text(
        f"---\nid: 01KBC3W6H5M0V2T8N4Q9F7K3QX\ntype: decision\ntitle: {token}\n"
        "created: 2026-11-01\ntrust_tier: raw\n---\nText.\n",
        encoding="utf-8",
    )

    write(store, detect(store))

    assert only(store).name.startswith("[secret: ")
    assert token not in (vault / store.get(only(store).id).note.path).read_text("utf-8")


def test_skills_and_memories_in_quarantine_or_of_a_person_are_told_apart(store, vault, clock):
    a_skill(store, "raw", trust_tier="raw")
    mine = vault / "skills" / "mine" / "SKILL.md"
    mine.parent.mkdir(parents=True)
    mine.write_text("---\nname: mine\ndescription: Mine.\n---\nDo it.\n", encoding="utf-8")
    (vault / "note.md").write_text("---\ntrust_tier: raw\n---\nMine.\n", encoding="utf-8")
    store.refresh()

    facts = gather(store)

    assert [one.record.title for one in facts.skills] == ["mine"]
    assert facts.raw == ()


def test_contradictions_are_those_between_records_that_hold(store):
    one = store.put(an_observation(store, title="A", content="a")).record
    two = store.put(an_observation(store, title="B", content="b")).record
    gone = store.put(an_observation(store, title="C", content="c")).record
    store.link(two.id, one.id, "contradicts")
    store.link(gone.id, two.id, "contradicts")
    store.link(two.id, gone.id, "contradicts")
    store.update(gone.id, lambda n: replace(n.record, invalidated=store.now()), op="end")
    store.update(
        one.id,
        lambda n: replace(n.record, contradicts=("no-such-note", "Home")),
        op="link",
    )

    edges = gather(store).contradictions

    named = {(edge.source.record.title, edge.target.record.title) for edge in edges}
    assert named == {("B", "A"), ("A", "Home")}


def test_uses_of_the_time_when_a_skill_was_a_persons_own_count_too(store, vault):
    mine = vault / "skills" / "codex" / "mine" / "SKILL.md"
    mine.parent.mkdir(parents=True)
    mine.write_text("---\nname: mine\ndescription: Mine.\n---\nDo it.\n", encoding="utf-8")
    store.refresh()
    entry = store.skills.find("mine")
    use(store, entry.record, failures=3)
    saved = a_skill(store, "mine")
    use(store, saved, successes=1)

    (skill,) = gather(store).skills

    assert (skill.score.uses, skill.score.successes) == (4, 1)


def test_thresholds_come_from_the_settings_of_the_vault(vault, open_vault, clock):
    (vault / ".mnemos").mkdir()
    text = "[rumination]\nstale_raw_days = 2\n"
    (vault / ".mnemos" / "config.toml").write_text(text, encoding="utf-8")
    store = open_vault(vault)
    a_raw_memory(store)
    clock.tick(days=3)

    assert store.settings.stale_raw_days == 2
    assert Settings().stale_raw_days == 14
    assert len(detect(store).adds) == 1


def test_a_year_of_daily_passes_neither_swings_nor_loses_a_judgement(store, vault, clock, failing):
    for number in range(3):
        a_raw_memory(store, f"Guess {number}")
    use(store, failing, successes=40)
    kept = []
    for day in range(400):
        clock.tick(days=1)
        found = dream(store)
        kept.append(len(found.adds) + len(found.changes))
        if day == 20:
            for one in filed(store):
                edit(store, vault, one.candidate.id, "status: pending", "status: dismissed")

    candidates = [one.candidate for one in filed(store)]
    assert len(candidates) == 3  # the skill that works is left alone
    assert sum(kept) == 3 + 3 * 2  # found, then raised again as medium and as high
    assert kept[-300:] == [0] * 300
