"""The page at `/` of the server: its rules are those of the package, its files are whole, a browser can play on it."""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from browser import CHROMIUM, Browser
from servida.data.catalog import load, variant_ids
from servida.data.language import LANGUAGES
from servida.solver.column_hint import column_scores, read_sheets, total_so_far
from servida.solver.game import game_of
from servida.solver.gin.match import MOST_DEADWOOD, Match
from servida.solver.gin.melds import MOST_KNOCK
from servida.solver.gin.showdown import score
from servida.solver.hint import scores
from servida.solver.position import points_so_far, read_sheet

pytest.importorskip("starlette")
pytest.importorskip("orjson")
httpx = pytest.importorskip("httpx")

from servida.server import app  # noqa: E402
from servida.server.settings import Settings  # noqa: E402
from servida.server.site import words_object  # noqa: E402

NODE = shutil.which("node")
FILES = sorted(path.name for path in app.STATIC.iterdir())
KINDS = {
    "html": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "json": "application/json",
    "svg": "image/svg",
}
needs_node = pytest.mark.skipif(NODE is None, reason="Node is not installed, which runs JavaScript")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on PATH or in SERVIDA_CHROMIUM")


@pytest.fixture(scope="module")
def get() -> Iterator[Any]:
    """Asks a server in this process."""
    with asyncio.Runner() as runner:
        web = httpx.AsyncClient(transport=httpx.ASGITransport(app.create(Settings(errors=1e9))), base_url="http://x")
        yield lambda path: runner.run(web.get(path))
        runner.run(web.aclose())


def node(folder: Path, script: str, value: Any = None) -> Any:
    """What a script prints as JSON; it sees the modules as `rules`, `game`, `turn`, ..., and the value as `given`."""
    names = ("rules", "game", "turn", "words", "store", "gin")
    lines = [f"import * as {name} from {json.dumps((app.STATIC / name).as_uri() + '.js')};" for name in names]
    (folder / "given.json").write_text(json.dumps(value))
    lines.append(
        'import { readFileSync } from "node:fs"; const given = JSON.parse(readFileSync("given.json", "utf8"));'
    )
    lines.append(f"console.log(JSON.stringify((() => {{ {script} }})()));")
    (folder / "run.mjs").write_text("\n".join(lines))
    (folder / "package.json").write_text("{}")
    command = [str(NODE), "--experimental-default-type=module", "run.mjs"]
    return json.loads(subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout)


def test_every_file_is_served_and_asks_for_nothing_elsewhere(get: Any) -> None:
    assert get("/").text == get("/index.html").text
    for name in FILES:
        reply = get(f"/{name}")
        assert reply.status_code == 200
        assert reply.headers["content-type"].startswith(KINDS[name.rpartition(".")[2]])
        assert reply.headers["content-security-policy"] == "default-src 'self'"
        found = re.findall(r"https?://\S+", reply.text)
        assert all(address.startswith("http://www.w3.org/") for address in found), name
        assert len(reply.text.splitlines()) <= 400, name
    for name in ("/nothing.js", "/%2e%2e/app.py", "/..%2fapp.py", "/.%2e", "/static/main.js"):
        assert get(name).status_code == 404


def test_the_page_is_kept_whole_for_when_there_is_no_server() -> None:
    kept = (app.STATIC / "sw.js").read_text(encoding="utf-8")
    missing = [name for name in FILES if f'"/{name}"' not in kept]
    assert missing == ["index.html", "sw.js", *(f"words.{code}.json" for code in sorted(LANGUAGES))]
    assert all(f'"{code}"' in kept for code in LANGUAGES)


def test_the_words_of_every_language_are_there(get: Any) -> None:
    own = {code: json.loads(get(f"/words.{code}.json").text) for code in LANGUAGES}
    common = {code: get(f"/v1/words/{code}").json() for code in LANGUAGES}
    names = re.compile(r"\{\w+\}")
    for code in LANGUAGES:
        assert list(own[code]) == list(own["en"])
        for key, text in own[code].items():
            assert sorted(names.findall(text)) == sorted(names.findall(own["en"][key])), (code, key)
        assert common[code]["language"] == code
        assert [variant["variant"] for variant in common[code]["variants"]] == variant_ids()
        assert not own[code].keys() & (common[code]["text"].keys() - {"for_points"})
    source = "".join(
        (app.STATIC / name).read_text(encoding="utf-8") for name in FILES if name.endswith((".js", ".html"))
    )
    used = set(re.findall(r'(?:text|title)\("(\w+)"', source)) | set(re.findall(r'data-text="(\w+)"', source))
    assert used <= own["en"].keys() | common["en"]["text"].keys()
    assert get("/v1/words/fr").status_code == 404


def scored(variant: Any, entries: dict[str, int], dice: tuple[int, ...], served: bool) -> list[Any]:
    """What dice make in the boxes of a sheet, by the package."""
    if len(variant.rules.columns) > 1:
        return list(column_scores(variant, read_sheets(variant, entries), dice, served=served))
    game = game_of(variant)
    return list(scores(game, read_sheet(variant, game, entries), dice, served=served))


def points(variant: Any, entries: dict[str, int]) -> int:
    """The points on a sheet, by the package."""
    if len(variant.rules.columns) > 1:
        return total_so_far(variant, read_sheets(variant, entries))
    game = game_of(variant)
    return points_so_far(game, read_sheet(variant, game, entries))


def sheets(variant_id: str, seed: int) -> Iterator[tuple[Any, dict[str, int], dict[str, Any]]]:
    """Sheets of a random game of a variant, each with the dice of the next turn and what they make."""
    variant, random, entries = load(variant_id), Random(seed), dict[str, int]()
    several = len(variant.rules.columns) > 1
    for _ in range(len(variant.rules.categories) * len(variant.rules.columns)):
        alike = random.random() < 0.4
        dice = sorted(random.choices(range(1, 7), k=1) * 5 if alike else random.choices(range(1, 7), k=5))
        served = random.random() < 0.5
        rows = scored(variant, entries, tuple(dice), served)
        key = {row: f"{row.column}.{row.category}" if several else row.category for row in rows}
        yield (
            variant,
            dict(entries),
            {"dice": dice, "served": served, "rows": {key[r]: [r.points, r.bonus or 0] for r in rows}},
        )
        row = random.choice(rows)
        entries[key[row]] = row.points
        if row.bonus:
            bonus = f"{variant.rules.five.category}_bonus" if variant.rules.five else ""
            entries[bonus] = entries.get(bonus, 0) + 1


@needs_node
@pytest.mark.parametrize("variant_id", variant_ids())
def test_boxes_score_and_add_up_as_in_the_package(variant_id: str, tmp_path: Path) -> None:
    positions = [position for seed in range(8) for position in sheets(variant_id, seed)]
    rules = next(v["rules"] for v in words_object("en")["variants"] if v["variant"] == variant_id)
    script = """
      return given.positions.map(({ sheet, dice, served }) => ({
        total: rules.total(given.rules, sheet),
        rows: Object.fromEntries(Object.entries(rules.scoresOf(given.rules, sheet, dice, served))
          .map(([key, { points, bonus }]) => [key, [points, bonus]])),
        fits: rules.boxesOf(given.rules).every((box) =>
          sheet[box.key] == null || rules.possible(given.rules, sheet, box).includes(sheet[box.key])),
      }));
    """
    asked = [{"sheet": entries, "dice": made["dice"], "served": made["served"]} for _, entries, made in positions]
    found = node(tmp_path, script, {"rules": rules, "positions": asked})
    for (variant, entries, made), answer in zip(positions, found, strict=True):
        assert answer["rows"] == made["rows"]
        assert answer["total"] == points(variant, entries)
        assert answer["fits"]


@needs_node
def test_a_game_is_counted(tmp_path: Path) -> None:
    rules = {v["variant"]: v["rules"] for v in words_object("en")["variants"]}
    script = """
      const all = given["generala-classic"];
      const write = (g, player, key, points) => game.withEvent(all, g, { player, key, points });
      let g = game.newGame("generala-classic", ["a", "b", "c"]);
      const first = write(g, 0, "ones", 3), corrected = write(write(first, 0, "ones", 4), 0, "ones", null);
      const boxes = all.categories.map((category) => category.id);
      const worth = (id, player) => (id === "sixes" && player ? 12 : 0);
      for (const id of boxes) for (const player of [0, 1, 2]) g = write(g, player, id, worth(id, player));
      const won = game.withEvent(all, first, { player: 1, win: true });
      const tied = (ties) => game.outcome({ ...all, ties }, g);
      return {
        first: [first.active, game.sheetOf(all, first, 0)],
        corrected: [corrected.active, game.sheetOf(all, corrected, 0)],
        undone: [game.undone(corrected).active, game.sheetOf(all, game.undone(corrected), 0)],
        over: [game.isOver(all, first), game.isOver(all, g), game.isOver(all, won)],
        places: game.ranking(all, g).map(({ name, place, total }) => [name, place, total]),
        outcomes: ["half", "leaders-win", "extra-round"].map(tied), settled: game.outcome(all, { ...g, settled: 2 }),
        won: [game.outcome(all, won), game.ranking(all, won).map(({ place }) => place)],
        without: game.withoutPlayer(g, 0).players,
        everyone: game.outcome({ ...all, ties: "leaders-win" }, game.withoutPlayer(g, 0)),
      };
    """
    assert node(tmp_path, script, rules) == {
        "first": [1, {"ones": 3}],
        "corrected": [1, {}],
        "undone": [0, {"ones": 4}],
        "over": [False, True, True],
        "places": [["b", 1, 12], ["c", 1, 12], ["a", 3, 0]],
        "outcomes": [{"how": how, "players": [1, 2]} for how in ("draw", "won", "extra")],
        "settled": {"how": "won", "players": [2]},
        "won": [{"how": "won", "players": [1]}, [1, 2, 3]],
        "without": ["b", "c"],
        "everyone": {"how": "draw", "players": [0, 1]},
    }


@needs_node
def test_dice_are_set_kept_and_rolled(tmp_path: Path) -> None:
    rules = {v["variant"]: v["rules"] for v in words_object("en")["variants"]}
    script = """
      const free = given.yahtzee, locked = given["generala-classic"];
      const set = (faces, from) => [...faces].reduce((t, face) => turn.withFace(t, Number(face)), from);
      const full = set("33366", turn.newTurn(free)), kept = turn.keeping(full, [6, 3]);
      const next = turn.nextRoll(free, kept), again = set("255", next);
      const aside = turn.nextRoll(locked, turn.keeping(set("33366", turn.newTurn(locked)), [6, 6]));
      return {
        full: full.dice, kept: kept.kept, next: [next.dice, next.rollsLeft, next.cursor], again: again.dice,
        none: [turn.nextRoll(free, turn.newTurn(free)), turn.nextRoll(free, { ...full, rollsLeft: 0 })],
        aside: [turn.heldDice(aside), turn.toggled(aside, 3).kept, turn.rolled(locked, aside, () => 0.5).dice],
        cleared: turn.cleared(full).dice, toggled: turn.toggled(full, 1).kept,
        languages: [["ko-KR", "en"], ["fr", "de-AT"], ["fr"], []].map(words.chosen),
        storage: [store.load(undefined), store.save({}, undefined), store.load({ getItem: () => "{no json" })],
      };
    """
    assert node(tmp_path, script, rules) == {
        "full": [3, 3, 3, 6, 6],
        "kept": [True, False, False, True, False],
        "next": [[3, 0, 0, 6, 0], 1, 1],
        "again": [3, 2, 5, 6, 5],
        "none": [None, None],
        "aside": [[6, 6], [False, False, False, True, True], [4, 4, 4, 6, 6]],
        "cleared": [0, 3, 3, 6, 6],
        "toggled": [False, True, False, False, False],
        "languages": ["ko", "de", "en", "en"],
        "storage": [{}, False, {}],
    }


def gin_match(seed: int) -> tuple[dict[str, Any], list[Match]]:
    """A random match to its end, as the page writes it down, and how it stands after every hand."""
    random = Random(seed)
    match = Match(goal=random.choice((100, 100, None)), first_dealer=random.randrange(2))
    hands, stands = list[dict[str, Any]](), [match]
    while match.winner is None:
        who, own, other = random.randrange(2), random.randint(0, MOST_KNOCK), random.randint(0, 40)
        if random.random() < 0.2:
            hands.append({"ending": "void"})
            match = match.void()
        else:
            hands.append({"ending": "knock" if own else "gin", "who": who, "own": own, "other": other})
            match = match.knock(who, own, other)
        stands.append(match)
    return {"players": ["", ""], "goal": match.goal, "first": match.first_dealer, "hands": hands}, stands


@needs_node
def test_gin_hands_score_as_in_the_package(tmp_path: Path) -> None:
    amounts = [(own, other) for own in range(MOST_KNOCK + 1) for other in range(MOST_DEADWOOD + 1)]
    found = node(tmp_path, "return given.map(([own, other]) => gin.score(own, other));", amounts)
    assert found == [score(*both) for both in amounts]


@needs_node
def test_gin_matches_add_up_and_end_as_in_the_package(tmp_path: Path) -> None:
    script = """
      return given.map((whole) => whole.hands.reduce(
        (all, hand) => [...all, gin.withHand(all.at(-1), hand)], [{ ...whole, hands: [] }]).map(gin.standing));
    """
    matches = [gin_match(seed) for seed in range(60)]
    found = node(tmp_path, script, [written for written, _ in matches])
    for (_, stands), answer in zip(matches, found, strict=True):
        for match, shown in zip(stands, answer, strict=True):
            assert tuple(shown["totals"]) == match.totals
            assert (shown["dealer"], shown["winner"]) == (match.dealer, match.winner)
            for hand, row in zip(match.hands, shown["hands"], strict=True):
                assert (row["dealer"], row["result"], row["winner"]) == (hand.dealer, hand.result, hand.winner)
                assert (row["points"], tuple(row["totals"])) == (hand.points, hand.totals)


@needs_node
def test_a_gin_match_is_written_and_taken_back(tmp_path: Path) -> None:
    script = """
      const points = (match, who, made) => gin.withHand(match, { ending: "points", who, points: made });
      const namesOf = (match) => match.players.map((name, i) => name || `P${i + 1}`);
      const some = points(gin.newMatch(), 1, 99), won = points(some, 1, 1);
      const after = gin.withHand(won, { ending: "void" });
      return {
        some: [gin.standing(some).totals, gin.standing(some).winner, gin.standing(some).dealer],
        won: [gin.standing(won).winner, after.hands.length, gin.standing(gin.withoutLast(won)).winner],
        names: ["Ana", "P2"].map((name) => gin.named(some, 0, name, namesOf).players),
        kept: [undefined, {}, { players: ["a"], hands: [] }, 3].map((kept) => gin.keptMatch(kept).goal),
        again: gin.keptMatch(JSON.parse(JSON.stringify(won))).hands.length,
      };
    """
    assert node(tmp_path, script) == {
        "some": [[0, 99], None, 1],
        "won": [1, 2, None],
        "names": [["Ana", ""], ["", ""]],
        "kept": [100] * 4,
        "again": 2,
    }


@pytest.fixture(scope="module")
def address(tables: Path) -> Iterator[str]:
    """A server of its own, as the command starts it."""
    command = [sys.executable, "-c", "from servida.cli import main; main()", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ) as server:
        assert server.stdout
        yield server.stdout.readline().split()[3]
        server.terminate()


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    found = Browser(tmp_path / "profile")
    yield found
    found.close()


def picture(browser: Browser, name: str, tmp_path: Path) -> None:
    """A picture of the page, for people, in the folder SERVIDA_PICTURES if there is one."""
    path = Path(os.environ.get("SERVIDA_PICTURES", tmp_path)) / f"{name}.png"
    browser.picture(path)
    assert path.read_bytes().startswith(b"\x89PNG")
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")


@needs_chromium
def test_a_turn_by_keys(browser: Browser, address: str, tmp_path: Path) -> None:
    browser.look()
    browser.open(address)
    browser.choose("#variant", "generala")
    browser.press("Enter")
    assert browser.text("#told") == "Set all 5 dice first."
    browser.press("2", "Backspace", *"33361", "Enter")
    browser.until("document.querySelector('#options table')")
    assert browser.text("#told") == "Hold 3 3 3 and reroll the others."
    assert browser.text("#option-0").startswith("hold")
    browser.press("ArrowRight", "ArrowRight", " ")
    assert browser.run("document.activeElement.getAttribute('aria-label')") == "die 3: 3, held"
    browser.press(" ")
    picture(browser, "light", tmp_path)
    browser.click("#option-0")
    browser.click("#next-roll")
    browser.press(*"33")
    assert browser.run("document.querySelector('#rolls-left').value") == "1"
    assert browser.run("[...document.querySelectorAll('.die')].map((die) => die.ariaLabel).join()").count("3") > 4
    browser.click("#box-0-generala")
    assert browser.text("#box-0-generala") == "50"
    assert browser.text(".total td") == "50"
    browser.click("#undo")
    assert browser.text("#box-0-generala") == "50"  # what the dice would make
    assert browser.text(".total td") == "0"
    assert browser.problems == []


@needs_chromium
def test_the_outlook_against_another_on_a_phone(browser: Browser, address: str, tmp_path: Path) -> None:
    browser.look("ko-KR", width=390)
    browser.open(address)
    assert browser.run("document.documentElement.lang") == "ko"
    browser.choose("#variant", "chaser")
    browser.click("#add-player")
    browser.press(*"11145")
    browser.click("#ask")
    browser.until("document.querySelector('#options table')")
    browser.choose("#wanted", "180")
    browser.click("#show-outlook")
    browser.until("document.querySelectorAll('#chances dl').length === 2")
    assert browser.run("document.querySelectorAll('.chart .bar').length") > 20
    assert [word for word in ("45.9%", "51.3%") if word not in browser.text("#chances")] == []
    picture(browser, "korean", tmp_path)
    browser.choose("#language", "es")
    browser.until("document.documentElement.lang === 'es'")
    picture(browser, "phone", tmp_path)
    assert browser.problems == []


@needs_chromium
def test_scores_are_counted_without_the_server_and_kept(browser: Browser, address: str, tmp_path: Path) -> None:
    browser.look("de-DE", dark=True)
    browser.open(address)
    browser.run("navigator.serviceWorker.ready.then(() => true)")
    browser.until("caches.match('/v1/words/de').then(Boolean)")
    browser.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)
    browser.choose("#variant", "kniffel")
    browser.click("#add-player")
    browser.choose("#name-1", "Żółw <b>")
    rows = browser.run("document.querySelectorAll('#sheet tbody tr').length")
    for box in ("ones", "full_house"):
        for player, choice in ((0, ".choices button"), (1, "#box .row button")):
            browser.click(f"#box-{player}-{box}")
            browser.click(choice)
    assert rows > 13
    assert browser.text(".total").split("\t")[1:] == ["26", "0"]
    assert browser.text("#ranking").split("\n")[1].startswith("Żółw <b>")
    browser.press(*"12345", "Enter")
    browser.until("document.querySelector('#told').textContent.startsWith('Der Server ist nicht')")
    browser.open(address)
    assert browser.text(".total").split("\t")[1:] == ["26", "0"]
    picture(browser, "dark", tmp_path)
    browser.click("#start")
    browser.click("#yes")
    assert browser.run("document.querySelector('#games').textContent").startswith("Kniffel")
    assert browser.text(".total").split("\t")[1:] == ["0", "0"]


@needs_chromium
def test_the_end_of_a_game_of_two(browser: Browser, address: str, tmp_path: Path) -> None:
    boxes = [category.id for category in load("generala-classic").rules.categories if category.id != "generala"]
    events = [{"player": player, "key": box, "points": 0} for box in boxes for player in (0, 1)]
    game = {"variant": "generala-classic", "players": ["A", "B"], "active": 0, "events": events, "settled": None}
    browser.look(width=390, dark=True)
    browser.open(address)
    kept = json.dumps(json.dumps({"game": game, "aim": {"kind": "win", "target": None}}))
    browser.run(f"localStorage.setItem('servida', {kept})")
    browser.open(address)
    browser.press(*"33344")
    browser.choose("#rolls-left", "1")
    browser.press("Enter")
    browser.until("document.querySelector('#options table')")
    assert "Value of the duel" in browser.text("#options")
    browser.click("#option-0")
    assert browser.run("document.querySelectorAll('.die.kept').length") == 3
    browser.click("#show-outlook")
    browser.until("document.querySelectorAll('#chances dl').length === 2")
    assert "Tie" in browser.text("#chances")
    picture(browser, "win", tmp_path)
    browser.click("#box-0-generala")
    browser.click("#box-1-generala")
    assert browser.text("#box-title") == "Generala · B"
    browser.click("#box .row button")
    assert browser.text("#standing") == "a tie between A and B: one extra round settles it"
    browser.click("#game button + button")
    assert browser.text("#standing") == "B wins"
    assert browser.text("#ranking").split() == ["B", "0", "A", "0"]
    browser.click("#undo")
    browser.click("#box-1-generala")
    browser.click(".choices button")
    assert browser.text("#standing") == "B wins"
    assert browser.problems == []


@needs_chromium
def test_a_sheet_of_several_columns(browser: Browser, address: str, tmp_path: Path) -> None:
    browser.look(width=390)
    browser.open(address)
    browser.choose("#variant", "yahtzee-three-column")
    browser.click("#add-player")
    assert browser.run("document.querySelectorAll('#sheet button.open:enabled').length") == 2 * (1 + 1 + 13)
    browser.press(*"33366")
    browser.click("[id='box-0-3.full_house']")
    assert browser.text("#standing") == "Player 2 to move"
    assert browser.run("document.querySelector('#sheet').scrollLeft") > 100  # to the columns of the one who moves
    assert browser.text("tr.total").split("\t")[1:] == ["25", "0"]
    browser.click("#show-outlook")  # which is too much so early in the game
    browser.until("document.querySelector('#outlook-told').textContent.startsWith('yahtzee-three-column: expected')")
    picture(browser, "columns", tmp_path)
    assert len(browser.problems) == 1  # the refusal


@needs_chromium
def test_a_gin_match_is_counted_without_the_server_and_kept(browser: Browser, address: str, tmp_path: Path) -> None:
    browser.look(width=390)
    browser.open(address)
    browser.run("navigator.serviceWorker.ready.then(() => true)")
    browser.until("caches.match('/v1/words/en').then(Boolean)")
    browser.until("caches.match('/gin.js').then(Boolean)")
    browser.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)
    browser.click("#gin summary")
    browser.choose("#gin-name-0", "Ana")
    browser.choose("#gin-name-1", "Ana")  # which is taken
    assert browser.run("document.querySelector('#gin-name-1').value") == "Player 2"
    browser.click("#gin-own")
    browser.press("3", "Tab", *"15", "Enter")
    assert browser.text("#gin-standing") == "Next dealer: Player 2"
    assert browser.run("document.activeElement.id") == "gin-ending"
    assert browser.run("[...document.querySelectorAll('.die')].every((die) => die.ariaLabel.endsWith('not set'))")
    browser.choose("#gin-ending", "void")
    browser.click("#gin-write")
    assert browser.text("#gin-standing") == "Next dealer: Player 2"
    browser.choose("#gin-who", "1")
    browser.click("#gin-own")
    browser.press(*"11", "Tab", "2", "Enter")  # more than one may knock with
    assert browser.run("document.querySelectorAll('#gin-table tbody tr').length") == 2
    browser.click("#gin-own")
    browser.press("Backspace", "Backspace", *"10", "Enter")
    assert browser.text("#gin-table tbody tr:last-child").split("\t") == [
        "2", "Player 2", "undercut · Player 2 10\u00a0:\u00a02", "+33 45", "0",
    ]  # fmt: skip
    browser.choose("#gin-ending", "gin")
    browser.click("#gin-other")
    browser.press(*"30", "Enter")
    assert browser.text("#gin-standing") == "Ana wins (100 – 0)"
    assert not browser.run("document.querySelector('#gin-hand').checkVisibility()")
    picture(browser, "gin", tmp_path)
    browser.open(address)
    assert browser.text("#gin-standing") == "Ana wins (100 – 0)"
    browser.click("#gin-undo")
    assert browser.text("#gin-standing") == "Next dealer: Ana"
    assert browser.run("document.querySelector('#gin-other').value") == "30"
    picture(browser, "gin-form", tmp_path)
    browser.click("#gin-start")
    browser.click("#yes")
    assert browser.text("#gin-table") == "Nothing is written yet."
    assert browser.run("document.querySelector('#gin-name-0').value") == "Ana"
    browser.choose("#language", "ko")
    browser.until("document.documentElement.lang === 'ko'")
    browser.run("document.querySelector('#gin-to').selectedIndex = 1")
    browser.run("document.querySelector('#gin-to').dispatchEvent(new Event('change'))")
    browser.choose("#gin-ending", "points")
    browser.choose("#gin-who", "1")
    browser.click("#gin-points")
    browser.press(*"27", "Enter")
    assert browser.text("#gin-standing") == "플레이어 2 승리 (27 – 0)"
    picture(browser, "gin-korean", tmp_path)
    assert browser.problems == []
