import pytest
from mcp_types import JSONRPCNotification, JSONRPCRequest

from mnemos_files.server.lines import Refusal, read_line


def test_a_request_and_a_notification_are_read():
    request = list(read_line(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\r'))
    notice = list(read_line(b'{"jsonrpc":"2.0","method":"notifications/initialized"}'))

    assert request == [JSONRPCRequest(jsonrpc="2.0", id=1, method="ping")]
    assert notice == [JSONRPCNotification(jsonrpc="2.0", method="notifications/initialized")]


@pytest.mark.parametrize("line", [b"", b"  \r", b"hello", b"\xff", b"[]", b"3", b'{"id":null}'])
def test_a_line_that_nobody_waits_for_gives_nothing(line: bytes):
    assert list(read_line(line)) == []


def test_a_broken_line_is_logged_without_its_text(caplog):
    list(read_line(b"Geheimnis 4711"))

    assert caplog.messages == ["skipped a line of 14 bytes that is not JSON"]


def test_the_parts_of_a_batch_stand_for_themselves():
    good, bad = read_line(b'[{"jsonrpc":"2.0","id":1,"method":"ping"},{"id":2,"method":"ping"}]')

    assert good == JSONRPCRequest(jsonrpc="2.0", id=1, method="ping")
    assert isinstance(bad, Refusal)
    assert bad.answer.id == 2
