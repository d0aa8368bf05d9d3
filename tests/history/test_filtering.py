"""No two files get the same new name, and nothing else gets one."""

from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.history.filtering import new_names

PATHS = st.sets(st.text("ak/.-", min_size=1, max_size=8).map(str.encode), min_size=1, max_size=12)


def test_names_that_become_the_same_are_numbered_before_their_ending() -> None:
    names = [b"n/key-1.md", b"n/key-2.md", b"key-1", b"removed", b"plain.md"]

    assert new_names(names, [r"key-\d"]) == {
        b"key-1": b"removed-2",
        b"n/key-1.md": b"n/removed.md",
        b"n/key-2.md": b"n/removed-2.md",
    }


@given(PATHS)
def test_all_paths_stay_apart(paths: set[bytes]) -> None:
    found = new_names(paths, ["k+"])

    assert len({found.get(path, path) for path in paths}) == len(paths)
    assert all(b"k" in path for path in found)
