// The full tree as an icicle: a row per ply, and for each node a bar as wide as its share of the
// nodes of the full tree. What is cut is one block. It shows what has happened so far, and nothing
// that reveals what will be cut.

/** @import { Key, Pick, Trace } from "./types.js" */

import { canvasOf, h, put } from "../shared/dom.js";
import { big } from "./appearance.js";
import { CLOSED, countSearched, countSkipped, current, phase, WAITING } from "./at_step.js";
import { colourOf } from "./timeline.js";
import { enterOf, ghostsOf, hasGhosts, isCut, isLeaf, isMax, pathTo } from "./trace.js";

/** @typedef {{ size: Float64Array, left: Float64Array, width: Float64Array, rest: Float64Array }} Shares Of each node: the nodes of its full subtree; the place and the width of its bar, of 1; the width of what is never tried below it. */

const ROW = 13; // least height of a row in pixels
const HEIGHT = 78; // of all rows, if they are not more than that
const KINDS = ["max", "min", "leaf", "cut"];
const STEPS = 8; // shades between a pixel without nodes of a kind and a full one

// The nodes of the full tree below a ghost, and the ghost; 1 if that is unknown.
/** @type {(ghost: { cost: number }) => number} */
const weigh = ({ cost }) => Math.max(1, cost);

/** @type {(t: Trace) => Shares} */
export function sharesOf(t) {
  const [size, left, width, rest] = [0, 0, 0, 0].map(() => new Float64Array(t.n));
  for (let i = t.n - 1; i >= 0; i--) {
    for (const ghost of ghostsOf(t, i)) rest[i] += weigh(ghost);
    size[i] += 1 + rest[i];
    if (i) size[t.parent[i]] += size[i];
  }
  width[0] = 1;
  const next = new Float64Array(t.n); // where the next child of a node begins
  for (let i = 1; i < t.n; i++) {
    const up = t.parent[i];
    width[i] = (width[up] * size[i]) / (size[up] - 1);
    left[i] = next[i] = next[up];
    next[up] += width[i];
  }
  for (let i = 0; i < t.n; i++) if (rest[i]) rest[i] *= width[i] / (size[i] - 1);
  return { size, left, width, rest };
}

// Returns the place and the width of each move of a node that was never tried; it is to the right of
// the node's children.
/** @type {(t: Trace, shares: Shares, i: number) => { left: number, width: number }[]} */
export function ghostShares(t, { size, left, width, rest }, i) {
  const ghosts = ghostsOf(t, i);
  const unit = width[i] / (size[i] - 1);
  let from = left[i] + width[i] - rest[i];
  return ghosts.map((ghost) => {
    const share = { left: from, width: unit * weigh(ghost) };
    from += share.width;
    return share;
  });
}

// Returns by kind and row how much of each pixel is covered after k events, from 0 to 1.
/** @type {(t: Trace, shares: Shares, k: number, pixels: number) => Float32Array[][]} */
export function binsOf(t, shares, k, pixels) {
  const rows = t.plies + 1;
  const bins = KINDS.map(() => Array.from({ length: rows }, () => new Float32Array(pixels)));
  /** @type {(bin: Float32Array, left: number, width: number) => void} */
  const cover = (bin, left, width) => {
    const [from, wide] = [left * pixels, width * pixels];
    const to = from + wide - (wide > 4 ? 1 : 0); // bars that are wide enough are apart
    for (let x = Math.floor(from); x < to && x < pixels; x++)
      bin[x] += Math.min(to, x + 1) - Math.max(from, x);
  };
  for (let i = 0; i < t.n && enterOf(t, i) < k; i++) {
    const kind = isLeaf(t, i) ? 2 : isMax(t, i) ? 0 : 1;
    cover(bins[kind][t.ply[i]], shares.left[i], shares.width[i]);
    if (!isCut(t, i) || phase(t, i, k) !== CLOSED) continue;
    const rest = shares.rest[i];
    const from = shares.left[i] + shares.width[i] - rest;
    for (let row = t.ply[i] + 1; row < rows; row++) cover(bins[3][row], from, rest);
  }
  return bins;
}

// Returns what is at a place from 0 to 1 in a row: a visited node, or a move that was cut; null if
// the search has not been there.
/** @type {(t: Trace, shares: Shares, k: number, row: number, place: number) => Key | null} */
export function keyAt(t, shares, k, row, place) {
  let found = 0;
  for (let i = 0; k && t.ply[i] < row; ) {
    let inside = -1;
    for (let c = i + 1; c < i + t.size[i] && shares.left[c] <= place; c += t.size[c]) inside = c;
    if (inside < 0 || place > shares.left[inside] + shares.width[inside]) {
      if (!hasGhosts(t, i) || phase(t, i, k) !== CLOSED) break;
      const index = ghostShares(t, shares, i).findLastIndex(({ left }) => left <= place);
      return `${i}/${Math.max(0, index)}`;
    }
    if (phase(t, inside, k) === WAITING) break;
    found = i = inside;
  }
  return k ? found : null;
}

// Makes the icicle; a click picks what is there.
/** @type {(t: Trace, pick: Pick) => { element: HTMLElement, update(k: number): void, repaint(): void }} */
export function makeIcicle(t, pick) {
  const canvas = h("canvas", { "aria-hidden": "true" });
  const [number, words] = [h("b"), h("span")];
  const share = h(
    t.addsUp ? "p.kx-share.spared" : "p.kx-share",
    { "aria-hidden": "true" },
    number,
    " ",
    words,
  ); // the counts have it, too
  const title = "The full tree, a row per ply; click to go there";
  const element = h("div.kx-icicle", h("div.kx-full", { title }, canvas), share);
  const height = Math.max(HEIGHT, ROW * (t.plies + 1));
  canvas.style.height = `${height}px`;
  /** @type {Shares | null} */
  let shares = null;
  /** @type {Record<string, string> | null} */
  let colours = null;
  let k = 0;
  let waiting = 0;

  canvas.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    const { left, top, width } = canvas.getBoundingClientRect();
    const row = Math.floor(((event.clientY - top) / height) * (t.plies + 1));
    const key = shares && keyAt(t, shares, k, row, (event.clientX - left) / width);
    if (key !== null) pick(key);
  });

  // Paints at most once a frame, however fast the clock is.
  function later() {
    if (!waiting) waiting = requestAnimationFrame(paint);
  }

  function paint() {
    waiting = 0;
    if (!canvas.clientWidth) return;
    shares ??= sharesOf(t);
    colours ??= Object.fromEntries(
      ["max", "min", "edge", "cut", "cutfill", "line", "ink"].map((name) => [
        name,
        colourOf(element, `--${name}`),
      ]),
    );
    drawIcicle(t, shares, k, canvas, height, colours);
  }

  /** @type {(step: number) => void} */
  function update(step) {
    k = step;
    put(number, big(t.addsUp ? countSkipped(t, k) : countSearched(t, k)));
    put(words, t.addsUp ? `of ${big(t.full)} skipped` : "visited");
    later();
  }

  function repaint() {
    colours = null;
    later();
  }

  return { element, update, repaint };
}

/** @type {(t: Trace, shares: Shares, k: number, canvas: HTMLCanvasElement, height: number, colours: Record<string, string>) => void} */
function drawIcicle(t, shares, k, canvas, height, colours) {
  const { context, scale } = canvasOf(canvas, canvas.clientWidth, height);
  const rows = t.plies + 1;
  const tall = (height * scale) / rows;
  context.fillStyle = colours.line;
  for (let row = 0; row < rows; row++) context.fillRect(0, row * tall, canvas.width, tall - scale);
  const bins = binsOf(t, shares, k, canvas.width);
  const hatched = hatch(context, scale, colours);
  const fills = [colours.max, colours.min, colours.edge, hatched];
  bins.forEach((kind, index) => {
    context.fillStyle = fills[index];
    kind.forEach((bin, row) => fillRuns(context, bin, row * tall, tall - (index < 3 ? scale : 0)));
  });
  context.globalAlpha = 1;
  if (!k || k === t.steps) return;
  context.fillStyle = colours.ink; // the way to the current node
  for (const i of pathTo(t, current(t, k))) {
    const [left, wide] = [shares.left[i] * canvas.width, shares.width[i] * canvas.width];
    context.fillRect(left, (t.ply[i] + 1) * tall - 4 * scale, Math.max(3 * scale, wide), 3 * scale);
  }
}

// Fills pixels of the same shade at once.
/** @type {(context: CanvasRenderingContext2D, bin: Float32Array, top: number, tall: number) => void} */
function fillRuns(context, bin, top, tall) {
  for (let x = 0; x < bin.length; ) {
    const shade = Math.ceil(Math.min(1, bin[x]) * STEPS);
    const from = x;
    while (x < bin.length && Math.ceil(Math.min(1, bin[x]) * STEPS) === shade) x++;
    if (!shade) continue;
    context.globalAlpha = shade / STEPS;
    context.fillRect(from, top, x - from, tall);
  }
}

/** @type {(context: CanvasRenderingContext2D, scale: number, colours: Record<string, string>) => CanvasPattern} */
function hatch(context, scale, { cut, cutfill }) {
  const side = 6 * scale;
  const tile = new OffscreenCanvas(side, side);
  const drawn = /** @type {OffscreenCanvasRenderingContext2D} */ (tile.getContext("2d"));
  drawn.fillStyle = cutfill;
  drawn.fillRect(0, 0, side, side);
  drawn.strokeStyle = cut;
  drawn.lineWidth = scale;
  drawn.beginPath();
  for (const from of [-side, 0, side]) {
    drawn.moveTo(from, side);
    drawn.lineTo(from + side, 0);
  }
  drawn.stroke();
  return /** @type {CanvasPattern} */ (context.createPattern(tile, "repeat"));
}
