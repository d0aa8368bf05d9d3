"""The runner saves, asks and counts right."""

from pathlib import Path

import pytest

from tests.conftest import WordEmbedder
from tests.retrieval import report
from tests.retrieval.asking import Answered, ask_all
from tests.retrieval.sets import Asked, Vault, read, together

SMALL = """
notes:
- {id: ferry, title: Ferry, text: At nine., created: 2026-05-03, ask: [when is the ferry]}
- {id: oats, title: Oats with salt, text: Boil for ten minutes., project: kitchen, group: porridge}
- {id: oats-too, title: Oats with salt, text: Boil ten minutes., group: porridge}
- {id: boats, title: Boats in winter, text: They stand in the yard.}
questions:
- {ask: oats with salt, want: [porridge], kind: hot}
- {ask: boats in the yard, want: [boats], above: ferry, kind: hot order}
- {ask: quantum chromodynamics}
- {ask: oats, scope: {project: kitchen, limit: 2}, fills: 2}
- {ask: oats, scope: {tags: [none]}, fills: 1}
"""


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    file = tmp_path / "small.yaml"
    file.write_text(SMALL, encoding="utf-8")
    return read(file)


def answered(asked: Asked, shown: list[str], groups: list[str] | None = None) -> Answered:
    return Answered(asked, shown, shown if groups is None else groups, None)


def test_notes_and_questions_are_read_in_the_order_of_time(vault):
    assert [note.id for note in vault.notes] == ["ferry", "oats", "oats-too", "boats"]
    assert f"{vault.notes[0].created:%Y-%m-%d %H:%M}" == "2026-05-03 09:00"
    assert vault.groups["oats-too"] == "porridge"
    assert [asked.text for asked in vault.questions][:2] == ["when is the ferry", "oats with salt"]
    assert vault.questions[0].want == ("ferry",)
    assert vault.questions[-1].scope == {"tags": ("none",)}


def test_vaults_put_together_keep_their_labels_apart(vault):
    both = together([vault, vault.__class__("other", vault.notes, vault.questions)])

    assert {"small/ferry", "other/ferry"} <= set(both.groups)
    assert both.groups["other/oats"] == "other/porridge"
    assert both.questions[2].above == "small/ferry"
    assert {asked.kind for asked in both.questions} == {"small", "other"}


def test_the_store_answers_the_questions(vault, tmp_path):
    answers = list(ask_all(vault, tmp_path, WordEmbedder()))

    assert answers[0].shown[0] == "ferry"
    assert answers[1].groups == ["porridge", "porridge"]
    assert answers[1].repeats == 1
    assert answers[2].is_in_order
    assert answers[3].shown == []
    assert (answers[4].is_full, answers[5].is_full) == (True, False)


def test_notes_that_say_the_same_are_refused(vault, tmp_path):
    twice = Vault("twice", [*vault.notes, vault.notes[0]], ())

    with pytest.raises(ValueError, match="ferry says the same as ferry"):
        list(ask_all(twice, tmp_path, WordEmbedder()))


@pytest.mark.parametrize(
    ("want", "shown", "at_one", "at_five", "reciprocal"),
    [
        (("a",), ["a", "b"], 1.0, 1.0, 1.0),
        (("a", "c"), ["a", "b"], 1.0, 0.5, 1.0),
        (("a",), [*"bcdef", "a"], 0.0, 0.0, 1 / 6),
        (("a",), [], 0.0, 0.0, 0.0),
    ],
)
def test_figures_of_one_answer(want, shown, at_one, at_five, reciprocal):
    one = answered(Asked("?", want), shown)

    assert (one.recall(1), one.recall(5), one.reciprocal) == (at_one, at_five, reciprocal)


@pytest.mark.parametrize(
    ("asked", "shown", "is_missed"),
    [
        (Asked("?", ("a",)), ["b", "a"], False),
        (Asked("?", ("a", "c")), ["a"], True),
        (Asked("?"), ["a"], True),
        (Asked("?"), [], False),
        (Asked("?", ("a",), above="b"), ["b", "a"], True),
        (Asked("?", ("a",), above="b"), ["a", "b"], False),
        (Asked("?", ("a",), above="b"), [], True),
        (Asked("?", fills=2), ["a"], True),
        (Asked("?", fills=1), ["a"], False),
    ],
)
def test_a_miss_is_told(asked, shown, is_missed):
    assert report.is_miss(answered(asked, shown)) is is_missed


def test_the_report_gives_figures_for_vault_kind_and_set(vault):
    shown = list(report.lines("birds", [vault], WordEmbedder(), brief=False))

    assert shown[0].startswith("  small           6 questions, R@1 100.0, R@5 100.0, R@10 100.0")
    assert "off-subject answered 0.0, in order 100.0, full pages 50.0" in shown[0]
    assert shown[1] == "      [-] oats -> 1 hits; came (0): nothing, best None"
    assert [line[:10].strip() for line in shown[2:-1]] == ["= -", "= hot", "= order"]
    assert shown[-1].startswith("birds:    6 questions, ")


def test_the_program_asks_the_sets_that_are_named(vault, monkeypatch):
    shown: list[str] = []
    monkeypatch.setattr(report, "StaticEmbedder", WordEmbedder)
    monkeypatch.setattr(report, "read_set", lambda name: [vault])

    assert report.main(["near", "--brief", "--together"], shown.append) == 0

    assert shown[0].startswith("  together")
    assert shown[-1].startswith("near: ")


def test_the_program_refuses_a_set_that_it_does_not_know(capsys):
    with pytest.raises(SystemExit):
        report.main(["birds"], print)

    assert "no such set: birds" in capsys.readouterr().err
