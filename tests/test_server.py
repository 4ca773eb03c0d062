"""The server answers what the command line answers, tells every mistake in one line, and keeps to its limits."""

import asyncio
import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from clitools import TOY, good_json, one_line
from conftest import Cli

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("orjson")
httpx = pytest.importorskip("httpx")

import uvicorn  # noqa: E402
from servida import load  # noqa: E402
from servida.server.app import create  # noqa: E402
from servida.server.connections import Connection  # noqa: E402
from servida.server.limits import BATCH_BODY, BODY  # noqa: E402
from servida.server.requests import MOST_POSITIONS, QUESTIONS  # noqa: E402
from servida.server.settings import Settings  # noqa: E402

SHEET = "ones=3 full_house=0"
COLUMNS = TOY.replace("[upper_bonus]", '[[column]]\norder = "down"\n[[column]]\nmultiplier = 2\n[upper_bonus]')
UTILITY = "100,0\n200,1\nwin,2\n"


class Client:
    """A server in this process, and requests to it."""

    def __init__(self, runner: asyncio.Runner, **settings: Any):
        self.runner, self.app = runner, create(Settings(**settings))
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        self.web = httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=60)
        self.span = self.app.router.lifespan_context(self.app)
        runner.run(self.span.__aenter__())

    def close(self) -> None:
        self.runner.run(self.span.__aexit__(None, None, None))
        self.runner.run(self.web.aclose())

    def get(self, path: str, **more: Any) -> Any:
        return self.runner.run(self.web.get(path, **more))

    def post(self, path: str, body: Any = None, **more: Any) -> Any:
        return self.runner.run(self.web.post(f"/v1/{path}", json=body, **more))

    def answer(self, path: str, body: Any) -> Any:
        """The answer, for which a job is waited for."""
        reply = self.post(path, body)
        while reply.status_code == 202:
            job = reply.json()["job"]
            self.runner.run(asyncio.sleep(0.1))
            told = self.get(f"/v1/jobs/{job}").json()
            if told["state"] != "running":
                assert told["status"] == 200, told
                return told["answer"]
        assert reply.status_code == 200, reply.text
        return reply.json()


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as found:
        yield found


@pytest.fixture(scope="module")
def client(runner: asyncio.Runner) -> Iterator[Client]:
    found = Client(runner, solvers=1, errors=1e9)
    yield found
    found.close()


def refused(reply: Any, status: int = 422) -> str:
    """The one line of an answer that is none."""
    assert reply.status_code == status, reply.text
    assert reply.headers["content-type"] == "application/json"
    assert list(reply.json()) == ["error"]
    message = str(reply.json()["error"])
    assert "\n" not in message
    assert "Traceback" not in message
    return message


# what the server is asked, and the words for the same on the command line
SAME: list[tuple[str, dict[str, Any], str]] = [
    ("hint", {"variant": "generala", "dice": "33366"}, "hint generala 33366"),
    (
        "hint",
        {"variant": "Generala clásica", "dice": [3, 3, 3, 6, 6], "rolls_left": 1, "held": "33", "top": 3},
        "hint generala-classic 33366 --rolls-left 1 --held 33 --top 3",
    ),
    (
        "hint",
        {"variant": "yahtzee", "dice": "44444", "sheet": {"yahtzee": 50, "fours": 16}, "explain": True},
        "hint yahtzee 44444 --sheet 'yahtzee=50 fours=16' --explain",
    ),
    (
        "hint",
        {"variant": "generala", "dice": "11145", "objective": "target:200", "explain": True},
        "hint generala 11145 --objective target:200 --explain",
    ),
    (
        "hint",
        {"variant": "generala", "dice": "11145", "objective": "utility", "utility": UTILITY},
        "hint generala 11145 --objective utility:utility.csv",
    ),
    (
        "hint",
        {"variant": "generala-obligada", "dice": "22456", "objective": "duel", "them": ["ones=4"], "top": 2},
        "hint generala-obligada 22456 --objective duel --them ones=4 --top 2",
    ),
    ("hint", {"rules": TOY, "dice": "16"}, "hint ./toy.toml 16"),
    ("hint", {"rules": COLUMNS, "dice": "16", "sheet": "2.ones=1"}, "hint ./columns.toml 16 --sheet 2.ones=1"),
    ("value", {"variant": "generala", "sheet": SHEET}, f"value generala --sheet '{SHEET}'"),
    (
        "value",
        {"variant": "generala", "objective": "utility", "utility": {"100": 0, "200": 1, "win": 2}},
        "value generala --objective utility:utility.csv",
    ),
    ("value", {"rules": TOY, "sheet": {"ones": 2}}, "value ./toy.toml --sheet ones=2"),
    ("value", {"rules": COLUMNS, "sheet": "down.ones=1"}, "value ./columns.toml --sheet down.ones=1"),
    ("score", {"variant": "generala", "dice": "33366", "served": True}, "score generala 33366 --served"),
    ("score", {"rules": COLUMNS, "dice": "66"}, "score ./columns.toml 66"),
    (
        "distribution",
        {"variant": "generala", "at_least": [150, 200]},
        "distribution generala --at-least 150 --at-least 200",
    ),
    (
        "distribution",
        {"variant": "generala", "sheet": SHEET, "objective": "target:200"},
        f"distribution generala --sheet '{SHEET}' --objective target:200",
    ),
    ("target", {"variant": "generala", "scores": [150, 250], "compare": True}, "target generala 150 250 --compare"),
    ("target", {"variant": "generala", "sheet": SHEET}, f"target generala --sheet '{SHEET}'"),
    ("duel", {"variant": "generala-obligada"}, "duel generala-obligada"),
    (
        "duel",
        {
            "variant": "generala-obligada",
            "me": {"ones": 3},
            "them": ["ones=4 twos=6"],
            "me_total": 5,
            "them_total": [12],
            "turn": "them",
            "tie": "win",
        },
        "duel generala-obligada --me ones=3 --them 'ones=4 twos=6' --me-total 5 --them-total 12 --turn them --tie win",
    ),
    ("odds", {"pattern": "full house"}, "odds full house"),
    ("odds", {"pattern": "chaser:choice", "turns": 12}, "odds chaser:choice --turns 12"),
    ("odds", {"pattern": "12345", "from": [1, 3, 4, 5, 5], "rolls_left": 1}, "odds 12345 --from 13455 --rolls-left 1"),
    ("odds", {"variant": "generala", "category": "full_house"}, "odds --variant generala --category full_house"),
    ("odds", {"variant": "generala"}, "odds --variant generala"),
    ("gin/deadwood", {"hand": "A7.7.7.789JQK"}, "gin deadwood A7.7.7.789JQK"),
    ("gin/discard", {"hand": "A289.89.9.789T"}, "gin discard A289.89.9.789T"),
    (
        "gin/showdown",
        {"knocker": "JQ.4JQ.567.JQ", "defender": ".T.89TJ.A234T", "layoff": "two-order"},
        "gin showdown JQ.4JQ.567.JQ .T.89TJ.A234T --layoff two-order",
    ),
    (
        "gin/advise",
        {"hand": "789TJ..A.6789J", "seen": "Kc Qd 2h", "worlds": 10, "seed": 3},
        "gin advise 789TJ..A.6789J --seen 'Kc Qd 2h' --worlds 10 --seed 3",
    ),
]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files that the command line reads for what requests hold themselves."""
    monkeypatch.chdir(tmp_path)
    Path("toy.toml").write_text(TOY)
    Path("columns.toml").write_text(COLUMNS)
    Path("utility.csv").write_text(UTILITY)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("path", "body", "line"), SAME, ids=[line for _, _, line in SAME])
def test_answers_are_those_of_the_command_line(cli: Cli, client: Client, path: str, body: Any, line: str) -> None:
    for _ in range(2):  # at first a solver answers, and then perhaps an open table
        assert client.answer(path, body) == good_json(cli(*shlex.split(line), "--json"))


def test_every_question_is_asked_above() -> None:
    assert {path for path, _, _ in SAME} == {question.name for question in QUESTIONS}


def test_house_rules_may_be_an_object(client: Client) -> None:
    import tomllib

    expected = client.answer("hint", {"rules": TOY, "dice": "16"})
    assert client.answer("hint", {"rules": tomllib.loads(TOY), "dice": "16"}) == expected


def test_hints_in_a_batch_are_those_asked_for_one_by_one(client: Client) -> None:
    positions = [{"variant": "generala", "dice": dice, "sheet": SHEET} for dice in ("33366", "11145", "66666")]
    alone = [client.answer("hint", position) for position in positions]
    assert client.answer("hints", {"positions": positions}) == {"hints": alone}
    assert client.answer("hints", {"positions": []}) == {"hints": []}
    wrong = [positions[0], {"variant": "generala", "dice": "3336"}]
    assert refused(client.post("hints", {"positions": wrong})) == "position 1: dice: expected 5 dice, found 4: 3336"
    several = {"rules": COLUMNS, "dice": "16"}
    assert "sheet of one column" in refused(client.post("hints", {"positions": [several]}))
    assert "a list of at most" in refused(client.post("hints", {"positions": [1] * (MOST_POSITIONS + 1)}))


def test_mistakes_are_told_as_on_the_command_line(cli: Cli, client: Client) -> None:
    for path, body, line in (
        ("hint", {"variant": "yahtzee", "dice": "33367"}, "hint yahtzee 33367"),
        ("hint", {"variant": "yahtzee", "dice": "33366", "sheet": "ones=9"}, "hint yahtzee 33366 --sheet ones=9"),
        ("hint", {"variant": "yahtzee", "dice": "33366", "rolls_left": 9}, "hint yahtzee 33366 --rolls-left 9"),
        ("hint", {"variant": "yahtzee", "dice": "33366", "held": "3"}, "hint yahtzee 33366 --held 3"),
        ("value", {"variant": "generala", "sheet": "one=3"}, "value generala --sheet one=3"),
        ("target", {"variant": "generala", "sheet": "ones"}, "target generala --sheet ones"),
        ("odds", {"pattern": "ful house"}, "odds ful house"),
        ("odds", {}, "odds"),
        ("gin/deadwood", {"hand": "7s 7s"}, "gin deadwood 7s 7s"),
        ("gin/showdown", {"knocker": "7s", "defender": "8s"}, "gin showdown 7s 8s"),
        ("duel", {"variant": "chaser", "me": "ones=77"}, "duel chaser --me ones=77"),
    ):
        assert refused(client.post(path, body)) == one_line(cli(*shlex.split(line)))


def test_fields_are_checked(client: Client) -> None:
    hint = {"variant": "yahtzee", "dice": "33366"}
    for body, expected in (
        ({**hint, "tops": 3}, "body: expected the keys variant, rules, dice, .*, found 'tops' .did you mean 'top'"),
        ({**hint, "top": 0}, "top: expected a whole number from 1 to 1000, found 0"),
        ({**hint, "top": True}, "top: expected a whole number from 1 to 1000, found true"),
        ({"variant": "yahtzee"}, "dice: expected text or a list of faces, found nothing"),
        ({"dice": "33366"}, "variant: expected either it or house rules under 'rules', found neither"),
        ({**hint, "rules": TOY}, "variant: expected either it or house rules under 'rules', found both"),
        ({**hint, "sheet": [3]}, "sheet: expected an object of points per box, or text, found .3."),
        ({**hint, "objective": "utility"}, "utility: expected lines total,utility beside the objective utility"),
        ({**hint, "utility": "1,2"}, "utility: expected it with the objective utility, found 'score'"),
        ({**hint, "objective": "targt:3"}, "objective: expected .*, found 'targt:3' .did you mean 'target'"),
        ({**hint, "objective": "utility", "utility": "1,x"}, "utility, line 1: expected a utility, .*, found 'x'"),
        ({"rules": "format = 2", "dice": "1"}, "rules: format: expected 1"),
        ({"rules": TOY.replace("toy", "t" * 65), "dice": "1"}, "rules: id: expected at most 64 characters"),
        ({"rules": "#" * 20_000, "dice": "1"}, "rules: expected at most 16384 characters, found 20000"),
    ):
        message = refused(client.post("hint", body))
        assert re.match(expected, message), message


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"[1]",
        b"3",
        b"null",
        b"[" * 50_000,
        b"\xff\xfe",
        b"{" * 10_000,
        b'{"variant": NaN}',
        b'{"variant": 1e999}',
        b'{"variant": ' + b"9" * 5_000 + b"}",
    ],
)
def test_what_is_no_json_object_is_refused(client: Client, text: bytes) -> None:
    for path in ("hint", "hints", "duel", "gin/advise"):
        reply = client.runner.run(
            client.web.post(f"/v1/{path}", content=text, headers={"content-type": "application/json"})
        )
        assert refused(reply, 400).startswith("body: expected a JSON object, found ")


def test_keys_come_once(client: Client) -> None:
    text = b'{"variant": "yahtzee", "dice": "33366", "dice": "11111"}'
    reply = client.runner.run(client.web.post("/v1/hint", content=text, headers={"content-type": "application/json"}))
    assert refused(reply) == "body: expected every key once, found 'dice' twice"


def test_no_request_leads_to_a_file(client: Client, tmp_path: Path) -> None:
    rules, utility = tmp_path / "toy.toml", tmp_path / "utility.csv"
    rules.write_text(TOY)
    utility.write_text(UTILITY)
    for body in (
        {"variant": str(rules), "dice": "16"},
        {"variant": "../" * 9 + str(rules), "dice": "16"},
        {"variant": "generala", "dice": "33366", "objective": f"utility:{utility}"},
        {"variant": "generala", "dice": "33366", "objective": "utility", "utility": str(utility)},
        {"rules": str(rules), "dice": "16"},
    ):
        refused(client.post("hint", body))
    assert "an id, a name or an alias" in refused(client.post("odds", {"pattern": f"{rules}:ones"}))
    assert "an id, a name or an alias" in refused(client.post("odds", {"variant": str(rules)}))
    assert "an id, a name or an alias" in refused(client.get("/v1/rules/x.toml"))
    refused(client.get(f"/v1/rules/{rules}"), 404)
    refused(client.get("/../pyproject.toml"), 404)


def test_long_bodies_and_other_kinds_of_them_are_refused(client: Client) -> None:
    body = {"variant": "yahtzee", "dice": "3" * BODY}
    assert refused(client.post("hint", body), 413) == f"body: expected at most {BODY} bytes, found more"
    refused(client.post("hints", {"positions": ["3" * BATCH_BODY]}), 413)

    async def parts() -> Any:
        for _ in range(100):
            yield b" " * 1000

    for content in (parts(), b"{}"):
        kind = "text/plain" if content == b"{}" else "application/json"
        reply = client.runner.run(client.web.post("/v1/hint", content=content, headers={"content-type": kind}))
        refused(reply, 415 if content == b"{}" else 413)


def test_other_addresses_and_methods_are_refused_in_one_line(client: Client) -> None:
    assert refused(client.get("/nothing"), 404).startswith("address: ")
    assert refused(client.get("/v1/hint"), 405).startswith("address: ")
    assert refused(client.get("/v1/jobs/nothing"), 404).startswith("job: ")


def test_what_takes_long_becomes_a_job(runner: asyncio.Runner, cli: Cli) -> None:
    client = Client(runner, patience=0.0, solvers=1)
    try:
        reply = client.post("distribution", {"variant": "chaser"})
        assert reply.status_code == 202
        assert (reply.json()["state"], reply.json()["answer"]) == ("running", None)
        assert client.post("distribution", {"variant": "chaser"}).json()["job"] == reply.json()["job"]
        assert client.answer("distribution", {"variant": "chaser"}) == good_json(
            cli("distribution", "chaser", "--json")
        )
        assert client.post("hint", {"variant": "chaser", "dice": "33366"}).status_code == 200  # its table is stored now
        patient = client.post("odds", {"pattern": "pair"}, headers={"prefer": "wait=60"})
        assert patient.status_code == 200
        wrong = client.post("target", {"variant": "chaser", "sheet": "ones=77"}).json()["job"]
        while (told := client.get(f"/v1/jobs/{wrong}").json())["state"] == "running":
            runner.run(asyncio.sleep(0.05))
        assert (told["state"], told["status"]) == ("failed", 422)
        assert told["answer"]["error"].startswith("sheet: expected ones to hold one of ")
    finally:
        client.close()


def test_clients_may_say_not_to_wait(client: Client) -> None:
    body = {"hand": "789TJ..A.6789J", "worlds": 10, "seed": 77}
    assert client.post("gin/advise", body, headers={"prefer": "respond-async"}).status_code == 202
    assert client.answer("gin/advise", body)["turn"] == 0


def test_lines_and_times_have_their_limits(runner: asyncio.Runner) -> None:
    client = Client(runner, solvers=1, line=0)
    try:
        reply = client.post("odds", {"pattern": "pair"})
        assert refused(reply, 503).startswith("server: expected at most 0 questions in line")
        assert reply.headers["retry-after"]
    finally:
        client.close()
    client = Client(runner, solvers=1, seconds=0.2, patience=60)
    try:
        message = refused(client.post("duel", {"variant": "generala-obligada"}), 504)
        assert message == "server: expected a question that takes at most 0.2 s, found one that takes longer"
    finally:
        client.close()


def test_hints_do_not_wait_for_what_solvers_do(runner: asyncio.Runner, client: Client) -> None:
    client.answer("hint", {"variant": "generala", "dice": "33366"})

    async def ask() -> list[str]:
        order: list[str] = []

        async def post(path: str, body: Any) -> None:
            reply = await client.web.post(f"/v1/{path}", json=body, headers={"prefer": "wait=60"})
            assert reply.status_code == 200
            order.append(path)

        long = [asyncio.ensure_future(post("gin/advise", {"hand": "789TJ..A.6789J", "worlds": 2000, "seed": 9}))]
        await asyncio.sleep(0.01)
        await asyncio.gather(*(post("hint", {"variant": "generala", "dice": "33366"}) for _ in range(50)), *long)
        return order

    assert runner.run(ask()) == ["hint"] * 50 + ["gin/advise"]


def test_garbage_changes_nothing_for_others(runner: asyncio.Runner, client: Client) -> None:
    expected = client.answer("hint", {"variant": "generala", "dice": "33366"})
    garbage = [
        b"{",
        b"[" * 20_000,
        b"\xff" * 9_000,
        b'{"dice": 3}',
        b'{"variant": "' + b"y" * 60_000 + b'"}',
        b"x" * BODY,
    ]
    patient = Client(runner, solvers=1, errors=5.0)

    async def ask() -> list[Any]:
        async def throw(number: int) -> int:
            content = garbage[number % len(garbage)]
            reply = await patient.web.post("/v1/hint", content=content, headers={"content-type": "application/json"})
            return int(reply.status_code)

        thrown = [asyncio.ensure_future(throw(number)) for number in range(60)]
        hints = [await patient.web.post("/v1/hint", json={"variant": "generala", "dice": "33366"}) for _ in range(20)]
        waiting = sum(not one.done() for one in thrown)
        assert waiting > 30  # faulty requests wait while hints are answered
        assert set(await asyncio.gather(*thrown)) <= {400, 413, 422}
        return hints

    try:
        for reply in runner.run(ask()):
            assert reply.json() == expected
    finally:
        patient.close()


def test_pages_of_other_origins_may_ask_if_they_are_named(runner: asyncio.Runner, client: Client) -> None:
    origin = {"origin": "https://example.org"}
    ask = {**origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type"}
    assert "access-control-allow-origin" not in client.get("/health", headers=origin).headers
    assert client.runner.run(client.web.options("/v1/hint", headers=ask)).status_code == 405
    named = Client(runner, origins=("https://example.org",), solvers=1)
    try:
        assert named.get("/health", headers=origin).headers["access-control-allow-origin"] == "https://example.org"
        assert named.runner.run(named.web.options("/v1/hint", headers=ask)).status_code == 200
        other = named.get("/health", headers={"origin": "https://example.com"})
        assert "access-control-allow-origin" not in other.headers
    finally:
        named.close()


def test_visitors_tables_are_kept_up_to_a_number(runner: asyncio.Runner, tmp_path: Path) -> None:
    client = Client(runner, solvers=1, folder=str(tmp_path), visitors=2)
    try:
        for number in range(4):
            client.answer("value", {"rules": TOY.replace("threshold = 13", f"threshold = {number + 9}")})
        assert len(list((tmp_path / "visitors").glob("*.h5"))) == 2
        assert not list(tmp_path.glob("*.h5"))
    finally:
        client.close()


LARGE = """format = 1
id = "large"
""" + "".join(
    f"""[[category]]
id = "box{number}"
pattern = {{ faces = [6] }}
score = "sum_matched"
"""
    for number in range(25)
)


@pytest.mark.parametrize("columns", ["", "[[column]]\n" * 6])
def test_house_rules_have_a_limit(client: Client, columns: str) -> None:
    message = refused(client.post("value", {"rules": LARGE + columns}, headers={"prefer": "wait=60"}))
    assert message.startswith("rules: expected a game of at most 16,777,216 sheets, found ")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit the memory of a process so")
def test_solvers_have_no_more_memory_than_they_may(runner: asyncio.Runner, tmp_path: Path) -> None:
    client = Client(runner, solvers=1, memory=-1.75e9, threads=1, patience=60, folder=str(tmp_path))  # 250 MB
    try:
        message = refused(client.post("target", {"variant": "yatzy"}), 503)
        assert message == "server: expected a question that fits into memory, found one that does not"
    finally:
        client.close()


def test_tables_that_cannot_be_read_are_told_without_their_folder(runner: asyncio.Runner, tmp_path: Path) -> None:
    client = Client(runner, solvers=1, folder=str(tmp_path), patience=60)
    variant = load("chaser")
    (tmp_path / f"chaser.score.{variant.rules.digest[:12]}.h5").write_bytes(b"no table")
    try:
        for path, body in (("hint", {"variant": "chaser", "dice": "33366"}), ("distribution", {"variant": "chaser"})):
            message = refused(client.post(path, body), 500)
            assert message.startswith("tables/chaser.score.")
            assert str(tmp_path) not in message
    finally:
        client.close()


def test_the_other_addresses(cli: Cli, client: Client) -> None:
    assert client.get("/health").json() == {"status": "ok"}
    assert cli("--version").out.split()[-1] == client.get("/version").json()["version"]
    assert client.get("/v1/variants").json() == good_json(cli("variants", "--json"))
    assert client.get("/v1/rules/generala").json() == good_json(cli("rules", "generala", "--json"))
    words = client.get("/v1/words/ko").json()
    for variant in words["variants"]:
        players = variant.pop("players")
        assert 1 <= players[0] <= players[1]
        assert variant == good_json(cli("rules", variant["variant"], "--json", "--lang", "ko"))
    assert words["text"]["hold"] == "고정"
    assert refused(client.get("/v1/words/xx"), 404) == "language: expected en, es, ko, de, found another"


def test_the_openapi_document_and_its_page(client: Client) -> None:
    document = client.get("/openapi.json").json()
    assert document["openapi"] == "3.1.0"
    paths = {route.path for route in client.app.routes} - {"/", "/{name}", "/docs", "/openapi.json"}
    assert set(document["paths"]) == paths
    page = client.get("/docs").text
    assert all(path in page for path in paths)
    assert "src=" not in page
    assert page.count("href=") == 1
    for path, methods in document["paths"].items():
        if "post" in methods and "duel" not in path:  # which the answers above hold
            schema = methods["post"]["requestBody"]["content"]["application/json"]["schema"]
            client.answer(path.removeprefix("/v1/"), schema["example"])


def test_examples_of_the_documentation(client: Client) -> None:
    page = (Path(__file__).parent.parent / "docs" / "server.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```http\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    examples = re.findall(r"^POST /v1/(\S+) (.*)\n(\d+) (.*)$", "".join(blocks), re.MULTILINE)
    assert len(examples) * 2 == "".join(blocks).count("\n")
    for path, body, status, answer in examples:
        reply = client.post(path, json.loads(body), headers={"prefer": "wait=60"})
        assert (reply.status_code, reply.json()) == (int(status), json.loads(answer))


def test_static_files_are_served_if_there_are_any(
    runner: asyncio.Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "index.html").write_text("<p>here")
    monkeypatch.setattr("servida.server.app.STATIC", tmp_path)
    client = Client(runner, solvers=1)
    try:
        assert client.get("/").text == "<p>here"
        assert client.get("/health").status_code == 200
        refused(client.get("/other.html"), 404)
        refused(client.get("/%2e%2e/conftest.py"), 404)
    finally:
        client.close()


def test_the_command_serves_until_it_is_told_to_end(tables: Path) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        command = [sys.executable, "-c", "from servida.cli import main; main()", "serve", "--port", "0"]
        with subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        ) as server:
            assert server.stdout
            line = server.stdout.readline()
            address = line.split()[3]
            assert line == f"servida is at {address} (Ctrl-C ends it)\n"
            assert address.startswith("http://127.0.0.1:")
            reply = httpx.post(f"{address}/v1/odds", json={"pattern": "pair"}, timeout=60)
            assert reply.json()["name"] == "one_pair"
            with socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2]))) as raw:
                raw.sendall(b"\x16\x03\x01 no HTTP\r\n\r\n")
                assert raw.recv(1000).startswith(b"HTTP/1.1 400")
            os.kill(server.pid, number)
            out, err = server.communicate(timeout=30)
            assert (server.returncode, out, err) == (0, "", "")


def test_connections_on_which_nothing_comes_are_closed(runner: asyncio.Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("servida.server.connections.IDLE", 0.1)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(0.5)  # an answer may take longer than that
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})

    async def talk() -> list[bytes]:
        config = uvicorn.Config(app, http=Connection, lifespan="off", log_level="critical")
        config.load()
        state = uvicorn.server.ServerState()
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Connection(config, state, {}), "127.0.0.1", 0)
        found = []
        for text in (b"", b"GET / HTTP/1.1\r\nslow: ", b"GET / HTTP/1.1\r\nhost: a\r\n\r\n"):
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            writer.write(text)
            try:
                found.append(await asyncio.wait_for(reader.read(), 5))
            except ConnectionResetError:
                found.append(b"")
            writer.close()
        server.close()
        return found

    nothing, slow, answer = runner.run(talk())
    assert (nothing, slow) == (b"", b"")
    assert answer.endswith(b"ok")


def test_an_address_in_use_is_told(cli: Cli) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        message = one_line(cli("serve", "--port", port), 1)
    assert message.startswith(f"127.0.0.1:{port}: expected an address that can be served at, found: ")


def test_what_is_missing_is_told(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("servida.server")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    message = one_line(cli("serve"))
    assert message == "serve: expected starlette and uvicorn, found none; pip install 'servida[serve]'"


def test_origins_are_checked(cli: Cli) -> None:
    assert one_line(cli("serve", "--cors", "example.org")).startswith("cors: expected an origin like ")
    assert json.dumps(Settings(origins=("*",)).to_json())
