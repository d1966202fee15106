// The form in which a player is chosen: from a list, or a search by its evaluator and depth. The
// result is the player's text, as in files and links.

import { choice, field, h, show as reveal } from "../shared/dom.js";

/** @typedef {{ suggested: string[][], evaluators: string[] }} Offered */

const SEARCH = "search";
const SPEC = /^alpha_beta:(\w+):(\d+)$/;

/** @param {string} side @param {Offered} offered */
export function makePlayer(side, { suggested, evaluators }) {
  const options = [...suggested, [SEARCH, "a search, alpha-beta"]];
  const kind = choice(side, options, suggested[0][0], () => adapt());
  const names = evaluators.map((name) => [name, name.replaceAll("_", " ")]);
  const evaluator = choice("evaluator", names, evaluators[0]);
  const depth = h("input", { type: "number", min: 1, max: 14, value: 4 });
  const search = h("span.kb-search", evaluator, field("depth", depth));
  const element = h("div.kb-player", { "data-side": side }, kind, search);
  const [who, by] = [kind, evaluator].map(
    (label) => /** @type {HTMLSelectElement} */ (label.querySelector("select")),
  );
  const adapt = () => reveal(search, who.value === SEARCH);

  /** @param {string} spec */
  function show(spec) {
    const match = SPEC.exec(spec);
    if (match && evaluators.includes(match[1])) {
      [who.value, by.value, depth.value] = [SEARCH, match[1], match[2]];
    } else {
      // a player that was set in Python or by a link is added to the list
      if (![...who.options].some(({ value }) => value === spec))
        who.append(h("option", { value: spec }, spec));
      who.value = spec;
    }
    adapt();
  }

  adapt();
  const spec = () => (who.value === SEARCH ? `alpha_beta:${by.value}:${depth.value}` : who.value);
  return { element, show, spec };
}
