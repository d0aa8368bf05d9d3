"""Telling of changes: what is told, how often, and to whom not."""

import queue
import threading
from collections.abc import Callable, Collection, Iterator

import pytest

from mnemos_files.errors import UnavailableError
from mnemos_files.server.news import News, Sight

DEADLINE = 20.0
PAUSE = 0.05


class FakeEye:
    """A vault whose state the test sets; counts the looks."""

    def __init__(self) -> None:
        self.state = {"a": "1", "b": "1"}
        self.notes = frozenset({"a.md"})
        self.is_whole = True
        self.fails = False
        self.looks = 0
        self.looked = threading.Condition()
        self.wait_seconds: float | None = None

    def on_news(self, listener: Callable[[], None]) -> None:
        self.listener = listener

    def look(self, uris: Collection[str]) -> Sight:
        with self.looked:
            self.looks += 1
            self.looked.notify_all()
        if self.fails:
            raise UnavailableError("the vault is gone")
        versions = {uri: self.state.get(uri, "") for uri in uris} if self.is_whole else {}
        return Sight(versions, self.notes, self.wait_seconds)

    def wait_for_looks(self, count: int) -> None:
        with self.looked:
            assert self.looked.wait_for(lambda: self.looks >= count, DEADLINE)


class Told:
    """What was told, one item a call."""

    def __init__(self) -> None:
        self._queue: queue.Queue[tuple[tuple[str, ...], bool]] = queue.Queue()

    def __call__(self, uris: tuple[str, ...], is_list_changed: bool) -> None:  # noqa: FBT001 - a callback
        self._queue.put((uris, is_list_changed))

    def next(self) -> tuple[tuple[str, ...], bool]:
        return self._queue.get(timeout=DEADLINE)

    def is_empty(self) -> bool:
        return self._queue.empty()


@pytest.fixture
def eye() -> FakeEye:
    return FakeEye()


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def news(eye: FakeEye, told: Told) -> Iterator[News]:
    news = News(eye, told, PAUSE)
    yield news
    news.stop()


def test_what_changed_is_told_and_nothing_else(news: News, eye: FakeEye, told: Told):
    news.want(("a", "b"), eye.look(("a", "b")))

    eye.state["b"] = "2"
    news.ring()

    assert told.next() == (("b",), False)
    assert told.is_empty()


def test_a_change_between_two_looks_is_told_once(news: News, eye: FakeEye, told: Told):
    news.want(("a",), eye.look(("a",)))
    eye.wait_for_looks(2)

    for version in "23456789":
        eye.state["a"] = version
        news.ring()
    eye.state["a"] = "last"
    news.ring()
    told.next()
    looks = eye.looks
    news.ring()
    eye.wait_for_looks(looks + 1)
    news.stop()

    told_more = 0
    while not told.is_empty():
        told.next()
        told_more += 1
    assert told_more <= 1


def test_notes_that_come_and_go_are_told(news: News, eye: FakeEye, told: Told):
    news.want_lists(eye.look(()))

    eye.notes = frozenset({"b.md"})
    news.ring()

    assert told.next() == ((), True)


def test_a_note_that_only_changed_is_no_news_of_the_list(news: News, eye: FakeEye, told: Told):
    news.want_lists(eye.look(()))
    news.want(("a",), eye.look(("a",)))

    eye.state["a"] = "2"
    news.ring()

    assert told.next() == (("a",), False)


def test_what_is_dropped_is_told_no_more(news: News, eye: FakeEye, told: Told):
    news.want(("a", "b"), eye.look(("a", "b")))
    news.drop(("a",))

    eye.state = {"a": "2", "b": "2"}
    news.ring()

    assert told.next() == (("b",), False)


def test_what_two_want_is_told_until_both_left(news: News, eye: FakeEye, told: Told):
    news.want(("a",), eye.look(("a",)))
    news.want(("a",), eye.look(("a",)))
    news.drop(("a",))

    eye.state["a"] = "2"
    news.ring()

    assert told.next() == (("a",), False)


def test_nobody_looks_while_nobody_wants_anything(news: News, eye: FakeEye, told: Told):
    news.want(("a",), eye.look(("a",)))
    eye.wait_for_looks(2)
    news.drop(("a",))
    looks = eye.looks

    eye.state["a"] = "2"
    for _ in range(100):
        news.ring()
    news.stop()

    assert eye.looks <= looks + 1
    assert told.is_empty()


def test_a_vault_that_is_still_read_is_not_compared(news: News, eye: FakeEye, told: Told):
    eye.is_whole = False
    eye.wait_seconds = 0.01
    news.want(("a",), eye.look(("a",)))
    eye.state["a"] = "2"
    eye.wait_for_looks(4)
    told_before = not told.is_empty()

    eye.is_whole = True

    assert not told_before
    assert told.next() == (("a",), False)


def test_what_was_not_seen_at_the_beginning_is_told_after_the_first_look(
    news: News, eye: FakeEye, told: Told
):
    news.want(("a",), None)

    assert told.next() == (("a",), False)


def test_a_look_that_fails_does_not_end_the_news(news: News, eye: FakeEye, told: Told):
    news.want(("a",), eye.look(("a",)))
    eye.fails = True
    news.ring()
    eye.wait_for_looks(2)

    eye.fails = False
    eye.state["a"] = "2"
    news.ring()

    assert told.next() == (("a",), False)


def test_without_events_it_looks_by_itself(news: News, eye: FakeEye, told: Told):
    eye.wait_seconds = 0.01
    news.want(("a",), eye.look(("a",)))
    eye.wait_for_looks(2)

    eye.state["a"] = "2"

    assert told.next() == (("a",), False)


def test_stopping_ends_the_thread(eye: FakeEye, told: Told):
    news = News(eye, told, PAUSE)
    news.want(("a",), eye.look(("a",)))

    news.stop()

    assert not [thread for thread in threading.enumerate() if thread.name == "news"]
