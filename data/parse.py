"""Rule files (TOML) read into `Variant`; every fault is one line naming file, key, what was expected and found."""

import re
import tomllib
from collections.abc import Callable, Iterable
from typing import Any

from ..errors import RulesError, nearest, quoted
from .rules import FACES, About, Category, Column, Five, OutrightWin, Pattern, Rules, Score, UpperBonus, Variant

FORMAT = 1
MAX_CATEGORIES = 26
MAX_POINTS = 10_000


class _Table:
    """One TOML table being read: hands out its keys, and objects to any nobody asked for."""

    def __init__(self, file: str, path: str, value: Any):
        self.file, self.path, self.asked = file, path, set[str]()
        if not isinstance(value, dict):
            self.fail("", "a table", value)
        self.value: dict[str, Any] = value

    def fail(self, key: str, expected: str, found: Any) -> Any:
        where = f"{self.path}.{key}".strip(".") or "the file"
        text = "nothing" if found is None else quoted(found)
        raise RulesError(f"{self.file}: {where}: expected {expected}, found {text}")

    def get(self, key: str, expected: str, valid: Callable[[Any], bool], default: Any = None) -> Any:
        """The value of `key`, checked; a missing key gives `default`, which for a required key is `...`."""
        self.asked.add(key)
        if key not in self.value:
            return self.fail(key, expected, None) if default is ... else default
        found = self.value[key]
        return found if valid(found) else self.fail(key, expected, found)

    def integer(self, key: str, low: int, high: int, default: Any = None) -> Any:
        return self.get(key, f"a whole number from {low} to {high}", lambda v: _whole(v, low, high), default)

    def choice(self, key: str, words: Iterable[str], default: Any = None) -> Any:
        words = tuple(words)
        return self.get(key, " or ".join(map(repr, words)), lambda v: v in words, default)

    def flag(self, key: str) -> bool:
        return bool(self.get(key, "true or false", lambda v: isinstance(v, bool), False))

    def text(self, key: str, default: Any = "") -> Any:
        return self.get(key, "text", lambda v: isinstance(v, str) and bool(v), default)

    def words(self, key: str) -> dict[str, str]:
        """A table from language codes to names."""
        return dict(
            self.get(key, "a table of language = text", lambda v: isinstance(v, dict) and _all_text(v.values()), {})
        )

    def table(self, key: str) -> "_Table | None":
        found = self.get(key, "a table", lambda v: isinstance(v, dict))
        return None if found is None else self.inner(key, found)

    def tables(self, key: str, default: Any = None) -> "list[_Table]":
        found = self.get(key, "a list of tables", lambda v: isinstance(v, list) and bool(v), default)
        return [self.inner(f"{key}[{i + 1}]", value) for i, value in enumerate(found or [])]

    def inner(self, key: str, value: Any) -> "_Table":
        return _Table(self.file, f"{self.path}.{key}".strip("."), value)

    def done(self) -> None:
        for key in self.value:
            if key not in self.asked:
                known = ", ".join(sorted(self.asked))
                self.fail(key, f"one of the keys {known}{nearest(key, self.asked)}", key)


def _whole(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _is_word(value: str) -> bool:
    return bool(re.fullmatch(r"[a-z][a-z0-9_]*", value))


def _all_text(values: Iterable[Any]) -> bool:
    return all(isinstance(v, str) and v for v in values)


def _faces(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(_whole(v, 1, FACES) for v in value) and _unique(value)


def _unique(values: list[Any]) -> bool:
    return len(set(values)) == len(values)


def parse(text: str, file: str) -> Variant:
    """The variant described by the text of a rule file; `file` is named in errors (`RulesError`)."""
    try:
        value = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also numbers of too many digits, and lists within lists
        raise RulesError(f"{file}: expected a TOML file, found a syntax error: {error}") from None
    return variant_from(value, file)


def variant_from(value: Any, file: str) -> Variant:
    """The variant described by what a rule file holds, as a dictionary; `file` is named in errors (`RulesError`)."""
    top = _Table(file, "", value)
    top.get("format", f"{FORMAT} (the rule-file format this program reads)", lambda v: _whole(v, FORMAT, FORMAT), ...)
    name = top.get(
        "id",
        "lower-case letters, digits and hyphens",
        lambda v: isinstance(v, str) and bool(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", v)),
        ...,
    )
    game = top.table("game") or _Table(file, "game", {})
    rules = _rules(top, game.choice("ties", ("half", "leaders-win", "extra-round"), "half"))
    players = game.get("players", "two whole numbers, fewest and most players", _player_range, [1, 6])
    game.done()
    about = _about(top, (players[0], players[1]))
    top.done()
    return Variant(name, rules, about)


def _about(top: _Table, players: tuple[int, int]) -> About:
    known = top.table("known")
    labels = {t.value["id"]: t.words("labels") for t in top.tables("category")}
    value = None
    source = ""
    if known:
        value = known.get("expected_total", "a number", lambda v: isinstance(v, float | int), ...)
        source = known.text("source", ...)
        known.done()
    return About(
        names=top.words("names"),
        labels=labels,
        aliases=tuple(top.get("aliases", "a list of names", lambda v: isinstance(v, list) and _all_text(v), [])),
        source=top.text("source"),
        players=players,
        known_value=value,
        known_source=source,
    )


def _player_range(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(_whole(v, 1, 99) for v in value) and value[0] <= value[1]


def _rules(top: _Table, ties: Any) -> Rules:
    turn = top.table("turn") or _Table(top.file, "turn", {})
    dice = turn.integer("dice", 1, 6, 5)
    rolls = turn.integer("rolls", 1, 5, 3)
    hold = turn.choice("hold", ("free", "locked"), "free")
    turn.done()

    tables = top.tables("category", ...)
    if len(tables) > MAX_CATEGORIES:
        top.fail("category", f"at most {MAX_CATEGORIES} boxes", len(tables))
    categories = tuple(_category(table, dice) for table in tables)
    ids = [category.id for category in categories]
    for table, category in zip(tables, categories, strict=True):
        if ids.count(category.id) > 1:
            table.fail("id", "every box once", category.id)
        if category.requires is not None and (category.requires not in ids or category.requires == category.id):
            table.fail("requires", f"the id of another box{nearest(category.requires, ids)}", category.requires)
        table.asked |= {"labels"}
        table.done()
    return Rules(
        categories=categories,
        dice=dice,
        rolls=rolls,
        hold=hold,
        columns=_columns(top),
        upper_bonus=_upper_bonus(top, categories),
        five=_five(top, categories, dice),
        outright_win=_outright_win(top, categories, dice),
        ties=ties,
    )


def _category(table: _Table, dice: int) -> Category:
    name = table.get("id", "lower-case letters, digits and _", lambda v: isinstance(v, str) and _is_word(v), ...)
    inner = table.table("pattern")
    if inner is None:
        table.fail("pattern", "a table", None)
        raise AssertionError
    pattern = _pattern(inner, dice)
    score = _score(table, "score", ...)
    served = _score(table, "served", None)
    if served is not None and isinstance(score, int) != isinstance(served, int):
        table.fail("served", "a number beside a number, a sum beside a sum", served)
    if isinstance(score, int) and isinstance(served, int) and served < score:
        table.fail("served", f"at least the ordinary score {score}", served)
    if (score, served) == ("sum_all", "sum_matched"):
        table.fail("served", "at least the ordinary score", served)
    return Category(name, pattern, score, served, table.text("requires", None))


def _score(table: _Table, key: str, default: Any) -> Score | Any:
    return table.get(
        key,
        f"'sum_all', 'sum_matched' or a whole number from 0 to {MAX_POINTS}",
        lambda v: v in ("sum_all", "sum_matched") or _whole(v, 0, MAX_POINTS),
        default,
    )


def _pattern(table: _Table, dice: int) -> Pattern:
    kinds = [kind for kind in ("faces", "groups", "sequence", "run", "any") if kind in table.value]
    if len(kinds) != 1:
        table.fail("", "exactly one of the keys faces, groups, sequence, run, any", ", ".join(kinds) or None)
    pattern = Pattern(
        faces=tuple(sorted(table.get("faces", "a list of different faces from 1 to 6", _faces, []))),
        groups=tuple(
            sorted(
                table.get(
                    "groups",
                    f"a list of group sizes that need at most {dice} dice",
                    lambda v: isinstance(v, list) and all(_whole(n, 1, dice) for n in v) and 0 < sum(v) <= dice,
                    [],
                ),
                reverse=True,
            )
        ),
        distinct=table.flag("distinct"),
        exact=table.flag("exact"),
        sequence=tuple(
            tuple(sorted(faces))
            for faces in table.get(
                "sequence",
                f"a list of lists of at most {dice} different faces from 1 to 6",
                lambda v: isinstance(v, list) and bool(v) and all(_faces(s) and len(s) <= dice for s in v),
                [],
            )
        ),
        run=table.integer("run", 1, min(dice, FACES), 0),
        any=table.get("any", "true", lambda v: v is True, False),
    )
    if (pattern.distinct or pattern.exact) and not pattern.groups:
        table.fail("distinct" if pattern.distinct else "exact", "groups beside it", kinds[0])
    table.done()
    return pattern


def _columns(top: _Table) -> tuple[Column, ...]:
    columns = []
    for table in top.tables("column"):
        order = table.choice("order", ("free", "down", "up"), "free")
        columns.append(Column(order, table.integer("multiplier", 1, 10, 1)))
        table.done()
    if len(columns) > 6:
        top.fail("column", "at most 6 columns", len(columns))
    if len(columns) == 1 and columns[0].multiplier != 1:
        top.fail("column[1].multiplier", "1 for a single column", columns[0].multiplier)
    return tuple(columns) or (Column(),)


def _upper_bonus(top: _Table, categories: tuple[Category, ...]) -> UpperBonus | None:
    table = top.table("upper_bonus")
    if table is None:
        return None
    ids = [category.id for category in categories]
    boxes = table.get(
        "categories",
        "a list of box ids, each once",
        lambda v: isinstance(v, list) and bool(v) and all(n in ids for n in v) and _unique(v),
        [category.id for category in categories if category.face],
    )
    if not 0 < len(boxes) <= 8:
        table.fail("categories", "1 to 8 boxes", len(boxes))
    bonus = UpperBonus(
        threshold=table.integer("threshold", 1, 500, ...),
        points=table.integer("points", 0, MAX_POINTS, ...),
        categories=tuple(sorted(boxes, key=ids.index)),
    )
    table.done()
    return bonus


def _alike_box(table: _Table, categories: tuple[Category, ...], dice: int) -> str:
    """The id under `category`, which must be a box for all dice alike that pays for them."""
    alike = [c.id for c in categories if c.pattern.groups == (dice,) and c.score != 0 and c.requires is None]
    return str(table.get("category", f"a box whose pattern is groups = [{dice}]", lambda v: v in alike, ...))


def _five(top: _Table, categories: tuple[Category, ...], dice: int) -> Five | None:
    table = top.table("five")
    if table is None:
        return None
    five = Five(
        category=_alike_box(table, categories, dice),
        bonus=table.integer("bonus", 0, MAX_POINTS, 0),
        joker=table.choice("joker", ("none", "forced", "free-choice"), "none"),
    )
    faces = [c.face for c in categories if c.face]
    if five.joker != "none" and len(set(faces)) < len(faces):
        table.fail("joker", "'none' where two boxes count the same face", five.joker)
    table.done()
    return five


def _outright_win(top: _Table, categories: tuple[Category, ...], dice: int) -> OutrightWin | None:
    table = top.table("outright_win")
    if table is None:
        return None
    win = OutrightWin(_alike_box(table, categories, dice), table.integer("win_points", 0, MAX_POINTS, None))
    table.done()
    return win
