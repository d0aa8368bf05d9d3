from mnemos_files.config import DEFAULT_IGNORED
from mnemos_files.vault.rules import Rules, placeholder_of


def test_patterns_match_whole_names() -> None:
    rules = Rules(("drafts-?", "*.draft.md"))

    assert rules.is_ignored("drafts-1")
    assert not rules.is_ignored("drafts-10")
    assert not rules.is_note("a.draft.md")
    assert rules.is_note("a.md")


def test_hidden_names_are_ignored_whatever_the_settings_say() -> None:
    assert Rules(()).is_ignored(".git")
    assert not Rules(()).is_ignored("node_modules")
    assert Rules(DEFAULT_IGNORED).is_ignored("node_modules")


def test_a_copy_of_a_sync_program_is_a_candidate_and_no_note() -> None:
    copy = "House.sync-conflict-20260503-181502-K7Q2XAB.md"

    assert Rules(()).is_candidate(copy)
    assert not Rules(()).is_note(copy)


def test_a_placeholder_of_icloud_names_its_note() -> None:
    assert placeholder_of(".Plan B.md.icloud") == "Plan B.md"
    assert placeholder_of(".icloud") is None
    assert placeholder_of("Plan B.md.icloud") is None
