/**
 * Perfect play for dice scoresheet games, without a server and without anything else: reads a table that
 * `servida tables export VARIANT` wrote (npz or json) and answers hints from it (docs/embedding.md).
 *
 *     import { loadTable } from "./servida.js";
 *     const table = await loadTable("generala.npz");
 *     const [best] = table.hint({ dice: "33366", rollsLeft: 1, sheet: { ones: 3 } });
 *
 * For browsers, Node 18 or newer, Deno. MIT license.
 */

const FACES = 6;
const TIE = 1e-9; // options this close to the best are equally good
const EACH = [0, 1, 2, 3, 4, 5], NONE = [0, 0, 0, 0, 0, 0];

/** The table at a URL, or in an ArrayBuffer or typed array that holds such a file. */
export async function loadTable(source) {
  let bytes = source;
  if (typeof source === "string" || source instanceof URL) {
    const response = await fetch(source);
    if (!response.ok) throw new Error(`${source}: expected a table, found: ${response.status} ${response.statusText}`);
    bytes = await response.arrayBuffer();
  }
  bytes = ArrayBuffer.isView(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes);
  if (bytes[0] === 0x7b) return fromJson(JSON.parse(new TextDecoder().decode(bytes)));
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) throw new Error("table: expected a file in npz or json, found another");
  const arrays = {};
  for (const [name, content] of await unzip(bytes)) arrays[name.replace(/\.npy$/, "")] = readNpy(content);
  return new Table(JSON.parse(arrays.description), arrays);
}

function fromJson(value) {
  return new Table(value, { ...value, values: Float64Array.from(value.values.flat(), (number) => number ?? NaN) });
}

/** The files in a zip archive, as [name, bytes]. */
async function unzip(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) throw new Error("table: expected a whole npz file, found one that is cut off");
  const found = [];
  let at = view.getUint32(end + 16, true);
  for (let i = view.getUint16(end + 10, true); i > 0; i--) {
    const method = view.getUint16(at + 10, true), size = view.getUint32(at + 20, true);
    const length = view.getUint16(at + 28, true), local = view.getUint32(at + 42, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + length));
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const packed = bytes.subarray(start, start + size);
    found.push([name, method === 0 ? packed : await inflate(packed)]);
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return found;
}

async function inflate(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The numbers, or the text, of an npy file. */
function readNpy(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset), long = bytes[6] > 1;
  const start = long ? 12 + view.getUint32(8, true) : 10 + view.getUint16(8, true);
  const header = new TextDecoder().decode(bytes.subarray(10, start));
  const type = /'descr': '([^']*)'/.exec(header)[1], data = bytes.slice(start).buffer;
  if (type === "<f8") return new Float64Array(data);
  if (type === "<i4") return new Int32Array(data);
  if (type.startsWith("<U")) {
    return Array.from(new Uint32Array(data), (code) => (code ? String.fromCodePoint(code) : "")).join("");
  }
  throw new Error(`table: expected float64, int32 or text in it, found ${type}`);
}

/** All holds of at most so many dice, those of fewer dice first: dice per face, size, and the hold with one more. */
class Lattice {
  constructor(dice) {
    this.dice = dice;
    this.counts = [];
    this.number = new Map();
    const add = (counts, face, left) => {
      if (left === 0) {
        this.number.set(counts.join(), this.counts.push([...counts]) - 1);
        return;
      }
      for (let f = face; f < FACES; f++) {
        counts[f]++;
        add(counts, f, left - 1);
        counts[f]--;
      }
    };
    this.first = [];
    for (let size = 0; size <= dice; size++) {
      this.first.push(this.counts.length);
      add([...NONE], 0, size);
    }
    this.rolls = this.first[dice]; // where the holds of all dice begin
    this.size = this.counts.map((counts) => sum(counts));
    const next = (counts, f, step) => this.number.get(counts.map((n, i) => n + (i === f ? step : 0)).join());
    this.above = this.counts.map((counts) => EACH.map((f) => next(counts, f, 1)));
    this.below = this.counts.map((counts) => EACH.map((f) => (counts[f] ? next(counts, f, -1) : undefined)));
  }

  /** The number of a hold with the dice of another added. */
  add(hold, other) {
    for (let f = 0; f < FACES; f++) for (let n = this.counts[other][f]; n > 0; n--) hold = this.above[hold][f];
    return hold;
  }

  faces(hold) {
    return this.counts[hold].flatMap((n, f) => Array(n).fill(f + 1));
  }

  contains(hold, inner) {
    return this.counts[hold].every((n, f) => n >= this.counts[inner][f]);
  }
}

const sum = (numbers) => numbers.reduce((total, n) => total + n, 0);
const pips = (counts) => sum(counts.map((n, f) => n * (f + 1)));

/** The greatest sum of the dice that make up a pattern; -1 where it does not hold. */
function matched(pattern, counts) {
  if (pattern.any) return pips(counts);
  if (pattern.faces.length) {
    const shown = pattern.faces.map((face) => counts[face - 1]);
    return sum(shown) ? sum(shown.map((n, i) => n * pattern.faces[i])) : -1;
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
    if (i === pattern.groups.length) best = fits(need) ? Math.max(best, pips(need)) : best;
    else {
      for (const f of EACH.filter((f) => !(pattern.distinct && need[f]))) {
        place(i + 1, need.map((n, g) => n + (g === f ? pattern.groups[i] : 0)));
      }
    }
  };
  place(0, NONE);
  return best;
}

function scored(score, pattern, counts) {
  const match = matched(pattern, counts);
  if (match < 0) return 0;
  return score === "sum_matched" ? match : score === "sum_all" ? pips(counts) : score;
}

/** The expected totals of every sheet of a variant, and its rules. */
export class Table {
  constructor(description, arrays) {
    this.description = description;
    this.arrays = arrays;
    this.variant = description.variant;
    this.expectedTotal = description.expected_total;
    this.rules = description.rules;
    this.boxes = this.rules.categories.map((category, index) => ({ index, ...category, ...description.boxes[index] }));
    this.slots = arrays.values.length / this.boxes.reduce((n, box) => n * box.base, 1);
    const lattice = (this.lattice = new Lattice(this.rules.dice));
    for (const box of this.boxes) {
      const points = (score) => lattice.counts.map((counts) => scored(score, box.pattern, counts));
      box.ordinary = points(box.score);
      box.served = box.served == null ? box.ordinary : points(box.served);
      box.face = box.pattern.faces.length === 1 && box.score === "sum_matched" ? box.pattern.faces[0] : null;
    }
    const five = this.rules.five;
    this.five = five && (five.bonus || five.joker !== "none") ? five : null;
    this.winPoints = this.rules.outright_win && (this.rules.outright_win.win_points ?? this.greatestTotal());
  }

  greatestTotal() {
    const { rolls, counts } = this.lattice, { upper_bonus: upper, five } = this.rules;
    const most = (points) => points.slice(rolls, counts.length).reduce((a, b) => Math.max(a, b), 0);
    const boxes = sum(this.boxes.map((box) => Math.max(most(box.ordinary), most(box.served))));
    return boxes + (upper ? upper.points : 0) + (five ? five.bonus * (this.boxes.length - 1) : 0);
  }

  /** Points still to come from a sheet (points per written box, by id), on average, before a turn. */
  value(sheet = {}) {
    const { lower, upper, total } = this.place(sheet), { values, slot, lane_low: low, live } = this.arrays;
    const lane = total - low[upper], settled = lane < 0 || lane >= live[upper];
    return values[lower * this.slots + slot[upper] + (settled ? live[upper] : lane)];
  }

  place(sheet) {
    let lower = 0, upper = 0, total = 0;
    for (const box of this.boxes) {
      const points = sheet[box.id];
      if (points == null) continue;
      if (box.upper_bit) {
        upper |= box.upper_bit;
        total += points;
        lower += box.base === 2 && points > 0 ? box.stride : 0;
      } else {
        lower += box.base === 3 && points > 0 ? 2 * box.stride : box.stride;
      }
    }
    return { lower, upper, total };
  }

  /** The points on a sheet, bonuses included. */
  pointsSoFar(sheet = {}) {
    const { five, upper_bonus: upper } = this.rules;
    const boxes = sum(this.boxes.map((box) => sheet[box.id] ?? 0));
    const under = upper ? sum(upper.categories.map((id) => sheet[id] ?? 0)) : 0;
    const fives = five ? five.bonus * (sheet[`${five.category}_bonus`] ?? 0) : 0;
    return boxes + fives + (upper && under >= upper.threshold ? upper.points : 0);
  }

  /**
   * All options, best first: { action: "hold", dice }, { action: "write", category, points, bonus } or
   * { action: "win", points }, each with expectedTotal, loss and best (whether nothing is better).
   * dice: text or faces; rollsLeft: rerolls still allowed (all without it); sheet: points per written box, by id;
   * held: dice set aside earlier, where holds are locked.
   */
  hint({ dice, rollsLeft = this.rules.rolls - 1, sheet = {}, held = "" }) {
    const roll = this.read(dice, "dice"), aside = this.read(held, "held"), { lattice } = this;
    if (lattice.size[roll] !== this.rules.dice) {
      throw new Error(`dice: expected ${this.rules.dice} dice, found ${lattice.size[roll]}`);
    }
    if (!Number.isInteger(rollsLeft) || rollsLeft < 0 || rollsLeft >= this.rules.rolls) {
      throw new Error(`rollsLeft: expected a whole number from 0 to ${this.rules.rolls - 1}, found ${rollsLeft}`);
    }
    if (!lattice.contains(roll, aside) || (aside && this.rules.hold !== "locked")) {
      throw new Error("held: expected dice set aside where holds are locked, found others");
    }
    this.checkSheet(sheet);
    const soFar = this.pointsSoFar(sheet), turn = this.turn(sheet), served = rollsLeft === this.rules.rolls - 1;
    const options = [];
    const add = (option, worth) => options.push({ ...option, expectedTotal: soFar + worth });
    if (served && this.canWin(sheet) && lattice.counts[roll].includes(this.rules.dice)) {
      add({ action: "win", points: this.winPoints }, this.winPoints);
    }
    const writes = turn.writes(roll, served);
    for (const { box, points, bonus, worth } of [...writes.filter((w) => w.points), ...writes.filter((w) => !w.points)]) {
      add({ action: "write", category: box.id, points, bonus }, worth);
    }
    if (rollsLeft) {
      const worth = turn.holds(rollsLeft);
      for (const hold of this.holds(roll, aside, worth)) add({ action: "hold", dice: lattice.faces(hold) }, worth[hold]);
    }
    const most = options.reduce((top, option) => Math.max(top, option.expectedTotal), -Infinity);
    for (const option of options) {
      option.loss = Math.max(0, most - option.expectedTotal);
      option.best = option.loss <= TIE;
    }
    const rank = (option) => (option.best ? 0 : option.loss);
    return options.sort((a, b) => rank(a) - rank(b));
  }

  read(dice, what) {
    const faces = typeof dice === "string" ? [...dice.replace(/[\s,]/g, "")].map(Number) : dice;
    if (faces.some((face) => !Number.isInteger(face) || face < 1 || face > FACES) || faces.length > this.rules.dice) {
      throw new Error(`${what}: expected up to ${this.rules.dice} dice with faces 1 to 6, found ${dice}`);
    }
    return faces.reduce((hold, face) => this.lattice.above[hold][face - 1], 0);
  }

  checkSheet(sheet) {
    const known = new Set(this.boxes.map((box) => box.id));
    if (this.rules.five) known.add(`${this.rules.five.category}_bonus`);
    for (const [id, points] of Object.entries(sheet)) {
      if (!known.has(id)) throw new Error(`sheet: expected a box of ${this.variant}, found ${id}`);
      if (points != null && (!Number.isInteger(points) || points < 0)) {
        throw new Error(`sheet: expected whole points for ${id}, found ${points}`);
      }
    }
    if (this.boxes.every((box) => sheet[box.id] != null)) throw new Error("sheet: expected an open box, found none");
    if (Number.isNaN(this.value(sheet))) throw new Error("sheet: expected one that a game can lead to, found another");
  }

  canWin(sheet) {
    const win = this.rules.outright_win;
    return win != null && sheet[win.category] !== 0;
  }

  /** The boxes that may be written next. */
  playable(sheet) {
    const open = this.boxes.filter((box) => sheet[box.id] == null), order = this.rules.columns[0].order;
    return order === "free" ? open : order === "down" ? open.slice(0, 1) : open.slice(-1);
  }

  /** The holds within a roll and around the dice set aside, the best one first as docs/solver.md has it, "Ties". */
  holds(roll, aside, worth) {
    const { lattice } = this, found = [];
    for (let hold = lattice.rolls - 1; hold >= 0; hold--) {
      if (lattice.contains(roll, hold) && lattice.contains(hold, aside)) found.push(hold);
    }
    const within = (hold) => {
      const inner = found.filter((one) => lattice.contains(hold, one));
      return inner.reduce((top, one) => Math.max(top, worth[one]), -Infinity);
    };
    let first = roll, most = within(roll);
    while (found.length && (first === roll || !(worth[first] >= most - TIE))) {
      let f = FACES - 1;
      while (lattice.below[first][f] === undefined || !(within(lattice.below[first][f]) >= most - TIE)) f--;
      first = lattice.below[first][f];
      most = within(first);
    }
    return found.length ? [first, ...found.filter((hold) => hold !== first)] : [];
  }

  /** The turn from a sheet: what rolls may be written as, and what holds are worth. */
  turn(sheet) {
    const { lattice } = this, soFar = this.pointsSoFar(sheet), playable = this.playable(sheet);
    const after = new Map(); // per box and points: the points, an upper bonus earned, and what is still to come
    const worthOf = (box, points) => {
      const key = box.index * 4096 + points;
      if (!after.has(key)) {
        const next = { ...sheet, [box.id]: points };
        after.set(key, this.pointsSoFar(next) - soFar + this.value(next));
      }
      return after.get(key);
    };
    const writes = (roll, served) => {
      const joker = this.joker(sheet, roll, playable);
      return (joker ? joker.boxes : playable).map((box) => {
        let points = (served && !joker?.late ? box.served : box.ordinary)[roll];
        if (joker && joker.pays(box)) points = box.score;
        if (box.requires && !(sheet[box.requires] > 0)) points = 0;
        const bonus = joker ? joker.bonus : 0;
        return { box, points, bonus, worth: worthOf(box, points) + bonus };
      });
    };
    const holds = (rollsLeft) => {
      const last = new Float64Array(lattice.counts.length).fill(-Infinity);
      for (let roll = lattice.rolls; roll < last.length; roll++) {
        for (const write of writes(roll, false)) last[roll] = Math.max(last[roll], write.worth);
      }
      const locked = this.rules.hold === "locked";
      let x = last.slice();
      for (let n = 1; n <= rollsLeft; n++) x = locked ? rerollLocked(lattice, x) : reroll(lattice, x, last);
      return x;
    };
    return { writes, holds };
  }

  /** What a further five may be written as; null for any other roll. */
  joker(sheet, roll, playable) {
    const five = this.five, face = this.lattice.counts[roll].indexOf(this.rules.dice) + 1;
    if (!five || !face || sheet[five.category] == null) return null;
    const own = this.boxes.find((box) => box.face === face), forced = five.joker === "forced";
    const others = playable.filter((box) => box.face === null), free = !own || sheet[own.id] != null;
    const only = playable.includes(own) ? [own] : others.length ? others : playable;
    return {
      boxes: forced ? only : playable,
      bonus: sheet[five.category] > 0 ? five.bonus : 0,
      late: five.joker !== "none",
      pays: (box) => five.joker !== "none" && typeof box.score === "number" && (forced || free),
    };
  }
}

/** x[h] becomes the best of all holds within h. */
function bestWithin(lattice, x, size) {
  for (let h = 1; h < (lattice.first[size + 1] ?? x.length); h++) {
    for (const below of lattice.below[h]) if (below !== undefined && x[below] > x[h]) x[h] = x[below];
  }
}

/** x[h] becomes the mean over one more die, down from the holds of so many dice. */
function meanUp(lattice, x, size) {
  for (let h = lattice.first[size] - 1; h >= 0; h--) {
    const up = lattice.above[h];
    x[h] = (x[up[0]] + x[up[1]] + (x[up[2]] + x[up[3]]) + (x[up[4]] + x[up[5]])) / FACES;
  }
}

/** One reroll more: the value of each hold, from x with one less; `last`: what rolls are worth written. */
function reroll(lattice, x, last) {
  const next = x.slice();
  for (let roll = lattice.rolls; roll < x.length; roll++) next[roll] = last[roll];
  bestWithin(lattice, next, lattice.dice);
  meanUp(lattice, next, lattice.dice);
  for (let roll = lattice.rolls; roll < x.length; roll++) next[roll] = last[roll];
  return next;
}

/** The same where dice set aside stay so. */
function rerollLocked(lattice, x) {
  const next = x.slice();
  for (let hold = 0; hold < lattice.rolls; hold++) {
    const thrown = lattice.dice - lattice.size[hold];
    const y = new Float64Array(lattice.first[thrown + 1] ?? lattice.counts.length);
    for (let more = 0; more < y.length; more++) y[more] = x[lattice.add(hold, more)];
    bestWithin(lattice, y, thrown);
    meanUp(lattice, y, thrown);
    next[hold] = y[0];
  }
  return next;
}
