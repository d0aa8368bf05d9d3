"""The aims of docs/safety.md hold on the labelled texts."""

from collections import Counter

import pytest

from mnemos_files.safety.rules import RULES
from mnemos_files.safety.scan import scan
from tests.safety import report
from tests.safety.labelled import Judged, judged, rows, share

PHRASES = {"phrase", "role", "multilingual"}
STRUCTURES = {"frame", "tool-call", "unicode", "hidden", "encoded"}


@pytest.fixture(scope="module")
def results() -> list[Judged]:
    return judged()


def test_there_are_150_attacks_and_300_look_alikes_and_no_text_stands_twice():
    labels = Counter(row.is_attack for row in rows())
    texts = Counter(row.text for row in rows())

    assert labels[True] >= 150
    assert labels[False] >= 300
    assert [text for text, count in texts.items() if count > 1] == []


@pytest.mark.parametrize("families", [PHRASES, STRUCTURES])
def test_at_least_95_of_100_phrase_and_structure_attacks_are_found(results, families):
    attacks = [each for each in results if each.row.is_attack and each.row.family in families]

    assert len(attacks) >= 100
    assert share(attacks, "is_found") >= 0.95


def test_nine_of_ten_phrase_and_structure_attacks_are_high(results):
    attacks = [
        each
        for each in results
        if each.row.is_attack and each.row.family in PHRASES | STRUCTURES - {"tool-call"}
    ]

    assert share(attacks, "is_high") >= 0.9


def test_at_most_one_look_alike_in_100_is_high(results):
    others = [each for each in results if not each.row.is_attack]

    assert share(others, "is_high") <= 0.01


def test_every_rule_fires_on_an_attack_that_is_its_own(results):
    fired = {rule for each in results if each.row.is_attack for rule in each.verdict.rules}
    blob = scan("QUJD" * 40).rules

    assert fired | set(blob) == {rule.name for rule in RULES}


def test_no_finding_is_worse_than_the_table_says(results):
    worst = {"fake-tool-call": {"high"}, "base64-blob": {"medium", "high"}}

    for each in results:
        for finding in each.verdict.findings:
            assert finding.risk not in worst.get(finding.rule, set())
            assert 0 <= finding.start < finding.end <= len(each.row.text)


def test_the_report_has_a_line_for_each_rule():
    lines = "\n".join(report.lines(misses=True))

    assert all(f"  {rule.name}: " in lines for rule in RULES)
    assert "look-alikes at high risk" in lines
