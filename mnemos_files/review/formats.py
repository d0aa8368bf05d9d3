"""The formats of a review, one row each."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from mnemos_files.review.as_data import as_commands, as_json, as_sarif
from mnemos_files.review.as_text import as_text
from mnemos_files.review.markdown import as_markdown
from mnemos_files.review.values import Review

FORMATS: Mapping[str, Callable[[Review], str]] = MappingProxyType(
    {
        "text": as_text,
        "markdown": as_markdown,
        "json": as_json,
        "github": as_commands,
        "sarif": as_sarif,
    }
)
"""Every format: for people, a pull request, programs, a workflow's annotations, code scanning."""
