// A position set up by hand: a press on a pit or a store adds a stone or takes one. Python says of
// each position whether it can be played.

import { button, choice, h } from "../shared/dom.js";

/** @import { Request } from "./types.js" */

const HOW =
  "Press a pit or a store to add a stone. With Shift, the second button or a long touch, a " +
  "press takes one. Keys: + and −, or the number of stones.";

export class SetUp {
  // change(board, index): shows what changed; ask(request): Python's answer; leave(): no more of this.
  /** @param {(board: number[]) => void} change @param {(request: Request) => Promise<any>} ask @param {() => void} leave */
  constructor(change, ask, leave) {
    this.change = change;
    this.ask = ask;
    this.asked = 0;
    /** @type {number[]} */
    this.board = [];
    this.take = h("input", { type: "checkbox" });
    this.said = h("p", { class: "kb-said", role: "status" });
    const sides = [
      ["0", "South"],
      ["1", "North"],
    ];
    const mover = choice("to move", sides, "0", () => this.check());
    this.mover = /** @type {HTMLSelectElement} */ (mover.querySelector("select"));
    this.begun = button("Play from here", () => this.ask(this.request("set up board")));
    this.element = h(
      "section",
      { class: "kb-set-up", hidden: true, "aria-label": "Set up a position" },
      h("p", {}, HOW),
      this.said,
      h(
        "div",
        { class: "kb-buttons" },
        h("label", {}, this.take, " Take stones"),
        mover,
        button("Empty the board", () => this.fill(() => 0)),
        this.begun,
        button("Cancel", leave),
      ),
    );
  }

  get open() {
    return !this.element.hidden;
  }

  /** @type {(step: { board: number[], player: number }) => void} */
  begin({ board, player }) {
    this.element.hidden = false;
    this.take.checked = false;
    this.mover.value = String(player);
    this.board = board;
    this.fill((stones) => stones);
  }

  end() {
    this.element.hidden = true;
    this.asked++;
  }

  /** @type {(stones: (count: number, at: number) => number) => void} */
  fill(stones) {
    this.board = this.board.map(stones);
    this.change(this.board);
    this.check();
  }

  // One stone more or fewer, or as many as `to` says.
  /** @type {(index: number, fewer: boolean, to?: number | null) => void} */
  press(index, fewer, to = null) {
    const by = fewer || this.take.checked ? -1 : 1;
    this.fill((stones, at) => (at === index ? Math.max(0, to ?? stones + by) : stones));
  }

  /** @type {(ask: string) => Request} */
  request(ask) {
    return { ask, board: this.board, mover: this.mover.value };
  }

  async check() {
    const asked = ++this.asked;
    const answer = await this.ask(this.request("check"));
    if (asked !== this.asked || !answer) return;
    this.said.textContent = answer.said ?? answer.error;
    this.begun.disabled = !answer.playable;
  }
}
