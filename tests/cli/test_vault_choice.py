"""Ways to name the vault (cases c75 and c77)."""

from pathlib import Path

import pytest

from mnemos_files.cli.vault_choice import cache_folder, find_vault, named_folder
from mnemos_files.errors import InvalidQueryError, MnemosError, RefusedError, UnavailableError


@pytest.fixture
def base(tmp_path: Path) -> Path:
    for name in ("vault", "vault with space", "Vült"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.md").write_text("hello\n", encoding="utf-8")
    return tmp_path


def mark(folder: Path) -> Path:
    (folder / ".mnemos").mkdir()
    (folder / ".mnemos" / "config.toml").write_text("", encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("{D}/vault", "vault"),
        ("~/vault", "vault"),
        ("vault", "vault"),
        ("./vault/", "vault"),
        ("{D}/vault with space", "vault with space"),
        ("{D}/Vült", "Vült"),
        ("{D}/vault/../vault", "vault"),
    ],
)
def test_a_form_that_means_a_folder_is_that_folder(base: Path, monkeypatch, text: str, name: str):
    monkeypatch.setenv("HOME", str(base))

    assert find_vault(text.format(D=base), {}, base) == base / name


@pytest.mark.parametrize(
    ("text", "kind", "sentence"),
    [
        ("", InvalidQueryError, "--vault: is empty"),
        ("   ", InvalidQueryError, "--vault: is empty"),
        (
            "$HOME/vault",
            InvalidQueryError,
            "--vault: '$HOME/vault' holds $HOME, which was not expanded",
        ),
        (
            "${workspaceFolder}/vault",
            InvalidQueryError,
            "--vault: '${workspaceFolder}/vault' holds ${workspaceFolder}, which was not expanded",
        ),
        (
            "%APPDATA%/vault",
            InvalidQueryError,
            "--vault: '%APPDATA%/vault' holds %APPDATA%, which was not expanded",
        ),
        ("missing/deep", UnavailableError, "there is no folder {D}/missing/deep"),
        ("vault/a.md", InvalidQueryError, "--vault: {D}/vault/a.md is a file"),
        ("~nobody-of-this-name/x", InvalidQueryError, "vault: '~nobody-of-this-name/x'"),
    ],
)
def test_a_form_that_means_no_folder_is_refused_in_a_sentence(
    base: Path, text: str, kind: type[MnemosError], sentence: str
):
    with pytest.raises(kind) as caught:
        find_vault(text, {}, base)

    assert caught.value.message.startswith(sentence.replace("{D}", str(base)))
    assert caught.value.remedy
    assert sorted(path.name for path in base.iterdir()) == ["Vült", "vault", "vault with space"]


def test_a_folder_whose_name_holds_a_dollar_sign_can_be_a_vault(base: Path):
    (base / "$cash").mkdir()

    assert find_vault("$cash", {}, base) == base / "$cash"


def test_the_option_goes_before_the_environment(base: Path):
    environ = {"MNEMOS_VAULT": str(base / "Vült")}

    assert find_vault("vault", environ, base) == base / "vault"
    assert find_vault(None, environ, mark(base / "vault")) == base / "Vült"


def test_an_empty_variable_is_an_error_and_not_the_working_folder(base: Path):
    with pytest.raises(InvalidQueryError, match="MNEMOS_VAULT: is empty"):
        find_vault(None, {"MNEMOS_VAULT": ""}, mark(base / "vault"))


def test_the_nearest_vault_around_the_working_folder_is_taken(base: Path):
    mark(base)
    inner = mark(base / "vault")
    (inner / "deep" / "deeper").mkdir(parents=True)

    assert find_vault(None, {}, inner / "deep" / "deeper") == inner
    assert find_vault(None, {}, base / "Vült") == base


def test_without_any_vault_the_three_ways_are_named(base: Path):
    with pytest.raises(UnavailableError) as caught:
        find_vault(None, {}, base / "vault")

    for way in ("--vault DIR", "MNEMOS_VAULT", "work inside a vault", "mnemos-files init DIR"):
        assert way in caught.value.remedy


@pytest.mark.parametrize("text", ["~", "/", "{home}", "{home}/x/.."])
def test_a_home_folder_and_the_root_are_no_vaults(hermetic_git: Path, tmp_path: Path, text: str):
    with pytest.raises(RefusedError, match="not a place for a vault"):
        named_folder(text.format(home=hermetic_git), "DIR", tmp_path)


def test_a_link_to_the_root_is_no_vault(tmp_path: Path):
    (tmp_path / "rootlink").symlink_to("/")

    with pytest.raises(RefusedError, match="the root of the file system"):
        named_folder("rootlink", "DIR", tmp_path)


def test_a_home_folder_is_not_found_from_below_either(hermetic_git: Path):
    mark(hermetic_git)
    (hermetic_git / "work").mkdir()

    with pytest.raises(RefusedError, match="your home folder"):
        find_vault(None, {}, hermetic_git / "work")


def test_the_cache_folder_is_named_by_its_variable(tmp_path: Path):
    assert cache_folder({"MNEMOS_CACHE_DIR": str(tmp_path)}) == tmp_path


def test_the_cache_folder_is_absolute_without_a_home(monkeypatch):
    monkeypatch.setenv("HOME", "")

    assert cache_folder({}).is_absolute()
