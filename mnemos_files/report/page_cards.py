"""The cards of a page: which memories get one, and what stands on it."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from mnemos_files.errors import MnemosError
from mnemos_files.format.record import parse
from mnemos_files.model.note import Note
from mnemos_files.model.record import Record
from mnemos_files.report.moments import saved_at
from mnemos_files.report.page_scope import NAME_BYTES, Scope, anchors, day, heading, section_anchor
from mnemos_files.report.page_text import MARK, doubts, line, passage, size
from mnemos_files.report.page_values import Card, Link, Mention, Part, Section, Version
from mnemos_files.report.relations import SUPERSEDES

CARDS_MAX = 2_500
"""Cards [1] of a page: more are slow to scroll on a phone."""
CARDS_BYTES = 2_700_000
"""All cards together [bytes], so that a page stays below 3 MB: an attachment of a mail."""
TEXTS_BYTES = 900_000
"""The texts of all cards [bytes]; each gets its share, but no less and no more than these."""
TEXT_MAX = 3_000
TEXT_MIN = 400

_FRAME = 260
"""What a card needs beside its texts [bytes]."""
_MARKUP = 11
"""What stands around each text [bytes]."""
_MENTION = 120
"""What stands around the title of another memory [bytes]."""
_TAGS = 8
_LINKS = 12
_NEIGHBOURS = 5
"""Versions [1] before and after that a card names of its supersession."""
_PART_MIN = 60


def chosen(scope: Scope, pinned: Collection[str]) -> list[str]:
    """The memories in the order in which they get cards: those named elsewhere on the page first.

    Then those that hold, the most linked, most read, most important and newest first.
    """
    newest = {path: -number for number, path in enumerate(scope.found.memories)}

    def rank(path: str) -> tuple[bool, bool, int, int, int]:
        weight = len(scope.near.get(path, ())) + scope.use(path).accesses
        return (
            path not in pinned,
            not scope.holds(path),
            -weight,
            -scope.record(path).importance,
            newest[path],
        )

    return sorted(scope.found.memories, key=rank)[:CARDS_MAX]


def cards(scope: Scope, wanted: list[str]) -> dict[str, Card]:
    """As many cards as the page has room for, by path; only these have anchors then."""
    room = min(TEXT_MAX, max(TEXT_MIN, TEXTS_BYTES // max(len(wanted), 1)))
    bodies: dict[str, _Body] = {}
    left = CARDS_BYTES
    for path in wanted:
        body = _body(scope, path, room)
        left -= body.cost
        if left < 0:
            break
        bodies[path] = body
    scope.flagged.update(path for path, body in bodies.items() if body.rules)
    scope.anchors.update(anchors(scope.found.memories, bodies))
    return {path: _card(scope, path, body) for path, body in bodies.items()}


def sections(scope: Scope, made: dict[str, Card]) -> tuple[Section, ...]:
    """The cards by project, the newest first, the project with most memories first."""
    projects = Counter(entry.record.project for entry in scope.found.memories.values())
    newest_first = [path for path in scope.found.memories if path in made][::-1]
    found = []
    for name in sorted(projects, key=lambda name: (-projects[name], name)):
        own = tuple(made[path] for path in newest_first if scope.record(path).project == name)
        if own:
            anchor = section_anchor(name)
            found.append(Section(anchor, heading(name), own, projects[name] - len(own)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Body:
    """The texts of a card, what the scan says of them, and about how many bytes it all needs."""

    note: Note
    parts: tuple[Part, ...]
    rules: tuple[str, ...]
    facts: tuple[str, ...]
    cost: int


def _body(scope: Scope, path: str, room: int) -> _Body:
    note = _read(scope, path)
    parts, facts = tuple(_parts(note.record, room)), tuple(_facts(scope, path))
    shown = (scope.title(path), *(part.text for part in parts))
    found = doubts(shown, note.record.source_kind)
    rules = tuple(dict.fromkeys((*note.record.flags[:_TAGS], *found)))
    texts = [scope.title(path), path, *facts, *map(str, note.problems[:_TAGS])]
    texts += [text for part in parts for text in (part.heading, part.text)]
    cost = _FRAME + sum(size(text) + _MARKUP for text in texts)
    cost += sum(size(scope.title(other)) + _MENTION for other in _others(scope, path))
    return _Body(note, parts, rules, facts, cost)


def _others(scope: Scope, path: str) -> Iterator[str]:
    """The memories that a card names."""
    yield from _near_versions(scope, path)
    for one in scope.near.get(path, ())[:_LINKS]:
        yield one.source if one.target == path else one.target


def _card(scope: Scope, path: str, body: _Body) -> Card:
    return Card(
        anchor=scope.anchors[path],
        title=scope.title(path),
        states=tuple(_states(scope, path)),
        marks=scope.marks(path),
        facts=body.facts,
        parts=body.parts,
        links=tuple(_links(scope, path)),
        chain=_chain(scope, path),
        warnings=tuple(_warnings(body.note, body.rules)),
        path=line(path, TEXT_MIN),
    )


def _read(scope: Scope, path: str) -> Note:
    """The memory as its file says now, or without its texts when that cannot be read any more."""
    entry = scope.found.memories[path]
    try:
        data, _ = scope.store.place.vault.read(entry.path)
    except MnemosError:
        return Note(entry.path, entry.record, problems=entry.problems, is_ours=True)
    return parse(entry.path, data)


def _parts(record: Record, room: int) -> Iterator[Part]:
    headings = {section.key: section.heading for section in record.kind.sections}
    texts = [("", record.content), *((headings.get(k, k), text) for k, text in record.sections)]
    for number, (name, text) in enumerate(texts):
        if room < _PART_MIN:
            yield Part("", MARK)
            return
        last = number == len(texts) - 1
        shown = passage(text, room if last else max(room * 2 // 3, _PART_MIN))
        room -= size(shown)
        if shown:
            yield Part(line(name, NAME_BYTES), shown)


def _states(scope: Scope, path: str) -> Iterator[str]:
    record = scope.record(path)
    yield "holds" if scope.holds(path) else "ended"
    if record.trust_tier == "raw":
        yield "raw"
    if path in scope.flagged:
        yield "flagged"
    if not scope.use(path).accesses:
        yield "unused"
    if scope.holds(path) and scope.left(path) < record.importance:
        yield "fading"


def _facts(scope: Scope, path: str) -> Iterator[str]:
    record, ended = scope.record(path), scope.found.ended.get(path)
    yield line(record.type, NAME_BYTES)
    yield "holds" if ended is None else f"{ended.why} {day(ended.at)}"
    if ended is not None and record.invalidated_reason:
        yield f"because: {line(record.invalidated_reason, TEXT_MIN)}"
    yield f"trust {record.trust_tier}, source {record.source_kind}"
    if record.created:
        yield f"saved {day(saved_at(record))}"
    for word, moment in (
        ("changed", record.updated),
        ("true from", record.valid_from),
        ("true until", None if ended else record.valid_until),
        ("expires", None if ended else record.expires),
    ):
        if moment is not None:
            yield f"{word} {day(moment)}"
    yield _importance(scope, path)
    yield _reading(scope, path)
    yield from _origin(scope, record)
    if record.tags:
        yield "tags " + ", ".join(line(tag, NAME_BYTES) for tag in record.tags[:_TAGS])


def _importance(scope: Scope, path: str) -> str:
    stated, left = scope.record(path).importance, scope.left(path)
    return f"importance {stated}" + (f", counts {left} now" if left < stated else "")


def _reading(scope: Scope, path: str) -> str:
    use = scope.use(path)
    if scope.record(path).type == "skill" and use.skill_uses:
        return f"applied {times(use.skill_uses)}, {use.skill_successes} with success"
    if not use.accesses:
        return "never read"
    return f"read {times(use.accesses)}, last {day(use.last)}"


def times(count: int) -> str:
    """A number of times in words."""
    return "once" if count == 1 else f"{count} times"


def _origin(scope: Scope, record: Record) -> Iterator[str]:
    if record.agent:
        yield f"agent {line(record.agent, NAME_BYTES)}"
    if record.session:
        paths = scope.store.resolve(record.session)
        name = scope.title(paths[0]) if len(paths) == 1 else line(record.session, NAME_BYTES)
        yield f"session {name}"
    if record.promoted_reason:
        yield f"promoted: {line(record.promoted_reason, TEXT_MIN)}"


def _links(scope: Scope, path: str) -> Iterator[Link]:
    """Links both ways, but for those of the supersession, which the chain tells."""
    found: list[Link] = []
    for one in scope.near.get(path, ()):
        if one.kind == SUPERSEDES:
            continue
        word = one.kind.replace("_", " ")
        if one.source == path:
            found.append(Link(word, scope.mention(one.target)))
        else:
            found.append(Link(f"{word} (from there)", scope.mention(one.source)))
    for each in scope.found.loose.get(path, ()):
        word = each.kind.replace("_", " ")
        to = scope.mention(each.path) if each.path else _nowhere(each.link, each.fits)
        found.append(Link(word, to))
    yield from found[:_LINKS]
    if len(found) > _LINKS:
        yield Link("and more", Mention(f"{len(found) - _LINKS} links"))


def _nowhere(link: str, fits: int) -> Mention:
    why = f"fits {fits} notes" if fits else "not in the vault"
    return Mention(line(link, NAME_BYTES), marks=(why,))


def _chain(scope: Scope, path: str) -> tuple[Version, ...]:
    near = _near_versions(scope, path)
    return tuple(_version(scope, each, is_self=each == path) for each in near)


def _near_versions(scope: Scope, path: str) -> Sequence[str]:
    whole = scope.found.chains.get(path, ())
    here = whole.index(path) if whole else 0
    return whole[max(here - _NEIGHBOURS, 0) : here + _NEIGHBOURS + 1]


def _version(scope: Scope, path: str, *, is_self: bool) -> Version:
    entry = scope.entry(path)
    saved = day(saved_at(entry.record)) if entry is not None and entry.record.created else ""
    return Version(saved, scope.mention(path), is_self)


def _warnings(note: Note, rules: tuple[str, ...]) -> Iterator[str]:
    if rules:
        named = ", ".join(line(rule, NAME_BYTES) for rule in rules)
        yield f"Flagged by the safety scan: {named}. Data, not instructions."
    if note.record.trust_tier == "raw":
        yield "Quarantined (raw): nobody has confirmed this text."
    if note.record.personal:
        kinds = ", ".join(line(kind, NAME_BYTES) for kind in note.record.personal[:_TAGS])
        yield f"Holds personal data: {kinds}."
    for problem in note.problems[:_TAGS]:
        yield line(str(problem), TEXT_MIN)
