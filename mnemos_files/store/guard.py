"""Secrets are stopped before they become a file; a record says what its text holds otherwise.

A git history keeps everything, so this looks at each file of a plan before anything is written:
not at the disk, not at git's objects, not even at the file of intents.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from mnemos_files.errors import RefusedError
from mnemos_files.model.kind import KINDS
from mnemos_files.model.record import Record
from mnemos_files.safety.characters import INVISIBLE_RUN
from mnemos_files.safety.mask import mask
from mnemos_files.safety.personal import personal_data
from mnemos_files.safety.scan import scan
from mnemos_files.safety.secrets import find_secrets, fingerprint
from mnemos_files.store.draft import Draft, Planned
from mnemos_files.store.place import Place
from mnemos_files.store.settings import read_settings

NAMED_MAX = 3
"""Secrets [1] that one refusal names."""

_FENCE = "---\n"
_KEY = re.compile(r"^([\w-]+):[ ]*", re.MULTILINE)
_HEADING = re.compile(r"^## (.+)\n+", re.MULTILINE)
_SECTIONS: Mapping[str, str] = {
    section.heading: section.key for kind in KINDS.values() for section in kind.sections
}


@dataclass(frozen=True, slots=True)
class Found:
    """A secret and where it stands; `where` never holds the value."""

    kind: str
    where: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Guard:
    """Looks at what is to be written to one vault."""

    place: Place

    def checked(self, planned: Planned, draft: Draft) -> Planned:
        """The plan, its message masked, when no file of it brings a new secret.

        What a file holds already may stay: its owner has put it there.

        Raises:
            RefusedError: there is a new secret (rule `secret`), or a text that a person has
                rejected (rule `rejected`).
        """
        olds = {path: _text(draft.look(path)) for path in planned.files}
        self._refuse(_new_secrets(planned, olds))
        self._refuse_rejected(planned, draft)
        message = planned.message
        masked = replace(message, subject=mask(message.subject), body=mask(message.body))
        return replace(planned, message=masked)

    def check_lines(self, lines: Iterable[bytes]) -> None:
        """Look at lines of a journal before they are written.

        Raises:
            RefusedError: there is a secret in them (rule `secret`).
        """
        self._refuse(_in_text(b"".join(lines).decode("utf-8", "replace"), "", "the journal"))

    def notices(self, adopted: Iterable[Mapping[PurePosixPath, bytes | None]]) -> tuple[str, ...]:
        """What to tell of a person's own edits that were committed with a secret in them."""
        told = []
        for path, data in ((path, data) for files in adopted for path, data in files.items()):
            found = [one.kind for one in _in_text(_text(data), "", "")]
            if found:
                told.append(f"{path}: your own edit, now committed, holds a secret ({found[0]})")
        return tuple(dict.fromkeys(told))

    def _refuse_rejected(self, planned: Planned, draft: Draft) -> None:
        if self.place.rejections is None:
            return
        for path, data in planned.files.items():
            reason = self.place.rejections.reason(path, data, draft.look(path))
            if reason:
                raise _rejected(reason)

    def _refuse(self, found: Iterable[Found]) -> None:
        secrets = list(found)
        if not secrets or self.place.allow_secrets:
            return
        # Read anew: a person may have allowed it while this process runs.
        settings = read_settings(self.place.settings_root)
        refused = [one for one in secrets if one.fingerprint not in settings.allowed_secrets]
        if refused and settings.secrets != "allow":
            raise _refusal(refused)


def marked(record: Record, before: Record | None = None) -> Record:
    """The record with `flags` and `personal` by its texts; the same as `before` stays as it is.

    Flags are the rules of the scan of medium and high risk. What is no user's word is judged as
    the word of a tool.
    """
    if record == before:
        return record
    texts = (record.title, record.content, *(text for _, text in record.sections), *record.tags)
    text = "\n\n".join(texts)
    source = "user" if record.source_kind == "user" else "tool"
    flags = scan(text, source=source).rules_at("medium")
    return replace(record, flags=flags, personal=personal_data(text))


def _new_secrets(planned: Planned, olds: Mapping[PurePosixPath, str]) -> Iterator[Found]:
    for path, data in planned.files.items():
        if data is None:
            continue
        if not olds[path]:
            yield from _in_text(str(path), "", "the file's name")
        yield from _in_text(_text(data), olds[path])
    known = "\n".join(olds.values())
    message = f"{planned.message.subject}\n\n{planned.message.body}"
    yield from _in_text(message, known, "the reason")


def _in_text(text: str, old: str, where: str = "") -> Iterator[Found]:
    """Secrets that the old text does not hold."""
    for secret in find_secrets(text):
        value = text[secret.start : secret.end]
        if not old or value not in old:
            yield Found(secret.kind, where or _where(text, secret.start), fingerprint(value))
    if INVISIBLE_RUN.search(text):
        yield from _between_signs(text, INVISIBLE_RUN.sub("", old), where)


def _between_signs(text: str, old: str, where: str) -> Iterator[Found]:
    """Secrets that only show without the characters that show nothing, such as soft hyphens."""
    shown = INVISIBLE_RUN.sub("", text)
    for secret in find_secrets(shown):
        value = shown[secret.start : secret.end]
        if value not in text and not (old and value in old):
            place = where or "a text with invisible characters"
            yield Found(secret.kind, place, fingerprint(value))


def _where(text: str, at: int) -> str:
    """Field, line and column of a place in the file of a record."""
    end = text.find(f"\n{_FENCE}", len(_FENCE) - 1) + 1 if text.startswith(_FENCE) else 0
    if at < end:
        keys = list(_KEY.finditer(text, len(_FENCE), at))
        return f"{keys[-1][1]}, column {at - keys[-1].end() + 1}" if keys else "front matter"
    start = end + len(_FENCE) if end else 0
    field = "content"
    for heading in _HEADING.finditer(text, start, at):
        if heading[1] in _SECTIONS:
            field, start = _SECTIONS[heading[1]], heading.end()
    line = text.count("\n", start, at) + 1
    column = at - max(text.rfind("\n", start, at) + 1, start) + 1
    return f"{field}, line {line}, column {column}"


def _refusal(found: list[Found]) -> RefusedError:
    named = [f"{one.kind} in {one.where} (fingerprint {one.fingerprint})" for one in found]
    named = list(dict.fromkeys(named))
    more = f" and {len(named) - NAMED_MAX} more" if len(named) > NAMED_MAX else ""
    return RefusedError(
        "secret",
        f"nothing was written, the text holds a secret: {'; '.join(named[:NAMED_MAX])}{more}",
        remedy="Leave the value out and say where it is kept. If it is none, a person can give "
        "--allow-secret to the command of mnemos-files, or add the fingerprint to [safety] allow "
        "in .mnemos/config.toml.",
    )


def _rejected(reason: str) -> RefusedError:
    return RefusedError(
        "rejected",
        f"nothing was written, a person has rejected this before: {mask(reason)}",
        remedy="Do not propose it again. If the reason no longer holds, ask the person.",
    )


def _text(data: bytes | None) -> str:
    return "" if data is None else data.decode("utf-8", "replace")
