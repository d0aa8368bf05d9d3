"""JSON-RPC over standard input and output: one message a line, and nothing else on the wire."""

import asyncio
import logging
import math
import os
import queue
import threading
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Self

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import (
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
)

from mnemos_files.server.lines import Refusal, read_line

_CHUNK_BYTES = 1 << 16
_PATIENCE_SECONDS = 10.0
_FLUSH_SECONDS = 1.0
_ENDLESS = "subscriptions/listen"  # a request that is answered only when the connection ends
_CANCELLED = "notifications/cancelled"  # its request gets no answer
_log = logging.getLogger(__name__)


class Outbox:
    """The writing half: messages leave in order through a daemon thread of its own.

    `sent` is told of each message in the event loop, `broken` in the thread when the client
    stopped reading.
    """

    def __init__(
        self, sink: int, sent: Callable[[JSONRPCMessage], None], broken: Callable[[], None]
    ) -> None:
        self._sink = sink
        self._sent = sent
        self._broken = broken
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write_lines, name="stdout", daemon=True)

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    def put(self, message: JSONRPCMessage) -> None:
        """Queue one message; never waits; call from the event loop only."""
        text = message.model_dump_json(by_alias=True, exclude_unset=True)
        self._lines.put(text.encode("utf-8") + b"\n")
        self._sent(message)

    def finish(self) -> None:
        """Wait until what was queued is written, at most a second."""
        self._lines.put(None)
        self._thread.join(_FLUSH_SECONDS)

    def _write_lines(self) -> None:
        try:
            while (line := self._lines.get()) is not None:
                while line:
                    line = line[os.write(self._sink, line) :]
        except OSError as error:
            _log.info("the client stopped reading (%s)", error.strerror)
            self._broken()

    async def send(self, item: SessionMessage, /) -> None:
        """`put`, as the SDK's streams name it."""
        self.put(item.message)

    async def aclose(self) -> None:
        """Nothing: `finish` ends the thread, and the descriptor belongs to the process."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        await self.aclose()


class Connection:
    """Both halves of one client's connection; make it inside a running event loop.

    It ends when the source does and every request read until then is answered, when the client
    stops reading, or at `stop`; `ended` is called then. Reading happens in a daemon thread,
    because a blocked read can be neither cancelled nor waited for.
    """

    def __init__(self, source: int, sink: int, ended: Callable[[], object]) -> None:
        self._source = source
        self._ended = ended
        self._loop = asyncio.get_running_loop()
        self._unanswered: set[RequestId] = set()
        self._at_end = False
        self._send, self.inbound = anyio.create_memory_object_stream[SessionMessage | Exception](
            math.inf
        )
        self.outbox = Outbox(sink, self._settle, lambda: self._call(self.stop))

    def start(self) -> None:
        """Begin to read and write."""
        threading.Thread(target=self._read_lines, name="stdin", daemon=True).start()
        self.outbox.start()

    def stop(self) -> None:
        """End the connection now; call from the event loop."""
        self._send.close()
        self._ended()

    def _read_lines(self) -> None:
        for line in _lines(self._source):
            for item in read_line(line):
                self._call(self._take, item)
        self._call(self._end)

    def _call(self, function: Callable[..., object], *values: object) -> None:
        try:
            self._loop.call_soon_threadsafe(function, *values)
        except RuntimeError:
            _log.debug("the event loop has ended")

    def _take(self, item: JSONRPCMessage | Refusal) -> None:
        if isinstance(item, Refusal):
            self.outbox.put(item.answer)
            return
        self._count(item)
        try:
            self._send.send_nowait(SessionMessage(item))
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            _log.debug("dropped a message that came after the end")

    def _count(self, message: JSONRPCMessage) -> None:
        if isinstance(message, JSONRPCRequest) and message.method != _ENDLESS:
            self._unanswered.add(message.id)
        elif isinstance(message, JSONRPCNotification) and message.method == _CANCELLED:
            self._unanswered.discard((message.params or {}).get("requestId", ""))

    def _settle(self, message: JSONRPCMessage) -> None:
        if isinstance(message, (JSONRPCResponse, JSONRPCError)) and message.id is not None:
            self._unanswered.discard(message.id)
        if self._at_end and not self._unanswered:
            self.stop()

    def _end(self) -> None:
        # A client may send its calls, close the pipe and read the answers at leisure.
        self._at_end = True
        if self._unanswered:
            self._loop.call_later(_PATIENCE_SECONDS, self.stop)
        else:
            self.stop()


def _lines(source: int) -> Iterator[bytes]:
    """Lines of a descriptor without their ends; the last one may lack its end."""
    rest = b""
    while chunk := _read(source):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
    yield rest


def _read(source: int) -> bytes:
    try:
        return os.read(source, _CHUNK_BYTES)
    except OSError:
        return b""
