"""Every rule: a change in which it fires, and one in which it does not."""

import pytest

from mnemos_files.review.rules import RULES
from tests.review.conftest import Bench, rules
from tests.review.examples import CONFIG, EXAMPLES, KEY, ONE, TWO, Example
from tests.review.notes import B, note


def named(example: Example) -> str:
    return example.rule


@pytest.mark.parametrize("example", EXAMPLES, ids=named)
def test_the_rule_fires(example: Example, bench: Bench):
    bench.commit(example.before)
    bench.commit(example.hit, agent=example.agent)
    if example.rule == "settings-invalid":
        bench.write({CONFIG: None})  # else the store of this checkout would not open

    assert example.rule in rules(bench.review("HEAD"))


@pytest.mark.parametrize("example", EXAMPLES, ids=named)
def test_the_rule_passes_what_is_nearly_the_same(example: Example, bench: Bench):
    agent = example.agent if example.miss_agent is None else example.miss_agent
    bench.commit(example.before)
    bench.commit(example.miss, agent=agent)

    assert example.rule not in rules(bench.review("HEAD"))


def test_every_rule_has_an_example():
    assert {rule.id for rule in RULES} == {each.rule for each in EXAMPLES} | {"symbolic-link"}
    assert len({rule.id for rule in RULES}) == len(RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_rule_says_in_sentences_what_it_finds_and_what_to_do(rule):
    assert rule.finds[0].isupper()
    assert rule.finds.endswith(".")
    assert rule.remedy.endswith(".")


def test_a_symbolic_link_is_found_and_never_followed(bench: Bench, tmp_path):
    (tmp_path / "outside.md").write_text(f"The key is {KEY}.\n", encoding="utf-8")
    (bench.root / "link.md").symlink_to(tmp_path / "outside.md")
    bench.commit({})

    found = bench.review("HEAD")

    assert rules(found) == {"symbolic-link"}
    assert found.memories == ()


def test_what_was_there_before_is_not_told_again(bench: Bench):
    bench.commit({ONE: note(f"The key is {KEY}.")})
    bench.commit({ONE: note(f"The key is {KEY}. It is rotated each month.")})

    assert "secret" not in rules(bench.review("HEAD"))


def test_settings_that_the_change_brings_do_not_decide_how_it_is_judged(bench: Bench):
    print_of = "".join(
        f.message.rpartition("fingerprint ")[2][:12]
        for f in _committed(bench, {ONE: note(f"The key is {KEY}.")})
        if f.rule == "secret"
    )
    bench.commit({CONFIG: "[safety]\nallow = []\n", ONE: None})
    allowed = f'[safety]\nallow = ["{print_of}"]\n[vault]\nignore = ["observations"]\n'
    bench.commit({CONFIG: allowed, ONE: note(f"The key is {KEY}.")})

    found = bench.review("HEAD")

    assert {"secret", "settings-weakened"} <= rules(found)
    assert [memory.path for memory in found.memories] == [ONE]


def _committed(bench: Bench, texts):
    bench.commit(texts)
    return list(bench.review("HEAD").findings())


def test_an_allowed_secret_passes(bench: Bench):
    (secret,) = [f for f in _committed(bench, {ONE: note(f"Key {KEY}.")}) if f.rule == "secret"]
    fingerprint = secret.message.rpartition("fingerprint ")[2][:12]
    bench.commit({CONFIG: f'[safety]\nallow = ["{fingerprint}"]\n'})
    bench.commit({TWO: note(f"The key is {KEY}.", id=B)})

    assert "secret" not in rules(bench.review("HEAD"))


def test_a_person_may_promote_without_a_reason(bench: Bench):
    bench.commit({ONE: note(trust_tier="raw", source_kind="tool")})
    bench.commit({ONE: note(trust_tier="curated", source_kind="tool")})

    assert rules(bench.review("HEAD")) == set()


def test_an_agent_may_not_launder_the_source(bench: Bench):
    bench.commit({ONE: note(trust_tier="raw", source_kind="tool")})
    bench.commit({ONE: note(trust_tier="raw", source_kind="user")}, agent=True)

    assert rules(bench.review("HEAD")) == {"quarantine-bypass"}


def test_a_new_id_at_the_same_path_is_told_with_its_line(bench: Bench):
    bench.commit({ONE: note()})
    bench.commit({ONE: note(id=B)})

    (finding,) = bench.review("HEAD").findings()

    assert (finding.rule, finding.line, finding.level) == ("identity-changed", 2, "error")
    assert finding.message == "its id was 01KBC3W6H5M0V2T8N4Q9F7K3QA"


def test_an_agent_that_deletes_a_persons_note_is_told(bench: Bench):
    bench.commit({"Home.md": None}, agent=True)

    (finding,) = bench.review("HEAD").findings()

    assert finding.message == "an agent deleted a note of a person's own"


def test_a_deleted_journal_is_told(bench: Bench):
    bench.commit({".mnemos/journal/a/2026-11.jsonl": "{}\n"})
    bench.commit({".mnemos/journal/a/2026-11.jsonl": None})

    assert rules(bench.review("HEAD")) == {"journal-rewritten"}


def test_the_line_of_a_secret_is_that_of_the_file(bench: Bench):
    bench.commit({ONE: note(f"First.\n\nThe key is {KEY}.")})

    (finding,) = [f for f in bench.review("HEAD").findings() if f.rule == "secret"]

    assert finding.line == 15
    assert KEY not in finding.message
