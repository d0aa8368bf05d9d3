"""Who hears of changes: subscriptions of both eras of the protocol."""

import asyncio
import logging
from collections.abc import Collection

import anyio
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    ResourcesListChanged,
    ResourceUpdated,
)
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    EmptyResult,
    SubscribeRequestParams,
    SubscriptionsListenRequestParams,
    SubscriptionsListenResult,
    UnsubscribeRequestParams,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from mnemos_files.errors import MnemosError
from mnemos_files.server.errors import translated
from mnemos_files.server.news import COURTESY_SECONDS, News, Sight
from mnemos_files.server.resources import Shelf, knows
from mnemos_files.server.turns import Turns

URIS_MAX = 1_000
"""Resources that one subscriber may name."""

_PATIENCE_SECONDS = 10.0
_log = logging.getLogger(__name__)
Context = ServerRequestContext


class Subscriptions:
    """Subscriptions of one client; make it inside a running event loop.

    The newer era asks with `subscriptions/listen` and gets what that stream named. The older one
    subscribes to single resources; it cannot say that it wants to hear of lists, so that it hears
    of them once it has subscribed to something or asked for the list of templates.
    """

    def __init__(self, shelf: Shelf, turns: Turns) -> None:
        self._loop = asyncio.get_running_loop()
        self._shelf = shelf
        self._turns = turns
        self._bus = InMemorySubscriptionBus()
        self._streams = ListenHandler(self._bus)
        self._session: ServerSession | None = None
        self._uris: set[str] = set()
        self.news = News(shelf, self._tell)

    async def subscribe(self, context: Context, params: SubscribeRequestParams) -> EmptyResult:
        """Tell the client of an older era when this resource changes."""
        uri = params.uri
        if uri in self._uris:
            return EmptyResult()
        if len(self._uris) >= URIS_MAX:
            raise MCPError(INVALID_PARAMS, f"at most {URIS_MAX} resources can be subscribed to")
        version = context.protocol_version
        with translated(uri, version):
            await self._turns.read(lambda: self._shelf.read(uri, version))
            sight = await self._turns.read(lambda: self._shelf.look((uri,)))
        self._uris.add(uri)
        self.news.want((uri,), sight)
        self.heard(context, sight)
        return EmptyResult()

    async def unsubscribe(self, _context: Context, params: UnsubscribeRequestParams) -> EmptyResult:
        """Tell no more; a resource that was not subscribed to is passed over."""
        if params.uri in self._uris:
            self._uris.discard(params.uri)
            self.news.drop((params.uri,))
        return EmptyResult()

    async def listen(
        self, context: Context, params: SubscriptionsListenRequestParams
    ) -> SubscriptionsListenResult:
        """Serve one stream of the newer era until the client ends it.

        URIs that name nothing of ours are left out of what the answer confirms.
        """
        asked = params.notifications
        known = filter(knows, asked.resource_subscriptions or ())
        uris = tuple(dict.fromkeys(known))[:URIS_MAX]
        honoured = asked.model_copy(update={"resource_subscriptions": list(uris) or None})
        wants_lists = bool(asked.resources_list_changed)
        sight = await self._first_sight(uris) if uris or wants_lists else None
        self.news.want(uris, sight)
        if wants_lists:
            self.news.want_lists(sight)
        try:
            return await self._streams(
                context, params.model_copy(update={"notifications": honoured})
            )
        finally:
            self.news.drop(uris)
            if wants_lists:
                self.news.drop_lists()

    def heard(self, context: Context, sight: Sight | None = None) -> None:
        """The client asked for what may change; the newer era must say so with a stream."""
        if context.protocol_version in MODERN_PROTOCOL_VERSIONS or self._session is not None:
            return
        self._session = context.session
        self.news.want_lists(sight)

    async def _first_sight(self, uris: tuple[str, ...]) -> Sight | None:
        """The state when the stream begins, so that nothing after its confirmation is missed.

        None when the vault cannot be read, or not in time; the stream begins nevertheless.
        """
        await anyio.sleep(COURTESY_SECONDS)
        with anyio.move_on_after(_PATIENCE_SECONDS):
            try:
                return await self._turns.read(lambda: self._shelf.look(uris), may_abandon=True)
            except MnemosError as error:
                _log.warning("the vault cannot be read: %s", error)
        return None

    def _tell(self, uris: Collection[str], is_list_changed: bool) -> None:  # noqa: FBT001 - a callback
        """Called in the thread of the news."""
        done = self._publish(uris, is_list_changed=is_list_changed)
        try:
            asyncio.run_coroutine_threadsafe(done, self._loop)
        except RuntimeError:
            done.close()
            _log.debug("the event loop has ended")

    async def _publish(self, uris: Collection[str], *, is_list_changed: bool) -> None:
        for uri in uris:
            await self._bus.publish(ResourceUpdated(uri))
            if self._session is not None and uri in self._uris:
                await self._session.send_resource_updated(uri)
        if is_list_changed:
            await self._bus.publish(ResourcesListChanged())
            if self._session is not None:
                await self._session.send_resource_list_changed()
