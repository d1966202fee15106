// The overlay of the tree: scissors and bounds at cuts, crosses, and rings around the relevant nodes.

/** @import { Item, Key, Layout, Marks, Trace } from "./types.js" */

import { s } from "../shared/dom.js";
import { CUT, LEAF, LEAF_STEP, NODE, WINDOW } from "../shared/metrics.js";
import { CLOSED, phase } from "./at_step.js";
import { showsWindows } from "./edges.js";
import { rightOfCut } from "./layout.js";
import { SCISSORS } from "./shapes.js";
import { cutText, isCut } from "./trace.js";

// shown: the nodes that are painted, by key.
/** @type {(t: Trace, view: Layout, k: number, shown: Map<Key, unknown>) => SVGElement[]} */
export function scissors(t, view, k, painted) {
  const parts = [];
  for (const item of view.items) {
    if (item.ghost || !item.kids.length || !isCut(t, item.id)) continue;
    if (phase(t, item.id, k) !== CLOSED || !painted.has(item.key)) continue;
    const [line, place] = cutLine(item, view.across);
    parts.push(s("path.cutline", { d: line }));
    parts.push(s("path.scissors", { d: SCISSORS, transform: place }));
    if (!view.across) parts.push(s("text.reached", endOfCut(item), cutText(t, item.id)));
  }
  return parts;
}

// Returns the line before the moves never tried, and the place of the scissors.
/** @type {(item: Item, across: boolean) => [line: string, place: string]} */
function cutLine(item, across) {
  const first = /** @type {Item} */ (item.kids.find((kid) => kid.ghost));
  const last = item.kids[item.kids.length - 1];
  if (across) {
    const x = first.x - (first.leafy ? LEAF.w + 7 : 25);
    return [`M${x} ${first.y - 13}V${last.y + 13}`, `translate(${x} ${first.y - 18}) rotate(90)`];
  }
  if (item.column) {
    const y = first.y - LEAF_STEP / 2;
    const { left, right } = CUT.column;
    return [`M${item.x + left} ${y}H${item.x + right}`, `translate(${item.x + left - 8} ${y})`];
  }
  const { side, up } = CUT.row;
  const y = first.y - up;
  return [`M${first.x - side} ${y}H${last.x + side}`, `translate(${first.x - side - 6} ${y})`];
}

// Returns the place of the bound, beside the end of the line.
/** @type {(item: Item) => { x: number, y: number }} */
function endOfCut(item) {
  const first = /** @type {Item} */ (item.kids.find((kid) => kid.ghost));
  const above = item.column ? LEAF_STEP / 2 : CUT.row.up;
  return { x: rightOfCut(item) + CUT.text.gap, y: first.y - above + 4 };
}

/** @type {(view: Layout, crossed: number[]) => SVGElement[]} */
export const crosses = (view, crossed) =>
  crossed.flatMap((key) => {
    const item = view.at.get(key);
    if (!item) return [];
    const { x, y, leafy } = item;
    const [w, h] = leafy ? [LEAF.w, LEAF.h] : [NODE.w, NODE.tip];
    const d = `M${x - w} ${y - h}L${x + w} ${y + h}M${x - w} ${y + h}L${x + w} ${y - h}`;
    return [s("path.cutline", { d })];
  });

/** @type {(t: Trace, view: Layout, marks: Marks) => SVGElement[]} */
export function rings(t, view, marks) {
  const windows = showsWindows(t, view);
  const parts = [];
  /** @type {(item: Item, cls: string) => SVGElement} */
  const around = (item, cls) => ring(item, cls, windows, view.across);
  const [owner, cutter] = [view.at.get(marks.owner), view.at.get(marks.cutter)];
  if (owner && cutter) {
    parts.push(around(owner, "owner"), around(cutter, "cutter"));
    const width = marks.bound.length * 7.6 + 14;
    const { x, y } = owner;
    const pill = s("rect.pill", { x: x - width / 2, y: y + 32, width, height: 18, rx: 9 });
    parts.push(s("g.hold", pill, s("text.bound", { x, y: y + 45.5 }, marks.bound)));
  }
  const [now, focus] = [view.at.get(marks.current), view.at.get(marks.focus)];
  if (now && now !== cutter) parts.push(around(now, "now"));
  if (focus && focus !== now) parts.push(around(focus, "focus"));
  return parts;
}

// The ring includes the name above the node, and the window below.
/** @type {(item: Item, cls: string, windows: boolean, across: boolean) => SVGElement} */
function ring(item, cls, windows, across) {
  const [w, h] = item.leafy ? [LEAF.w + 3, LEAF.h + 2.5] : [NODE.w + 6, NODE.tip + 4];
  const left = Math.max(w, item.name + 4);
  const up = item.leafy || across || !item.up ? h : h + 14;
  const below = across ? WINDOW.y + WINDOW.h + 5 : WINDOW.end + 2;
  const down = !item.leafy && windows ? below : h;
  return s("rect", {
    class: `ring ${cls}`,
    x: item.x - left,
    y: item.y - up,
    width: left + w,
    height: up + down,
    rx: item.leafy ? 7 : 11,
  });
}
