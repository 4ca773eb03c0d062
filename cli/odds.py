"""servida odds: the exact chance of a pattern."""

from fractions import Fraction
from math import floor, log10
from typing import Any, get_args

import click

from ..data.catalog import load
from ..data.language import Language, language
from ..data.rules import Variant
from ..errors import PositionError
from ..solver.odds import (
    MOST_DICE,
    MOST_ROLLS,
    Odds,
    Strategy,
    Target,
    odds,
    over_turns,
    read_target,
    served_hands,
)
from ..solver.position import read_dice
from .common import json_option, language_option, print_json
from .render import show_table
from .rules import pattern_text

TEXTS = {
    "en": {"chance": "chance", "one_in": "1 in {}", "turns": "{} turns", "exactly": "Exactly"},
    "es": {"chance": "probabilidad", "one_in": "1 de cada {}", "turns": "{} turnos", "exactly": "Exactamente"},
    "ko": {"chance": "확률", "one_in": "{}번에 1번", "turns": "{}턴", "exactly": "정확히"},
    "de": {"chance": "Wahrscheinlichkeit", "one_in": "1 von {}", "turns": "{} Züge", "exactly": "Genau"},
}
FIVE = {"en": "Five of a kind", "es": "Cinco iguales", "ko": "같은 눈 다섯 개", "de": "Fünferpasch"}
MOST_TURNS = 100
LONGEST = 40  # characters of a fraction that people are shown


@click.command("odds")
@click.argument("pattern", nargs=-1)
@click.option("--dice", type=click.IntRange(1, MOST_DICE), help="Number of dice (default: 5, or the variant's).")
@click.option("--from", "on_table", default="", metavar="DICE", help="Dice on the table; fewer than all are held.")
@click.option("--rolls-left", type=click.IntRange(0, MOST_ROLLS), help="Throws still allowed (default: the turn's).")
@click.option("--turns", type=click.IntRange(1, MOST_TURNS), help="Also the chance in at least one of so many turns.")
@click.option("--variant", metavar="VARIANT", help="Take the pattern from this variant; alone: its served hands.")
@click.option("--category", metavar="ID", help="A box of the variant, as the pattern.")
@click.option(
    "--strategy", type=click.Choice(get_args(Strategy)), default="best", help="How the dice to hold are chosen."
)
@json_option
@language_option
def command(
    pattern: tuple[str, ...],
    dice: int | None,
    on_table: str,
    rolls_left: int | None,
    turns: int | None,
    variant: str | None,
    category: str | None,
    strategy: Strategy,
    as_json: bool,
    lang: str,
) -> None:
    """Tells the exact chance of a pattern by the end of a turn that hunts it, or of the served hands of a variant.

    \b
    Examples:
      servida odds five of a kind
      servida odds 12345 --from 13455 --rolls-left 1
      servida odds --variant generala
    """
    words = language(lang)
    if variant is not None and not pattern and category is None:
        if dice or on_table or rolls_left is not None or turns or strategy != "best":
            raise click.UsageError("variant: expected a box with these options, found none; name it with --category")
        _show_served(load(variant), words, as_json)
        return
    target = target_of(" ".join(pattern), dice, load(variant) if variant is not None else None, category)
    faces = read_dice(on_table, None, "from")
    if turns and faces:
        raise PositionError("turns: expected whole turns, found dice on the table; leave out --from or --turns")
    answer = odds(target, faces, rolls_left, strategy)
    if rolls_left is None:
        rolls_left = target.rolls - bool(faces)
    if as_json:
        print_json(as_object(target, answer, faces, rolls_left, turns or 1, strategy))
    else:
        _show(target, answer, faces, rolls_left, turns or 1, strategy, words)


def target_of(name: str, dice: int | None, variant: Variant | None, category: str | None) -> Target:
    """The pattern asked for, from the words of the command line."""
    if category is not None and (name or variant is None):
        raise click.UsageError("category: expected --variant and no other pattern beside it")
    if category is None and not name.strip():
        raise click.UsageError("pattern: expected one such as 'full house', found none; try 'servida odds full house'")
    target = read_target(name if category is None else category, dice or 5, variant)
    if dice and target.variant and dice != target.dice:
        raise PositionError(f"dice: expected the {target.dice} of {target.variant.id}, found {dice}; leave out --dice")
    return target


def fraction_object(chance: Fraction) -> dict[str, Any]:
    """A chance as it stands in JSON."""
    return {"numerator": chance.numerator, "denominator": chance.denominator, "chance": float(chance)}


def as_object(
    target: Target, answer: Odds, faces: tuple[int, ...], rolls_left: int, turns: int, strategy: Strategy
) -> dict[str, Any]:
    """The answer as it stands in JSON."""
    return {
        "name": target.name,
        "variant": target.variant.id if target.variant else None,
        "pattern": pattern_text(target.pattern),
        "dice": target.dice,
        "hold": "locked" if target.locked else "free",
        "from": faces,
        "rolls_left": rolls_left,
        "strategy": strategy,
        **fraction_object(answer.chance),
        "best_hold": answer.hold,
        "turns": turns,
        "over_turns": fraction_object(over_turns(answer.chance, turns)),
    }


def chance_text(chance: Fraction, words: Language) -> str:
    """A chance for people: as a fraction unless that is long, in percent, and as one in how many."""
    parts = [str(chance)] if len(str(chance)) <= LONGEST else []
    parts.append(f"{digits(100 * chance, 5)} %")
    if chance:
        parts.append(TEXTS[words.code]["one_in"].format(digits(1 / chance, 4)))
    return " · ".join(parts)


def digits(value: Fraction, count: int) -> str:
    """A number with so many digits that count, whole ones in full."""
    if value.denominator == 1:
        return str(value)
    return f"{float(value):.{max(0, count - 1 - floor(log10(value)))}f}"


def title(target: Target, words: Language) -> str:
    """What a pattern is called."""
    if target.variant:
        return f"{words.name(target.variant)} · {words.label(target.variant, target.name)}"
    name = target.name.removeprefix("exactly ")
    label = FIVE[words.code] if name == "five_of_a_kind" else words.categories.get(name, name.replace("_", " "))
    if name == target.name:
        return label
    return (
        f"{TEXTS[words.code]['exactly']} {label if words.code == 'de' else label.lower()}"  # nouns are capitals there
    )


def _show(
    target: Target,
    answer: Odds,
    faces: tuple[int, ...],
    rolls_left: int,
    turns: int,
    strategy: Strategy,
    words: Language,
) -> None:
    """Prints the answer for a person."""
    texts = TEXTS[words.code]
    table = " ".join(map(str, faces)) or f"{words.text('dice')}: {target.dice}"
    if 0 < len(faces) < target.dice:
        table = f"{words.text('hold')} {table}"
    locked = " · hold locked" if target.locked else ""
    click.echo(f"{title(target, words)} · {table} · {words.text('rolls_left')}: {rolls_left}{locked}")
    click.echo(f"{texts['chance']}: {chance_text(answer.chance, words)}")
    if answer.hold is not None:
        held = " ".join(map(str, answer.hold))
        advice = f"{words.text('hold')} {held}" if held else words.text("reroll_all")
        click.echo(f"{words.text('best') if strategy == 'best' else strategy}: {advice}")
    if turns > 1:
        click.echo(f"{texts['turns'].format(turns)}: {chance_text(over_turns(answer.chance, turns), words)}")


def served_object(variant: Variant) -> dict[str, Any]:
    """How often each box that is no face box is made on the first roll, as it stands in JSON."""
    rolls = 6**variant.rules.dice
    boxes = [
        {"category": name, "ways": ways, **fraction_object(Fraction(ways, rolls))}
        for name, ways in served_hands(variant).items()
    ]
    return {"variant": variant.id, "dice": variant.rules.dice, "rolls": rolls, "boxes": boxes}


def _show_served(variant: Variant, words: Language, as_json: bool) -> None:
    """Prints how often each box that is no face box is made on the first roll."""
    rolls = 6**variant.rules.dice
    found = {category: (ways, Fraction(ways, rolls)) for category, ways in served_hands(variant).items()}
    if as_json:
        print_json(served_object(variant))
        return
    texts = TEXTS[words.code]
    click.echo(f"{words.name(variant)} · {words.text('served')}")
    rows = [
        (words.label(variant, name), f"{ways}/{rolls}", digits(100 * p, 5), digits(1 / p, 4) if p else "")
        for name, (ways, p) in found.items()
    ]
    titles = (words.text("category"), texts["chance"], "%", texts["one_in"].format("N"))
    show_table(titles, rows, right={1, 2, 3})
