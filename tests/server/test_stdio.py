"""The server as a process, spoken to in raw lines (cases c53, M01, M02, M08, M14)."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

FAKE_SERVER = Path(__file__).with_name("fake_server.py")

STRANGE = (
    "Řemeslník ✓ 東京 \uff10\uff11 🚀 line\u2028separator \x00 \x1b[31m Cena: 1 200 Kč → zítra."
)


def structured(answer: dict) -> dict:
    return answer["result"]["structuredContent"]


def text(answer: dict) -> str:
    return answer["result"]["content"][0]["text"]


@pytest.mark.parametrize("faults", [(), ("debug",)])
def test_every_line_on_stdout_is_json_rpc(start, faults):
    server = start(*faults, PYTHONIOENCODING="cp1252", PYTHONWARNINGS="always")
    server.initialize()

    server.call(1, "save", text=STRANGE)
    server.call(2, "get", id="note-0")
    server.call(3, "get", id="no-such-note")
    server.call(4, "fail")
    answers = {identity: server.answer(identity) for identity in (1, 2)}

    assert server.end() == 0
    assert [json.loads(line)["jsonrpc"] for line in server.lines] == ["2.0"] * 5
    assert structured(answers[2]) == {"text": STRANGE}
    assert json.loads(text(answers[2])) == {"text": STRANGE}
    assert b"a library prints: noise" in server.errors
    assert b"a library warns" in server.errors


def test_the_log_holds_no_note_text_at_the_default_level(start):
    server = start()
    server.initialize()

    server.call(1, "save", text="Geheimnis 4711")
    server.call(2, "get", id="Geheimnis 4711")
    server.call(3, "get", identity="Geheimnis 4711")
    server.answer(3)

    assert server.end() == 0
    assert b"Geheimnis" not in server.errors


def test_a_read_sees_the_writes_that_were_sent_before_it(start):
    server = start()
    server.initialize()

    for number in range(20):
        server.call(2 * number + 1, "save", text=f"text {number}")
        server.call(2 * number + 2, "get", id=f"note-{number}")
    server.process.stdin.close()

    assert server.wait() == 0
    answers = [json.loads(line) for line in server.lines]
    assert sorted(answer["id"] for answer in answers) == list(range(41))
    assert not [answer for answer in answers if answer["result"].get("isError")]


def test_calls_run_at_the_same_time(start):
    server = start()
    server.initialize()

    server.call(1, "meet")
    server.call(2, "meet")

    assert structured(server.answer(1)) == {"text": "met"}


def test_calls_sent_before_the_end_of_input_are_answered(start):
    server = start()
    server.initialize()

    server.call(1, "slow", seconds=0.5)
    server.process.stdin.close()

    assert structured(server.answer(1)) == {"text": "awake"}
    assert server.wait() == 0


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"\r\n",
        b"garbage\n",
        b"\xff\xfe\x00\n",
        b"[]\n",
        b"17\n",
        b"{}\n",
        b'{"jsonrpc":"2.0"}\n',
        b"[" * 100_000 + b"\n",
    ],
)
def test_a_bad_line_does_not_stop_the_next_request(start, line):
    server = start()
    server.send_bytes(line)
    server.initialize()
    server.send_bytes(line)

    server.send_bytes(b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\r\n')

    assert len(server.answer(1)["result"]["tools"]) == 6
    assert server.end() == 0


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (
            b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\\ud800"}}\n',
            "Invalid request: a text holds half a character (a lone surrogate).",
        ),
        (
            b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\xff"}}\n',
            "Invalid request: byte 64 of the line is not UTF-8.",
        ),
        (
            b'{"jsonrpc":"2.0","id":1,"method":7}\n',
            "Invalid request: not a JSON-RPC 2.0 message.",
        ),
    ],
)
def test_an_impossible_request_is_answered_by_its_id(start, line, reason):
    server = start()
    server.initialize()

    server.send_bytes(line)

    assert server.answer(1)["error"] == {"code": -32600, "message": reason}
    assert server.end() == 0


def test_every_request_of_a_batch_is_answered(start):
    server = start()
    server.initialize()
    batch = [{"jsonrpc": "2.0", "id": identity, "method": "ping"} for identity in (1, 2)]

    server.send_bytes(json.dumps(batch).encode() + b"\n")

    assert server.answer(1)["result"] == {}
    assert server.answer(2)["result"] == {}
    assert server.end() == 0


def test_the_last_line_may_lack_its_end(start):
    server = start()
    server.initialize()

    server.send_bytes(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')

    assert server.end() == 0
    assert json.loads(server.lines[-1])["id"] == 1


def test_the_store_is_closed_at_the_end_of_input(start):
    server = start()
    server.initialize()
    server.call(1, "save", text="x")
    server.answer(1)

    assert server.end() == 0
    assert b"store closed" in server.errors


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_cleanly(start, number):
    server = start()
    server.initialize()
    server.call(1, "save", text="x")
    server.answer(1)

    server.process.send_signal(number)

    assert server.wait() == 0
    assert b"store closed" in server.errors
    assert b"Traceback" not in server.errors


def test_the_server_ends_in_time_while_the_vault_is_being_opened(start):
    server = start("never-opens")
    server.initialize()
    server.send({"id": 1, "method": "tools/list"})
    server.answer(1)
    begin = time.monotonic()

    assert server.end() == 0
    assert time.monotonic() - begin < 2


def test_a_signal_ends_the_server_in_time_while_a_call_hangs(start):
    server = start("never-opens")
    server.initialize()
    server.call(1, "save", text="x")
    server.send({"id": 2, "method": "tools/list"})
    server.answer(2)
    begin = time.monotonic()

    server.process.send_signal(signal.SIGTERM)

    assert server.wait() == 0
    assert time.monotonic() - begin < 3


def test_a_closed_stdout_ends_the_server_without_a_traceback():
    reader, writer = os.pipe()
    process = subprocess.Popen(
        [sys.executable, str(FAKE_SERVER)],
        stdin=subprocess.PIPE,
        stdout=writer,
        stderr=subprocess.PIPE,
    )
    os.close(writer)
    os.close(reader)

    request = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    process.stdin.write(json.dumps(request).encode() + b"\n")
    process.stdin.flush()

    assert process.wait(60) == 0
    assert b"Traceback" not in process.stderr.read()
    process.stdin.close()
    process.stderr.close()


def test_a_vault_that_does_not_open_is_an_answer_to_each_call(start):
    server = start("no-vault")
    server.initialize()

    server.call(1, "save", text="x")

    answer = server.answer(1)["result"]
    assert answer["isError"] is True
    assert answer["content"][0]["text"] == "unavailable: the vault is gone. Put it back."
    assert server.end() == 0
