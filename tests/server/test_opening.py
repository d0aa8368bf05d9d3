import threading

import pytest

from mnemos_files.errors import UnavailableError
from mnemos_files.server.opening import Opening

DEADLINE = 30


class Closing:
    """A store that counts how often it was closed."""

    def __init__(self) -> None:
        self.closed = 0

    def close(self) -> None:
        self.closed += 1


def test_a_store_is_opened_once_however_many_ask():
    made: list[Closing] = []
    gate = threading.Event()

    def make() -> Closing:
        gate.wait(DEADLINE)
        made.append(Closing())
        return made[-1]

    opening = Opening(make)
    seen: list[Closing] = []
    threads = [threading.Thread(target=lambda: seen.append(opening.store())) for _ in range(8)]
    for thread in threads:
        thread.start()
    gate.set()
    for thread in threads:
        thread.join(DEADLINE)

    assert len(made) == 1
    assert seen == made * 8


def test_a_failed_opening_is_told_and_tried_again():
    outcomes = [UnavailableError("busy"), Closing()]

    def make() -> Closing:
        outcome = outcomes.pop(0)
        if isinstance(outcome, UnavailableError):
            raise outcome
        return outcome

    opening = Opening(make)

    with pytest.raises(UnavailableError, match="busy"):
        opening.store()
    assert isinstance(opening.store(), Closing)


def test_closing_closes_what_was_opened_and_only_that():
    opening = Opening(Closing)

    assert opening.close() is True
    store = opening.store()
    assert opening.close() is True
    assert store.closed == 1


def test_closing_does_not_wait_for_an_opening_under_way():
    gate = threading.Event()

    def make() -> Closing:
        gate.wait(DEADLINE)
        return Closing()

    opening = Opening(make)
    opening.start()

    assert opening.close() is False
    gate.set()
