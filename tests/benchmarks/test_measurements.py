"""The measurements run, and count right."""

import json
import sys
from pathlib import PurePosixPath

import pytest

from mnemos_files.format.record import parse
from tests.benchmarks import __main__ as program
from tests.benchmarks import notes, retrieval

TALK = {
    "sample_id": "talk",
    "conversation": {
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"dia_id": "D1:1", "speaker": "Ada", "text": "Did you see the lighthouse?"},
            {"dia_id": "D1:2", "speaker": "Ben", "text": "Yes!", "blip_caption": "a red boat"},
        ],
        "session_2_date_time": "12:05 am on 1 June, 2023",
        "session_2": [{"dia_id": "D2:1", "speaker": "Ada", "text": "My brother plays chess."}],
    },
    "qa": [
        {"question": "Who plays chess?", "category": 4, "evidence": ["D02:01"]},
        {"question": "What is red?", "category": 1, "evidence": ["D1:2; D1:1", "D9:9"]},
        {"question": "Never asked", "category": 5, "evidence": ["D1:1"]},
        {"question": "Without proof", "category": 4, "evidence": []},
    ],
}
PROJECT = {
    "project": "api",
    "docs": [
        {"id": "c1", "title": "Fix the login", "body": "By hand.", "date": "2024-05-01"},
        {"id": "c2", "body": "Ferries.", "date": "2024-05-02", "files": ["a/b.py"]},
    ],
    "queries": [{"query": "login fix", "category": "x", "relevant": ["c1"]}],
}


@pytest.mark.parametrize(
    ("ranked", "relevant", "expected"),
    [
        (["a", "b"], ["a"], {"R@5": 1.0, "MRR": 1.0, "nDCG@10": 1.0}),
        (["x", "a"], ["a", "b"], {"R@5": 0.5, "MRR": 0.5, "nDCG@10": 0.387}),
        ([*"uvwxyz", "a"], ["a"], {"R@5": 0.0, "R@10": 1.0, "MRR": 0.143}),
        ([], ["a"], {"R@20": 0.0, "MRR": 0.0, "nDCG@10": 0.0}),
    ],
)
def test_figures_of_one_question(ranked, relevant, expected):
    figures = retrieval.score(ranked, relevant)

    assert {name: round(figures[name], 3) for name in expected} == expected


def test_a_conversation_is_read_as_turns_and_questions():
    vault = retrieval.collection(TALK)

    assert list(vault.notes) == ["D1:1", "D1:2", "D2:1"]
    assert vault.notes["D1:2"].record.content == "Yes!\n\n[image: a red boat]"
    assert f"{vault.notes['D1:2'].record.created:%d.%m.%Y %H:%M:%S}" == "08.05.2023 13:56:40"
    assert f"{vault.notes['D2:1'].record.created:%H:%M}" == "00:05"
    assert [(q.text, q.relevant) for q in vault.questions] == [
        ("Who plays chess?", ("D2:1",)),
        ("What is red?", ("D1:2", "D1:1")),
    ]


def test_a_project_is_read_as_documents():
    vault = retrieval.collection(PROJECT)

    assert vault.notes["c1"].record.title == "Fix the login"
    assert vault.notes["c2"].record.content == "Ferries.\n\nFiles: a/b.py"


def test_made_notes_are_the_same_each_time_and_parse_without_a_problem():
    made = notes.make(40)

    assert made == notes.make(60)[:40]
    assert {note.language for note in notes.make(200)} == {"en", "de", "fr", "zh", "ja"}
    for note in made:
        parsed = parse(PurePosixPath(note.path), note.text.encode())
        assert parsed.problems == ()
        assert parsed.record.title == note.title


def test_questions_are_the_same_each_time():
    made = notes.make(50)

    assert notes.questions(made, 20) == notes.questions(made, 20)
    assert len(notes.questions(made, 500)) == 50


def run(monkeypatch, capsys, *arguments: str) -> str:
    monkeypatch.setattr(sys, "argv", ["benchmarks", *arguments])
    assert program.main() == 0
    return capsys.readouterr().out


def test_retrieval_prints_a_line_for_each_file(monkeypatch, capsys, tmp_path):
    file = tmp_path / "both.json"
    file.write_text(json.dumps([TALK, PROJECT]), encoding="utf-8")
    rows = tmp_path / "rows.jsonl"

    line = run(monkeypatch, capsys, "retrieval", "--data", str(file), "--per-query", str(rows))

    assert line.startswith("both.json: 3 questions, R@5 100.0, R@10 100.0")
    assert len(rows.read_text().splitlines()) == 3


@pytest.mark.parametrize(
    ("name", "words"),
    [("search", ["cold terms", "warm terms", "ratio"]), ("indexing", ["baseline", "apply"])],
)
def test_measurements_print_a_ratio_against_their_baseline(monkeypatch, capsys, name, words):
    lines = run(monkeypatch, capsys, name, "--notes", "60", "--runs", "1")

    assert all(word in lines for word in words)


def test_journaling_tells_of_events_and_starts(monkeypatch, capsys):
    lines = run(monkeypatch, capsys, "journaling", "--events", "120", "--runs", "1").splitlines()

    assert [line.split(" ")[0] for line in lines] == ["append:", "start", "start"]
    assert "three years" in lines[2]


def test_merging_tells_of_each_way(monkeypatch, capsys):
    lines = run(
        monkeypatch, capsys, "merging", "--notes", "12", "--changed", "4", "--by-git", "1"
    ).splitlines()

    assert [line.split(":")[0] for line in lines] == ["apart", "same", "by git"]
    assert lines[1].endswith("for 4 files of 12")


def test_history_prints_a_ratio_for_each_question(monkeypatch, capsys):
    lines = run(
        monkeypatch, capsys, "history", "--commits", "260", "--notes", "5", "--runs", "1"
    ).splitlines()

    assert [line.split(":")[0] for line in lines] == [
        "nothing kept, 260 commits",
        "history first",
        "history again",
        "history after a commit",
        "provenance with lines",
        "changes since 200 commits",
    ]
    assert all("ratio" in line for line in lines[1:])


def test_reviewing_prints_a_line_for_each_side(monkeypatch, capsys):
    text = run(monkeypatch, capsys, "reviewing", "--notes", "30", "--changed", "5", "--runs", "1")

    first, second = text.splitlines()
    assert first.startswith("review of 5 changed memories, 30 notes, checked out: ")
    assert second.startswith("review of 5 changed memories, 30 notes, from main: ")
