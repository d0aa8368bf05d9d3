"""A bare MCP client over stdio: JSON lines, every wait with a deadline."""

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

SECONDS = 60.0
OURS = (sys.executable, "-m", "mnemos_files")


class Wire:
    """One server process and what it says. Ids count from 1."""

    def __init__(
        self,
        *arguments: str,
        program: Sequence[str] = OURS,
        cwd: Path | None = None,
        **environment: str,
    ) -> None:
        self.process = subprocess.Popen(
            [*program, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env={**os.environ, **environment},
        )
        self.lines: list[bytes] = []
        self.log: list[bytes] = []
        self._answers: queue.Queue[dict] = queue.Queue()
        self._kept: dict[int, dict] = {}
        self._number = 0
        self._threads = [
            threading.Thread(target=reader, daemon=True) for reader in (self._read, self._read_log)
        ]
        for thread in self._threads:
            thread.start()

    def _read(self) -> None:
        with self.process.stdout as stream:
            for line in stream:
                self.lines.append(line)
                self._answers.put(json.loads(line))
        self._answers.put({"id": None, "ended": True})

    def _read_log(self) -> None:
        with self.process.stderr as stream:
            self.log.extend(stream)

    def send(self, method: str, **params: object) -> int:
        """Send a request; its id."""
        self._number += 1
        self.write(
            {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params},
        )
        return self._number

    def write(self, message: dict) -> None:
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def wait(self, number: int, seconds: float = SECONDS) -> dict:
        """The answer to a request."""
        while number not in self._kept:
            message = self._answers.get(timeout=seconds)
            if message.get("ended"):
                self._answers.put(message)
                raise EOFError(b"".join(self.log).decode("utf-8", "replace")[-2000:])
            self._kept[message.get("id")] = message
        return self._kept.pop(number)

    def request(self, method: str, **params: object) -> dict:
        return self.wait(self.send(method, **params))

    def initialize(self) -> dict:
        info = {"name": "wire", "version": "1"}
        answer = self.request(
            "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=info
        )
        self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def start_call(self, tool: str, **arguments: object) -> int:
        return self.send("tools/call", name=f"mnemos_{tool}", arguments=arguments)

    def call(self, tool: str, **arguments: object) -> dict:
        """Structured content of a call that succeeds."""
        result = self.wait(self.start_call(tool, **arguments))["result"]
        assert not result.get("isError"), result["content"][0]["text"]
        return result["structuredContent"]

    def fail(self, tool: str, **arguments: object) -> str:
        """Error text of a call that fails."""
        result = self.wait(self.start_call(tool, **arguments))["result"]
        assert result.get("isError"), result
        return result["content"][0]["text"]

    def close(self) -> int:
        """End of input; the exit code."""
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        code = self.process.wait(20)
        for thread in self._threads:
            thread.join(20)
        return code

    def kill(self) -> None:
        """kill -9."""
        self.process.kill()
        self.close()


def serving(vault: Path, **environment: str) -> Wire:
    """A server on a vault, past its handshake."""
    wire = Wire("serve", "--vault", str(vault), **environment)
    wire.initialize()
    return wire
