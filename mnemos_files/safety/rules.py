"""The rules of the scanner, one row each."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Rule:
    """A name for reports, the highest risk it gives, what it detects, what a reviewer does."""

    name: str
    risk: Literal["low", "medium", "high"]
    detects: str
    remedy: str


RULES: tuple[Rule, ...] = (
    Rule(
        "instruction-override",
        "high",
        "an order to ignore, forget or replace earlier instructions",
        "Delete the order, or quote it where the note is about such texts.",
    ),
    Rule(
        "system-role-spoof",
        "high",
        "a line that speaks as the system, or gives the reader a new role",
        "Delete the line; a heading about a system needs no order after its colon.",
    ),
    Rule(
        "fake-tool-call",
        "medium",
        "markup of a tool call or of its result",
        "Put it into a code fence, or delete it.",
    ),
    Rule(
        "mcp-spoof",
        "high",
        "an order to call a tool of this memory, or a call of it with arguments",
        "Delete it; documentation of a call belongs into a code span.",
    ),
    Rule(
        "credential-bait",
        "medium",
        "a request for a key, token or password, or a field for one",
        "Delete the request; name the place of a secret, never its value.",
    ),
    Rule(
        "exfil-link",
        "high",
        "a link or an image whose address carries data out",
        "Remove the query of the address, or the link.",
    ),
    Rule(
        "zero-width-unicode",
        "high",
        "characters that nobody sees: inside of words, in runs, or turning the reading direction",
        "Delete the named code points.",
    ),
    Rule(
        "tag-chars",
        "high",
        "invisible tag characters outside of the flag of a region",
        "Delete the named code points.",
    ),
    Rule(
        "base64-blob",
        "low",
        "120 or more characters of base64 in a row",
        "Keep the data in a file beside the note.",
    ),
    Rule(
        "hidden-comment",
        "high",
        "an order in text that a rendered page does not show",
        "Read the comment in the source and delete it.",
    ),
    Rule(
        "variation-selectors",
        "high",
        "variation selectors in runs, or behind letters that have no variants",
        "Delete the named code points.",
    ),
    Rule(
        "homoglyph",
        "high",
        "a trigger phrase in look-alike letters, digits for letters, or letters set apart",
        "Delete the phrase.",
    ),
    Rule(
        "agent-order",
        "high",
        "an order to the assistant that reads the text, or a false permission for it",
        "Delete it, or have a person save it as a convention.",
    ),
    Rule(
        "concealment",
        "high",
        "an order to hide something from the user",
        "Delete it and ask who wrote it.",
    ),
    Rule(
        "data-exfil",
        "high",
        "an order to send notes, secrets or files to an address",
        "Delete it and ask who wrote it.",
    ),
    Rule(
        "frame-break",
        "high",
        "a mark that ends or begins the frame of a prompt",
        "Put it into a code span, or delete it.",
    ),
    Rule(
        "encoded-payload",
        "high",
        "an order in base64, hex, percent signs, entities, escapes, rot13 or backwards",
        "Delete the encoded text.",
    ),
)
"""The first nine are known from an older memory server and keep their names and risks; `risk`
is the highest that a row gives. Quoting, reporting and a person as the source lower it."""
