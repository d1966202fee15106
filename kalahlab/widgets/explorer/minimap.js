// The whole tree in a corner, while only a part of it is visible: a frame marks that part, and a
// click moves it. It is for the mouse and the finger; keys move the camera with the focus.

import { canvasOf, h, onDrag, show } from "../shared/dom.js";
import { MAPPED } from "../shared/metrics.js";
import { CLOSED, phase, WAITING } from "./at_step.js";
import { colourOf } from "./timeline.js";
import { isMax } from "./trace.js";

/** @import { Camera } from "./camera.js" */
/** @import { Box, Layout, Point, Trace } from "./types.js" */

const LARGEST = { w: 150, h: 180 };
const NARROWEST = 60; // a long tree is drawn wider than it is
const ENOUGH = 0.8; // the map is hidden if this share of the tree is visible, across and down

const MAP = { hidden: true, "aria-hidden": "true", title: "The whole tree; click to look there" };

/** @type {(t: Trace, camera: Camera) => any} */
export function makeMinimap(t, camera) {
  const canvas = h("canvas");
  const frame = h("i");
  const element = h("div.kx-map.kx-extra", MAP, canvas, frame);
  /** @type {Layout | null} */
  let layout = null;
  let k = 0;
  let scale = { x: 1, y: 1 };
  let painted = false;
  /** @type {string[] | null} */
  let colours = null; // cached, as getComputedStyle takes as long as a step of the search

  onDrag(element, (event) => {
    if (!layout) return;
    const { left, top } = canvas.getBoundingClientRect();
    const { box } = layout;
    camera.centre(
      box.l + (event.clientX - left) / scale.x,
      box.t + (event.clientY - top) / scale.y,
    );
  });

  /** @type {(view: Layout, step: number) => void} */
  function update(view, step) {
    [layout, k, painted] = [view, step, false];
    move();
  }

  // The tree is repainted only after a change; when the camera moves, only the frame does.
  function move() {
    if (!layout) return;
    const { box } = layout;
    const seen = camera.seen();
    const part = commonOf(seen, box);
    const share = Math.min(
      (part.r - part.l) / (box.r - box.l),
      (part.b - part.t) / (box.b - box.t),
    );
    show(element, share < ENOUGH);
    if (element.hidden) return;
    if (!painted) paint(layout);
    show(frame, part.l <= part.r && part.t <= part.b);
    frame.style.translate = `${(part.l - box.l) * scale.x}px ${(part.t - box.t) * scale.y}px`;
    frame.style.width = `${(part.r - part.l) * scale.x}px`;
    frame.style.height = `${(part.b - part.t) * scale.y}px`;
  }

  /** @type {(view: Layout) => void} */
  function paint(view) {
    painted = true;
    colours ??= ["--max", "--min", "--line"].map((name) => colourOf(frame, name));
    const seen = camera.seen();
    scale = scaleOf(view, (seen.r - seen.l) * camera.z);
    drawTree(canvas, view, t, k, scale, colours);
  }

  function repaint() {
    colours = null;
    if (layout) update(layout, k);
  }

  return { element, update, move, repaint };
}

// room: the width of the stage.
/** @type {(view: Layout, room: number) => Point} */
function scaleOf({ box }, room) {
  const [w, h] = [box.r - box.l, box.b - box.t];
  const whole = Math.min(LARGEST.w / w, LARGEST.h / h, room / 3 / w);
  return { x: Math.max(whole, NARROWEST / w), y: Math.max(whole, NARROWEST / h) };
}

/** @type {(canvas: HTMLCanvasElement, view: Layout, t: Trace, k: number, scale: Point, colours: string[]) => void} */
function drawTree(canvas, { box, items, whole }, t, k, scale, [max, min, rest]) {
  const [w, h] = [(box.r - box.l) * scale.x, (box.b - box.t) * scale.y];
  canvas.style.width = `${w}px`;
  canvas.style.height = `${h}px`;
  const { context, scale: dense } = canvasOf(canvas, w, h);
  const width = Math.max(2, MAPPED.w * scale.x) * dense;
  const height = Math.max(1, MAPPED.h * scale.y) * dense;
  for (const { id, ghost, x, y } of items) {
    const now = phase(t, id, k);
    const still = ghost || now === WAITING;
    if (still && !whole && !(ghost && now === CLOSED)) continue;
    context.fillStyle = still ? rest : isMax(t, id) ? max : min;
    const [left, top] = [(x - box.l) * scale.x * dense, (y - box.t) * scale.y * dense];
    context.fillRect(left - width / 2, top - height / 2, width, height);
  }
}

/** @type {(one: Box, two: Box) => Box} */
const commonOf = (one, two) => ({
  l: Math.max(one.l, two.l),
  r: Math.min(one.r, two.r),
  t: Math.max(one.t, two.t),
  b: Math.min(one.b, two.b),
});
