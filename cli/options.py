"""Options of a position, in words and as JSON."""

from typing import Any

from ..data.language import Language
from ..data.rules import Variant
from ..solver.explain import Outcome
from ..solver.hint import Option
from .columns import box_label

TOP = 5  # options shown to a person who does not say how many
Outcomes = dict[Option, tuple[Outcome, ...]]


def option_object(option: Option, outcomes: Outcomes | None = None, word: str | None = None) -> dict[str, Any]:
    """An option as it stands in JSON: only the keys that belong to its action; `word`: what its utility is called."""
    value: dict[str, Any] = {key: field for key, field in zip(Option._fields, option, strict=True) if field is not None}
    if word:
        value[word] = value.pop("utility")
    if not option.bonus:
        del value["bonus"]
    if outcomes and option in outcomes:
        value["outcomes"] = [_outcome_object(outcome, word) for outcome in outcomes[option]]
    return value


def _outcome_object(outcome: Outcome, word: str | None) -> dict[str, Any]:
    value = outcome._asdict()
    utility = value.pop("utility")
    return value | ({f"{word}_after": utility} if word else {})


def describe(variant: Variant, option: Option, words: Language) -> str:
    """An option in words."""
    if option.action == "hold":
        held = " ".join(map(str, option.dice or ()))
        return f"{words.text('hold')} {held}" if held else words.text("reroll_all")
    if option.action == "win":
        return words.text("win")
    return f"{words.text('write')} {box_label(variant, option.category or '', option.column, words)}"
