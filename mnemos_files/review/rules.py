"""What a review looks for, one row each."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from mnemos_files.review import file_rules, form_rules, link_rules, text_rules, trust_rules
from mnemos_files.review.form_rules import fault
from mnemos_files.review.pairs import Pair
from mnemos_files.review.scene import Finder, Hit, Scene, brought
from mnemos_files.review.shown import one_line
from mnemos_files.review.values import LEVELS, Finding, Level
from mnemos_files.store.changeset import Touched

MESSAGE_MAX = 400
"""Characters [1] of what one finding tells."""

FileFinder = Callable[[Scene, Touched], Iterable[Hit]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A name, how bad it is, what it finds, what to do, and what finds it.

    `of_memory` is asked for each memory of a change, `of_file` for each of its files.
    """

    id: str
    level: Level
    finds: str
    remedy: str
    of_memory: Finder = lambda _scene, _pair: ()
    of_file: FileFinder = lambda _scene, _file: ()


RULES: tuple[Rule, ...] = (
    Rule(
        id="secret",
        level="error",
        finds="A password, token or key.",
        remedy="Rotate it, then rewrite the commit: the history keeps it otherwise. If it is none, "
        "a person adds the fingerprint to [safety] allow.",
        of_memory=brought(text_rules.secrets),
    ),
    Rule(
        id="injection",
        level="error",
        finds="Text that gives orders to the model that reads it.",
        remedy="Take it out, or quote it where the memory is about such texts.",
        of_memory=brought(text_rules.orders),
    ),
    Rule(
        id="hidden-characters",
        level="error",
        finds="Characters that nobody sees.",
        remedy="Delete the named code points.",
        of_memory=brought(text_rules.invisible_characters),
    ),
    Rule(
        id="hidden-text",
        level="note",
        finds="Text that a rendered page does not show, such as a comment.",
        remedy="Read it here, or in the source.",
        of_memory=brought(text_rules.hidden_text),
    ),
    Rule(
        id="conflict-markers",
        level="error",
        finds="A merge that was not finished.",
        remedy="Resolve it: `mnemos-files resolve`, or by hand.",
        of_memory=brought(fault("conflict-markers")),
    ),
    Rule(
        id="front-matter-broken",
        level="error",
        finds="Front matter that cannot be read: no YAML, not closed, or a key twice.",
        remedy="Mend the line.",
        of_memory=brought(fault("front-matter-invalid", "front-matter-unclosed", "duplicate-key")),
    ),
    Rule(
        id="front-matter-gone",
        level="error",
        finds="A memory that lost its front matter.",
        remedy="Put it back, as it was, above the text.",
        of_memory=form_rules.front_matter_gone,
    ),
    Rule(
        id="wrong-type",
        level="error",
        finds="A property with a value that is not of its type.",
        remedy="Write the value as docs/format.md, section 5, has it.",
        of_memory=brought(fault("bad-value")),
    ),
    Rule(
        id="tags-comment",
        level="warning",
        finds="Tags that YAML takes for a comment.",
        remedy="Write the tags without #, or in quotes.",
        of_memory=brought(fault("tags-comment")),
    ),
    Rule(
        id="unreadable",
        level="error",
        finds="Bytes that are no text.",
        remedy="Save the file as UTF-8, without NUL.",
        of_memory=brought(fault("not-utf8", "nul")),
    ),
    Rule(
        id="skill-invalid",
        level="error",
        finds="A skill that clients would not load.",
        remedy="Mend the key (docs/format.md, section 13).",
        of_memory=brought(fault("skill-invalid")),
    ),
    Rule(
        id="oversized",
        level="warning",
        finds="A memory that is too long to be put before an agent.",
        remedy="Keep the conclusion, and the rest in a note that it links to.",
        of_memory=brought(text_rules.oversized),
    ),
    Rule(
        id="identity-changed",
        level="error",
        finds="A memory whose id or time of making was changed.",
        remedy="Put the line back; a new thought is a new file.",
        of_memory=form_rules.identity_changed,
    ),
    Rule(
        id="duplicate-id",
        level="error",
        finds="An id that another file has.",
        remedy="Remove the id line from the copy.",
        of_memory=brought(form_rules.duplicate_id),
    ),
    Rule(
        id="supersedes-nothing",
        level="error",
        finds="A memory that claims to replace one that is not there.",
        remedy="Name the file that it replaces, or take the line out.",
        of_memory=brought(link_rules.supersedes_nothing),
    ),
    Rule(
        id="supersedes-elsewhere",
        level="warning",
        finds="A memory that replaces one of another project.",
        remedy="See whether that project agrees.",
        of_memory=brought(link_rules.supersedes_elsewhere),
    ),
    Rule(
        id="broken-relation",
        level="warning",
        finds="A property that names a memory which is not there.",
        remedy="Name the right file, or take the line out.",
        of_memory=brought(link_rules.broken_relation),
    ),
    Rule(
        id="broken-link",
        level="note",
        finds="A link in the text to a note that is not there.",
        remedy="Write that note, or name the right one.",
        of_memory=brought(link_rules.broken_link),
    ),
    Rule(
        id="ambiguous-link",
        level="warning",
        finds="A link that fits several notes.",
        remedy="Write the path in the link.",
        of_memory=brought(link_rules.ambiguous_link),
    ),
    Rule(
        id="left-dangling",
        level="warning",
        finds="Links of other notes to one that was deleted or renamed.",
        remedy="Let them name what took its place.",
        of_memory=link_rules.left_dangling,
    ),
    Rule(
        id="no-source",
        level="warning",
        finds="A new fact of an agent that rests on nothing named.",
        remedy="Ask where it comes from; add `source`, `derived_from` or `session`.",
        of_memory=trust_rules.no_source,
    ),
    Rule(
        id="trust-raised",
        level="error",
        finds="A memory that an agent made more trusted without a reason.",
        remedy="Set trust_tier back, or write promoted_reason.",
        of_memory=trust_rules.trust_raised,
    ),
    Rule(
        id="quarantine-bypass",
        level="error",
        finds="A memory from a tool, a guess or an import that is not quarantined.",
        remedy="Set trust_tier to raw, or write promoted_reason once a person has read it.",
        of_memory=trust_rules.quarantine_bypass,
    ),
    Rule(
        id="own-note",
        level="warning",
        finds="A person's own note that an agent changed or deleted.",
        remedy="Ask its owner.",
        of_memory=trust_rules.own_note,
    ),
    Rule(
        id="convention-deleted",
        level="warning",
        finds="A convention that was deleted.",
        remedy="Invalidate it with a reason instead, if it does not hold.",
        of_memory=trust_rules.convention_deleted,
    ),
    Rule(
        id="ended",
        level="warning",
        finds="A memory whose time is over when it comes.",
        remedy="Mend the date, or leave the memory out.",
        of_memory=brought(trust_rules.ended),
    ),
    Rule(
        id="contradiction",
        level="warning",
        finds="A memory that gives another value than one that holds.",
        remedy="Decide which is right; the other is superseded.",
        of_memory=trust_rules.contradiction,
    ),
    Rule(
        id="near-duplicate",
        level="note",
        finds="A new memory that says nearly what another one says.",
        remedy="Change that one instead, or link them.",
        of_memory=trust_rules.near_duplicate,
    ),
    Rule(
        id="journal-rewritten",
        level="error",
        finds="A journal whose lines were changed or removed.",
        remedy="Put the lines back; journals only grow.",
        of_file=file_rules.journal_rewritten,
    ),
    Rule(
        id="settings-invalid",
        level="error",
        finds="Settings that cannot be understood.",
        remedy="Mend .mnemos/config.toml (docs/settings.md).",
        of_file=file_rules.settings_invalid,
    ),
    Rule(
        id="settings-weakened",
        level="warning",
        finds="Settings that protect less than before.",
        remedy="See that a person meant it.",
        of_file=file_rules.settings_weakened,
    ),
    Rule(
        id="symbolic-link",
        level="error",
        finds="A symbolic link in the vault.",
        remedy="Put the file in its place.",
        of_file=file_rules.symbolic_link,
    ),
    Rule(
        id="runnable",
        level="warning",
        finds="A file that other programs run.",
        remedy="Read it as code.",
        of_file=file_rules.runnable,
    ),
)
"""Every rule."""


def of_memory(scene: Scene, pair: Pair) -> tuple[Finding, ...]:
    """What is wrong with a memory of a change, the worst first, then by line."""
    found = [(rule, hit) for rule in RULES for hit in rule.of_memory(scene, pair)]
    return _sorted(_finding(rule, pair.path, hit) for rule, hit in found)


def of_file(scene: Scene, file: Touched) -> tuple[Finding, ...]:
    """What is wrong with a file of a change, the worst first, then by line."""
    found = [(rule, hit) for rule in RULES for hit in rule.of_file(scene, file)]
    return _sorted(_finding(rule, file.path, hit) for rule, hit in found)


def _finding(rule: Rule, path: str, hit: Hit) -> Finding:
    message = one_line(hit.message, MESSAGE_MAX)
    return Finding(rule.id, rule.level, path, hit.line, message, rule.remedy)


def _sorted(findings: Iterator[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda one: (LEVELS.index(one.level), one.line)))
