// The values of a reviewed game for South: a bar beside the board, and a graph of all positions
// under it, on which a reader goes to a position.

import { h, onDrag, put, show as reveal, s, set } from "../shared/dom.js";

/** @import { Game, State, Step } from "./types.js" */

const [WIDTH, HEIGHT, MARGIN] = [1000, 100, 6]; // of the graph, in its own units

/** @type {(record: Game) => boolean} */
export const isReviewed = (record) => record.steps.some(({ value }) => value !== undefined);

/** @type {(value: number) => string} */
const signed = (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value)}`;

// Makes the bar; South's part grows from below.
/** @type {() => { element: HTMLElement, show(state: State): void }} */
export function makeValueBar() {
  const [south, text] = [h("i"), h("b")];
  const element = h("div.kb-worth", { "aria-hidden": "true" }, south, text); // `worth` says it
  /** @type {(state: State) => void} */
  function show({ record, shown }) {
    reveal(element, isReviewed(record));
    const value = record.steps[shown].value ?? 0;
    const most = mostOf(record.steps);
    south.style.height = `${50 + (50 * value) / most}%`;
    put(text, signed(value));
  }
  return { element, show };
}

/** @type {(steps: Step[]) => number} */
const mostOf = (steps) => Math.max(1, ...steps.map(({ value = 0 }) => Math.abs(value)));

// Makes the graph; `go` is called with the number of moves that are to be shown.
/** @type {(go: (at: number) => void) => { element: HTMLElement, show(state: State): void }} */
export function makeValueGraph(go) {
  const [area, line, zero, now] = ["area", "line", "zero", "now"].map((name) =>
    s(`path.kb-${name}`),
  );
  const dots = s("g");
  const size = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" };
  const drawing = s("svg", { ...size, "aria-hidden": "true" }, area, zero, line, now, dots);
  const slider = h("input", {
    type: "range",
    min: 0,
    step: 1,
    "aria-label": "Moves played",
    oninput: () => go(Number(slider.value)),
  });
  const picture = h("div.kb-drawing", { title: "The value for South; click to go there" }, drawing);
  const element = h("div.kb-graph", picture, slider);
  /** @type {Game | null} */
  let drawn = null;
  let last = 1;

  onDrag(picture, ({ clientX }) => {
    const { left, width } = picture.getBoundingClientRect();
    go(Math.max(0, Math.min(last, Math.round(((clientX - left) / width) * last))));
  });

  /** @type {(state: State) => void} */
  function show({ record, shown }) {
    reveal(element, isReviewed(record));
    if (element.hidden) return;
    last = Math.max(1, record.steps.length - 1);
    if (record !== drawn) draw(record);
    drawn = record;
    const x = (shown / last) * WIDTH;
    set(now, { d: `M${x} 0V${HEIGHT}` });
    set(slider, { max: last, "aria-valuetext": `move ${shown} of ${last}` });
    slider.value = String(shown);
  }

  /** @type {(record: Game) => void} */
  function draw({ steps }) {
    const values = steps.map(({ value }) => value ?? 0);
    const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
    /** @type {(value: number) => number} */
    const y = (value) => MARGIN + ((high - value) / (high - low || 1)) * (HEIGHT - 2 * MARGIN);
    const points = values.map((value, at) => `${(at / last) * WIDTH} ${y(value)}`);
    set(line, { d: `M${points.join("L")}` });
    set(area, { d: `M0 ${y(0)}L${points.join("L")}L${WIDTH} ${y(0)}Z` });
    set(zero, { d: `M0 ${y(0)}H${WIDTH}` });
    // A line without length is a dot, which is not stretched with the drawing.
    dots.replaceChildren(
      ...steps.flatMap(({ review }, at) =>
        review?.marked
          ? [s("path.kb-dot", { d: `M${(at / last) * WIDTH} ${y(values[at])}h.01` })]
          : [],
      ),
    );
  }
  return { element, show };
}
