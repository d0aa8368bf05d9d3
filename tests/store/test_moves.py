"""Files that were moved on one side are put together with what the other did to them."""

import pygit2
from pygit2.enums import FileMode

from mnemos_files.history.merging import ThreeWay
from mnemos_files.history.trees import Blob
from mnemos_files.store.moves import Followed, followed


def blob(text: str) -> Blob:
    return Blob(pygit2.hash(text.encode()), FileMode.BLOB)


OLD, OURS, THEIRS, OTHER = map(blob, ("old", "ours", "theirs", "other"))
NAMES = {OLD.id: "memory", OURS.id: "memory", THEIRS.id: "memory", OTHER.id: "other"}


def put_together(*files: ThreeWay) -> list[Followed]:
    return followed(files, lambda _path, found: NAMES[found.id])


def test_moved_by_them_and_changed_by_us_is_changed_at_its_new_place():
    found = put_together(ThreeWay("a", OLD, OURS, None), ThreeWay("b", None, None, OLD))

    assert found == [Followed(ThreeWay("b", OLD, OURS, OLD), "a", is_moved=True)]


def test_moved_by_us_and_changed_by_them_is_changed_where_we_have_it():
    found = put_together(ThreeWay("a", OLD, None, THEIRS), ThreeWay("b", None, OLD, None))

    assert found == [Followed(ThreeWay("b", OLD, OLD, THEIRS), "b", is_moved=True)]


def test_moved_by_both_goes_to_the_path_that_comes_first():
    for ours, theirs in (("b", "c"), ("c", "b")):
        found = put_together(
            ThreeWay("a", OLD, None, None),
            ThreeWay(ours, None, OURS, None),
            ThreeWay(theirs, None, None, THEIRS),
        )

        assert found == [Followed(ThreeWay("b", OLD, OURS, THEIRS), ours, is_moved=True)]


def test_moved_by_both_to_one_place_has_its_base_there():
    found = put_together(ThreeWay("a", OLD, None, None), ThreeWay("b", None, OURS, THEIRS))

    assert found == [Followed(ThreeWay("b", OLD, OURS, THEIRS), "b", is_moved=True)]


def test_a_place_that_another_file_has_taken_is_left_alone():
    files = (ThreeWay("a", OLD, OURS, None), ThreeWay("b", None, OTHER, OLD))

    assert put_together(*files) == [Followed(file, file.path) for file in files]


def test_a_file_that_is_only_deleted_stays_apart_from_new_ones():
    files = (ThreeWay("a", OLD, OURS, None), ThreeWay("b", None, None, OTHER))

    assert put_together(*files) == [Followed(file, file.path) for file in files]


def test_what_the_other_side_left_as_it_was_is_no_question():
    files = (ThreeWay("a", OLD, OLD, None), ThreeWay("b", None, None, THEIRS))

    assert put_together(*files) == [Followed(file, file.path) for file in files]
