"""Gin rummy: cards, least deadwood, best discards and showdowns, against brute force and the golden cases."""

import json
import random
from pathlib import Path
from typing import Any

import gin_oracle as oracle
import numpy as np
import pytest
from clitools import good, good_json, one_line
from conftest import Cli
from hypothesis import given, settings
from hypothesis import strategies as st
from servida.errors import HandError
from servida.solver import gin
from servida.solver.gin.cards import read_hand
from servida.solver.gin.showdown import fourth_cards

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent / "golden" / "gin.json").read_text(encoding="utf-8"))
SAMPLE, ALL = 10_000, 100_000
SHOWDOWNS, ALL_SHOWDOWNS = 1_500, 100_000
sizes = pytest.mark.parametrize("hands", [SAMPLE, pytest.param(ALL, marks=pytest.mark.long)])
kinds = pytest.mark.parametrize("kind", [oracle.random_hand, oracle.rich_hand])
layoffs = pytest.mark.parametrize("layoff", ["joint", "two-order"])


# cards


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("7s 10h", ["Th", "7s"]),
        ("Th 7♠", ["Th", "7s"]),
        ("7♠️,TH", ["Th", "7s"]),
        ("7s10h", ["Th", "7s"]),
        ("..10.7", ["Th", "7s"]),
        ("654.a.j.", ["4c", "5c", "6c", "Ad", "Jh"]),
        ("", []),
        ("A♣ 2♦ K♥", ["Ac", "2d", "Kh"]),
    ],
)
def test_cards_are_read_in_every_form(text: str, cards: list[str]) -> None:
    found = gin.read_cards(text, "hand")
    assert gin.write_cards(found) == cards
    assert gin.read_cards(gin.write_hand(found), "hand") == gin.read_cards(" ".join(cards[::-1]), "hand") == found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("7s 7♠", "hand: expected every card once, found 7s twice"),
        ("77...", "hand: expected every card once, found 7c twice"),
        ("1s", "hand: expected cards as '7s 10h' or '23456.6.6.567' (clubs.diamonds.hearts.spades), found '1s'"),
        ("7s Xh", "hand: expected cards as '7s 10h' or '23456.6.6.567' (clubs.diamonds.hearts.spades), found 'Xh'"),
        ("7s7", "hand: expected cards as '7s 10h' or '23456.6.6.567' (clubs.diamonds.hearts.spades), found '7'"),
        ("2.3.4", "hand: expected cards as '7s 10h' or '23456.6.6.567' (clubs.diamonds.hearts.spades), found '2.3.4'"),
        ("...1", "hand: expected cards as '7s 10h' or '23456.6.6.567' (clubs.diamonds.hearts.spades), found '...1'"),
        ("7s", "hand: expected 2 to 3 cards, found 1"),
        ("A23..4.", "hand: expected 2 to 3 cards, found 4"),
    ],
)
def test_mistakes_in_cards_are_one_line(text: str, message: str) -> None:
    with pytest.raises(HandError) as caught:
        read_hand(text, "hand", 2, 3)
    assert str(caught.value) == message


# least deadwood and best discards


@pytest.mark.parametrize("case", GOLDEN["min_deadwood"], ids=lambda case: case["id"])
def test_golden_deadwood(case: dict[str, Any]) -> None:
    for text in (case["hand"], case["cards"]):
        found = gin.deadwood(text)
        assert found.deadwood == case["deadwood"]
    assert sum(found.melds) + found.left == gin.read_cards(case["hand"], "hand")
    assert all(oracle.parse(gin.write_hand(meld)) in oracle.every_meld() for meld in found.melds)


@pytest.mark.parametrize("case", GOLDEN["best_discard"], ids=lambda case: case["id"])
def test_golden_discards(case: dict[str, Any]) -> None:
    best = gin.discards(case["hand"]).best
    assert [gin.write_cards(1 << option.card) for option in best] == [[card] for card in case["discards"]]
    assert {option.deadwood for option in best} == {case["best"]}
    assert gin.discards(case["hand"]).after.deadwood == case["best"]


@sizes
@kinds
def test_deadwood_is_that_of_brute_force(kind: Any, hands: int) -> None:
    dice = random.Random(hands)
    drawn = [kind(dice, dice.choice((9, 10, 10, 10, 11, 12))) for _ in range(hands)]
    wanted = [oracle.deadwood(hand) for hand in drawn]
    assert gin.deadwoods([oracle.bits(hand) for hand in drawn]).tolist() == wanted
    for hand, least in zip(drawn[:SAMPLE], wanted, strict=False):
        found = gin.deadwood(oracle.bits(hand))
        assert found.deadwood == least
        assert sum(found.melds) + found.left == oracle.bits(hand)


@pytest.mark.parametrize("hands", [SAMPLE // 10, pytest.param(ALL, marks=pytest.mark.long)])
@kinds
def test_best_discards_are_those_of_brute_force(kind: Any, hands: int) -> None:
    dice = random.Random(hands)
    drawn = [kind(dice, 11) for _ in range(hands)]
    least, ties = gin.best_discards([oracle.bits(hand) for hand in drawn])
    for i, hand in enumerate(drawn):
        after = {oracle.bits(frozenset([card])): oracle.deadwood(hand - {card}) for card in hand}
        assert least[i] == min(after.values())
        assert ties[i] == sum(card for card, deadwood in after.items() if deadwood == least[i])
        options = gin.discards(oracle.bits(hand)).options
        assert {1 << option.card: option.deadwood for option in options} == after
        assert all(option.may_knock == (option.deadwood <= 10) for option in options)


def test_hands_that_are_none_are_refused() -> None:
    for hands in ([1 << 52], [(1 << 16) - 1], [[1]]):
        with pytest.raises(HandError, match=r"hands: expected"):
            gin.deadwoods(np.array(hands, np.uint64))
    for wrong in ([1.5], ["7s"], [-1], [2**70], [None]):
        with pytest.raises(HandError, match=r"hands: expected"):
            gin.deadwoods(wrong)
    assert gin.deadwoods([]).tolist() == []
    assert gin.deadwood(np.uint64(1)).deadwood == 1  # type: ignore[arg-type]
    with pytest.raises(HandError, match=r"hand: expected text or a set of cards as a whole number, found \[1\]"):
        gin.deadwood([1])  # type: ignore[arg-type]
    with pytest.raises(HandError, match="sets of 1 to 15 cards"):
        gin.best_discards([0])
    with pytest.raises(HandError, match="bits 0 to 51"):
        gin.deadwood(-1)


# showdowns


EXAMPLES = {  # the worked examples of the game's description, and what the knocker scores
    "two lay-offs": ("7s 7h 7d 4c 5c 6c Jh Qh Kh 3d", "9s 9h 9d 2h 3h 4h 7c 3c Qs 5d", 3, 15, 12),
    "gin against 45": ("A234.A.A234.A", ".9.789T.4679J", 0, 45, 70),
    "10 against 2": ("789TJ...6789J", ".789T.789T.2T", 10, 2, -33),
    "10 against 10": ("89.89J.9J.8TJ", "7T.7T.78TQ.79", 10, 10, -25),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_worked_examples(name: str) -> None:
    knocker, defender, ours, theirs, score = EXAMPLES[name]
    found = gin.showdown(knocker, defender)
    assert (found.knocker.deadwood, found.defender.deadwood, found.score) == (ours, theirs, score)
    assert gin.score(ours, theirs) == score
    if name == "two lay-offs":
        assert [gin.write_cards(layoff.cards) for layoff in found.layoffs] == [["3c", "7c"]]
        assert gin.score(3, gin.deadwood(defender).deadwood) == 22


@layoffs
@pytest.mark.parametrize("case", GOLDEN["showdown"], ids=lambda case: case["id"])
def test_golden_showdowns(case: dict[str, Any], layoff: str) -> None:
    defender = case["D"] if layoff == "joint" else case["two_order"]
    score = case["score"] if layoff == "joint" else case["score_two_order"]
    texts = [sign.join(case["melds"]) for sign in (" ", " / ", "/", ",", ", ", ";", " + ")]
    cards = [" ".join(gin.write_cards(gin.read_cards(meld, "meld"))) for meld in case["melds"]]
    for melds in (case["melds"], *texts, ", ".join(cards), " / ".join(cards)):
        found = gin.showdown(case["knocker"], case["defender"], melds, layoff)
        assert (found.knocker.deadwood, found.defender.deadwood, found.score) == (case["K"], defender, score)
        proves(found, case["knocker"], case["defender"])
    default = gin.showdown(case["knocker"], case["defender"], layoff=layoff)
    assert default.score == max(
        c["score" if layoff == "joint" else "score_two_order"]
        for c in GOLDEN["showdown"]
        if (c["knocker"], c["defender"]) == (case["knocker"], case["defender"])
    )


def proves(found: gin.Showdown, knocker: str | int, defender: str | int) -> None:
    """Asserts that what is laid down is legal, uses every card once, and leaves the deadwood it claims."""
    for hand, side, more in ((knocker, found.knocker, 0), (defender, found.defender, 1)):
        cards = [*side.melds, side.left, *(layoff.cards for layoff in found.layoffs if more)]
        assert sum(cards) == read_hand(hand, "hand", 10, 10)
        left = oracle.parse(gin.write_hand(side.left))
        assert oracle.points(left) == side.deadwood
        assert all(oracle.parse(gin.write_hand(meld)) in oracle.every_meld() for meld in side.melds)
    table = {meld: meld for meld in found.knocker.melds}
    for layoff in found.layoffs:
        table[layoff.meld] |= layoff.cards
    joined = sum(table[meld] for meld in table)
    blocks = [oracle.parse(gin.write_hand(meld)) for meld in table.values()]
    assert all(block in oracle.every_meld() for block in blocks)
    assert joined.bit_count() == sum(map(len, blocks))


def pairs(kind: Any, hands: int) -> list[tuple[oracle.Cards, oracle.Cards]]:
    """Hands that may knock, and defenders of either kind."""
    dice, found = random.Random(hands), []
    while len(found) < hands:
        knocker = oracle.rich_hand(dice, 10)
        if gin.deadwood(oracle.bits(knocker)).deadwood <= 10:
            rest = frozenset(oracle.DECK) - knocker
            defender = oracle.rich_hand(dice, 10, rest) if kind is oracle.rich_hand else None
            found.append((knocker, defender or frozenset(dice.sample(sorted(rest), 10))))
    return found


@pytest.mark.parametrize("hands", [SHOWDOWNS, pytest.param(ALL_SHOWDOWNS, marks=pytest.mark.long)])
@kinds
def test_showdowns_are_those_of_brute_force(kind: Any, hands: int) -> None:
    drawn = pairs(kind, hands)
    knockers, defenders = ([oracle.bits(pair[i]) for pair in drawn] for i in (0, 1))
    wanted = [oracle.showdown(*pair) for pair in drawn]
    found = gin.showdowns(knockers, defenders)
    assert found.score.tolist() == wanted
    orders = gin.showdowns(knockers, defenders, "two-order")
    assert orders.score.tolist() == [oracle.showdown(*pair, oracle.in_two_orders) for pair in drawn]
    assert (orders.score >= found.score).all()
    for i in range(min(hands, 500)):
        for layoff, many in (("joint", found), ("two-order", orders)):
            one = gin.showdown(knockers[i], defenders[i], layoff=layoff)
            assert one.score == many.score[i]
            assert one.knocker.deadwood == many.knocker_deadwood[i]
            assert one.defender.deadwood == many.defender_deadwood[i]
            assert one.result in ("gin", "knock", "undercut")
            proves(one, knockers[i], defenders[i])
            fixed = gin.showdown(knockers[i], defenders[i], one.knocker.melds, layoff)
            assert fixed.score == one.score


def test_a_set_of_four_takes_no_card() -> None:
    assert fourth_cards([gin.read_cards("7c 7d 7h", "meld")]) == gin.read_cards("7s", "card")
    assert fourth_cards([gin.read_cards("7c 7d 7h 7s", "meld"), gin.read_cards("2c 3c 4c", "meld")]) == 0


@pytest.mark.parametrize(
    ("knocker", "defender", "melds", "layoff", "message"),
    [
        ("7c", "7d", None, "joint", "knocker: expected 10 cards, found 1"),
        (
            "A234.A.A234.A",
            "A2.9.789T.467",
            None,
            "joint",
            "defender: expected none of the knocker's cards, found Ac 2c",
        ),
        (
            ".9.789T.4679J",
            "A234.A.A234.A",
            None,
            "joint",
            "knocker: expected deadwood of at most 10 to knock with, found 45",
        ),
        ("A234.A.A234.A", ".9.789T.4679J", "234c", "joint", "melds: expected cards as"),
        ("A234.A.A234.A", ".9.789T.4679J", "2c3c", "joint", "melds: expected sets of 3 or 4 of a rank and runs"),
        ("A234.A.A234.A", ".9.789T.4679J", "5c6c7c", "joint", "melds: expected cards of the knocker's hand"),
        ("A234.A.A234.A", ".9.789T.4679J", "A...A A.A.A", "joint", "melds: expected cards as"),
        (
            "A234.A.A234.A",
            ".9.789T.4679J",
            "A.A.A. / A23...",
            "joint",
            "melds: expected every card in one meld, found Ac in two",
        ),
        ("A234.A.A234.A", ".9.789T.4679J", None, "both", "layoff: expected 'joint' or 'two-order', found 'both'"),
    ],
)
def test_mistakes_in_showdowns_are_one_line(
    knocker: str, defender: str, melds: str | None, layoff: str, message: str
) -> None:
    with pytest.raises(HandError) as caught:
        gin.showdown(knocker, defender, melds, layoff)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_mistakes_in_many_showdowns() -> None:
    with pytest.raises(HandError, match="expected as many as knockers, 1, found 2"):
        gin.showdowns([1], [2, 4])
    with pytest.raises(HandError, match="found some at index 1"):
        gin.showdowns([1, 2], [2, 6])


# the command line


def test_commands_answer_the_golden_cases(cli: Cli) -> None:
    for case in GOLDEN["min_deadwood"]:
        assert good_json(cli("gin", "deadwood", case["hand"], "--json"))["deadwood"] == case["deadwood"]
        assert good_json(cli("gin", "deadwood", *case["cards"].split(), "--json"))["hand"] == case["hand"]
    for case in GOLDEN["best_discard"]:
        found = good_json(cli("gin", "discard", case["hand"], "--json"))
        assert (found["deadwood"], found["discards"]) == (case["best"], case["discards"])
    for case in GOLDEN["showdown"]:
        call = ["gin", "showdown", case["knocker"], case["defender"], "--melds", " ".join(case["melds"]), "--json"]
        found = good_json(cli(*call))
        keys = ("knocker_deadwood", "defender_deadwood", "score")
        assert [found[key] for key in keys] == [case["K"], case["D"], case["score"]]
        assert good_json(cli(*call, "--layoff", "two-order"))["score"] == case["score_two_order"]


@pytest.mark.parametrize("lang", ["en", "es", "ko", "de"])
def test_answers_for_people(cli: Cli, lang: str) -> None:
    text = good(cli("gin", "showdown", "789TJ...6789J", ".789T.789T.2T", "--lang", lang))
    assert "33" in text
    assert "→ 6♠ 7♠ 8♠ 9♠" in text
    assert good(cli("gin", "deadwood", "AQK.234.567.8", "--lang", lang)).splitlines()[0].endswith(" 29")
    assert good(cli("gin", "discard", "A289.89.9.789T", "--lang", lang)).splitlines()[1].startswith("10♠")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("deadwood 7s 7s", "hand: expected every card once, found 7s twice"),
        ("deadwood A23456789TJQK.A23..", "hand: expected 1 to 15 cards, found 16"),
        ("deadwood", "Missing argument 'HAND...'."),
        ("discard 7s 8s", "hand: expected 11 cards, found 2"),
        ("showdown 7s 8s", "knocker: expected 10 cards, found 1"),
        ("showdown A234.A.A234.A .9.789T.4679J --melds 7s", "melds: expected sets of 3 or 4"),
    ],
)
def test_mistakes_on_the_command_line(cli: Cli, call: str, message: str) -> None:
    assert one_line(cli("gin", *call.split())).startswith(message)


@settings(deadline=None, max_examples=60, derandomize=True)
@given(st.text("A23T10JQKcdhs♣♠. ,/x\0\ud800", max_size=30), st.text(max_size=12))
def test_anything_at_all_is_answered_or_refused(cli: Cli, cards: str, other: str) -> None:
    for call in (["deadwood", cards], ["discard", other], ["showdown", cards, other]):
        result = cli("gin", call[0], "--", *call[1:])
        assert (result.code == 0 and not result.err) or one_line(result)
    one = cli("gin", "showdown", "A234.A.A234.A", ".9.789T.4679J", f"--melds={cards}")
    assert one.code == 0 or one_line(one)
