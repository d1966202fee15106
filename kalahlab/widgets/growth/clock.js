// The controls of the clock: a state, an iteration, or any iteration by its number.

/** @import { Act, State } from "./types.js" */

import { big } from "../explorer/appearance.js";
import { control, makeSlider, makeSpeeds, makeTimer } from "../shared/clock.js";
import { h, put, set } from "../shared/dom.js";
import { goByIteration, goTo, goToStep, stepBy, togglePlaying } from "./state.js";
import { momentOf, PARTS } from "./trace.js";

const SPEEDS = [
  ...["1", "2", "5", "20"].map((n) => [n, `${n} states a second`]),
  ["iteration 2", "2 iterations a second"],
  ["iteration 10", "10 iterations a second"],
  ["all 10", "all in 10 s"],
  ["all 60", "all in 60 s"],
];

/** @type {(state: State, speed: string) => State} */
const setSpeed = (state, speed) => ({ ...state, speed });

/** @type {(act: Act) => { buttons: HTMLElement[], element: HTMLElement, number: HTMLInputElement, show(state: State): void }} */
export function makeGrowthClock(act) {
  const play = control("Play", "Space", () => act(togglePlaying));
  const buttons = [
    control("Start", "Home or [", () => act(goTo, 0), "kx-extra"),
    control("Back", "← or ,", () => act(stepBy, -1)),
    control("Step", "→ or .", () => act(stepBy, 1), "primary kx-step"),
    control("◂ Iteration", "⇧N", () => act(goByIteration, -1), "kg-previous kx-extra"),
    control("Iteration ▸", "N", () => act(goByIteration, 1), "kg-next"),
    play,
    control("End", "End or ]", () => act(goTo, Infinity), "kx-extra"),
  ];
  const slider = makeSlider("State", (k) => act(goTo, k));
  const number = h("input", {
    type: "number",
    min: 0,
    "aria-label": "Iteration",
    title: "Type a number to go to the end of this iteration",
    onchange: () => act(goToStep, Math.round(Number(number.value))),
  });
  const where = h("span.kx-where", { "aria-hidden": "true" }); // the slider has the same text
  const jump = h("label.field", "Iteration ", number);
  const element = h(
    "div.kx-time",
    h("div.kx-track", slider),
    jump,
    where,
    makeSpeeds(SPEEDS, (speed) => act(setSpeed, speed)),
  );

  /** @type {(state: State) => void} */
  function show({ k, last, playing, quiz, t }) {
    const { step, part } = momentOf(k);
    const text = `iteration ${step} of ${t.steps}, ${PARTS[part]}`;
    set(slider, { max: last, "aria-valuetext": text });
    slider.value = String(k);
    set(number, { max: t.steps });
    number.value = String(step);
    put(where, `/ ${big(t.steps)} · ${step ? PARTS[part] : "start"}`);
    put(play, playing ? "Pause" : "Play");
    for (const input of [...buttons, slider, number]) input.disabled = quiz !== null;
  }
  return { buttons, element, number, show };
}

// Returns a function that starts or stops the timer, as a state says; see `makeTimer`.
/** @type {(host: { state: State, act: Act }) => (state: State) => void} */
export const makeGrowthPlayer = (host) =>
  makeTimer(
    (speed) => ticksOf(speed, host),
    () => host.state.k >= host.state.last,
    () => host.act(togglePlaying),
  );

// Returns the interval in milliseconds, and the function that is called at each tick.
/** @type {(speed: string, host: { state: State, act: Act }) => [number, () => void]} */
function ticksOf(speed, { act, state }) {
  const [kind, count] = speed.split(" ");
  if (kind === "iteration") return [1000 / Number(count), () => act(goByIteration, 1)];
  if (kind !== "all") return [1000 / Number(speed), () => act(stepBy, 1)];
  const [began, from, { steps }] = [performance.now(), momentOf(state.k).step, state.t];
  const share = () => (performance.now() - began) / (1000 * Number(count));
  return [50, () => act(goToStep, Math.round(from + share() * steps))];
}
