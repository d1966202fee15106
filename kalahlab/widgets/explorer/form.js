// What is searched, to be changed in place. The search is Python's work: here is only the form.

import { choice, h } from "./dom.js";

const named = (names) => names.map((name) => [name, name.replaceAll("_", " ")]);

// `ask(wish)` resolves when the new search is there.
export function makeForm(asked, choices, ask) {
  const [first, second] = asked.searches;
  const position = asked.position === null ? null
    : h("input", { type: "text", value: asked.position, size: 34, spellcheck: "false", name: "position" });
  const depth = h("input", { type: "number", value: asked.depth, min: 0, max: 99, name: "depth" });
  const evaluator = choice("Evaluator", named(choices.evaluators), asked.evaluator);
  const leaf = choice("Depth in", named(choices.leaves), asked.leaf);
  const left = searchFields("", first, choices);
  const right = searchFields("Beside it: ", second ?? { algorithm: "" }, choices, true);
  const file = h("input", { type: "file", accept: ".json,application/json", onchange: openFile });

  function wish() {
    return {
      position: position?.value ?? null, evaluator: evaluator.select.value,
      depth: Number(depth.value), leaf: leaf.select.value,
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
    left.elements, position ? evaluator.element : null, field("Depth", depth), leaf.element,
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
