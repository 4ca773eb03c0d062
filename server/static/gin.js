/** The running table of a gin rummy match. A match as it is kept: { players, goal, first, hands }; no name ("") is the
 * default one, `goal` null is one hand, `first` deals first. A hand as it is written: { ending: "void" },
 * { ending: "gin" or "knock", who, own, other } or { ending: "points", who, points }. */

import { button, byId, el, fill } from "./dom.js";
import { confirm } from "./sheet.js";

const GOAL = 100;
const BONUS = 25;
const MOST_KNOCK = 10;
const MOST_DEADWOOD = 98;
const ENDINGS = ["knock", "gin", "void", "points"];

export function newMatch(players = ["", ""], goal = GOAL, first = 0) {
  return { players: [...players], goal, first, hands: [] };
}

/** What the browser kept, if it is a match. */
export function keptMatch(kept) {
  const whole = Array.isArray(kept?.players) && kept.players.length === 2 && Array.isArray(kept.hands);
  return whole ? kept : newMatch();
}

/** The knocker's points for two amounts of deadwood; less than zero where the defender scores. */
export function score(knocker, defender) {
  if (knocker === 0) return BONUS + defender;
  return defender - knocker - (defender <= knocker ? BONUS : 0);
}

/** What a hand came to: { result, winner, points }; the winner of a void hand is null. */
function outcomeOf({ ending, who, own, other, points }) {
  if (ending === "void") return { result: "void", winner: null, points: 0 };
  if (ending === "points") return { result: "points", winner: who, points };
  const made = score(own, other);
  const result = made < 0 ? "undercut" : own ? "knock" : "gin";
  return { result, winner: made < 0 ? 1 - who : who, points: Math.abs(made) };
}

/** Where a match stands: every hand with its dealer, result, winner, points and totals; the totals; who deals next; and
 * who has won, or null. */
export function standing(match) {
  let dealer = match.first,
    totals = [0, 0],
    winner = null;
  const hands = match.hands.map((hand) => {
    const ended = outcomeOf(hand);
    totals = totals.map((total, player) => total + (player === ended.winner ? ended.points : 0));
    const row = { ...hand, ...ended, dealer, totals };
    if (ended.winner != null) {
      dealer = 1 - dealer;
      if (match.goal == null || totals[ended.winner] >= match.goal) winner = ended.winner;
    }
    return row;
  });
  return { hands, totals, dealer, winner };
}

/** The match with one more hand; none comes after it is won. */
export function withHand(match, hand) {
  return standing(match).winner == null ? { ...match, hands: [...match.hands, hand] } : match;
}

export function withoutLast(match) {
  return { ...match, hands: match.hands.slice(0, -1) };
}

/** The match with another name; the two are different. */
export function named(match, player, name, namesOf) {
  const next = { ...match, players: match.players.map((old, i) => (i === player ? name : old)) };
  const [first, second] = namesOf(next);
  return first === second ? match : next;
}

const emptyDraft = () => ({ ending: "knock", who: 0, own: "", other: "", points: "" });
const namesIn = (app) => (match) => match.players.map((name, player) => name || app.nameOf(player + 1));

export function drawGin(app) {
  app.ginDraft ??= emptyDraft();
  const names = namesIn(app)(app.gin),
    stands = standing(app.gin);
  drawSetup(app, names);
  drawStanding(app, names, stands);
  drawForm(app, names, stands);
  drawTable(app, names, stands);
  drawButtons(app);
}

function change(app, match, draft = app.ginDraft) {
  app.gin = match;
  app.ginDraft = draft;
  app.draw();
}

/** A list to choose from: [value, text] each. */
function choice(label, id, value, options, act, disabled = false) {
  const items = options.map(([key, text]) => el("option", { value: key, selected: key === value }, text));
  const pick = (event) => act(options[event.target.selectedIndex][0]);
  return el("label", {}, `${label} `, el("select", { id, change: pick, disabled }, items));
}

/** The names, how far the match goes, and who deals first. */
function drawSetup(app, names) {
  const { words, gin } = app,
    begun = gin.hands.length > 0;
  const rename = (player) => (event) => change(app, named(app.gin, player, event.target.value.trim(), namesIn(app)));
  const fields = names.map((name, player) =>
    el("input", {
      id: `gin-name-${player}`,
      value: name,
      maxlength: 24,
      autocomplete: "off",
      change: rename(player),
      "aria-label": words.text("player_name", { number: player + 1 }),
    }),
  );
  const goals = [GOAL, null].map((goal) => [goal, goal == null ? words.text("gin_one_hand") : words.number(goal)]);
  const setGoal = (goal) => change(app, { ...app.gin, goal });
  const setFirst = (first) => change(app, { ...app.gin, first });
  fill(
    byId("gin-setup"),
    fields,
    choice(words.title("gin_to"), "gin-to", gin.goal, goals, setGoal, begun),
    choice(words.title("gin_first"), "gin-first", gin.first, [...names.entries()], setFirst, begun),
  );
}

/** Who deals, or who has won. */
function drawStanding({ words }, names, { dealer, winner, totals }) {
  const place = byId("gin-standing"),
    over = winner != null;
  const text = over
    ? `${words.text("party_won", { names: names[winner] })} (${totals[winner]} – ${totals[1 - winner]})`
    : `${words.title("next_dealer")}: ${names[dealer]}`;
  if (place.textContent !== text) place.textContent = text;
  place.classList.toggle("best", over);
}

/** The form in which a hand is written. */
function drawForm(app, names, { winner }) {
  const { words, ginDraft: draft } = app,
    form = byId("gin-hand");
  form.hidden = winner != null;
  form.onsubmit = (event) => {
    event.preventDefault();
    change(app, withHand(app.gin, handOf(app.ginDraft)), emptyDraft());
    const over = standing(app.gin).winner != null;
    byId(over ? "gin-undo" : "gin-ending").focus();
  };
  const set = (key) => (value) => change(app, app.gin, { ...app.ginDraft, [key]: value });
  const endings = ENDINGS.map((ending) => [ending, words.text(ending === "points" ? "gin_points" : ending)]);
  const who = words.title(draft.ending === "points" ? "gin_winner" : "knocker");
  fill(
    form,
    choice(words.title("result"), "gin-ending", draft.ending, endings, set("ending")),
    draft.ending !== "void" && choice(who, "gin-who", draft.who, [...names.entries()], set("who")),
    numbers(app, names),
    el("button", { id: "gin-write", class: "main" }, words.text("gin_write")),
  );
}

/** The numbers that an ending asks for. */
function numbers(app, names) {
  const { words, ginDraft: draft } = app;
  const field = (key, label, min, max) => {
    const write = (event) => (app.ginDraft = { ...app.ginDraft, [key]: event.target.value });
    const about = { type: "number", inputmode: "numeric", required: true, min, max, step: 1 };
    return el("label", {}, `${label} `, el("input", { id: `gin-${key}`, value: draft[key], input: write, ...about }));
  };
  const defender = { name: names[1 - draft.who] };
  if (draft.ending === "points") return [field("points", words.title("points"), 1, BONUS + MOST_DEADWOOD)];
  if (draft.ending === "gin") return [field("other", words.title("gin_deadwood", defender), 0, MOST_DEADWOOD)];
  if (draft.ending === "void") return [];
  return [
    field("own", words.title("gin_deadwood", { name: names[draft.who] }), 0, MOST_KNOCK),
    field("other", words.title("gin_after_layoffs", defender), 0, MOST_DEADWOOD),
  ];
}

function handOf({ ending, who, own, other, points }) {
  if (ending === "void") return { ending };
  if (ending === "points") return { ending, who, points: Number(points) };
  return { ending, who, own: ending === "gin" ? 0 : Number(own), other: Number(other) };
}

function drawTable({ words }, names, { hands }) {
  if (!hands.length) return fill(byId("gin-table"), el("p", { class: "quiet" }, words.text("no_moves")));
  const heads = [...["hand", "dealer", "result"].map((key) => words.title(key)), ...names];
  let number = 0;
  const rows = hands.map((hand) => {
    const scored = hand.winner != null;
    number += scored;
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, scored ? String(number) : "–"),
      el("td", {}, names[hand.dealer]),
      el("td", {}, resultText(words, hand, names)),
      hand.totals.map((total, player) => totalCell(total, player === hand.winner ? hand.points : 0)),
    );
  });
  const head = heads.map((text) => el("th", { scope: "col" }, text));
  fill(byId("gin-table"), el("table", { class: "gin" }, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows)));
}

function totalCell(total, points) {
  return el(
    "td",
    { class: points ? "number won" : "number" },
    points > 0 && el("span", { class: "quiet" }, `+${points} `),
    String(total),
  );
}

function resultText(words, { result, ending, who, own, other }, names) {
  if (ending === "void") return words.text("void");
  if (ending === "points") return words.text("gin_points");
  return `${words.text(result)} · ${names[who]} ${own}\u00a0:\u00a0${other}`;
}

function drawButtons(app) {
  const { words, gin } = app;
  const undo = () => {
    const last = app.gin.hands.at(-1);
    change(app, withoutLast(app.gin), { ...emptyDraft(), ...last });
  };
  const start = () => change(app, newMatch(app.gin.players, app.gin.goal, app.gin.first), emptyDraft());
  const anew = () => confirm(app, words.text("gin_sure"), start);
  fill(
    byId("gin-buttons"),
    button(words.text("undo"), undo, { id: "gin-undo", disabled: !gin.hands.length }),
    button(words.text("gin_start"), anew, { id: "gin-start", disabled: !gin.hands.length }),
  );
}
