// The camera of a tree: zoom, pan, fit, and following the search.

/** @import { Box, Grip, Held, Item, Press, Sight } from "./types.js" */

import { EXTENT, LEVEL } from "../shared/metrics.js";
import { contains, include } from "./layout.js";

const LEAST = 0.2,
  MOST = 3;
const NARROW = 560; // up to this width of the stage, the screen is a telephone's
const SMALLEST = 0.6; // smallest zoom at which a node can be read
const SMALLEST_THERE = 0.55; // the same on a telephone, which is held closer
const SMALLEST_WHOLE = 0.5; // of a tree that is shown as a whole

export class Camera {
  x = 0;
  y = 0;
  z = 1;
  following = true;
  /** @type {{ w: number, h: number } | null} */
  #measured = null;
  #placed = false;
  #stage;
  #view;
  #moved;

  // view() returns the layout and what is to be kept in sight; moved() is called after every
  // change.
  /** @param {HTMLElement} stage @param {() => Sight} view @param {(camera: Camera, smooth: boolean) => void} moved */
  constructor(stage, view, moved) {
    this.#stage = stage;
    this.#view = view;
    this.#moved = moved;
  }

  // The size of the stage without the part that the controls cover.
  get #size() {
    this.#measured ??= measure(this.#stage);
    return this.#measured;
  }

  // Returns the visible box, in the tree's coordinates, with a margin in screens around it.
  /** @returns {Box} */
  seen(margin = 0) {
    const { w, h } = this.#size;
    const { x, y, z } = this;
    return {
      l: (-x - w * margin) / z,
      r: (w * (1 + margin) - x) / z,
      t: (-y - h * margin) / z,
      b: (h * (1 + margin) - y) / z,
    };
  }

  // Returns the box that contains the centres of all nodes that are at least partly visible.
  /** @type {(margin: number) => Box} */
  area(margin) {
    const { l, r, t, b } = this.seen(margin);
    return { l: l - EXTENT.x, r: r + EXTENT.x, t: t - LEVEL.down, b: b + EXTENT.down };
  }

  // Returns the zoom at which a box fills the stage except for a margin.
  /** @type {(box: Box, margin: number) => number} */
  #roomFor(box, margin) {
    const { w, h } = this.#size;
    return Math.min((w - margin) / (box.r - box.l), (h - margin) / (box.b - box.t));
  }

  // The same, up to the largest useful zoom.
  /** @type {(box: Box) => number} */
  #zoomFor(box) {
    return Math.min(2, this.#roomFor(box, 24));
  }

  // This camera, and that of a tree beside it.
  /** @returns {Camera[]} */
  get #both() {
    return [this, ...(this.#view().beside ?? [])];
  }

  // Two trees beside each other get the same zoom if both are readable then.
  fit(smooth = true) {
    const { h } = this.#size;
    const { box, across } = this.#view().layout;
    const fitting = this.#both.map((camera) => camera.#zoomFor(camera.#view().layout.box));
    const readable = fitting.filter((z) => z >= SMALLEST_WHOLE);
    const z = Math.max(LEAST, Math.min(fitting[0], ...readable));
    const middle = h / 2 - (z * (box.t + box.b)) / 2;
    this.#aim(z, box, across ? middle : Math.min(middle, 40 - z * box.t), smooth);
  }

  // Centres a box horizontally, with the tree's origin at height y.
  /** @type {(z: number, box: Box, y: number, smooth: boolean) => void} */
  #aim(z, box, y, smooth) {
    this.#go(z, this.#size.w / 2 - (z * (box.l + box.r)) / 2, y, smooth);
  }

  /** @type {(z: number, x: number, y: number, smooth: boolean) => void} */
  #go(z, x, y, smooth) {
    Object.assign(this, { z, x, y });
    this.#moved(this, smooth);
  }

  /** @type {(factor: number, cx?: number, cy?: number) => void} */
  zoom(factor, cx = this.#size.w / 2, cy = this.#size.h / 2) {
    for (const camera of this.#both) camera.#zoomAt(factor, cx, cy);
  }

  /** @type {(factor: number, cx: number, cy: number) => void} */
  #zoomAt(factor, cx, cy) {
    const z = Math.min(MOST, Math.max(LEAST, this.z * factor));
    const by = z / this.z;
    this.following = false;
    this.#go(z, cx - (cx - this.x) * by, cy - (cy - this.y) * by, false);
  }

  /** @type {(x: number, y: number) => void} */
  pan(x, y) {
    this.following = false;
    this.#go(this.z, x, y, false);
  }

  // Centres a point in the tree's coordinates.
  /** @type {(x: number, y: number) => void} */
  centre(x, y) {
    const { w, h } = this.#size;
    this.pan(w / 2 - this.z * x, h / 2 - this.z * y);
  }

  // Moves only if something relevant is out of sight: the node, its children and the bound's owner,
  // or as much of this as is readable. On a slide the whole tree is shown.
  follow() {
    const { layout, item, owner, slide, projected } = this.#view();
    if (!this.following || !item) return;
    if (projected) return this.#project(item, owner ?? item, projected);
    if (slide) return this.fit();
    const must = this.#nearest(item, owner ?? item, SMALLEST);
    const first = !this.#placed;
    if (!first && contains(this.seen(), must)) return;
    this.#placed = true;
    const least = layout.across ? SMALLEST : SMALLEST_WHOLE;
    if (this.#zoomFor(layout.box) >= least) return this.fit(!first);
    this.#approach(must, item, layout.across, first);
  }

  // Returns a box around the node, its children and the bound's owner, or around as much of this as
  // is readable.
  /** @type {(item: Item, owner: Item, least: number) => Box} */
  #nearest(item, owner, least) {
    const sights = [
      [item, owner, ...item.kids],
      [item, owner],
      [item, item.up ?? item],
    ];
    const readable = sights.map(around).filter((box) => this.#roomFor(box, 0) >= least);
    return readable[0] ?? around([item]);
  }

  // Shows the whole tree if it is readable from afar, else the place of the search at a fixed zoom.
  /** @type {(item: Item, owner: Item, least: number) => void} */
  #project(item, owner, least) {
    const { w, h } = this.#size;
    const { box } = this.#view().layout;
    const first = !this.#placed;
    this.#placed = true;
    const whole = this.#roomFor(box, 0);
    const must = this.#nearest(item, owner, least);
    if (whole < least && !first && this.z === least && contains(this.seen(), must)) return;
    const frame = whole < least ? this.#withAncestors(must, item, least, 0) : box;
    const z = Math.max(whole, least);
    const [x, y] = [frame.l + frame.r, frame.t + frame.b];
    this.#go(z, (w - z * x) / 2, (h - z * y) / 2, !first);
  }

  // Widens a box to contain as many ancestors as there is room for.
  /** @type {(must: Box, item: Item, least: number, margin: number) => Box} */
  #withAncestors(must, item, least, margin) {
    const frame = { ...must };
    for (let { up } = item; up; { up } = up) {
      const more = { ...frame };
      include(more, up);
      if (this.#roomFor(more, margin) < least) break;
      Object.assign(frame, more);
    }
    return frame;
  }

  /** @type {(must: Box, item: Item, across: boolean, first: boolean) => void} */
  #approach(must, item, across, first) {
    const { h, w } = this.#size;
    const wanted = first ? 0.9 : Math.min(Math.max(this.z, 0.75), 1);
    const nearest = Math.min(wanted, Math.max(SMALLEST, this.#roomFor(must, 40)));
    const least = w < NARROW ? SMALLEST_THERE : nearest; // on a telephone more is shown, but smaller
    const margin = w < NARROW ? 20 : 40;
    const frame = this.#withAncestors(must, item, least, margin);
    const z = Math.min(nearest, Math.max(least, this.#roomFor(frame, margin)));
    const spare = Math.max(0, (h - 48 - z * (frame.b - frame.t)) / 2);
    const middle = h / 2 - (z * (frame.t + frame.b)) / 2;
    const top = Math.min(24 - z * frame.t, h - 24 - z * frame.b + spare);
    this.#aim(z, frame, across ? middle : top, !first);
  }

  refit() {
    for (const camera of this.#both) {
      camera.following = true;
      camera.fit();
    }
  }

  resized() {
    this.#measured = null;
    if (!this.following) return this.#moved(this, false);
    this.#placed = false;
    this.follow();
  }

  // The picture has changed: start as at first.
  anew() {
    this.following = true;
    this.#placed = false;
  }
}

/** @type {(stage: HTMLElement) => { w: number, h: number }} */
function measure(stage) {
  const [w, h] = [stage.clientWidth || 800, stage.clientHeight || 480];
  const controls = /** @type {HTMLElement} */ (stage.querySelector(".kx-view"));
  return { w, h: controls.offsetTop < 0 ? h : h - controls.offsetHeight - 10 }; // not on a slide
}

/** @type {(items: Item[]) => Box} */
function around(items) {
  const box = { l: Infinity, r: -Infinity, t: Infinity, b: -Infinity };
  for (const item of items) include(box, item);
  return box;
}

// The mouse pans in any direction, one finger sideways (vertically it scrolls the page, by the
// style's `touch-action`), two fingers pan and pinch. The wheel zooms with Ctrl or while the tree
// has the focus; otherwise the page scrolls. A press without movement is a click on a node.
/** @type {(stage: HTMLElement, camera: Camera, grip: Grip) => void} */
export function gestures(stage, camera, { click, grab }) {
  /** @type {Map<number, PointerEvent>} */
  const fingers = new Map();
  /** @type {Press | null} */
  let from = null;
  /** @type {Held | null} what a node's own drag made of this press */
  let held = null;

  /** @type {(event: PointerEvent) => void} */
  function begin(event) {
    const target = /** @type {Element} */ (event.target);
    if (target.closest("button, select, label")) return;
    fingers.set(event.pointerId, event);
    const { clientX: x, clientY: y } = event;
    from = { x, y, cx: camera.x, cy: camera.y, moved: false, target, pair: pairOf(fingers) };
  }

  /** @type {(event: PointerEvent) => void} */
  function move(event) {
    if (!from || !fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, event);
    if (fingers.size === 2) return pinch(stage, camera, from, pairOf(fingers));
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    if (!from.moved) {
      if (Math.hypot(dx, dy) < 4) return;
      from.moved = true;
      stage.setPointerCapture(event.pointerId);
      held = grab(from.target);
    }
    if (held) held.move(dx / camera.z, dy / camera.z);
    else camera.pan(from.cx + dx, from.cy + dy);
  }

  /** @type {(event: PointerEvent) => void} */
  function end(event) {
    fingers.delete(event.pointerId);
    // The browser scrolls the page instead: move the tree back.
    if (from?.moved && !held && event.type === "pointercancel") camera.pan(from.cx, from.cy);
    if (from && !from.moved && event.type === "pointerup") click(from.target);
    if (held) held.drop(event.type === "pointerup");
    from = held = null;
  }

  stage.addEventListener("wheel", (event) => zoomByWheel(stage, camera, event), { passive: false });
  stage.addEventListener("pointerdown", begin);
  stage.addEventListener("pointermove", move);
  stage.addEventListener("pointerup", end);
  stage.addEventListener("pointercancel", end);
}

/** @type {(stage: HTMLElement, camera: Camera, event: WheelEvent) => void} */
function zoomByWheel(stage, camera, event) {
  if (!event.ctrlKey && !event.metaKey && !stage.contains(document.activeElement)) return;
  event.preventDefault();
  const { left, top } = stage.getBoundingClientRect();
  camera.zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - left, event.clientY - top);
}

// Returns the distance of two fingers and the point between them; null for another number.
/** @type {(fingers: Map<number, PointerEvent>) => Press["pair"]} */
function pairOf(fingers) {
  const [one, two] = [...fingers.values()];
  if (!two) return null;
  const gap = Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
  return { gap, x: (one.clientX + two.clientX) / 2, y: (one.clientY + two.clientY) / 2 };
}

/** @type {(stage: HTMLElement, camera: Camera, from: Press, now: Press["pair"]) => void} */
function pinch(stage, camera, from, now) {
  const { left, top } = stage.getBoundingClientRect();
  const before = from.pair;
  from.moved = true;
  from.pair = now;
  if (!before || !now) return;
  camera.pan(camera.x + now.x - before.x, camera.y + now.y - before.y);
  camera.zoom(now.gap / before.gap, now.x - left, now.y - top);
}
