/** What the browser keeps: the game, the dice, earlier games, the language. Nothing leaves it. */

const NAME = "servida";
const MOST_GAMES = 100;

/** All that is kept; an empty object where there is nothing, or nothing may be kept. */
export function load(storage = globalThis.localStorage) {
  try {
    const value = JSON.parse(storage.getItem(NAME));
    return value && typeof value === "object" ? value : {};
  } catch {
    return {};
  }
}

export function save(value, storage = globalThis.localStorage) {
  try {
    storage.setItem(NAME, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** The earlier games with one more, newest first. */
export function archived(games, game) {
  return [game, ...games].slice(0, MOST_GAMES);
}
