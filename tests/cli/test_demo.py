from pathlib import Path

from tests.cli.conftest import program
from tests.conftest import git


def test_the_demo_does_the_main_job_on_real_files(tmp_path: Path):
    root = tmp_path / "kept"

    done = program("demo", "--keep", root)

    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert f"A vault in {root}" in lines
    assert any(
        line.endswith("Never add an index without CONCURRENTLY  (correction)") for line in lines
    )
    assert any(line.strip().startswith("why: lexical ") for line in lines)
    answers = [line.rpartition("  ")[2] for line in lines if "Tracking links expire" in line]
    assert answers[:3] == [f" Tracking links expire after {n} days".strip() for n in (30, 90, 14)]
    assert any("Faces on doorstep pictures" in line for line in lines)
    assert any(line.strip() == "Mnemos-Agent: demo" for line in lines)
    assert int(git(root, "rev-list", "--count", "HEAD")) >= 41
    assert git(root, "status", "--porcelain").strip().startswith("M observations/")


def test_the_demo_touches_no_folder_that_has_files(tmp_path: Path):
    (tmp_path / "mine.md").write_text("mine\n", encoding="utf-8")

    done = program("demo", "--keep", tmp_path)

    assert done.returncode == 5
    assert [path.name for path in tmp_path.iterdir()] == ["mine.md"]
