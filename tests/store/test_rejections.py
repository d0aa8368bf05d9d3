"""What was rejected is known again by what it says."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.format.record import render
from mnemos_files.model.record import Record
from mnemos_files.store.rejections import FOLDER, Rejection, Rejections, fingerprint
from mnemos_files.vault.files import Vault

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
PATH = PurePosixPath("observations/global/note.md")
RECORD = Record(id="01KBC3W6H5M0V2T8N4Q9F7K3QX", type="decision", title="Port", content="8080")


def text(**changes: object) -> bytes:
    return render(replace(RECORD, **changes))


def kept(root: Path, digest: str, reason: str = "not so") -> Rejections:
    rejection = Rejection(digest, reason, "Ines <i@example.org>", NOON)
    vault = Vault(root, ())
    vault.write_own(rejection.path, rejection.rendered())
    return Rejections((vault,))


def test_the_same_words_are_known_whatever_their_tags_and_their_id(tmp_path):
    known = kept(tmp_path, fingerprint(PATH, text(), None))

    other = text(id="01KBC3W6H5M0V2T8N4Q9F7K3QZ", tags=("net",), importance=9, agent="other")
    assert known.reason(PATH, other, None) == "not so"
    assert known.reason(PATH, text(content="8081"), None) == ""


def test_another_change_of_a_note_with_rejected_words_is_none_of_them(tmp_path):
    known = kept(tmp_path, fingerprint(PATH, text(), None))

    assert known.reason(PATH, text(tags=("net",)), text()) == ""


def test_new_words_of_an_old_note_are_known(tmp_path):
    known = kept(tmp_path, fingerprint(PATH, text(content="9090"), text()))

    assert known.reason(PATH, text(content="9090"), text(tags=("net",))) == "not so"


def test_an_end_without_successor_is_known_by_its_record(tmp_path):
    ended = text(invalidated=NOON)
    known = kept(tmp_path, fingerprint(PATH, ended, text()))

    later = text(invalidated=datetime(2026, 12, 2, tzinfo=UTC), tags=("net",))
    assert known.reason(PATH, later, text(tags=("net",))) == "not so"


def test_what_something_new_replaces_may_be_replaced_by_another():
    assert fingerprint(PATH, text(invalidated=NOON, invalidated_by="newer"), text()) == ""


def test_a_deletion_is_known_by_its_record_and_nothing_else_is_one(tmp_path):
    known = kept(tmp_path, fingerprint(PATH, None, text()))

    assert known.reason(PATH, None, text(tags=("net",))) == "not so"
    assert known.reason(PATH, text(), None) == ""
    assert fingerprint(PATH, None, None) == ""


@pytest.mark.parametrize(
    "damage", [b"", b"{", b"[]", b'{"digest": "0", "reason": "x"}', b"\xff\xfe", b"{}" * 99_999]
)
def test_a_file_that_cannot_be_understood_rejects_nothing(damage, tmp_path):
    digest = fingerprint(PATH, text(), None)
    known = kept(tmp_path, digest)
    (tmp_path / FOLDER / f"{digest[:16]}.json").write_bytes(damage)

    assert known.reason(PATH, text(), None) == ""


def test_a_link_in_place_of_the_file_is_not_followed(tmp_path):
    digest = fingerprint(PATH, text(), None)
    known = kept(tmp_path, digest)
    file = tmp_path / FOLDER / f"{digest[:16]}.json"
    outside = tmp_path / "outside.json"
    file.rename(outside)
    file.symlink_to(outside)

    assert known.reason(PATH, text(), None) == ""


def test_a_person_takes_a_rejection_back_by_deleting_its_file(tmp_path):
    digest = fingerprint(PATH, text(), None)
    known = kept(tmp_path, digest)
    (tmp_path / FOLDER / f"{digest[:16]}.json").unlink()

    assert known.reason(PATH, text(), None) == ""


@given(st.text(max_size=80), st.text(max_size=80))
def test_a_rejection_is_one_file_of_one_json_object(reason, title):
    import json  # noqa: PLC0415 - used here only

    made = Rejection("ab" * 32, reason, "x", NOON, title=title)

    assert json.loads(made.rendered())["reason"] == reason
    assert str(made.path) == ".mnemos/rejected/abababababababab.json"
