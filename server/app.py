"""The application: addresses, and what is sent back."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from ..cli.rules import as_object as rules_object
from ..cli.variants import as_object as variant_object
from ..data.catalog import load_named, variant_ids
from ..data.language import language
from ..version import VERSION
from .desk import Desk
from .encode import encode
from .faults import RefusedError, fault
from .fields import read_json
from .limits import BATCH_BODY, BODY, Errors, patience_of, read_body
from .openapi import document
from .page import page
from .requests import QUESTIONS, Question
from .settings import Settings
from .site import CONTENT_POLICY, file_of, words_object

STATIC = Path(__file__).parent / "static"
Handler = Callable[[Request], Awaitable[tuple[int, str]]]


def create(settings: Settings) -> Starlette:
    """The application for these settings."""
    desk, errors = Desk(settings), Errors(settings.errors)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        desk.close()

    async def fault_of(request: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException):
            words = {404: "an address listed at /docs", 405: "another method"}
            error = RefusedError(
                error.status_code, f"address: expected {words.get(error.status_code, 'another')}, found this one"
            )
        status, message = fault(error, desk.folder)
        await errors.wait()
        return _json(status, encode({"error": message}))

    cors = Middleware(
        CORSMiddleware,
        allow_origins=settings.origins,
        allow_methods=["GET", "POST"],
        allow_headers=["content-type", "prefer"],
    )
    return Starlette(
        routes=_routes(desk, errors),
        middleware=[cors] if settings.origins else [],
        lifespan=lifespan,
        exception_handlers={HTTPException: fault_of, Exception: fault_of},
    )


def _json(status: int, text: str) -> Response:
    headers = {"retry-after": "1"} if status in (202, 503) else None
    return Response(text.encode(errors="backslashreplace"), status, headers, "application/json")


def _routes(desk: Desk, errors: Errors) -> list[BaseRoute]:
    """All addresses."""
    posts: list[tuple[str, Handler]] = [(q.path, partial(_answer, desk, q)) for q in QUESTIONS]
    posts.append(("/v1/hints", partial(_batch, desk)))
    gets: list[tuple[str, Handler]] = [
        ("/v1/jobs/{job}", partial(_job, desk)),
        ("/v1/variants", _variants),
        ("/v1/rules/{variant}", _rules),
        ("/v1/words/{language}", _words),
        ("/health", _health),
        ("/version", _version),
        ("/openapi.json", _document),
    ]
    found: list[BaseRoute] = [Route(path, _Endpoint(act, desk, errors), methods=["POST"]) for path, act in posts]
    found += [Route(path, _Endpoint(act, desk, errors), methods=["GET"]) for path, act in gets]
    found.append(Route("/docs", _page))
    return [*found, Route("/", _static), Route("/{name}", _static)]


class _Endpoint:
    """An address as an ASGI application: sends what the handler tells, or its error in one line."""

    def __init__(self, act: Handler, desk: Desk, errors: Errors):
        self.act, self.desk, self.errors = act, desk, errors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            status, text = await self.act(Request(scope, receive))
        except Exception as error:
            status, message = fault(error, self.desk.folder)
            text = encode({"error": message})
        if 400 <= status < 500:
            await self.errors.wait()
        await _json(status, text)(scope, receive, send)


async def _answer(desk: Desk, question: Question, request: Request) -> tuple[int, str]:
    patience = patience_of(request, desk.settings.patience)
    return await desk.answer(question, read_json(await read_body(request, BODY)), patience)


async def _batch(desk: Desk, request: Request) -> tuple[int, str]:
    return await desk.batch(read_json(await read_body(request, BATCH_BODY)))


async def _job(desk: Desk, request: Request) -> tuple[int, str]:
    return 200, desk.job(request.path_params["job"]).to_json()


async def _variants(request: Request) -> tuple[int, str]:
    words = language("en")
    return 200, encode([variant_object(load_named(name), words) for name in variant_ids()])


async def _rules(request: Request) -> tuple[int, str]:
    variant = load_named(request.path_params["variant"])
    return 200, encode(rules_object(variant, language("en")))


async def _words(request: Request) -> tuple[int, str]:
    return 200, encode(words_object(request.path_params["language"]))


async def _health(request: Request) -> tuple[int, str]:
    return 200, encode({"status": "ok"})


async def _version(request: Request) -> tuple[int, str]:
    return 200, encode({"version": VERSION})


async def _document(request: Request) -> tuple[int, str]:
    return 200, encode(document())


async def _page(request: Request) -> Response:
    return HTMLResponse(
        page(document()), headers={"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'"}
    )


async def _static(request: Request) -> Response:
    path = file_of(STATIC, request.path_params.get("name", "index.html"))
    if path is None:
        raise HTTPException(404)
    return FileResponse(path, headers={"content-security-policy": CONTENT_POLICY, "cache-control": "no-cache"})
