"""Connections that are closed when nothing comes of them."""

import asyncio
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

IDLE = 10.0  # seconds; a connection without a request for twice as long is closed at the latest


class Connection(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """A connection of uvicorn's that is looked at every so many seconds: those on which no request has come to be
    since then, or on which more keeps coming after the answer, are closed."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._look(None)

    def _look(self, before: Any) -> None:
        if self.transport.is_closing():
            return
        if before is not None and self.cycle is before[0] and (self.cycle is None or self.cycle.response_complete):
            self.transport.abort()
            return
        self._looking = self.loop.call_later(IDLE, self._look, (self.cycle,))

    def connection_lost(self, error: Exception | None) -> None:
        self._looking.cancel()
        super().connection_lost(error)
