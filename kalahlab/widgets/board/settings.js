// Who plays, what the bars show, and from where: forms whose fields go to Python as they are. A new
// game begins with the players that are chosen.

import { choice, field, h } from "../shared/dom.js";
import { makePlayer } from "./player.js";

/** @import { Ask, Request } from "./types.js" */

// offered: players and evaluators. `ask(request)` is told what a reader wants. `show(values)` fills in
// what is true now.
/** @type {(offered: { suggested: string[][], evaluators: string[] }, hidden: boolean, ask: (request: Request) => unknown) => { element: any, show(values: Record<string, any>): void }} */
export function makeSettings(offered, hidden, ask) {
  /** @type {(name: string, min: number, max: number, value?: number) => HTMLElement} */
  const number = (name, min, max, value) => h("input", { type: "number", name, min, max, value });
  /** @type {(name: string, attributes: object) => HTMLElement} */
  const text = (name, attributes) =>
    h("input", { name, maxlength: 80, spellcheck: "false", autocomplete: "off", ...attributes });
  /** @type {Record<string, ReturnType<typeof makePlayer>>} */
  const players = { south: makePlayer("South", offered), north: makePlayer("North", offered) };
  /** @type {(request: string, legend: string, words: string, ...fields: HTMLElement[]) => HTMLElement} */
  const form = (request, legend, words, ...fields) => {
    /** @type {(event: any) => void} */
    const submit = (event) => {
      event.preventDefault();
      const { south, north } = players;
      const who = request.match(/players|new/) ? { south: south.spec(), north: north.spec() } : {};
      ask({ ask: request, ...Object.fromEntries(new FormData(event.target)), ...who });
    };
    const done = h("button", {}, words);
    return h("form", { onsubmit: submit, novalidate: true, "aria-label": legend }, fields, done);
  };
  const bars = [
    ["off", "nothing"],
    ["search", "a search"],
    ["exact", "perfect play"],
  ];
  const element = h(
    "details",
    { class: "kb-settings", hidden },
    h("summary", {}, "Players, values, another position"),
    form("players", "Players", "Set players", players.south.element, players.north.element),
    form(
      "values",
      "Values",
      "Show",
      choice("Values by", bars, "off", null, "values"),
      field("depth", number("depth", 1, 14)),
    ),
    form(
      "set up",
      "Another position",
      "Set up",
      field("Position, the mover as South", text("text", { class: "kb-text", maxlength: 300 })),
      choice(
        "to move",
        [
          ["0", "South"],
          ["1", "North"],
        ],
        "0",
        null,
        "mover",
      ),
    ),
    form(
      "game",
      "A game as text",
      "Load the game",
      field(
        "A game as text, from Copy or kalahlab play --save",
        h("textarea", { name: "text", rows: 4, cols: 34, spellcheck: "false" }),
      ),
    ),
    form(
      "new",
      "New game",
      "New game",
      field("Pits", number("pits", 1, 12, 6)),
      field("stones in each", number("stones", 0, 99, 4)),
      choice(
        "rules",
        [
          ["standard", "standard"],
          ["empty-capture", "empty capture"],
        ],
        "standard",
        null,
        "rules",
      ),
    ),
  );

  // What a reader is typing stays until it becomes, or something else becomes, true.
  /** @type {Record<string, any>} */
  let shown = {};
  /** @type {(values: Record<string, any>) => void} */
  function show(values) {
    for (const [name, value] of Object.entries(values))
      if (shown[name] !== value) {
        if (players[name]) players[name].show(value);
        else element.querySelector(`[name=${name}]`).value = value;
      }
    shown = values;
  }
  return { element, show };
}
