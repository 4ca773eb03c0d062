"""The questions there are: their addresses, what they hold, which part of the server answers them."""

from collections.abc import Mapping
from typing import NamedTuple, get_args

from ..cli.odds import MOST_TURNS
from ..solver.gin.policy import MOST_SEED, POLICIES
from ..solver.match import TIE
from ..solver.odds import MOST_DICE, MOST_ROLLS, Strategy
from ..solver.utility import GREATEST_TOTAL
from .fields import ANY, DICE, FLAG, SHEET, TEXT, TOML, UTILITY, Field, choice, many, whole

MOST_POSITIONS = 1000
MOST_WORLDS = 20_000  # hands that one question may simulate
MOST_OPTIONS = 1000
MOST_OPPONENTS = 8
MOST_TOTALS = 100

TOTAL = whole(0, GREATEST_TOTAL)
VARIANT = Field("variant", TEXT, "id, name or alias of a variant; or leave it out and send `rules`")
RULES = Field("rules", TOML, "house rules: the text of a rule file (TOML), or what it holds as an object")
SHEET_FIELD = Field("sheet", SHEET, "points per written box, or text like `ones=3 full_house=0`")
OBJECTIVE = Field("objective", TEXT, "what is played for: `score` (without it), `target:POINTS` or `utility`")
HINT_OBJECTIVE = OBJECTIVE._replace(meaning=f"{OBJECTIVE.meaning}, or `duel`")
UTILITY_FIELD = Field("utility", UTILITY, "with the objective `utility`: lines total,utility, or an object of those")
ROLLS_LEFT = Field("rolls_left", ANY, "rerolls still allowed; without it the dice are a first roll")
HELD = Field("held", DICE, "dice set aside earlier in the turn, where holds are locked")
TOP = Field("top", whole(1, MOST_OPTIONS), "how many options to list; without it all")
THEM = Field("them", many(SHEET, MOST_OPPONENTS), "the others' written boxes, one sheet each; without it one, empty")
HAND = Field("hand", TEXT, "cards as `7s 10h` or `23456.6.6.567`", required=True)
SEED = Field("seed", whole(0, MOST_SEED), "seed of the deals; without it 0")


def dice(required: bool) -> Field:
    """The dice on the table."""
    return Field("dice", DICE, "the dice: a list of faces, or text like `33366`", required)


class Question(NamedTuple):
    """A question: its address, what it asks, its fields; `light`: answered from an open table, or without any, at once,
    by the server itself."""

    name: str
    summary: str
    fields: Mapping[str, Field]
    light: bool = False

    @property
    def path(self) -> str:
        return f"/v1/{self.name}"


def _question(name: str, summary: str, *fields: Field, light: bool = False) -> Question:
    return Question(name, summary, {field.name: field for field in fields}, light)


_POSITION = (VARIANT, RULES, dice(True), ROLLS_LEFT, SHEET_FIELD, HELD)
_GAME = (VARIANT, RULES, SHEET_FIELD)

QUESTIONS = (
    _question(
        "hint",
        "Ranks every hold and every box for the dice on the table.",
        *_POSITION,
        TOP,
        HINT_OBJECTIVE,
        UTILITY_FIELD,
        THEM,
        Field("explain", FLAG, "also tell how the turn may end after the best options"),
        light=True,
    ),
    _question(
        "value",
        "Tells the expected total of best play from a sheet, before the next turn.",
        *_GAME,
        OBJECTIVE,
        UTILITY_FIELD,
        light=True,
    ),
    _question(
        "score",
        "Lists the points of the dice in every box that may be written.",
        *_GAME,
        dice(True),
        Field("served", FLAG, "the dice lay there on the first roll and none was rerolled"),
        light=True,
    ),
    _question(
        "distribution",
        "Tells the exact chance of every final total under optimal play, and what becomes of each box.",
        *_GAME,
        Field("at_least", many(TOTAL, MOST_TOTALS), "totals of which the chance is told, too"),
        OBJECTIVE,
        UTILITY_FIELD,
    ),
    _question(
        "target",
        "Tells the greatest chance of final totals, from play that aims at just that.",
        *_GAME,
        Field("scores", many(TOTAL, MOST_TOTALS), "the totals; without them every tenth"),
        Field("compare", FLAG, "add the chances of play for points"),
    ),
    _question(
        "duel",
        "Tells the chance to win against another player, and ranks what to do for it.",
        VARIANT,
        RULES,
        dice(False),
        Field("me", SHEET, "my written boxes"),
        THEM,
        Field("me_total", TOTAL, "my points in all, if not those that the boxes make"),
        Field("them_total", many(TOTAL, MOST_OPPONENTS), "the same of the others"),
        Field("turn", choice("me", "them"), "who is to move; without it me"),
        ROLLS_LEFT,
        HELD,
        Field("tie", choice(*TIE), "what a tie counts: half of a win (without it) or a win"),
        TOP,
    ),
    _question(
        "odds",
        "Tells the exact chance of a pattern by the end of a turn that hunts it, or of served hands.",
        Field("pattern", TEXT, "the pattern, such as `full house`, `12345` or `chaser:choice`"),
        Field("dice", whole(1, MOST_DICE), "number of dice; without it 5, or the variant's"),
        Field("from", DICE, "dice on the table; fewer than all are held"),
        Field("rolls_left", whole(0, MOST_ROLLS), "throws still allowed; without it the turn's"),
        Field("turns", whole(1, MOST_TURNS), "also the chance in at least one of so many turns"),
        VARIANT._replace(meaning="take the pattern from this variant; alone: its served hands"),
        RULES,
        Field("category", TEXT, "a box of the variant, as the pattern"),
        Field("strategy", choice(*get_args(Strategy)), "how the dice to hold are chosen; without it best"),
    ),
    _question("gin/deadwood", "Tells the least deadwood of a hand of up to 15 cards.", HAND, light=True),
    _question("gin/discard", "Tells which cards of 11 to discard for the least deadwood.", HAND, light=True),
    _question(
        "gin/showdown",
        "Tells what a knock scores, and proves it: who lays what where.",
        Field("knocker", TEXT, "the knocker's hand", required=True),
        Field("defender", TEXT, "the defender's hand", required=True),
        Field("melds", many(TEXT, 10), "the knocker's melds; without them the best for the knocker"),
        Field("layoff", choice("joint", "two-order"), "the defender's lay-offs; without it joint"),
    ),
    _question(
        "gin/advise",
        "Tells, for a hand of 11 cards, what each discard leaves, and whether to knock or to play on.",
        HAND,
        Field("seen", TEXT, "the cards in the discard pile"),
        Field("taken", TEXT, "cards the other took from the pile and still holds"),
        Field("turn", whole(0, 99), "own turns before this one; without it half the cards in the pile"),
        Field("opponent", choice(*POLICIES), "the policy the other is taken to play; without it simple"),
        Field("worlds", whole(2, MOST_WORLDS), "hidden hands and stocks to simulate; without it 2000"),
        SEED,
    ),
)
BY_NAME = {question.name: question for question in QUESTIONS}
POSITIONS = Field("positions", many(ANY, MOST_POSITIONS), "positions, each with the fields of a hint", required=True)
