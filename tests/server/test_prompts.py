"""Prompts and completion over the wire, in both eras of the protocol."""

from pathlib import Path

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference, ResourceTemplateReference

from tests.server.test_resources import ERAS, talk
from tests.wire import serving

PROMPT = PromptReference(name="recall")
TEMPLATE = ResourceTemplateReference(uri="mnemos://memory/{id}")


@pytest.mark.parametrize("mode", ERAS)
def test_prompts_are_listed_with_their_arguments(vault: Path, mode: str):
    async def steps(client: Client) -> dict[str, list[tuple[str, bool]]]:
        listed = (await client.list_prompts()).prompts
        assert all(one.title and one.description for one in listed)
        return {one.name: [(arg.name, arg.required) for arg in one.arguments] for one in listed}

    assert talk(vault, steps, mode) == {
        "recall": [("topic", True), ("project", False)],
        "reflect": [("session", False), ("skill", False)],
        "premortem": [("plan", True), ("project", False)],
        "review": [("project", False)],
    }


@pytest.mark.parametrize("mode", ERAS)
def test_a_prompt_is_one_message_of_the_user(vault: Path, mode: str):
    (vault / "hoses.md").write_text("# Hoses\n\nAalto delivers them.\n", encoding="utf-8")

    async def steps(client: Client) -> tuple[str, str, str]:
        while True:
            stats = await client.call_tool("mnemos_stats")
            if not stats.structured_content["index"]["pending"]:
                break
        got = await client.get_prompt("recall", {"topic": "who delivers hoses"})
        (message,) = got.messages
        return got.description, message.role, message.content.text

    description, role, text = talk(vault, steps, mode)

    assert description
    assert role == "user"
    assert "Aalto delivers them." in text


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("recal", {}, "Unknown prompt 'recal'; did you mean recall?"),
        ("zzz", {}, "Unknown prompt 'zzz'; known: recall, reflect, premortem, review"),
        ("recall", {}, "topic: is required: what to recall, in plain words"),
        ("recall", {"topic": " "}, "topic: is required: what to recall, in plain words"),
        ("recall", {"topik": "x"}, "Unknown argument 'topik'; did you mean topic?"),
        (
            "recall",
            {"topic": "x" * 4_001},
            "topic: 4001 characters are too many, at most 4000",
        ),
    ],
)
def test_a_wrong_prompt_or_argument_is_a_protocol_error_that_names_it(
    vault: Path, name: str, arguments: dict[str, str], message: str
):
    wire = serving(vault)

    answer = wire.request("prompts/get", name=name, arguments=arguments)

    assert answer["error"] == {"code": -32602, "message": message}
    assert wire.close() == 0


@pytest.mark.parametrize("mode", ERAS)
def test_arguments_are_completed(vault: Path, mode: str):
    async def steps(client: Client) -> list[list[str]]:
        for number, project in enumerate(["api", "web", "api"]):
            given = {"title": f"T{number}", "content": f"C{number}", "type": "semantic"}
            await client.call_tool("mnemos_save", given | {"project": project})
        asked = [(PROMPT, "project", ""), (PROMPT, "project", "w"), (TEMPLATE, "id", "home")]
        return [
            (await client.complete(ref, {"name": name, "value": value})).completion.values
            for ref, name, value in asked
        ]

    assert talk(vault, steps, mode) == [["api", "web"], ["web"], ["Home.md"]]


def test_at_most_a_hundred_values_are_given_and_all_are_counted(vault: Path):
    for number in range(130):
        (vault / f"n{number:03d}.md").write_text(f"note {number}\n", encoding="utf-8")
    wire = serving(vault)
    while wire.call("stats")["index"]["pending"]:
        pass

    ref = {"type": "ref/resource", "uri": "mnemos://memory/{id}"}
    answer = wire.request("completion/complete", ref=ref, argument={"name": "id", "value": "n"})

    completion = answer["result"]["completion"]
    assert len(completion["values"]) == 100
    assert (completion["total"], completion["hasMore"]) == (130, True)
    assert wire.close() == 0


@pytest.mark.parametrize(
    ("ref", "argument", "message"),
    [
        (PromptReference(name="recal"), "topic", "Unknown prompt 'recal'; did you mean recall?"),
        (PROMPT, "topics", "Unknown argument 'topics'; did you mean topic?"),
        (TEMPLATE, "name", "Unknown argument 'name'; known: id"),
        (
            ResourceTemplateReference(uri="mnemos://other/{id}"),
            "id",
            "Unknown template 'mnemos://other/{id}'; known: mnemos://memory/{id}",
        ),
    ],
)
def test_completing_something_unknown_is_a_protocol_error(
    vault: Path, ref: object, argument: str, message: str
):
    async def steps(client: Client) -> MCPError:
        with pytest.raises(MCPError) as caught:
            await client.complete(ref, {"name": argument, "value": ""})
        return caught.value

    error = talk(vault, steps).error

    assert (error.code, error.message) == (-32602, message)
