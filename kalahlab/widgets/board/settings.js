// Who plays, what the bars show, and from where: forms whose questions go to `ask`.

import { NAMES, make } from "./elements.js";

export function makeSettings(record, hidden, ask) {
  const list = `kb-players-${Math.random().toString(36).slice(2)}`;
  const player = () => make("input", { list, maxlength: "80", spellcheck: "false" });
  const [south, north] = [player(), player()];
  const options = record.suggested.map((value) => make("option", { value }));
  const choice = (words) =>
    make("select", {}, ...Object.entries(words).map(([value, said]) => make("option", { value }, said)));
  const values = choice({ off: "nothing", search: "a search", exact: "perfect play" });
  const depth = make("input", { type: "number", min: "1", max: "14" });
  const pits = make("input", { type: "number", min: "1", max: "12", value: "6" });
  const stones = make("input", { type: "number", min: "0", max: "99", value: "4" });
  const mover = choice(NAMES);
  const text = make("input", { class: "kb-text", maxlength: "300", spellcheck: "false" });
  const fields = { south, north, values, depth, text };
  const form = (legend, words, question, ...fields) => {
    const onsubmit = (event) => {
      event.preventDefault();
      ask(question());
    };
    const submit = make("button", { type: "submit" }, words);
    return make("form", { onsubmit, noValidate: true, "aria-label": legend }, ...fields, submit);
  };
  const named = (words, field) => make("label", {}, `${words} `, field);
  const element = make(
    "details",
    { class: "kb-settings", hidden },
    make("summary", {}, "Players, values, another position"),
    make("datalist", { id: list }, ...options),
    form(
      "Players",
      "Set players",
      () => ({ ask: "players", south: south.value, north: north.value }),
      named("South", south),
      named("North", north),
    ),
    form(
      "Values",
      "Show",
      () => ({ ask: "values", values: values.value, depth: depth.value }),
      named("Values by", values),
      named("depth", depth),
    ),
    form(
      "Another position",
      "Set up",
      () => ({ ask: "set up", text: text.value, mover: Number(mover.value) }),
      named("Position, the mover as South", text),
      named("to move", mover),
    ),
    form(
      "New game",
      "New game",
      () => ({ ask: "new", pits: pits.value, stones: stones.value }),
      named("Pits", pits),
      named("stones in each", stones),
    ),
  );
  return { element, fields };
}
