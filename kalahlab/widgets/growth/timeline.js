// The timeline of the root's moves: a line for each, of its visits or of another number over all
// iterations. The move with the most visits so far is dark. A click or a drag goes to that step.

/** @import { Act, Growth, State } from "./types.js" */

import { colourOf } from "../explorer/timeline.js";
import { moveName } from "../explorer/trace.js";
import { canvasOf, choice, h, onDrag, set } from "../shared/dom.js";
import { goToStep, seriesOf, setSeries } from "./state.js";
import { momentOf, numbersAt } from "./trace.js";
import { format } from "./words.js";

const HEIGHT = 64;
const LABELS = 46; // pixels on the right for the names of the moves
const LABEL_STEP = 11;
const MOST_LABELS = 6;

/** @typedef {{ id: number, steps: number[], values: number[] }} Line */

/** @type {(t: Growth, act: Act) => { element: HTMLElement, paint(state: State): void, update(state: State): void }} */
export function makeGrowthTimeline(t, act) {
  const canvas = h("canvas.kg-lines", { "aria-hidden": "true" });
  const future = h("i.kg-future");
  const head = h("i.kx-playhead");
  const title = "The moves of the root over all iterations; click to go there";
  const box = h("div.kg-timeline", { title }, canvas, future, head);
  const options = seriesOf(t).map((field) => [field, field === "n" ? "visits (n)" : field]);
  const list = choice("Moves of the root:", options, options[0][0], (to) => act(setSeries, to));
  const element = h("div.kx-strip-box", options.length > 1 ? list : "", box);
  const lines = new Map(seriesOf(t).map((field) => [field, linesOf(t, field)]));
  let width = 0; // cached, as reading it forces a layout
  let painted = "";
  /** @type {string[] | null} */
  let colours = null; // cached, too

  onDrag(box, (event) => {
    const { left, width } = box.getBoundingClientRect();
    const share = (event.clientX - left) / (width - LABELS);
    act(goToStep, Math.max(0, Math.min(t.steps, Math.round(share * t.steps))));
  });

  // Paints all lines, after a change of the size or the colours, too.
  /** @type {(state: State) => void} */
  function paint(state) {
    [width, colours] = [canvas.clientWidth, null];
    if (width) draw(state);
  }

  /** @type {(state: State) => void} */
  function draw({ k, series }) {
    const shown = lines.get(series) ?? [];
    const best = leader(t, momentOf(k).step);
    painted = `${series} ${best}`;
    colours ??= ["--ink", "--edge"].map((name) => colourOf(head, name));
    paintLines(t, canvas, width, shown, best, colours);
  }

  /** @type {(state: State) => void} */
  function update(state) {
    const { step } = momentOf(state.k);
    if (width && painted !== `${state.series} ${leader(t, step)}`) draw(state);
    const share = t.steps ? step / t.steps : 0;
    const left = `calc((100% - ${LABELS}px) * ${share})`;
    head.style.left = future.style.left = left;
    set(future, { style: `left: ${left}; right: ${LABELS}px` });
  }

  return { element, paint, update };
}

// Returns the changes of a number of each move of the root.
/** @type {(t: Growth, field: string) => Line[]} */
function linesOf(t, field) {
  /** @type {Line[]} */
  const lines = [];
  for (let place = 0; place < t.kids[0]; place++) {
    const id = t.firstChild[0] + place;
    /** @type {Line} */
    const line = { id, steps: [], values: [] };
    for (let entry = t.historyStart[id]; entry < t.historyStart[id + 1]; entry++) {
      const step = t.step[entry];
      const value = numbersAt(t, id, step)?.[field];
      if (value === undefined || !Number.isFinite(value)) continue;
      line.steps.push(step);
      line.values.push(value);
    }
    lines.push(line);
  }
  return lines;
}

// Returns the move of the root with the most visits so far; -1 if nothing is counted.
/** @type {(t: Growth, step: number) => number} */
function leader(t, step) {
  let [best, most] = [-1, 0];
  for (let place = 0; place < t.kids[0]; place++) {
    const n = numbersAt(t, t.firstChild[0] + place, step)?.n ?? 0;
    if (n > most) [best, most] = [t.firstChild[0] + place, n];
  }
  return best;
}

/** @type {(t: Growth, canvas: HTMLCanvasElement, full: number, lines: Line[], best: number, colours: string[]) => void} */
function paintLines(t, canvas, full, lines, best, [ink, rest]) {
  const { context, scale } = canvasOf(canvas, full, HEIGHT);
  const width = full - LABELS;
  let [low, high] = [0, 0];
  for (const { values } of lines)
    for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  /** @type {(value: number) => number} */
  const y = (value) => 6 + ((high - value) / (high - low || 1)) * (HEIGHT - 12);
  context.scale(scale, scale);
  context.fillStyle = rest;
  context.globalAlpha = 0.5;
  context.fillRect(0, y(0), width, 1);
  context.globalAlpha = 1;
  context.font = "11px system-ui, sans-serif";
  const labels = (lines.length > MOST_LABELS ? (/** @type {number[]} */ all) => all : spreadLabels)(
    lines.map(({ values }) => y(values.at(-1) ?? 0)),
  );
  lines.forEach((line, place) => {
    const dark = line.id === best;
    context.strokeStyle = context.fillStyle = dark ? ink : rest;
    context.lineWidth = dark ? 2 : 1.2;
    context.beginPath();
    trace(context, line, t.steps, width, y);
    context.stroke();
    if (dark || lines.length <= MOST_LABELS)
      context.fillText(moveName(t, line.id).slice(0, 7), width + 5, labels[place] + 4);
  });
  context.fillStyle = ink;
  if (high > low) context.fillText(format(high), 2, 11);
}

// Draws a step function, with at most two points a pixel.
/** @type {(context: CanvasRenderingContext2D, line: Line, steps: number, width: number, y: (value: number) => number) => void} */
function trace(context, { steps, values }, last, width, y) {
  let before = -1;
  steps.forEach((step, place) => {
    const x = (step / last) * width;
    if (x - before < 0.5 && place < steps.length - 1) return;
    if (place) context.lineTo(x, y(values[place - 1]));
    else context.moveTo(x, y(values[place]));
    context.lineTo(x, y(values[place]));
    before = x;
  });
  if (values.length) context.lineTo(width, y(/** @type {number} */ (values.at(-1))));
}

// Moves labels apart, in their order from above.
/** @type {(places: number[]) => number[]} */
function spreadLabels(places) {
  const order = [...places.keys()].sort((one, two) => places[one] - places[two]);
  const spread = [...places];
  let next = 5;
  for (const [rank, place] of order.entries()) {
    const room = HEIGHT - 4 - LABEL_STEP * (order.length - 1 - rank);
    spread[place] = Math.max(next, Math.min(places[place], room));
    next = spread[place] + LABEL_STEP;
  }
  return spread;
}
