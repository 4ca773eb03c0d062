"""Small sheets of several columns: every order, multipliers, and every rule of one column in several."""

from servida.data.rules import Column, Five, Rules, UpperBonus
from toys import PAIR, SEQ2, box, face

FREE, DOWN, UP = Column("free"), Column("down"), Column("up")
PLAIN = (face(1), box("pair", PAIR, 10), face(6))
UPPER, SIXES = UpperBonus(7, 5, ("f1", "f6")), UpperBonus(6, 5, ("f6",))
FIVE = (box("five", PAIR, 10), face(6), box("seq", SEQ2, 8))

TOYS: dict[str, Rules] = {
    "down and up": Rules(PLAIN, dice=2, rolls=2, columns=(DOWN, UP), upper_bonus=UPPER),
    "down, up and free": Rules(
        (face(6), box("pair", PAIR, 10)),
        dice=2,
        rolls=2,
        columns=(DOWN, UP, FREE),
        upper_bonus=SIXES,
    ),
    "two free": Rules(PLAIN, dice=2, rolls=2, columns=(FREE, FREE), upper_bonus=UPPER),
    "multipliers": Rules(
        (face(1), face(6)), dice=2, rolls=2, columns=(FREE, Column("free", 2), Column("down", 3)), upper_bonus=UPPER
    ),
    "served": Rules((face(1), box("pair", PAIR, 10, 14)), dice=2, columns=(FREE, Column("up", 2))),
    "three dice": Rules((face(6), box("pair", PAIR, 10)), dice=3, rolls=2, columns=(Column("up", 2), FREE)),
    "locked holds": Rules(PLAIN[1:], dice=2, hold="locked", columns=(FREE, UP)),
    "a box that requires another": Rules(
        (box("pair", PAIR, 10), box("double", PAIR, 25, requires="pair"), face(6)), dice=2, columns=(FREE, DOWN)
    ),
    "five bonus": Rules(FIVE, dice=2, rolls=2, five=Five("five", 20), columns=(FREE, DOWN)),
    "forced joker": Rules(
        FIVE,
        dice=2,
        rolls=2,
        five=Five("five", 20, "forced"),
        upper_bonus=SIXES,
        columns=(FREE, Column("up", 2)),
    ),
    "joker of free choice": Rules(FIVE, dice=2, rolls=2, five=Five("five", 0, "free-choice"), columns=(DOWN, FREE)),
}
