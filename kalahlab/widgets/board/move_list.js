// The moves of the game, to go back to and to take along.

import { button, h } from "../shared/dom.js";

export class MoveList {
  // go(at): a reader wants to see the position after so many moves.
  constructor(go) {
    this.go = go;
    this.steps = [];
    this.moves = h("ol", { class: "kb-moves" });
    this.copied = h("span", { role: "status" });
    const copy = button("Copy", () => this.copy());
    this.element = h(
      "section",
      { class: "kb-log", "aria-label": "Moves" },
      h("p", {}, h("b", {}, "Moves")),
      this.moves,
      h("p", { class: "kb-copy" }, copy, " ", this.copied),
    );
  }

  show(steps, place) {
    this.steps = steps;
    const rows = steps.map((step, at) => {
      const words = step.move ? step.move.words : `Start: ${step.text}`;
      const row = button(words, () => this.go(at));
      if (at === place) row.setAttribute("aria-current", "step");
      return h("li", { value: at, class: at ? null : "kb-first" }, row);
    });
    const focus = [...this.moves.children].findIndex((row) => row.contains(document.activeElement));
    this.moves.replaceChildren(...rows);
    rows[focus]?.firstChild.focus();
    const shown = rows[place];
    this.moves.scrollTop = shown.offsetTop - this.moves.clientHeight / 2;
  }

  async copy() {
    const rows = this.steps.map((step, at) => (at ? `${at}. ${step.move.words}` : step.text));
    const text = `${rows.join("\n")}\n${this.steps.at(-1).turn}\n`;
    const done = await written(text);
    this.copied.textContent = done ? "Copied." : "The browser does not let the list be copied.";
  }
}

// Whether a text is on the clipboard. Pages that are not served safely have the old way only.
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
