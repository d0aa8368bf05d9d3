"""Skills out of a vault as a pack."""

from pathlib import Path

import pytest

from mnemos_files.errors import AmbiguousNameError, InvalidQueryError, NotFoundError
from mnemos_files.report.pack import Packed
from mnemos_files.report.packing import exported
from mnemos_files.store.store import Store
from tests.report.skills import save_skill

OWN = "---\nname: own\ndescription: A person's own.\n---\nJust do it.\n"


def names(store: Store, *wanted: str, agent: str = "") -> list[str]:
    return [skill.name for skill in exported(store, wanted, agent).pack.skills]


def test_all_trusted_skills_are_exported_without_names(store: Store, vault: Path) -> None:
    save_skill(store, "Deploy", pitfalls="Never on Fridays.", tags=("release",))
    save_skill(store, "Not yet", trust_tier="raw")
    own = vault / "skills/codex/own/SKILL.md"
    own.parent.mkdir(parents=True)
    own.write_text(OWN, encoding="utf-8")

    pack = exported(store).pack

    assert pack.skills == (
        Packed("Deploy", "About Deploy.", "1. Deploy.", "Never on Fridays.", ("release",)),
        Packed("own", "A person's own.", "Just do it."),
    )


def test_a_quarantined_skill_is_exported_by_its_name(store: Store) -> None:
    saved = save_skill(store, "Not yet", trust_tier="raw")

    assert names(store, "Not yet") == names(store, saved.id) == ["Not yet"]


def test_further_parts_become_headings_of_the_procedure(store: Store) -> None:
    save_skill(store, "Hash", trigger_context="Passwords.", do="Argon2id.", avoid="bcrypt.")

    assert exported(store).pack.skills[0].procedure == (
        "1. Hash.\n\n### When this applies\n\nPasswords.\n\n### Avoid\n\nbcrypt.\n\n"
        "### Do\n\nArgon2id."
    )


def test_tags_that_say_where_a_skill_came_from_stay_in_its_vault(store: Store) -> None:
    tags = ("auto-promoted", "promoted-origin:e7385a32f2e8", "Project:api", "release")
    save_skill(store, "Deploy", tags=tags)

    assert exported(store).pack.skills[0].tags == ("release",)


def test_an_empty_vault_has_nothing_to_export(store: Store) -> None:
    with pytest.raises(InvalidQueryError, match="no skill to export"):
        exported(store)


def test_an_unknown_name_is_an_error_and_the_same_skill_twice_is_one(store: Store) -> None:
    saved = save_skill(store, "Deploy")

    assert names(store, "Deploy", saved.id) == ["Deploy"]
    with pytest.raises(NotFoundError, match="no skill is called 'Nothing'"):
        names(store, "Deploy", "Nothing")


def test_equal_names_of_two_agents_need_a_choice(store: Store) -> None:
    save_skill(store, "Deploy", agent="codex")
    save_skill(store, "Deploy", agent="claude-code")

    with pytest.raises(AmbiguousNameError, match="fits several notes") as caught:
        names(store)

    assert "--agent" in caught.value.remedy
    assert names(store, agent="codex") == ["Deploy"]


def test_secrets_do_not_leave_the_vault(store: Store) -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLQ"
    store.place.allow_secrets = True
    save_skill(store, "Deploy", procedure=f"Use {key}.")

    found = exported(store)

    assert found.pack.skills[0].procedure.startswith("Use [secret: ")
    assert found.notices == ("what looked like a secret is masked",)


def test_a_skill_without_procedure_is_left_out_and_told(store: Store, vault: Path) -> None:
    save_skill(store, "Deploy")
    path = vault / "skills/codex/bare/SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text("---\nname: bare\ndescription: Nothing.\n---\n", encoding="utf-8")

    found = exported(store)

    assert [skill.name for skill in found.pack.skills] == ["Deploy"]
    assert found.notices == ("bare is left out: it has no procedure",)
