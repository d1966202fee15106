// A window as two walls that close in: alpha's from the left, beta's from the right.

import { s, set } from "../shared/dom.js";
import { barX } from "./appearance.js";
import { finite } from "./state.js";

export function makeBar(t, width, height, y) {
  const left = -width / 2;
  const track = s("rect", { class: "track", x: left, y, width, height, rx: 1.5 });
  const low = s("rect", { class: "wall-low", x: left, y, height });
  const high = s("rect", { class: "wall-high", y, height });
  const cross = s("rect", { class: "cross", y: y - 1.5, height: height + 3, rx: 1.5 });
  const tick = s("path", { class: "tick" });
  const element = s("g", { class: "bar" }, track, low, high, cross, tick);
  const update = ([alpha, beta, value]) => {
    const a = barX(t, alpha, width);
    const b = barX(t, beta, width);
    set(low, { width: Math.max(0, a - left) });
    set(high, { x: b, width: Math.max(0, -left - b) });
    const met = alpha >= beta;
    cross.style.display = met ? "" : "none";
    if (met) set(cross, { x: Math.min(a, b) - 2, width: Math.abs(a - b) + 4 });
    const x = finite(t, value) ? barX(t, value, width).toFixed(1) : null;
    set(tick, { d: x === null ? "" : `M${x} ${y - 2}v${height + 4}` });
  };
  return { element, update };
}
