"""servida rules: the rules of a variant, and a start for a house rule of one's own."""

import json
import os
import shlex
from pathlib import Path
from typing import Any

import click

from ..data.catalog import find, load, read_text
from ..data.language import Language, language
from ..data.rules import Pattern, Rules, Variant
from ..errors import RulesError, StorageError
from .common import PathType, json_option, language_option, print_json
from .render import show_table


class RulesGroup(click.Group):
    """`servida rules VARIANT` shows a variant: what is no subcommand is left to `show`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, *ctx.help_option_names):
            args = ["show", *args]
        return super().parse_args(ctx, args)


@click.group("rules", cls=RulesGroup)
def command() -> None:
    """Shows the rules of a variant (`servida rules VARIANT`), or starts a rule file of your own (`rules new`).

    \b
    Examples:
      servida rules generala --lang es
      servida rules new my-table.toml --from generala
    """


@command.command("show")
@click.argument("variant")
@json_option
@language_option
def show(variant: str, as_json: bool, lang: str) -> None:
    """Shows the rules of a variant: its boxes, what they ask for and what they pay.

    \b
    Example:
      servida rules show yahtzee
    """
    found, words = load(variant), language(lang)
    if as_json:
        print_json(as_object(found, words))
        return
    click.echo(f"{words.name(found)} ({found.id})")
    for line in _facts(found.rules):
        click.echo(line)
    rows = [
        (
            category.id,
            words.label(found, category.id),
            pattern_text(category.pattern),
            str(category.score),
            "" if category.served is None else str(category.served),
            category.requires or "",
        )
        for category in found.rules.categories
    ]
    titles = [words.text(key) for key in ("category", "name", "score", "served")]
    titles = [*titles[:2], "pattern", *titles[2:], "requires"]
    show_table(titles, rows, right={3, 4})
    if found.about.source:
        click.echo(f"{words.text('source')}: {found.about.source}")
    if found.about.known_value is not None:
        click.echo(f"{words.text('known_value')}: {found.about.known_value} ({found.about.known_source})")


@command.command("new")
@click.argument("file", type=PathType(path_type=Path))
@click.option("--from", "base", required=True, metavar="VARIANT", help="The variant to start from.")
def new(file: Path, base: str) -> None:
    """Writes a copy of a variant's rule file to FILE, to be changed into a house rule.

    \b
    Example:
      servida rules new my-table.toml --from generala
    """
    if file.suffix != ".toml":
        raise RulesError(f"{file}: expected a file name that ends in .toml")
    load(base)  # a faulty file is no start
    text = read_text(find(base))
    try:
        with open(file, "x", encoding="utf-8") as out:
            out.write(text)
    except FileExistsError:
        raise RulesError(f"{file}: expected a new file, found one that exists; choose another name") from None
    except OSError as error:
        raise StorageError(f"{file}: expected a place to write to, found: {error.strerror}") from None
    path = file if file.is_absolute() else f".{os.sep}{file}"
    click.echo(f"wrote {file}; change it, and look at it with: servida rules {shlex.quote(str(path))}")


def as_object(variant: Variant, words: Language) -> dict[str, Any]:
    """The variant as it stands in JSON: everything that decides play, and its names."""
    rules = json.loads(variant.rules.canonical)
    for category in rules["categories"]:
        category["label"] = words.label(variant, category["id"])
    return {
        "variant": variant.id,
        "name": words.name(variant),
        "source": variant.about.source,
        "known_value": variant.about.known_value,
        "rules": rules,
        "rules_sha256": variant.rules.digest,
    }


def pattern_text(pattern: Pattern) -> str:
    """A pattern in the words of the rule-file format."""
    if pattern.any:
        return "any"
    if pattern.faces:
        return "faces " + " ".join(map(str, pattern.faces))
    if pattern.run:
        return f"run {pattern.run}"
    if pattern.sequence:
        return "sequence " + " ".join("".join(map(str, faces)) for faces in pattern.sequence)
    extra = [word for word, on in (("distinct", pattern.distinct), ("exact", pattern.exact)) if on]
    return " ".join(["groups", "+".join(map(str, pattern.groups)), *extra])


def _facts(rules: Rules) -> list[str]:
    """The rules of the whole sheet, one line each, in the words of the rule-file format."""
    lines = [f"dice {rules.dice}, rolls {rules.rolls}, hold {rules.hold}, ties {rules.ties}"]
    if len(rules.columns) > 1 or rules.columns[0].order != "free":
        lines += [f"column: order {column.order}, multiplier {column.multiplier}" for column in rules.columns]
    if rules.upper_bonus:
        bonus = rules.upper_bonus
        lines.append(f"upper bonus: {bonus.points} points at {bonus.threshold} in {' '.join(bonus.categories)}")
    if rules.five:
        lines.append(f"five: box {rules.five.category}, bonus {rules.five.bonus}, joker {rules.five.joker}")
    if rules.outright_win:
        points = rules.outright_win.win_points
        worth = "the sheet's greatest total" if points is None else f"{points} points"
        lines.append(f"outright win: all dice alike when served, box {rules.outright_win.category}, worth {worth}")
    return lines
