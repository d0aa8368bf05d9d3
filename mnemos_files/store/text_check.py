"""What the texts of a vault hold that a person should look at: secrets, hidden text, orders."""

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from mnemos_files.errors import MnemosError
from mnemos_files.index.index import Index
from mnemos_files.model.problem import Problem
from mnemos_files.safety.rules import RULES
from mnemos_files.safety.scan import scan
from mnemos_files.safety.secrets import find_secrets, fingerprint
from mnemos_files.safety.verdict import Finding
from mnemos_files.vault.files import Vault

_INVISIBLE = frozenset({"zero-width-unicode", "tag-chars", "variation-selectors"})
_AT_MEDIUM = _INVISIBLE | {"hidden-comment", "frame-break"}
"""Rules that are told from medium risk on; the others only at high, as notes speak of attacks."""
_CODE_POINTS = 8
"""Code points [1] that one problem names."""
_REMEDY = {rule.name: rule.remedy for rule in RULES}


def text_problems(
    index: Index, vault: Vault, paths: Iterable[str], allowed: frozenset[str]
) -> Iterator[Problem]:
    """Problems in the texts of notes; `allowed` are fingerprints of values that are no secrets."""
    for path in paths:
        entry = index.entry(path)
        if entry is None:
            continue
        try:
            text = vault.read(PurePosixPath(path))[0].decode("utf-8", "replace")
        except MnemosError:
            continue  # it went away, or the system does not let us read it, which is told elsewhere
        yield from problems_of_text(path, text, entry.record.source_kind, allowed)


def problems_of_text(
    path: str, text: str, source_kind: str, allowed: frozenset[str]
) -> Iterator[Problem]:
    """Secrets, hidden text and orders in one text that comes from such a source."""
    yield from _secrets(path, text, allowed)
    yield from _findings(path, text, "user" if source_kind == "user" else "tool")


def _secrets(path: str, text: str, allowed: frozenset[str]) -> Iterator[Problem]:
    for secret in find_secrets(text):
        name = fingerprint(text[secret.start : secret.end])
        if name not in allowed:
            yield Problem(
                path,
                _line(text, secret.start),
                "secret",
                f"holds a secret: {secret.kind} (fingerprint {name})",
                "Rotate it first: whoever has the vault has the secret. Then take it out of the "
                "note. The history still holds it; to purge it, run `mnemos-files purge "
                "--pattern -` and give it the value, then push anew and have every clone made "
                "anew. If it is none, add the fingerprint to "
                "[safety] allow.",
            )


def _findings(path: str, text: str, source: str) -> Iterator[Problem]:
    seen: set[tuple[int, str]] = set()
    for finding in scan(text, source=source).findings:
        is_told = finding.risk == "high" or (
            finding.risk == "medium" and finding.rule in _AT_MEDIUM
        )
        rule = "invisible-characters" if finding.rule in _INVISIBLE else finding.rule
        place = (_line(text, finding.start), rule)
        if is_told and place not in seen:
            seen.add(place)
            yield Problem(path, place[0], rule, _message(text, finding), _REMEDY[finding.rule])


def _message(text: str, finding: Finding) -> str:
    if finding.rule not in _INVISIBLE:
        return f"{finding.rule} ({finding.risk} risk)"
    signs = [c for c in text[finding.start : finding.end] if not c.isascii()]
    names = [f"U+{ord(c):04X}" for c in signs[:_CODE_POINTS]]
    more = f" and {len(signs) - len(names)} more" if len(signs) > len(names) else ""
    return f"invisible characters: {' '.join(names)}{more}"


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
