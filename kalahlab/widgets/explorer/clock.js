// The clock that all searches run on, and its controls.

import { button, choice, h, put, s } from "../shared/dom.js";
import { big } from "./appearance.js";
import { SCISSORS } from "./painter.js";
import { below, current } from "./state.js";
import { colourOf } from "./timeline.js";
import { enterOf, isLeaf } from "./trace.js";

const SPEEDS = [
  ...["1", "2", "5", "20", "100"].map((n) => [n, `${n} a second`]),
  ["cut", "a cut every 2 s"],
  ["all 10", "all in 10 s"],
  ["all 60", "all in 60 s"],
];

// `changed(k, byUser)` is told of every step, `playing(on)` when it starts and stops by itself,
// `showWhole(on)` when the whole tree is wanted, or not.
export function makeClock(changed, playing, showWhole) {
  const clock = { k: 0, last: 0, whole: false }; // whole: whether cuts to come are marked
  let traces = [];
  let timer = 0;
  let speed = "2";

  clock.load = (loaded, k) => {
    stop();
    traces = loaded;
    clock.last = Math.max(...traces.map((t) => t.steps));
    clock.k = Math.min(k, clock.last);
    slider.max = clock.last;
    cutButton.hidden = backCut.hidden = traces.every((t) => !t.cutSteps.length);
  };

  clock.go = (to, byUser = true) => {
    clock.k = Math.max(0, Math.min(clock.last, to));
    changed(clock.k, byUser);
  };

  // A leaf is entered and left in one step: its value says all.
  clock.step = (by) => {
    const to = clock.k + by;
    clock.go(
      to > 0 && to < clock.last && traces.length === 1 && inLeaf(traces[0], to) ? to + by : to,
    );
  };

  const inLeaf = (t, k) => isLeaf(t, current(t, k)) && enterOf(t, current(t, k)) === k - 1;

  clock.cut = (by) => {
    const found = traces.flatMap((t) => {
      const steps = t.cutSteps;
      const at = by > 0 ? steps[below(steps, clock.k)] : steps[below(steps, clock.k - 1) - 1];
      return at === undefined ? [] : [at + 1];
    });
    if (!found.length) return clock.go(by > 0 ? clock.last : 0);
    clock.go(by > 0 ? Math.min(...found) : Math.max(...found));
  };

  clock.play = () => {
    if (timer) return stop();
    if (clock.k >= clock.last) clock.go(0);
    start();
    tell();
  };

  function start() {
    clearInterval(timer);
    const [kind, seconds] = speed.split(" ");
    const [from, began] = [clock.k, performance.now()];
    const share = () => (performance.now() - began) / (1000 * Number(seconds));
    const [wait, tick] = {
      cut: [2000, () => clock.cut(1)],
      all: [50, () => clock.go(Math.round(from + share() * clock.last))],
    }[kind] ?? [1000 / Number(speed), () => clock.step(1)];
    timer = setInterval(() => (clock.k < clock.last ? tick() : stop()), wait);
  }

  function stop() {
    if (!timer) return;
    clearInterval(timer);
    timer = 0;
    tell();
  }

  function tell() {
    playButton.textContent = timer ? "Pause" : "Play";
    playing(timer !== 0);
  }

  function setSpeed(chosen) {
    speed = chosen;
    if (timer) start();
  }

  const control = (label, key, run, cls = null) =>
    button(label, run, { class: cls, title: `${label} (${key})` });
  const cutButton = control(" Next cut", "C", () => clock.cut(1), "cut kx-cut");
  cutButton.prepend(
    s(
      "svg",
      { viewBox: "-9 -8 18 16", width: 16, height: 14, "aria-hidden": "true" },
      s("path", { class: "scissors", d: SCISSORS }),
    ),
  );
  const backCut = control("Previous cut", "Shift C", () => clock.cut(-1));
  const playButton = control("Play", "Space", clock.play);
  const slider = h("input", {
    type: "range",
    min: 0,
    max: 0,
    step: 1,
    class: "kx-slider",
    "aria-label": "Step",
    oninput: () => clock.go(Number(slider.value)),
  });
  const marks = h("canvas", { class: "kx-marks", "aria-hidden": "true" });
  const where = h("span", { class: "kx-where", "aria-hidden": "true" }); // the slider says it, too

  clock.buttons = [
    control("Start", "[", () => clock.go(0)),
    control("Back", ",", () => clock.step(-1)),
    control("Step", ".", () => clock.step(1), "primary kx-step"),
    backCut,
    cutButton,
    playButton,
    control("End", "]", () => clock.go(clock.last)),
  ];
  const whole = h("input", { type: "checkbox", onchange: () => showWhole(whole.checked) });
  clock.element = h(
    "div",
    { class: "kx-time" },
    h("div", { class: "kx-track" }, slider, marks),
    where,
    h("span", { class: "kx-speed" }, choice("Speed", SPEEDS, "2", setSpeed)),
    h("label", { class: "field kx-whole" }, whole, "Show the whole tree"),
  );

  clock.show = () => {
    slider.value = clock.k;
    whole.checked = clock.whole;
    slider.setAttribute("aria-valuetext", `step ${clock.k} of ${clock.last}`);
    const to = clock.last ? clock.k / clock.last : 0;
    const reached = `inset(0 calc(100% - 10px - (100% - 16px) * ${to}) 0 0)`;
    marks.style.clipPath = clock.whole ? "" : reached;
    put(where, `${big(clock.k)} / ${big(clock.last)}`);
  };

  // Where the cuts are, below the slider: darker where there are more.
  clock.paint = () => {
    const scale = devicePixelRatio || 1;
    const width = marks.clientWidth * scale;
    if (!width) return;
    marks.width = width;
    marks.height = 6 * scale;
    const context = marks.getContext("2d");
    context.fillStyle = colourOf(where, "--cut");
    const bins = new Float32Array(Math.ceil(width) + 1);
    const perStep = (width - 16 * scale) / clock.last;
    for (const { cutSteps } of traces)
      for (let c = 0; c < cutSteps.length; c++)
        bins[Math.round(8 * scale + (cutSteps[c] + 1) * perStep)]++;
    const most = bins.reduce((most, count) => Math.max(most, count), 1);
    bins.forEach((count, x) => {
      if (!count) return;
      context.globalAlpha = 0.25 + (0.75 * count) / most;
      context.fillRect(x, 0, most > 1 ? 1 : Math.max(1.5, scale), 6 * scale);
    });
  };

  clock.quizzing = (on) => {
    stop();
    for (const each of [...clock.buttons, slider]) each.disabled = on;
    marks.style.visibility = on ? "hidden" : "";
  };
  clock.end = stop;
  return clock;
}
