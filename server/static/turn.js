/** The dice of a turn as plain data: { dice (0: not known yet), kept, locked, rollsLeft, cursor }. */

export function newTurn(rules) {
  const all = (value) => Array(rules.dice).fill(value);
  return { dice: all(0), kept: all(false), locked: all(false), rollsLeft: rules.rolls - 1, cursor: 0 };
}

export const isKnown = (turn) => turn.dice.every((face) => face > 0);
export const isServed = (rules, turn) => turn.rollsLeft === rules.rolls - 1;
export const heldDice = (turn) => turn.dice.filter((_, i) => turn.locked[i]).sort();

const replaced = (list, at, value) => list.map((old, i) => (i === at ? value : old));

/** The next die after this one that may be set, or this one. */
function after(turn, at, step = 1) {
  const count = turn.dice.length;
  for (let i = 1; i <= count; i++) {
    const next = (at + step * i + count * i) % count;
    if (!turn.kept[next]) return next;
  }
  return at;
}

/** A face for the die at the cursor, which moves on; a die that is kept gives way to the next that is not. */
export function withFace(turn, face) {
  const at = turn.kept[turn.cursor] ? after(turn, turn.cursor) : turn.cursor;
  if (turn.kept[at]) return turn;
  const next = { ...turn, dice: replaced(turn.dice, at, face) },
    open = next.dice.indexOf(0, at);
  return { ...next, cursor: open >= 0 ? open : next.dice.includes(0) ? next.dice.indexOf(0) : after(next, at) };
}

/** The die at the cursor taken away, or the one before it where there is none. */
export function cleared(turn) {
  const at = turn.dice[turn.cursor] ? turn.cursor : after(turn, turn.cursor, -1);
  return turn.locked[at]
    ? turn
    : { ...turn, dice: replaced(turn.dice, at, 0), kept: replaced(turn.kept, at, false), cursor: at };
}

export function toggled(turn, at) {
  if (!turn.dice[at] || turn.locked[at]) return { ...turn, cursor: at };
  return { ...turn, kept: replaced(turn.kept, at, !turn.kept[at]), cursor: at };
}

export function moved(turn, step) {
  const count = turn.dice.length;
  return { ...turn, cursor: (turn.cursor + step + count) % count };
}

/** Exactly these dice kept, and the locked ones, which are among them. */
export function keeping(turn, dice) {
  const left = [...dice],
    kept = turn.locked.map(() => false);
  const take = (i) => {
    const at = left.indexOf(turn.dice[i]);
    if (at >= 0 && !kept[i]) {
      left.splice(at, 1);
      kept[i] = true;
    }
  };
  turn.dice.forEach((_, i) => turn.locked[i] && take(i));
  turn.dice.forEach((_, i) => take(i));
  return { ...turn, kept };
}

/** The next roll: what is kept stays, the other dice are unknown; null where there is none. */
export function nextRoll(rules, turn) {
  if (!isKnown(turn) || turn.rollsLeft === 0 || turn.kept.every(Boolean)) return null;
  const dice = turn.dice.map((face, i) => (turn.kept[i] ? face : 0));
  const locked = rules.hold === "locked" ? [...turn.kept] : turn.locked;
  return { ...turn, dice, locked, rollsLeft: turn.rollsLeft - 1, cursor: dice.indexOf(0) };
}

/** Unknown dice rolled; a new roll if all are known. `random`: a number from 0 to under 1. */
export function rolled(rules, turn, random = Math.random) {
  const from = isKnown(turn) ? nextRoll(rules, turn) : turn;
  if (!from) return turn;
  return { ...from, dice: from.dice.map((face) => face || 1 + Math.floor(random() * 6)) };
}

export function withRollsLeft(rules, turn, rollsLeft) {
  const locked = rollsLeft === rules.rolls - 1 ? turn.locked.map(() => false) : turn.locked;
  return { ...turn, rollsLeft, locked };
}
