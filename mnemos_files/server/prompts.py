"""Prompts and the completion of arguments, as the protocol has them."""

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CompleteRequestParams,
    CompleteResult,
    Completion,
    GetPromptRequestParams,
    GetPromptResult,
    PromptArgument,
    PromptMessage,
    PromptReference,
    TextContent,
)
from mcp_types import Prompt as ListedPrompt

from mnemos_files.operations.completion import SHOWN_MAX, complete, offered
from mnemos_files.operations.prompts import PROMPTS, Prompt
from mnemos_files.server.uris import MEMORY_TEMPLATE

if TYPE_CHECKING:  # not at run time: lists are answered before the store is loaded
    from mnemos_files.store.store import Store


def listing() -> list[ListedPrompt]:
    """Every prompt, in the order of the table."""
    return [_listed(prompt) for prompt in PROMPTS.values()]


def answer(open_store: "Callable[[], Store]", params: GetPromptRequestParams) -> GetPromptResult:
    """The message of a prompt. Blocks.

    Raises:
        MCPError: there is no such prompt or argument, or one is missing or too long.
        MnemosError: the vault cannot be read.
    """
    prompt = _prompt(params.name)
    given = _arguments(prompt, params.arguments or {})
    text = prompt.write(open_store(), given)
    message = PromptMessage(role="user", content=TextContent(text=text))
    return GetPromptResult(description=prompt.description, messages=[message])


def completed(open_store: "Callable[[], Store]", params: CompleteRequestParams) -> CompleteResult:
    """Values for an argument of a prompt or of the template that begin as typed. Blocks.

    Raises:
        MCPError: there is no such prompt, template or argument.
        MnemosError: the vault cannot be read.
    """
    name = _argument(params)
    values = complete(open_store(), name, params.argument.value)
    is_cut = len(values) > SHOWN_MAX
    return CompleteResult(
        completion=Completion(values=offered(values), total=len(values), has_more=is_cut)
    )


def _argument(params: CompleteRequestParams) -> str:
    """The argument that is completed, when what it belongs to exists."""
    if isinstance(params.ref, PromptReference):
        known = [argument.name for argument in _prompt(params.ref.name).arguments]
    elif params.ref.uri == MEMORY_TEMPLATE:
        known = ["id"]
    else:
        raise _refusal(f"Unknown template {params.ref.uri!r}; known: {MEMORY_TEMPLATE}")
    return _known(params.argument.name, known)


def _listed(prompt: Prompt) -> ListedPrompt:
    arguments = [
        PromptArgument(name=one.name, description=one.description, required=one.is_required)
        for one in prompt.arguments
    ]
    return ListedPrompt(
        name=prompt.name, title=prompt.title, description=prompt.description, arguments=arguments
    )


def _prompt(name: str) -> Prompt:
    if name not in PROMPTS:
        raise _refusal(f"Unknown prompt {name!r}; {_hint(name, list(PROMPTS))}")
    return PROMPTS[name]


def _arguments(prompt: Prompt, raw: Mapping[str, str]) -> dict[str, str]:
    """Every argument of the prompt, trimmed, "" for one that was not given."""
    names = [argument.name for argument in prompt.arguments]
    for name in raw:
        _known(name, names)
    given = {name: raw.get(name, "").strip() for name in names}
    for argument in prompt.arguments:
        text = given[argument.name]
        if argument.is_required and not text:
            raise _refusal(f"{argument.name}: is required: {argument.description}")
        if len(text) > argument.max_length:
            most = argument.max_length
            raise _refusal(f"{argument.name}: {len(text)} characters are too many, at most {most}")
    return given


def _known(name: str, names: list[str]) -> str:
    if name not in names:
        raise _refusal(f"Unknown argument {name!r}; {_hint(name, names)}")
    return name


def _hint(name: str, names: list[str]) -> str:
    nearest = get_close_matches(name, names, n=1)
    return f"did you mean {nearest[0]}?" if nearest else f"known: {', '.join(names)}"


def _refusal(text: str) -> MCPError:
    return MCPError(INVALID_PARAMS, text)
