// The keys of the view: those of the explorer, and ← → Home End for the clock.

/** @import { Item } from "../explorer/types.js" */
/** @import { Bindings, Keys } from "../explorer/keys.js" */
/** @import { GrowthPane } from "./pane.js" */
/** @import { Act, State } from "./types.js" */

import { goByIteration, goTo, selectNode, stepBy, toggleNode, togglePlaying } from "./state.js";
import { isMade, momentOf } from "./trace.js";

/** @typedef {{ state: State, act: Act, pane: GrowthPane, typeNumber(digit: string): void }} Host */

/** @type {(host: Host) => Keys} */
export const keysOf = (host) => ({ tree: () => treeKeys(host), clock: () => clockKeys(host) });

/** @type {(host: Host) => Bindings} */
function treeKeys({ act, pane, state }) {
  const moment = momentOf(state.k);
  const items = pane.layout.items.filter(({ id }) => isMade(state.t, id, moment));
  const at = items.findIndex((item) => item.key === pane.marks.focus);
  const item = items[at];
  /** @type {(next?: Item | null) => unknown} */
  const pick = (next) => next && act(selectNode, next.id);
  const always = {
    ArrowDown: () => pick(items[at + 1]),
    ArrowUp: () => pick(items[at - 1]),
    Home: () => pick(items[0]),
    End: () => pick(items.at(-1)),
  };
  if (!item) return always;
  const { kids, up } = item;
  return {
    ArrowRight: () => (kids.length ? pick(kids[0]) : act(toggleNode, item, true)),
    ArrowLeft: () => (kids.length && up ? act(toggleNode, item, false) : pick(up)),
    ...always,
  };
}

/** @type {(host: Host) => Bindings} */
function clockKeys({ act, pane, state, typeNumber }) {
  const refit = () => pane.camera.refit();
  const view = {
    "+": () => pane.camera.zoom(1.25),
    "-": () => pane.camera.zoom(0.8),
    f: refit,
    F: refit,
    Escape: () => act(selectNode, null),
  };
  if (state.quiz) return view;
  const [start, end] = [() => act(goTo, 0), () => act(goTo, Infinity)];
  const [forward, back] = [() => act(stepBy, 1), () => act(stepBy, -1)];
  const digits = Object.fromEntries(
    [..."0123456789"].map((digit) => [digit, () => typeNumber(digit)]),
  );
  return {
    ...view,
    ...digits,
    ArrowRight: forward,
    ".": forward,
    ArrowLeft: back,
    ",": back,
    n: () => act(goByIteration, 1),
    N: () => act(goByIteration, -1),
    Home: start,
    "[": start,
    End: end,
    "]": end,
    " ": () => act(togglePlaying),
  };
}
