"""Secrets that their shape alone gives away. Pure."""

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from mnemos_files.safety.plausible import is_filled, is_nothing, is_password, is_token
from mnemos_files.safety.token_table import ROWS

Found = tuple[str, int, int]
"""Kind, start and end."""

SHORTEST = 16
"""Characters [1] of the shortest word that may hold a token."""

_FIXED = frozenset({"aws-key-id", "azure-key", "azure-sas", "jwt"})
"""Kinds whose shape no words have."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of token; one of the `markers` stands in each of them."""

    kind: str
    markers: tuple[str, ...]
    source: str

    @property
    def pattern(self) -> re.Pattern[str]:
        """The shape, compiled when a text first needs it: all of them would cost a start 50 ms."""
        return _compiled(self.source)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.ASCII)


SHAPES = tuple(Shape(kind, tuple(markers.split()), source) for kind, markers, source in ROWS)

KINDS = frozenset(
    {
        *(shape.kind for shape in SHAPES),
        "private-key",
        "connection-string",
        "address-with-password",
        "authorization-header",
        "login",
    }
)

_KEY_BLOCK = re.compile(
    r"-----BEGIN (?P<kind>[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----"
    r"(?P<body>(?:(?!-----)[\s\S]){0,20000}+)"
    r"(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?"
)
_KEY_LINE = re.compile(r"[A-Za-z0-9+/=]{24,}")
_PUTTY_KEY = re.compile(r"Private-Lines: \d{1,4}\s+(?:[A-Za-z0-9+/=]{16,}\s*){1,200}")
_ADDRESS = re.compile(
    r"://(?P<user>[^\s\"'<>`/?#@:]{0,128}):(?P<password>[^\s\"'<>`/?#]{1,256})@(?=[\w\[])"
)
_DATABASE = re.compile(
    r"(?:postgres|mysql|mariadb|mongodb|redis|amqp|mssql|sqlserver|oracle|clickhouse|cockroach|"
    r"cassandra|couchdb|neo4j|bolt|kafka|nats|ldap|smtp|jdbc|snowflake|db2|influx|elastic|rabbit)"
    r"[a-z0-9+.:]{0,20}$",
    re.IGNORECASE,
)
_TRIVIAL = re.compile(
    r"(?:pass(?:word|wd|phrase)?|passwort|pwd?|pw|secret|token|key|user|username|admin|root|guest|"
    r"postgres|mysql|test|dev|demo|example|anonymous|credentials?|api[-_]?key|x+|\*+|\.+|-+|…|1234|"
    r"12345|123456|changeme|my[-_]?\w+|your[-_]?\w+|some[-_]?\w+|[A-Z_]+)$",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"\b(?P<scheme>bearer|basic|token|apikey)[ \t]{1,4}[\"'`]?"
    r"(?P<value>[a-z0-9._~+/=-]{8,4096}+)",
)
_LOGIN = re.compile(r"(?:\s-u|--user)[ =][\"']?[\w.@-]{1,64}:(?P<password>[^\s\"'`]{4,128}+)")


def shaped_secrets(text: str, dense: str) -> Iterator[Found]:
    """Private keys, tokens of services, addresses with a password, authorisation headers.

    ``dense`` holds the words of the text from `SHORTEST` characters on.
    """
    if "PRIVATE KEY" in text or "Private-Lines" in text:
        yield from _keys(text)
    yield from _tokens(text, dense)
    if "@" in text and "://" in text:
        yield from _addresses(text)
    yield from _headers(text)


def _keys(text: str) -> Iterator[Found]:
    for match in _KEY_BLOCK.finditer(text):
        if _KEY_LINE.search(match["body"]):
            yield "private-key", match.start(), match.end()
    for match in _PUTTY_KEY.finditer(text):
        yield "private-key", match.start(), match.end()


def _tokens(text: str, dense: str) -> Iterator[Found]:
    for shape in SHAPES if dense else ():
        if any(marker in dense for marker in shape.markers) and shape.pattern.search(dense):
            yield from _of_shape(shape, text)


def _of_shape(shape: Shape, text: str) -> Iterator[Found]:
    for match in shape.pattern.finditer(text):
        start = match.start()
        value = match[0].rstrip(".")
        before = text[start - 1 : start]
        if before.isascii() and before.isalnum():
            continue
        if "EXAMPLE" not in value and (shape.kind in _FIXED or is_filled(value)):
            yield shape.kind, start, start + len(value)


def _addresses(text: str) -> Iterator[Found]:
    for match in _ADDRESS.finditer(text):
        password = match["password"]
        if password == match["user"] or _TRIVIAL.match(password) or is_nothing(password):
            continue
        scheme = text[max(0, match.start() - 24) : match.start()]
        kind = "connection-string" if _DATABASE.search(scheme) else "address-with-password"
        yield kind, *match.span("password")


def _headers(text: str) -> Iterator[Found]:
    # The one letter whose lower case is longer; without it every place stays where it is.
    lowered = text.replace("\u0130", "I").lower()
    if "authorization" in lowered or "bearer " in lowered:
        for match in _HEADER.finditer(lowered):
            value = text[match.start("value") : match.end("value")]
            if _is_credential(match["scheme"], value):
                yield "authorization-header", *match.span("value")
    if " -u" in text or "--user" in text:
        for match in _LOGIN.finditer(text):
            if is_password(match["password"]):
                yield "login", *match.span("password")


def _is_credential(scheme: str, value: str) -> bool:
    if scheme != "basic":
        return len(value) >= SHORTEST and is_token(value)
    try:
        user, colon, password = base64.b64decode(value, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return False
    is_real = not _TRIVIAL.match(password) and not is_nothing(password)
    return bool(colon and user) and is_real
