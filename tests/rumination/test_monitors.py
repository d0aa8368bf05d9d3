"""Each monitor at its bounds, over facts that are made up: no vault, any time."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath

import pytest

from mnemos_files.config import Settings
from mnemos_files.model.record import Record
from mnemos_files.model.skill import SkillScore
from mnemos_files.rumination.facts import Contradiction, Facts, Memory, Skill
from mnemos_files.rumination.monitors.contradiction import contradicted
from mnemos_files.rumination.monitors.effectiveness import failing_skills
from mnemos_files.rumination.monitors.repeated_correction import repeated_corrections
from mnemos_files.rumination.monitors.stale_raw import stale_raw
from mnemos_files.rumination.monitors.stale_skill import stale_skills
from mnemos_files.rumination.monitors.table import MONITORS

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)


def a_memory(name="one", **fields) -> Memory:
    given = {"id": name, "type": "decision", "title": f"Title of {name}", "content": ""}
    record = Record(**(given | {"created": NOW - DAY} | fields))
    return Memory(record, PurePosixPath(f"observations/global/{name}.md"))


def a_skill(name="deploy", *, uses=0, successes=0, moved=NOW, **fields) -> Skill:
    given = {"id": name, "type": "skill", "title": name, "content": "Deploys."}
    record = Record(**(given | {"created": NOW - 400 * DAY} | fields))
    path = PurePosixPath(f"skills/codex/{name}/SKILL.md")
    return Skill(record, path, SkillScore(uses, successes, moved))


def only(findings):
    (found,) = findings
    return found


def test_every_monitor_has_a_name_of_its_own_and_finds_nothing_in_nothing():
    assert [monitor.name for monitor in MONITORS][:5] == [
        "skill-effectiveness-floor",
        "skill-stale",
        "correction-repeat-under-skill",
        "contradiction-detected",
        "stale-raw",
    ]
    assert len({monitor.name for monitor in MONITORS}) == len(MONITORS)
    for monitor in MONITORS:
        assert list(monitor.find(Facts(now=NOW))) == []


# skill-effectiveness-floor


@pytest.mark.parametrize(
    ("uses", "successes", "severity"),
    [
        (9, 0, None),
        (10, 0, "high"),
        (10, 1, "high"),
        (20, 3, "medium"),  # 0.15 is half of the floor
        (10, 2, "medium"),
        (25, 6, "low"),  # 0.24 is four fifths of the floor
        (100, 29, "low"),
        (10, 3, None),
        (100, 30, None),
        (1000, 999, None),
    ],
)
def test_a_skill_that_fails_too_often_is_doubted(uses, successes, severity):
    facts = Facts(now=NOW, skills=(a_skill(uses=uses, successes=successes),))

    found = list(failing_skills(facts))

    assert [one.severity for one in found] == ([severity] if severity else [])


def test_the_evidence_of_a_failing_skill_has_uses_successes_and_floor():
    found = only(failing_skills(Facts(now=NOW, skills=(a_skill(uses=12, successes=1),))))

    assert found.target.record.id == "deploy"
    assert found.target_kind == "skill"
    assert found.count == 11  # the failures
    assert found.reason == "1 of 12 uses worked, less than 0.3 of them"
    assert [(one.label, one.content, one.source) for one in found.evidence] == [
        (
            "effectiveness history",
            "1 of 12 uses worked, the floor is 0.3; saved or used last on 2026-12-01",
            "skills/codex/deploy/SKILL.md",
        )
    ]


def test_floor_and_uses_can_be_set():
    settings = Settings(skill_effectiveness_floor=0.9, skill_min_uses=2)
    facts = Facts(now=NOW, settings=settings, skills=(a_skill(uses=2, successes=1),))

    assert only(failing_skills(facts)).severity == "medium"
    assert list(failing_skills(replace(facts, settings=Settings()))) == []


# skill-stale


@pytest.mark.parametrize(
    ("age", "severity", "count"),
    [
        (90 * DAY, None, 0),
        (90 * DAY + SECOND, "low", 1),
        (180 * DAY - SECOND, "low", 1),
        (180 * DAY, "medium", 2),
        (270 * DAY - SECOND, "medium", 2),
        (270 * DAY, "high", 3),
        (4_000 * DAY, "high", 3),
    ],
)
def test_a_skill_that_nobody_touches_is_doubted(age, severity, count):
    found = list(stale_skills(Facts(now=NOW, skills=(a_skill(moved=NOW - age),))))

    assert [(one.severity, one.count) for one in found] == ([(severity, count)] if count else [])


@pytest.mark.parametrize(
    ("uses", "successes", "is_doubted"), [(0, 0, True), (4, 1, True), (2, 1, False), (4, 3, False)]
)
def test_an_old_skill_that_works_is_left_alone(uses, successes, is_doubted):
    skill = a_skill(uses=uses, successes=successes, moved=NOW - 91 * DAY)

    assert bool(list(stale_skills(Facts(now=NOW, skills=(skill,))))) == is_doubted


def test_a_skill_without_any_time_is_left_alone():
    assert list(stale_skills(Facts(now=NOW, skills=(a_skill(moved=None),)))) == []


def test_the_evidence_of_a_stale_skill_does_not_change_from_day_to_day():
    skill = a_skill(moved=datetime(2026, 6, 1, tzinfo=UTC), uses=3, successes=1)

    first = only(stale_skills(Facts(now=datetime(2026, 9, 10, tzinfo=UTC), skills=(skill,))))
    later = only(stale_skills(Facts(now=datetime(2026, 11, 20, tzinfo=UTC), skills=(skill,))))

    assert first == later
    assert first.reason == "untouched since 2026-06-01, 1 of 3 uses worked"
    assert first.since == datetime(2026, 6, 1, tzinfo=UTC)
    assert first.evidence[0].label == "usage history"


# correction-repeat-under-skill


def corrections(count, **fields):
    return tuple(
        a_memory(f"c{number:02}", **({"type": "correction", "tags": ("Deploy",)} | fields))
        for number in range(count)
    )


@pytest.mark.parametrize(
    ("count", "severity"),
    [(2, None), (3, "low"), (5, "low"), (6, "medium"), (8, "medium"), (9, "high"), (40, "high")],
)
def test_corrections_after_a_skill_about_them_doubt_it(count, severity):
    facts = Facts(now=NOW, skills=(a_skill(tags=("deploy",)),), corrections=corrections(count))

    found = list(repeated_corrections(facts))

    assert [(one.severity, one.count) for one in found] == ([(severity, count)] if severity else [])


@pytest.mark.parametrize(("made", "count"), [(SECOND, 3), (timedelta(0), 0), (-SECOND, 0)])
def test_only_corrections_after_the_skill_count(made, count):
    skill = a_skill(tags=("deploy",), created=NOW - DAY - made)

    found = list(repeated_corrections(Facts(now=NOW, skills=(skill,), corrections=corrections(3))))

    assert sum(one.count for one in found) == count


def test_corrections_of_other_agents_projects_or_labels_are_other_groups():
    groups = (
        *corrections(2),
        a_memory("x", type="correction", tags=("deploy",), agent="codex"),
        a_memory("y", type="correction", tags=("deploy",), project="api"),
        a_memory("z", type="correction", tags=("release",)),
    )

    facts = Facts(now=NOW, skills=(a_skill(tags=("deploy",)),), corrections=groups)

    assert list(repeated_corrections(facts)) == []


def test_groups_that_are_large_enough_are_added_up():
    groups = (
        *corrections(3),
        *(
            a_memory(f"p{number}", type="correction", tags=("deploy",), project="api")
            for number in range(4)
        ),
        a_memory("lone", type="correction", tags=("deploy",), project="web"),
    )

    facts = Facts(now=NOW, skills=(a_skill(tags=("deploy",)),), corrections=groups)

    assert only(repeated_corrections(facts)).count == 7


def test_a_structural_tag_of_a_skill_is_no_label():
    skill = a_skill(tags=("auto-promoted", "project:deploy"))
    groups = corrections(3, tags=(), title="auto-promoted")

    assert list(repeated_corrections(Facts(now=NOW, skills=(skill,), corrections=groups))) == []


def test_a_promoted_skill_is_found_by_its_origin():
    # printf 'default|api|deploy' | sha256sum
    skill = a_skill(tags=("auto-promoted", "promoted-origin:d8748c97d456", "project:api"))
    facts = Facts(now=NOW, skills=(skill,), corrections=corrections(3, project="api"))

    assert only(repeated_corrections(facts)).target.record.id == "deploy"


def test_of_several_skills_the_one_saved_last_is_doubted():
    skills = tuple(
        a_skill(name, tags=("deploy",), updated=NOW - age * DAY)
        for name, age in (("a", 5), ("b", 2), ("c", 9))
    )

    found = only(repeated_corrections(Facts(now=NOW, skills=skills, corrections=corrections(3))))

    assert found.target.record.id == "b"


def test_the_newest_corrections_are_named_and_all_are_counted():
    many = tuple(
        a_memory(f"c{number:02}", type="correction", tags=("deploy",), created=NOW + number * DAY)
        for number in range(25)
    )

    found = only(
        repeated_corrections(Facts(now=NOW, skills=(a_skill(tags=("deploy",)),), corrections=many))
    )

    assert found.count == 25
    assert len(found.evidence) == 20
    assert found.evidence[0].label == "post-creation corrections"
    assert found.evidence[0].content == "Title of c24 (2026-12-25)"
    assert found.evidence[0].source == "observations/global/c24.md"


# contradiction-detected


def edges(*tiers, target="target"):
    return tuple(
        Contradiction(a_memory(f"s{number}", trust_tier=tier), a_memory(target))
        for number, tier in enumerate(tiers)
    )


@pytest.mark.parametrize(
    ("tiers", "severity"),
    [
        (("curated",), "low"),
        (("raw",), "low"),
        (("raw", "raw"), "low"),
        (("curated", "raw"), "low"),
        (("curated", "skill"), "medium"),
        (("curated", "raw", "raw"), "medium"),
        (("raw",) * 5, "medium"),
        (("curated",) * 3, "high"),
        (("raw",) * 6, "high"),
    ],
)
def test_raw_records_weigh_half_against_a_memory(tiers, severity):
    found = only(contradicted(Facts(now=NOW, contradictions=edges(*tiers))))

    assert found.severity == severity
    assert found.count == len(tiers)


def test_the_reason_of_a_contradiction_names_the_split_and_its_evidence_the_sources():
    found = only(contradicted(Facts(now=NOW, contradictions=edges("curated", "raw"))))

    assert found.reason == "contradicted by 2 records (1 curated, 1 raw)"
    assert [(one.label, one.content) for one in found.evidence] == [
        ("contradicted by", "Title of s0 (curated, 2026-11-30, s0)"),
        ("contradicted by", "Title of s1 (raw, 2026-11-30, s1)"),
    ]


def test_the_same_link_twice_and_a_link_to_itself_count_once_and_never():
    one = Contradiction(a_memory("a"), a_memory("b"))
    itself = Contradiction(a_memory("c"), a_memory("c"))

    found = only(contradicted(Facts(now=NOW, contradictions=(one, one, itself))))

    assert (found.target.record.id, found.count) == ("b", 1)


def test_the_number_of_contradictions_can_be_set():
    settings = Settings(contradiction_threshold=2)
    facts = Facts(now=NOW, settings=settings, contradictions=edges("curated"))

    assert list(contradicted(facts)) == []
    facts = replace(facts, contradictions=edges("curated", "raw"))
    assert only(contradicted(facts)).count == 2


# stale-raw


@pytest.mark.parametrize(
    ("age", "severity", "count"),
    [
        (14 * DAY, None, 0),
        (14 * DAY + SECOND, "low", 1),
        (28 * DAY - SECOND, "low", 1),
        (28 * DAY, "medium", 2),
        (42 * DAY - SECOND, "medium", 2),
        (42 * DAY, "high", 3),
        (900 * DAY, "high", 3),
    ],
)
def test_a_memory_that_stays_in_quarantine_is_doubted(age, severity, count):
    memory = a_memory(trust_tier="raw", source_kind="tool", created=NOW - age)

    found = list(stale_raw(Facts(now=NOW, raw=(memory,))))

    assert [(one.severity, one.count) for one in found] == ([(severity, count)] if count else [])


def test_the_evidence_of_a_stale_raw_memory_says_since_when_and_where_from():
    memory = a_memory(trust_tier="raw", source_kind="tool", created=NOW - 20 * DAY)

    found = only(stale_raw(Facts(now=NOW, raw=(memory,))))

    assert found.target_kind == "observation"
    assert found.evidence[0].label == "quarantine history"
    assert found.evidence[0].content == (
        "raw since 2026-11-11, saved with source tool; nobody confirmed it"
    )


def test_a_raw_memory_without_a_time_is_left_alone():
    assert list(stale_raw(Facts(now=NOW, raw=(a_memory(created=None),)))) == []
