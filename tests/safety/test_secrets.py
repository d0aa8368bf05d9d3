"""What is a secret and what only looks like one."""

import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemos_files.safety.secrets import find_secrets, fingerprint
from tests.safety.harmless_samples import HARMLESS
from tests.safety.secret_samples import SECRETS, Sample, signs

MEGABYTE = 1_000_000


def found(text: str) -> list[tuple[str, str]]:
    """Kind and value of each secret."""
    return [(secret.kind, text[secret.start : secret.end]) for secret in find_secrets(text)]


def test_the_tables_are_large_enough() -> None:
    assert len(SECRETS) >= 80
    assert len(HARMLESS) >= 150
    assert len({sample.kind for sample in SECRETS}) >= 40


@pytest.mark.parametrize("sample", SECRETS, ids=lambda sample: sample.kind)
def test_a_secret_is_found_whole_and_nothing_else(sample: Sample) -> None:
    assert found(sample.text) == [(sample.kind, sample.value)]


@pytest.mark.parametrize("text", HARMLESS, ids=range(len(HARMLESS)))
def test_a_harmless_text_holds_no_secret(text: str) -> None:
    assert found(text) == []


def test_secrets_are_found_in_the_middle_of_a_long_note() -> None:
    prose = "The pump runs at 38 mm. See [[pump]] and commit 1a2b3c4.\n\n- a list item\n" * 40
    token, key = SECRETS[20], SECRETS[0]
    text = f"{prose}{token.text}\n\n{prose}{key.text}\n\n{prose}"

    assert found(text) == [(token.kind, token.value), (key.kind, key.value)]


def test_a_secret_of_two_kinds_is_found_once_under_its_own_name() -> None:
    token = "gl" + "pat-" + signs(20)

    assert found(f"password = {token}") == [("gitlab-token", token)]
    assert found(f"https://ci:{token}@git.example.org/x") == [("gitlab-token", token)]


def test_letters_whose_case_changes_their_length_do_not_move_the_place() -> None:
    assert found("İİİ şifre, password: Xk39fjQp!") == [("password", "Xk39fjQp!")]


@pytest.mark.parametrize(
    "text",
    [
        "password: dayuse-{}",
        "DB_PASSWORD={}",
        '{{"db": {{"password": "{}"}}}}',
        "db:\n  password: {}\n",
        "the password for the office is {}",
        "| password | {} |",
        "- **Password**: {}",
        "> password: `{}`",
        "my password={}&user=ines",
    ],
)
def test_a_password_is_found_however_it_is_assigned(text: str) -> None:
    (secret,) = find_secrets(text.format("Xk39fjQp4!"))

    assert secret.kind == "password"
    assert text.format("Xk39fjQp4!")[secret.start : secret.end].endswith("Xk39fjQp4!")


def test_a_fingerprint_names_a_value_without_telling_it() -> None:
    assert fingerprint("Xk39fjQp4!") == "64f411f8918a"
    assert fingerprint("Xk39fjQp4?") != fingerprint("Xk39fjQp4!")
    assert len(fingerprint("\ud800")) == 12


@given(st.text())
def test_any_text_can_be_searched(text: str) -> None:
    end = 0
    for secret in find_secrets(text):
        assert end <= secret.start < secret.end <= len(text)
        end = secret.end


@given(st.sampled_from(SECRETS), st.text(alphabet="abc \n.,é密", max_size=30))
def test_a_secret_is_found_between_other_lines(sample: Sample, around: str) -> None:
    text = f"{around}\n\n{sample.text}\n\n{around}"

    assert (sample.kind, sample.value) in found(text)


HOSTILE = {
    "words": "key ",
    "joined words": "keytoken",
    "assignments": "password=",
    "names": "pass_",
    "numbers": "pass_1",
    "addresses": "://a:",
    "key blocks": "-----BEGIN PRI" + "VATE KEY-----",
    "half key blocks": "-----BEGIN " + "A " * 20,
    "tokens": "ey" + "J-",
    "token parts": "ey" + "Jaaaaaaaa.",
    "dots": "M" * 26 + ".",
    "headers": "bearer ",
    "spaces": "key" + " " * 40,
    "clauses": "key for " + "x" * 48,
    "logins": " -u a:",
    "putty": "PRI" + "VATE KEY Private-Lines: 1 " + "A" * 16 + " ",
    "other scripts": "密码",
    "quotes": "key\"'",
    "at": "a@://:",
    "digits": "1234567890",
    "letters": "a",
}


@pytest.mark.slow  # times itself, so it needs a machine of its own
@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_takes_time_in_step_with_its_length(piece: str) -> None:
    def seconds(length: int) -> float:
        text = piece * (length // len(piece))
        start = time.process_time()
        find_secrets(text)
        return time.process_time() - start

    short, long = min(seconds(MEGABYTE // 10) for _ in range(2)), seconds(MEGABYTE)

    assert long < 20 * short + 0.5
    assert long < 20


def test_no_library_is_loaded() -> None:
    """A save must not pay for a scanner that is larger than the store."""
    code = (
        "import sys; import mnemos_files.safety.secrets; "
        "print([n for n in ('detect_secrets', 'requests', 'yaml') if n in sys.modules])"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
