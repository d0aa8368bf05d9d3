import pytest

from mnemos_files.vault.rules import Rules
from mnemos_files.vault.temporaries import Temporary, part_name, read_name, ready_name

RANDOM = "0123abcd"


@pytest.mark.parametrize("name", ["note.md", ".md.md", "a.mnemos-0123abcd.tmp", "日本語 (1).md"])
def test_a_name_made_is_read_back(name: str) -> None:
    assert read_name(part_name(name, RANDOM)) == Temporary(name, "", "")
    ready = ready_name(name, RANDOM, "1" * 40, "2" * 40)
    assert read_name(ready) == Temporary(name, "1" * 12, "2" * 12)


def test_a_deletion_is_told_from_a_replacement() -> None:
    deletion = read_name(ready_name("note.md", RANDOM, "", "2" * 40))

    assert deletion == Temporary("note.md", "0" * 12, "2" * 12)
    assert deletion.is_deletion


def test_the_longest_names_still_fit_a_file_system() -> None:
    for name in ("x" * 252 + ".md", "ü" * 126 + ".md", "日" * 84 + ".md"):
        made = ready_name(name, RANDOM, "1" * 40, "2" * 40)
        assert len(made.encode()) <= 255
        assert read_name(made).name.endswith(".md")


def test_no_scan_takes_a_temporary_for_a_note() -> None:
    assert not Rules(()).is_note(part_name("note.md", RANDOM))
    assert not Rules(()).is_note(ready_name("note.md", RANDOM, "1" * 40, "2" * 40))
