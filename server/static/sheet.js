/** The score sheets of all players as one table, and the small window to write a box by hand. */

import { button, byId, el, fill } from "./dom.js";
import { isOver, outcome, sheetOf } from "./game.js";
import { canWin, columnTotal, keyOf, mayEarnFive, playable, possible, scoresOf, total, winsAtOnce } from "./rules.js";
import { isKnown, isServed } from "./turn.js";

/** The columns of the table: one for each column of each player's sheet. */
function lanesOf({ game, rules }) {
  return game.players.flatMap((name, player) => {
    const sheet = sheetOf(rules, game, player);
    return rules.columns.map((_, column) => ({ name, player, column, sheet }));
  });
}

export function drawSheet(app) {
  const { rules, turn } = app,
    lanes = lanesOf(app),
    over = isOver(rules, app.game);
  const scores = isKnown(turn) && !over ? scoresOf(rules, app.sheet, turn.dice, isServed(rules, turn)) : {};
  const rows = rules.categories.map((category) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, category.label),
      lanes.map((lane) => el("td", { class: laneClass(app, lane) }, boxButton(app, lane, category, scores, over))),
    ),
  );
  addSums(app, lanes, rows);
  const table = el(
    "table",
    { class: "sheet" },
    el("thead", {}, heads(app, lanes)),
    el("tbody", {}, rows),
    el("tfoot", {}, totals(app)),
  );
  const sheet = byId("sheet"),
    left = sheet.scrollLeft;
  fill(sheet, table);
  const [first, mine] = ["th", "th.active"].map((name) => sheet.querySelector(`thead ${name}`));
  sheet.scrollLeft = app.shown === app.active ? left : mine.offsetLeft - first.offsetWidth;
  app.shown = app.active;
}

/** The rows of bonuses and columns, among those of the boxes. */
function addSums(app, lanes, rows) {
  const { rules, words } = app;
  const add = (at, title, text) => {
    const row = sumRow(app, title, lanes, (lane) => text(columnTotal(rules, lane.sheet, lane.column)));
    rows.splice(at, 0, row);
  };
  const upper = rules.upper_bonus;
  if (upper) {
    const last = rules.categories.findLastIndex((category) => upper.categories.includes(category.id));
    const text = ({ under, bonus }) => (bonus ? `+${bonus}` : `${under}/${upper.threshold}`);
    add(last + 1, words.title("upper_bonus"), text);
  }
  if (rules.five?.bonus) add(rows.length, words.title("fives"), ({ fives }) => fives || "");
  if (rules.columns.length > 1) add(rows.length, "Σ", ({ total: all }) => all);
}

const laneClass = (app, lane) => (lane.player === app.active ? "active" : "");

function heads(app, lanes) {
  const { game, rules, words } = app;
  const pick = (player) => () => app.setGame({ ...game, active: player });
  const names = game.players.map((name, player) =>
    el(
      "th",
      { scope: "colgroup", colspan: rules.columns.length, class: player === app.active ? "active" : "" },
      button(name, pick(player), {
        id: `pick-${player}`,
        class: "plain",
        "aria-pressed": String(player === app.active),
        title: words.text("to_move", { name }),
      }),
    ),
  );
  const rowspan = rules.columns.length > 1 ? 2 : 1;
  const first = el("tr", {}, el("th", { scope: "col", rowspan }, words.title("category")), names);
  if (rules.columns.length === 1) return [first];
  return [
    first,
    el(
      "tr",
      {},
      lanes.map((lane) => el("th", { scope: "col", class: laneClass(app, lane) }, words.column(rules, lane.column))),
    ),
  ];
}

function sumRow(app, title, lanes, text) {
  return el(
    "tr",
    { class: "sum" },
    el("th", { scope: "row" }, title),
    lanes.map((lane) => el("td", { class: laneClass(app, lane) }, String(text(lane)))),
  );
}

function totals(app) {
  const { game, rules, words } = app;
  const cells = game.players.map((_, player) =>
    el(
      "td",
      { colspan: rules.columns.length, class: player === app.active ? "active" : "" },
      words.number(total(rules, sheetOf(rules, game, player))),
    ),
  );
  return el("tr", { class: "total" }, el("th", { scope: "row" }, words.title("total")), cells);
}

/** A box: written points, what the dice would make, or nothing yet. */
function boxButton(app, lane, category, scores, over) {
  const { words, variant, rules } = app,
    key = keyOf(rules, lane.column, category.id);
  const made = lane.sheet[key],
    mine = lane.player === app.active,
    score = mine ? scores[key] : null;
  const names = { box: words.box(variant, key), name: lane.name };
  const id = `box-${lane.player}-${key}`,
    window = () => openBox(app, lane, category);
  if (made != null)
    return button(String(made), window, {
      id,
      class: "written",
      "aria-label": words.text("written_box", { ...names, points: made }),
    });
  if (score) {
    const all = score.points + score.bonus,
      write = () => app.record(app.active, { key, points: score.points, five: score.bonus > 0 });
    return button(String(all), write, {
      id,
      class: "open made",
      "aria-label": words.text("open_box_points", { ...names, points: all }),
    });
  }
  const shut =
    over || (mine && isKnown(app.turn)) || !playable(rules, lane.sheet, lane.column).some((box) => box.key === key);
  return button("", window, { id, class: "open", disabled: shut, "aria-label": words.text("open_box", names) });
}

/** The window in which a box is written, changed or cleared by hand. */
function openBox(app, lane, category) {
  const { words, variant, rules } = app,
    key = keyOf(rules, lane.column, category.id),
    dialog = byId("box");
  const five = el("input", { type: "checkbox", id: "box-five" });
  const finish = (event) => {
    dialog.close();
    if (event) app.record(lane.player, event);
    byId(`box-${lane.player}-${key}`)?.focus();
  };
  const write = (made) => () => finish({ key, points: made, five: five.checked });
  const choices = possible(rules, lane.sheet, { column: lane.column, category }).filter((made) => made > 0);
  const win = rules.outright_win?.category === category.id && canWin(rules, lane.sheet);
  fill(
    dialog,
    el("h2", { id: "box-title" }, `${words.box(variant, key)} · ${lane.name}`),
    mayEarnFive(rules, lane.sheet, lane.column) &&
      rules.five.category !== category.id &&
      el("p", {}, el("label", {}, five, ` ${words.text("bonus_five", { points: rules.five.bonus })}`)),
    el(
      "div",
      { class: "choices" },
      choices.map((made) => button(String(made), write(made), { class: lane.sheet[key] === made ? "main" : "" })),
    ),
    el(
      "div",
      { class: "row" },
      button(words.text("scratch"), write(0)),
      win && button(words.title("win"), () => finish({ win: true })),
      lane.sheet[key] != null && button(words.text("empty_box"), () => finish({ key, points: null })),
      button(words.text("cancel"), () => finish(null)),
    ),
  );
  dialog.showModal();
}

/** A question that is answered by yes or not at all. */
export function confirm(app, text, act) {
  const dialog = byId("box"),
    { words } = app;
  const yes = () => {
    dialog.close();
    act();
  };
  fill(
    dialog,
    el("h2", { id: "box-title" }, text),
    el(
      "div",
      { class: "row" },
      button(words.text("yes_do"), yes, { class: "main", id: "yes" }),
      button(words.text("cancel"), () => dialog.close()),
    ),
  );
  dialog.showModal();
}

/** Who moves or has won, and the buttons of the game. */
export function drawGame(app) {
  const { words, game, rules, turn } = app,
    over = isOver(rules, game);
  const text = over ? outcomeText(app) : words.text("to_move", { name: game.players[app.active] });
  if (byId("standing").textContent !== text) byId("standing").textContent = text;
  byId("standing").classList.toggle("best", over);
  const result = over ? outcome(rules, game) : null;
  const extra =
    result?.how === "extra"
      ? result.players.map((player) =>
          button(words.text("extra_won", { name: game.players[player] }), () =>
            app.setGame({ ...game, settled: player }),
          ),
        )
      : [];
  const win = !over && isKnown(turn) && winsAtOnce(rules, app.sheet, turn.dice, isServed(rules, turn));
  const anew = () => (game.events.length ? confirm(app, words.text("sure_new"), () => app.start()) : app.start());
  fill(
    byId("game"),
    extra,
    win && button(words.title("win"), () => app.record(app.active, { win: true }), { id: "win-now", class: "main" }),
    button(words.text("undo"), () => app.undo(), { id: "undo", disabled: !game.events.length }),
    button(words.text("start"), anew, { id: "start" }),
  );
}

function outcomeText({ words, game, rules }) {
  const { how, players } = outcome(rules, game),
    names = words.list(players.map((player) => game.players[player]));
  if (game.players.length === 1)
    return `${words.title("total")}: ${words.number(total(rules, sheetOf(rules, game, 0)))}`;
  return words.text(how === "won" && players.length > 1 ? "party_won_several" : `party_${how}`, { names });
}
