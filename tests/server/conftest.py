"""A server process that a test talks to in raw lines."""

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

FAKE_SERVER = Path(__file__).with_name("fake_server.py")
DEADLINE = 60  # seconds; generous, because machines are busy


class Server:
    """The process, its answers by id, and everything it wrote."""

    def __init__(self, arguments: list[str], environ: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | environ,
        )
        self.lines: list[bytes] = []
        self.errors = b""
        self._queue: queue.Queue[bytes] = queue.Queue()
        self._readers = [
            threading.Thread(target=self._read_output, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def _read_output(self) -> None:
        for line in self.process.stdout:
            self.lines.append(line)
            self._queue.put(line)
        self._queue.put(b"")

    def _read_errors(self) -> None:
        self.errors = self.process.stderr.read()

    def send_bytes(self, data: bytes) -> None:
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, *messages: dict[str, object]) -> None:
        for message in messages:
            self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def answer(self, identity: int | str) -> dict[str, object]:
        while line := self._queue.get(timeout=DEADLINE):
            message = json.loads(line)
            if message.get("id") == identity:
                return message
        raise AssertionError(f"no answer to {identity}; {self.errors.decode()}")

    def initialize(self) -> dict[str, object]:
        info = {"name": "test", "version": "0"}
        params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info}
        self.send({"id": 0, "method": "initialize", "params": params})
        self.send({"method": "notifications/initialized"})
        return self.answer(0)

    def call(self, identity: int, name: str, /, **arguments: object) -> None:
        params = {"name": f"mnemos_{name}", "arguments": arguments}
        self.send({"id": identity, "method": "tools/call", "params": params})

    def end(self) -> int:
        """Exit code after the end of input."""
        self.process.stdin.close()
        return self.wait()

    def wait(self) -> int:
        code = self.process.wait(DEADLINE)
        for reader in self._readers:
            reader.join(DEADLINE)
        return code

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        for reader in self._readers:
            reader.join(DEADLINE)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(BrokenPipeError):
                pipe.close()


@pytest.fixture
def start() -> Iterator[Callable[..., Server]]:
    servers = []

    def begin(*faults: str, **environ: str) -> Server:
        servers.append(Server([str(FAKE_SERVER), *faults], environ))
        return servers[-1]

    yield begin
    for server in servers:
        server.kill()
