/** The dice of the turn: set by buttons and keys, kept, rolled. */

import { askNow } from "./answer.js";
import { button, byId, el, face, fill } from "./dom.js";
import { cleared, isKnown, moved, newTurn, nextRoll, rolled, toggled, withFace, withRollsLeft } from "./turn.js";

export function drawDice(app) {
  const { words, turn, rules } = app;
  byId("turn-title").textContent =
    `${words.title("your_dice")} · ${words.text("to_move", { name: app.game.players[app.active] })}`;
  byId("dice").setAttribute("aria-label", words.text("your_dice"));
  fill(
    byId("dice"),
    turn.dice.map((number, i) => die(app, number, i)),
  );
  byId("faces").setAttribute("aria-label", words.text("your_dice"));
  const set = (number) => app.setTurn(withFace(app.turn, number));
  fill(
    byId("faces"),
    [1, 2, 3, 4, 5, 6].map((number) =>
      button(face(number), () => set(number), {
        id: `face-${number}`,
        class: "face-button",
        "aria-label": words.text("set_face", { face: number }),
      }),
    ),
  );
  fill(
    byId("rolls"),
    rollsLeft(app),
    button(words.text("next_roll"), () => app.setTurn(nextRoll(rules, app.turn)), {
      id: "next-roll",
      disabled: !nextRoll(rules, turn),
    }),
    button(words.text("roll"), () => app.setTurn(rolled(rules, app.turn)), {
      id: "roll",
      disabled: isKnown(turn) && !nextRoll(rules, turn),
    }),
    button(words.text("clear"), () => app.setTurn(newTurn(rules)), { id: "clear" }),
  );
}

function die(app, number, i) {
  const { words, turn } = app,
    cursor = turn.cursor === i;
  const name = words.text(number ? "die" : "die_empty", { number: i + 1, face: number });
  const state = turn.locked[i] ? `, ${words.text("locked")}` : turn.kept[i] ? `, ${words.text("kept")}` : "";
  const shown = turn.locked[i] ? words.text("locked") : turn.kept[i] ? words.text("kept") : "";
  const attributes = {
    id: `die-${i}`,
    class: ["die", cursor && "cursor", turn.kept[i] && "kept"].filter(Boolean).join(" "),
    "aria-label": name + state,
    "aria-pressed": String(turn.kept[i]),
    tabindex: cursor ? 0 : -1,
  };
  return el(
    "div",
    { class: "die-place" },
    button(face(number), () => app.setTurn(toggled(app.turn, i)), attributes),
    el("span", { class: "quiet", "aria-hidden": "true" }, shown),
  );
}

function rollsLeft(app) {
  const { rules, turn, words } = app;
  const change = (event) => app.setTurn(withRollsLeft(rules, app.turn, Number(event.target.value)));
  const options = Array.from({ length: rules.rolls }, (_, n) =>
    el("option", { value: n, selected: n === turn.rollsLeft }, String(n)),
  );
  return el(
    "label",
    {},
    `${words.title("rolls_left")} `,
    el("select", { id: "rolls-left", change }, options.reverse()),
  );
}

/** Whether keys are for the dice: nothing else has the focus, or a die has. */
function forDice() {
  const focused = document.activeElement;
  return !focused || focused === document.body || focused.matches(".die, .face-button, #turn");
}

const elsewhere = () => document.activeElement?.matches("input, select, textarea, summary") || byId("box").open;

export function listenToKeys(app) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || elsewhere()) return;
    const act = actionOf(app, event.key);
    if (!act) return;
    event.preventDefault();
    act();
  });
}

function actionOf(app, key) {
  const set = (turn) => () => app.setTurn(turn);
  if (/^[1-6]$/.test(key)) return () => focusDie(app, withFace(app.turn, Number(key)));
  if (key === "Backspace" || key === "Delete") return set(cleared(app.turn));
  if (key.startsWith("Arrow") && document.activeElement?.matches("#sheet button")) return () => moveInSheet(key);
  if (!forDice()) return null;
  if (key === "Enter" && !document.activeElement.matches(".face-button")) return () => askNow(app);
  if (key === " " && !document.activeElement.matches(".face-button")) return set(toggled(app.turn, app.turn.cursor));
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (!step) return null;
  return () => focusDie(app, moved(app.turn, step));
}

/** New dice, and the focus on the one at the cursor. */
function focusDie(app, turn) {
  app.setTurn(turn);
  byId(`die-${turn.cursor}`).focus();
}

/** The focus from one box of the sheet to the next one that can be pressed. */
function moveInSheet(key) {
  const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[key];
  const rows = [...document.querySelectorAll("#sheet tbody tr")],
    cell = document.activeElement.closest("td");
  let row = rows.indexOf(cell?.parentElement),
    column = cell?.cellIndex ?? 0;
  while (rows[row + down] && ((row += down), (column += right), rows[row].cells[column])) {
    const found = rows[row].cells[column].querySelector("button");
    if (found) return found.focus();
  }
}
