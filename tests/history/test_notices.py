"""What a person is told about the repository."""

import os


def test_all_well_says_nothing(vault):
    assert vault.open().notices() == []


def test_hooks_that_do_not_run_are_named(vault):
    hook = vault.root / ".git/hooks/pre-commit"
    hook.write_text("#!/bin/sh\ntouch hook-ran.txt\nexit 1\n")
    hook.chmod(0o755)

    vault.save("a.md")

    assert not (vault.root / "hook-ran.txt").exists()
    assert vault.open().notices() == ["git hooks are not run on commits made here: pre-commit"]


def test_hooks_in_another_folder_are_named(vault):
    hook = vault.root / "my-hooks/commit-msg"
    hook.parent.mkdir()
    hook.write_text("#!/bin/sh\n")
    hook.chmod(0o755)
    vault.git("config", "core.hooksPath", "my-hooks")

    assert vault.open().notices() == ["git hooks are not run on commits made here: commit-msg"]


def test_a_held_branch_is_named_with_age_and_remedy(vault, now):
    lock = vault.root / ".git/refs/heads/main.lock"
    lock.touch()
    hour_ago = lock.stat().st_mtime - 3600
    os.utime(lock, (hour_ago, hour_ago))

    found = vault.open().notices()

    assert len(found) == 1
    assert f"{lock} (60 min old)" in found[0]
    assert f"rm '{lock}'" in found[0]


def test_too_many_loose_objects_name_git_gc(vault):
    for number in range(256):
        folder = vault.root / ".git/objects" / f"{number:02x}"
        folder.mkdir(exist_ok=True)
        for name in range(27):
            (folder / f"{name:038x}").touch()

    found = vault.open().notices()

    assert len(found) == 1
    assert "loose objects" in found[0]
    assert f"git -C '{vault.root}' gc" in found[0]


def test_too_many_packs_name_git_gc(vault):
    for number in range(51):
        (vault.root / ".git/objects/pack" / f"pack-{number:040x}.pack").touch()

    found = vault.open().notices()

    assert len(found) == 1
    assert "51 packs" in found[0]
