/** Asking for the best hold or box, and the answer: the best option in words, all options with what they lose. */

import { ask, Unreachable } from "./api.js";
import { button, byId, diceRow, el, fill } from "./dom.js";
import { sheetOf } from "./game.js";
import { isFull } from "./rules.js";
import { heldDice, isKnown, keeping } from "./turn.js";

const SHOWN = 6;

export function drawAsking(app) {
  const { words, aim, game } = app;
  const kinds = [
    "points",
    ...(app.rules.columns.length > 1 ? [] : ["target", ...(game.players.length > 1 ? ["win"] : [])]),
  ];
  const kind = kinds.includes(aim.kind) ? aim.kind : "points";
  const choose = (event) => changeAim(app, { ...app.aim, kind: event.target.value });
  const options = kinds.map((name) =>
    el("option", { value: name, selected: name === kind }, words.text(`for_${name}`)),
  );
  const target = (event) => changeAim(app, { ...app.aim, target: Number(event.target.value) });
  const value = aim.target ?? "";
  fill(
    byId("asking"),
    el("label", {}, `${words.title("play_for")} `, el("select", { id: "aim", change: choose }, options)),
    kind === "target" &&
      el("input", {
        id: "aim-target",
        type: "number",
        min: 0,
        max: 9999,
        value,
        change: target,
        "aria-label": words.text("for_target"),
      }),
    button(words.text("ask"), () => askNow(app), { id: "ask", class: "main", "aria-keyshortcuts": "Enter" }),
  );
}

function changeAim(app, aim) {
  app.aim = aim.kind === "target" && aim.target == null ? { ...aim, target: 200 } : aim;
  app.answer = null;
  app.draw();
}

/** The position as the server takes it. */
export function positionOf(app) {
  const { game, turn, rules, aim } = app;
  const body = { variant: game.variant, dice: turn.dice, rolls_left: turn.rollsLeft, sheet: app.sheet };
  if (heldDice(turn).length) body.held = heldDice(turn);
  if (rules.columns.length > 1) return body;
  if (aim.kind === "target") body.objective = `target:${aim.target}`;
  if (aim.kind === "win" && game.players.length > 1) {
    body.objective = "duel";
    body.them = othersOf(app);
  }
  return body;
}

/** The sheets of the other players, in the order in which they move. */
export function othersOf(app) {
  const { game, rules } = app,
    count = game.players.length;
  return Array.from({ length: count - 1 }, (_, i) => sheetOf(rules, game, (game.active + 1 + i) % count));
}

export async function askNow(app) {
  const { words, turn } = app;
  if (!isKnown(turn)) return tell(app, { text: words.text("incomplete", { count: turn.dice.length }) });
  if (isFull(app.rules, app.sheet)) return tell(app, { text: words.text("full_sheet") });
  const mine = { text: words.text("thinking") };
  tell(app, mine);
  const progress = (part) =>
    app.answer === mine &&
    part != null &&
    (byId("told").textContent = words.text("thinking_at", { percent: words.percent(part, 0) }));
  let found;
  try {
    found = { reply: await ask("hint", positionOf(app), { progress }), all: false };
  } catch (error) {
    found = { text: messageOf(app, error) };
  }
  if (app.answer === mine) tell(app, found); // not if the dice have changed meanwhile
}

/** An error in words: the server's, or that it cannot be reached. */
export function messageOf(app, error) {
  return error instanceof Unreachable ? app.words.text("unreachable") : error.message;
}

function tell(app, answer) {
  app.answer = answer;
  drawAnswer(app);
}

export function drawAnswer(app) {
  const { answer } = app,
    told = byId("told"),
    text = !answer ? "" : answer.reply ? bestText(app, answer.reply) : answer.text;
  if (told.textContent !== text) told.textContent = text;
  told.classList.toggle("best", Boolean(answer?.reply));
  fill(byId("options"), answer?.reply ? optionsTable(app, answer) : []);
}

function bestText({ words, variant, rules }, { options: [best], bound }) {
  const note = bound ? ` ${words.text("approximate", { bound: words.number(bound, 1) })}` : "";
  return `${plainText(words, variant, rules, best)}.${note}`;
}

function plainText(words, variant, rules, option) {
  if (option.action === "win") return words.text("best_win");
  if (option.action === "write") {
    return words.text("best_write", {
      points: option.points + (option.bonus ?? 0),
      box: words.box(variant, keyOfOption(rules, option)),
    });
  }
  const { dice } = option;
  const key = dice.length === 0 ? "best_reroll" : dice.length === rules.dice ? "best_stand" : "best_hold";
  return words.text(key, { dice: dice.join(" ") });
}

function keyOfOption(rules, { category, column }) {
  return rules.columns.length > 1 ? `${column}.${category}` : category;
}

function optionsTable(app, answer) {
  const { words } = app,
    { reply, all } = answer;
  const measure = measureOf(words, reply);
  const rows = reply.options.slice(0, all ? undefined : SHOWN).map((option, i) => optionRow(app, option, measure, i));
  const titles = ["option", "points", measure.title, "loss"].map((key) => el("th", { scope: "col" }, words.title(key)));
  const more = () => {
    answer.all = true;
    drawAnswer(app);
  };
  return [
    "them_total" in reply && el("p", { class: "quiet" }, words.title(reply.exact ? "exact_duel" : "approximate_duel")),
    el("p", { class: "quiet" }, words.text("loss_note")),
    el("table", { class: "options" }, el("thead", {}, el("tr", {}, titles)), el("tbody", {}, rows)),
    !all &&
      reply.options.length > SHOWN &&
      button(words.text("more", { count: reply.options.length }), more, { id: "more" }),
  ];
}

/** What options are ranked by: its title, and the number of an option as text. */
function measureOf(words, { options: [first] }) {
  const exact = (value) => words.number(value, 2),
    chance = (value) => words.percent(value, 2);
  if ("loss_of_value" in first)
    return { title: "win_chance", value: (o) => chance(o.value), loss: (o) => chance(o.loss_of_value) };
  if ("chance" in first) return { title: "chance", value: (o) => chance(o.chance), loss: (o) => chance(o.loss) };
  return { title: "expected_total", value: (o) => exact(o.expected_total), loss: (o) => exact(o.loss) };
}

function optionRow(app, option, measure, i) {
  const { words, variant, rules } = app;
  const name =
    option.action === "hold"
      ? [option.dice.length ? [`${words.text("hold")} `, diceRow(option.dice)] : words.text("reroll_all")].flat()
      : [
          option.action === "win"
            ? words.text("win")
            : `${words.text("write")} ${words.box(variant, keyOfOption(rules, option))}`,
        ];
  const label = plainText(words, variant, rules, option);
  const act = el(
    "button",
    { type: "button", id: `option-${i}`, class: "plain", "aria-label": label, click: () => take(app, option) },
    name,
  );
  const made = option.action === "hold" ? "" : words.number(option.points + (option.bonus ?? 0));
  const cells = [made, measure.value(option), option.best ? "–" : measure.loss(option)];
  return el(
    "tr",
    { class: option.best ? "best" : "" },
    el("td", {}, act),
    cells.map((cell) => el("td", { class: "number" }, cell)),
  );
}

/** Does what an option says. */
function take(app, option) {
  if (option.action === "hold") return app.setTurn(keeping(app.turn, option.dice));
  if (option.action === "win") return app.record(app.active, { win: true });
  app.record(app.active, { key: keyOfOption(app.rules, option), points: option.points, five: Boolean(option.bonus) });
}
