"""Serving: the address is taken, told, and given back at the end."""

import socket
from contextlib import suppress

import click
import uvicorn

from ..errors import StorageError
from .app import create
from .settings import Settings

MOST_CONNECTIONS = 1000
GRACE = 5  # seconds that answers under way have at the end


def serve(host: str, port: int, settings: Settings) -> None:
    """Serves until the process is interrupted or told to end; `StorageError` if the address cannot be taken."""
    with _bound(host, port) as taken:
        shown = f"[{host}]" if ":" in host else host
        click.echo(f"servida is at http://{shown}:{taken.getsockname()[1]} (Ctrl-C ends it)")
        config = uvicorn.Config(
            create(settings),
            log_level="critical",
            access_log=False,
            server_header=False,
            ws="none",
            limit_concurrency=MOST_CONNECTIONS,
            timeout_graceful_shutdown=GRACE,
        )
        with suppress(KeyboardInterrupt):  # it has ended by then
            _Server(config).run(sockets=[taken])


class _Server(uvicorn.Server):
    """A server that an end asked for is a good end."""

    def handle_exit(self, sig: int, frame: object) -> None:
        super().handle_exit(sig, frame)  # type: ignore[arg-type]
        self._captured_signals.clear()  # else the signal would be raised again


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
