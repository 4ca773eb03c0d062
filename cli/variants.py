"""servida variants: the games that come with the package."""

from typing import Any

import click

from ..data.catalog import load, variant_ids
from ..data.language import Language, language
from ..data.rules import Variant
from .common import json_option, language_option, print_json
from .render import show_table


@click.command("variants")
@json_option
@language_option
def command(as_json: bool, lang: str) -> None:
    """Lists the variants that come with the package.

    \b
    Example:
      servida variants --lang es
    """
    found = [load(variant_id) for variant_id in variant_ids()]
    words = language(lang)
    if as_json:
        print_json([as_object(variant, words) for variant in found])
        return
    rows = [
        (
            variant.id,
            words.name(variant),
            str(len(variant.rules.categories) * len(variant.rules.columns)),
            "" if variant.about.known_value is None else f"{variant.about.known_value:.4f}",
        )
        for variant in found
    ]
    titles = (words.text("variant"), words.text("name"), words.text("boxes"), words.text("known_value"))
    show_table(titles, rows, right={2, 3})


def as_object(variant: Variant, words: Language) -> dict[str, Any]:
    """A variant as it stands in JSON."""
    return {
        "variant": variant.id,
        "name": words.name(variant),
        "aliases": variant.about.aliases,
        "columns": len(variant.rules.columns),
        "boxes": len(variant.rules.categories) * len(variant.rules.columns),
        "known_value": variant.about.known_value,
        "source": variant.about.source,
    }
