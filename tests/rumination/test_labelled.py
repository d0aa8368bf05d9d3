"""The aims of docs/rumination.md hold on the labelled pairs."""

from collections import Counter

import pytest

from tests.rumination import report
from tests.rumination.labelled import Judged, judged, links, precision, recall, rows


@pytest.fixture(scope="module")
def results() -> list[Judged]:
    return judged()


def test_there_are_100_pairs_about_half_of_them_contradicting_and_none_stands_twice():
    labels = Counter(row.is_contradicting for row in rows())
    texts = Counter((row.older.content, row.newer.content) for row in rows())

    assert labels.total() >= 100
    assert 0.45 <= labels[True] / labels.total() <= 0.55
    assert [pair for pair, count in texts.items() if count > 1] == []


@pytest.mark.parametrize("part", ["seen", "fresh"])
def test_what_is_shown_is_a_contradiction_in_19_of_20_pairs(results, part):
    assert precision([each for each in results if each.row.part == part]) >= 0.95


@pytest.mark.parametrize(("part", "least"), [("seen", 0.85), ("fresh", 0.75)])
def test_three_quarters_of_the_contradictions_are_shown(results, part, least):
    assert recall([each for each in results if each.row.part == part]) >= least


@pytest.mark.parametrize("part", ["seen", "fresh"])
def test_links_are_right_and_few_are_missed(results, part):
    right, found = links([each for each in results if each.row.part == part])

    assert right >= 0.95
    assert found >= 0.85


def test_a_text_refines_another_only_where_it_says_more(results):
    made = [each.row.link == "refines" for each in results if each.link == "refines"]

    assert len(made) >= 15
    assert sum(made) / len(made) >= 0.9


def test_the_report_names_every_part_and_what_went_wrong():
    text = "\n".join(report.lines(misses=True))

    assert "fresh: 32 contradicting and 30 other pairs" in text
    assert "eu-west-1" in text
