"""What a skill says that was made from corrections, and what of a person's edits stays."""

from mnemos_files.dream.lesson import Lesson, draft, merged, sections

ONE = Lesson(tried="drop it", wrong_because="readers fail", fix="two steps", when="a column goes")
TWO = Lesson(tried="drop  it", wrong_because="readers fail", fix="ask first", when="a table goes")
ORDER = ("procedure", "pitfalls", "trigger_context", "avoid", "do")


def test_what_is_said_twice_stands_once_in_the_order_of_the_corrections():
    made = draft("migrations", "api", [TWO, ONE, ONE])

    assert made.description == (
        "Auto-promoted from 3 corrections in api: migrations. Use when: a column goes; a table goes"
    )
    assert sections(made) == (
        ("pitfalls", "- readers fail"),
        ("trigger_context", "- a column goes\n- a table goes"),
        ("avoid", "- drop it — readers fail"),
        ("do", "- ask first\n- two steps"),
    )


def test_a_correction_without_parts_gives_its_text():
    assert sections(draft("x", "", [Lesson(content="Ask\nfirst.")])) == (("do", "- Ask first."),)


def test_parts_that_nothing_fills_are_left_out():
    made = draft("x", "", [Lesson(tried="a", fix="b"), Lesson(wrong_because="  ")])

    assert sections(made) == (("do", "- b"),)


def test_long_texts_are_cut():
    made = draft("x", "p" * 2_000, [Lesson(fix="y" * 500, when="w" * 400) for _ in range(9)])

    assert len(made.description) == 1_024
    assert len(made.entries["do"][0]) == 400


def test_edits_of_a_person_stay_and_the_new_comes_behind_them():
    before, after = draft("x", "", [ONE]), draft("x", "", [ONE, TWO])
    present = (
        "My own words.",
        {
            "procedure": "1. Think.",
            "trigger_context": "- a column goes\n- on Mondays",
            "avoid": "",
            "do": "- two careful steps",
        },
    )

    description, parts = merged(present, before, after, ORDER)

    assert description == "My own words."
    assert parts == (
        ("procedure", "1. Think."),
        ("trigger_context", "- a column goes\n- on Mondays\n- a table goes"),
        ("do", "- two careful steps\n- ask first"),
    )


def test_of_our_own_lines_those_go_that_no_correction_says_any_more():
    before, after = draft("x", "", [ONE, TWO]), draft("x", "", [TWO])
    present = (before.description, dict(sections(before)) | {"do": "- two steps\n- mine"})

    description, parts = merged(present, before, after, ORDER)

    assert description == after.description
    assert dict(parts)["do"] == "- mine"
    assert dict(parts)["trigger_context"] == "- a table goes"
