import json
from typing import Annotated

import pytest

from mnemos_files.errors import InvalidQueryError
from mnemos_files.operations.arguments import Param, input_schema, read_arguments


def run(  # noqa: PLR0913 - one parameter of each sort
    store: object,
    *,
    title: Annotated[str, Param("short label", max_length=10)],
    type: Annotated[str, Param("kind", choices=("decision", "bugfix"))],  # noqa: A002 - a tool's name
    tags: Annotated[tuple[str, ...], Param("labels")] = (),
    importance: Annotated[int, Param("how much it matters", low=1, high=10)] = 5,
    ttl_days: Annotated[int, Param("days", low=0)] = 0,
    floor: Annotated[float, Param("least score", low=0, high=1)] = 0.15,
    include_stale: Annotated[bool, Param("old ones too")] = False,
    project: Annotated[str | None, Param("project")] = None,
) -> None:
    """An operation with one parameter of each sort."""


def nothing(store: object) -> None:
    """An operation without arguments."""


def read(**given: object) -> dict[str, object]:
    return read_arguments(run, {"title": "t", "type": "bugfix", **given})


def refusal(**given: object) -> str:
    with pytest.raises(InvalidQueryError) as caught:
        read(**given)
    return f"{caught.value.message}. {caught.value.remedy}".strip()


def test_the_schema_is_plain_and_complete():
    assert input_schema(run) == {
        "type": "object",
        "properties": {
            "title": {"type": "string", "maxLength": 10, "description": "short label"},
            "type": {"type": "string", "enum": ["decision", "bugfix"], "description": "kind"},
            "tags": {"type": "array", "items": {"type": "string"}, "description": "labels"},
            "importance": {
                "type": "integer",
                "minimum": 1,
                "maximum": 10,
                "default": 5,
                "description": "how much it matters",
            },
            "ttl_days": {"type": "integer", "minimum": 0, "default": 0, "description": "days"},
            "floor": {
                "type": "number",
                "minimum": 0,
                "maximum": 1,
                "default": 0.15,
                "description": "least score",
            },
            "include_stale": {
                "type": "boolean",
                "default": False,
                "description": "old ones too",
            },
            "project": {"type": "string", "description": "project"},
        },
        "additionalProperties": False,
        "required": ["title", "type"],
    }


def test_an_operation_without_arguments_has_an_empty_schema():
    assert input_schema(nothing) == {
        "type": "object",
        "properties": {},
        "additionalProperties": False,
    }


def test_the_type_of_the_store_need_not_exist():
    def lazy(store: "NotImported", *, title: Annotated[str, Param("label")]) -> None: ...  # noqa: F821 - the point

    assert list(input_schema(lazy)["properties"]) == ["title"]


def test_a_parameter_without_param_is_a_programming_error():
    def wrong(store: object, *, size: int) -> None: ...

    with pytest.raises(TypeError, match="size"):
        input_schema(wrong)


def test_what_was_not_sent_is_left_to_the_default():
    assert read() == {"title": "t", "type": "bugfix"}


@pytest.mark.parametrize(
    ("name", "sent", "value"),
    [
        ("importance", 7, 7),
        ("importance", 7.0, 7),
        ("importance", "7", 7),
        ("importance", " 7.0 ", 7),
        ("importance", 0, 5),
        ("importance", "0", 5),
        ("ttl_days", 0, 0),
        ("floor", "0.5", 0.5),
        ("floor", 1, 1.0),
        ("include_stale", True, True),
        ("include_stale", "true", True),
        ("include_stale", "False", False),
        ("tags", ["a", "b"], ("a", "b")),
        ("tags", ("a",), ("a",)),
        ("tags", [], ()),
        ("tags", '["a", "b"]', ("a", "b")),
        ("tags", "a", ("a",)),
        ("tags", "a b", ("a b",)),
        ("tags", "", ()),
        ("tags", ["a,b"], ("a,b",)),
        ("tags", '["a,b"]', ("a,b",)),
        ("project", "", ""),
        ("title", "7", "7"),
    ],
)
def test_a_sloppy_value_is_read_as_it_was_meant(name: str, sent: object, value: object):
    result = read(**{name: sent})[name]

    assert result == value
    assert type(result) is type(value)


def ending(
    store: object,
    *,
    status: Annotated[str, Param("how it went", choices=("ok", "failed"))] = "ok",
) -> None:
    """An operation with a choice that has a default."""


def test_an_empty_choice_is_none_for_clients_that_send_every_argument():
    assert read_arguments(ending, {"status": ""})["status"] == "ok"
    assert read_arguments(ending, {"status": "failed"})["status"] == "failed"
    with pytest.raises(InvalidQueryError, match="status: must be one of ok, failed, but"):
        read_arguments(ending, {"status": "great"})


@pytest.mark.parametrize("name", ["tags", "importance", "include_stale", "project"])
def test_null_for_an_optional_argument_is_its_default(name: str):
    assert name not in read(**{name: None})


@pytest.mark.parametrize(
    ("name", "sent", "sentence"),
    [
        ("importance", 11, "importance: must be a whole number 1..10, but 11 came."),
        ("importance", 7.5, "importance: must be a whole number 1..10, but 7.5 came."),
        ("importance", "high", 'importance: must be a whole number 1..10, but "high" came.'),
        ("importance", True, "importance: must be a whole number 1..10, but true came."),
        ("importance", [5], "importance: must be a whole number 1..10, but [5] came."),
        ("importance", "nan", 'importance: must be a whole number 1..10, but "nan" came.'),
        ("ttl_days", -1, "ttl_days: must be a whole number of at least 0, but -1 came."),
        ("include_stale", 1, "include_stale: must be true or false, but 1 came."),
        ("include_stale", "yes", 'include_stale: must be true or false, but "yes" came.'),
        (
            "tags",
            {"a": 1},
            'tags: must be a list of texts such as ["a", "b"], but {"a": 1} came.',
        ),
        ("tags", [1], 'tags: must be a list of texts such as ["a", "b"], but [1] came.'),
        (
            "tags",
            "a, b",
            'tags: must be a list of texts such as ["a", "b"], but "a, b" came.',
        ),
        (
            "tags",
            '["a"',
            'tags: must be a list of texts such as ["a", "b"], but "[\\"a\\"" came.',
        ),
        ("title", 7, "title: must be a text, but 7 came."),
        ("title", "x" * 11, "title: 11 characters are too many, at most 10 fit. Shorten it."),
        (
            "type",
            "decison",
            "type: must be one of decision, bugfix, but \"decison\" came. Did you mean 'decision'?",
        ),
        ("type", "", 'type: must be one of decision, bugfix, but "" came.'),
        ("type", "zzz", 'type: must be one of decision, bugfix, but "zzz" came.'),
        (
            "title",
            "\ud800",
            "title: holds half a character (a lone surrogate), which no file can hold. "
            "Send the text as valid UTF-8.",
        ),
    ],
)
def test_an_impossible_value_is_refused_in_a_sentence(name: str, sent: object, sentence: str):
    assert refusal(**{name: sent}) == sentence


def test_a_long_refused_value_is_shown_short():
    assert refusal(tags={"a": "x" * 500}).endswith("... (509 characters) came.")


def test_an_unknown_argument_is_named_with_the_nearest_known_one():
    assert refusal(importence=7) == (
        "importence: no such argument. Did you mean importance? It takes title, type, tags, "
        "importance, ttl_days, floor, include_stale, project."
    )


def test_every_unknown_argument_is_named():
    assert refusal(qqq=1, zzz=2).startswith("qqq, zzz: no such argument. It takes title")


def test_an_operation_without_arguments_says_so():
    with pytest.raises(InvalidQueryError) as caught:
        read_arguments(nothing, {"verbose": True})

    assert caught.value.remedy == "It takes no arguments."


@pytest.mark.parametrize("raw", [{}, {"title": None, "type": None}])
def test_missing_arguments_are_named_with_an_example(raw: dict[str, object]):
    with pytest.raises(InvalidQueryError) as caught:
        read_arguments(run, raw)

    assert caught.value.message == "title, type: required, but missing"
    example = {"title": "short label", "type": "decision"}
    assert caught.value.remedy == f"Add {json.dumps(example)} with your own value."


def test_a_list_has_a_bound_in_the_schema_and_in_the_check():
    def tagged(store: object, *, tags: Annotated[tuple[str, ...], Param("t", max_items=2)]): ...

    assert input_schema(tagged)["properties"]["tags"]["maxItems"] == 2
    assert read_arguments(tagged, {"tags": ["a", "b"]}) == {"tags": ("a", "b")}
    with pytest.raises(InvalidQueryError, match=r"^tags: 3 items are too many, at most 2 fit$"):
        read_arguments(tagged, {"tags": ["a", "b", "c"]})
