/** The players and their ranking, the moves of the game, and earlier games. */

import { button, byId, el, fill } from "./dom.js";
import { ranking, renamed, withoutPlayer, withPlayer } from "./game.js";
import { confirm } from "./sheet.js";

export function drawPlayers(app) {
  const { words, game, rules, variant } = app;
  const most = variant.players[1];
  fill(
    byId("names"),
    game.players.map((name, player) => playerRow(app, name, player)),
    button(
      words.text("add_player"),
      () => app.setGame(withPlayer(game, app.nameOf(game.players.length + 1)), app.turn),
      { id: "add-player", disabled: game.players.length >= most },
    ),
  );
  const several = game.players.length > 1;
  fill(
    byId("ranking"),
    several
      ? ranking(rules, game).map((row) =>
          el("li", { value: row.place }, `${row.name} `, el("strong", {}, words.number(row.total))),
        )
      : [],
  );
}

function playerRow(app, name, player) {
  const { words, game } = app;
  const rename = (event) =>
    app.setGame(renamed(app.game, player, event.target.value.trim() || app.nameOf(player + 1)), app.turn);
  const remove = () => app.setGame(withoutPlayer(app.game, player));
  const label = words.text("player_name", { number: player + 1 });
  return el(
    "div",
    { class: "row player" },
    el("input", {
      id: `name-${player}`,
      value: name,
      maxlength: 24,
      change: rename,
      "aria-label": label,
      autocomplete: "off",
    }),
    game.players.length > 1 &&
      button("×", remove, { id: `remove-${player}`, class: "small", "aria-label": words.text("remove", { name }) }),
  );
}

export function drawMoves(app) {
  const { words, game, variant } = app;
  const text = (event) => {
    const names = {
      name: game.players[event.player],
      box: event.key ? words.box(variant, event.key) : "",
      points: event.points,
    };
    const line = words.text(event.win ? "win_move" : event.points == null ? "cleared_move" : "write_move", names);
    return event.five ? `${line} (+${variant.rules.five.bonus})` : line;
  };
  fill(
    byId("log"),
    game.events.length
      ? game.events.map((event) => el("li", {}, text(event)))
      : el("li", { class: "quiet none" }, words.text("no_moves")),
  );
}

export function drawHistory(app) {
  const { words, games } = app;
  if (!games.length) return fill(byId("games"), el("p", { class: "quiet" }, words.text("no_games")));
  const forget = () =>
    confirm(app, words.text("sure_forget"), () => {
      app.games = [];
      app.draw();
    });
  fill(
    byId("games"),
    el(
      "ul",
      {},
      games.map((game) => pastGame(words, game)),
    ),
    button(words.text("forget"), forget, { id: "forget" }),
  );
}

function pastGame(words, { time, variant, over, rows }) {
  const name = words.variants.get(variant)?.name ?? variant;
  const results = rows.map((row) => `${row.place}. ${row.name} ${words.number(row.total)}`).join(" · ");
  return el(
    "li",
    {},
    el("strong", {}, name),
    ` · ${words.date(time)}${over ? "" : ` · ${words.text("unfinished")}`}`,
    el("br"),
    results,
  );
}
