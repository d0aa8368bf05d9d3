"""Which corrections belong together, and when they have earned to become a skill."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.dream.promotion import Cluster, Correction, clusters, not_yet
from mnemos_files.model.label import origin
from tests.conftest import NOON

DAY = timedelta(days=1)
NEAR = frozenset(["lock", "column", "table", "deploy", "reader", "writer"])


def one(number: int, about: str = "db", **fields: object) -> Correction:
    given = {
        "id": f"c{number}",
        "digest": f"d{number}",
        "agent": "codex",
        "project": "api",
        "about": about,
        "saved": NOON + timedelta(seconds=number),
    }
    return Correction(**(given | fields))


def cluster(*members: Correction) -> Cluster:
    return Cluster("codex", "api", "db", members)


def told(found: list[Cluster]) -> list[tuple[str, str, str, list[str]]]:
    return [
        (each.agent, each.project, each.about, [member.id for member in each.members])
        for each in found
    ]


def test_corrections_are_grouped_by_agent_project_and_label():
    found = clusters(
        [one(1), one(2, agent="claude"), one(3, project="web"), one(4, "git"), one(5), one(6, "")],
        (),
    )

    assert told(found) == [
        ("claude", "api", "db", ["c2"]),
        ("codex", "api", "db", ["c1", "c5"]),
        ("codex", "api", "git", ["c4"]),
        ("codex", "web", "db", ["c3"]),
    ]


def test_what_says_nearly_the_same_under_another_label_belongs_to_the_group():
    found = clusters(
        [one(1, words=NEAR), one(2), one(3, "sql", words=NEAR), one(4, "git", words=NEAR | {"x"})],
        (),
    )

    assert told(found) == [("codex", "api", "db", ["c1", "c2", "c3", "c4"])]


def test_the_nearness_goes_one_step_only():
    middle = frozenset(["lock", "column", "table", "deploy", "reader", "other"])
    far = frozenset(["lock", "column", "table", "deploy", "other", "more", "last"])
    assert len(NEAR & middle) == 5
    assert len(NEAR & far) == 4

    found = clusters(
        [one(1, "a", words=NEAR), one(2, "b", words=middle), one(3, "c", words=far)], ()
    )

    assert ("codex", "api", "b", ["c1", "c2", "c3"]) in told(found)
    assert all("c3" not in ids or about != "a" for _, _, about, ids in told(found))


def test_corrections_of_another_project_are_never_near():
    found = clusters([one(1, words=NEAR), one(2, "sql", project="web", words=NEAR)], ())

    assert [ids for _, _, _, ids in told(found)] == [["c1"], ["c2"]]


def test_of_groups_with_the_same_members_the_promoted_one_stays():
    both = [one(1, "a", words=NEAR), one(2, "b", words=NEAR)]

    assert [each.about for each in clusters(both, ())] == ["a"]
    assert [each.about for each in clusters(both, {origin("codex", "api", "b")})] == ["b"]


@given(
    st.lists(
        st.tuples(st.sampled_from("ab"), st.frozensets(st.sampled_from("klmnopqr"), min_size=4)),
        max_size=8,
    ),
    st.randoms(use_true_random=False),
)
def test_no_correction_is_lost_and_the_order_does_not_matter(rows, chance):
    given = [one(number, about, words=words) for number, (about, words) in enumerate(rows)]
    shuffled = given[:]
    chance.shuffle(shuffled)

    found = clusters(given, ())

    assert {member.id for each in found for member in each.members} == {x.id for x in given}
    assert clusters(shuffled, ()) == found


def test_two_are_too_few_however_spread():
    assert not_yet(cluster(one(1), one(2, saved=NOON + DAY))) == "2 of 3 corrections"


@pytest.mark.parametrize("count", [3, 9])
def test_one_session_on_one_day_is_no_lesson(count: int):
    members = [one(number, session="s", failed=True) for number in range(count)]

    assert not_yet(cluster(*members)) == f"{count} corrections, all of one session and day"


@pytest.mark.parametrize(
    "spread",
    [{"session": "other"}, {"saved": NOON + DAY}],
    ids=["two sessions", "two days"],
)
def test_five_that_are_spread_are_enough(spread: dict[str, object]):
    members = [one(number, session="s") for number in range(5)]
    assert not_yet(cluster(*members))

    assert not_yet(cluster(*members[:4], replace(members[4], **spread))) == ""


def test_three_that_are_spread_are_not_enough_by_themselves():
    why = not_yet(cluster(one(1), one(2), one(3, saved=NOON + DAY)))

    assert why == (
        "3 of 5 corrections; none came again after it had been surfaced, "
        "and no session of theirs failed"
    )


@pytest.mark.parametrize(
    ("surfaced", "is_enough"),
    [(NOON + DAY - timedelta(seconds=1), True), (NOON + DAY, False), (NOON + 2 * DAY, False)],
)
def test_three_are_enough_when_one_came_after_another_had_been_surfaced(
    surfaced: datetime, *, is_enough: bool
):
    members = (one(1, surfaced=surfaced), one(2), one(3, saved=NOON + DAY))

    assert (not_yet(cluster(*members)) == "") == is_enough


def test_three_are_enough_when_a_session_of_one_failed():
    assert not_yet(cluster(one(1), one(2, failed=True), one(3, saved=NOON + DAY))) == ""


def test_the_digest_is_that_of_members_and_their_texts():
    digest = cluster(one(1), one(2)).digest

    assert cluster(one(2), one(1)).digest == digest
    assert cluster(one(1), one(2), one(3)).digest != digest
    assert cluster(one(1), one(2, digest="other")).digest != digest
