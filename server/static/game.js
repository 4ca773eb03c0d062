/** A game of several players as plain data: its events, from which sheets, ranking and the end follow. Nothing here
 * touches the page. A game: { variant, players: [name], active, events, settled }. */

import { isFull, total, written } from "./rules.js";

export function newGame(variant, players) {
  return { variant, players: [...players], active: 0, events: [], settled: null };
}

/** The sheet of a player: points per box. Later events about a box replace earlier ones. */
export function sheetOf(rules, game, player) {
  const standing = new Map();
  for (const event of game.events) {
    if (event.player !== player || event.win) continue;
    standing.delete(event.key);
    if (event.points != null) standing.set(event.key, event);
  }
  let sheet = {};
  for (const event of standing.values()) sheet = written(rules, sheet, event);
  return sheet;
}

/** The player who won at once, or null. */
export function winnerAtOnce(game) {
  return game.events.find((event) => event.win)?.player ?? null;
}

export function isOver(rules, game) {
  return winnerAtOnce(game) != null || game.players.every((_, player) => isFull(rules, sheetOf(rules, game, player)));
}

/** The next player after one who has a box to write. */
function following(rules, game, player) {
  const count = game.players.length;
  for (let step = 1; step <= count; step++) {
    const next = (player + step) % count;
    if (!isFull(rules, sheetOf(rules, game, next))) return next;
  }
  return player;
}

/** The game with one more event: a box written (points), cleared (points null) or a win at once. A new box passes the
 * turn on; a change of an old one does not. */
export function withEvent(rules, game, event) {
  const before = sheetOf(rules, game, event.player);
  const next = { ...game, events: [...game.events, event], settled: null };
  const passes = !event.win && event.points != null && before[event.key] == null;
  return passes ? { ...next, active: following(rules, next, event.player) } : next;
}

/** The game before its last event. */
export function undone(game) {
  const last = game.events.at(-1);
  return last ? { ...game, events: game.events.slice(0, -1), active: last.player, settled: null } : game;
}

export function withPlayer(game, name) {
  return { ...game, players: [...game.players, name], settled: null };
}

export function withoutPlayer(game, player) {
  const events = game.events
    .filter((event) => event.player !== player)
    .map((event) => (event.player > player ? { ...event, player: event.player - 1 } : event));
  const active = game.active > player ? game.active - 1 : game.active;
  const players = game.players.filter((_, i) => i !== player);
  return { ...game, players, events, active: Math.min(active, players.length - 1), settled: null };
}

export function renamed(game, player, name) {
  return { ...game, players: game.players.map((old, i) => (i === player ? name : old)) };
}

/** The players from first to last: { player, name, total, place }; equal totals share a place. */
export function ranking(rules, game) {
  const won = game.settled ?? winnerAtOnce(game);
  const rows = game.players.map((name, player) => ({
    player,
    name,
    total: total(rules, sheetOf(rules, game, player)),
  }));
  const above = (a, b) => b.player !== won && (a.player === won || a.total > b.total);
  for (const row of rows) row.place = 1 + rows.filter((other) => above(other, row)).length;
  return rows.sort((a, b) => a.place - b.place || a.player - b.player);
}

/** How a game ended by the variant's rule for ties: { how: "won", "draw" or "extra", players }. */
export function outcome(rules, game) {
  const won = game.settled ?? winnerAtOnce(game);
  if (won != null) return { how: "won", players: [won] };
  const top = ranking(rules, game)
    .filter((row) => row.place === 1)
    .map((row) => row.player);
  if (top.length === 1) return { how: "won", players: top };
  if (rules.ties === "extra-round") return { how: "extra", players: top };
  const all = top.length === game.players.length;
  return { how: rules.ties === "leaders-win" && !all ? "won" : "draw", players: top };
}
