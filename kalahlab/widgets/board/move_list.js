// The list of moves, with buttons to copy and to review the game.

import { button, h, put } from "../shared/dom.js";

/** @import { Game, MovesHost, State } from "./types.js" */

/** @type {(host: MovesHost) => { element: HTMLElement, show(state: State): void, focus(step: number): void }} */
export function makeMoveList(host) {
  const review = button("Review", host.review, { title: "Find out what each move gave up" });
  const summary = h("p", { role: "status" });
  const worst = button("Go to it", () => host.go(Number(game?.review?.worst)));
  const moves = h("ol.kb-moves");
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
    const focus = [...moves.children].findIndex((row) => row.contains(document.activeElement));
    moves.replaceChildren(...record.steps.map((_, n) => rowOf(record, n, n === shown, host)));
    moves.children[focus]?.firstChild.focus();
    moves.scrollTop = moves.children[shown].offsetTop - moves.clientHeight / 2;
  }
  return { element, show, focus: (step) => moves.children[step].firstChild.focus() };
}

/** @type {(record: Game, step: number, current: boolean, host: MovesHost) => HTMLElement} */
function rowOf({ steps }, step, current, host) {
  const { move, review, text } = steps[step];
  const go = () => host.go(step);
  const row = button(move ? move.words : `Start: ${text}`, go, {
    "aria-current": current && "step",
  });
  if (review?.text) row.append(" ", h("small", review.text));
  const marked = Boolean(review?.marked);
  const name = `Search before move ${step}`;
  const search =
    marked && host.opens(step - 1)
      ? button("Search", () => host.openAt(step - 1), { "aria-label": name, title: name })
      : null;
  const attributes = { value: step, class: step ? null : "kb-first", "data-marked": marked };
  return h("li", attributes, row, search);
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
