// The whole tree in a corner, while only a part of it is seen: where that is, and a way there. For
// the mouse and the finger; the keys move the camera by moving the focus.

import { h, show } from "../shared/dom.js";
import { MAPPED } from "../shared/metrics.js";
import { CLOSED, phase, WAITING } from "./at_step.js";
import { colourOf } from "./timeline.js";
import { isMax } from "./trace.js";

/** @import { Camera } from "./camera.js" */
/** @import { Layout, Trace } from "./types.js" */

const LARGEST = { w: 150, h: 180 };
const NARROWEST = 60; // a long tree is drawn wider than it is
const ENOUGH = 0.8; // who sees so much of the tree, across and down, needs no map

/** @type {(t: Trace, camera: Camera) => any} */
export function makeMinimap(t, camera) {
  const canvas = h("canvas", {});
  const frame = h("i", {});
  const element = h(
    "div",
    {
      class: "kx-map",
      hidden: true,
      "aria-hidden": "true",
      title: "The whole tree; click to look there",
    },
    canvas,
    frame,
  );
  /** @type {Layout | null} */
  let layout = null;
  let k = 0;
  let scale = { x: 1, y: 1 };
  let painted = false;
  /** @type {string[] | null} */
  let colours = null; // to ask the browser for them takes as long as a step of the search

  /** @type {(event: PointerEvent) => void} */
  const look = (event) => {
    if (!(event.buttons & 1)) return;
    if (!layout) return;
    const { left, top } = canvas.getBoundingClientRect();
    const { box } = layout;
    camera.centre(
      box.l + (event.clientX - left) / scale.x,
      box.t + (event.clientY - top) / scale.y,
    );
  };
  element.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
    event.stopPropagation();
    element.setPointerCapture(event.pointerId);
    look(event);
  });
  element.addEventListener("pointermove", look);

  /** @type {(view: Layout, step: number) => void} */
  function update(view, step) {
    [layout, k, painted] = [view, step, false];
    move();
  }

  // The tree is painted anew only when it has changed; when the camera moves, the frame does.
  function move() {
    if (!layout) return;
    const { box } = layout;
    const seen = camera.seen();
    const part = {
      l: Math.max(seen.l, box.l),
      r: Math.min(seen.r, box.r),
      t: Math.max(seen.t, box.t),
      b: Math.min(seen.b, box.b),
    };
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

  /** @type {(layout: Layout) => void} */
  function paint({ box, items, whole: all }) {
    painted = true;
    const [w, h] = [box.r - box.l, box.b - box.t];
    const seen = camera.seen();
    const room = (seen.r - seen.l) * camera.z; // of the stage
    const whole = Math.min(LARGEST.w / w, LARGEST.h / h, room / 3 / w);
    scale = { x: Math.max(whole, NARROWEST / w), y: Math.max(whole, NARROWEST / h) };
    const dense = devicePixelRatio || 1;
    canvas.style.width = `${w * scale.x}px`;
    canvas.style.height = `${h * scale.y}px`;
    [canvas.width, canvas.height] = [
      Math.ceil(w * scale.x * dense),
      Math.ceil(h * scale.y * dense),
    ];
    const context = canvas.getContext("2d");
    colours ??= ["--max", "--min", "--line"].map((name) => colourOf(frame, name));
    const [max, min, rest] = colours;
    const size = {
      w: Math.max(2, MAPPED.w * scale.x) * dense,
      h: Math.max(1, MAPPED.h * scale.y) * dense,
    };
    for (const { id, ghost, x, y } of items) {
      const now = phase(t, id, k);
      const still = ghost || now === WAITING;
      if (still && !all && !(ghost && now === CLOSED)) continue;
      context.fillStyle = still ? rest : isMax(t, id) ? max : min;
      const [left, top] = [(x - box.l) * scale.x * dense, (y - box.t) * scale.y * dense];
      context.fillRect(left - size.w / 2, top - size.h / 2, size.w, size.h);
    }
  }

  function repaint() {
    colours = null;
    if (layout) update(layout, k);
  }

  return { element, update, move, repaint };
}
