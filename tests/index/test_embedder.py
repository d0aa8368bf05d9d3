"""The packaged model."""

import hashlib
import shutil
import subprocess
import sys
import threading

import numpy as np
import pytest
from model2vec import StaticModel

from mnemos_files.errors import UnavailableError
from mnemos_files.index.embedder import MODEL_FOLDER, MODEL_IDENTITY, StaticEmbedder, _read_model

DIGESTS = {
    "LICENSE": "0d0704c52da0051c2391584314d596b848a72f990c500daa441e46012c2efdee",
    "README.md": "71d30411781bb8abb6895a4f2ecc2ad4bddd22e43a85c75fadd44b0a75453b55",
    "config.json": "8f9968579aa6a8bc3b75951c09e09ff23bc3c049bd01187d565b964aff44d723",
    "model.safetensors": "90a7d5dd18ce610180a646b66b34fa7a8148076a772828a9d5e66e7de21ff0be",
    "tokenizer.json": "dd33465341c98889c3338356b6200c8b232b89af5f1b7aa8e6ee1d4d7a699631",
}


@pytest.fixture(scope="module")
def embedder() -> StaticEmbedder:
    return StaticEmbedder()


@pytest.mark.parametrize("name", DIGESTS)
def test_the_packaged_files_are_those_that_were_measured(name):
    data = (MODEL_FOLDER / name).read_bytes()

    assert hashlib.sha256(data).hexdigest() == DIGESTS[name]


def test_the_identity_names_the_weights():
    assert MODEL_IDENTITY.endswith(DIGESTS["model.safetensors"][:16])


def test_vectors_are_those_of_the_librarys_own_loader(embedder):
    texts = ["Use Argon2id for password hashing", "the", "Die Größe der Warteschlange"]
    reference = StaticModel.from_pretrained(MODEL_FOLDER)

    assert np.array_equal(embedder.encode(texts), reference.encode(texts, max_length=None))


def test_a_text_has_the_same_vector_alone_and_in_a_batch(embedder):
    texts = [f"note number {number} about caches" for number in range(600)]

    assert np.array_equal(embedder.encode(texts)[555], embedder.encode([texts[555]])[0])


def test_nothing_is_cut_from_a_long_text(embedder):
    start = "alpha " * 600

    assert not np.allclose(embedder.encode([start + "zebra " * 600]), embedder.encode([start]))


def test_a_text_without_a_known_piece_has_no_vector(embedder):
    assert not embedder.encode(["", "\u0e81\u0e82"]).any()


def test_pieces_of_a_word_are_summed(embedder):
    whole, *pieces = embedder.sum_pieces(["sqlalchemy", "sql", "##al", "##che", "##my"])

    assert whole.any()
    assert np.linalg.norm(whole) > np.linalg.norm(pieces[0])


def test_without_its_files_it_says_so_and_asks_no_hub(tmp_path):
    broken = StaticEmbedder(tmp_path / "nowhere")

    with pytest.raises(UnavailableError, match="are missing"):
        broken.warm()


def test_damaged_files_are_reported(tmp_path):
    for name in DIGESTS:
        (tmp_path / name).write_bytes(b"damaged")

    with pytest.raises(UnavailableError, match="does not load"):
        StaticEmbedder(tmp_path).encode(["text"])


def test_the_model_goes_with_its_files_and_comes_back_with_them(tmp_path):
    folder, away = tmp_path / "model", tmp_path / "away"
    shutil.copytree(MODEL_FOLDER, folder)
    embedder = StaticEmbedder(folder)
    before = embedder.encode(["a copper pan"])

    folder.rename(away)
    with pytest.raises(UnavailableError, match="the files of the embedding model are missing"):
        embedder.encode(["a copper pan"])
    away.rename(folder)

    assert np.array_equal(embedder.encode(["a copper pan"]), before)


def test_a_file_that_was_mended_is_read_again_and_a_broken_one_is_not(tmp_path, monkeypatch):
    folder = tmp_path / "model"
    shutil.copytree(MODEL_FOLDER, folder)
    (folder / "tokenizer.json").write_text("{", encoding="utf-8")
    reads = []
    monkeypatch.setattr(
        "mnemos_files.index.embedder._read_model", lambda at: reads.append(at) or _read_model(at)
    )
    embedder = StaticEmbedder(folder)

    for _ in range(3):
        with pytest.raises(UnavailableError, match="does not load"):
            embedder.warm()
    read_while_broken = len(reads)
    shutil.copy(MODEL_FOLDER / "tokenizer.json", folder / "tokenizer.json")

    assert read_while_broken == 1
    assert embedder.encode(["a copper pan"]).any()


def test_threads_share_one_model():
    shared = StaticEmbedder()
    found: list[np.ndarray] = []
    threads = [
        threading.Thread(target=lambda: found.append(shared.encode(["the same text"])))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert all(np.array_equal(rows, found[0]) for rows in found)


PROGRAM = """
import socket, sys
class Refused(socket.socket):
    def __init__(self, *_, **__):
        raise AssertionError("a socket was opened")
socket.socket = Refused
from mnemos_files.index.index import Index
assert "model2vec" not in sys.modules
from mnemos_files.index.embedder import StaticEmbedder
StaticEmbedder().encode(["no network"])
assert "model2vec" in sys.modules
assert "huggingface_hub" not in sys.modules
"""


def test_the_model_is_loaded_late_and_without_a_network_client():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], check=False, capture_output=True, text=True
    )

    assert done.stderr == ""
    assert done.returncode == 0
