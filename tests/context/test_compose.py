"""Sections in a budget."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.context.compose import Item, Section, compose
from mnemos_files.errors import CorruptError

TITLES = ("conventions", "recent sessions", "applicable skills", "relevant corrections")


def plain(text: str) -> str:
    return text


def framed(text: str) -> str:
    return f"<frame>\n{text}\n</frame>"


def escaping(text: str) -> str:
    """A frame that lengthens what it escapes."""
    return framed(text.replace("<", "(less)"))


def section(title: str, *lines: str, total: int = 0, more: str = "") -> Section:
    items = [lambda line=line: Item(line, id=line[:4]) for line in lines]
    return Section(title, items, total or len(lines), more)


def lines_of(title: str, text: str) -> list[str]:
    """Lines of one section of a block, its heading left out."""
    (part,) = [part for part in text.split("\n\n") if part.startswith(f"## {title}\n")]
    return part.splitlines()[1:]


def test_sections_stand_in_their_order_with_a_blank_line_between():
    block = compose(
        [section("conventions", "Tabs", "Spaces"), section("hot files", "a.py (2 touches)")],
        100,
        plain,
    )

    assert block.text == "## conventions\n- Tabs\n- Spaces\n\n## hot files\n- a.py (2 touches)"
    assert block.token_estimate == 16
    assert block.section_count == 2
    assert block.surfaced == ("Tabs", "Spac", "a.py")


def test_nothing_gives_an_empty_block():
    block = compose([section("conventions")], 500, framed)

    assert (block.text, block.token_estimate, block.section_count) == ("", 0, 0)
    assert block.safety_risk == "none"


def test_what_is_beyond_the_cap_is_counted_with_the_way_to_it():
    some = section("conventions", "Tabs", total=31, more="mnemos_search type=convention")

    block = compose([some], 100, plain)

    assert lines_of("conventions", block.text) == [
        "- Tabs",
        "... 30 more: mnemos_search type=convention",
    ]


def test_the_way_is_left_out_where_there_is_room_for_the_number_only():
    some = section("conventions", "x" * 33, total=31, more="mnemos_search type=convention")

    block = compose([some], 17, plain)

    assert block.text == f"## conventions\n- {'x' * 33}\n... 30 more"


def test_each_section_shows_something_and_the_first_takes_what_is_left():
    long = [f"{number:04} " + "word " * 30 for number in range(40)]
    sections = [section(title, *long, total=200, more="mnemos_search") for title in TITLES]

    block = compose(sections, 500, framed)
    counts = [len(lines_of(title, block.text.split("\n", 1)[1])) - 1 for title in TITLES]

    assert block.section_count == 4
    assert min(counts) >= 1
    assert counts[0] == max(counts)
    assert block.token_estimate > 450


def test_a_short_section_leaves_its_share_to_the_others():
    long = [f"{number:04} " + "x" * 80 for number in range(20)]

    block = compose([section("conventions", *long), section("hot files", "a.py")], 200, plain)

    assert len(lines_of("conventions", block.text)) == 9  # eight lines and what is left
    assert lines_of("hot files", block.text) == ["- a.py"]


def test_the_only_line_of_a_section_is_cut_on_a_word_end():
    block = compose([section("conventions", "alpha beta gamma delta " * 20)], 20, plain)

    assert (
        block.text == "## conventions\n- alpha beta gamma delta alpha beta gamma delta alpha beta…"
    )


def test_sections_without_room_are_named():
    long = "alpha beta gamma delta " * 4

    block = compose([section(title, long) for title in TITLES], 58, plain)

    assert block.section_count == 3
    assert block.text.endswith("\n\n... no room for relevant corrections: raise max_tokens")


def test_a_budget_too_small_for_a_line_gives_an_empty_block():
    block = compose([section("conventions", "alpha beta gamma delta " * 4)], 10, plain)

    assert (block.text, block.surfaced, block.safety_risk) == ("", (), "none")


def test_only_what_is_shown_counts_for_risk_and_ids():
    items = [
        lambda: Item("alpha beta", risk="low", id="A"),
        lambda: Item("x" * 200, risk="high", id="B"),
    ]

    block = compose([Section("conventions", items, 2)], 20, plain)

    assert (block.safety_risk, block.surfaced) == ("low", ("A",))


def test_items_are_read_no_further_than_one_beyond_what_is_shown():
    read = []

    def make(number):
        read.append(number)
        return Item(f"{number} " + "x" * 60)

    items = [lambda number=number: make(number) for number in range(10)]

    block = compose([Section("conventions", items, 10)], 40, plain)

    assert len(lines_of("conventions", block.text)) == 3  # two lines and what is left
    assert read == [0, 1, 2]


def test_an_item_that_fails_is_left_out_with_a_notice():
    def broken() -> Item:
        raise OSError("/home/ines/disk is gone")

    block = compose([Section("conventions", [broken, lambda: Item("Tabs")], 2)], 100, plain)

    assert block.text == "## conventions\n- Tabs"
    assert block.notices == ("an item of conventions was left out: OSError",)


def test_a_notice_says_what_is_wrong_with_a_note():
    def broken() -> Item:
        raise CorruptError("a.md", 3, "not UTF-8")

    block = compose([Section("conventions", [broken], 1)], 100, plain)

    assert block.text == ""
    assert block.notices == ("an item of conventions was left out: a.md:3: not UTF-8",)


def test_an_item_that_is_gone_is_not_counted_as_left_out():
    block = compose([Section("conventions", [lambda: None, lambda: Item("Tabs")], 2)], 100, plain)

    assert block.text == "## conventions\n- Tabs"


def test_a_frame_that_lengthens_the_text_stays_in_the_budget():
    block = compose([section("conventions", *(["<<<<<<<<<<<<<<<< x"] * 20))], 120, escaping)

    assert block.text.startswith("<frame>\n## conventions\n- (less)")
    assert len(block.text) <= 480


@st.composite
def any_sections(draw):
    words = st.text(st.sampled_from("ab <日🎉\u0301\u200d"), min_size=1, max_size=60)
    made = []
    for number in range(draw(st.integers(0, 6))):
        lines = [" ".join(line.split()) for line in draw(st.lists(words, max_size=8))]
        more = draw(st.sampled_from(["", "mnemos_search type=convention project=api"]))
        extra = draw(st.sampled_from([0, 3, 200]))
        total = len(lines) + extra
        made.append(Section(f"part {number}", [lambda i=i: Item(i) for i in lines], total, more))
    return made


@given(
    sections=any_sections(),
    max_tokens=st.integers(0, 3_000),
    wrap=st.sampled_from([plain, framed, escaping]),
)
def test_every_budget_is_kept_on_whole_lines(sections, max_tokens, wrap):
    block = compose(sections, max_tokens, wrap)

    assert len(block.text.encode()) <= min(4 * max_tokens, 9_500)
    assert block.token_estimate <= max_tokens
    assert bool(block.text) == bool(block.section_count)
    inner = block.text.removeprefix("<frame>\n").removesuffix("\n</frame>")
    for line in inner.splitlines():
        assert not line or line.startswith(("## part ", "- ", "... "))


@pytest.mark.parametrize("max_tokens", range(60, 700, 37))
def test_a_larger_budget_never_shows_fewer_sections(max_tokens):
    long = [f"{number:04} " + "word " * 30 for number in range(40)]
    sections = [section(title, *long, total=200, more="mnemos_search") for title in TITLES]

    less = compose(sections, max_tokens, framed)
    more = compose(sections, max_tokens + 37, framed)

    assert less.section_count <= more.section_count
