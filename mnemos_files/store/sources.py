"""What a store asks of the world around it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Sources:
    """Where time and fresh ids come from, and whether a process of this machine lives."""

    clock: Callable[[], datetime]
    make_id: Callable[[datetime], str]
    is_running: Callable[[int], bool]
