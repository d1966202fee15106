// A position set up by hand: pressing a pit or a store adds or removes a stone. Python decides
// whether a position can be played.

import { button, choice, h, put } from "../shared/dom.js";
import { changeEditing, SIDES } from "./state.js";

/** @import { Act, Editing, State } from "./types.js" */

const HOW =
  "Click a pit or a store to add a stone. To take one, hold Shift, use the right mouse button, or " +
  "touch and hold. Keys: + and −, or the number of stones.";

/** @type {(act: Act, begin: () => unknown, leave: () => unknown) => { element: HTMLElement, show(state: State): void }} */
export function makeSetUp(act, begin, leave) {
  const take = h("input", {
    type: "checkbox",
    onchange: () => act(changeEditing, { take: take.checked }),
  });
  const verdict = h("p.kb-verdict", { role: "status" });
  const mover = choice("to move", SIDES, "0", (side) => act(changeEditing, { mover: side }));
  const begun = button("Play from here", begin);
  const element = h(
    "section.kb-set-up",
    { hidden: true, "aria-label": "Set up a position" },
    h("p", HOW),
    verdict,
    h(
      "div.kb-buttons",
      h("label", take, " Take stones"),
      mover,
      button("Empty the board", () => act(emptyBoard)),
      begun,
      button("Cancel", leave),
    ),
  );
  const chosen = /** @type {HTMLSelectElement} */ (mover.querySelector("select"));

  /** @type {(state: State) => void} */
  function show({ editing }) {
    element.hidden = !editing;
    if (!editing) return;
    take.checked = editing.take;
    chosen.value = editing.mover;
    put(verdict, editing.verdict);
    begun.disabled = !editing.playable;
  }
  return { element, show };
}

/** @type {(state: State) => State} */
const emptyBoard = (state) => changeEditing(state, { board: state.editing?.board.map(() => 0) });
