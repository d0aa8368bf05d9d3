"""One working day of an agent, as the demo plays it."""

from pathlib import Path

import click
from mcp import Client

from mnemos_files.cli.demo_output import call, head, show

PROJECT = "harbour-api"
AGENT = "claude-code"
GOAL = "Make the tests of the returns branch quicker"
PLAN = "Run the repository tests on SQLite in memory, without the PostgreSQL container"
TASK = "the tests are slow"
TOUCHED = "tests/conftest.py"


async def work_a_day(client: Client, root: Path) -> None:
    """Start a session, look back, learn, save a skill, end the session, show its file."""
    session = await _start(client)
    await _look_before(client)
    await _learn(client, session)
    skill = await _improve_skill(client, session)
    await _end(client, root, session, skill)


async def _start(client: Client) -> str:
    head("An agent starts a session; this is what it gets to read")
    started = await call(client, "session_start", project=PROJECT, goal=GOAL, agent_id=AGENT)
    known = started["prewarm"]
    show(known["text"])
    tokens, sections = known["token_estimate"], known["section_count"]
    click.echo(f"\n   {tokens} of 500 tokens, {sections} sections")
    session: str = started["session_id"]
    return session


async def _look_before(client: Client) -> None:
    head("Before the first edit: did something like this plan fail before?")
    click.echo(f'   premortem "{PLAN}"\n')
    answer = await call(client, "premortem", plan=PLAN, project=PROJECT, agent_id=AGENT)
    show(answer["text"])


async def _learn(client: Client, session: str) -> None:
    head("A person says what was wrong; the agent keeps it")
    saved = await call(
        client,
        "correct",
        title="Parallel tests need a schema for each worker",
        tried="Ran `pytest -n 4` with the one schema of the run.",
        wrong_because="Workers emptied each other's tables; 9 tests failed at random.",
        fix="Name the schema after `worker_id` in the `pg` fixture.",
        trigger_context="Whenever tests of harbour-api run in parallel.",
        project=PROJECT,
        agent_id=AGENT,
        session_id=session,
    )
    click.echo(f"   saved {saved['path']}")
    touched = await call(
        client, "touch", path=TOUCHED, project=PROJECT, agent_id=AGENT, session_id=session
    )
    click.echo(f"   {touched['message']}: a line in the journal, no commit")


async def _improve_skill(client: Client, session: str) -> str:
    head("A skill is found, used and saved as its next version")
    found = await call(client, "skill_match", query=TASK, agent_id=AGENT, limit=1)
    for match in found["matches"]:
        click.echo(f'   skill_match "{TASK}": {match["name"]}, version {match["version"]}')
    (skill,) = found["matches"]
    saved = await call(
        client,
        "skill_save",
        name=skill["name"],
        description=skill["description"],
        procedure=f"{skill['procedure']}\n4. Run it in parallel when no test shares its state.",
        pitfalls="Parallel runs hide a slow fixture: look at the set-up times first.",
        tags=skill["tags"],
        source_sessions=[session],
        agent_id=AGENT,
        why="Running in parallel took the run from 190 to 58 seconds.",
    )
    click.echo(f"   version {saved['version']} of {saved['path']}")
    used = await call(
        client,
        "skill_use",
        id=skill["id"],
        outcome="success",
        session_id=session,
        agent_id=AGENT,
    )
    click.echo(f"   {used['message']}")
    name: str = used["name"]
    return name


async def _end(client: Client, root: Path, session: str, skill: str) -> None:
    head("The session ends: one commit, and a work log that a person can read")
    ended = await call(
        client,
        "session_end",
        session_id=session,
        summary=f"The run needs 58 seconds instead of 190, with 4 workers. Helped by: {skill}.",
        reflection="The premortem saved us from trying SQLite a second time.",
        outcome_tags=["tests", "speed"],
    )
    click.echo(f"   {ended['path']}\n")
    show((root / ended["path"]).read_text(encoding="utf-8"))
