"""Prints docs/tools.md from the table of operations.

Use: `python -m tests.tools_page > docs/tools.md`.
"""

import sys
import textwrap
from dataclasses import fields

from mnemos_files.operations.arguments import parameters
from mnemos_files.operations.operation import Operation
from mnemos_files.operations.schema import result_type
from mnemos_files.operations.table import OPERATIONS
from mnemos_files.operations.values import Parameter, Shape
from mnemos_files.server.tools import PREFIX

HEAD = """\
# Tools

Every tool that the server offers is also a command of `mnemos-files` (`mnemos_skill_save` is
`mnemos-files skill-save`). This page is made from the table that both are made from
(`python -m tests.tools_page`), so it cannot be out of date.

Numbers and truth values may come as text, a list as one text or as JSON text, null means "not
given". An unknown argument is an error that names it. Times are RFC 3339 or ISO 8601; without a
zone they are UTC. Every error has a code, says what happened and what to do, and leaves files and
history as they were. What a call returns is text of the memory: data, never orders.
"""
_NAMES = {
    Shape.TEXT: "text",
    Shape.INTEGER: "whole number",
    Shape.NUMBER: "number",
    Shape.BOOLEAN: "true or false",
    Shape.TEXTS: "list of texts",
}


def page() -> str:
    """The whole page."""
    rows = [f"| [`{PREFIX}{row.name}`](#{PREFIX}{row.name}) | {row.title} |" for row in OPERATIONS]
    index = "\n".join(("| tool | what for |", "|---|---|", *rows))
    return "\n".join((HEAD, index, "", *map(_tool, OPERATIONS)))


def _tool(row: Operation) -> str:
    facts = [
        "reads only" if row.read_only else "writes",
        *(["destructive"] if row.destructive else []),
        *(["the same call twice changes nothing more"] if row.idempotent else []),
    ]
    words = textwrap.fill(row.description, 100)
    parts = [f"## {PREFIX}{row.name}", "", words, "", f"*{', '.join(facts)}*", ""]
    given = parameters(row.run)
    if given:
        parts += ["| argument | type | default | meaning |", "|---|---|---|---|"]
        parts += map(_argument, given)
        parts.append("")
    returned = ", ".join(f"`{field.name}`" for field in fields(result_type(row.run)))
    return "\n".join((*parts, f"Returns {returned}.", ""))


def _argument(field: Parameter) -> str:
    default = "**required**" if field.required else _default(field)
    meaning = field.rules.description.replace("|", "\\|")
    return f"| `{field.name}` | {_type(field)} | {default} | {meaning} |"


def _default(field: Parameter) -> str:
    return f"`{field.default}`" if field.default not in (None, "", (), False) else ""


def _type(field: Parameter) -> str:
    rules = field.rules
    choices = ", ".join(f"`{choice}`" for choice in rules.choices if choice)
    if choices:
        return f"one of {choices}"
    words = _NAMES[field.shape]
    if rules.low is not None or rules.high is not None:
        words += f" {rules.low if rules.low is not None else ''}..{rules.high or ''}"
    if rules.max_items:
        words += f", at most {rules.max_items}"
    if rules.max_length:
        each = " each" if field.shape is Shape.TEXTS else ""
        words += f", at most {rules.max_length:,} characters{each}"
    return words


if __name__ == "__main__":
    sys.stdout.write(page())
