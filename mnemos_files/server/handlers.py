"""What is done for each request of the protocol."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    CompleteRequestParams,
    CompleteResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
)

from mnemos_files.server import prompts, resources
from mnemos_files.server.caller import Caller
from mnemos_files.server.errors import protocol_error, translated
from mnemos_files.server.subscriptions import Subscriptions
from mnemos_files.server.tools import Toolbox
from mnemos_files.server.turns import Turns

Context = ServerRequestContext
Page = PaginatedRequestParams | None


class Handlers:
    """Answers requests; make it inside a running event loop.

    `store` blocks until the vault is open; `listed` is called when a client asked for the tools.
    `caller` is told who asks before the vault is. Lists are made once: they change with the
    installed version only.
    """

    def __init__(
        self,
        toolbox: Toolbox,
        store: Callable[[], Any],
        listed: Callable[[], object],
        caller: Caller,
    ) -> None:
        self._caller = caller
        self._toolbox = toolbox
        self._store = store
        self._listed = listed
        self._turns = Turns()
        self._shelf = resources.Shelf(store)
        self.subscriptions = Subscriptions(self._shelf, self._turns)
        self._tools = ListToolsResult(tools=toolbox.listing())
        self._resources = ListResourcesResult(resources=resources.listing())
        self._templates = ListResourceTemplatesResult(resource_templates=[resources.TEMPLATE])
        self._prompts = ListPromptsResult(prompts=prompts.listing())

    async def list_tools(self, context: Context, _page: Page) -> ListToolsResult:
        """Every tool."""
        self._caller.heard(context)
        self._listed()
        return self._tools

    async def call_tool(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        """The answer of a tool; what a writing one changed is looked for at once."""
        operation = self._toolbox.find(params.name)
        name = self._caller.heard(context)
        arguments = params.arguments or {}
        if operation.read_only:
            return await self._turns.read(lambda: self._toolbox.call(operation, arguments, name))
        done = await self._turns.write(lambda: self._toolbox.call(operation, arguments, name))
        self.subscriptions.news.ring()
        return done

    async def list_resources(self, _context: Context, _page: Page) -> ListResourcesResult:
        """The documents about the vault."""
        return self._resources

    async def list_templates(self, context: Context, _page: Page) -> ListResourceTemplatesResult:
        """The template of the memories."""
        self.subscriptions.heard(context)
        return self._templates

    async def read_resource(
        self, context: Context, params: ReadResourceRequestParams
    ) -> ReadResourceResult:
        """One resource."""
        self._caller.heard(context)
        uri, version = params.uri, context.protocol_version
        with translated(uri, version):
            return await self._turns.read(lambda: self._shelf.read(uri, version))

    async def list_prompts(self, _context: Context, _page: Page) -> ListPromptsResult:
        """Every prompt."""
        return self._prompts

    async def get_prompt(self, context: Context, params: GetPromptRequestParams) -> GetPromptResult:
        """The message of one prompt."""
        self._caller.heard(context)
        with _failures():
            return await self._turns.read(lambda: prompts.answer(self._store, params))

    async def complete(self, context: Context, params: CompleteRequestParams) -> CompleteResult:
        """Values for an argument."""
        self._caller.heard(context)
        with _failures():
            return await self._turns.read(lambda: prompts.completed(self._store, params))


@contextmanager
def _failures() -> Iterator[None]:
    """Turns every failure into an error of the protocol."""
    try:
        yield
    except MCPError:
        raise
    except Exception as error:
        raise protocol_error(error) from error
