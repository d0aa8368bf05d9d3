"""The MCP server on standard input and output.

It answers `tools/list` before the vault is opened: opening begins just after that answer, or with
the first call. It keeps no state of a connection, so both eras of the protocol are served.
"""

import asyncio
import logging
import os
import signal
import threading
from collections.abc import Callable, Mapping, Sequence

import anyio
from anyio import CapacityLimiter, to_thread
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
)

from mnemos_files import __version__
from mnemos_files.operations.operation import Operation
from mnemos_files.server.instructions import INSTRUCTIONS
from mnemos_files.server.opening import Closable, Opening
from mnemos_files.server.stdio import Connection
from mnemos_files.server.tools import Toolbox

NAME = "mnemos"
_CALLS_AT_ONCE = 64
_EXIT_SECONDS = 1.8  # clients kill a server that is still there two seconds after the end
_OPEN_AFTER_LIST_SECONDS = 0.1
_OPEN_AFTER_START_SECONDS = 1.0
_LIST_FRESH_MS = 3_600_000  # the list changes with the installed version only
_log = logging.getLogger(__name__)


def serve(
    open_store: Callable[[], Closable], operations: Sequence[Operation], wire: tuple[int, int]
) -> None:
    """Serve one client on two descriptors (source, sink) until it leaves or a signal comes.

    The store is closed at the end; what is not closed in time is left as a crash would leave it,
    which the next start repairs.
    """
    opening = Opening(open_store)
    anyio.run(_serve, opening, Toolbox(operations, opening.store), wire)
    if not opening.close():
        _log.info("left while the vault was still being opened")
        os._exit(0)


async def _serve(opening: Opening[Closable], toolbox: Toolbox, wire: tuple[int, int]) -> None:
    loop = asyncio.get_running_loop()
    connection = Connection(*wire, ended=_leave_in_time)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(connection.stop))
    server = build(toolbox, listed=lambda: loop.call_later(_OPEN_AFTER_LIST_SECONDS, opening.start))
    loop.call_later(_OPEN_AFTER_START_SECONDS, opening.start)
    connection.start()
    await server.run(connection.inbound, connection.outbox, server.create_initialization_options())
    connection.outbox.finish()


def _leave_in_time() -> None:
    """Make sure that the process ends, whatever a thread of a library is waiting for."""
    timer = threading.Timer(_EXIT_SECONDS, os._exit, (0,))
    timer.daemon = True
    timer.start()


class Calls:
    """Runs calls side by side in threads; a reading one first waits for the writes before it.

    So a client that sends a save and a search in one breath finds what it saved.
    """

    def __init__(self, toolbox: Toolbox) -> None:
        self._toolbox = toolbox
        self._threads = CapacityLimiter(_CALLS_AT_ONCE)
        self._writes: set[anyio.Event] = set()

    async def run(
        self, operation: Operation, arguments: Mapping[str, object], client: str
    ) -> CallToolResult:
        """The answer to one call of the client with this name ("" = it gave none)."""
        if operation.read_only:
            for write in tuple(self._writes):
                await write.wait()
            return await self._in_thread(operation, arguments, client)
        done = anyio.Event()
        self._writes.add(done)
        try:
            return await self._in_thread(operation, arguments, client)
        finally:
            self._writes.discard(done)
            done.set()

    async def _in_thread(
        self, operation: Operation, arguments: Mapping[str, object], client: str
    ) -> CallToolResult:
        call = self._toolbox.call
        return await to_thread.run_sync(call, operation, arguments, client, limiter=self._threads)


def build(toolbox: Toolbox, listed: Callable[[], object]) -> Server:
    """The server without a transport; `listed` is called when a client asked for the tools."""
    calls = Calls(toolbox)
    listing = ListToolsResult(tools=toolbox.listing())

    async def list_tools(
        _context: ServerRequestContext, _params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        listed()
        return listing

    async def call_tool(
        context: ServerRequestContext, params: CallToolRequestParams
    ) -> CallToolResult:
        client = context.session.client_params
        name = client.client_info.name if client is not None else ""
        return await calls.run(toolbox.find(params.name), params.arguments or {}, name)

    return Server(
        NAME,
        version=__version__,
        title="mnemos-files",
        instructions=INSTRUCTIONS,
        cache_hints={"tools/list": CacheHint(ttl_ms=_LIST_FRESH_MS, scope="public")},
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
