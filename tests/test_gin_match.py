"""Matches: the running sheet, who deals, when it is over, and the file of a match."""

import tempfile
from pathlib import Path

import pytest
from clitools import good, good_json, one_line
from conftest import Cli
from hypothesis import given, settings
from hypothesis import strategies as st
from servida.errors import HandError
from servida.solver.gin.match import Match, read_match

# Five hands to 102 points, as in the game's description, from its four worked examples and a fifth hand.
FIVE = """me knock 7s7h7d4c5c6cJhQhKh3d | 9s9h9d2h3h4h7c3cQs5d
me knock 10 2
me gin 45
void
opponent knock 10 30
me knock 2 22
"""


def test_five_hands_to_102() -> None:
    match = read_match(FIVE)
    assert [hand.totals for hand in match.hands] == [(12, 0), (12, 33), (82, 33), (82, 33), (82, 53), (102, 53)]
    assert [hand.dealer for hand in match.hands] == [0, 1, 0, 1, 1, 0]
    assert [hand.result for hand in match.hands] == ["knock", "undercut", "gin", "void", "knock", "knock"]
    assert match.winner == 0
    before = read_match("\n".join(FIVE.splitlines()[:-1]))
    assert before.winner is None
    for more in (Match.void, lambda match: match.knock(1, 0, 0)):
        with pytest.raises(HandError, match="expected no hand after me has won"):
            more(match)


def test_only_the_winner_of_a_hand_scores_and_ties_are_undercuts() -> None:
    match = Match().knock(0, 10, 10)
    assert match.totals == (0, 25)
    assert match.hands[0].result == "undercut"
    assert match.knock(1, 0, 0).totals == (0, 50)


def test_it_ends_the_moment_the_winner_of_a_hand_reaches_the_goal() -> None:
    match = Match().knock(0, 0, 74)
    assert (match.totals, match.winner) == ((99, 0), None)
    assert match.knock(0, 1, 2).winner == 0
    assert Match(goal=None).void().winner is None
    assert Match(goal=None).void().knock(0, 10, 3).winner == 1


def test_headers() -> None:
    match = read_match("\ufeffplayers: ana, ben  # both\n\ndealer: ben\nto: one hand\nben gin 4\n")
    assert (match.players, match.first_dealer, match.goal, match.winner) == (("ana", "ben"), 1, None, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("me gin", "line 1: hand: expected 'NAME gin D'"),
        ("void\nyou gin 4", "line 2: hand: expected me or opponent to begin it, or 'void', found 'you'"),
        ("oponent gin 4", "found 'oponent' (did you mean 'opponent'?)"),
        ("me knock 11 20", "line 1: knocker: expected deadwood of 0 to 10, found 11"),
        ("me gin 99", "line 1: defender: expected deadwood of 0 to 98, found 99"),
        ("me knock 7s | 8s", "line 1: knocker: expected 10 cards, found 1"),
        ("goal: 100", "line 1: match: expected players, dealer, to before a colon, found 'goal'"),
        ("to: none", "line 1: to: expected a number of points from 1 to 9999 or 'one hand', found 'none'"),
        ("players: a", "line 1: players: expected two different names of one word, found 'a'"),
        ("players: a void", "line 1: players: expected two different names"),
        ("dealer: you", "line 1: dealer: expected me or opponent, found 'you'"),
        ("void\nto: 100", "line 2: to: expected it before the first hand, found it after 1"),
        ("me gin 80\nvoid", "line 2: match: expected no hand after me has won, found one more"),
    ],
)
def test_mistakes_are_one_line(cli: Cli, text: str, message: str) -> None:
    assert message in one_line(cli("gin", "match", "-", stdin=text))


def test_the_command(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "five.txt"
    file.write_text(FIVE)
    found = good_json(cli("gin", "match", file, "--json"))
    assert (found["totals"], found["winner"], found["next_dealer"]) == ([102, 53], "me", None)
    for lang in ("en", "es", "ko", "de"):
        text = good(cli("gin", "match", file, "--lang", lang)).splitlines()
        assert len(text) == 8
        assert text[6].endswith("102        53")
        assert text[7].endswith("me (102 – 53)")
    assert "found none at" in one_line(cli("gin", "match", tmp_path / "none.txt"))
    assert one_line(cli("gin", "match", tmp_path), 2)
    assert "expected UTF-8" in one_line(cli("gin", "match", "-", stdin=b"\xff"))
    assert "expected UTF-8" in cli("gin", "play", stdin=b"\xff").err


def test_live(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "live.txt"
    result = cli(
        "gin", "match", file, "--live", stdin="to: 50\nme gin 3\nme gan 3\nvoid\nopponent knock 8 3\nme gin 45"
    )
    assert result.code == 0
    assert result.err.startswith("error: hand: expected 'NAME gin D'")
    assert result.out.count("next dealer") == 2
    assert file.read_text() == "to: 50\nme gin 3\nvoid\nopponent knock 8 3\n"
    assert cli("gin", "match", file, "--live", "--json", stdin="void\n").out == cli("gin", "match", file, "--json").out
    assert read_match(file.read_text()).winner == 0
    assert "expected a file" in one_line(cli("gin", "match", "-", "--live"))


LINES = st.lists(
    st.one_of(
        st.text("me opponentginvdkck0123456789:|.#A \0\ud800", max_size=20),
        st.builds("{} {} {}".format, st.sampled_from(["me", "opponent"]), st.just("knock 3"), st.integers(-2, 200)),
        st.sampled_from(["void", "to: one hand", "to: 5", "players: a b", "a gin 4", "dealer: b", "me gin 30", "#"]),
    ),
    max_size=6,
)


@settings(deadline=None, max_examples=100, derandomize=True)
@given(LINES)
def test_any_lines_are_a_match_or_refused(cli: Cli, lines: list[str]) -> None:
    text = "\n".join(lines)
    result = cli("gin", "match", "-", stdin=text)
    assert (result.code == 0 and not result.err) or one_line(result)
    with tempfile.TemporaryDirectory() as folder:
        live = cli("gin", "match", Path(folder) / "live.txt", "--live", "--json", stdin=text)
        assert live.code == 0 or one_line(live)
