// Where the view looks: zoom, pan, fit, and following the search.

import { EXTENT, LEVEL } from "../shared/metrics.js";
import { include } from "./layout.js";

const LEAST = 0.2,
  MOST = 3;
const NARROW = 560; // a stage so narrow has its controls below the tree
const SMALLEST = 0.6; // at which a node can still be read
const NARROW_SMALLEST = 0.8; // on a telephone, which is held at arm's length and moved by a finger

// `view()` gives the layout and what is to be kept in sight; `moved` is told of every change.
export function makeCamera(stage, view, moved) {
  const camera = { x: 0, y: 0, z: 1, following: true };
  let sizes = null;
  let placed = false;

  // Without what the controls cover, where that is much of it.
  const size = () => (sizes ??= measured());
  function measured() {
    const [w, h] = [stage.clientWidth || 800, stage.clientHeight || 480];
    return { w, h: w < NARROW ? h - stage.querySelector(".kx-view").offsetHeight - 10 : h };
  }
  const go = (smooth) => moved(camera, smooth);

  // What is seen, in the tree's coordinates, with a margin in screens around it.
  camera.seen = (margin = 0) => {
    const { w, h } = size();
    const { x, y, z } = camera;
    return {
      l: (-x - w * margin) / z,
      r: (w * (1 + margin) - x) / z,
      t: (-y - h * margin) / z,
      b: (h * (1 + margin) - y) / z,
    };
  };

  // Where nodes stand of which a part is seen.
  camera.area = (margin) => {
    const { l, r, t, b } = camera.seen(margin);
    return { l: l - EXTENT.x, r: r + EXTENT.x, t: t - LEVEL.down, b: b + EXTENT.down };
  };

  camera.fit = (smooth = true) => {
    const { w, h } = size();
    const { box, across } = view().layout;
    const z = Math.max(
      LEAST,
      Math.min(1.4, (w - 24) / (box.r - box.l), (h - 24) / (box.b - box.t)),
    );
    const middle = h / 2 - (z * (box.t + box.b)) / 2;
    aim(
      z,
      w / 2 - (z * (box.l + box.r)) / 2,
      across ? middle : Math.min(middle, 40 - z * box.t),
      smooth,
    );
  };

  function aim(z, x, y, smooth) {
    Object.assign(camera, { z, x, y });
    go(smooth);
  }

  camera.zoom = (factor, cx = size().w / 2, cy = size().h / 2) => {
    const z = Math.min(MOST, Math.max(LEAST, camera.z * factor));
    const by = z / camera.z;
    camera.following = false;
    aim(z, cx - (cx - camera.x) * by, cy - (cy - camera.y) * by, false);
  };

  camera.pan = (x, y) => {
    camera.following = false;
    aim(camera.z, x, y, false);
  };

  // Look at a place in the tree's coordinates.
  camera.centre = (x, y) => {
    const { w, h } = size();
    camera.pan(w / 2 - camera.z * x, h / 2 - camera.z * y);
  };

  // Move only if what matters is out of sight: the node, its children and the bound's owner.
  camera.follow = () => {
    const { layout, item, owner } = view();
    if (!camera.following || !item) return;
    const { w, h } = size();
    const smallest = w < NARROW ? NARROW_SMALLEST : SMALLEST;
    let must = around([item, ...item.kids, ...(owner ? [owner] : [])]);
    const tooLarge = (must.b - must.t) * smallest > h || (must.r - must.l) * smallest > w;
    if (tooLarge) must = around([item]);
    if (placed && seen(must, w, h)) return;
    const first = !placed;
    placed = true;
    const { box } = layout;
    const whole = Math.min(1.4, (w - 24) / (box.r - box.l), (h - 24) / (box.b - box.t));
    if (whole >= (layout.across || w < NARROW ? smallest : 0.5)) return camera.fit(!first);
    const wanted = first ? 0.9 : Math.min(Math.max(camera.z, 0.75), 1);
    const z = Math.min(
      wanted,
      Math.max(smallest, (h - 40) / (must.b - must.t)),
      Math.max(smallest, (w - 40) / (must.r - must.l)),
    );
    const frame = withAncestors(must, item, z, w, h);
    const spare = Math.max(0, (h - 48 - z * (frame.b - frame.t)) / 2);
    const middle = h / 2 - (z * (frame.t + frame.b)) / 2;
    const top = Math.min(24 - z * frame.t, h - 24 - z * frame.b + spare);
    aim(z, w / 2 - (z * (frame.l + frame.r)) / 2, layout.across ? middle : top, !first);
  };

  function seen(box, w, h) {
    const { x, y, z } = camera;
    return box.l * z + x > 4 && box.r * z + x < w - 4 && box.t * z + y > 4 && box.b * z + y < h - 4;
  }

  function withAncestors(must, item, z, w, h) {
    const frame = { ...must };
    for (let up = item.up; up; up = up.up) {
      const more = { ...frame };
      include(more, up);
      if ((more.r - more.l) * z > w - 40 || (more.b - more.t) * z > h - 40) break;
      Object.assign(frame, more);
    }
    return frame;
  }

  camera.refit = () => {
    camera.following = true;
    camera.fit();
  };

  camera.resized = () => {
    sizes = null;
    if (!camera.following) return go(false);
    placed = false;
    camera.follow();
  };

  // Another picture: look for a place as at first.
  camera.anew = () => {
    camera.following = true;
    placed = false;
  };

  return camera;
}

function around(items) {
  const box = { l: Infinity, r: -Infinity, t: Infinity, b: -Infinity };
  for (const item of items) include(box, item);
  return box;
}

// The mouse drags in any direction, one finger sideways (up and down it scrolls the page, by the
// style's `touch-action`), two fingers in any direction, and they pinch; the wheel zooms with Ctrl or while the tree has the focus (so
// that the page scrolls otherwise). A press that does not move is a click on a node.
export function gestures(stage, camera, { click, grab }) {
  const fingers = new Map();
  let from = null;
  let held = null; // what a node's own drag made of this press

  stage.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey && !stage.contains(document.activeElement)) return;
      event.preventDefault();
      const box = stage.getBoundingClientRect();
      camera.zoom(
        Math.exp(-event.deltaY * 0.0015),
        event.clientX - box.left,
        event.clientY - box.top,
      );
    },
    { passive: false },
  );

  stage.addEventListener("pointerdown", (event) => {
    if (event.target.closest("button, select, label")) return;
    fingers.set(event.pointerId, event);
    const { clientX: x, clientY: y, target } = event;
    from = { x, y, cx: camera.x, cy: camera.y, moved: false, target, pair: pair() };
  });

  stage.addEventListener("pointermove", (event) => {
    if (!from || !fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, event);
    if (fingers.size === 2) return pinch();
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    if (!from.moved) {
      if (Math.hypot(dx, dy) < 4) return;
      from.moved = true;
      stage.setPointerCapture(event.pointerId);
      held = grab(from.target);
    }
    if (held) held.move(dx / camera.z, dy / camera.z);
    else camera.pan(from.cx + dx, from.cy + dy);
  });

  const end = (event) => {
    fingers.delete(event.pointerId);
    // The browser takes the finger to scroll the page: the tree has not moved.
    if (from?.moved && !held && event.type === "pointercancel") camera.pan(from.cx, from.cy);
    if (from && !from.moved && event.type === "pointerup") click(from.target);
    if (held) held.drop(event.type === "pointerup");
    from = held = null;
  };
  stage.addEventListener("pointerup", end);
  stage.addEventListener("pointercancel", end);

  // Two fingers: how far they are apart, and the middle between them.
  function pair() {
    const [one, two] = [...fingers.values()];
    if (!two) return null;
    const gap = Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
    return { gap, x: (one.clientX + two.clientX) / 2, y: (one.clientY + two.clientY) / 2 };
  }

  function pinch() {
    const box = stage.getBoundingClientRect();
    const [before, now] = [from.pair, pair()];
    from.moved = true;
    from.pair = now;
    if (!before) return;
    camera.pan(camera.x + now.x - before.x, camera.y + now.y - before.y);
    camera.zoom(now.gap / before.gap, now.x - box.left, now.y - box.top);
  }
}
