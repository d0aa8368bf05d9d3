"""The MCP server on standard input and output.

It answers every list before the vault is opened: opening begins just after the list of tools, or
with the first call. It keeps no state of a connection but what an older client subscribed to, so
both eras of the protocol are served.
"""

import asyncio
import logging
import os
import signal
import threading
from collections.abc import Callable, Sequence

import anyio
from mcp.server.caching import CacheHint
from mcp.server.lowlevel import Server
from mcp.server.lowlevel.server import NotificationOptions

from mnemos_files import __version__
from mnemos_files.operations.operation import Operation
from mnemos_files.server.caller import Caller
from mnemos_files.server.handlers import Handlers
from mnemos_files.server.instructions import INSTRUCTIONS
from mnemos_files.server.opening import Closable, Opening
from mnemos_files.server.stdio import Connection
from mnemos_files.server.tools import Toolbox

NAME = "mnemos"
_EXIT_SECONDS = 1.8  # clients kill a server that is still there two seconds after the end
_OPEN_AFTER_LIST_SECONDS = 0.1
_OPEN_AFTER_START_SECONDS = 1.0
_LIST_FRESH_MS = 3_600_000  # the list changes with the installed version only
_log = logging.getLogger(__name__)


def serve(
    open_store: Callable[[], Closable],
    operations: Sequence[Operation],
    wire: tuple[int, int],
    caller: Caller | None = None,
) -> None:
    """Serve one client on two descriptors (source, sink) until it leaves or a signal comes.

    With a `caller` the store is opened for it, so not before a request has told its name.
    The store is closed at the end; what is not closed in time is left as a crash would leave it,
    which the next start repairs.
    """
    opening = Opening(open_store)
    anyio.run(_serve, opening, Toolbox(operations, opening.store), wire, caller)
    if not opening.close():
        _log.info("left while the vault was still being opened")
        os._exit(0)


async def _serve(
    opening: Opening[Closable], toolbox: Toolbox, wire: tuple[int, int], caller: Caller | None
) -> None:
    loop = asyncio.get_running_loop()
    connection = Connection(*wire, ended=_leave_in_time)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(connection.stop))
    handlers = Handlers(
        toolbox,
        opening.store,
        listed=lambda: loop.call_later(_OPEN_AFTER_LIST_SECONDS, opening.start),
        caller=caller or Caller(),
    )
    server = build(handlers)
    if caller is None:
        loop.call_later(_OPEN_AFTER_START_SECONDS, opening.start)
    connection.start()
    options = server.create_initialization_options(NotificationOptions(resources_changed=True))
    await server.run(connection.inbound, connection.outbox, options)
    handlers.subscriptions.news.stop()
    connection.outbox.finish()


def _leave_in_time() -> None:
    """Make sure that the process ends, whatever a thread of a library is waiting for."""
    timer = threading.Timer(_EXIT_SECONDS, os._exit, (0,))
    timer.daemon = True
    timer.start()


def build(handlers: Handlers) -> Server:
    """The server without a transport."""
    fresh = CacheHint(ttl_ms=_LIST_FRESH_MS, scope="public")
    return Server(
        NAME,
        version=__version__,
        title="mnemos-files",
        instructions=INSTRUCTIONS,
        cache_hints={
            "tools/list": fresh,
            "prompts/list": fresh,
            "resources/list": fresh,
            "resources/templates/list": fresh,
        },
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
        on_subscribe_resource=handlers.subscriptions.subscribe,
        on_unsubscribe_resource=handlers.subscriptions.unsubscribe,
        on_subscriptions_listen=handlers.subscriptions.listen,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
        on_completion=handlers.complete,
    )
