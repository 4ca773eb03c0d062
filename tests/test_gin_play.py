"""Hidden hands counted against enumeration, advice, and play: simulated matches replayed move by move."""

import itertools
import math
import random
import time

import gin_oracle as oracle
import numpy as np
import pytest
from clitools import good, good_json, one_line
from conftest import Cli
from servida.cext import gin as kernel
from servida.errors import HandError
from servida.solver import gin
from servida.solver.gin import advice
from servida.solver.gin.advice import Prior, advise, best_knock, of_table, read_known, uniform
from servida.solver.gin.cards import DECK, RANKS, each
from servida.solver.gin.match import Match
from servida.solver.gin.melds import laid
from servida.solver.gin.play import Play, move
from servida.solver.gin.policy import POLICIES, play_matches

KNOCKS = ["456.37.7JQK.7", "789TJ...6789J", "45678..6789.6", "JQ.4JQ.567.JQ", "89.89J.9J.8TJ", "A234.A.A234.A"]
ELEVEN = "456.37.7JQK.79"


# hidden hands


def cards_of(text: str) -> int:
    return gin.read_cards(text, "hand")


@pytest.mark.parametrize("hand", KNOCKS)
@pytest.mark.parametrize("seed", range(4))
def test_hidden_hands_are_counted_as_enumeration_counts_them(hand: str, seed: int) -> None:
    dice, down = random.Random(seed), gin.deadwood(hand)
    near = dice.randint(1, 10)
    rest = [card for card in range(52) if not cards_of(hand) >> card & 1]
    rest.sort(key=lambda card: abs(card % 13 - near) if seed % 2 else dice.random())
    held = sum(1 << card for card in rest[:seed])
    free = rest[seed : seed + 14]
    hands = [held | sum(1 << card for card in chosen) for chosen in itertools.combinations(free, 10 - seed)]
    found = kernel.hidden(sum(1 << card for card in free), held, 10, *of_table(down))
    table = [oracle.parse(gin.write_hand(meld)) for meld in down.melds] if down.deadwood else []
    for other in dice.sample(hands, 3):
        one = oracle.parse(gin.write_hand(other))
        alone = kernel.hidden(0, other, 10, *of_table(down))
        assert alone[oracle.joint(one, table)] == sum(alone) == 1
    points = gin.showdowns([cards_of(hand)] * len(hands), hands)
    assert sum(found) == len(hands)
    single = len(kernel.arrangements(cards_of(hand))) == 1
    if single or down.deadwood == 0:
        assert np.bincount(points.defender_deadwood, minlength=len(found)).tolist() == found


def test_hidden_hands_of_the_whole_deck() -> None:
    found = kernel.hidden(DECK, 0, 10, 0, 0)
    assert sum(found) == math.comb(52, 10)
    hands = np.empty(100_000, np.uint64)
    kernel.random_hands(DECK, 0, 10, 5, hands)
    assert (np.bitwise_count(hands) == 10).all()
    drawn = np.bincount(gin.deadwoods(hands), minlength=len(found)) / len(hands)
    exact = np.array(found) / sum(found)
    assert np.abs(drawn - exact).max() < 0.003
    appear = [(hands >> np.uint64(card) & np.uint64(1)).mean() for card in range(52)]
    assert max(abs(share - 10 / 52) for share in appear) < 0.007


@pytest.mark.parametrize(("seen", "seconds"), [("", 2.0), ("Kc Qd 9h 2c 3c 3s Ts Th Jd Kd 5h", 0.5)])
def test_exact_chances_are_quick(seen: str, seconds: float) -> None:
    hand = cards_of("789TJ...6789J")
    known = read_known(hand | cards_of("As"), seen, "", None)
    assert known.unseen.bit_count() == (30 if seen else 41)
    started = time.process_time()
    found = uniform(laid(hand, kernel.arrangements(hand)[0]), known)
    assert time.process_time() - started < seconds
    hidden = np.empty(200_000, np.uint64)
    kernel.random_hands(known.unseen, known.held, 10, 1, hidden)
    drawn = gin.showdowns(np.full(len(hidden), hand, np.uint64), hidden)
    assert found.points == pytest.approx(drawn.score.mean(), abs=5 * drawn.score.std() / math.sqrt(len(hidden)))
    assert found.undercut == pytest.approx((drawn.score < 0).mean(), abs=0.002)


# advice


def test_outs_are_counted() -> None:
    found = advise(ELEVEN, seen="Kc Qd 9h", taken="3h", worlds=100)
    unseen = DECK & ~cards_of(ELEVEN) & ~cards_of("Kc Qd 9h 3h")
    assert found.unseen == unseen.bit_count() == 37
    assert found.hidden_hands == math.comb(37, 9)
    for option in found.options:
        left = cards_of(ELEVEN) & ~(1 << option.card)
        after = [oracle_discard(left | 1 << card) for card in each(unseen)]
        assert option.deadwood == gin.deadwood(left).deadwood
        assert option.may_knock == (option.deadwood <= 10)
        assert (option.knock_outs, option.gin_outs) == (sum(d <= 10 for d in after), after.count(0))


def oracle_discard(hand: int) -> int:
    return min(oracle.deadwood(oracle.parse(gin.write_hand(hand & ~(1 << card)))) for card in each(hand))


def test_knocking_now_is_exact_for_the_uniform_prior_and_weighted_by_play() -> None:
    found = advise("789TJ..A.6789J", seen="Kc Qd 2h 2c 3c 3s Ts Th Jd Kd 5h", seed=2)
    assert found.knock is not None
    assert found.play_on is not None
    known = read_known(cards_of("789TJ..A.6789J"), "Kc Qd 2h 2c 3c 3s Ts Th Jd Kd 5h", "", None)
    assert found.knock.uniform == uniform(found.knock.laid, known)
    assert found.knock.uniform.standard_error is None
    assert found.knock.weighted.undercut > 3 * found.knock.uniform.undercut
    assert found.knock.weighted.points < found.knock.uniform.points
    assert found.knock.weighted.standard_error is not None
    assert found.play_on.knock == pytest.approx(found.knock.weighted.points, abs=2)
    assert found.play_on.difference == pytest.approx(found.play_on.knock - found.play_on.points)
    assert found == advise("789TJ..A.6789J", seen="Kc Qd 2h 2c 3c 3s Ts Th Jd Kd 5h", seed=2)


def test_gin_cannot_be_undercut_and_is_not_played_on() -> None:
    found = advise("A234.A.A234.AK", worlds=2)
    assert found.knock is not None
    assert (found.knock.uniform.undercut, found.knock.weighted.undercut, found.play_on) == (0, 0, None)
    count = kernel.hidden(DECK & ~cards_of("A234.A.A234.AK"), 0, 10, 0, 0)
    assert found.knock.uniform.points == pytest.approx(25 + mean(count))
    assert advise("A3579.2468.TQ.", worlds=2).knock is None


def mean(count: list[int]) -> float:
    return sum(d * n for d, n in enumerate(count)) / sum(count)


def test_a_hidden_hand_that_is_known_leaves_nothing_to_chance() -> None:
    found = advise("789TJ..A.6789J", seen="", taken="K.3579.358.A4", worlds=10)
    assert found.hidden_hands == 1
    assert found.knock is not None
    exact = gin.showdown("789TJ..A.6789", "K.3579.358.A4").score
    assert found.knock.uniform.points == found.knock.weighted.points == exact


@pytest.mark.long
def test_the_weighted_prior_tells_how_often_knocks_are_undercut(monkeypatch: pytest.MonkeyPatch) -> None:
    """In 300 knocks of simple play the share undercut is near the mean weighted chance, far above the uniform one."""
    monkeypatch.setattr(advice, "SAMPLES", 100_000)
    happened, weighted, even = [], [], []
    for number in itertools.count():
        play = Play(99, number, number % 2)
        while not play.over:
            view = play.view()
            if play.drawn:
                card, knock = kernel.choose_discard(POLICIES["simple"], view)
                if knock and kernel.deadwood(view[0] & ~card):
                    known = read_known(view[0], view[1], view[2], view[6])
                    prior = Prior(known, POLICIES["simple"], number)
                    told = best_knock(view[0], card.bit_length() - 1, known, prior)
                    weighted.append(told.weighted.undercut)
                    even.append(told.uniform.undercut)
            move(play, "simple")
        if play.showdown is not None and play.showdown.knocker.deadwood:
            happened.append(play.showdown.score < 0)
        if len(happened) == 300:
            break
    error = float(np.std(happened)) / math.sqrt(len(happened))
    assert len(happened) == len(weighted)
    assert abs(np.mean(weighted) - np.mean(happened)) < 3 * error
    assert np.mean(even) < np.mean(happened) / 5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seen": "4c"}, "seen: expected no card twice, found 4c elsewhere, too"),
        ({"seen": "Kc", "taken": "Kc"}, "taken: expected no card twice, found Kc elsewhere, too"),
        ({"taken": "A23456789TJ..."}, "taken: expected 0 to 10 cards, found 11"),
        ({"seen": "A23789TJQK.A245689TJQK.A2345689T."}, "seen: expected at most 29 cards in the pile, found 30"),
        ({"turn": -1}, "turn: expected 0 to 31 turns before, found -1"),
        ({"opponent": "keene"}, "policy: expected simple or keen, found 'keene' (did you mean 'keen'?)"),
        ({"worlds": 1}, "worlds: expected 2 to 10000000, found 1"),
        ({"seed": -1}, "seed: expected 0 to 18446744073709551615, found -1"),
    ],
)
def test_mistakes_in_what_is_known(options: dict[str, object], message: str) -> None:
    with pytest.raises(HandError) as caught:
        advise(ELEVEN, **options)  # type: ignore[arg-type]
    assert str(caught.value) == message


# play


def test_simulated_matches_are_those_played_move_by_move() -> None:
    found = play_matches("keen", "simple", 6, seed=11)
    hands = undercuts = void = 0
    for number in range(6):
        swapped = number % 2
        match, names = Match(first_dealer=swapped), ("keen", "simple")
        deal = number // 2 * 4096
        while match.winner is None:
            seat = [1, 0] if swapped else [0, 1]  # who holds the first and the second hand dealt
            play = Play(11, deal, seat.index(match.dealer))
            while not play.over:
                before = play.hands[0] | play.hands[1] | play.dead | sum(1 << card for card in play.stock)
                assert before == DECK
                move(play, names[seat[play.mover]])
            hands, void, deal = hands + 1, void + (play.knocker is None), deal + 1
            if play.knocker is None or play.showdown is None:
                match = match.void()
                continue
            undercuts += play.showdown.score < 0
            deadwood = play.showdown.knocker.deadwood, play.showdown.defender.deadwood
            match = match.knock(seat[play.knocker], *deadwood)
        assert (found.winner[number], found.points[number].tolist()) == (match.winner, list(match.totals))
    assert (found.hands, found.void, found.undercuts) == (hands, void, undercuts)
    assert found.knocks == hands - void


def test_mirrored_deals_are_fair_and_threads_make_no_difference() -> None:
    same = play_matches("simple", "simple", 200, seed=3)
    assert same.share == 0.5
    assert same.standard_error == 0
    one, two = (play_matches("keen", "simple", 250, 4, threads=threads) for threads in (1, 2))
    assert (one.winner == two.winner).all()
    assert (one.points == two.points).all()
    assert one.hands == two.hands


def test_hands_end_even_where_both_always_take_the_upcard() -> None:
    greedy = dict(POLICIES["keen"], take=-100.0)
    winner, points = np.empty(4, np.uint8), np.empty((4, 2), np.int16)
    assert kernel.play_matches(greedy, greedy, 1, 0, 100, winner, points)[0] > 0


def test_the_keen_policy_beats_the_simple_one() -> None:
    found = play_matches("keen", "simple", 1000, seed=5)
    assert found.share - 2 * found.standard_error > 0.7


def test_in_simple_play_one_knock_in_twenty_is_undercut() -> None:
    found = play_matches("simple", "simple", 1000, seed=6)
    assert found.undercuts / found.knocks == pytest.approx(0.046, abs=0.008)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: play_matches("keen", "simple", 3), "matches: expected an even number from 2"),
        (lambda: play_matches("keen", "simple", goal=0), "goal: expected 1 to 9999 points, found 0"),
        (lambda: play_matches("keen", "simple", seed=-1), "seed: expected 0 to"),
        (lambda: play_matches("kee", "simple"), "policy: expected simple or keen, found 'kee' (did you mean 'keen'?)"),
    ],
)
def test_mistakes_in_simulations(call: object, message: str) -> None:
    with pytest.raises(HandError) as caught:
        call()  # type: ignore[operator]
    assert str(caught.value).startswith(message)


def test_moves_that_are_not_allowed() -> None:
    play = Play(1, 0, 0)
    play.draw()
    play.draw()
    with pytest.raises(HandError, match="both have declined the upcard"):
        play.take()
    play.draw()
    card = next(each(DECK & ~play.hands[1]))
    with pytest.raises(HandError, match="expected a card of the hand"):
        play.discard(1 << card)
    low = next(card for card in each(play.hands[1]) if gin.deadwood(play.hands[1] & ~(1 << card)).deadwood > 10)
    with pytest.raises(HandError, match="expected deadwood of at most 10"):
        play.discard(1 << low, knock=True)
    play.discard(1 << low)
    play.take()
    with pytest.raises(HandError, match="another card than the one just taken"):
        play.discard(1 << low)


# the command line


@pytest.mark.parametrize("lang", ["en", "es", "ko", "de"])
def test_advice_for_people(cli: Cli, lang: str) -> None:
    out = good(
        cli("gin", "advise", "789TJ..A.6789J", "--seen", "Kc,Qd,2h", "--taken", "5h", "--worlds", 20, "--lang", lang)
    )
    assert "J♠" in out.splitlines()[2]
    assert out.count("%") == 2
    assert "±" in out.splitlines()[-1]
    assert "%" not in good(cli("gin", "advise", "A3579.2468.TQ.", "--worlds", 2, "--lang", lang))


def test_advice_as_json(cli: Cli) -> None:
    found = good_json(cli("gin", "advise", ELEVEN, "--seen", "Kc Qd", "--turn", 3, "--worlds", 50, "--json"))
    assert (found["unseen"], found["turn"], found["opponent"]) == (39, 3, "simple")
    assert found["options"][0]["card"] == "9s"
    assert found["knock"]["uniform"].keys() == {"undercut", "expected_points"}
    assert found["knock"]["weighted"]["standard_error"] > 0
    gin_hand = good_json(cli("gin", "advise", "A234.A.A234.AK", "--worlds", 2, "--json"))
    assert gin_hand["play_on"] is None
    assert good_json(cli("gin", "advise", "A3579.2468.TQ.", "--json"))["knock"] is None


@pytest.mark.parametrize("lang", ["en", "es", "ko", "de"])
def test_simulations(cli: Cli, lang: str) -> None:
    out = good(cli("gin", "simulate", "simple", "simple", "--matches", 10, "--to", 20, "--lang", lang))
    assert out.splitlines()[0] == "simple – simple: 50.00% ± 0.00% (10)"
    found = good_json(cli("gin", "simulate", "--matches", 4, "--seed", 3, "--threads", 1, "--json"))
    assert (found["first"], found["second"], found["matches"]) == ("keen", "simple", 4)
    assert found["share"] == found["won"] / 4


def test_a_match_against_a_policy(cli: Cli) -> None:
    moves = "take\nknock 7c\nbad\n" + "".join(f"draw\ndiscard {rank}{suit}\n" for suit in "cdhs" for rank in RANKS)
    result = cli("gin", "play", "--seed", 7, "--to", 1, stdin=moves * 60)
    assert result.code == 0
    assert "error: move: expected" in result.err
    assert "Traceback" not in result.err
    assert "match won: " in result.out
    assert good(cli("gin", "play", stdin="")).startswith("moves: ")
    assert good(cli("gin", "play", "--lang", "ko", stdin="quit\n")).startswith("수: ")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("simulate --matches 3", "matches: expected an even number from 2"),
        ("simulate kin", "Invalid value for '[[simple|keen]]"),
        ("advise 7s 8s", "hand: expected 11 cards, found 2"),
        ("advise 456.37.7JQK.79 --seen 4c", "seen: expected no card twice, found 4c elsewhere, too"),
        ("play --policy kin", "Invalid value for '--policy'"),
    ],
)
def test_mistakes_on_the_command_line(cli: Cli, call: str, message: str) -> None:
    assert one_line(cli("gin", *call.split())).startswith(message[:20])
