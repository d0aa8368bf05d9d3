"""How the commits of the store read."""

from collections.abc import Sequence

from mnemos_files import __version__
from mnemos_files.model.record import Record
from mnemos_files.store.writer import Message


def message(op: str, records: Sequence[Record], *, agent: str | None, body: str = "") -> Message:
    """Subject `<op>(<kind>): <title>` of the first record, the reason, and the trailers.

    `agent` None makes it the person's own commit. One `Mnemos-Id` for each record.
    """
    first = records[0]
    trailers = [("Mnemos-Op", op)]
    trailers += [("Mnemos-Id", record.id) for record in records]
    trailers += [
        ("Mnemos-Agent", agent or ""),
        ("Mnemos-Session", first.session),
        ("Mnemos-Source-Kind", first.source_kind),
        ("Mnemos-Trust-Tier", first.trust_tier),
    ]
    trailers += [("Mnemos-Derived-From", parent) for parent in first.derived_from]
    trailers += [("Mnemos-Tool-Version", __version__)]
    title = " ".join(first.title.split()) or "untitled"
    return Message(
        subject=f"{op}({first.type}): {title}",
        body=body.strip(),
        trailers=tuple((key, value) for key, value in trailers if value),
        agent=agent,
    )
