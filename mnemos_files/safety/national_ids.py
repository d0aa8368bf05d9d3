"""Numbers that a state gave a person, by their check digits. Pure.

Sources: the rules that the issuing authorities publish; where a number is digits only, chance
would meet its check too often, so that a word must stand before it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cache


@dataclass(frozen=True, slots=True)
class NationalId:
    """A kind of number: its shape, its check, and the word that must stand before it if any."""

    kind: str
    source: str
    check: Callable[[str], bool]
    before: str = ""

    @property
    def pattern(self) -> re.Pattern[str]:
        """The shape of the number, compiled when a text first needs it."""
        return _bounded(self.source)

    @property
    def word(self) -> re.Pattern[str]:
        """The word that must stand before; it fits every text when none must."""
        return _word(self.before)


@cache
def _bounded(source: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.,+/-])(?:{source})(?![\w/]|[.,-]\d)", re.ASCII)


@cache
def _word(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)


def _digits(text: str) -> list[int]:
    return [int(c) for c in text if c.isdigit()]


def _german_tax_id(text: str) -> bool:
    """ISO 7064 MOD 11,10; of the first ten digits one comes two or three times."""
    digits = _digits(text)
    most = max(digits[:10].count(d) for d in digits[:10])
    product = 10
    for digit in digits[:10]:
        product = ((digit + product) % 10 or 10) * 2 % 11
    return most in (2, 3) and (11 - product) % 10 == digits[10]


def _french_nir(text: str) -> bool:
    """97 minus the rest of the first thirteen; Corsica counts as 19 and 18."""
    bare = re.sub(r"[ .-]", "", text).replace("2A", "19").replace("2B", "18")
    return 97 - int(bare[:13]) % 97 == int(bare[13:])


def _spanish_dni(text: str) -> bool:
    bare = text.replace("-", "").replace(" ", "")
    number = bare[:-1].replace("X", "0").replace("Y", "1").replace("Z", "2")
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23] == bare[-1]


_ODD = (
    1,
    0,
    5,
    7,
    9,
    13,
    15,
    17,
    19,
    21,
    2,
    4,
    18,
    20,
    11,
    3,
    6,
    8,
    12,
    14,
    16,
    10,
    22,
    25,
    24,
    23,
)
"""What a letter at an odd place adds to the check of a codice fiscale; a digit adds as A to J."""


def _italian_code(text: str) -> bool:
    places = [ord(c) - 48 if c.isdigit() else ord(c) - 65 for c in text]
    total = sum(_ODD[p] if i % 2 == 0 else p for i, p in enumerate(places[:15]))
    return total % 26 == places[15]


def _pesel(text: str) -> bool:
    digits = _digits(text)
    weights = (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)
    century = {0: 1900, 2: 2000, 4: 2100, 6: 2200, 8: 1800}[digits[2] // 2 * 2]
    month = digits[2] % 2 * 10 + digits[3]
    return sum(map(int.__mul__, digits, weights)) % 10 == 0 and _is_day(
        century + digits[0] * 10 + digits[1], month, digits[4] * 10 + digits[5]
    )


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _dutch_bsn(text: str) -> bool:
    digits = _digits(text)
    weights = (9, 8, 7, 6, 5, 4, 3, 2, -1)
    return any(digits) and sum(map(int.__mul__, digits, weights)) % 11 == 0


def _brazilian_cpf(text: str) -> bool:
    digits = _digits(text)
    if len(set(digits)) == 1:
        return False
    for place in (9, 10):
        total = sum(d * (place + 1 - i) for i, d in enumerate(digits[:place]))
        if total * 10 % 11 % 10 != digits[place]:
            return False
    return True


def _always(_text: str) -> bool:
    return True


_NINO_LETTERS = r"(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]"
_MONTH_LETTER = "[ABCDEHLMPRST]"

NATIONAL_IDS = (
    NationalId(
        "de-tax-id",
        r"[1-9]\d(?: ?\d{3}){3}",
        _german_tax_id,
        r"steuer|id-?nr|tax[ -]?id|\btin\b|identifikationsnummer",
    ),
    NationalId(
        "fr-nir",
        r"[12][ .-]?\d\d[ .-]?(?:0[1-9]|1[0-2]|[2-9]\d)[ .-]?(?:\d\d|2[AB])"
        r"[ .-]?\d{3}[ .-]?\d{3}[ .-]?\d\d",
        _french_nir,
    ),
    NationalId("es-dni", r"(?:\d{8}|[XYZ]-?\d{7})-?[TRWAGMYFPDXBNJZSQVHLCKE]", _spanish_dni),
    NationalId(
        "it-codice-fiscale",
        rf"[A-Z]{{6}}\d\d{_MONTH_LETTER}[0-7]\d[A-Z]\d{{3}}[A-Z]",
        _italian_code,
    ),
    NationalId("pl-pesel", r"\d{11}", _pesel, "pesel"),
    NationalId("nl-bsn", r"\d{4}\.?\d{2}\.?\d{3}", _dutch_bsn, r"\bbsn\b|burgerservice|sofi"),
    NationalId("uk-nino", rf"{_NINO_LETTERS} \d\d \d\d \d\d [A-D]", _always),
    NationalId(
        "uk-nino",
        rf"{_NINO_LETTERS}\d{{6}}[A-D]",
        _always,
        r"national insurance|nino|\bni\b|insurance",
    ),
    NationalId("us-ssn", r"(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}", _always),
    NationalId(
        "us-ssn", r"(?!000|666|9)\d{3} ?(?!00)\d\d ?(?!0000)\d{4}", _always, r"\bssn\b|social sec"
    ),
    NationalId("br-cpf", r"\d{3}\.\d{3}\.\d{3}-\d\d", _brazilian_cpf),
    NationalId("br-cpf", r"\d{11}", _brazilian_cpf, r"\bcpf\b"),
)
