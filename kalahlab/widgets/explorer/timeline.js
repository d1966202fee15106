// The timeline: the whole search from left to right, a row per ply in the colour of the player to
// move, and below them the root's value so far. A click or a drag goes to that step.

import { canvasOf, h, onDrag } from "../shared/dom.js";
import { isSure } from "./at_step.js";
import { enterOf, isLeaf, isMax, leaveOf, takesBest } from "./trace.js";

/** @import { OfTrace, Trace } from "./types.js" */

const PLY_ROW = 6,
  LINE_HEIGHT = 26;

/** @type {(t: Trace, last: number, go: (k: number) => void) => any} */
export function makeTimeline(t, last, go) {
  const canvas = h("canvas.kx-strip", { width: 0, "aria-hidden": "true" });
  const line = h("canvas.kx-line", { "aria-hidden": "true" });
  const head = h("i.kx-playhead");
  const element = h(
    "div.kx-strip-box.kx-extra",
    { title: "The whole search, left to right in time; click to go there" },
    canvas,
    line,
    head,
  );
  canvas.style.height = `${(t.plies + 1) * PLY_ROW}px`;
  line.style.height = `${LINE_HEIGHT}px`;
  onDrag(element, (event) => {
    const { left, width } = canvas.getBoundingClientRect();
    go(Math.round(((event.clientX - left) / width) * last));
  });

  function paint() {
    const [max, min, ink, rest] = ["--max", "--min", "--ink", "--line"].map((name) =>
      colourOf(head, name),
    );
    paintRows(t, last, canvas, max, min);
    paintLine(t, last, line, ink, rest);
  }

  const resized = () => Math.round(canvas.clientWidth * (devicePixelRatio || 1)) !== canvas.width;

  // The future is hidden; the rows show it if the whole tree is shown.
  /** @type {(k: number, whole: boolean) => void} */
  function update(k, whole) {
    const clip = `inset(0 ${(1 - k / last) * 100}% 0 0)`;
    head.style.left = `${(k / last) * 100}%`;
    line.style.clipPath = clip;
    canvas.style.clipPath = whole ? "" : clip;
  }

  return { element, paint, resized, update };
}

// Draws at most one bar per pixel and ply.
/** @type {(t: Trace, last: number, canvas: HTMLCanvasElement, max: string, min: string) => void} */
function paintRows(t, last, canvas, max, min) {
  const { context, scale } = canvasOf(canvas, canvas.clientWidth, PLY_ROW * (t.plies + 1));
  const { width } = canvas;
  const drawnTo = new Float64Array(t.plies + 1).fill(-1);
  const perStep = width / last;
  for (let i = 0; i < t.n; i++) {
    const ply = t.ply[i];
    const end = (leaveOf(t, i) + 1) * perStep;
    if (end < drawnTo[ply]) continue;
    const start = Math.max(enterOf(t, i) * perStep, drawnTo[ply]);
    const gap = end - start > 4 * scale ? scale : 0;
    context.fillStyle = isMax(t, i) ? max : min;
    context.globalAlpha = isLeaf(t, i) ? 0.35 : 0.8;
    context.fillRect(
      start,
      ply * PLY_ROW * scale,
      Math.max(1, end - start - gap),
      (PLY_ROW - 1) * scale,
    );
    drawnTo[ply] = Math.max(end, Math.floor(start) + 1);
  }
}

// Draws the root's value so far as a step function.
/** @type {(t: Trace, last: number, canvas: HTMLCanvasElement, ink: string, line: string) => void} */
function paintLine(t, last, canvas, ink, line) {
  const { context, scale } = canvasOf(canvas, canvas.clientWidth, LINE_HEIGHT);
  const { width } = canvas;
  const values = rootValues(t);
  if (!values.length) return;
  const numbers = values.map((value) => t.numbers[value.place] ?? 0);
  const [low, high] = [Math.min(0, ...numbers), Math.max(0, ...numbers)];
  /** @type {(number: number) => number} */
  const y = (number) => (3 + ((high - number) / (high - low || 1)) * (LINE_HEIGHT - 6)) * scale;
  /** @type {(k: number) => number} */
  const x = (k) => (k / last) * width;
  context.fillStyle = line;
  context.fillRect(0, y(0), width, scale);
  context.strokeStyle = ink;
  context.lineWidth = 1.5 * scale;
  context.beginPath();
  values.forEach((value, n) => {
    const end = values[n + 1]?.step ?? t.steps;
    context[n ? "lineTo" : "moveTo"](x(value.step), y(numbers[n]));
    context.lineTo(x(end), y(numbers[n]));
  });
  context.stroke();
}

// Returns the steps at which a child improved the root's value, with the values.
/** @type {OfTrace<{ step: number, place: number }[]>} */
function rootValues(t) {
  /** @type {{ step: number, place: number }[]} */
  const values = [];
  if (!takesBest(t)) return values; // its value is known only at the end
  const max = isMax(t, 0);
  for (let c = 1; c < t.n; c += t.size[c]) {
    const latest = values.at(-1)?.place;
    if (!isSure(t, c)) continue;
    if (latest === undefined || (max ? t.value[c] > latest : t.value[c] < latest))
      values.push({ step: leaveOf(t, c) + 1, place: t.value[c] });
  }
  return values;
}

// Returns a custom property as a colour for a canvas.
/** @type {(probe: HTMLElement, name: string) => string} */
export function colourOf(probe, name) {
  probe.style.color = `var(${name})`;
  const { color } = getComputedStyle(probe);
  probe.style.color = "";
  return color;
}
