"""servida serve: the answers as JSON over HTTP."""

from pathlib import Path

import click

from ..errors import ServidaError, quoted
from .common import folder_option, limit_options, threads_option


@click.command("serve")
@click.option("--host", default="127.0.0.1", help="Address to serve at (default: 127.0.0.1, this machine only).")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, help="Port (default: 8000; 0: any that is free).")
@click.option("--cors", "origins", multiple=True, metavar="ORIGIN", help="Origin of pages that may ask; * for all.")
@click.option("--solvers", type=click.IntRange(1, 64), default=2, help="Processes that compute (default: 2).")
@limit_options
@folder_option
@threads_option
def command(
    host: str,
    port: int,
    origins: tuple[str, ...],
    solvers: int,
    time_limit: float,
    memory_limit: float,
    folder: Path | None,
    threads: int | None,
) -> None:
    """Serves the answers of the other commands as JSON over HTTP, with their OpenAPI document.

    \b
    Example:
      servida serve --port 8080 --cors http://localhost:3000
    """
    for origin in origins:
        scheme, mark, rest = origin.partition("://")
        if origin != "*" and not (scheme in ("http", "https") and mark and rest and "/" not in rest):
            raise click.UsageError(f"cors: expected an origin like https://example.org, or *, found {quoted(origin)}")
    try:
        from ..server.run import serve
        from ..server.settings import Settings
    except ModuleNotFoundError as error:
        if error.name not in ("starlette", "uvicorn", "orjson"):
            raise
        raise ServidaError("serve: expected starlette and uvicorn, found none; pip install 'servida[serve]'") from None
    named = str(folder.absolute()) if folder else None
    serve(
        host,
        port,
        Settings(
            folder=named,
            solvers=solvers,
            threads=threads,
            seconds=time_limit,
            memory=memory_limit * 1e9,
            origins=origins,
        ),
    )
