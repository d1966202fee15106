// The keys of the view: those of the explorer, and ← → Home End for the clock.

/** @import { Item } from "../explorer/types.js" */
/** @import { Bindings, Keys } from "../explorer/keys.js" */
/** @import { GrowthPane } from "./pane.js" */
/** @import { Act, State } from "./types.js" */

import { projectorKeys } from "../explorer/projector.js";
import { goByIteration, goTo, selectNode, stepBy, toggleNode, togglePlaying } from "./state.js";
import { isMade, momentOf } from "./trace.js";

/** @typedef {{ state: State, act: Act, pane: GrowthPane, typeNumber(digit: string): void, project(on: boolean): void }} Host */

/** @type {(host: Host) => Keys} */
export const keysOf = (host) => ({
  tree: () => (host.state.projecting ? {} : treeKeys(host)),
  clock: () => clockKeys(host),
});

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
function clockKeys({ act, pane, project, state, typeNumber }) {
  const [start, end] = [() => act(goTo, 0), () => act(goTo, Infinity)];
  const [step, back] = [() => act(stepBy, 1), () => act(stepBy, -1)];
  const [next, previous] = [() => act(goByIteration, 1), () => act(goByIteration, -1)];
  const [play, leave] = [() => act(togglePlaying), () => project(false)];
  if (state.projecting)
    return projectorKeys({ step, back, next, previous, start, end, play, leave });
  const fill = () => project(true);
  const refit = () => pane.camera.refit();
  const view = {
    "+": () => pane.camera.zoom(1.25),
    "-": () => pane.camera.zoom(0.8),
    f: refit,
    F: refit,
    Escape: () => act(selectNode, null),
  };
  if (state.quiz) return view;
  const digits = Object.fromEntries(
    [..."0123456789"].map((digit) => [digit, () => typeNumber(digit)]),
  );
  return {
    ...view,
    ...digits,
    p: fill,
    P: fill,
    ArrowRight: step,
    ".": step,
    ArrowLeft: back,
    ",": back,
    n: next,
    N: previous,
    Home: start,
    "[": start,
    End: end,
    "]": end,
    " ": play,
  };
}
