"""The five formats of one review, expected texts written by hand."""

import json

import jsonschema
import pytest

from mnemos_files import __version__
from mnemos_files.review.as_data import as_commands, as_json, as_sarif
from mnemos_files.review.as_text import as_text
from mnemos_files.review.formats import FORMATS
from mnemos_files.review.markdown import SIZE_MAX, as_markdown
from mnemos_files.review.rules import RULES
from mnemos_files.review.values import (
    Alike,
    Author,
    Conflict,
    Difference,
    Finding,
    MemoryChange,
    Named,
    Piece,
    Review,
)

LIMIT = MemoryChange(
    id="01KBC3W6H5M0V2T8N4Q9F7K3QX",
    path="observations/api/limit.md",
    before_path="observations/api/limit.md",
    type="decision",
    title="Upload limit",
    project="api",
    kinds=("changed",),
    authors=(Author("claude-code", is_agent=True, session="fix-login"),),
    commits=("abc1234567",),
    agent="claude-code",
    session="fix-login",
    source_kind="tool",
    source="gateway.yml",
    trust_tier_before="raw",
    trust_tier="curated",
    supersedes=(Named("Old limit", "observations/api/old.md"), Named("gone", "")),
    superseded_by=(),
    contradicts=(),
    derived_from=(),
    text="The limit is 20 MB.",
    differences=(
        Difference("importance", (Piece("-", "5"), Piece("+", "7"))),
        Difference(
            "text",
            (
                Piece("=", "The limit is"),
                Piece("-", " 10"),
                Piece("+", " 20"),
                Piece("=", " MB.\nFor all."),
            ),
        ),
    ),
    similar=(
        Alike(
            id="B",
            path="observations/api/other.md",
            title="Gateway",
            trust_tier="curated",
            share=0.75,
            conflict=Conflict("number", "limit is 10 MB", "limit is 20 MB"),
        ),
    ),
    findings=(
        Finding(
            "trust-raised",
            "error",
            "observations/api/limit.md",
            9,
            "an agent raised it",
            "Write promoted_reason.",
        ),
        Finding(
            "contradiction",
            "warning",
            "observations/api/limit.md",
            0,
            "says 20, not 10",
            "Decide which is right.",
        ),
    ),
)
REVIEW = Review(
    label="main...memory/claude",
    folder="memory",
    base="1111111111",
    head="2222222222",
    memories=(LIMIT,),
    other_findings=(
        Finding("runnable", "warning", ".gitattributes", 0, "new", "Read it as code."),
    ),
    other_files=2,
)
EMPTY = Review(
    label="uncommitted changes",
    folder="",
    base="1111111111",
    head="",
    memories=(),
    other_findings=(),
    other_files=0,
)

TEXT = """\
main...memory/claude: 1 memory (1 changed), 2 other files

changed: Upload limit (decision, api)
  in observations/api/limit.md
  by claude-code (agent, session fix-login) in 1 commit
  raw → curated, from tool (gateway.yml)
  supersedes Old limit (observations/api/old.md)
  supersedes [[gone]], not found
  similar Gateway (observations/api/other.md, curated, 75% of the words)
  importance: [-5-]{+7+}
  text: The limit is [-10-] {+20+} MB.
  | For all.
  error trust-raised: line 9: an agent raised it
    Write promoted_reason.
  warning contradiction: says 20, not 10
    Decide which is right.

other files
  warning runnable: .gitattributes: new
    Read it as code.

1 error, 2 warnings"""

MARKDOWN = """\
<!-- mnemos-files review -->
## Memory review

<code>main&#46;&#46;&#46;memory/claude</code>: 1 memory (1 changed), 2 other files. \
**1 error, 2 warnings**.

| change | memory | type | project | who | trust | findings |
|---|---|---|---|---|---|---|
| changed | <code>Upload limit</code> | decision | <code>api</code> | <code>claude-code</code> \
| raw → curated | 1 **error**, 1 warning |

### Other files

- warning `runnable` <code>&#46;gitattributes</code>: <code>new</code> Read it as code.

<details open>
<summary>changed: <code>Upload limit</code></summary>

<code>observations/api/limit&#46;md</code>

- who: <code>claude-code (agent, session fix-login) in 1 commit</code>
- trust: raw → curated, from <code>tool (gateway&#46;yml)</code>
- supersedes <code>Old limit (observations/api/old&#46;md)</code>
- supersedes <code>&#91;&#91;gone&#93;&#93;, not found</code>
- similar <code>Gateway (observations/api/other&#46;md, curated, 75&#37; of the words)</code>
- **error** `trust-raised` <code>line 9</code>: <code>an agent raised it</code> \
Write promoted_reason.
- warning `contradiction`: <code>says 20, not 10</code> Decide which is right.
- <code>importance</code>: <del><code>5</code></del> <ins><code>7</code></ins>

<code>text</code>

<pre>The limit is<del> 10</del><ins> 20</ins> MB.
For all.</pre>


</details>

"""

COMMANDS = """\
::error file=memory/observations/api/limit.md,title=trust-raised,line=9::an agent raised it. \
Write promoted_reason.
::warning file=memory/observations/api/limit.md,title=contradiction::says 20, not 10. \
Decide which is right.
::warning file=memory/.gitattributes,title=runnable::new. Read it as code.
errors: 1, warnings: 2, notes: 0"""

SARIF_FORM = {
    "type": "object",
    "required": ["version", "runs", "$schema"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "properties": {
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name"],
                                "properties": {
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {"type": "object", "required": ["id"]},
                                    }
                                },
                            }
                        },
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["message"],
                            "properties": {
                                "level": {"enum": ["none", "note", "warning", "error"]},
                                "message": {"type": "object", "required": ["text"]},
                                "ruleIndex": {"type": "integer", "minimum": -1},
                                "locations": {
                                    "type": "array",
                                    "items": {
                                        "type": "object",
                                        "properties": {
                                            "physicalLocation": {
                                                "type": "object",
                                                "properties": {
                                                    "region": {
                                                        "type": "object",
                                                        "properties": {
                                                            "startLine": {
                                                                "type": "integer",
                                                                "minimum": 1,
                                                            }
                                                        },
                                                    }
                                                },
                                            }
                                        },
                                    },
                                },
                            },
                        },
                    },
                },
            },
        },
    },
}
"""What of the schema of SARIF 2.1.0 our output touches."""


def test_the_text_for_a_terminal():
    text = as_text(REVIEW)

    assert text == TEXT


def test_the_comment():
    assert as_markdown(REVIEW) == MARKDOWN


def test_the_annotations():
    assert as_commands(REVIEW) == COMMANDS


def test_the_json():
    made = json.loads(as_json(REVIEW))

    assert made["schema"] == 1
    assert made["change"] == {
        "label": "main...memory/claude",
        "base": "1111111111",
        "head": "2222222222",
    }
    assert made["summary"] == {
        "memories": 1,
        "kinds": {"changed": 1},
        "other_files": 2,
        "errors": 1,
        "warnings": 2,
        "notes": 0,
    }
    (memory,) = made["memories"]
    assert memory["authors"] == [{"name": "claude-code", "is_agent": True, "session": "fix-login"}]
    assert memory["differences"][0] == {
        "name": "importance",
        "pieces": [{"mark": "-", "text": "5"}, {"mark": "+", "text": "7"}],
    }
    assert memory["findings"][0] == {
        "rule": "trust-raised",
        "level": "error",
        "path": "observations/api/limit.md",
        "line": 9,
        "message": "an agent raised it",
        "remedy": "Write promoted_reason.",
    }
    assert made["other_findings"][0]["rule"] == "runnable"


def test_the_sarif():
    made = json.loads(as_sarif(REVIEW))

    jsonschema.validate(made, SARIF_FORM)
    (run,) = made["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("mnemos-files", __version__)
    assert [rule["id"] for rule in driver["rules"]] == [rule.id for rule in RULES]
    first, second, _ = run["results"]
    assert driver["rules"][first["ruleIndex"]]["id"] == first["ruleId"] == "trust-raised"
    assert first["message"] == {"text": "an agent raised it. Write promoted_reason."}
    assert first["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {
                    "uri": "memory/observations/api/limit.md",
                    "uriBaseId": "%SRCROOT%",
                },
                "region": {"startLine": 9},
            }
        }
    ]
    assert "region" not in second["locations"][0]["physicalLocation"]
    prints = [each["partialFingerprints"]["mnemosFinding/v1"] for each in run["results"]]
    assert len(set(prints)) == 3


@pytest.mark.parametrize("form", FORMATS)
def test_a_change_without_memories_has_every_format(form):
    text = FORMATS[form](EMPTY)

    assert text
    if form in ("json", "sarif"):
        json.loads(text)


def test_nothing_is_said_of_nothing():
    assert as_text(EMPTY) == "uncommitted changes: 0 memories\n\nnothing was found"
    assert as_commands(EMPTY) == "errors: 0, warnings: 0, notes: 0"


def test_a_comment_on_ten_thousand_memories_stays_within_its_bound():
    many = Review(
        label="x" * 200,
        folder="",
        base="",
        head="",
        memories=(LIMIT,) * 10_000,
        other_findings=REVIEW.other_findings * 10_000,
        other_files=10_000,
    )

    text = as_markdown(many)

    assert 40_000 < len(text) <= SIZE_MAX
    assert text.count("<details") == text.count("</details>") > 3
    assert text.count(" more: run `mnemos-files review` with this range.") == 3


def test_colours_are_painted_around_escaped_text_only():
    painted = as_text(REVIEW, lambda text, style: f"<{style}>{text}</>")

    assert "<kind>changed</>: <title>Upload limit</> (decision, api)" in painted
    assert "importance: <->[-5-]</><+>{+7+}</>" in painted
    assert "<error>error</> trust-raised" in painted


@pytest.mark.parametrize(
    ("bar", "expected"), [("error", True), ("warning", True), ("never", False)]
)
def test_an_error_is_as_bad_as_every_bar_but_never(bar, expected):
    assert REVIEW.fails(bar) is expected


def test_the_table_of_formats_is_that_of_the_command():
    from mnemos_files.cli.review_range import FORMATS as NAMES  # noqa: PLC0415 - one use

    assert tuple(FORMATS) == NAMES
