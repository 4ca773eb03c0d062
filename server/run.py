"""Serving: the address is taken, told, and given back at the end."""

import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import click
import uvicorn

from ..errors import StorageError
from .app import create
from .connections import Connection
from .settings import Settings

MOST_CONNECTIONS = 900
GRACE = 5  # seconds that answers under way have at the end


def serve(host: str, port: int, settings: Settings) -> None:
    """Serves until the process is interrupted or told to end; `StorageError` if the address cannot be taken."""
    with _bound(host, port) as taken:
        shown = f"[{host}]" if ":" in host else host
        config = uvicorn.Config(
            create(settings),
            http=Connection,
            log_level="critical",
            access_log=False,
            server_header=False,
            ws="none",
            limit_concurrency=MOST_CONNECTIONS,
            timeout_graceful_shutdown=GRACE,
        )
        address = f"http://{shown}:{taken.getsockname()[1]}"
        _Server(config, f"servida is at {address} (Ctrl-C ends it)").run(sockets=[taken])


class _Server(uvicorn.Server):
    """A server that prints a line once it serves, and for which being told to end is a good end."""

    def __init__(self, config: uvicorn.Config, line: str):
        super().__init__(config)
        self.line = line

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        click.echo(self.line)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _bound(host: str, port: int) -> socket.socket:
    """A socket at the address."""
    try:
        family, kind, number, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        found = socket.socket(family, kind, number)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
    except OSError as error:
        raise StorageError(
            f"{host}:{port}: expected an address that can be served at, found: {error.strerror or error}; choose "
            "another with --host or --port"
        ) from None
    return found
