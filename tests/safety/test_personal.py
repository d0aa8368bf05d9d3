"""Kinds of personal data, and numbers that only look like them."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.safety.national_ids import NATIONAL_IDS
from mnemos_files.safety.personal import NUMBERS, personal_data

PERSONAL = (
    ("email", "Ask ines@okafor-marine.de for the keys."),
    ("email", "mailto:bo.larsen+tides@harbour.co.uk"),
    ("email", "<ines.o@okafor-marine.de>,"),
    ("phone", "Her number is +49 170 1234567."),
    ("phone", "+442079460958"),
    ("phone", "call (415) 555-2671 in the morning"),
    ("phone", "or 415-867-5309"),
    ("phone", "Tel.: 030 1234567"),
    ("phone", "Handy 0171/2345678"),
    ("card", "4111 1111 1111 1111"),
    ("card", "paid with 5555555555554444 yesterday"),
    ("card", "amex 3782 822463 10005"),
    ("iban", "DE89 3704 0044 0532 0130 00"),
    ("iban", "IBAN: GB82WEST12345698765432"),
    ("iban", "FR14 2004 1010 0505 0001 3M02 606"),
    ("de-tax-id", "Steuer-ID 86 095 742 719"),
    ("fr-nir", "2 55 08 14 168 025 38"),
    ("es-dni", "DNI 12345678Z"),
    ("es-dni", "NIE X1234567L"),
    ("it-codice-fiscale", "RSSMRA85T10A562S"),
    ("pl-pesel", "PESEL: 44051401359"),
    ("nl-bsn", "BSN 111222333"),
    ("uk-nino", "AB 12 34 56 C"),
    ("uk-nino", "NINO: AB123456C"),
    ("us-ssn", "078-05-1120"),
    ("us-ssn", "SSN 078051120"),
    ("br-cpf", "529.982.247-25"),
    ("br-cpf", "CPF: 52998224725"),
)

HARMLESS = (
    "ines@example.org, bo@mail.example.com, x@tides.test, y@host.local",
    "git@github.com:ines/tides.git",
    "Co-authored-by: Ines <12+ines@users.noreply.github.com>",
    "noreply@anthropic.com and no-reply@okafor-marine.de",
    "postgres://app:x@db.okafor-marine.de/main",
    "icon@2x.png, getty@tty1.service, @scope/name@1.2.3, actions/checkout@v4",
    "scp notes.md deploy@tides.okafor-marine.de:/srv",
    "2026-12-01T10:04:11+02:00, 2026-12-01 10:04, 01.12.2026",
    "epoch 1764583451, 1764583451000 and 1764583451000000",
    "versions 1.10.3, 2026.12.1, 10.0.19045.4291; ports 5432, 6379, 27017",
    "192.168.178.101 and 2001:db8:85a3::8a2e:370:7334",
    "commit 9c6948f6d30c01c3f252edc87ff4adfa36d08401",
    "id 550e8400-e29b-41d4-a716-446655440000",
    "record 01KBC3W6H5M0V2T8N4Q9F7K3QX",
    "4111 1111 1111 1112 fails its check, as does 1234567890123456",
    "DE89 3704 0044 0532 0130 01 fails its check; IBAN placeholder, not real.",
    "86095742719 lines, 44051401359 bytes, 111222333 rows, 52998224725 events",
    "12345678A fails its check; part number AB123456C",
    "call 415-555-0123 in the film",
    "000-12-3456, 666-12-3456, 900-12-3456, 123-00-4567",
    "+1.2.3, +10000 lines, -1234567890",
    "pi is 3.14159265358979, e is 2.718281828459045",
    "RSSMRA85T10A562T fails its check",
    "111.111.111-11 is of one digit only",
    "invoice 2026-0042-1138, order 200-3000-40000",
    "0x41111111, #4111111, 4111-1111",
    "ISBN 978-3-16-148410-0",
)


@pytest.mark.parametrize(("kind", "text"), PERSONAL)
def test_personal_data_is_told_by_kind(kind: str, text: str) -> None:
    assert personal_data(text) == (kind,)


@pytest.mark.parametrize("text", HARMLESS)
def test_numbers_and_addresses_of_nobody_are_no_personal_data(text: str) -> None:
    assert personal_data(text) == ()


def test_every_kind_has_an_example() -> None:
    kinds = {"email", *NUMBERS, *(row.kind for row in NATIONAL_IDS)}

    assert {kind for kind, _ in PERSONAL} == kinds


def test_each_kind_comes_once_mail_first() -> None:
    text = "\n".join(text for _, text in reversed(PERSONAL))

    assert personal_data(text) == tuple(dict.fromkeys(kind for kind, _ in PERSONAL))


@given(st.text(alphabet="0123456789 -+.()/ABCXZ@", max_size=200))
def test_any_text_can_be_searched(text: str) -> None:
    assert len(personal_data(text)) == len(set(personal_data(text)))


@pytest.mark.slow  # times itself, so it needs a machine of its own
@pytest.mark.parametrize(
    "piece", ["1", "4111 ", "+1 ", "tel ab 0", "DE89 ", "a@", "a.b@c.d.", "415-"]
)
def test_hostile_text_takes_time_in_step_with_its_length(piece: str) -> None:
    def seconds(length: int) -> float:
        text = piece * (length // len(piece))
        start = time.process_time()
        personal_data(text)
        return time.process_time() - start

    short, long = min(seconds(100_000) for _ in range(2)), seconds(1_000_000)

    assert long < 20 * short + 0.5
    assert long < 10
