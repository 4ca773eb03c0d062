"""Gin rummy by brute force over lists of cards, sharing nothing with the package: a card is a pair (rank, suit)."""

import random
from collections.abc import Callable, Iterator
from functools import cache

Card = tuple[int, int]  # rank 1 to 13, suit 0 to 3: clubs, diamonds, hearts, spades
Cards = frozenset[Card]
RANKS = "A23456789TJQK"
DECK = [(rank, suit) for suit in range(4) for rank in range(1, 14)]


def parse(dotted: str) -> Cards:
    """A hand written as clubs.diamonds.hearts.spades."""
    return frozenset((RANKS.index(r) + 1, suit) for suit, part in enumerate(dotted.split(".")) for r in part)


def bits(cards: Cards) -> int:
    """A hand as the package numbers cards."""
    return sum(1 << 13 * suit + rank - 1 for rank, suit in cards)


def points(cards: Cards) -> int:
    return sum(min(rank, 10) for rank, _ in cards)


@cache
def every_meld() -> tuple[Cards, ...]:
    """All sets and runs of a deck."""
    found = []
    for rank in range(1, 14):
        four = frozenset((rank, suit) for suit in range(4))
        found += [four, *(four - {card} for card in four)]
    for suit in range(4):
        for low in range(1, 12):
            found += [frozenset((rank, suit) for rank in range(low, high + 1)) for high in range(low + 2, 14)]
    return tuple(found)


def melds_of(hand: Cards) -> list[Cards]:
    return [meld for meld in every_meld() if meld <= hand]


def partitions(hand: Cards, melds: list[Cards]) -> Iterator[list[Cards]]:
    """Every way to lay down disjoint melds, the empty one included."""
    yield []
    for i, meld in enumerate(melds):
        rest = [other for other in melds[i + 1 :] if not other & meld]
        for more in partitions(hand - meld, rest):
            yield [meld, *more]


def deadwood(hand: Cards) -> int:
    return min(points(hand.difference(*chosen)) for chosen in partitions(hand, melds_of(hand)))


def lay_offs(left: Cards, table: list[Cards]) -> set[Cards]:
    """All that may be left when cards are laid off on melds one at a time, in every order."""
    melds, found, todo = set(every_meld()), set(), [(left, frozenset(table))]
    while todo:
        state = todo.pop()
        if state in found:
            continue
        found.add(state)
        left, melds_down = state
        for card in left:
            for meld in melds_down:
                if meld | {card} in melds:
                    todo.append((left - {card}, melds_down - {meld} | {meld | {card}}))
    return {left for left, _ in found}


def joint(defender: Cards, table: list[Cards]) -> int:
    """The defender's least deadwood over all melds and all lay-offs."""
    own = partitions(defender, melds_of(defender))
    return min(points(left) for melds in own for left in lay_offs(defender.difference(*melds), table))


def in_two_orders(defender: Cards, table: list[Cards]) -> int:
    """The better of melding for the least deadwood and then laying off, and laying off the most and then melding."""
    lefts = [defender.difference(*own) for own in partitions(defender, melds_of(defender))]
    fewest = min(map(points, lefts))
    first = min(points(end) for left in lefts if points(left) == fewest for end in lay_offs(left, table))
    ends = lay_offs(defender, table)
    fewest = min(map(points, ends))
    return min(first, *(deadwood(end) for end in ends if points(end) == fewest))


Rule = Callable[[Cards, list[Cards]], int]


def score(knocker: Cards, table: list[Cards], defender: Cards, rule: Rule = joint) -> int:
    """What the knocker scores with these melds on the table."""
    k = points(knocker.difference(*table))
    d = deadwood(defender) if k == 0 else rule(defender, table)
    if k == 0:
        return 25 + d
    return d - k if d > k else -(k - d + 25)


def showdown(knocker: Cards, defender: Cards, rule: Rule = joint) -> int:
    """The knocker's score with the best of the arrangements of least deadwood."""
    all_ = list(partitions(knocker, melds_of(knocker)))
    least = min(points(knocker.difference(*table)) for table in all_)
    return max(score(knocker, table, defender, rule) for table in all_ if points(knocker.difference(*table)) == least)


def random_hand(dice: random.Random, size: int) -> Cards:
    return frozenset(dice.sample(DECK, size))


def rich_hand(dice: random.Random, size: int, deck: Cards = frozenset(DECK)) -> Cards:
    """A hand full of melds that get in each other's way: from few ranks, or from one long window of two suits, or
    melds put together."""
    kind, low = dice.randrange(3), dice.randint(1, 10)
    if kind == 0:
        near = {card for card in deck if low <= card[0] <= low + 3}
    elif kind == 1:
        suits = dice.sample(range(4), 2)
        near = {card for card in deck if (card[1] in suits and abs(card[0] - low) <= 3) or card[0] == low}
    else:
        near = set()
        for meld in dice.sample([meld for meld in every_meld() if meld <= deck], 4):
            near |= meld
    spare = sorted(deck - near)
    pool = sorted(near)
    taken = dice.sample(pool, min(size, len(pool)))
    return frozenset(taken + dice.sample(spare, size - len(taken)))
