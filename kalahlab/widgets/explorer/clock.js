// The clock of all searches: its controls, and the timer for playing.

/** @import { Act, Host, State, Trace } from "./types.js" */

import { control, makeSlider, makeSpeeds, makeTimer } from "../shared/clock.js";
import { canvasOf, h, put, s, set } from "../shared/dom.js";
import { big } from "./appearance.js";
import { SCISSORS } from "./shapes.js";
import { goTo, goToCut, stepBy, togglePlaying } from "./state.js";
import { colourOf } from "./timeline.js";

const SPEEDS = [
  ...["1", "2", "5", "20", "100"].map((n) => [n, `${n} a second`]),
  ["cut", "a cut every 2 s"],
  ["all 10", "all in 10 s"],
  ["all 60", "all in 60 s"],
];

/** @type {(state: State, speed: string) => State} */
const setSpeed = (state, speed) => ({ ...state, speed });

// Makes the clock's buttons and the slider; `show` draws a state.
/** @type {(host: Host) => { buttons: HTMLElement[], element: HTMLElement, show(state: State): void, paint(state: State): void }} */
export function makeClock(host) {
  const { act } = host;
  const backCut = control("Previous cut", "Shift C", () => act(goToCut, -1), "kx-extra");
  const nextCut = makeNextCut(act);
  const play = control("Play", "Space", () => act(togglePlaying));
  const buttons = [
    control("Start", "Home or [", () => act(goTo, 0), "kx-extra"),
    control("Back", "← or ,", () => act(stepBy, -1)),
    control("Step", "→ or .", () => act(stepBy, 1), "primary kx-step"),
    backCut,
    nextCut,
    play,
    control("End", "End or ]", () => act(goTo, Infinity), "kx-extra"),
  ];
  const slider = makeSlider("Step", (k) => act(goTo, k));
  const marks = h("canvas.kx-marks", { "aria-hidden": "true" });
  const where = h("span.kx-where", { "aria-hidden": "true" }); // the slider has the same text
  const whole = h("input", { type: "checkbox", onchange: () => host.showWhole(whole.checked) });
  const element = h(
    "div.kx-time",
    h("div.kx-track", slider, marks),
    where,
    makeSpeeds(SPEEDS, (speed) => act(setSpeed, speed)),
    h("label.field.kx-whole.kx-extra", whole, "Show the whole tree"),
  );

  /** @type {(state: State) => void} */
  function show(state) {
    const { k, last } = state;
    const locked = state.quiz !== null || state.crossing !== null;
    set(slider, { max: last, "aria-valuetext": `step ${k} of ${last}` });
    slider.value = String(k);
    whole.checked = state.whole;
    const reached = `inset(0 calc(100% - 10px - (100% - 16px) * ${last ? k / last : 0}) 0 0)`;
    marks.style.clipPath = state.whole ? "" : reached;
    marks.style.visibility = locked ? "hidden" : "";
    put(where, `${big(k)} / ${big(last)}`);
    put(play, state.playing ? "Pause" : "Play");
    for (const cutButton of [nextCut, backCut])
      cutButton.hidden = !state.views.some(({ t }) => t.cutSteps.length);
    for (const input of [...buttons, slider]) input.disabled = locked;
  }

  /** @type {(state: State) => void} */
  const paint = ({ views, last }) =>
    paintCuts(
      marks,
      colourOf(where, "--cut"),
      views.map(({ t }) => t),
      last,
    );
  return { buttons, element, show, paint };
}

/** @type {(act: Act) => HTMLButtonElement} */
function makeNextCut(act) {
  const nextCut = control(" Next cut", "C", () => act(goToCut, 1), "cut kx-cut");
  const size = { viewBox: "-9 -8 18 16", width: 16, height: 14, "aria-hidden": "true" };
  nextCut.prepend(s("svg", size, s("path.scissors", { d: SCISSORS })));
  return nextCut;
}

// Marks the cuts below the slider, darker where there are more.
/** @type {(marks: HTMLCanvasElement, colour: string, traces: Trace[], last: number) => void} */
function paintCuts(marks, colour, traces, last) {
  if (!marks.clientWidth) return;
  const { context, scale } = canvasOf(marks, marks.clientWidth, 6);
  const { width } = marks;
  context.fillStyle = colour;
  const bins = new Float32Array(Math.ceil(width) + 1);
  const perStep = (width - 16 * scale) / last;
  for (const { cutSteps } of traces)
    for (let c = 0; c < cutSteps.length; c++)
      bins[Math.round(8 * scale + (cutSteps[c] + 1) * perStep)]++;
  const most = bins.reduce((most, count) => Math.max(most, count), 1);
  bins.forEach((count, x) => {
    if (!count) return;
    context.globalAlpha = 0.25 + (0.75 * count) / most;
    context.fillRect(x, 0, most > 1 ? 1 : Math.max(1.5, scale), 6 * scale);
  });
}

// Returns a function that starts or stops the timer, as a state says; see `makeTimer`.
/** @type {(host: Host) => (state: State) => void} */
export const makePlayer = (host) =>
  makeTimer(
    (speed) => ticksOf(speed, host),
    () => host.state.k >= host.state.last,
    () => host.act(togglePlaying),
  );

// Returns the interval in milliseconds, and the function that is called at each tick.
/** @type {(speed: string, host: Host) => [number, () => void]} */
function ticksOf(speed, host) {
  const [kind, seconds] = speed.split(" ");
  const began = performance.now();
  if (kind === "cut") return [2000, () => host.act(goToCut, 1)];
  if (kind !== "all") return [1000 / Number(speed), () => host.act(stepBy, 1)];
  const from = host.state.k;
  const share = () => (performance.now() - began) / (1000 * Number(seconds));
  return [50, () => host.act(goTo, Math.round(from + share() * host.state.last))];
}
