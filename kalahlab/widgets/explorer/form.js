// The form that changes the search, which Python makes.

import { choice, field, form, h } from "../shared/dom.js";

/** @import { Ask } from "./types.js" */

// searched: the fields' values by name; choices: the options of the lists. ask(request) resolves
// when the new search has been loaded.
/** @type {(searched: Record<string, string>, choices: Record<string, any>, ask: Ask) => any} */
export function makeForm(searched, choices, ask) {
  /** @type {(label: string, name: string, attributes: object) => HTMLElement} */
  const input = (label, name, attributes) =>
    field(label, h("input", { name, value: searched[name], ...attributes }));
  /** @type {(name: string) => string[]} */
  const titled = (name) => [name, choices.labels?.[name] ?? name.replaceAll("_", " ")];
  /** @type {(label: string, name: string) => HTMLElement} */
  const list = (label, name) =>
    choice(label, choices[name].map(titled), searched[name], null, name);
  const file = h("input", { type: "file", accept: ".json,application/json", onchange: openFile });

  async function openFile() {
    if (file.files.length)
      await ask({ trace: await file.files[0].text(), name: file.files[0].name });
    file.value = "";
  }

  const fields = form(
    (search) => ask({ search }),
    choice("Game", choices.game.map(titled), searched.game, (game) => ask({ game })),
    input("Position", "position", { type: "text", size: 34, spellcheck: "false" }),
    list("Algorithm", "algorithm"),
    list("Order", "order"),
    list("Evaluator", "evaluator"),
    input("Depth", "depth", { type: "number", min: 0, max: 99 }),
    list("Depth in", "leaf"),
    list("Beside it: Algorithm", "beside"),
    list("Beside it: Order", "beside_order"),
    h("button.primary", "Search"),
    field("Or open a trace file", file),
  );
  return h("details.kx-form", h("summary", "Change the search"), fields);
}
