from pathlib import Path

import pytest

from mnemos_files.errors import InvalidRecordError
from mnemos_files.operations.lessons import convention, correct
from mnemos_files.operations.reading import get, search
from mnemos_files.operations.trust import promote
from mnemos_files.store.store import Store
from tests.conftest import git

PARTS = {
    "tried": "Retried the upload at once.",
    "wrong_because": "The service bans a client after three tries in a minute.",
    "fix": "Wait with a growing delay.",
}


def test_a_correction_is_a_file_with_its_parts_as_headings(store: Store, vault: Path):
    saved = correct(
        store,
        title="Uploads need a delay",
        trigger_context="HTTP 429 from the upload service",
        project="api",
        tags=("http",),
        **PARTS,
    )

    text = (vault / saved.path).read_text(encoding="utf-8")
    assert saved.path.startswith("corrections/api/2026-12-01-uploads-need-a-delay-")
    assert text.partition("---\n")[2].partition("---\n")[2] == (
        "\n\n## Tried\n\nRetried the upload at once."
        "\n\n## Wrong because\n\nThe service bans a client after three tries in a minute."
        "\n\n## Fix\n\nWait with a growing delay."
        "\n\n## When this applies\n\nHTTP 429 from the upload service\n"
    )
    assert "importance: 8\n" in text
    assert "trust_tier: curated\n" in text
    assert git(vault, "log", "-1", "--format=%s") == "save(correction): Uploads need a delay\n"


def test_a_correction_is_found_by_when_it_applies(store: Store):
    saved = correct(store, title="Uploads", trigger_context="error 429 quota", **PARTS)

    assert [hit.id for hit in search(store, query="quota").results] == [saved.id]


def test_the_same_correction_again_is_the_one_that_is_there(store: Store, vault: Path):
    first = correct(store, title="Uploads", **PARTS)
    head = git(vault, "rev-parse", "HEAD")

    second = correct(store, title="Uploads", importance=3, **PARTS)

    assert (second.id, second.deduped, first.deduped) == (first.id, True, False)
    assert git(vault, "rev-parse", "HEAD") == head


def test_a_correction_that_differs_in_its_fix_is_another(store: Store):
    first = correct(store, title="Uploads", **PARTS)

    second = correct(store, title="Uploads", **(PARTS | {"fix": "Ask for a higher limit."}))

    assert second.id != first.id


def test_a_correction_without_any_part_is_refused(store: Store, vault: Path):
    head = git(vault, "rev-parse", "HEAD")

    with pytest.raises(InvalidRecordError, match="must say something"):
        correct(store, title="Uploads", tried=" ", wrong_because="", fix="\n")

    assert git(vault, "rev-parse", "HEAD") == head
    assert git(vault, "status", "--short") == ""


def test_a_correction_may_leave_parts_blank(store: Store):
    saved = correct(store, title="Uploads", tried="", wrong_because="", fix="Wait.")

    assert get(store, id=saved.id).sections == {"fix": "Wait."}


def test_a_correction_of_an_agent_takes_the_importance_it_is_given(store: Store):
    usual = correct(store, title="A", importance=0, **PARTS)
    low = correct(store, title="B", importance=2, **PARTS)

    assert get(store, id=usual.id).importance == 8
    assert get(store, id=low.id).importance == 2


def test_a_convention_has_its_rule_as_text(store: Store, vault: Path):
    saved = convention(
        store,
        title="Tables are singular",
        rule="Name tables in the singular.",
        project="api",
        rationale="The code generator expects it.",
        example="`user`, not `users`",
    )

    text = (vault / saved.path).read_text(encoding="utf-8")
    assert saved.path.startswith("conventions/api/")
    assert text.partition("---\n")[2].partition("---\n")[2] == (
        "Name tables in the singular."
        "\n\n## Why\n\nThe code generator expects it."
        "\n\n## Example\n\n`user`, not `users`\n"
    )
    assert get(store, id=saved.id).importance == 8


def test_the_reason_of_a_convention_stands_in_the_commit(store: Store, vault: Path):
    convention(store, title="T", rule="R", project="api", rationale="The generator expects it.")

    assert "The generator expects it." in git(vault, "log", "-1", "--format=%b")


def test_a_convention_without_project_holds_for_all(store: Store):
    saved = convention(store, title="T", rule="R", project="")

    assert saved.path.startswith("conventions/global/")
    assert get(store, id=saved.id).project is None


@pytest.mark.parametrize("part", ["title", "rule"])
def test_a_blank_title_or_rule_is_refused(store: Store, vault: Path, part: str):
    given = {"title": "T", "rule": "R", "project": "api"} | {part: "  \n"}

    with pytest.raises(InvalidRecordError, match=f"{part}: is required"):
        convention(store, **given)

    assert git(vault, "status", "--short") == ""


def test_a_rule_that_is_said_again_while_it_is_quarantined_is_told_as_such(store: Store):
    rule = {"title": "Tabs", "rule": "Use tabs.", "project": "api"}
    saved = convention(store, **rule)
    promote(store, id=saved.id, to_tier="raw", why_better="nobody has agreed to it")

    again = convention(store, **rule)

    assert (saved.notices, again.id) == ([], saved.id)
    assert again.notices == [
        "it is quarantined (raw): searches and contexts leave it out until mnemos_promote"
    ]
