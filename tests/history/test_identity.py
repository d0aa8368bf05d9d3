"""Who stands in a commit."""

import pytest

from mnemos_files.history.identity import agent_identity


@pytest.mark.parametrize(
    ("agent", "name", "email"),
    [
        ("claude-code", "claude-code", "claude-code@mnemos.invalid"),
        ("Claude Code", "Claude Code", "claude-code@mnemos.invalid"),
        ("a<b>\nc\x00", "a b c", "a-b-c@mnemos.invalid"),
        ("Bär", "Bär", "b-r@mnemos.invalid"),
        ("助手", "助手", "agent@mnemos.invalid"),
        ("", "agent", "agent@mnemos.invalid"),
        ("<>", "agent", "agent@mnemos.invalid"),
    ],
)
def test_an_agent_has_a_clean_name_and_an_undeliverable_address(agent, name, email):
    assert agent_identity(agent) == (name, email)


def test_the_agent_is_author_and_the_person_is_committer(vault):
    vault.save("a.md", agent="claude-code")

    line = vault.git("log", "-1", "--format=%an|%ae|%cn|%ce|%aI|%cI").strip()

    assert line == (
        "claude-code|claude-code@mnemos.invalid|Ines Example|ines@example.org"
        "|2026-12-01T10:04:11+00:00|2026-12-01T10:04:11+00:00"
    )


def test_a_change_without_agent_is_the_persons(vault):
    vault.save("a.md", agent=None)

    assert vault.git("log", "-1", "--format=%an|%ae").strip() == "Ines Example|ines@example.org"


def test_without_identity_a_stated_fallback_commits(tmp_path, make_vault):
    vault = make_vault(tmp_path / "vault", identity=False)

    vault.save("a.md")

    line = vault.git("log", "-1", "--format=%cn <%ce>").strip()
    assert line == "mnemos-files <mnemos-files@localhost.invalid>"
    assert any("knows no user.name" in text for text in vault.open().notices())


def test_an_identity_that_is_set_later_is_used_by_the_same_object(tmp_path, make_vault, now):
    vault = make_vault(tmp_path / "vault", identity=False)
    history = vault.open()
    assert any("knows no user.name" in text for text in history.notices())
    vault.git("config", "user.name", "Ines Example")
    vault.git("config", "user.email", "ines@example.org")

    vault.write("a.md", "text\n")
    vault.save("a.md")

    assert vault.git("log", "-1", "--format=%cn").strip() == "Ines Example"
    assert not any("knows no user.name" in text for text in history.notices())


def test_the_environment_of_the_client_does_not_sign_commits(vault, monkeypatch):
    monkeypatch.setenv("GIT_COMMITTER_NAME", "Someone Else")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Someone Else")

    vault.save("a.md", agent=None)

    assert vault.git("log", "-1", "--format=%an %cn").strip() == "Ines Example Ines Example"
