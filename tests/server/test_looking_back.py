"""The tools that look back, once over a real server's standard input and output."""

from pathlib import Path

from tests.conftest import git
from tests.wire import serving


def test_history_provenance_and_changes_over_stdio(vault: Path) -> None:
    wire = serving(vault)
    first = wire.call("save", title="Ferry at nine", content="It leaves at nine.", type="decision")
    base = git(vault, "rev-parse", "HEAD").strip()
    second = wire.call(
        "save",
        title="Ferry at ten",
        content="It leaves at ten.",
        type="decision",
        supersedes=first["id"],
        derived_from=[first["id"]],
    )
    file = vault / second["path"]
    file.write_text(file.read_text() + "On Sundays too.\n")
    git(vault, "commit", "-q", "-a", "-m", "Sundays\n\nBen told me.")

    versions = wire.call("history", id=second["id"], diff="true", limit="1")
    assert versions["total"] == 2
    assert versions["next_offset"] == 1
    assert versions["versions"][0]["why"] == "Ben told me."
    assert versions["versions"][0]["diff"].endswith("+On Sundays too.\n")

    origin = wire.call("provenance", id=second["id"], blame=True)
    assert [row["id"] for row in origin["sources"]] == [first["id"]]
    assert [row["by"] for row in origin["blame"]] == ["agent", "person"]

    news = wire.call("changes", since=base)
    assert {row["title"]: row["what"] for row in news["changes"]} == {
        "Ferry at nine": ["superseded"],
        "Ferry at ten": ["added"],
    }
    assert news["uncommitted"] == []
    assert wire.call("changes", since=news["commit"])["total"] == 0

    git(vault, "commit", "-q", "--amend", "-m", "other")
    told = wire.fail("changes", since=news["commit"])
    assert "invalid_query" in told
    assert "rebased" in told
    assert wire.close() == 0
