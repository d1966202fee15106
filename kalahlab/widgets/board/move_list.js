// The moves of the game, to go back to and to take along.

import { button, h, put } from "../shared/dom.js";

/** @import { Game } from "./types.js" */

export class MoveList {
  // go(at): a reader wants to see the position after so many moves; review(): what each gave up.
  // opens(at): what opens the search of that position, or nothing.
  /** @param {(at: number) => void} go @param {() => unknown} review @param {(at: number) => false | (() => unknown)} opens */
  constructor(go, review, opens) {
    this.go = go;
    this.opens = opens;
    /** @type {Game | null} */
    this.record = null;
    this.review = button("Review", review, { title: "Find out what each move gave up" });
    this.found = h("p", { role: "status" });
    this.worst = button("Go to it", () => this.go(this.record?.review?.worst ?? 0));
    this.moves = h("ol", { class: "kb-moves" });
    this.copied = h("span", { role: "status" });
    const copy = button("Copy", () => this.copy());
    this.element = h(
      "section",
      { class: "kb-log", "aria-label": "Moves" },
      h("p", {}, h("b", {}, "Moves")),
      this.moves,
      h("p", { class: "kb-copy" }, copy, " ", this.review, " ", this.worst, " ", this.copied),
      this.found,
    );
  }

  /** @type {(record: Game, place: number, live: boolean) => void} */
  show(record, place, live) {
    this.record = record;
    const { steps, review } = record;
    this.review.hidden = !live;
    this.review.disabled = steps.length < 2 || Boolean(review);
    this.worst.hidden = !review?.worst;
    put(this.found, review?.said ?? "");
    const rows = steps.map((step, at) => {
      const { said = "", marked = false } = step.review ?? {};
      const words = step.move ? step.move.words : `Start: ${step.text}`;
      const row = button(words, () => this.go(at));
      if (said) row.append(" ", h("small", {}, said));
      if (at === place) row.setAttribute("aria-current", "step");
      const open = marked && this.opens(at - 1);
      const name = `Search before move ${at}`;
      const search = open ? button("Search", open, { "aria-label": name, title: name }) : null;
      const attributes = { value: at, class: at ? null : "kb-first", "data-marked": marked };
      return h("li", attributes, row, search);
    });
    const focus = [...this.moves.children].findIndex((row) => row.contains(document.activeElement));
    this.moves.replaceChildren(...rows);
    rows[focus]?.firstChild.focus();
    const shown = rows[place];
    this.moves.scrollTop = shown.offsetTop - this.moves.clientHeight / 2;
  }

  /** @type {(at: number) => void} */
  focus(at) {
    this.moves.children[at].firstChild.focus();
  }

  async copy() {
    const done = await written(this.record?.text ?? "");
    this.copied.textContent = done
      ? "Copied, as kalahlab review reads it."
      : "The browser does not let the game be copied.";
  }
}

// Whether a text is on the clipboard. Pages that are not served safely have the old way only.
/** @type {(text: string) => Promise<boolean>} */
async function written(text) {
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
