"""Games at the terminal: scripted, stopped, taken up again, and graded."""

import json
import sys
from pathlib import Path

import pytest
import servida
from clitools import good, good_json, one_line
from conftest import Cli
from servida.data.catalog import load
from servida.data.rules import Variant
from servida.errors import PositionError, ServidaError
from servida.solver.party import Party, party_text, read_head, read_players, resume
from servida.solver.record import read_game
from servida.solver.solve import solve
from servida.solver.table import Table
from toys import ANY, PAIR, box

BOXES = load("generala").rules.box
SCRIPT = "".join(f"write {box}\n" for box in BOXES)


def party(table: Table, players: str, seed: int = 1) -> Party:
    return Party(table, table.variant.id, read_players(players, 6), seed)


def play_bots(game: Party) -> None:
    while not game.over:
        game.take(game.bot_option())


@pytest.mark.parametrize("name", ["generala", "yahtzee", "generala-classic", "generala-obligada"])
def test_games_of_bots_are_games_by_the_rules(name: str) -> None:
    table = servida.open_table(name)
    for seed in range(3):
        game = party(table, "bot:easy,bot:hard", seed)
        play_bots(game)
        text = party_text(game)
        graded = servida.grade(table, read_game(text))
        assert graded.finished or any(seat.won for seat in game.seats)
        assert graded.points_so_far == game.points(game.seats[0]) or game.seats[0].won
        again = party(table, read_head(text).players, read_head(text).seed)
        resume(again, text)
        assert again.over
        assert party_text(again) == text
        assert again.outcome() == game.outcome()


def test_a_perfect_bot_chooses_the_best() -> None:
    game = party(servida.open_table("yahtzee"), "bot:perfect")
    while not game.over:
        option = game.bot_option()
        assert option == servida.hint(game.position._replace(variant="yahtzee")).best
        game.take(option)


def test_a_game_taken_up_again_has_the_dice_it_would_have_had() -> None:
    table = servida.open_table("generala-classic")
    game = party(table, "bot:easy,bot:normal,bot:hard", 5)
    texts = [party_text(game)]
    while not game.over:
        if game.take(game.bot_option()):
            texts.append(party_text(game))
    for text in texts[::7]:
        again = party(table, read_head(text).players, 5)
        resume(again, text)
        assert party_text(again) == text
        play_bots(again)
        assert party_text(again) == texts[-1]


@pytest.mark.parametrize(
    ("ties", "points", "how"),
    [
        ("half", (5, 5, 3), ("draw", ("a", "b"))),
        ("leaders-win", (5, 5, 3), ("won", ("a", "b"))),
        ("leaders-win", (5, 5, 5), ("draw", ("a", "b", "c"))),
        ("extra-round", (5, 3, 5), ("extra", ("a", "c"))),
        ("extra-round", (5, 6, 5), ("won", ("b",))),
    ],
)
def test_ties_go_by_the_rule_of_the_variant(
    ties: str, points: tuple[int, ...], how: tuple[str, tuple[str, ...]]
) -> None:
    rules = servida.Rules((box("chance", ANY, "sum_all"),), dice=2, ties=ties)  # type: ignore[arg-type]
    game = party(solve(Variant("toy", rules), threads=1), "a,b,c")
    for seat, made in zip(game.seats, points, strict=True):
        seat.entries["chance"] = made
    assert game.outcome() == how


def test_winning_at_once_ends_the_game() -> None:
    rules = servida.Rules(
        (box("pair", PAIR, 10), box("chance", ANY, "sum_all")),
        dice=2,
        outright_win=servida.data.rules.OutrightWin("pair"),
    )
    table = solve(Variant("toy", rules), threads=1)
    games = [party(table, "bot:perfect,bot:easy", seed) for seed in range(20)]
    for game in games:
        play_bots(game)
    won = [game for game in games if any(seat.won for seat in game.seats)]
    assert 3 < len(won) < 20
    for game in won:
        (winner,) = (seat for seat in game.seats if seat.won)
        assert game.outcome() == ("won", (winner.player.name,))
        assert winner.turns[-1].write == "win"


def test_a_scripted_game(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    out = good(
        cli("play", "generala", "--seed", 3, "--save", path, stdin="hint\nhold none\nsheet\nscore\nhelp\n" + SCRIPT)
    )
    assert out.startswith("Generala · me, bot:hard · seed: 3\ncommands: hold DICE")
    assert "expected total" in out
    assert "wins" in out.splitlines()[-1]
    total = [line for line in out.splitlines() if line.startswith("total")][-1].split()
    graded = good_json(cli("grade", path, "--json"))
    assert graded["finished"] is True
    assert graded["points_so_far"] == int(total[1])
    assert good(cli("play", "--resume", path)).splitlines()[-1] == out.splitlines()[-1]
    record = read_game(path.read_text())
    assert [len(turn.them or {}) for turn in record.turns] == list(range(11))
    assert len(record.them or {}) == 11


def test_the_end_of_input_ends_politely_and_nothing_is_lost(cli: Cli, tmp_path: Path) -> None:
    path, whole = tmp_path / "game.txt", tmp_path / "whole.txt"
    call = ["play", "generala", "--players", "Ana,bot:easy,Ben", "--seed", 9]
    script = "".join(f"{line}\n{line}\n" for line in SCRIPT.splitlines())
    full = good(cli(*call, "--save", whole, stdin=script))
    out = good(cli(*call, "--save", path, stdin="".join(script.splitlines(keepends=True)[:5])))
    assert out.splitlines()[-1] == f"stopped; the game is saved in {path}"
    assert good(cli("play", "--resume", path, "--lang", "de", stdin="q\n")).splitlines()[-1].startswith("beendet; die")
    rest = good(cli("play", "--resume", path, stdin="".join(script.splitlines(keepends=True)[5:])))
    assert rest.splitlines()[-13:] == full.splitlines()[-13:]
    assert path.read_text() == whole.read_text()
    assert good(cli(*call, stdin="")).splitlines()[-1] == "stopped; the game is not saved"
    assert good(cli(*call, stdin="quit\n")).splitlines()[-1] == "stopped; the game is not saved"


def test_an_interrupt_ends_politely(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("servida.cli.play.read_line", interrupted)
    assert good(cli("play", "chaser")).splitlines()[-1] == "stopped; the game is not saved"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("hold", "hold: expected dice, or 'none' to reroll all, found nothing"),
        ("hold 99", "hold: expected dice with faces 1 to 6, found '9'"),
        ("hold 7", "hold: expected dice with faces 1 to 6, found '7'"),
        ("hold 11111", "hold: expected some of 33466 that may be held, found 11111"),
        ("write", "sheet: expected a box of generala"),
        ("write foo", "sheet: expected a box of generala"),
        ("win", "write: expected one of ones, twos"),
        ("jump", "command: expected hold, write, win, hint, sheet, score, help, quit, found 'jump'"),
        ("", "command: expected hold, write"),
    ],
)
def test_bad_commands_are_one_line_and_it_asks_again(cli: Cli, line: str, message: str) -> None:
    result = cli("play", "generala", "--seed", 10, "--players", "me", stdin=f"{line}\nw Aces\nquit\n")
    assert result.code == 0
    assert result.err.startswith(f"error: {message}")
    assert result.err.count("\n") == 1
    assert "-> ones=" in result.out


def test_bytes_that_are_no_text_are_one_line(cli: Cli) -> None:
    result = cli("play", "generala", stdin=b"\xff\xfe\nquit\n")
    assert result.code == 0
    assert result.err == "error: command: expected UTF-8 text, found other bytes\n"
    assert result.out.endswith("stopped; the game is not saved\n")


def test_held_dice_stay_where_holds_are_locked(cli: Cli) -> None:
    game = Party(servida.open_table("generala-classic"), "generala-classic", read_players("me", 6), 4)
    dice = game.rolls[0]
    script = f"hold {dice[0]}{dice[1]}\nhold none\nquit\n"
    result = cli("play", "generala-classic", "--seed", 4, "--players", "me", stdin=script)
    assert f"hold {dice[0]} {dice[1]}" in result.out
    assert "that may be held, found none" in result.err


def test_languages_and_terminals(cli: Cli) -> None:
    for lang, word in (("es", "turno 1"), ("ko", "차례 1"), ("de", "Zug 1")):
        out = good(cli("play", "generala", "--seed", 1, "--lang", lang, stdin="sheet\nhint\nquit\n"))
        assert language_text(lang, "turn") in out or word in out
    out = good(cli("play", "yahtzee", "--seed", 1, stdin="write chance\nquit\n", tty=True))
    assert "╭───────╮" in out
    assert "Yahtzee +100" in good(cli("play", "yahtzee", "--seed", 1, stdin="sheet\n"))


def language_text(lang: str, key: str) -> str:
    return servida.data.language.language(lang).text(key)


@pytest.mark.parametrize(
    ("players", "message"),
    [
        ("", "expected names of 1 to 30 characters"),
        ("a,,b", "expected names of 1 to 30 characters"),
        ("a,A", "expected every name once, found 'A' twice"),
        ("a,b,c,d,e,f,g", "players: expected 1 to 6 names, found 7"),
        ("x" * 31, "expected names of 1 to 30 characters"),
        ("a#b", "expected names"),
        ("a:b", "expected names"),
        ("bot:esy", "level: expected easy, normal, hard, perfect or a temperature"),
        ("bot:easy:lose", "players: expected bot:LEVEL or bot:LEVEL:win"),
        ("bot:easy:win:win", "players: expected bot:LEVEL or bot:LEVEL:win"),
        ("bot:easy\x07", "level: expected"),
    ],
)
def test_players_that_cannot_be(players: str, message: str) -> None:
    with pytest.raises(ServidaError) as caught:
        read_players(players, 6)
    assert message in str(caught.value)


def test_players_that_can() -> None:
    found = read_players("me, bot, Anna B,bot:2.5,bot:hard:win,bot:hard:win", 6)
    assert [player.name for player in found] == ["me", "bot", "Anna B", "bot:2.5", "bot:hard:win#1", "bot:hard:win#2"]
    assert [player.bot.objective if player.bot else None for player in found[-2:]] == ["win", "win"]


def test_mistakes_on_the_command_line(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    assert "found neither" in one_line(cli("play"))
    assert "expected a sheet of one column" in one_line(cli("play", "yahtzee-three-column"))
    assert "found VARIANT or options" in one_line(cli("play", "generala", "--resume", path))
    assert "expected a file that can be read" in one_line(cli("play", "--resume", path))
    path.write_text("variant: generala\n11123 -> ones\n")
    assert "expected one saved by 'servida play'" in one_line(cli("play", "--resume", path))
    assert "expected a new file" in one_line(cli("play", "generala", "--save", path))
    head = "variant: generala\n# players: me, bot:hard\n# seed: 1\n"
    path.write_text(head + "# bot:hard: 11123 -> ones\n")
    assert "in the order of the players" in one_line(cli("play", "--resume", path))
    path.write_text(head + "11123 hold 111\n")
    assert "turns that are over" in one_line(cli("play", "--resume", path))
    path.write_bytes(b"\xff\xfe")
    assert "UTF-8" in one_line(cli("play", "--resume", path))
    result = cli("play", "generala", "--save", tmp_path / "no" / "game.txt")
    assert result.code == 1
    assert "expected a place to write to" in result.err


def test_a_variant_that_a_saved_game_cannot_name() -> None:
    table = servida.open_table("generala")
    with pytest.raises(PositionError, match="a variant whose name a saved game can hold"):
        party_text(Party(table, "a # b.toml", read_players("me", 6), 1))


def test_playing_to_win_at_the_table() -> None:
    table = servida.open_table("generala-obligada")
    game = party(table, "bot:hard:win,bot:easy", 2)
    for seat in game.seats:
        seat.entries |= dict.fromkeys(list(load("generala-obligada").rules.box)[:-1], 0)
        seat.turns += [read_game("variant: x\n11111 -> ones").turns[0]] * 9
    game.start_at(0)
    play_bots(game)
    assert len(game.seats[0].turns) == 10 or game.seats[0].won
    assert json.dumps(game.outcome())
    assert sys.modules["servida.solver.duel"]
