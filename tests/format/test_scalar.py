import pytest
import yaml

from mnemos_files.errors import InvalidRecordError
from mnemos_files.format.scalar import check_text, is_plain, unquote, write_scalar


@pytest.mark.parametrize(
    "text", ["Night train", "100% sure", "3 things", "a --- b", "C:\\Users\\x", "東京", "(a)", "/x"]
)
def test_harmless_text_has_no_quotes(text):
    assert write_scalar(text) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("", '""'),
        ("No", '"No"'),
        ("~", '"~"'),
        ("12:30", '"12:30"'),
        ("0022", '"0022"'),
        ("1e3", '"1e3"'),
        ("2026-05-04", '"2026-05-04"'),
        ("2026-05-04 10:00:00", '"2026-05-04 10:00:00"'),
        ("a: b", '"a: b"'),
        ("a:", '"a:"'),
        ("a #b", '"a #b"'),
        (" a", '" a"'),
        ("a ", '"a "'),
        ("<<", '"<<"'),
        ("[[X]]", '"[[X]]"'),
        ('say "x"', 'say "x"'),
        ('"x"', '"\\"x\\""'),
        ("two\nlines", '"two\\nlines"'),
        ("tab\there", '"tab\\there"'),
        ("a\x1b\x85\u2028\ufeffb", '"a\\u001b\\u0085\\u2028\\ufeffb"'),
    ],
)
def test_text_with_another_meaning_is_quoted_on_one_line(text, written):
    assert write_scalar(text) == written
    assert yaml.safe_load(f"k: {written}") == {"k": text}


def test_a_comma_is_quoted_in_brackets_only():
    assert write_scalar("a, b") == "a, b"
    assert write_scalar("a, b", in_flow=True) == '"a, b"'


def test_every_escape_of_yaml_is_read():
    assert unquote(r"\x41\u00e9\U0001F680\n\t\"\\\/\e\N") == 'Aé🚀\n\t"\\/\x1b\x85'


@pytest.mark.parametrize("inner", [r"\q", r"\ud83d", r"\u12"])
def test_an_unknown_escape_is_left_to_the_yaml_parser(inner):
    assert unquote(inner) is None


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b", "\udfff"])
def test_what_no_file_can_hold_is_refused_by_name(text):
    with pytest.raises(InvalidRecordError) as caught:
        check_text("title", text)

    assert caught.value.field == "title"


def test_an_unassigned_character_is_not_plain():
    assert not is_plain("a\u0378b")
