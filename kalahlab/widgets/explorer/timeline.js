// The whole search at a glance, left to right in time: a row per ply in the colour of who moves,
// and under it the root's value so far. Click or drag to go there.

import { h } from "../shared/dom.js";
import { counts } from "./at_step.js";
import { enterOf, isLeaf, isMax, leaveOf } from "./trace.js";

/** @import { OfTrace, Trace } from "./types.js" */

const PLY_ROW = 6,
  LINE_HEIGHT = 26;

/** @type {(t: Trace, last: number, go: (k: number) => void) => any} */
export function makeTimeline(t, last, go) {
  const canvas = h("canvas", { class: "kx-strip", width: 0, "aria-hidden": "true" });
  const line = h("canvas", { class: "kx-line", "aria-hidden": "true" });
  const head = h("i", { class: "kx-playhead" });
  const element = h(
    "div",
    { class: "kx-strip-box", title: "The whole search, left to right in time; click to go there" },
    canvas,
    line,
    head,
  );
  canvas.style.height = `${(t.plies + 1) * PLY_ROW}px`;
  line.style.height = `${LINE_HEIGHT}px`;
  const search = { t, last, values: rootValues(t) };

  /** @type {(event: PointerEvent) => void} */
  const seek = (event) => {
    if (!(event.buttons & 1)) return;
    const { left, width } = canvas.getBoundingClientRect();
    go(Math.round(((event.clientX - left) / width) * last));
  };
  element.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
    element.setPointerCapture(event.pointerId);
    seek(event);
  });
  element.addEventListener("pointermove", seek);

  function paint() {
    const scale = devicePixelRatio || 1;
    const width = Math.round(canvas.clientWidth * scale);
    const colours = {
      max: colourOf(head, "--max"),
      min: colourOf(head, "--min"),
      ink: colourOf(head, "--ink"),
      line: colourOf(head, "--line"),
    };
    paintRows(search, canvas, width, scale, colours);
    paintLine(search, line, width, scale, colours);
  }

  const resized = () => Math.round(canvas.clientWidth * (devicePixelRatio || 1)) !== canvas.width;

  // What is to come is not shown; of the rows, only if the whole tree is.
  /** @type {(k: number, whole: boolean) => void} */
  function update(k, whole) {
    const clip = `inset(0 ${(1 - k / last) * 100}% 0 0)`;
    head.style.left = `${(k / last) * 100}%`;
    line.style.clipPath = clip;
    canvas.style.clipPath = whole ? "" : clip;
  }

  return { element, paint, resized, update };
}

/** @typedef {{ t: Trace, last: number, values: ReturnType<typeof rootValues> }} Search */
/** @typedef {(search: Search, canvas: HTMLCanvasElement, width: number, scale: number, colours: Record<string, string>) => void} Paint */

// At most one bar per pixel and ply: what is nearer than that is not drawn twice.
/** @type {Paint} */
function paintRows({ t, last }, canvas, width, scale, { max, min }) {
  canvas.width = width;
  canvas.height = PLY_ROW * scale * (t.plies + 1);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
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

// The root's value so far, from the step on at which it was found.
/** @type {Paint} */
function paintLine({ t, last, values }, canvas, width, scale, { ink, line }) {
  canvas.width = width;
  canvas.height = LINE_HEIGHT * scale;
  if (!values.length) return;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const found = values.map((each) => t.numbers[each.place] ?? 0);
  const [low, high] = [Math.min(0, ...found), Math.max(0, ...found)];
  /** @type {(number: number) => number} */
  const y = (number) => (3 + ((high - number) / (high - low || 1)) * (LINE_HEIGHT - 6)) * scale;
  /** @type {(k: number) => number} */
  const x = (k) => (k / last) * width;
  context.fillStyle = line;
  context.fillRect(0, y(0), width, scale);
  context.strokeStyle = ink;
  context.lineWidth = 1.5 * scale;
  context.beginPath();
  values.forEach((each, n) => {
    const end = values[n + 1]?.step ?? t.steps;
    context[n ? "lineTo" : "moveTo"](x(each.step), y(found[n]));
    context.lineTo(x(end), y(found[n]));
  });
  context.stroke();
}

// From which step on the root's value so far is what: where a child improved on it.
/** @type {OfTrace<{ step: number, place: number }[]>} */
function rootValues(t) {
  const values = [];
  const max = isMax(t, 0);
  for (let c = 1; c < t.n; c += t.size[c]) {
    const known = values.at(-1)?.place;
    if (!counts(t, c)) continue;
    if (known === undefined || (max ? t.value[c] > known : t.value[c] < known))
      values.push({ step: leaveOf(t, c) + 1, place: t.value[c] });
  }
  return values;
}

// A custom property as a colour that a canvas understands.
/** @type {(probe: HTMLElement, name: string) => string} */
export function colourOf(probe, name) {
  probe.style.color = `var(${name})`;
  const { color } = getComputedStyle(probe);
  probe.style.color = "";
  return color;
}
