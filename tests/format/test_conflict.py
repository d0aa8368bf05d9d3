import pytest

from mnemos_files.format.conflict import Conflict, find_conflicts

REAL = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x"


@pytest.mark.parametrize(
    ("text", "conflicts"),
    [
        (REAL, [Conflict(1, 5)]),
        (REAL.replace("\n", "\r\n"), [Conflict(1, 5)]),
        (f"x\n{REAL}\ny\n{REAL}\n", [Conflict(2, 6), Conflict(8, 12)]),
        ("<<<<<<< a\nx\n||||||| b\ny\n=======\nz\n>>>>>>> c", [Conflict(1, 7)]),
        ("<<<<<<< a\n```\nx\n=======\n```\n>>>>>>> c", [Conflict(1, 6)]),
        ("<<<<<<< a\n" + REAL, [Conflict(2, 6)]),
        (f"```\n{REAL}\n```", []),
        (f"~~~diff\n{REAL}\n~~~\n", []),
        (f"```\n{REAL}", [Conflict(2, 6)]),
        ("<<<<<<< a\nx\n>>>>>>> b\n=======", []),
        ("Title\n=======\n>>>>>>> mail", []),
        ("    " + REAL.replace("\n", "\n    "), []),
        ("<<<<<<<\na\n=======\nb\n>>>>>>>", []),
    ],
)
def test_a_conflict_is_three_markers_in_order_outside_of_code(text, conflicts):
    assert list(find_conflicts(text)) == conflicts
