"""Personal data in a text: marked so that a person can look, never refused. Pure."""

import re
from collections.abc import Callable, Mapping

from mnemos_files.safety.national_ids import NATIONAL_IDS, NationalId

_WORD_NEAR = 40
"""Characters [1] before a number in which a word may say what it is."""
_USER_MAX = 66
"""Characters [1] of the longest name before an @, and one more on either side."""
_NUMBER = re.compile(r"\d[\dA-Z .()/+-]{6,60}+", re.ASCII)

_HOST = re.compile(r"@(?P<host>(?:[\w-]{1,63}\.){1,6}(?P<top>[A-Za-z]{2,24}))(?![\w@(-]|:[\w/~])")
_USER = re.compile(r"(?:(?<![\w.%+/:@-])|(?<=mailto:))[\w.%+-]{1,64}$")
_RESERVED_HOST = re.compile(
    r"(?:^|\.)(?:example\.(?:com|org|net|edu)|example|test|invalid|localhost|local|internal|lan|"
    r"noreply\.github\.com|noreply\.\w+\.\w+)$",
    re.IGNORECASE,
)
"""Names that RFC 2606 and RFC 6762 reserve, and the addresses that forges make up."""
_NO_PERSON = re.compile(r"(?:no-?reply|do-?not-?reply|git|root|ubuntu|ec2-user|user|you|me)$", re.I)
_NO_DOMAIN = re.compile(
    r"(?:png|jpe?g|gif|svg|webp|ico|pdf|md|py|[jt]sx?|json|ya?ml|toml|s?css|html|rs|go|java|rb|sh|"
    r"service|socket|timer|target|mount|lock|txt|csv|zip|gz|whl|so|dll|exe)$",
    re.IGNORECASE,
)
_PHONE = re.compile(r"(?<![\w+.,/-])\+[1-9](?:[ ()./-]{0,2}\d){8,14}(?![\w/]|[.,-]\d)", re.ASCII)
_US_PHONE = re.compile(
    r"(?<![\w+.,/-])(?:\([2-9]\d\d\) ?|[2-9]\d\d-)(?P<exchange>[2-9]\d\d)-(?P<line>\d{4})"
    r"(?![\w/]|[.,-]\d)",
    re.ASCII,
)
_LOCAL_PHONE = re.compile(
    r"(?:\btel(?:efon|efono|ephone)?|\bphone|\bmobile|\bmobil|\bcell|\bhandy|\bfax|\bwhatsapp|"
    r"\bcall|\bt[ée]l|\bm[óo]vil|电话|電話)\w{0,8}[^\w\n]{1,6}(?:\w{2,10}[^\w\n]{1,3}){0,2}?"
    r"(?P<number>\(?0\d(?:[ ()/-]{0,2}\d){6,12})(?![\w/]|[.,-]\d)",
    re.IGNORECASE,
)
_CARD = re.compile(
    r"(?<![\w.,+/-])(?:\d{4}([ -]?)\d{4}\1\d{4}\1\d{1,7}|3\d{3}([ -]?)\d{6}\2\d{4,5})"
    r"(?![\w/]|[.,-]\d)",
    re.ASCII,
)
_BRAND = re.compile(
    r"4\d{12}(?:\d{3}){0,2}|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}|"
    r"3[47]\d{13}|(?:6011|65\d\d|64[4-9]\d)\d{12}|35\d{14}|3(?:0[0-5]|[68]\d)\d{11}|62\d{14,17}"
)
"""First digits and lengths of the brands: Visa, Mastercard, American Express, and so on."""
_IBAN = re.compile(
    r"(?<![\w.+/-])[A-Z]{2}\d\d(?:[ ]?[A-Z0-9]{4}){2,7}(?:[ ]?[A-Z0-9]{1,3})?(?![\w/])", re.ASCII
)
_IBAN_LENGTHS: Mapping[str, int] = {
    country: length
    for length, countries in {
        15: "NO", 16: "BE", 18: "DK FO FI GL NL SD", 19: "MK SI", 20: "AT BA EE KZ LT LU MN XK",
        21: "CH HR LI LV", 22: "BG BH CR DE GB GE IE ME RS VA", 23: "AE GI IL IQ OM SO TL",
        24: "AD CZ ES MD PK RO SA SE SK TN VG", 25: "LY PT ST", 26: "IS TR",
        27: "BI DJ FR GR IT MC MR SM", 28: "AL AZ BY CY DO GT HU LB NI PL SV", 29: "BR EG PS QA UA",
        30: "JO KW MU YE", 31: "MT SC", 32: "LC", 33: "RU",
    }.items()
    for country in countries.split()
}  # fmt: skip
"""Characters [1] of an IBAN by country, from the SWIFT registry."""


def personal_data(text: str) -> tuple[str, ...]:
    """Kinds of personal data in a text, each once: mail first, then numbers by their table."""
    numbers = _around_numbers(text)
    found = ["email"] if _has_mail(text) else []
    if numbers:
        found += [kind for kind, test in NUMBERS.items() if test(numbers)]
        found += [row.kind for row in NATIONAL_IDS if _has_id(row, numbers)]
    return tuple(dict.fromkeys(found))


def _around_numbers(text: str) -> str:
    """The parts of a text in which long numbers stand, one a line; "" without any."""
    parts: list[list[int]] = []
    for match in _NUMBER.finditer(text):
        start, end = max(0, match.start() - _WORD_NEAR), match.end() + 2
        if parts and start <= parts[-1][1]:
            parts[-1][1] = end
        else:
            parts.append([start, end])
    return "\n".join(text[start:end] for start, end in parts)


def _has_id(row: NationalId, text: str) -> bool:
    for match in row.pattern.finditer(text):
        before = text[max(0, match.start() - _WORD_NEAR) : match.start()].rpartition("\n")[2]
        if row.word.search(before) and row.check(match[0]):
            return True
    return False


def _has_mail(text: str) -> bool:
    if "@" not in text:
        return False
    for match in _HOST.finditer(text):
        user = _USER.search(text[max(0, match.start() - _USER_MAX) : match.start()])
        if user and _is_person(user[0], match["host"], match["top"]):
            return True
    return False


def _is_person(user: str, host: str, top: str) -> bool:
    is_made_up = _RESERVED_HOST.search(host) or _NO_DOMAIN.match(top)
    return not is_made_up and not _NO_PERSON.match(user)


def _has_phone(text: str) -> bool:
    if _PHONE.search(text) or _LOCAL_PHONE.search(text):
        return True
    # 555-0100 to 555-0199 are kept free for films and examples.
    return any(
        match["exchange"] != "555" or not match["line"].startswith("01")
        for match in _US_PHONE.finditer(text)
    )


def _has_card(text: str) -> bool:
    for match in _CARD.finditer(text):
        digits = match[0].replace(" ", "").replace("-", "")
        if _BRAND.fullmatch(digits) and _luhn(digits):
            return True
    return False


def _luhn(digits: str) -> bool:
    """ISO/IEC 7812: every second digit from the right counts double."""
    values = [int(c) for c in reversed(digits)]
    return sum(values[::2] + [sum(divmod(2 * v, 10)) for v in values[1::2]]) % 10 == 0


def _has_iban(text: str) -> bool:
    return any(_is_iban(match[0].replace(" ", "")) for match in _IBAN.finditer(text))


def _is_iban(bare: str) -> bool:
    """ISO 13616: as a number, with the first four at the end, it leaves 1 when divided by 97."""
    length = _IBAN_LENGTHS.get(bare[:2], 0)
    if not length or len(bare) < length:
        return False
    bare = bare[:length]
    return int("".join(str(int(c, 36)) for c in bare[4:] + bare[:4])) % 97 == 1


NUMBERS: Mapping[str, Callable[[str], bool]] = {
    "phone": _has_phone,
    "card": _has_card,
    "iban": _has_iban,
}
"""What is looked for beside the numbers of states, which are a table of their own."""
