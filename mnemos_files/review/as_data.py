"""A review for programs: JSON, annotations of a workflow, SARIF."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from hashlib import sha256

from mnemos_files import __version__
from mnemos_files.review.escaping import command_data, command_property, sarif_message, uri
from mnemos_files.review.rules import RULES
from mnemos_files.review.values import LEVELS, Finding, Level, Review

SCHEMA = 1
"""Raised whenever a key of the JSON has another meaning."""

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_COMMANDS: dict[Level, str] = {"error": "error", "warning": "warning", "note": "notice"}


def as_json(review: Review) -> str:
    """The review as JSON; docs/review.md names the keys."""
    counts = review.counts()
    value = {
        "schema": SCHEMA,
        "change": {"label": review.label, "base": review.base, "head": review.head},
        "folder": review.folder,
        "summary": {
            "memories": len(review.memories),
            "kinds": review.kinds(),
            "other_files": review.other_files,
            "errors": counts["error"],
            "warnings": counts["warning"],
            "notes": counts["note"],
        },
        "memories": [asdict(memory) for memory in review.memories],
        "other_findings": [asdict(finding) for finding in review.other_findings],
    }
    return json.dumps(value, indent=2)


def as_commands(review: Review) -> str:
    """The findings as commands of a GitHub workflow, the worst first, and a line that counts.

    GitHub shows at most ten of each level for a step.
    """
    found = sorted(review.findings(), key=lambda one: LEVELS.index(one.level))
    counts = review.counts()
    last = ", ".join(f"{level}s: {counts[level]}" for level in LEVELS)
    return "\n".join([*(_command(review, one) for one in found), last])


def _command(review: Review, finding: Finding) -> str:
    properties = {"file": _from_root(review, finding), "title": finding.rule}
    if finding.line:
        properties["line"] = str(finding.line)
    listed = ",".join(f"{key}={command_property(value)}" for key, value in properties.items())
    message = command_data(finding.advice)
    return f"::{_COMMANDS[finding.level]} {listed}::{message}"


def as_sarif(review: Review) -> str:
    """The findings as SARIF 2.1.0, with every rule."""
    driver = {
        "name": "mnemos-files",
        "version": __version__,
        "rules": [
            {
                "id": rule.id,
                "shortDescription": {"text": rule.finds},
                "help": {"text": rule.remedy},
                "defaultConfiguration": {"level": rule.level},
            }
            for rule in RULES
        ],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": list(_results(review)),
    }
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _results(review: Review) -> Iterator[dict[str, object]]:
    numbers = {rule.id: number for number, rule in enumerate(RULES)}
    for finding in review.findings():
        place: dict[str, object] = {
            "artifactLocation": {"uri": uri(_from_root(review, finding)), "uriBaseId": "%SRCROOT%"}
        }
        if finding.line:
            place["region"] = {"startLine": finding.line}
        yield {
            "ruleId": finding.rule,
            "ruleIndex": numbers[finding.rule],
            "level": finding.level,
            "message": {"text": sarif_message(finding.advice)},
            "locations": [{"physicalLocation": place}],
            "partialFingerprints": {"mnemosFinding/v1": _fingerprint(finding)},
        }


def _fingerprint(finding: Finding) -> str:
    """Names a finding wherever its line moves to."""
    text = "\0".join((finding.rule, finding.path, finding.message))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _from_root(review: Review, finding: Finding) -> str:
    return f"{review.folder}/{finding.path}" if review.folder else finding.path
