"""Random histories with forks, merges and wrong clocks: all ways to read them agree."""

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from mnemos_files.history import walking
from mnemos_files.history.past import Past
from mnemos_files.history.process import Git
from mnemos_files.history.repo import History
from mnemos_files.history.trail import Step, Trail

FILES = ["a.md", "b.md", "v/c.md", "v/d.md", "v/w/e.md", "code.py"]


def random_history(seed: int, commits: int) -> str:
    """Input of git fast-import; each commit becomes branch `c<number>`."""
    rnd = random.Random(seed)  # noqa: S311 - repeatable, not secret
    lines: list[str] = []
    states: list[dict[str, str]] = []
    for number in range(commits):
        parents = random_parents(rnd, number)
        state = random_state(rnd, [states[parent] for parent in parents])
        states.append(state)
        when = 1_700_000_000 + 60 * number + rnd.choice((0, 0, 0, -600, 600))
        lines += [f"commit refs/heads/c{number}", f"mark :{number + 1}"]
        lines += [f"committer Ines <i@x> {when} +0000", "data 1", f"{number % 10}"]
        lines += [f"{'merge' if place else 'from'} :{p + 1}" for place, p in enumerate(parents)]
        lines.append("deleteall")
        for name, text in state.items():
            lines += [f"M 100644 inline {name}", f"data {len(text)}", text]
    return "\n".join(lines) + "\n"


def random_parents(rnd: random.Random, number: int) -> list[int]:
    if not number:
        return []
    first = number - 1 if rnd.random() < 0.7 else rnd.randrange(number)
    more = rnd.sample(range(number), rnd.choice((1, 1, 2))) if number > 3 else []
    return list(dict.fromkeys([first, *(more if rnd.random() < 0.3 else [])]))


def random_state(rnd: random.Random, parents: list[dict[str, str]]) -> dict[str, str]:
    """Files of a commit: from any of its parents, some changed or gone."""
    names = {name for parent in parents for name in parent}
    chosen = {name: rnd.choice(parents[:1] * 2 + parents).get(name) for name in sorted(names)}
    state = {name: text for name, text in chosen.items() if text is not None}
    for name in rnd.sample(FILES, rnd.choice((0, 1, 1, 2))):
        if name in state and rnd.random() < 0.3:
            del state[name]
        else:
            state[name] = str(rnd.randrange(6))
    return state


def shape(trail: Trail) -> list[tuple[tuple[int, str], Step]]:
    """All steps by their order; those of one second may come in any."""
    steps = [step for steps in trail for step in steps]
    return sorted(((step.time, step.commit + step.path), step) for step in steps)


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    seed=st.integers(0, 10**6),
    commits=st.integers(1, 25),
    prefix=st.sampled_from(["", "v"]),
    few=st.sampled_from([0, 100]),
)
@example(seed=928184, commits=20, prefix="", few=0)  # git gives a commit that both sides have
def test_program_library_and_steps_in_between_give_the_same(tmp_path_factory, make_vault, **drawn):
    folder = tmp_path_factory.mktemp("random")
    vault = make_vault(folder / "repo")
    stream = random_history(drawn["seed"], drawn["commits"])
    command = ["git", "fast-import", "--quiet", "--force"]
    subprocess.run(command, cwd=vault.root, input=stream, text=True, check=True)
    (vault.root / "v").mkdir()
    root, last = vault.root / drawn["prefix"], drawn["commits"] - 1
    moving = History.open(root).past
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(walking, "FEW", drawn["few"])
        for stop in (last, drawn["seed"] % drawn["commits"], last // 2):
            vault.git("symbolic-ref", "HEAD", f"refs/heads/c{stop}")
            check_same(moving, root)
    shutil.rmtree(folder)


def check_same(moving: Past, root: Path) -> None:
    at_once = shape(History.open(root).past.trail())
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Git, "is_installed", False)
        assert shape(History.open(root).past.trail()) == at_once
    assert shape(moving.trail()) == at_once
    for path in moving.trail().paths():
        commits = [step.commit for step in moving.trail().steps(path)]
        for place, newer in enumerate(commits):
            # No commit comes before one that was made on it.
            assert not any(moving.comes_from(older, newer) for older in commits[place + 1 :])
