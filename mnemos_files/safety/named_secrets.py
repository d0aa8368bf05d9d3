"""Values that a word beside them makes secrets: passwords, keys, tokens. Pure."""

import re
from collections.abc import Callable, Iterator

from mnemos_files.safety.plausible import (
    is_base64_digest,
    is_digest,
    is_password,
    is_random,
    is_token,
)

Found = tuple[str, int, int]
"""Kind, start and end."""

_STEMS = (
    "pass", "pwd", "kennwort", "contrase", "mot de passe", "senha", "парол", "密码", "密碼",
    "パスワード", "비밀번호", "secret", "token", "credential", "key", "geheim",
)  # fmt: skip
_WORD = re.compile(
    r"(?P<password>pass(?:word|wd|phrase|code|wort)?|pwd|kennwort|contrase[ñn]a|mot de passe|senha|"
    r"парол[ья]|密码|密碼|パスワード|비밀번호)|(?P<secret>secret|geheimnis)|(?P<token>token)|"
    r"(?P<credential>credential)|(?P<key>key)",
)
_REST = re.compile(
    r"""
    (?P<suffix>[A-Za-z0-9_-]{0,24}+)
    ["'`*_)\]]{0,4}+
    (?:[ ](?:for|of|to|on|in|at|from|used[ ]by|für|von|pour|de)[ ]
       [^\n:=|]{1,48}?(?=[ ]?(?:[:=]|[ ]is[ ])))?
    (?:[ ]?[:?]{1,2}[ ]?[A-Za-z][\w.\[\]|]{0,30}+(?=[ ]?=))?
    [ \t]{0,8}+
    (?P<sep>=>|:=|={1,3}|:|->|→|\uff1a|\uff1d|\||>|,|\(|(?:["'][ ])?value[ ]?=|
       (?:is|was|are|lautet|ist|est|es|è|は|是|为)(?=[ \t:\uff1a"'`])[ ]?[:\uff1a]?|)
    [*_)\]]{0,2}+
    [ \t]{0,20}+ (?:\r?\n[ \t]{1,20}+)?
    (?P<open>\\?["'`]|\*{1,2}|)
    (?P<value>[^\s"'`<>|;,]{4,256}+)
    """,
    re.VERBOSE,
)
_DIGEST_WORD = re.compile(
    r"sha-?\d|md5|hash|digest|checksum|fingerprint|commit|integrity|etag|revision|blob|\btree\b|"
    r"signature|thumbprint|\bref\b|\brev\b|\bh1:|\$argon|\$2[abxy]\$|\$[1567y]\$|pbkdf2",
    re.IGNORECASE,
)
_NOT_VALUE = re.compile(
    r"hash|sha\d|md5|digest|fingerprint|checksum|(?:^|[-_])ids?$|Id$|type|url|uri|name|file|path|dir|"
    r"count|len|size|limit|ttl|expir|field|label|hint|policy|rule|length|arn|ref|version|format|"
    r"prefix|header|param|param|column|index|usage|max|min|budget|less|store|manager|provider|"
    r"generator|reset|strength|input|placeholder|error|message|title|help|regex|pattern|alg|mgr|realm|context|mapping|translate",
    re.IGNORECASE,
)
_KEY_OF = (
    "api", "access", "secret", "private", "auth", "authentication", "authorization", "signing",
    "encryption", "decryption", "master", "account", "license", "licence", "service", "admin",
    "deploy", "webhook", "session", "subscription", "shared", "app", "application", "client",
    "consumer", "bot", "hmac", "aes", "jwt", "crypto", "storage", "security", "server", "write",
    "integration", "ingestion", "instrumentation", "host", "maps", "fernet", "cookie",
    "recovery",
)  # fmt: skip
"""Words before `key` that make it a secret one."""
_OPEN_KEY = (
    "public", "pub", "publishable", "primary", "foreign", "sort", "partition", "cache",
    "idempotency", "object", "row", "dedup", "lookup", "s3", "group", "unique", "composite",
)  # fmt: skip
"""Words before `key` that make it one for everybody."""
_BEFORE = 64
"""Characters [1] before a word that may say what key it is."""
_EVIDENCE = re.compile(r"[0-9!@#$%^&*~+]|[a-z][A-Z]")
"""What every value has that is no word or name."""
_NESTED = 8
"""Words [1] within one value that are looked at: an address may hold some, a flood of them not."""
_AFTER = 24
"""Characters [1] after a value that may say what it is."""
KINDS = frozenset({"password", "secret", "token", "credential", "key", "api-key", "high-entropy"})
_NEAR = 60
"""Characters [1] between a word and a value that stands beside it."""

_LONG_WORD = re.compile(r"(?<![A-Za-z0-9+/_=.~-])[A-Za-z0-9+/_=.~-]{20,256}+(?![A-Za-z0-9+/_=.~-])")
_BESIDE = re.compile(
    r"pass(?:word|wd|phrase|code|wort)|\bpwd\b|kennwort|contrase[ñn]a|secret|token|credential|"
    r"(?<![a-z])key(?![a-z])|api_?key|парол|密码|パスワード",
    re.IGNORECASE,
)


def named_secrets(text: str, dense: str) -> Iterator[Found]:
    """Values that are assigned to such a word, and random ones beside one.

    ``dense`` holds the long words of the text.
    """
    # The one letter whose lower case is longer; without it every place stays where it is.
    lowered = text.replace("\u0130", "I").lower()
    words = _words(lowered)
    nested, end = 0, 0
    for word in words:
        nested = nested + 1 if word.start() < end else 0
        rest = _REST.match(text, word.end()) if nested <= _NESTED else None
        end = end if rest is None else rest.end()
        found = None if rest is None else _assigned(text, word, rest)
        if found is not None:
            yield found
    if words and any(is_random(match[0]) for match in _LONG_WORD.finditer(dense)):
        yield from _beside(text)


def _words(lowered: str) -> list[re.Match[str]]:
    """The words that make a value a secret, in the order of the text."""
    places = set()
    for stem in _STEMS:
        place = lowered.find(stem)
        while place >= 0:
            places.add(place)
            place = lowered.find(stem, place + len(stem))
    found = (_WORD.match(lowered, place) for place in sorted(places))
    return [match for match in found if match is not None]


def _assigned(text: str, word: re.Match[str], rest: re.Match[str]) -> Found | None:
    if not _EVIDENCE.search(rest["value"]) or not _is_apart(rest):
        return None
    kind = word.lastgroup or ""
    name = text[word.start() : word.end()]
    before = text[max(0, word.start() - _BEFORE) : word.start()]
    if not _is_name(kind, name, before) or not _may_follow(name, rest["suffix"]):
        return None
    value = rest["value"] if rest["open"] else _bare(rest["value"])
    judge = _judge(kind, before, rest)
    if judge is None or not judge(value) or _is_prose(text, rest):
        return None
    if _is_open_value(f"{before}{text[word.end() : rest.start('value')]}", text, rest, value):
        return None
    start = rest.start("value")
    return _kind_of(kind, before), start, start + len(value)


def _is_apart(rest: re.Match[str]) -> bool:
    """False for a value that grows out of the word, and for the next of several arguments."""
    if not rest["sep"]:
        return rest.start("value") > rest.end("suffix")
    return rest["sep"] not in (",", "(") or bool(rest["open"])


def _is_name(kind: str, name: str, before: str) -> bool:
    """False inside of another word, such as compass or monkey."""
    last = before[-1:]
    is_short = kind == "key" or name.lower() in ("pass", "pwd")
    if not is_short or not last.isalpha():
        return True
    is_hump = name[0].isupper() and last.islower()
    return is_hump or (kind == "key" and _ends(before, _KEY_OF))


def _ends(before: str, words: tuple[str, ...]) -> bool:
    """True when the text ends in one of these words, with or without a sign between."""
    return before.removesuffix(" ").rstrip("_-").lower().endswith(words)


def _may_follow(word: str, suffix: str) -> bool:
    if not suffix or suffix in ("s", "S"):
        return True
    if _NOT_VALUE.search(suffix):
        return False
    first = suffix[0]
    return not first.isalpha() or (first.isupper() and word[-1].islower())


def _judge(kind: str, before: str, rest: re.Match[str]) -> Callable[[str], bool] | None:
    """What a value must be to count, by how clearly the name speaks."""
    has_sign = bool(rest["sep"])
    if kind == "password":
        return is_password if has_sign else is_token
    if kind == "key":
        if _ends(before, _OPEN_KEY):
            return None
        if not _ends(before, _KEY_OF):
            return is_random
    return is_token if has_sign else is_random


def _is_open_value(before: str, text: str, rest: re.Match[str], value: str) -> bool:
    """True for a digest that is called so."""
    if "arn:" in before.rpartition(" ")[2]:
        return True
    after = text[rest.end("value") : rest.end("value") + _AFTER].partition("\n")[0]
    named = _DIGEST_WORD.search(before.rpartition("\n")[2]) or _DIGEST_WORD.search(after)
    if is_digest(value):
        return named is not None or not rest["sep"]
    return named is not None and is_base64_digest(value)


def _is_prose(text: str, rest: re.Match[str]) -> bool:
    """True for the first word of several between quotes."""
    return bool(rest["open"]) and text[rest.end("value") : rest.end("value") + 1].isspace()


def _kind_of(kind: str, before: str) -> str:
    if kind == "key":
        return "api-key" if before.lower().rstrip(" _-").endswith("api") else "key"
    return kind


def _bare(value: str) -> str:
    value = value.partition("&")[0] if "=" in value or "&" in value else value
    return value.rstrip(".,:)]}*\\")


def _beside(text: str) -> Iterator[Found]:
    for match in _LONG_WORD.finditer(text):
        value = match[0].rstrip(".=-")
        if is_random(value) and _has_word_near(text, match):
            yield "high-entropy", match.start(), match.end()


def _has_word_near(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - _NEAR) : match.start()].rpartition("\n")[2]
    after = text[match.end() : match.end() + _NEAR].partition("\n")[0]
    is_named = _DIGEST_WORD.search(before) or _DIGEST_WORD.search(after)
    if "base64," in before or (is_named and is_base64_digest(match[0])):
        return False
    found = list(_BESIDE.finditer(before))
    if found:
        return not _ends(before[: found[-1].start()], _OPEN_KEY)
    return _BESIDE.search(after) is not None
