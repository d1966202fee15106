// Who plays, what the bars show, and from where: forms whose fields go to Python as they are. A new
// game begins with the players that are chosen.

import { choice, field, h } from "../shared/dom.js";
import { makePlayer } from "./player.js";

// offered: players and evaluators. `ask(request)` is told what a reader wants. `show(values)` fills in
// what is true now.
export function makeSettings(offered, hidden, ask) {
  const number = (name, min, max, value) => h("input", { type: "number", name, min, max, value });
  const text = (name, attributes) =>
    h("input", { name, maxlength: 80, spellcheck: "false", autocomplete: "off", ...attributes });
  const players = { south: makePlayer("South", offered), north: makePlayer("North", offered) };
  const edited = new Set(); // forms in which a reader has changed something since they were sent
  const form = (request, legend, words, ...fields) => {
    const submit = (event) => {
      event.preventDefault();
      const { south, north } = players;
      const named = request.match(/players|new/);
      const who = named ? { south: south.spec(), north: north.spec() } : {};
      edited.delete(event.target);
      if (named) edited.delete(south.element.closest("form"));
      ask({ ask: request, ...Object.fromEntries(new FormData(event.target)), ...who });
    };
    const done = h("button", {}, words);
    const edit = (event) => edited.add(event.currentTarget);
    const heard = { onsubmit: submit, oninput: edit, novalidate: true, "aria-label": legend };
    return h("form", heard, fields, done);
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

  // An answer that comes while a reader fills in a form leaves that form as it is.
  const shown = {};
  function show(values) {
    for (const [name, value] of Object.entries(values)) {
      const place = players[name]?.element ?? element.querySelector(`[name=${name}]`);
      if (shown[name] === value || edited.has(place.closest("form"))) continue;
      if (players[name]) players[name].show(value);
      else place.value = value;
      shown[name] = value;
    }
  }
  return { element, show };
}
