"""What is left when a process dies between two steps, and what a sweep makes of it."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mnemos_files.model.digest import blob_id
from mnemos_files.vault.files import Vault
from mnemos_files.vault.rename import SYSTEM
from mnemos_files.vault.steps import Create, Delete, Place, Replace
from mnemos_files.vault.temporaries import part_name, ready_name
from tests.vault.disk import put, texts

SEEN = blob_id(b"seen")


@pytest.fixture
def place(root: Path) -> Iterator[Place]:
    descriptor = os.open(root, os.O_RDONLY)
    yield Place(descriptor, "note.md", "note.md", SYSTEM)
    os.close(descriptor)


def sweep(files: Vault) -> list[str]:
    later = datetime.now(UTC) + timedelta(seconds=5)
    return [f"{p.rule} {p.path}" for p in files.sweep_temporaries(later, age_seconds=0)]


def test_a_creation_cut_before_its_end_leaves_nothing(files: Vault, place: Place) -> None:
    step = Create(place, b"ours")
    step.check()
    step.stage()

    assert sweep(files) == []

    assert texts(files.root) == {}


def test_a_replacement_cut_before_the_swap_leaves_the_old_text(files: Vault, place: Place) -> None:
    put(files.root, {"note.md": "seen"})
    step = Replace(place, b"ours", SEEN)
    step.check()
    step.stage()
    step.sync()

    assert sweep(files) == []

    assert texts(files.root) == {"note.md": "seen"}


def test_a_replacement_cut_after_the_swap_leaves_the_new_text(files: Vault, place: Place) -> None:
    put(files.root, {"note.md": "seen"})
    step = Replace(place, b"ours", SEEN)
    step.check()
    step.stage()
    step.publish()

    assert sweep(files) == []

    assert texts(files.root) == {"note.md": "ours"}


def test_a_deletion_cut_before_its_end_is_taken_back(files: Vault, place: Place) -> None:
    put(files.root, {"note.md": "seen"})
    step = Delete(place, SEEN)
    step.check()
    step.publish()
    assert files.listing().notes == {}

    assert sweep(files) == []

    assert texts(files.root) == {"note.md": "seen"}


def test_a_deletion_cut_before_its_end_does_not_disturb_a_new_note(
    files: Vault, place: Place
) -> None:
    put(files.root, {"note.md": "seen"})
    step = Delete(place, SEEN)
    step.check()
    step.publish()
    put(files.root, {"note.md": "made since"})

    assert sweep(files) == []

    assert texts(files.root) == {"note.md": "made since"}


def test_an_edit_swapped_out_in_the_moment_of_a_crash_is_kept_and_reported(files: Vault) -> None:
    left = ready_name("note.md", "0123abcd", blob_id(b"ours"), SEEN)
    put(files.root, {"note.md": "ours", left: "typed in that moment"})

    assert sweep(files) == [f"leftover {left}"]

    assert texts(files.root) == {"note.md": "ours", left: "typed in that moment"}


def test_an_edit_moved_aside_in_the_moment_of_a_crash_is_put_back(files: Vault) -> None:
    left = ready_name("note.md", "0123abcd", "", SEEN)
    put(files.root, {left: "typed in that moment"})

    assert sweep(files) == []

    assert texts(files.root) == {"note.md": "typed in that moment"}


def test_files_of_other_programs_are_not_touched(files: Vault) -> None:
    theirs = {
        ".note.md.tmp": "a",
        ".note.md.x7Kq2.tmp": "b",
        ".note.md.mnemos.tmp": "c",
        ".note.md.mnemos-0123ABCD.tmp": "d",
        "note.md.mnemos-0123abcd.tmp": "e",
        ".obsidian/.note.md.mnemos-0123abcd.tmp": "f",
    }
    put(files.root, theirs)

    assert sweep(files) == []

    assert texts(files.root) == dict(sorted(theirs.items()))


def test_a_young_leftover_may_belong_to_a_running_write(files: Vault) -> None:
    part = part_name("note.md", "0123abcd")
    put(files.root, {f"a/{part}": "half"})
    now = datetime.now(UTC)

    files.sweep_temporaries(now + timedelta(minutes=59))
    assert texts(files.root) == {f"a/{part}": "half"}

    files.sweep_temporaries(now + timedelta(minutes=61))
    assert texts(files.root) == {}


def test_an_old_text_just_swapped_out_is_young_although_its_own_time_is_old(
    files: Vault, place: Place
) -> None:
    put(files.root, {"note.md": "seen"})
    os.utime(files.root / "note.md", (0, 0))
    step = Delete(place, SEEN)
    step.check()
    step.publish()

    files.sweep_temporaries(datetime.now(UTC) + timedelta(minutes=1))

    assert "note.md" not in texts(files.root)
    assert len(files.listing().temporaries) == 1


def test_leftovers_beside_the_settings_are_swept_too(files: Vault) -> None:
    put(
        files.root,
        {f".mnemos/{part_name('config.toml', '0123abcd')}": "half", ".mnemos/config.toml": ""},
    )

    assert sweep(files) == []

    assert texts(files.root) == {".mnemos/config.toml": ""}


def test_what_was_left_beside_the_settings_is_listed_and_swept(files: Vault) -> None:
    left = f".mnemos/{part_name('config.toml', '5e2a958d')}"
    put(files.root, {left: "form", ".mnemos/.mine.tmp": "a person's"})

    assert left in files.listing().temporaries
    assert sweep(files) == []

    assert texts(files.root) == {".mnemos/.mine.tmp": "a person's"}
