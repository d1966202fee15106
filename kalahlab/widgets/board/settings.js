// Who plays, what the bars show, and from where: forms whose fields go to Python as they are. A new
// game begins with the players that are typed.

import { choice, field, h } from "../shared/dom.js";

// `ask(request)` is told what a reader wants. `show(values)` fills in what is true now.
export function makeSettings(suggested, hidden, ask) {
  const list = `kb-players-${Math.random().toString(36).slice(2)}`;
  const number = (name, min, max, value) => h("input", { type: "number", name, min, max, value });
  const text = (name, attributes) =>
    h("input", { name, maxlength: 80, spellcheck: "false", autocomplete: "off", ...attributes });
  const form = (request, legend, words, ...fields) => {
    const submit = (event) => {
      event.preventDefault();
      const others = request === "new" ? [element.querySelector("[aria-label=Players]")] : [];
      const given = [event.target, ...others].flatMap((form) => [...new FormData(form)]);
      ask({ ask: request, ...Object.fromEntries(given) });
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
    h(
      "datalist",
      { id: list },
      suggested.map(([value, label]) => h("option", { value, label })),
    ),
    form(
      "players",
      "Players",
      "Set players",
      field("South", text("south", { list })),
      field("North", text("north", { list })),
    ),
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
  let shown = {};
  function show(values) {
    for (const [name, value] of Object.entries(values))
      if (shown[name] !== value) element.querySelector(`[name=${name}]`).value = value;
    shown = values;
  }
  return { element, show };
}
