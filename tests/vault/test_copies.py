import pytest

from mnemos_files.vault.copies import conflict_copy_of, placeholder_of


@pytest.mark.parametrize(
    "name",
    [
        "House.sync-conflict-20260503-181502-K7Q2XAB.md",
        "House (Tomek's conflicted copy 2026-05-03).md",
        "House (conflicted copy 2026-05-03 181502).md",
        "House_conflict-20260503-181502.md",
    ],
)
def test_a_copy_of_a_sync_program_names_its_original(name: str) -> None:
    assert conflict_copy_of(name) == "House.md"


@pytest.mark.parametrize(
    "name",
    [
        "Chapter 2.md",
        "My conflict with Tomek.md",
        "sync-conflict-explained.md",
        "House 2.md",
        "House-LAPTOP7.md",
        "How a conflicted copy 2026-05-03 came about.md",
    ],
)
def test_an_honest_name_is_no_copy(name: str) -> None:
    assert conflict_copy_of(name) is None


def test_a_placeholder_of_icloud_names_its_note() -> None:
    assert placeholder_of(".Plan B.md.icloud") == "Plan B.md"
    assert placeholder_of(".icloud") is None
    assert placeholder_of("Plan B.md.icloud") is None
