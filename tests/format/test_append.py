import pytest

from mnemos_files.errors import CorruptError, InvalidRecordError
from mnemos_files.format.record import append


@pytest.mark.parametrize(
    ("data", "text", "after"),
    [
        (b"", "a", b"a\n"),
        (b"\n\n", "a", b"a\n"),
        (b"  \n\t", "a", b"a\n"),
        (b"\xef\xbb\xbf", "a", b"\xef\xbb\xbfa\n"),
        (b"", "---\na: b\n---", b"\n---\na: b\n---\n"),
        (b"x", "a", b"x\n\na\n"),
        (b"x\n", "\n\na\n\n", b"x\n\na\n"),
        (b"x\n\n\n", "a\n\nb", b"x\n\na\n\nb\n"),
        (b"x\n  \n", "a", b"x\n\na\n"),
        (b"x  \n", "    a", b"x  \n\n    a\n"),
        (b"x\r\ny\r\n", "a\nb", b"x\r\ny\r\n\r\na\r\nb\r\n"),
        (b"x\r\n", "a\r\nb\r\n", b"x\r\n\r\na\r\nb\r\n"),
        (b"- x", "- a", b"- x\n- a\n"),
        (b"- x\n", "* a", b"- x\n\n* a\n"),
        (b"- x\n  y\n", "- a", b"- x\n  y\n- a\n"),
        (b"1. x\n", "2. a", b"1. x\n2. a\n"),
        (b"1. x\n", "2) a", b"1. x\n\n2) a\n"),
        (b"- [ ] x\n", "- [x] a", b"- [ ] x\n- [x] a\n"),
        (b"- x\n\ny\n", "- a", b"- x\n\ny\n\n- a\n"),
        (b"- x\n", "a", b"- x\n\na\n"),
        (b"-x\n", "- a", b"-x\n\n- a\n"),
        (b"x\n", "===", b"x\n\n===\n"),
        (b"---\nt: x\n---\n", "a", b"---\nt: x\n---\na\n"),
        (b"---\nt: x\n---", "---", b"---\nt: x\n---\n---\n"),
        (b"---\r\nt: x\r\n---\r\n", "a", b"---\r\nt: x\r\n---\r\na\r\n"),
        (b"---\n\nprose\n", "---", b"---\n\nprose\n\n---\n"),
        (b"x\n\n", " \n", b"x\n\n"),
        (b"x", "", b"x"),
    ],
)
def test_new_text_stands_below_the_old_text(data, text, after):
    assert append(data, text) == after


def test_twice_the_same_leaves_no_double_blank_line():
    assert append(append(b"x\n", "a"), "a") == b"x\n\na\n\na\n"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"caf\xe9", "a"),
        (b"<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n", "a"),
        (b"---\nNote: half\n", "a\n\n---\n\nb"),
    ],
)
def test_a_file_that_cannot_take_it_is_refused(data, text):
    with pytest.raises(CorruptError, match=r"x\.md:1: "):
        append(data, text, "x.md")


def test_a_nul_is_refused():
    with pytest.raises(InvalidRecordError):
        append(b"", "a\0")
