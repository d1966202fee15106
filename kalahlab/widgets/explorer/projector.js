// Projector mode: the tree fills the screen, and can be read from the last row of a class. Sizes are
// those of a screen of 1920 × 1080 pixels. The view of growing trees has it, too.

/** @import { Item } from "./types.js" */

import { button } from "../shared/dom.js";
import { LEVEL, ROW } from "../shared/metrics.js";
import { layOut } from "./layout.js";

const VALUE = 18; // the font of values in the tree's own coordinates, as in explorer.css
const ROOM = { w: 940, h: 440 }; // the largest tree whose values are 36 pixels high
const WIDEST = 14 * ROW; // from ply to ply
const WIDE = 2; // the width of the stage, in heights
const MOST = 240; // largest gap between siblings

/** @typedef {{ widest: number, plies: number }} Sizes */

// Returns the zoom at which values are as large as the font of the stage.
/** @type {(stage: HTMLElement) => number} */
export const leastZoom = (stage) => Number.parseFloat(getComputedStyle(stage).fontSize) / VALUE;

// Returns the gap between siblings with which a whole tree is as wide as a screen; 0 if the values
// of all its nodes cannot be read at once. grow() returns the root of the whole tree, anew.
/** @type {(grow: () => Item, sizes: Sizes) => number} */
export function gapOnScreen(grow, sizes) {
  /** @type {(gap: number) => { w: number, h: number }} */
  const sizeWith = (gap) => {
    const { box } = layOut(grow(), sizes, false, LEVEL.down, gap);
    return { w: box.r - box.l, h: box.b - box.t };
  };
  let gap = 0;
  for (let { w, h } = sizeWith(8); w <= Math.min(ROOM.w, WIDE * h) && h <= ROOM.h && gap < MOST; ) {
    gap += 8;
    ({ w, h } = sizeWith(gap + 8));
  }
  return gap;
}

// Returns the distance of two plies in one of the trees that grow across the screen.
/** @type {(sizes: Sizes, trees: number) => number} */
export function stepAcross({ plies }, trees) {
  const rows = Math.floor(ROOM.w / trees / (plies + 1) / ROW);
  return Math.max(LEVEL.across, Math.min(WIDEST, rows * ROW));
}

// Makes the button that enters the mode, and the one that leaves it.
/** @type {(project: (on: boolean) => void) => { enter: HTMLButtonElement, leave: HTMLButtonElement }} */
export const makeProjector = (project) => ({
  enter: button("Projector", () => project(true), {
    class: "kx-project",
    title: "Fill the screen, for a class (P)",
  }),
  leave: button("×", () => project(false), {
    class: "kx-leave",
    "aria-label": "Leave projector mode",
    title: "Leave (P or Esc)",
  }),
});

// Gives the whole screen to a view, if the browser allows it, or takes it back. Browsers allow it
// only after a key or a click, and a frame may refuse.
/** @type {(root: HTMLElement, on: boolean) => void} */
export function fillScreen(root, on) {
  if (on) root.requestFullscreen?.().catch(() => {});
  else if (document.fullscreenElement === root) document.exitFullscreen();
}

// The keys; Page Down and Page Up are those of a presenter's remote control. next and previous: to
// the next and the previous cut, or iteration.
/** @type {(ways: Record<"step" | "back" | "next" | "previous" | "start" | "end" | "play" | "leave", () => unknown>) => Record<string, () => unknown>} */
export const projectorKeys = ({ step, back, next, previous, start, end, play, leave }) => ({
  ArrowRight: step,
  ".": step,
  PageDown: step,
  ArrowLeft: back,
  ",": back,
  PageUp: back,
  ArrowDown: next,
  ArrowUp: previous,
  Home: start,
  "[": start,
  End: end,
  "]": end,
  " ": play,
  Escape: leave,
  p: leave,
  P: leave,
});
