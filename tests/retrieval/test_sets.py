"""The labelled questions are sound: what a label names exists, and there are enough of them."""

import re
import unicodedata
from collections import Counter

import pytest

from tests.retrieval.sets import OF_A_NOTE, SETS, Asked, Vault, Written, load, read_set

PARTS = {"id", "text", "created", "group", "ask", *OF_A_NOTE}
LABELS = {"ask", "want", "kind", "scope", "fills", "above"}
SPOKEN = {
    *("ar", "de", "el", "es", "fr", "he", "it"),
    *("ja", "ko", "pt", "ru", "th", "zh", "mixed"),
}
SHARED = {"zh": 2, "ja": 2, "ko": 2, "ar": 3, "he": 3, "mixed": 3}
"""Letters [1] that a question has in common with its note at least; 4 in other languages."""

FINAL = str.maketrans("ךםןףץ", "כמנפצ")
"""Hebrew letters at the end of a word -> within one."""

VAULTS = [(name, vault) for name in SETS for vault in read_set(name)]
by_vault = pytest.mark.parametrize(
    "vault", [vault for _, vault in VAULTS], ids=[f"{name}-{vault.name}" for name, vault in VAULTS]
)


def of(name: str) -> list[Vault]:
    return [vault for known, vault in VAULTS if known == name]


def plain(text: str) -> str:
    """Without accents and in one spelling, as nobody must type them."""
    marked = unicodedata.normalize("NFKD", text.casefold().replace("œ", "oe").replace("ß", "ss"))
    kept = "".join(letter for letter in marked if not unicodedata.combining(letter))
    return unicodedata.normalize("NFC", kept).translate(FINAL)


def whole(note: Written) -> str:
    return plain(f"{note.fields['title']} {note.fields['content']}")


def wanted(vault: Vault, asked: Asked) -> list[Written]:
    return [note for note in vault.notes if note.id in asked.want or note.group in asked.want]


@by_vault
def test_every_id_stands_once_and_is_no_group(vault):
    ids = Counter(note.id for note in vault.notes)
    groups = {note.group for note in vault.notes}

    assert {name for name, times in ids.items() if times > 1} == set()
    assert groups & set(ids) == set()


@by_vault
def test_what_a_label_names_exists(vault):
    known = {*vault.groups, *vault.groups.values()}

    for asked in vault.questions:
        assert set(asked.want) <= known, asked
        assert asked.above in {"", *known}, asked
        assert len(set(asked.want)) == len(asked.want), asked


@by_vault
def test_no_question_is_asked_twice_in_a_scope(vault):
    times = Counter((asked.text, str(asked.scope)) for asked in vault.questions)

    assert [question for question, count in times.items() if count > 1] == []


@by_vault
def test_no_question_is_the_title_of_its_note(vault):
    for asked in vault.questions:
        titles = {plain(note.fields["title"]).strip(" ?.") for note in wanted(vault, asked)}
        assert plain(asked.text).strip(" ?.") not in titles, asked


@pytest.mark.parametrize("name", SETS)
def test_files_have_known_keys_only(name):
    for file in load(name):
        rows = file["notes"] if isinstance(file["notes"], list) else []
        assert set(file) <= {"notes", "questions"}
        assert {key for row in rows for key in row} <= PARTS
        assert {key for row in file.get("questions", ()) for key in row} <= LABELS


def test_there_are_enough_questions_in_each_language():
    vaults = {vault.name: vault for vault in of("languages")}

    assert set(vaults) == SPOKEN
    assert sum(len(vault.questions) for vault in vaults.values()) >= 500
    for vault in vaults.values():
        asked_for = {key for asked in vault.questions for key in asked.want}
        assert len(asked_for) >= 12
        assert len(vault.questions) >= 25
    assert all(len(vaults[name].notes) >= 40 for name in SPOKEN - {"mixed"})


@pytest.mark.parametrize("vault", of("languages"), ids=lambda vault: vault.name)
def test_a_question_in_a_language_shares_letters_with_its_note(vault):
    """Words must be able to carry the search where the model says nothing."""
    for asked in vault.questions:
        (note,) = wanted(vault, asked)
        text = " ".join(re.split(r"\W+", whole(note)))
        least = SHARED.get(vault.name, 4)
        runs = {
            word[start : start + least]
            for word in re.split(r"\W+", spelled(asked.text))
            for start in range(len(word) - least + 1)
        }
        assert any(run in spelled(text) for run in runs), asked


def spelled(text: str) -> str:
    """German umlauts as two letters or one are the same here."""
    return re.sub("(?<=[aou])e", "", plain(text))


def test_there_are_enough_questions_on_code():
    kinds = Counter(
        kind for vault in of("code") for one in vault.questions for kind in kinds_of(one)
    )

    assert sum(len(vault.questions) for vault in of("code")) >= 450
    assert kinds["sentence"] >= 130
    assert kinds["part"] >= 60
    assert kinds["operator"] >= 90
    assert all(kinds[kind] >= 6 for kind in ("hash", "flag", "version", "error", "regex", "url"))


def kinds_of(asked: Asked) -> list[str]:
    return asked.kind.split()


def one_edit(word: str, other: str) -> str:
    """What makes the other word of this one, "" when it is more than one edit."""
    start = 0
    while start < min(len(word), len(other)) and word[start] == other[start]:
        start += 1
    rest, other_rest = word[start:], other[start:]
    if rest[1:] == other_rest and rest:
        return "delete"
    if rest == other_rest[1:] and other_rest:
        return "insert"
    if rest[1:] == other_rest[1:] and rest and other_rest:
        return "replace"
    swapped = rest[1:2] + rest[:1] + rest[2:]
    return "swap" if len(rest) > 1 and swapped == other_rest else ""


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


@pytest.mark.parametrize(
    ("word", "other", "edit"),
    [
        ("railway", "railawy", "swap"),
        ("prune", "pruned", "insert"),
        ("letter", "leter", "delete"),
        ("letter", "latter", "replace"),
        ("letter", "later", ""),
        ("letter", "letter", ""),
    ],
)
def test_one_edit_is_told_from_more(word, other, edit):
    assert one_edit(word, other) == edit


def test_a_typing_error_is_one_edit_of_a_word_of_its_note():
    edits: Counter[str] = Counter()
    for vault in of("typos"):
        for asked in vault.questions:
            if asked.kind == "exact-first":
                continue
            typed = {word for word in words(plain(asked.text)) if len(word) >= 5}
            texts = " ".join(map(whole, wanted(vault, asked)))
            known = {word for word in words(texts) if len(word) >= 5}
            made = {one_edit(word, other) for word in known for other in typed - known}
            assert asked.kind in made, asked
            edits[asked.kind] += 1

    assert sum(edits.values()) >= 70
    assert min(edits[kind] for kind in ("delete", "insert", "swap", "replace")) >= 15


def test_an_exact_word_stands_against_one_that_is_an_edit_away():
    pairs = [(vault, one) for vault in of("typos") for one in vault.questions if one.above]

    assert len(pairs) >= 30
    for vault, asked in pairs:
        (right,) = wanted(vault, asked)
        (wrong,) = [note for note in vault.notes if note.id == asked.above]
        typed = words(plain(asked.text)) & words(whole(right))
        assert any(one_edit(word, other) for word in typed for other in words(whole(wrong))), asked


def test_there_are_enough_questions_with_and_without_an_answer():
    (vault,) = of("nothing")
    kinds = Counter(asked.kind for asked in vault.questions if not asked.want)

    assert len(vault.notes) >= 150
    assert sum(bool(asked.want) for asked in vault.questions) >= 100
    assert set(kinds) == {"far", "near"}
    assert kinds["far"] >= 80
    assert kinds["near"] >= 50


def test_a_time_decides_among_notes_of_the_same_title():
    (vault,) = of("time")
    titles = Counter(note.fields["title"] for note in vault.notes)

    assert len(vault.questions) >= 70
    for asked in vault.questions:
        times = {note.created for note in wanted(vault, asked)}
        assert len(times) == len(asked.want)
        if asked.kind != "words":
            assert all(titles[note.fields["title"]] >= 4 for note in wanted(vault, asked)), asked


def test_a_page_under_a_filter_can_be_filled():
    (vault,) = of("filters")

    assert len(vault.questions) >= 20
    for asked in vault.questions:
        fitting = [note for note in vault.notes if is_in(note, asked) and "timeout" in whole(note)]
        room = asked.scope.get("limit", 20)
        assert asked.fills == min(room, len(fitting) - asked.scope.get("offset", 0)) > 0, asked


def is_in(note: Written, asked: Asked) -> bool:
    """Whether a note is in the scope of a question, told by its fields alone."""
    scope, fields = asked.scope, note.fields
    return (
        fields.get("project", scope.get("project")) == scope.get("project", fields.get("project"))
        and scope.get("type", fields["type"]) == fields["type"]
        and set(scope.get("tags", ())) <= set(fields["tags"])
        and fields.get("importance", 5) >= scope.get("min_importance", 0)
        and scope.get("agent_id") in (None, fields.get("agent_id"))
        and (scope.get("include_raw", False) or fields.get("trust_tier") != "raw")
        and f"{note.created:%Y-%m-%dT%H}" < scope.get("as_of", "9")
    )


def test_groups_of_near_duplicates_leave_room_for_others():
    vault = next(vault for vault in of("near") if vault.name == "groups")
    groups = Counter(note.group for note in vault.notes if note.group)

    assert len(groups) >= 20
    assert min(groups.values()) >= 3
    for asked in vault.questions:
        assert len(set(asked.want) & set(groups)) == 1
        assert (
            len(asked.want) <= asked.scope["limit"] < sum(groups.get(key, 1) for key in asked.want)
        )
