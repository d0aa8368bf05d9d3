"""`mnemos-files prune` deletes or lists what expired."""

from pathlib import Path

import pytest

NOTE = """\
---
id: 01KBC3W6H5M0V2T8N4Q9F7K3QX
type: decision
title: Use bcrypt
expires: 2025-12-01T10:00:00Z
---
Cost 12.
"""
PATH = "observations/global/2025-01-01-use-bcrypt-7k3qx.md"


@pytest.fixture
def expired(vault: Path) -> Path:
    path = vault / PATH
    path.parent.mkdir(parents=True)
    path.write_text(NOTE, encoding="utf-8")
    return path


def test_a_dry_run_lists_it(vault, run, expired):
    done = run("prune", "--dry-run", "--vault", vault)

    assert done.exit_code == 0
    assert done.stdout == (
        f"expired 2025-12-01  [decision] Use bcrypt  01KBC3W6H5M0V2T8N4Q9F7K3QX  {PATH}\n"
        "1 would be deleted; the git history keeps their texts\n"
    )
    assert expired.exists()


def test_json_tells_what_was_deleted(vault, run_json, expired):
    value = run_json("prune", "--json", "--vault", vault)

    assert not expired.exists()
    assert value["expired"] == [
        {
            "id": "01KBC3W6H5M0V2T8N4Q9F7K3QX",
            "type": "decision",
            "title": "Use bcrypt",
            "path": PATH,
            "expired_at": "2025-12-01T10:00:00Z",
        }
    ]
    assert (value["dry_run"], len(value["commit"])) == (False, 40)


def test_an_empty_vault_has_nothing_to_prune(vault, run):
    done = run("prune", "--vault", vault)

    assert (done.exit_code, done.stdout) == (0, "nothing has expired\n")
