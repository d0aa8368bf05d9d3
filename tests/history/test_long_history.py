"""Ten thousand commits on 200 notes, one of them renamed twice."""

import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import pytest

COMMITS = 10_000


def stream() -> Iterator[str]:
    for number in range(COMMITS):
        note = number % 200
        name, body = f"n{note}.md", f"Version {number} of note {note}\n"
        if note == 199:
            name = "first.md" if number < 4000 else "second.md" if number < 8000 else "renamed.md"
            body += "steady line of the harbour rules\n" * 12
        when = 1_700_000_000 + number * 60
        yield f"commit refs/heads/main\ncommitter Ines <ines@example.org> {when} +0000\n"
        yield f"data {len(f'Note {note}')}\nNote {note}\n"
        if number == 4199:
            yield "R first.md second.md\n"
        if number == 8199:
            yield "R second.md renamed.md\n"
        yield f"M 100644 inline {name}\ndata {len(body)}\n{body}\n"


@pytest.fixture
def long(tmp_path: Path, make_vault):
    vault = make_vault(tmp_path / "long")
    command = ["git", "fast-import", "--quiet"]
    subprocess.run(command, cwd=vault.root, input="".join(stream()), text=True, check=True)
    vault.git("reset", "-q", "--hard")
    return vault


def cpu_seconds(call):
    start = time.process_time()
    result = call()
    return time.process_time() - start, result


def test_a_long_history_stays_quick(long, make_change, now):
    history = long.open()

    # First page, all of it, and through two renames.
    seconds, page = cpu_seconds(lambda: history.log(10, PurePosixPath("n17.md")))
    assert seconds < 1
    assert [revision.when for revision in page] == sorted(
        (revision.when for revision in page), reverse=True
    )
    whole = history.log(100, PurePosixPath("n17.md"))
    assert len(whole) == 50
    assert history.log(10, PurePosixPath("n17.md"), skip=40) == whole[40:]
    renamed = history.log(100, PurePosixPath("renamed.md"))
    assert len(renamed) == 50
    assert renamed[-1].paths == ("first.md",)

    # An old instant, then another one.
    then = datetime.fromtimestamp(1_700_000_000 + 600, UTC)
    assert long.git("log", "-1", "--format=%s", history.at(then)) == "Note 10\n"
    seconds, _ = cpu_seconds(lambda: history.at(then))
    assert seconds < 0.02

    # Three hundred saves: the last costs what the first costs.
    def save(number):
        data = b"%d" % number
        return cpu_seconds(lambda: history.commit([make_change(f"s{number}.md", data)], now))[0]

    costs = [save(number) for number in range(300)]
    assert sum(costs[-50:]) < 3 * sum(costs[:50])
    count = int(long.git("count-objects").split()[0])
    assert count < 6700 or any("git" in text and "gc" in text for text in history.notices())
