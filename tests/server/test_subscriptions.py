"""Notifications on a real vault: who is told of what, in both eras of the protocol."""

import asyncio
import shutil
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated

from mnemos_files.server.news import PAUSE_SECONDS
from tests.conftest import git
from tests.wire import Wire, serving

# The older era is served too, and its client warns of that.
pytestmark = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")

DEADLINE = 60.0
HOME = "mnemos://memory/Home.md"
STATS = "mnemos://stats"
SESSION = "mnemos://session/current"
CAPABILITIES = "mnemos://capabilities"


@pytest.fixture
def environment(vault: Path) -> dict[str, str]:
    return {"MNEMOS_CACHE_DIR": str(vault.parent / "cache")}


class Heard:
    """What one client was told, in order."""

    def __init__(self, vault: Path, environment: dict[str, str], mode: str) -> None:
        self.server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "mnemos_files", "serve", "--vault", str(vault)],
            env=environment,
        )
        self.mode = mode
        self._news: asyncio.Queue[str] = asyncio.Queue()

    @asynccontextmanager
    async def subscribed(self, *uris: str, lists: bool = False) -> AsyncIterator[Client]:
        """A client that wants to hear of these."""
        async with Client(self.server, mode=self.mode, message_handler=self._take) as client:
            if self.mode == "legacy":
                # to hear of lists it takes any subscription, here one that stays quiet
                for uri in uris or (CAPABILITIES,):
                    await client.subscribe_resource(uri)
                yield client
                return
            async with (
                client.listen(resource_subscriptions=uris, resources_list_changed=lists) as stream,
                anyio.create_task_group() as tasks,
            ):
                tasks.start_soon(self._follow, stream)
                yield client
                tasks.cancel_scope.cancel()

    async def _follow(self, stream: AsyncIterator[object]) -> None:
        async for event in stream:
            if isinstance(event, ResourceUpdated):
                self._news.put_nowait(event.uri)
            elif isinstance(event, ResourcesListChanged):
                self._news.put_nowait("list")

    async def _take(self, message: object) -> None:
        if self.mode != "legacy":
            return
        if isinstance(message, types.ResourceUpdatedNotification):
            self._news.put_nowait(message.params.uri)
        elif isinstance(message, types.ResourceListChangedNotification):
            self._news.put_nowait("list")

    async def next(self) -> str:
        """The next piece of news."""
        with anyio.fail_after(DEADLINE):
            return await self._news.get()

    async def until(self, wanted: str) -> list[str]:
        """News up to a piece, that piece included."""
        heard = [await self.next()]
        while heard[-1] != wanted:
            heard.append(await self.next())
        return heard


Step = Callable[[Client, Heard], Awaitable[object]]


def run(heard: Heard, steps: Step, *uris: str, lists: bool = False) -> object:
    async def within() -> object:
        with anyio.fail_after(150):
            async with heard.subscribed(*uris, lists=lists) as client:
                return await steps(client, heard)

    return anyio.run(within)


ERAS = pytest.mark.parametrize("mode", ["legacy", "auto"])


@ERAS
def test_an_edit_in_an_editor_is_told(vault: Path, environment: dict[str, str], mode: str):
    async def steps(client: Client, heard: Heard) -> tuple[str, str]:
        (vault / "Home.md").write_text("# Home\n\nNew words.\n", encoding="utf-8")
        told = await heard.next()
        return told, (await client.read_resource(HOME)).contents[0].text

    told, text = run(Heard(vault, environment, mode), steps, HOME)

    assert told == HOME
    assert "New words." in text


@ERAS
def test_a_pull_is_told(vault: Path, tmp_path: Path, environment: dict[str, str], mode: str):
    other = tmp_path / "other"
    git(tmp_path, "clone", "-q", str(vault), str(other))
    (other / "Home.md").write_text("# Home\n\nFrom elsewhere.\n", encoding="utf-8")
    git(other, "-c", "user.name=Olaf", "-c", "user.email=o@e.org", "commit", "-qam", "edit")

    async def steps(_client: Client, heard: Heard) -> str:
        git(vault, "pull", "-q", str(other), "main")
        return await heard.next()

    assert run(Heard(vault, environment, mode), steps, HOME) == HOME


@ERAS
def test_a_save_of_another_server_is_told(vault: Path, environment: dict[str, str], mode: str):
    async def steps(_client: Client, heard: Heard) -> list[str]:
        wire = await anyio.to_thread.run_sync(lambda: serving(vault, **environment))
        try:
            given = {"title": "Tide", "content": "It turns.", "type": "semantic"}
            await anyio.to_thread.run_sync(lambda: wire.call("save", **given))
            told = {await heard.next()}
            while len(told) < 2:
                told.add(await heard.next())
            return sorted(told)
        finally:
            wire.kill()

    assert run(Heard(vault, environment, mode), steps, STATS, lists=True) == ["list", STATS]


@ERAS
def test_notes_that_come_and_go_are_told_as_a_change_of_the_list(
    vault: Path, environment: dict[str, str], mode: str
):
    async def steps(_client: Client, heard: Heard) -> list[str]:
        (vault / "new.md").write_text("new\n", encoding="utf-8")
        came = await heard.next()
        (vault / "new.md").unlink()
        return [came, await heard.next()]

    assert run(Heard(vault, environment, mode), steps, lists=True) == ["list", "list"]


@ERAS
def test_a_memory_that_goes_is_told_to_who_subscribed_to_it(
    vault: Path, environment: dict[str, str], mode: str
):
    (vault / "a.md").write_text("a\n", encoding="utf-8")
    uri = "mnemos://memory/a.md"

    async def steps(_client: Client, heard: Heard) -> list[str]:
        (vault / "a.md").unlink()
        return await heard.until(uri)

    assert run(Heard(vault, environment, mode), steps, uri)[-1] == uri


@ERAS
def test_nothing_is_told_of_what_was_not_subscribed_to(
    vault: Path, environment: dict[str, str], mode: str
):
    (vault / "a.md").write_text("a\n", encoding="utf-8")
    (vault / "b.md").write_text("b\n", encoding="utf-8")

    async def steps(_client: Client, heard: Heard) -> list[str]:
        (vault / "a.md").write_text("a changed\n", encoding="utf-8")
        first = await heard.until(STATS)
        (vault / "b.md").write_text("b changed\n", encoding="utf-8")
        return [*first, *await heard.until("mnemos://memory/b.md")]

    told = run(Heard(vault, environment, mode), steps, STATS, "mnemos://memory/b.md")

    assert set(told) == {STATS, "mnemos://memory/b.md"}


@ERAS
def test_many_changes_are_told_at_most_once_a_second(
    vault: Path, environment: dict[str, str], mode: str
):
    async def steps(_client: Client, heard: Heard) -> tuple[int, float]:
        begin = anyio.current_time()
        told = []
        for burst in range(3):
            for number in range(40):
                (vault / "Home.md").write_text(f"# Home {burst} {number}\n", encoding="utf-8")
            told += await heard.until(HOME)
        (vault / "end.md").write_text("end\n", encoding="utf-8")
        told += await heard.until("list")
        return told.count(HOME), anyio.current_time() - begin

    count, seconds = run(Heard(vault, environment, mode), steps, HOME, lists=True)

    assert 1 <= count <= seconds / PAUSE_SECONDS + 1


@ERAS
def test_a_session_that_begins_is_told_although_no_note_changed(
    vault: Path, environment: dict[str, str], mode: str
):
    async def steps(client: Client, heard: Heard) -> list[str]:
        await client.call_tool("mnemos_session_start", {"goal": "look around"})
        return [await heard.next(), (await client.read_resource(SESSION)).contents[0].text]

    told, text = run(Heard(vault, environment, mode), steps, SESSION)

    assert told == SESSION
    assert '"goal": "look around"' in text


def test_a_session_of_another_server_is_told(vault: Path, environment: dict[str, str]):
    async def steps(_client: Client, heard: Heard) -> str:
        wire = await anyio.to_thread.run_sync(lambda: serving(vault, **environment))
        try:
            await anyio.to_thread.run_sync(lambda: wire.call("session_start", goal="x"))
            return await heard.next()
        finally:
            wire.kill()

    assert run(Heard(vault, environment, "auto"), steps, SESSION) == SESSION


def test_after_unsubscribing_nothing_is_told(vault: Path, environment: dict[str, str]):
    (vault / "a.md").write_text("a\n", encoding="utf-8")
    other = "mnemos://memory/a.md"

    async def steps(client: Client, heard: Heard) -> list[str]:
        await client.unsubscribe_resource(HOME)
        await client.unsubscribe_resource("mnemos://memory/never.md")
        (vault / "Home.md").write_text("# Other\n", encoding="utf-8")
        first = await heard.until(STATS)
        (vault / "a.md").write_text("changed\n", encoding="utf-8")
        return [*first, *await heard.until(other)]

    assert HOME not in run(Heard(vault, environment, "legacy"), steps, HOME, STATS, other)


def test_a_stream_confirms_only_what_it_can_tell(vault: Path, environment: dict[str, str]):
    heard = Heard(vault, environment, "auto")

    async def within() -> types.SubscriptionFilter:
        asked = [HOME, "file:///etc/passwd", "mnemos://nothing", "mnemos://memory/a%zz", HOME]
        with anyio.fail_after(DEADLINE):
            async with (
                Client(heard.server) as client,
                client.listen(resource_subscriptions=asked) as stream,
            ):
                return stream.honored

    honoured = anyio.run(within)

    assert honoured.resource_subscriptions == [HOME]
    assert honoured.resources_list_changed is None


@pytest.mark.parametrize(
    ("uri", "code"),
    [
        ("mnemos://nothing", -32002),
        ("mnemos://memory/none.md", -32002),
        ("mnemos://memory/%zz", -32602),
        ("mnemos://memory/..%2Fx", -32602),
    ],
)
def test_subscribing_to_what_is_not_there_is_refused(vault: Path, uri: str, code: int):
    wire = serving(vault)

    error = wire.request("resources/subscribe", uri=uri)["error"]

    assert error["code"] == code
    assert wire.close() == 0


def test_who_never_asked_hears_nothing(vault: Path):
    wire = serving(vault)
    wire.request("resources/list")

    wire.call("save", title="Tide", content="It turns.", type="semantic")
    (vault / "new.md").write_text("new\n", encoding="utf-8")
    while wire.call("stats")["notes"] != 3:
        pass

    assert wire.close() == 0
    assert not [line for line in wire.lines if b'"method"' in line]


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_server_leaves_at_once_while_somebody_listens(vault: Path, era: str):
    wire = Wire("serve", "--vault", str(vault))
    if era == "legacy":
        wire.initialize()
        wire.request("resources/subscribe", uri=HOME)
    else:
        keys = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        wanted = {"resourceSubscriptions": [HOME], "resourcesListChanged": True}
        wire.send("subscriptions/listen", notifications=wanted, _meta=keys)
        acknowledged = wire.wait(None)
        assert acknowledged["method"] == "notifications/subscriptions/acknowledged"

    assert wire.close() == 0


def test_the_model_that_goes_and_comes_back_is_told(vault: Path, tmp_path: Path):
    heard = Heard(vault, {"MNEMOS_CACHE_DIR": str(tmp_path / "cache")}, "auto")
    folder = tmp_path / "model"
    script = tmp_path / "serve.py"
    script.write_text(
        "import sys\n"
        "from mnemos_files.index import embedder\n"
        f"embedder.StaticEmbedder.__init__.__defaults__ = (embedder.Path({str(folder)!r}),)\n"
        "from mnemos_files.cli.main import main\n"
        "main()\n",
        encoding="utf-8",
    )
    from mnemos_files.index.embedder import MODEL_FOLDER  # noqa: PLC0415 - numpy, for one test

    shutil.copytree(MODEL_FOLDER, folder)
    heard.server.args = [str(script), "serve", "--vault", str(vault)]

    async def steps(client: Client, heard: Heard) -> list[str]:
        texts = []
        for source, target in ((folder, tmp_path / "away"), (tmp_path / "away", folder)):
            source.rename(target)
            assert await heard.next() == CAPABILITIES
            texts.append((await client.read_resource(CAPABILITIES)).contents[0].text)
        return texts

    away, back = run(heard, steps, CAPABILITIES)

    assert '"x_retrieval_mode": "fts"' in away
    assert '"embeddings"' not in away
    assert '"x_retrieval_mode": "hybrid"' in back
    assert '"embeddings"' in back


def test_an_error_of_a_subscription_changes_nothing(vault: Path, environment: dict[str, str]):
    async def steps(client: Client, heard: Heard) -> str:
        with pytest.raises(MCPError):
            await client.subscribe_resource("mnemos://memory/none.md")
        (vault / "Home.md").write_text("# Other\n", encoding="utf-8")
        return await heard.next()

    assert run(Heard(vault, environment, "legacy"), steps, HOME) == HOME
