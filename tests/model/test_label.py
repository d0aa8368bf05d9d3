"""What corrections are about, and the names of their groups."""

import pytest

from mnemos_files.model.label import label, origin


@pytest.mark.parametrize(
    ("tags", "title", "about"),
    [
        (("Migrations", "db"), "Never guess", "migrations"),
        (("", "  ", " Git "), "Never guess", "git"),
        (("auto-promoted", "promoted-origin:abc", "project:api", "db"), "x", "db"),
        (("ruminated-from:rumination-1",), "Never  Drop a column", "never drop a"),
        ((), "Never", "never"),
        ((), "  ", ""),
    ],
)
def test_a_label_is_the_first_tag_with_a_meaning_or_three_words(
    tags: tuple[str, ...], title: str, about: str
):
    assert label(tags, title) == about


def test_the_name_of_a_group_is_that_of_agent_project_and_label():
    # printf 'codex|api|db' | sha256sum
    assert origin("codex", "api", "db") == "8fbfed10614a"
