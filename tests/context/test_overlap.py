"""Words that two texts share."""

import pytest

from mnemos_files.context.overlap import content_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", set()),
        ("The and with FOR", set()),
        ("Fix the Login, (login) again!", {"fix", "login"}),
        ("go to DB v2 x86", {"x86"}),
        ("retry_queue src/api.py", {"retry", "queue", "src", "api"}),
        ("Straße STRASSE", {"strasse"}),
        ("数据库迁移", {"数据", "据库", "库迁", "迁移"}),
        ("ﬁle", {"file"}),
    ],
)
def test_words_that_say_something(text, words):
    assert content_words(text) == words


def test_a_long_text_counts_by_its_beginning():
    assert content_words("x " * 5_000 + "migration") == set()
