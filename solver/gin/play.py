"""A hand in play, move by move; policies can make the moves of either player."""

from ...cext import gin as kernel
from ...errors import HandError
from .cards import write_card, write_cards
from .melds import MOST_KNOCK
from .policy import policy
from .showdown import Showdown, showdown

LEAST_STOCK = 2  # cards in the stock with which a hand is void
View = tuple[int, int, int, int, int, int, int]  # see sv_view in cext/ginplay.h


class Play:
    """A hand in play: deal number `number` of a seed.

    Each turn is `take` or `draw`, then `discard`. The first upcard is offered to the player who did not deal, then to
    the dealer: `draw` declines. `hands`, `stock`, `upcard`, `dead` are cards; `known[p]`: cards that player p
    took from the pile and still holds; `mover`: who is to move; `drawn`: whether the mover is to discard; `over`:
    whether the hand has ended, with `knocker` and `showdown`, both None where it is void.
    """

    def __init__(self, seed: int, number: int, dealer: int):
        first, second, self.upcard, self.stock = kernel.deal(seed, number)
        self.hands, self.known, self.dead = [first, second], [0, 0], self.upcard
        self.mover, self.offers, self.forced = 1 - dealer, 2, False
        self.turns, self.drawn, self.taken, self.over = [0, 0], False, 0, False
        self.last = 0  # the card last drawn from the stock, for its player to see
        self.knocker: int | None = None
        self.showdown: Showdown | None = None

    def view(self) -> View:
        """What the mover sees."""
        upcard = 0 if self.drawn else self.upcard
        mover = self.mover
        known = self.known[1 - mover]
        return self.hands[mover], self.dead, known, upcard, self.taken, len(self.stock), self.turns[mover]

    def may_take(self) -> bool:
        """Whether the mover may take the upcard: not once both have declined the first one."""
        return not (self.drawn or self.over or self.forced)

    def take(self) -> None:
        """The mover takes the upcard. Raises `HandError` where that is not allowed."""
        if not self.may_take():
            raise HandError("move: expected 'draw', found 'take'; both have declined the upcard")
        self.taken = self.upcard
        self.hands[self.mover] |= self.upcard
        self.known[self.mover] |= self.upcard
        self.dead &= ~self.upcard
        self.drawn, self.offers = True, 0

    def draw(self) -> None:
        """The mover draws from the stock, or declines the first upcard."""
        self.forced = False
        if self.offers:
            self.offers -= 1
            self.forced = self.offers == 0
            self.mover = 1 - self.mover
            return
        self.last = 1 << self.stock.pop(0)
        self.hands[self.mover] |= self.last
        self.taken, self.drawn = 0, True

    def discard(self, card: int, knock: bool = False) -> None:
        """The mover discards a card (a set of one), and knocks with it or not. Raises `HandError` where that is not
        allowed."""
        hand, text = self.hands[self.mover], " ".join(write_cards(card))
        if card.bit_count() != 1 or not hand & card:
            raise HandError(f"discard: expected a card of the hand, found {text!r}")
        if card == self.taken:
            raise HandError(f"discard: expected another card than the one just taken, found {text!r}")
        left = kernel.deadwood(hand & ~card)
        if knock and left > MOST_KNOCK:
            raise HandError(f"knock: expected deadwood of at most {MOST_KNOCK}, found {left} without {text}")
        self.hands[self.mover] &= ~card
        self.known[self.mover] &= ~card
        self.dead |= card
        self.upcard, self.drawn, self.taken = card, False, 0
        self.turns[self.mover] += 1
        if knock:
            self.over, self.knocker = True, self.mover
            self.showdown = showdown(self.hands[self.mover], self.hands[1 - self.mover])
        elif len(self.stock) <= LEAST_STOCK:
            self.over = True
        self.mover = 1 - self.mover


def move(play: Play, name: str) -> str:
    """Lets a policy make the next move of the mover; returns what it did, as "draw", "discard 7s" or "knock 7s"."""
    chosen = policy(name)
    if play.drawn:
        card, knock = kernel.choose_discard(chosen, play.view())
        play.discard(card, knock)
        return f"{'knock' if knock else 'discard'} {write_card(card.bit_length() - 1)}"
    if play.may_take() and kernel.wants_upcard(chosen, play.view()):
        play.take()
        return "take"
    play.draw()
    return "draw"
