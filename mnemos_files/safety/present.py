"""What a model may see of a stored text."""

from dataclasses import dataclass

from mnemos_files.safety.mask import mask
from mnemos_files.safety.verdict import Risk


@dataclass(frozen=True, slots=True)
class Shown:
    """A text fit for a model, the risk of the stored text, and the rules that fired in it."""

    text: str
    risk: Risk
    rules: tuple[str, ...]


def present(text: str, *, source: str) -> Shown:
    """The text sanitised, secrets masked, with a banner before it when its risk is high.

    ``source`` is where the text came from, as `source_kind` of a record.
    """
    # Their patterns take 0.1 s to compile, and tools are listed before anything is shown.
    from mnemos_files.safety.scan import scan  # noqa: PLC0415 - see above

    verdict = scan(text, source=source)
    shown = masked(text)
    if verdict.risk == "high":
        rules = ",".join(verdict.rules_at("high"))
        shown = f"[MNEMOS: FLAGGED risk=high rules={rules}] {shown}"
    return Shown(shown, verdict.risk, verdict.rules)


def masked(text: str) -> str:
    """The text sanitised, secrets masked, without a verdict on it."""
    from mnemos_files.safety.sanitise import sanitise  # noqa: PLC0415 - slow to compile

    return mask(sanitise(text))
