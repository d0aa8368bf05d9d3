"""Who is on the other side of a connection."""

from mcp.server.context import ServerRequestContext


class Caller:
    """The client of this process, by the name that its requests tell; "" until one does."""

    def __init__(self) -> None:
        self.name = ""

    def heard(self, context: ServerRequestContext) -> str:
        """The name of the client that sent a request."""
        told = context.session.client_params
        self.name = told.client_info.name if told is not None else self.name
        return self.name
