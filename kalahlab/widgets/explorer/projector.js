// Projector mode: the tree fills the screen, and can be read from the last row of a class. Sizes are
// those of a screen of 1920 × 1080 pixels.

/** @import { Host, Scene, Trace } from "./types.js" */

import { LEVEL, ROW } from "../shared/metrics.js";
import { layOut, visibleTree } from "./layout.js";
import { goTo, goToCut, isSmall, stepBy, togglePlaying } from "./state.js";

const VALUE = 18; // the font of values in the tree's own coordinates, as in explorer.css
const ROOM = { w: 940, h: 440 }; // the largest tree whose values are 36 pixels high
const WIDEST = 14 * ROW; // from ply to ply
const WIDE = 2; // the width of the stage, in heights
const MOST = 240; // largest gap between siblings

// Returns the zoom at which values are as large as the font of the stage.
/** @type {(stage: HTMLElement) => number} */
export const leastZoom = (stage) => Number.parseFloat(getComputedStyle(stage).fontSize) / VALUE;

// Returns the gap between siblings with which a tree is as wide as a screen; 0 if the values of all
// its nodes cannot be read at once.
/** @type {(t: Trace) => number} */
export function gapOnScreen(t) {
  /** @type {(gap: number) => { w: number, h: number }} */
  const sizeWith = (gap) => {
    const root = visibleTree(t, () => true, false);
    const { box } = layOut(root, t, false, LEVEL.down, gap);
    return { w: box.r - box.l, h: box.b - box.t };
  };
  if (!isSmall(t)) return 0;
  let gap = 0;
  for (let { w, h } = sizeWith(8); w <= Math.min(ROOM.w, WIDE * h) && h <= ROOM.h && gap < MOST; ) {
    gap += 8;
    ({ w, h } = sizeWith(gap + 8));
  }
  return gap;
}

// Returns a scene in which only the path to the current node is open.
/** @type {(scene: Scene) => Scene} */
export const onPath = (scene) => ({ ...scene, view: { ...scene.view, show: "path" } });

// Returns the distance of two plies in one of the trees that grow across the screen.
/** @type {(t: Trace, trees: number) => number} */
export function stepAcross({ plies }, trees) {
  const rows = Math.floor(ROOM.w / trees / (plies + 1) / ROW);
  return Math.max(LEVEL.across, Math.min(WIDEST, rows * ROW));
}

// The keys; Page Down and Page Up are those of a presenter's remote control.
/** @type {(host: Host) => Record<string, () => unknown>} */
export function projectorKeys({ act, project }) {
  const [step, back] = [() => act(stepBy, 1), () => act(stepBy, -1)];
  const leave = () => project(false);
  return {
    ArrowRight: step,
    ".": step,
    PageDown: step,
    ArrowLeft: back,
    ",": back,
    PageUp: back,
    ArrowDown: () => act(goToCut, 1),
    c: () => act(goToCut, 1),
    ArrowUp: () => act(goToCut, -1),
    C: () => act(goToCut, -1),
    Home: () => act(goTo, 0),
    "[": () => act(goTo, 0),
    End: () => act(goTo, Infinity),
    "]": () => act(goTo, Infinity),
    " ": () => act(togglePlaying),
    Escape: leave,
    p: leave,
    P: leave,
  };
}
