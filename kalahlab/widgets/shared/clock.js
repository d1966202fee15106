// What the clocks of all explorers of searches share: buttons, the slider, the speeds, the timer.

import { button, choice, h } from "./dom.js";

/** @type {(label: string, key: string, run: () => unknown, cls?: string | null) => HTMLButtonElement} */
export const control = (label, key, run, cls = null) =>
  button(label, run, { class: cls, title: `${label} (${key})` });

// Makes the slider; `go` is called with the place to go to.
/** @type {(label: string, go: (k: number) => void) => HTMLInputElement} */
export function makeSlider(label, go) {
  const slider = h("input.kx-slider", {
    type: "range",
    min: 0,
    max: 0,
    step: 1,
    "aria-label": label,
    oninput: () => go(Number(slider.value)),
  });
  return slider;
}

/** @type {(speeds: string[][], change: (speed: string) => void) => HTMLElement} */
export const makeSpeeds = (speeds, change) =>
  h("span.kx-speed.kx-extra", choice("Speed", speeds, "2", change));

// Returns a function that starts or stops the timer, or changes its speed, as a state says.
// ticksOf: returns the interval of a speed in milliseconds, and what is called at each tick;
// isAtEnd: whether there is nothing left to play; pause: stops playing.
/** @type {(ticksOf: (speed: string) => [number, () => void], isAtEnd: () => boolean, pause: () => void) => (state: { playing: boolean, speed: string }) => void} */
export function makeTimer(ticksOf, isAtEnd, pause) {
  let timer = 0;
  let running = "";
  return ({ playing, speed }) => {
    const wanted = playing ? speed : "";
    if (wanted === running) return;
    running = wanted;
    clearInterval(timer);
    if (!wanted) return;
    const [wait, tick] = ticksOf(wanted);
    timer = setInterval(() => (isAtEnd() ? pause() : tick()), wait);
  };
}
