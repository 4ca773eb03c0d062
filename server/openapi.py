"""The OpenAPI document, made from the descriptions that requests are checked by."""

from collections.abc import Iterable
from typing import Any

from ..version import VERSION
from .fields import Field
from .requests import POSITIONS, QUESTIONS

EXAMPLES: dict[str, Any] = {
    "hint": {"variant": "yahtzee", "dice": [3, 3, 3, 6, 6], "rolls_left": 1, "sheet": {"ones": 3}, "top": 3},
    "hints": {"positions": [{"variant": "generala", "dice": "33366"}, {"variant": "generala", "dice": "11145"}]},
    "value": {"variant": "yahtzee", "sheet": "ones=3 full_house=0"},
    "score": {"variant": "generala", "dice": "33366", "served": True},
    "distribution": {"variant": "generala", "at_least": [150, 200]},
    "target": {"variant": "generala", "scores": [200]},
    "duel": {"variant": "generala-obligada", "dice": "22456", "me": "ones=3", "them": ["ones=4"], "rolls_left": 1},
    "odds": {"pattern": "full house"},
    "gin/deadwood": {"hand": "A7.7.7.789JQK"},
    "gin/discard": {"hand": "A289.89.9.789T"},
    "gin/showdown": {"knocker": "JQ.4JQ.567.JQ", "defender": ".T.89TJ.A234T"},
    "gin/advise": {"hand": "789TJ..A.6789J", "seen": "Kc Qd 2h 2c 3c 3s", "taken": "5h"},
}
OTHERS = {
    "/v1/jobs/{job}": "Tells how far a job is, and its answer once there is one.",
    "/v1/variants": "Lists the variants that come with the package.",
    "/v1/rules/{variant}": "Shows the rules of a variant.",
    "/v1/words/{language}": "Tells the words of a language (en, es, ko, de), and the rules of all variants in it.",
    "/health": "Tells that the server answers.",
    "/version": "Tells the version.",
}
ERROR = {"type": "object", "properties": {"error": {"type": "string"}}, "required": ["error"]}


def _content(schema: Any) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


FAULTS = {
    "400": "the body is no JSON object",
    "413": "the body is too long",
    "415": "the body is not sent as application/json",
    "422": "a field, a position or a rule is wrong",
    "503": "too many questions wait",
    "504": "the answer takes too long",
}


def _post(name: str, summary: str, fields: Iterable[Field]) -> dict[str, Any]:
    fields = list(fields)
    schema = {
        "type": "object",
        "properties": {field.name: {**field.kind.schema, "description": field.meaning} for field in fields},
        "required": [field.name for field in fields if field.required],
        "additionalProperties": False,
        "example": EXAMPLES[name],
    }
    replies: dict[str, Any] = {"200": {"description": "the answer", "content": _content({"type": "object"})}}
    if name != "hints":
        replies["202"] = {"description": "a job that is at it", "content": _content({"type": "object"})}
    replies |= {status: {"description": text, "content": _content(ERROR)} for status, text in FAULTS.items()}
    body = {"required": True, "content": _content(schema)}
    return {"summary": summary, "operationId": name.replace("/", "_"), "requestBody": body, "responses": replies}


def _get(path: str, summary: str) -> dict[str, Any]:
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    found: dict[str, Any] = {
        "summary": summary,
        "operationId": "get_" + path.strip("/").replace("v1/", "").partition("/")[0],
        "parameters": [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names],
        "responses": {"200": {"description": "the answer", "content": _content({})}},
    }
    if names:
        found["responses"]["404"] = {"description": "there is none", "content": _content(ERROR)}
    return found


def document() -> dict[str, Any]:
    """The document."""
    paths: dict[str, Any] = {
        question.path: {"post": _post(question.name, question.summary, question.fields.values())}
        for question in QUESTIONS
    }
    paths["/v1/hints"] = {"post": _post("hints", "Ranks the options of many positions.", [POSITIONS])}
    paths |= {path: {"get": _get(path, summary)} for path, summary in OTHERS.items()}
    info = {"title": "servida", "version": VERSION, "description": "Perfect play for dice scoresheet games, as JSON."}
    return {"openapi": "3.1.0", "info": info, "paths": paths}
