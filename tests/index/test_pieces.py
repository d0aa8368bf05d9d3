"""The pieces of a text, put together from those of its words."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from mnemos_files.index import pieces
from mnemos_files.index.embedder import MODEL_FILES, MODEL_FOLDER
from mnemos_files.index.pieces import Pieces

TOKENIZER = Tokenizer.from_file(str(MODEL_FOLDER / MODEL_FILES[1]))
TOKENIZER.no_truncation()


def whole(texts: list[str]) -> list[list[int]]:
    """What the model's own tokenizer makes of whole texts."""
    return [one.ids for one in TOKENIZER.encode_batch_fast(texts, add_special_tokens=False)]


@pytest.fixture
def taught() -> Pieces:
    return Pieces(whole, ("[PAD]", "[UNK]"))


SIGNS = st.text(st.characters(max_codepoint=127), max_size=60)
ODD = ("Argon2id", "don't", "größer", "e\u0301", "密码", "[UNK]", "[unk]", "a_b-c", "C++", "naïve,")
SIGNS_ALONE = ("\u200d", "😀", "\x07", "İ", "\u017f", "``", "~", "\u00a0", "\x1c", "\u2028", "\x0b")
WORDS = st.lists(st.sampled_from((*ODD, *SIGNS_ALONE, "x" * 101)), max_size=8)
TEXTS = st.one_of(
    SIGNS,
    st.text(max_size=60),
    st.tuples(WORDS, st.sampled_from(["", " ", "\n", "\t", "\r\n", "  "])).map(
        lambda pair: pair[1].join(pair[0])
    ),
)


@settings(max_examples=600, deadline=None)
@given(st.lists(TEXTS, max_size=4))
@example(["a\x1cb c\u0085d", "\ufeffword", "x\u0000y", "\u3000密"])
def test_a_text_has_the_pieces_that_the_tokenizer_gives_it(texts):
    assert Pieces(whole, ("[PAD]", "[UNK]")).of(texts) == whole(texts)


def test_a_word_is_looked_up_once(taught: Pieces):
    asked: list[str] = []
    counting = Pieces(lambda texts: [asked.extend(texts), whole(texts)][1], ())

    assert counting.of(["the harbour, the lock", "The LOCK"]) == whole(
        ["the harbour, the lock", "the lock"]
    )
    assert sorted(asked) == [",", "LOCK", "The", "harbour", "lock", "the"]


def test_long_words_are_not_kept_and_too_many_are_forgotten(taught: Pieces, monkeypatch):
    monkeypatch.setattr(pieces, "WORDS_MAX", 2)
    taught.of(["a b c", "x" * 41])
    assert sorted(taught._known) == ["a", "b", "c"]

    assert taught.of(["d a"]) == whole(["d a"])
    assert sorted(taught._known) == ["a", "d"]
