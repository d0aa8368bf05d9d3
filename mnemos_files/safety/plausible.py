"""Is a value a real secret, or does it only stand where one would? Pure."""

import math
import re
from collections import Counter

_FILLER = re.compile(
    r"example|sample|dummy|placeholder|redacted|masked|hidden|change[-_ ]?me|change[-_ ]?this|"
    r"replace|insert|enter|your|todo|fixme|fake|notreal|"
    r"pass(?:word|wd|phrase|code)?|passwort|secret|token|api[-_]?key|access|credential|"
    r"key|value|here|none|null|nil|undefined|string|required|optional|default|admin|root|guest|"
    r"user|test|foo|bar|baz|qwerty|(?:my|the|a|some|with|this|to|set|use|be|me|it)(?![a-z0-9])|"
    r"x{3,}|\*{2,}|\.{2,}|…|_{3,}|-{3,}|0{4,}|1{4,}",
    re.IGNORECASE,
)
"""Words that stand in for a value; what is left beside them decides."""

_FILLER_REST = 6
"""Letters and digits [1] beside fillers from which a value may be real."""

_REFERENCE = re.compile(
    r"""[$<{\[(%@#&!|>^]                # a variable, a tag, a template, a YAML tag
    | \\?["'`]*\#?[{$<]
    | (?:https?|file|op|vault|ref|arn|urn|sops|keyring|env|data|ssm|awssm|secretsmanager|gcpsm)[:+]
    | (?:\.{0,2}|~)/                    # a path
    | (?:process|import|os|self|this|config|settings|secrets|env|ctx|req|request|app|args|opts?|
         options|params|props|state|data|vars?|var|local|module|context|input|form|user|
         sys|System|Deno|Bun|ENV|cfg|conf|client|session|response|res|body|headers?|kwargs)(?:\.|\[|\()
    | [A-Za-z_][\w.]*\(                 # a call
    | [A-Za-z_]\w*\[                    # an element
    | ssh-\w+ | ecdsa- | AAAA[A-Z]3Nz | age1[a-z0-9]+$ | (?i:sha)\d+[-:] | h1: | md5[-:]
    | [\w.+-]+@[\w-]+\.\w+$             # a mail address
    | \d{4}-\d\d-\d\d
    | v?\d+(?:\.\d+)+(?:[-+]\w+)?$      # a version
    """,
    re.VERBOSE,
)
"""Values that name a place where the secret is, or something that is none."""

_FILE = re.compile(
    r".*\.(?:txt|pem|key|crt|cert|json|ya?ml|toml|env|md|py|js|ts|go|rs|sh|ini|cfg|conf|log|html?|"
    r"com|org|net|io|dev|local|gpg|enc|pub|kdbx|p12|pfx|jks)(?:[:/]\S*)?$",
    re.IGNORECASE,
)
_TECHNICAL = re.compile(
    r"(?:sha|md|argon|bcrypt|scrypt|pbkdf|utf|base|oauth|[hrep]s|ed|x|p|aes|rsa|v|varchar|n?var|char|"
    r"u?int|float|string|text|step|line|page|section|figure|chapter|issue|min|max|level|len|length|"
    r"latin|iso|rfc|http|tls|ssl|totp|hotp|web|python|py|node|area|round|part|field|col|row|slot|"
    r"phase|sprint|q|week|day|year)"
    r"[-_:]?\d+[a-z]{0,3}(?:[-_:]\w{1,8})?$|\d+[-_ ]?[a-zA-Z]+$|[A-Z]{2,8}-\d+$",
    re.IGNORECASE,
)
_WORD = re.compile(
    r"[A-Za-z]?[a-z]{1,14}|[A-Z]{1,14}|\d{1,4}|v\d+|[a-z]{2,12}\d{1,2}|\d{1,3}[A-Za-z]{1,2}",
    re.ASCII,
)
_NAME = re.compile(r"(?:[a-z]+|v?\d{1,4})(?:[-_./:](?:[a-z]+|v?\d{1,4}))+|[A-Z]+(?:_[A-Z0-9]+)+")
"""Names as programs have them, such as ``db-main-2`` or ``DB_MAIN``."""
_CHAIN = re.compile(r"[A-Za-z_]\w{0,24}(?:\.[A-Za-z_]\w{0,40})+", re.ASCII)
"""Attributes in code, such as ``ed25519.Ed25519PrivateKey``."""
_SPLIT = re.compile(r"[-_./:\\]+")
_RUN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+|[^A-Za-z0-9]+", re.ASCII)
_UUID = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}", re.IGNORECASE)
_DASHED_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
_HEX = re.compile(r"(?:0x)?[0-9a-f]+|(?:0x)?[0-9A-F]+")
DIGEST_LENGTHS = frozenset({32, 40, 56, 64, 96, 128})
"""Hex digits [1] of MD5, SHA-1 (also git's names) and the SHA-2 digests."""
BASE64_LENGTHS = frozenset({22, 27, 43, 53, 64, 86})
"""Base64 signs [1] of the same, without padding, and of a bcrypt digest with its salt."""

_STRONG_LENGTH = 20
_LONG = 16
_SHORT = 8
_SHORTEST = 6
_LONGEST = 128
_STRONG_ENTROPY = 3.3
_LOW_ENTROPY = 2.5
_WORDY_RUN = 3.4


def is_filled(value: str) -> bool:
    """False for a placeholder of a well-known shape: an example, a row of x, words."""
    if "EXAMPLE" in value or len(set(value)) < _SHORTEST:
        return False
    return not _is_filler(value) and not is_wordy(value)


def is_password(value: str) -> bool:
    """True when this may be a password that a person or a program chose."""
    if not _SHORTEST <= len(value) <= _LONGEST or is_nothing(value) or _NAME.fullmatch(value):
        return False
    inner = value.strip("!?.,:;-_/…")
    marks = sum(not (c.isalnum() or c in "-_./: '\u2019,()[]{}<>|\\\"=+") for c in inner)
    letters = any(c.isalpha() for c in inner)
    return letters and (any(c.isdigit() for c in inner) or bool(marks))


def is_token(value: str) -> bool:
    """True when a machine made this: mixed signs, long, no words."""
    if len(value) < _SHORT or is_nothing(value) or is_wordy(value):
        return False
    classes = _classes(value)
    if len(value) < _LONG:
        return classes >= {"lower", "upper", "digit"} and len(_RUN.findall(value)) > _SHORTEST - 2
    return (
        "digit" in classes and len(classes) > 1 and entropy(value) >= _LOW_ENTROPY
    ) or _is_letters_only_random(value)


def is_random(value: str) -> bool:
    """True when this is a secret even where only a word nearby says so."""
    if len(value) < _STRONG_LENGTH or not _classes(value) >= {"lower", "upper", "digit"}:
        return False
    if is_nothing(value) or is_wordy(value):
        return False
    return entropy(value) >= _STRONG_ENTROPY


def is_digest(value: str) -> bool:
    """True for hex digits of the length of a digest."""
    bare = value.removeprefix("0x")
    return len(bare) in DIGEST_LENGTHS and _HEX.fullmatch(bare) is not None


def is_base64_digest(value: str) -> bool:
    """True for base64 of the length of a digest, or of bcrypt's."""
    return len(value.rstrip("=")) in BASE64_LENGTHS


def is_wordy(value: str) -> bool:
    """True for names made of words, such as ``my-app-token`` or ``parseTokenValue``."""
    parts = [part for part in _SPLIT.split(value) if part]
    if _CHAIN.fullmatch(value) and len(parts[-1]) >= _SHORTEST and _is_camel(parts[-1]):
        return True
    if len(parts) > 1:
        return all(_WORD.fullmatch(part) or _is_camel(part) for part in parts)
    return _is_camel(value)


def entropy(value: str) -> float:
    """Shannon entropy [bits per character]."""
    total = len(value)
    return -sum(n / total * math.log2(n / total) for n in Counter(value).values())


def is_nothing(value: str) -> bool:
    """True for a reference, a placeholder, an id, a file name, a technical word."""
    return (
        _REFERENCE.match(value) is not None
        or "EXAMPLE" in value
        or _is_filler(value)
        or _FILE.match(value) is not None
        or _TECHNICAL.match(value) is not None
        or _DASHED_UUID.fullmatch(value) is not None
        or _ULID.fullmatch(value) is not None
    )


def _is_filler(value: str) -> bool:
    rest, count = _FILLER.subn("", value)
    return bool(count) and sum(c.isalnum() for c in rest) < _FILLER_REST


def _is_camel(value: str) -> bool:
    """True for one word, or several of at least some length written together."""
    runs = _RUN.findall(value)
    if any(not run[0].isalnum() for run in runs) or not value.isascii():
        return False
    words = [run for run in runs if not run.isdigit()]
    if len(runs) - len(words) > 1 or not words:
        return not words
    if len(words) == 1 and len(runs) > 1:
        return False
    return sum(map(len, words)) / len(words) >= _WORDY_RUN


def _is_letters_only_random(value: str) -> bool:
    runs = _RUN.findall(value)
    return value.isalpha() and value.isascii() and len(value) / max(len(runs), 1) < _WORDY_RUN


def _classes(value: str) -> set[str]:
    found = set()
    for name, test in (("lower", str.islower), ("upper", str.isupper), ("digit", str.isdigit)):
        if any(map(test, value)):
            found.add(name)
    if not value.isalnum():
        found.add("mark")
    return found
