// The list of moves, with buttons to copy and to review the game.

import { button, h, put } from "../shared/dom.js";
import { isReviewed } from "./value_graph.js";

/** @import { Game, Move, MovesHost, ReviewedMove, State } from "./types.js" */

/** @type {Record<string, string>} */
const KINDS = { "??": "b.kb-blunder", "?": "b.kb-slip", "!": "b.kb-found" };

/** @type {(host: MovesHost) => { element: HTMLElement, show(state: State): void, focus(step: number): void }} */
export function makeMoveList(host) {
  const review = button("Review", host.review, { title: "Find out what each move gave up" });
  const summary = h("p", { role: "status" });
  const worst = button("Go to it", () => host.go(Number(game?.review?.worst)));
  const moves = h("div.kb-moves");
  const copied = h("span", { role: "status" });
  const copy = button("Copy", async () => {
    const done = await copyText(game?.text ?? "");
    const failed = "The browser does not allow copying.";
    put(copied, done ? "Copied, in the format of kalahlab review." : failed);
  });
  const element = h(
    "section.kb-log",
    { "aria-label": "Moves" },
    h("p", h("b", "Moves")),
    moves,
    h("p.kb-copy", copy, " ", review, " ", worst, " ", copied),
    summary,
  );
  /** @type {Game | null} */
  let game = null;
  let step = -1;

  /** @type {(state: State) => void} */
  function show({ live, record, shown }) {
    if (record === game && shown === step) return;
    [game, step] = [record, shown];
    review.hidden = !live;
    review.disabled = record.steps.length < 2 || Boolean(record.review);
    worst.hidden = !record.review?.worst;
    put(summary, record.review?.text ?? "");
    const focus = rowsIn(moves).findIndex((row) => row.contains(document.activeElement));
    const rows = record.steps.map((_, n) => rowOf(record, n, n === shown, host));
    const reviewed = isReviewed(record);
    moves.classList.toggle("kb-turns", reviewed);
    moves.replaceChildren(...(reviewed ? turnsOf(record, rows) : [h("ol", rows)]));
    if (focus >= 0) focusRow(focus);
    moves.scrollTop = rows[shown].offsetTop - moves.clientHeight / 2;
  }
  /** @type {(step: number) => void} */
  const focusRow = (step) => rowsIn(moves)[step]?.querySelector("button")?.focus();
  return { element, show, focus: focusRow };
}

/** @type {(moves: HTMLElement) => HTMLLIElement[]} */
const rowsIn = (moves) => [...moves.querySelectorAll("li")];

// Returns the moves of a reviewed game as turns, as in records of chess: a number, South's turn,
// North's turn. A turn can have several moves.
/** @type {(record: Game, rows: HTMLElement[]) => HTMLElement[]} */
function turnsOf({ steps }, rows) {
  const cells = [h("ol.kb-cell", rows[0])];
  let mover = -1;
  let number = 0;
  for (let n = 1; n < steps.length; n++) {
    const now = Number(steps[n].move?.mover);
    if (now !== mover) {
      if (now === 0 || !number) cells.push(h("span.kb-turn-number", `${++number}.`));
      if (now === 1 && mover < 0) cells.push(h("span", "–"));
      cells.push(h("ol.kb-cell"));
    }
    mover = now;
    /** @type {HTMLElement} */ (cells.at(-1)).append(rows[n]);
  }
  return cells;
}

/** @type {(record: Game, step: number, current: boolean, host: MovesHost) => HTMLElement} */
function rowOf({ steps }, step, current, host) {
  const { move, review, text } = steps[step];
  const words = move ? move.words : `Start: ${text}`;
  const row = button("", () => host.go(step), { "aria-current": current && "step" });
  row.append(h("span.kb-words", words));
  if (review?.text) row.append(" ", h("small", review.text));
  row.prepend(
    h("span.kb-short", { "aria-hidden": "true" }, move ? shortOf(move, review) : "Start"),
  );
  const marked = Boolean(review?.marked);
  const name = `Search before move ${step}`;
  const search =
    marked && host.opens(step - 1)
      ? button("⌕", () => host.openAt(step - 1), { "aria-label": name, title: name })
      : null;
  const attributes = { value: step, class: step ? null : "kb-first", "data-marked": marked };
  return h("li", attributes, row, search);
}

// Returns the number of a move's pit, its sign, and the stones that it gives up.
/** @type {(move: Move, review?: ReviewedMove) => (string | HTMLElement)[]} */
function shortOf({ pit }, review) {
  const parts = [String(pit)];
  if (!review) return parts;
  const kind = KINDS[review.sign] ?? "b";
  const regret = review.regret ? ` −${review.regret}` : "";
  return [...parts, h(kind, `${review.sign}${regret}`)];
}

// Copies a text, and returns whether that succeeded. Insecure pages have only the old interface.
/** @type {(text: string) => Promise<boolean>} */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = h("textarea", { style: "position:fixed;opacity:0" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
