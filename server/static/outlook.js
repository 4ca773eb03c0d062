/** The outlook of the sheet whose turn it is: the chances of final totals, of one total, and of a win. */

import { ask } from "./api.js";
import { messageOf, othersOf } from "./answer.js";
import { byId, el, fill, svg } from "./dom.js";
import { isFull } from "./rules.js";

const BARS = 60,
  WIDTH = 600,
  HEIGHT = 190,
  FOOT = 22;

export function drawWish(app) {
  const { words } = app;
  const change = (event) => {
    app.wanted = event.target.value === "" ? null : Number(event.target.value);
  };
  const value = app.wanted ?? app.aim.target ?? 200,
    several = app.rules.columns.length > 1;
  const field = el("input", { id: "wanted", type: "number", min: 0, max: 9999, value, change });
  fill(
    byId("wish"),
    !several && el("label", {}, `${words.title("target")} `, field),
    el("button", { type: "submit", id: "show-outlook" }, words.text("show_outlook")),
  );
  byId("wish").onsubmit = (event) => {
    event.preventDefault();
    look(app, Number(byId("wanted")?.value || 0));
  };
}

/** Asks for everything, one after the other; what has come is shown. */
async function look(app, target) {
  const { words, game, sheet } = app;
  const mine = (app.outlook = { target, text: "" });
  const show = (change) => app.outlook === mine && (Object.assign(mine, change), drawOutlook(app));
  if (isFull(app.rules, sheet)) return show({ text: words.text("full_sheet") });
  const progress = (part) =>
    show({
      text: part == null ? words.text("thinking") : words.text("thinking_at", { percent: words.percent(part, 0) }),
    });
  const body = { variant: game.variant, sheet };
  show({ text: words.text("thinking") });
  try {
    if (app.rules.columns.length > 1)
      return show({ value: await ask("value", body, { progress }), text: words.text("one_column") });
    show({ distribution: await ask("distribution", { ...body, at_least: [target] }, { progress }) });
    show({ goal: await ask("target", { ...body, scores: [target] }, { progress }) });
    if (game.players.length > 1) {
      show({
        duel: await ask(
          "duel",
          { variant: game.variant, me: sheet, them: othersOf(app), tie: tieOf(app) },
          { progress },
        ),
      });
    }
    show({ text: game.players.length > 1 ? "" : words.text("needs_two") });
  } catch (error) {
    show({ text: messageOf(app, error) });
  }
}

const tieOf = ({ rules }) => (rules.ties === "leaders-win" ? "win" : "half");

export function drawOutlook(app) {
  const { words, outlook } = app,
    told = byId("outlook-told");
  if (told.textContent !== (outlook?.text ?? "")) told.textContent = outlook?.text ?? "";
  const { distribution, goal, duel, value, target } = outlook ?? {};
  fill(
    byId("chances"),
    value && el("p", {}, `${words.title("expected_total")}: ${words.number(value.expected_total, 2)}`),
    distribution && [...sentences(words, distribution), chart(words, distribution, target)],
    distribution &&
      facts(words.text("reach", { target }), [
        [words.title("reach_points"), words.percent(distribution.at_least[target])],
        goal && [words.title("reach_best"), words.percent(goal.targets[0].chance)],
      ]),
    duel && duelFacts(app, duel),
  );
}

function sentences(words, { mean, sd, percentiles: at }) {
  const half = { low: at[25], high: at[75], least: at[5], most: at[95] };
  return [
    el("p", {}, words.text("mean_and_sd", { mean: words.number(mean, 2), sd: words.number(sd, 1) })),
    el("p", {}, words.text("half_of_games", half)),
  ];
}

function facts(title, rows) {
  const cells = rows.filter(Boolean).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)));
  return [el("h3", {}, title), el("dl", {}, cells)];
}

function duelFacts({ words, game }, duel) {
  const name = game.players[game.active],
    others = words.list(game.players.filter((_, i) => i !== game.active));
  const rows = [
    ["win_chance", duel.value],
    ["wins", duel.win],
    ["ties", duel.tie],
    ["losses", duel.loss],
  ];
  return [
    ...facts(
      words.text("against", { name, others }),
      rows.map(([key, value]) => value != null && [words.title(key), words.percent(value)]),
    ),
    el("p", { class: "quiet" }, words.title(duel.exact ? "exact_duel" : "approximate_duel")),
  ];
}

/** The totals that matter in equal steps, one of which begins at the target: { low, step, bars: [chance] }. */
export function binned({ lowest, chance }, target, count = BARS) {
  let first = 0,
    last = chance.length - 1,
    below = 0,
    above = 0;
  while (first < last && (below += chance[first]) < 0.001) first++;
  while (last > first && (above += chance[last]) < 0.001) last--;
  const step = Math.max(1, Math.ceil((last - first + 1) / count)),
    bars = [];
  first -= (((lowest + first - target) % step) + step) % step;
  for (let at = first; at <= last; at += step) {
    bars.push(chance.slice(Math.max(0, at), Math.max(0, at + step)).reduce((a, b) => a + b, 0));
  }
  return { low: lowest + first, step, bars };
}

function chart(words, distribution, target) {
  const { low, step, bars } = binned(distribution, target),
    most = Math.max(...bars),
    wide = WIDTH / bars.length;
  const at = (total) => ((total - low) / step) * wide,
    base = HEIGHT - FOOT;
  const shapes = bars.map((chance, i) => {
    const high = (chance / most) * (base - 14),
      from = low + i * step,
      to = from + step - 1;
    const title = `${from === to ? from : `${from}–${to}`}: ${words.percent(chance, 2)}`;
    const reached = from >= target ? "bar reached" : "bar";
    return svg(
      "rect",
      { x: i * wide + 0.5, y: base - high, width: wide - 1, height: high, class: reached },
      svg("title", {}, title),
    );
  });
  const line = (total, kind) =>
    at(total) >= 0 && at(total) <= WIDTH && svg("line", { x1: at(total), x2: at(total), y1: 2, y2: base, class: kind });
  const { mean, percentiles } = distribution;
  const label = words.text("chart", { mean: words.number(mean, 1), low: percentiles[25], high: percentiles[75] });
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": label },
    shapes,
    line(mean, "mean"),
    line(target, "wanted"),
    ticks(low, low + step * bars.length, at, base),
  );
}

/** Round totals below the bars. */
function ticks(low, high, at, base) {
  const every = [5, 10, 20, 25, 50, 100, 200, 250, 500, 1000].find((n) => (high - low) / n <= 9) ?? 2000,
    found = [];
  for (let total = Math.ceil(low / every) * every; total <= high; total += every) {
    const x = at(total),
      anchor = x < 15 ? "start" : x > WIDTH - 15 ? "end" : "middle";
    found.push(svg("text", { x, y: base + 17, class: "tick", "text-anchor": anchor }, String(total)));
  }
  return [svg("line", { x1: 0, x2: WIDTH, y1: base, y2: base, class: "axis" }), found];
}
