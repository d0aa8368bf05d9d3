"""The page of a vault as one HTML file that needs nothing else: no network, no other file."""

import base64
from functools import cache
from hashlib import sha256
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined

from mnemos_files.report.page_file import GENERATOR
from mnemos_files.report.page_values import Page

_TEMPLATES = files("mnemos_files.report") / "templates"
_POLICY = (
    "default-src 'none'; style-src '{style}'; script-src '{script}'; base-uri 'none'; "
    "form-action 'none'"
)


def render(page: Page) -> str:
    """The page as HTML. The same page gives the same text.

    Only our own style and script may run in it: the policy names them by their digests.
    """
    style, script = _source("page.css"), _source("page.js")
    policy = _POLICY.format(style=_hash(style), script=_hash(script))
    template = _environment().get_template("page.html")
    text = template.render(
        page=page, style=style, script=script, policy=policy, generator=GENERATOR
    )
    return text.lstrip()


@cache
def _environment() -> Environment:
    """Templates of this package, in which every text is escaped."""
    return Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _source(name: str) -> str:
    return (_TEMPLATES / name).read_text("utf-8")


def _hash(text: str) -> str:
    """How a content security policy names an inline text (CSP level 3, section 2.3.1)."""
    digest = base64.b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii")
    return f"sha256-{digest}"
