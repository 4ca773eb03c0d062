"""The answers: what the command line prints with --json, from the same functions."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ..cli import distribution as cli_distribution
from ..cli import duel as cli_duel
from ..cli import gin_advise, gin_hand
from ..cli import hint as cli_hint
from ..cli import odds as cli_odds
from ..cli import score as cli_score
from ..cli import target as cli_target
from ..cli import value as cli_value
from ..cli.columns import is_several, refuse_objective
from ..cli.options import TOP
from ..errors import PositionError
from ..solver import gin
from ..solver.column_hint import ColumnHints, column_scores, read_sheets, total_so_far
from ..solver.distribution import distribution
from ..solver.duel import Duels
from ..solver.explain import explain
from ..solver.gin.advice import WORLDS, advise
from ..solver.hint import can_win_at_once, hint, scores
from ..solver.odds import odds
from ..solver.position import Position, entries_from, points_so_far, position_from, read_dice, read_sheet
from ..solver.table import Table
from ..solver.utility import Objective, Target, Win
from ..solver.utility_table import Goal
from .asked import Asked, asked, objective_of

Ask = Mapping[str, Any]
POSITION_KEYS = ("dice", "rolls_left", "sheet", "held")


class Source(Protocol):
    """Where answers come from."""

    def table(self, about: Asked) -> Table:
        """The table of expected scores."""

    def goal(self, about: Asked, objective: Objective) -> Goal | None:
        """The goal of an objective; None for the score."""

    def columns(self, about: Asked) -> ColumnHints:
        """The solver of a sheet of several columns."""

    def duels(self, about: Asked) -> Duels:
        """The solver of duels."""


def _position(ask: Ask, about: Asked) -> Position:
    return position_from({key: ask[key] for key in POSITION_KEYS if key in ask}, about.variant.id)


def _sheet(ask: Ask, key: str = "sheet") -> dict[str, Any]:
    return entries_from(ask.get(key, {}))


def answer_hint(ask: Ask, source: Source) -> Any:
    """`servida hint`."""
    about, objective, top = asked(ask), objective_of(ask), ask.get("top")
    if "them" in ask and not isinstance(objective, Win):
        raise PositionError("them: expected it with the objective duel, found another objective; leave one of them out")
    variant = about.variant
    if is_several(variant):
        refuse_objective(variant, objective)
        if ask.get("explain"):
            raise PositionError(f"explain: expected a sheet of one column, found {variant.id}; leave it out")
        return cli_hint.as_object(variant, source.columns(about).hint(_position(ask, about)), top, {})
    if isinstance(objective, Win):
        if ask.get("explain"):
            raise PositionError("explain: expected it with another objective, found duel; leave one of them out")
        return answer_duel({**ask, "me": ask.get("sheet", {})}, source)
    table = source.table(about)
    goal = source.goal(about, objective)
    reply = hint(table, _position(ask, about), goal)
    explained = [option for option in reply.options[: top or TOP] if option.best] if ask.get("explain") else []
    outcomes = {option: explain(table, reply, option, goal) for option in explained}
    return cli_hint.as_object(variant, reply, top, outcomes, goal)


def answer_value(ask: Ask, source: Source) -> Any:
    """`servida value`."""
    about, objective = asked(ask), _no_duel(objective_of(ask))
    if is_several(about.variant):
        refuse_objective(about.variant, objective)
        sheets = read_sheets(about.variant, _sheet(ask))
        so_far, worth = total_so_far(about.variant, sheets), source.columns(about).value(sheets)
        bound = None if worth.bound is None else so_far + worth.bound
        return cli_value.as_object(about.variant, so_far, worth.value, bound=bound)
    table = source.table(about)
    sheet = read_sheet(about.variant, table.game, _sheet(ask))
    goal = source.goal(about, objective)
    so_far, of_goal = points_so_far(table.game, sheet), goal.value(sheet) if goal else None
    return cli_value.as_object(about.variant, so_far, table.value(sheet), goal, of_goal)


def _no_duel(objective: Objective) -> Objective:
    if isinstance(objective, Win):
        raise PositionError("objective: expected score, target:POINTS or utility, found duel; see the question duel")
    return objective


def answer_score(ask: Ask, source: Source) -> Any:
    """`servida score`."""
    about, served, win = asked(ask), bool(ask.get("served")), False
    variant = about.variant
    dice = read_dice(ask["dice"], variant.rules.dice)
    if is_several(variant):
        source.columns(about)  # not here, if it says so
        rows = column_scores(variant, read_sheets(variant, _sheet(ask)), dice, served=served)
    else:
        game = source.table(about).game
        sheet = read_sheet(variant, game, _sheet(ask))
        rows = scores(game, sheet, dice, served=served)
        win = served and can_win_at_once(game, sheet, dice)
    return cli_score.as_object(variant, dice, served, win, rows)


def answer_distribution(ask: Ask, source: Source) -> Any:
    """`servida distribution`."""
    about, objective = asked(ask), _no_duel(objective_of(ask))
    table = source.table(about)
    sheet = read_sheet(about.variant, table.game, _sheet(ask))
    goal = source.goal(about, objective)
    outlook = distribution(table, sheet, goal)
    value = cli_distribution.as_object(about.variant, outlook, tuple(ask.get("at_least", ())))
    return value | ({"error_bound": goal.table.error} if goal else {})


def answer_target(ask: Ask, source: Source) -> Any:
    """`servida target`."""
    about = asked(ask)
    goal = source.goal(about, Target(0))
    assert goal
    game = goal.table.game
    sheet = read_sheet(about.variant, game, _sheet(ask))
    so_far = points_so_far(game, sheet)
    wanted = ask.get("scores") or cli_target.tens(goal, so_far, sheet)
    outlook = distribution(source.table(about), sheet) if ask.get("compare") else None
    return cli_target.as_object(about.variant, goal, so_far, cli_target.rows_of(goal, sheet, wanted, outlook))


def answer_duel(ask: Ask, source: Source) -> Any:
    """`servida duel`."""
    about = asked(ask)
    duels = source.duels(about)
    me, others = _sheet(ask, "me"), [entries_from(sheet) for sheet in ask.get("them") or [""]]
    totals, mine = ask.get("them_total", ()), ask.get("turn", "me") == "me"
    contest = cli_duel.contest_of(duels.table, me, others, ask.get("me_total"), totals, mine, ask.get("tie"))
    if "dice" in ask:
        answer = duels.hint(contest, _position({**ask, "sheet": me}, about))
    elif ask.keys() & {"rolls_left", "held"}:
        raise PositionError("dice: expected some beside rolls_left or held, found none")
    else:
        answer = duels.chances(contest)
    return cli_duel.as_object(about.variant, answer, contest, ask.get("top"))


def answer_odds(ask: Ask, source: Source) -> Any:
    """`servida odds`."""
    pattern, category, variant = ask.get("pattern", ""), ask.get("category"), None
    if ask.keys() & {"variant", "rules"}:
        variant = asked(ask).variant
        if not ask.keys() - {"variant", "rules"}:
            return cli_odds.served_object(variant)
    elif ":" in pattern:  # a box of a variant
        name, _, pattern = pattern.rpartition(":")
        variant = asked({"variant": name.strip()}).variant
    target = cli_odds.target_of(pattern, ask.get("dice"), variant, category)
    faces, turns, strategy = read_dice(ask.get("from", ""), None, "from"), ask.get("turns"), ask.get("strategy", "best")
    if turns and faces:
        raise PositionError("turns: expected whole turns, found dice on the table; leave out from or turns")
    rolls_left = ask.get("rolls_left")
    found = odds(target, faces, rolls_left, strategy)
    left = target.rolls - bool(faces) if rolls_left is None else rolls_left
    return cli_odds.as_object(target, found, faces, left, turns or 1, strategy)


def answer_deadwood(ask: Ask, source: Source) -> Any:
    """`servida gin deadwood`."""
    return gin_hand.deadwood_object(ask["hand"], gin.deadwood(ask["hand"]))


def answer_discard(ask: Ask, source: Source) -> Any:
    """`servida gin discard`."""
    return gin_hand.discards_object(ask["hand"], gin.discards(ask["hand"]))


def answer_showdown(ask: Ask, source: Source) -> Any:
    """`servida gin showdown`."""
    knocker, defender, layoff = ask["knocker"], ask["defender"], ask.get("layoff", "joint")
    found = gin.showdown(knocker, defender, tuple(ask.get("melds", ())) or None, layoff)
    return gin_hand.as_object(knocker, defender, layoff, found)


def answer_advise(ask: Ask, source: Source) -> Any:
    """`servida gin advise`."""
    opponent, known = ask.get("opponent", "simple"), (ask.get("seen", ""), ask.get("taken", ""))
    worlds, seed = ask.get("worlds", WORLDS), ask.get("seed", 0)
    found = advise(ask["hand"], *known, turn=ask.get("turn"), opponent=opponent, worlds=worlds, seed=seed)
    return gin_advise.advice_object(found, opponent)


ANSWERS: Mapping[str, Callable[[Ask, Source], Any]] = {
    "hint": answer_hint,
    "value": answer_value,
    "score": answer_score,
    "distribution": answer_distribution,
    "target": answer_target,
    "duel": answer_duel,
    "odds": answer_odds,
    "gin/deadwood": answer_deadwood,
    "gin/discard": answer_discard,
    "gin/showdown": answer_showdown,
    "gin/advise": answer_advise,
}
