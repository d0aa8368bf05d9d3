"""Files as people, editors and other tools leave them: no text is lost, and a change is small.

Each row: a name, the file, words that the record must hold, and the one replacement that setting
`status` to "done" makes in the file (None: the change is refused).
"""

import re
from pathlib import PurePosixPath
from typing import NamedTuple

import pytest

from mnemos_files.errors import CorruptError
from mnemos_files.format.front_matter import edit, read
from mnemos_files.format.record import parse


class Odd(NamedTuple):
    name: str
    data: bytes
    words: str
    change: tuple[bytes, bytes] | None


S, D = b"status: open", b"status: done"
END, ADDED = b"\n---\n", b"\nstatus: done\n---\n"
NEW = b"---\nstatus: done\n---\n"
BOM = b"\xef\xbb\xbf"


def added_on_top(data: bytes) -> tuple[bytes, bytes]:
    """The change of a file without front matter: a block before everything."""
    return (data, NEW + data)


RULE_FIRST = b"---\n\nleft bank\n\n---\n\nright bank\n"
LIST_FIRST = b"---\n- alpha\n- beta\n---\ngamma\n"
WORD_FIRST = b"---\njust prose\n---\nmore\n"
COMMENT_FIRST = b"---\n# Heading\n---\nbelow\n"
BRACES_FIRST = b"---\n{}\n---\nbelow\n"
DASHES = b"----\ntitle: Four\n----\nbelow\n"
SPACE_FENCE = b" ---\ntitle: Indented\n ---\nbelow\n"
STAR_PROSE = b"---\n*** stars\n---\nbelow\n"
BLANK_TOP = b"\n---\ntitle: Late\n---\nbelow\n"

ODD = [
    Odd("plain", b"---\nstatus: open\n---\nalpha\n", "open alpha", (S, D)),
    Odd("no key yet", b"---\ntitle: Tea\n---\nalpha\n", "Tea alpha", (END, ADDED)),
    Odd("no front matter", b"alpha\n", "alpha", added_on_top(b"alpha\n")),
    Odd("empty", b"", "", (b"", NEW)),
    Odd("one line end", b"\n", "", added_on_top(b"\n")),
    Odd("no final newline", b"---\nstatus: open\n---\nalpha", "alpha", (S, D)),
    Odd("ends at the fence", b"---\nstatus: open\n---", "open", (S, D)),
    Odd("empty block", b"---\n---\nalpha\n", "alpha", (b"---\n---\n", NEW)),
    Odd("blank block", b"---\n\n---\nalpha\n", "alpha", (b"\n\n---\n", b"\n\nstatus: done\n---\n")),
    Odd("crlf", b"---\r\nstatus: open\r\n---\r\nalpha\r\n", "open alpha", (S, D)),
    Odd(
        "crlf, new key",
        b"---\r\ntitle: Tea\r\n---\r\nalpha\r\n",
        "Tea alpha",
        (b"Tea\r\n", b"Tea\r\nstatus: done\r\n"),
    ),
    Odd(
        "crlf text",
        b"alpha\r\nbeta\r\n",
        "beta",
        (b"alpha", NEW.replace(b"\n", b"\r\n") + b"alpha"),
    ),
    Odd("mixed line ends", b"---\nstatus: open\r\na: b\n---\r\nalpha\n", "open alpha", (S, D)),
    Odd(
        "old mac line ends",
        b"---\rstatus: open\r---\ralpha\r",
        "open alpha",
        (b"---\rs", NEW + b"---\rs"),
    ),
    Odd("bom", BOM + b"---\nstatus: open\n---\nalpha\n", "open alpha", (S, D)),
    Odd("bom, no block", BOM + b"alpha\n", "alpha", (BOM, BOM + NEW)),
    Odd("bom, crlf", BOM + b"---\r\nstatus: open\r\n---\r\nalpha", "open alpha", (S, D)),
    Odd("bom alone", BOM, "", (BOM, BOM + NEW)),
    Odd("blanks behind the fences", b"---  \nstatus: open\n--- \t\nalpha\n", "open alpha", (S, D)),
    Odd("four dashes", DASHES, "Four below", added_on_top(DASHES)),
    Odd("indented fence", SPACE_FENCE, "Indented below", added_on_top(SPACE_FENCE)),
    Odd("fence in line two", BLANK_TOP, "Late below", added_on_top(BLANK_TOP)),
    Odd("rule first", RULE_FIRST, "left right", added_on_top(RULE_FIRST)),
    Odd("list between rules", LIST_FIRST, "alpha beta gamma", added_on_top(LIST_FIRST)),
    Odd("word between rules", WORD_FIRST, "prose more", added_on_top(WORD_FIRST)),
    Odd("heading between rules", COMMENT_FIRST, "Heading below", added_on_top(COMMENT_FIRST)),
    Odd("braces between rules", BRACES_FIRST, "below", added_on_top(BRACES_FIRST)),
    Odd("prose that is no yaml", STAR_PROSE, "stars below", added_on_top(STAR_PROSE)),
    Odd("unclosed", b"---\ntitle: Half\n\nalpha\n", "Half alpha", None),
    Odd("dots close nothing", b"---\ntitle: Half\n...\nalpha\n", "Half alpha", None),
    Odd("longer line is no fence", b"---\nstatus: open\n---draft\n", "open draft", None),
    Odd("comments", b"---\n# one\nstatus: open # two\n# three\n---\nalpha\n", "alpha", (S, D)),
    Odd("comment right behind", b"---\nstatus: open  # a: b\n---\nx1\n", "x1", (S, D)),
    Odd("hash in a value", b"---\nstatus: open#1\n---\n", "open#1", (S + b"#1", D)),
    Odd("double quotes", b'---\nstatus: "open"\n---\n', "open", (b'"open"', b'"done"')),
    Odd("single quotes", b"---\nstatus: 'it''s'\n---\n", "it's", (b"'it''s'", b"'done'")),
    Odd(
        "quoted key", b'---\n"status": open\n---\n', "open", (b'"status": open', b'"status": done')
    ),
    Odd("single quoted key", b"---\n'status': open\n---\n", "open", (b"open", b"done")),
    Odd("blanks before the colon", b"---\nstatus : open\n---\n", "open", (b"open", b"done")),
    Odd("wide gap", b"---\nstatus:     open\n---\n", "open", (b"open", b"done")),
    Odd("tab behind the colon", b"---\nstatus:\topen\n---\n", "open", (b"open", b"done")),
    Odd("blanks behind the value", b"---\nstatus: open  \n---\n", "open", (b"open  ", b"done")),
    Odd("empty value", b"---\nstatus:\ntitle: Tea\n---\n", "Tea", (b"status:", b"status: done")),
    Odd(
        "empty with comment", b"---\nstatus:   # say\n---\n", "", (b"status:  ", b"status: done  ")
    ),
    Odd(
        "list becomes a text",
        b"---\nstatus:\n  - alpha\n  - beta\nnext: gamma\n---\n",
        "alpha beta gamma",
        (b"status:\n  - alpha\n  - beta\n", D + b"\n"),
    ),
    Odd(
        "flow list",
        b"---\nstatus: [alpha, 'b, c']\n---\n",
        "alpha b,",
        (b"[alpha, 'b, c']", b"done"),
    ),
    Odd(
        "flow list on lines",
        b"---\nstatus: [alpha,\n  beta]\nnext: gamma\n---\n",
        "alpha beta gamma",
        (b"status: [alpha,\n  beta]\n", D + b"\n"),
    ),
    Odd(
        "literal text",
        b"---\nstatus: |\n  alpha\n\n  # beta\nnext: gamma\n---\n",
        "alpha beta gamma",
        (b"status: |\n  alpha\n\n  # beta\n", D + b"\n"),
    ),
    Odd(
        "folded text beside",
        b"---\nnote: >-\n  alpha\n  beta\nstatus: open\n---\n",
        "alpha beta",
        (S, D),
    ),
    Odd(
        "text over two lines",
        b"---\nstatus: alpha\n  beta\nnext: gamma\n---\n",
        "alpha beta gamma",
        (b"status: alpha\n  beta\n", D + b"\n"),
    ),
    Odd(
        "quotes over two lines",
        b'---\nnote: "alpha\n  beta"\nstatus: open\n---\n',
        "alpha beta",
        (S, D),
    ),
    Odd(
        "nested mapping",
        b"---\nmeta:\n  who: alpha\n  to: beta\nstatus: open\n---\n",
        "alpha beta",
        (S, D),
    ),
    Odd(
        "list of mappings",
        b"---\nall:\n  - a: alpha\n    b: beta\nstatus: open\n---\n",
        "alpha beta",
        (S, D),
    ),
    Odd("flow mapping", b"---\nmeta: {who: alpha}\nstatus: open\n---\n", "who alpha", (S, D)),
    Odd("placeholder", b"---\ntitle: {{title}}\nstatus: open\n---\n", "title", (S, D)),
    Odd("bare link", b"---\nup: [[Home]]\nstatus: open\n---\n", "[[Home]]", (S, D)),
    Odd(
        "bare links in a list",
        b"---\nup:\n- [[Home]]\n- [[Barn]]\nstatus: open\n---\n",
        "Home Barn",
        (S, D),
    ),
    Odd("two bare links", b"---\nup: [[Home]], [[Barn]]\nstatus: open\n---\n", "Home Barn", None),
    Odd(
        "list without indent",
        b"---\nall:\n- alpha\n- beta\nstatus: open\n---\n",
        "alpha beta",
        (S, D),
    ),
    Odd("deep indent", b"---\nall:\n        - alpha\nstatus: open\n---\n", "alpha", (S, D)),
    Odd(
        "comment in a list",
        b"---\nall:\n  - alpha\n  # no\n  - beta\nstatus: open\n---\n",
        "beta",
        (S, D),
    ),
    Odd(
        "blank line in a list",
        b"---\nall:\n  - alpha\n\n  - beta\nstatus: open\n---\n",
        "beta",
        (S, D),
    ),
    Odd("null item", b"---\nall:\n  -\n  - beta\nstatus: open\n---\n", "beta", (S, D)),
    Odd(
        "colon in a value",
        b"---\ntitle: Tea: green\nstatus: open\n---\nalpha\n",
        "Tea: green alpha",
        None,
    ),
    Odd(
        "url",
        b"---\nat: https://example.org/a#b\nstatus: open\n---\n",
        "https://example.org/a#b",
        (S, D),
    ),
    Odd(
        "windows path", b"---\nat: C:\\Users\\ines\nstatus: open\n---\n", "C:\\Users\\ines", (S, D)
    ),
    Odd("tab indent", b"---\nall:\n\t- alpha\nstatus: open\n---\nbeta\n", "alpha beta open", None),
    Odd(
        "escape character", b"---\ntitle: a\x1b[0mb\nstatus: open\n---\nalpha\n", "[0mb alpha", None
    ),
    Odd(
        "unclosed quote", b'---\ntitle: "alpha\nstatus: open\n---\nbeta\n', "alpha open beta", None
    ),
    Odd("anchor", b"---\na: &x alpha\nstatus: open\n---\nbeta\n", "alpha beta", None),
    Odd("alias bomb", b"---\na: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n---\nbeta\n", "beta", None),
    Odd("star value", b"---\ntitle: *alpha*\nstatus: open\n---\n", "*alpha*", None),
    Odd("at value", b"---\nby: @ines\nstatus: open\n---\n", "@ines", None),
    Odd("tag", b"---\na: !!binary alpha\nstatus: open\n---\n", "alpha", None),
    Odd(
        "junk line",
        b"---\ntitle: Tea\njust words here\nstatus: open\n---\nbeta\n",
        "words Tea beta",
        None,
    ),
    Odd(
        "list as key",
        b"---\n? [alpha]\n: beta\nstatus: open\n---\ngamma\n",
        "alpha beta gamma",
        None,
    ),
    Odd("explicit key", b"---\n? alpha\n: beta\nstatus: open\n---\n", "beta", (S, D)),
    Odd("status as explicit key", b"---\n? status\n: open\n---\n", "open", None),
    Odd(
        "braces around all",
        b"---\n{status: open,\nmore: alpha}\n---\nbeta\n",
        "open alpha beta",
        None,
    ),
    Odd(
        "two documents",
        b"---\nstatus: open\n...\nmore: alpha\n---\nbeta\n",
        "open alpha beta",
        None,
    ),
    Odd("key twice", b"---\nstatus: open\nstatus: shut\n---\nalpha\n", "shut alpha", None),
    Odd(
        "another key twice", b"---\na: one\na: two\nstatus: open\n---\nalpha\n", "two alpha", (S, D)
    ),
    Odd(
        "odd keys",
        b"---\n2026: alpha\non: beta\ncontent: gamma\nstatus: open\n---\n",
        "alpha beta gamma",
        (S, D),
    ),
    Odd(
        "other scripts",
        "---\n作者: 東京\nstatus: open\nüber: Ж\n---\nЖизнь\n".encode(),
        "東京 Ж Жизнь",
        (S, D),
    ),
    Odd(
        "line separator",
        "---\ntitle: a\u2028b\u0085c\nstatus: open\n---\nalpha\n".encode(),
        "a\u2028b\u0085c alpha",
        (S, D),
    ),
    Odd(
        "separator and yaml",
        "---\nt: 'a\u2028b'' c'\nstatus: open\n---\n".encode(),
        "a\u2028b'",
        (S, D),
    ),
    Odd(
        "no-break space",
        "---\ntitle:\u00a0alpha\nstatus: open\n---\nbeta\n".encode(),
        "alpha beta",
        None,
    ),
    Odd("long line", b"---\nabout: " + b"word " * 400 + b"\nstatus: open\n---\n", "word", (S, D)),
    Odd(
        "huge simple block",
        b"---\n" + b"".join(b"k%d: v\n" % i for i in range(9000)) + S + b"\n---\n",
        "v",
        (S, D),
    ),
    Odd(
        "huge odd block",
        b"---\na: {b: alpha}\n" + b"k: v \n" * 12000 + b"---\nbeta\n",
        "alpha beta",
        None,
    ),
    Odd(
        "conflict",
        b"---\n<<<<<<< HEAD\nstatus: open\n=======\nstatus: shut\n>>>>>>> b\n---\nalpha\n",
        "alpha",
        None,
    ),
    Odd("latin-1", b"---\nstatus: open\n---\ncaf\xe9\n", "open", None),
    Odd("utf-16", "---\nstatus: open\n---\nalpha\n".encode("utf-16"), "", None),
    Odd("nul in the text", b"---\nstatus: open\n---\nal\0pha\n", "al\0pha", (S, D)),
    Odd("nul in the block", b"---\ntitle: a\0b\nstatus: open\n---\nalpha\n", "alpha", None),
    Odd("rule below", b"---\nstatus: open\n---\nalpha\n---\nbeta\n---\n", "alpha beta", (S, D)),
    Odd("second block below", b"---\nstatus: open\n---\n---\ntitle: Two\n---\n", "Two", (S, D)),
    Odd(
        "code with a block",
        b"```\n---\nstatus: open\n---\n```\n",
        "open",
        (b"```\n-", NEW + b"```\n-"),
    ),
]


def words_of(data: bytes) -> str:
    record = parse(PurePosixPath("folder/file.md"), data).record
    values = [record.title, record.content, *record.tags]
    for name, value in record.properties:
        values += [name, *([value] if isinstance(value, str) else value)]
    return "\n".join(values)


def ids(rows):
    return [re.sub(r"\W+", "-", row.name) for row in rows]


@pytest.mark.parametrize("odd", ODD, ids=ids(ODD))
def test_no_word_is_lost(odd):
    text = words_of(odd.data)

    assert [word for word in odd.words.split(" ") if word not in text] == []


@pytest.mark.parametrize("odd", ODD, ids=ids(ODD))
def test_a_change_touches_the_lines_of_its_key_only(odd):
    if odd.change is None:
        with pytest.raises(CorruptError):
            edit(odd.data, {"status": "done"}, "folder/file.md")
        return
    before, after = odd.change

    changed = edit(odd.data, {"status": "done"}, "folder/file.md")

    assert changed == odd.data.replace(before, after, 1)
    assert edit(changed, {"status": "done"}) == changed
    assert read(changed.decode()).values["status"] == "done"


def test_a_file_that_is_refused_names_itself_its_line_and_a_remedy():
    refused = [odd for odd in ODD if odd.change is None]

    for odd in refused:
        with pytest.raises(CorruptError) as caught:
            edit(odd.data, {"status": "done"}, "folder/file.md")
        assert caught.value.path == "folder/file.md", odd.name
        assert caught.value.line >= 1, odd.name
        assert caught.value.remedy, odd.name


def test_there_are_enough_odd_files_and_no_two_are_equal():
    assert len(ODD) >= 60
    assert len({odd.data for odd in ODD}) == len(ODD)
