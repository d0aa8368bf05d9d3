"""Values that a word beside them makes secrets: passwords, keys, tokens. Pure."""

import re
from collections.abc import Callable, Iterator

from mnemos_files.safety.plausible import is_digest, is_password, is_random, is_token

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
    re.IGNORECASE,
)
_REST = re.compile(
    r"""
    (?P<suffix>[A-Za-z0-9_-]{0,24}+)
    ["'`*_)\]]{0,4}+
    (?:[ ](?:for|of|to|on|in|at|from|used[ ]by|für|von|pour|de)[ ]
       [^\n:=|]{1,48}?(?=[ ]?(?:[:=]|[ ]is[ ])))?
    (?:[ ]?[:?]{1,2}[ ]?[A-Za-z][\w.\[\]|]{0,30}+(?=[ ]?=))?
    [ \t]{0,8}+
    (?P<sep>=>|:=|={1,3}|:|->|→|:|=|\||>|,|\(|(?:["'][ ])?value[ ]?=|
       (?:is|was|are|lautet|ist|est|es|è|は|是|为)(?=[ \t:"'`])|)
    ["'`*_)\]]{0,2}+
    [ \t]{0,20}+ (?:\r?\n[ \t]{1,20}+)?
    (?P<open>\\?["'`]|\*{1,2}|)
    (?P<value>[^\s"'`<>|;,]{4,512}+|(?<=")[^"\n\\]{4,128}+(?=")|(?<=')[^'\n\\]{4,128}+(?='))
    """,
    re.VERBOSE,
)
_DIGEST_WORD = re.compile(
    r"sha-?\d|md5|hash|digest|checksum|fingerprint|commit|integrity|etag|revision|blob|\btree\b|"
    r"signature|thumbprint|\bref\b|\brev\b",
    re.IGNORECASE,
)
_NOT_VALUE = re.compile(
    r"hash|sha\d|md5|digest|fingerprint|checksum|(?:^|[-_])ids?$|Id$|type|url|uri|name|file|path|dir|"
    r"count|len|size|limit|ttl|expir|field|label|hint|policy|rule|length|arn|ref|version|format|"
    r"prefix|header|param|param|column|index|usage|max|min|budget|less|store|manager|provider|"
    r"generator|reset|strength|input|placeholder|error|message|title|help|regex|pattern|alg",
    re.IGNORECASE,
)
_KEY_OF = re.compile(
    r"(?:api|access|secret|private|auth|authentication|authorization|signing|encryption|master|"
    r"account|license|licence|service|admin|deploy|webhook|session|subscription|shared|app|"
    r"application|client|consumer|bot|hmac|aes|jwt|crypto|storage|security|server|write|integration|"
    r"ingestion|instrumentation|license|host|x-api|maps|fernet|cookie|recovery|decryption)[ _-]?$",
    re.IGNORECASE,
)
_OPEN_KEY = re.compile(
    r"(?:public|pub|publishable|primary|foreign|sort|partition|cache|idempotency|object|row|dedup|"
    r"lookup|storage[ _-]object|s3|group|unique|composite|ssh-\w+)[ _-]?$",
    re.IGNORECASE,
)
_BEFORE = 32
"""Characters [1] before a word that may say what key it is."""
_NEAR = 60
"""Characters [1] between a word and a value that stands beside it."""

_LONG_WORD = re.compile(r"(?<![A-Za-z0-9+/_=.~-])[A-Za-z0-9+/_=.~-]{20,256}+(?![A-Za-z0-9+/_=.~-])")
_BESIDE = re.compile(
    r"pass(?:word|wd|phrase|code|wort)|\bpwd\b|kennwort|contrase[ñn]a|secret|token|credential|"
    r"(?<![a-z])key(?![a-z])|api_?key|парол|密码|パスワード",
    re.IGNORECASE,
)


def named_secrets(text: str) -> Iterator[Found]:
    """Values that are assigned to such a word, and random ones beside one."""
    lowered = text.lower()
    if not any(stem in lowered for stem in _STEMS):
        return
    for match in _WORD.finditer(text):
        found = _assigned(text, match)
        if found is not None:
            yield found
    yield from _beside(text)


def _assigned(text: str, word: re.Match[str]) -> Found | None:
    kind = word.lastgroup or ""
    before = text[max(0, word.start() - _BEFORE) : word.start()]
    if not _is_name(kind, word, before):
        return None
    rest = _REST.match(text, word.end())
    if rest is None or not _may_follow(word[0], rest["suffix"]):
        return None
    value = rest["value"] if rest["open"] else _bare(rest["value"])
    judge = _judge(kind, before, rest)
    if judge is None or not judge(value) or _is_open_value(before, text, word, rest, value):
        return None
    start = rest.start("value")
    return _kind_of(kind, before), start, start + len(value)


def _is_name(kind: str, word: re.Match[str], before: str) -> bool:
    """False inside of another word, such as compass or monkey."""
    last = before[-1:]
    is_short = kind == "key" or word[0].lower() in ("pass", "pwd")
    if not is_short or not last.isalpha():
        return True
    is_hump = word[0][0].isupper() and last.islower()
    return is_hump or (kind == "key" and _KEY_OF.search(before) is not None)


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
        if _OPEN_KEY.search(before):
            return None
        if not _KEY_OF.search(before):
            return is_random
    return is_token if has_sign else is_random


def _is_open_value(
    before: str, text: str, word: re.Match[str], rest: re.Match[str], value: str
) -> bool:
    """True for a digest that is called so."""
    around = before.rpartition("\n")[2] + text[word.end() : rest.start("value")]
    around += text[rest.end("value") : rest.end("value") + 24].partition("\n")[0]
    named = _DIGEST_WORD.search(around) is not None
    if is_digest(value):
        return named or not rest["sep"]
    return named and not any(c in value for c in "!@#$%^&*")


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
    if _DIGEST_WORD.search(before) or _DIGEST_WORD.search(after) or "base64," in before:
        return False
    found = list(_BESIDE.finditer(before))
    if found:
        return not _OPEN_KEY.search(before[: found[-1].start()])
    return _BESIDE.search(after) is not None
