// The number of nodes visited, skipped and to come, compared with full minimax.

/** @import { OfNode, Trace } from "./types.js" */

import { h, put } from "../shared/dom.js";
import { big } from "./appearance.js";
import { countCuts, countSearched, countSkipped, valueText } from "./at_step.js";
import { isSelective } from "./trace.js";

const bold = () => h("b", "0");
/** @type {(cls: string, ...text: any[]) => HTMLElement} */
const swatch = (cls, ...text) => h(`span.kx-count.${cls}`, h("i"), ...text);

// Returns the number of nodes visited so far, and that of full minimax.
/** @type {OfNode<string>} */
export function tallyOf(t, k) {
  const visited = big(countSearched(t, k));
  return t.full && !isSelective(t) ? `${visited} / ${big(t.full)}` : visited;
}

/** @type {(t: Trace) => { element: HTMLElement, update(k: number): void }} */
export function makeCounts(t) {
  const [seen, cut, left, value] = [bold(), bold(), bold(), bold()];
  const cuts = h("span", "");
  const element = h(
    "div.kx-counts",
    swatch("visited", seen, " visited"),
    t.cutSteps.length ? swatch("skipped", t.addsUp ? [cut, " skipped by "] : null, cuts) : null,
    t.addsUp ? swatch("left", left, " to go") : null,
    t.full && !isSelective(t) ? h("span", "of ", h("b", big(t.full)), " in full minimax") : null,
    h("span", "value so far ", value),
  );
  /** @type {(k: number) => void} */
  const update = (k) => {
    put(value, valueText(t, 0, k) || "none yet");
    const [entered, spared, cutCount] = [countSearched(t, k), countSkipped(t, k), countCuts(t, k)];
    put(seen, big(entered));
    put(cut, big(spared));
    put(left, big(t.full - entered - spared));
    put(cuts, `${big(cutCount)} cut${cutCount === 1 ? "" : "s"}`);
  };
  return { element, update };
}
