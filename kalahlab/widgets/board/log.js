// The moves of the game, to go back to and to take along.

import { button, make } from "./elements.js";

export class Log {
  // go(at): a reader wants to see the position after so many moves.
  constructor(go) {
    this.go = go;
    this.steps = [];
    this.moves = make("ol", { class: "kb-moves" });
    this.copied = make("span", { role: "status" });
    const copy = button("Copy", () => this.copy());
    this.element = make(
      "section", { class: "kb-log", "aria-label": "Moves" },
      make("p", {}, make("b", {}, "Moves")), this.moves,
      make("p", { class: "kb-copy" }, copy, " ", this.copied),
    );
  }

  show(steps, place) {
    this.steps = steps;
    const rows = steps.map((step, at) => {
      const words = step.move ? step.move.words : `Start: ${step.text}`;
      const row = button(words, () => this.go(at));
      if (at === place) row.setAttribute("aria-current", "step");
      return make("li", { value: at, class: at ? "" : "kb-first" }, row);
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
    const area = make("textarea", { style: "position:fixed;opacity:0" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
