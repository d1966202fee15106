// Forms for the players, the values in the bars, and the position. Their fields are sent to Python
// unchanged. A new game begins with the players that are chosen.

import { choice, field, h } from "../shared/dom.js";
import { makePlayer } from "./player.js";
import { SIDES } from "./state.js";

/** @import { Ask, Request } from "./types.js" */

/** @typedef {Record<string, ReturnType<typeof makePlayer>>} Players */

const VALUES = [
  ["off", "nothing"],
  ["search", "a search"],
  ["exact", "perfect play"],
];

/** @type {(name: string, min: number, max: number, value?: number) => HTMLElement} */
const number = (name, min, max, value) => h("input", { type: "number", name, min, max, value });

// Returns the parts of each form: its request, its name, its button, and its fields.
/** @type {(players: Players, ruleSets: string[]) => [ask: string, legend: string, words: string, ...fields: HTMLElement[]][]} */
const formsOf = ({ south, north }, ruleSets) => [
  ["players", "Players", "Set players", south.element, north.element],
  [
    "values",
    "Values",
    "Show",
    choice("Values by", VALUES, "off", null, "values"),
    field("depth", number("depth", 1, 14)),
  ],
  [
    "set up",
    "Another position",
    "Set up",
    field(
      "Position, the mover as South",
      h("input", {
        name: "text",
        maxlength: 300,
        spellcheck: "false",
        autocomplete: "off",
        class: "kb-text",
      }),
    ),
    choice("to move", SIDES, "0", null, "mover"),
  ],
  [
    "game",
    "A game as text",
    "Load the game",
    field(
      "A game as text, from Copy or kalahlab play --save",
      h("textarea", { name: "text", rows: 4, cols: 34, spellcheck: "false" }),
    ),
  ],
  [
    "new",
    "New game",
    "New game",
    field("Pits", number("pits", 1, 12, 6)),
    field("stones in each", number("stones", 0, 99, 4)),
    choice(
      "rules",
      ruleSets.map((rules) => [rules, rules]),
      ruleSets[0],
      null,
      "rules",
    ),
  ],
];

// offered: players, evaluators and rules. ask(request) sends a form; show(values) fills in current values.
/** @type {(offered: { suggested: string[][], evaluators: string[], rule_sets: string[] }, hidden: boolean, ask: (request: Request) => unknown) => { element: any, show(values: Record<string, any>): void }} */
export function makeSettings(offered, hidden, ask) {
  /** @type {Players} */
  const players = { south: makePlayer("South", offered), north: makePlayer("North", offered) };
  /** @type {Set<HTMLFormElement>} */
  const edited = new Set(); // forms changed by the reader since they were sent
  /** @type {(form: any, is: boolean) => void} */
  const markEdited = (form, is) => {
    edited[is ? "add" : "delete"](form);
    form.classList.toggle("kb-edited", is);
  };
  const forms = formsOf(players, offered.rule_sets).map(([request, legend, words, ...fields]) => {
    /** @type {(event: any) => void} */
    const onsubmit = (event) => {
      event.preventDefault();
      const { south, north } = players;
      const needsPlayers = request.match(/players|new/);
      const specs = needsPlayers ? { south: south.spec(), north: north.spec() } : {};
      markEdited(event.target, false);
      if (needsPlayers) markEdited(south.element.closest("form"), false);
      ask({ ask: request, ...Object.fromEntries(new FormData(event.target)), ...specs });
    };
    const submit = h("button", words);
    /** @type {(event: any) => void} */
    const oninput = (event) => markEdited(event.currentTarget, true);
    const attributes = { onsubmit, oninput, novalidate: true, "aria-label": legend };
    return h("form", attributes, fields, submit);
  });
  const summary = h("summary", "Players, values, another position");
  const element = h("details.kb-settings", { hidden }, summary, forms);

  // An answer that arrives while a reader fills in a form does not change that form.
  /** @type {Record<string, any>} */
  const lastShown = {};
  /** @type {(values: Record<string, any>) => void} */
  function show(values) {
    for (const [name, value] of Object.entries(values)) {
      const place = players[name]?.element ?? element.querySelector(`[name=${name}]`);
      if (lastShown[name] === value || edited.has(place.closest("form"))) continue;
      if (players[name]) players[name].show(value);
      else place.value = value;
      lastShown[name] = value;
    }
  }
  return { element, show };
}
