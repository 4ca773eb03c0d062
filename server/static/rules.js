/** The rules of a sheet, without a server: what dice make in a box, which boxes are open, what a sheet amounts to. */

const FACES = 6;
const sum = (numbers) => numbers.reduce((total, n) => total + n, 0);
const pips = (counts) => sum(counts.map((n, f) => n * (f + 1)));

export function countsOf(dice) {
  const counts = Array(FACES).fill(0);
  for (const face of dice) counts[face - 1]++;
  return counts;
}

/** The greatest sum of the dice that make up a pattern; -1 where it does not hold. */
export function matched(pattern, counts) {
  if (pattern.any) return pips(counts);
  if (pattern.faces.length) {
    const shown = sum(pattern.faces.map((face) => counts[face - 1] * face));
    return shown || -1;
  }
  if (pattern.groups.length) return matchedGroups(pattern, counts);
  const sets = [...pattern.sequence];
  for (let low = 1; pattern.run && low + pattern.run <= FACES + 1; low++) {
    sets.push(Array.from({ length: pattern.run }, (_, i) => low + i));
  }
  return Math.max(-1, ...sets.filter((faces) => faces.every((face) => counts[face - 1])).map(sum));
}

function matchedGroups(pattern, counts) {
  let best = -1;
  const fits = (need) => need.every((n, f) => (pattern.exact && n ? counts[f] === n : counts[f] >= n));
  const place = (i, need) => {
    if (i === pattern.groups.length) {
      if (fits(need)) best = Math.max(best, pips(need));
      return;
    }
    for (let f = 0; f < FACES; f++) {
      if (!(pattern.distinct && need[f]))
        place(
          i + 1,
          need.map((n, g) => n + (g === f ? pattern.groups[i] : 0)),
        );
    }
  };
  place(0, Array(FACES).fill(0));
  return best;
}

export function points(category, counts, served) {
  const match = matched(category.pattern, counts);
  const score = served && category.served != null ? category.served : category.score;
  if (match < 0) return 0;
  return score === "sum_matched" ? match : score === "sum_all" ? pips(counts) : score;
}

/** The name of a box in a sheet: its id, with the number of its column before it where there are several. */
export function keyOf(rules, column, id) {
  return rules.columns.length > 1 ? `${column + 1}.${id}` : id;
}

const bonusKey = (rules, column) => keyOf(rules, column, `${rules.five.category}_bonus`);

/** All boxes of a sheet: { key, column, category }. */
export function boxesOf(rules) {
  return rules.columns.flatMap((_, column) =>
    rules.categories.map((category) => ({ key: keyOf(rules, column, category.id), column, category })),
  );
}

/** The boxes of a column that may be written next. */
export function playable(rules, sheet, column) {
  const open = boxesOf(rules).filter((box) => box.column === column && sheet[box.key] == null);
  const { order } = rules.columns[column];
  return order === "free" ? open : order === "down" ? open.slice(0, 1) : open.slice(-1);
}

export function isFull(rules, sheet) {
  return boxesOf(rules).every((box) => sheet[box.key] != null);
}

const faceOf = ({ pattern, score }) => (pattern.faces.length === 1 && score === "sum_matched" ? pattern.faces[0] : 0);

/** Which boxes of a column a further five may be written in, and what it brings; null for any other roll. */
function jokerOf(rules, sheet, column, counts, open) {
  const { five } = rules,
    face = counts.indexOf(rules.dice) + 1;
  if (!five || !(five.bonus || five.joker !== "none") || !face) return null;
  const written = sheet[keyOf(rules, column, five.category)];
  if (written == null) return null;
  const own = rules.categories.find((category) => faceOf(category) === face);
  const ownOpen = open.filter((box) => box.category === own),
    others = open.filter((box) => !faceOf(box.category));
  const forced = five.joker === "forced",
    free = !own || sheet[keyOf(rules, column, own.id)] != null;
  return {
    boxes: !forced ? open : ownOpen.length ? ownOpen : others.length ? others : open,
    bonus: written > 0 ? five.bonus : 0,
    late: five.joker !== "none",
    pays: (category) => five.joker !== "none" && typeof category.score === "number" && (forced || free),
  };
}

/** What the dice make in each box that may be written: { key: { points, bonus } }. */
export function scoresOf(rules, sheet, dice, served) {
  const counts = countsOf(dice),
    found = {};
  for (let column = 0; column < rules.columns.length; column++) {
    const open = playable(rules, sheet, column),
      joker = jokerOf(rules, sheet, column, counts, open);
    for (const { key, category } of joker ? joker.boxes : open) {
      let made = points(category, counts, served && !joker?.late);
      if (joker?.pays(category)) made = category.score;
      if (category.requires && !(sheet[keyOf(rules, column, category.requires)] > 0)) made = 0;
      found[key] = { points: made, bonus: joker ? joker.bonus : 0 };
    }
  }
  return found;
}

/** Whether these dice, served, win the game at once. */
export function winsAtOnce(rules, sheet, dice, served) {
  return served && canWin(rules, sheet) && countsOf(dice).includes(rules.dice);
}

export function canWin(rules, sheet) {
  const win = rules.outright_win;
  return win != null && sheet[keyOf(rules, 0, win.category)] !== 0;
}

const rollsKnown = new Map();

/** All rolls of so many dice, as dice per face. */
function rolls(dice) {
  if (rollsKnown.has(dice)) return rollsKnown.get(dice);
  const found = [];
  const add = (counts, face, left) => {
    if (face === FACES - 1) found.push([...counts, left]);
    else for (let n = 0; n <= left; n++) add([...counts, n], face + 1, left - n);
  };
  add([], 0, dice);
  rollsKnown.set(dice, found);
  return found;
}

/** All points that a box can hold, ascending. */
export function possible(rules, sheet, { column, category }) {
  if (category.requires && !(sheet[keyOf(rules, column, category.requires)] > 0)) return [0];
  const found = new Set([0]);
  for (const counts of rolls(rules.dice))
    for (const served of [false, true]) found.add(points(category, counts, served));
  if (typeof category.score === "number") found.add(category.score);
  return [...found].sort((a, b) => a - b);
}

/** What a column amounts to: points under the upper bonus, that bonus, bonuses for further fives, all, multiplied. */
export function columnTotal(rules, sheet, column) {
  const { upper_bonus: upper, five } = rules,
    at = (id) => sheet[keyOf(rules, column, id)] ?? 0;
  const under = upper ? sum(upper.categories.map(at)) : 0;
  const bonus = upper && under >= upper.threshold ? upper.points : 0;
  const fives = five ? five.bonus * (sheet[bonusKey(rules, column)] ?? 0) : 0;
  const boxes = sum(rules.categories.map((category) => at(category.id)));
  return { under, bonus, fives, total: (boxes + bonus + fives) * rules.columns[column].multiplier };
}

export function total(rules, sheet) {
  return sum(rules.columns.map((_, column) => columnTotal(rules, sheet, column).total));
}

/** Whether a bonus for a further five may come with a box of this column. */
export function mayEarnFive(rules, sheet, column) {
  return Boolean(rules.five?.bonus) && sheet[keyOf(rules, column, rules.five.category)] > 0;
}

/** The sheet with a box written, and a bonus for a further five if there is one. */
export function written(rules, sheet, { key, points: made, five }) {
  const next = { ...sheet, [key]: made };
  if (five) {
    const column = rules.columns.length > 1 ? Number(key.split(".")[0]) - 1 : 0,
      name = bonusKey(rules, column);
    next[name] = (next[name] ?? 0) + 1;
  }
  return next;
}
