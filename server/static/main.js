/** The page: what it knows, what changes it, and what is drawn after a change. */

import { drawAnswer, drawAsking } from "./answer.js";
import { drawDice, listenToKeys } from "./dice.js";
import { byId, el, fill } from "./dom.js";
import { isOver, newGame, ranking, sheetOf, undone, withEvent } from "./game.js";
import { drawGin, keptMatch } from "./gin.js";
import { drawOutlook, drawWish } from "./outlook.js";
import { drawHistory, drawMoves, drawPlayers } from "./players.js";
import { confirm, drawGame, drawSheet } from "./sheet.js";
import { archived, load, save } from "./store.js";
import { newTurn } from "./turn.js";
import { chosen, LANGUAGES, Words } from "./words.js";

class App {
  constructor(kept, words) {
    this.words = words;
    this.games = kept.games ?? [];
    this.aim = kept.aim ?? { kind: "points", target: null };
    this.game = words.variants.has(kept.game?.variant) ? kept.game : newGame("yahtzee", [this.nameOf(1)]);
    this.turn = kept.turn?.dice?.length === this.rules.dice ? kept.turn : newTurn(this.rules);
    this.gin = keptMatch(kept.gin);
    this.answer = this.outlook = null;
  }

  get variant() {
    return this.words.variants.get(this.game.variant);
  }

  get rules() {
    return this.variant.rules;
  }

  get active() {
    return this.game.active;
  }

  get sheet() {
    return sheetOf(this.rules, this.game, this.active);
  }

  nameOf(number) {
    return this.words.text("default_name", { number });
  }

  /** New dice; an answer about others is taken away. */
  setTurn(turn) {
    const same = ["dice", "rollsLeft", "locked"].every((key) => String(turn[key]) === String(this.turn[key]));
    this.turn = turn;
    if (!same) this.answer = null;
    this.draw();
  }

  /** A changed game, with new dice. */
  setGame(game, turn = newTurn(this.rules)) {
    const before = this.game.variant;
    this.game = game;
    this.turn = before === game.variant ? turn : newTurn(this.rules);
    this.answer = this.outlook = null;
    this.draw();
  }

  /** Writes, changes or clears (points null) a box, or wins at once. */
  record(player, event) {
    const mine = player === this.active;
    this.setGame(
      withEvent(this.rules, this.game, { player, turn: mine ? this.turn : null, ...event }),
      mine ? undefined : this.turn,
    );
  }

  undo() {
    this.setGame(undone(this.game), this.game.events.at(-1)?.turn ?? undefined);
  }

  /** A new game; the one before is kept with the earlier ones. */
  start(variant = this.game.variant) {
    if (this.game.events.length) {
      const rows = ranking(this.rules, this.game).map(({ name, total, place }) => ({ name, total, place }));
      this.games = archived(this.games, {
        time: Date.now(),
        variant: this.game.variant,
        over: isOver(this.rules, this.game),
        rows,
      });
    }
    const most = this.words.variants.get(variant).players[1];
    this.setGame(newGame(variant, this.game.players.slice(0, most)));
  }

  keep() {
    const { games, aim, game, turn, gin } = this;
    return save({ games, aim, game, turn, gin, language: this.chosenLanguage });
  }

  draw() {
    drawDice(this);
    drawAsking(this);
    drawAnswer(this);
    drawWish(this);
    drawOutlook(this);
    drawSheet(this);
    drawGame(this);
    drawPlayers(this);
    drawMoves(this);
    drawHistory(this);
    drawGin(this);
    byId("variant").value = this.game.variant;
    if (!this.keep()) byId("keys").textContent = this.words.text("not_kept");
  }

  /** The words of the page that stay the same in a language. */
  drawWords() {
    document.documentElement.lang = this.words.code;
    for (const element of document.querySelectorAll("[data-text]"))
      element.textContent = this.words.title(element.dataset.text);
    byId("skip").textContent = this.words.text("skip");
    const options = [...this.words.variants.values()].map(({ variant, name }) =>
      el("option", { value: variant }, name),
    );
    fill(byId("variant"), options);
    byId("language").value = this.words.code;
    this.draw();
  }
}

/** Default names of players in the new language. */
function translatedNames(app, before) {
  return app.game.players.map((name, i) =>
    name === before.text("default_name", { number: i + 1 }) ? app.nameOf(i + 1) : name,
  );
}

function listen(app) {
  byId("variant").addEventListener("change", (event) => {
    const { value } = event.target;
    if (!app.game.events.length) return app.start(value);
    event.target.value = app.game.variant; // until that is sure
    confirm(app, app.words.text("sure_new"), () => app.start(value));
  });
  byId("language").addEventListener("change", async (event) => {
    const before = app.words;
    try {
      app.words = await Words.load(event.target.value);
    } catch {
      event.target.value = before.code;
      byId("told").textContent = before.text("unreachable");
      return;
    }
    app.chosenLanguage = app.words.code;
    app.game = { ...app.game, players: translatedNames(app, before) };
    app.drawWords();
  });
  listenToKeys(app);
}

async function start() {
  const kept = load();
  fill(
    byId("language"),
    Object.entries(LANGUAGES).map(([code, name]) => el("option", { value: code, lang: code }, name)),
  );
  const code = kept.language in LANGUAGES ? kept.language : chosen(navigator.languages ?? []);
  const app = new App(kept, await Words.load(code));
  app.chosenLanguage = kept.language;
  listen(app);
  app.drawWords();
  byId("gin").open = app.gin.hands.length > 0;
  document.documentElement.dataset.ready = "";
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("/sw.js").catch(() => {});
}

start().catch((error) => {
  byId("told").textContent = String(error.message ?? error);
});
