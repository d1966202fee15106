// What is searched, to be changed in place; and a tree written by hand, to be edited. All of it
// is Python's work: here is only what was asked.

import { button, choice, h } from "./dom.js";

const named = (names) => names.map((name) => [name, name.replaceAll("_", " ")]);

// `ask(wish)` resolves when the new search is there.
export function makeForm(asked, choices, ask) {
  const [first, second] = asked.searches;
  const position = asked.position === null ? null
    : h("input", { type: "text", value: asked.position, size: 34, spellcheck: "false", name: "position" });
  const depth = h("input", { type: "number", value: asked.depth, min: 0, max: 99, name: "depth" });
  const evaluator = choice("Evaluator", named(choices.evaluators), asked.evaluator);
  const unit = choice("Depth in", named(choices.units), asked.unit);
  const left = searchFields("", first, choices);
  const right = searchFields("Beside it: ", second ?? { algorithm: "" }, choices, true);
  const file = h("input", { type: "file", accept: ".json,application/json", onchange: openFile });

  function wish() {
    return {
      position: position?.value ?? null, evaluator: evaluator.select.value,
      depth: Number(depth.value), unit: unit.select.value,
      searches: [left.value(), right.value()].filter((each) => each.algorithm),
    };
  }

  async function openFile() {
    if (file.files.length) await ask({ trace: await file.files[0].text(), name: file.files[0].name });
    file.value = "";
  }

  const field = (label, input) => h("label", { class: "kx-field" }, label, input);
  const form = h(
    "form", { onsubmit: (event) => (event.preventDefault(), ask({ search: wish() })) },
    position ? field("Position", position) : null,
    left.elements, position ? evaluator.element : null, field("Depth", depth), unit.element,
    right.elements,
    h("button", { class: "kx-button primary" }, "Search"),
    h("label", { class: "kx-field" }, "Or open a trace file", file),
  );
  return h("details", { class: "kx-form" }, h("summary", {}, "Change the search"), form);
}

function searchFields(prefix, search, choices, optional = false) {
  const algorithms = [...(optional ? [["", "nothing"]] : []), ...named(choices.algorithms)];
  const algorithm = choice(`${prefix}Algorithm`, algorithms, search.algorithm);
  const order = choice(`${prefix}Order`, named(choices.orders), search.order ?? "pit");
  return {
    elements: [algorithm.element, order.element],
    value: () => ({ algorithm: algorithm.select.value, order: order.select.value }),
  };
}

// The branch indices that lead to a node of a tree written by hand.
export function branchPath(t, path) {
  return path.slice(1).map((i) => t.moves[t.move[i]][1]);
}

// For the selected node: its value if it is a leaf, and its place among its siblings.
export function editControls({ leaf, value, place, count, setValue, moveTo }) {
  const input = leaf && h("input", { type: "text", inputmode: "decimal", size: 6, value });
  const submit = (event) => {
    event.preventDefault();
    setValue(input.value);
  };
  return h(
    "div", { class: "kx-edit" },
    leaf ? h("form", { onsubmit: submit }, h("label", { class: "kx-field" }, "Value of this leaf", input),
      h("button", { class: "kx-button" }, "Set")) : null,
    button("Earlier", () => moveTo(place - 1), { disabled: place === 0, title: "Try this move earlier (Shift ←)" }),
    button("Later", () => moveTo(place + 1), { disabled: place === count - 1, title: "Try this move later (Shift →)" }),
  );
}
