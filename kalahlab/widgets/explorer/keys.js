// The keyboard: the WAI-ARIA tree-view pattern for the tree, and single keys for the clock. They
// work while the focus is inside the explorer; in a standalone page, also while nothing has the
// focus.

/** @import { Host, Item } from "./types.js" */

import { projectorKeys } from "./projector.js";
import {
  goTo,
  goToCut,
  openSiblings,
  selectNode,
  stepBy,
  toggleNode,
  togglePlaying,
} from "./state.js";

/** @typedef {Record<string, () => unknown>} Bindings */
/** @typedef {Record<"tree" | "clock", (shifted: boolean) => Bindings>} Keys */

// keysOf: the keys while the focus is in the tree, and all others. page: until when the view has the
// page for itself, or null.
/** @type {(root: HTMLElement, keysOf: Keys, page: AbortSignal | null) => void} */
export function listen(root, keysOf, page) {
  /** @type {(event: KeyboardEvent) => void} */
  const hear = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const run = findBinding(event, keysOf);
    if (!run) return;
    run();
    event.preventDefault();
    event.stopPropagation();
  };
  root.addEventListener("keydown", hear);
  /** @type {(event: KeyboardEvent) => unknown} */
  const outside = (event) => event.target === document.body && isAlone(root) && hear(event);
  if (page) document.addEventListener("keydown", outside, { signal: page });
}

// Returns whether a widget is the only visible one, so that the keys can be meant for no other.
/** @type {(root: HTMLElement) => boolean} */
function isAlone(root) {
  const all = [...document.querySelectorAll(".kx, .kalah-board")];
  return all.filter((widget) => widget.checkVisibility()).every((widget) => widget === root);
}

/** @type {(event: KeyboardEvent, keysOf: Keys) => (() => unknown) | null} */
function findBinding(event, keysOf) {
  const { key } = event;
  const target = /** @type {Element} */ (event.target);
  if (target.matches("input:not([type=range]), select, textarea")) return null;
  const inTree = target.closest(".tree") && keysOf.tree(event.shiftKey)[key];
  if (inTree) return inTree;
  if (target.matches("input") && key.length > 1) return null; // the slider's own arrows
  if (key === " " && target.matches("button, summary")) return null;
  return keysOf.clock(event.shiftKey)[key];
}

/** @type {(host: Host) => Keys} */
export const keysOf = (host) => ({
  tree: (shifted) => (host.state.projecting ? {} : treeKeys(host, shifted)),
  clock: () => clockKeys(host),
});

/** @type {(host: Host, shifted: boolean) => Bindings} */
function treeKeys(host, shifted) {
  const { act } = host;
  const { layout, look, marks, place } = host.pane();
  const items = layout.items.filter((item) => look(item).kind !== "hidden");
  const at = items.findIndex((item) => item.key === marks.focus);
  const item = items[at];
  /** @type {(found?: Item | null) => unknown} */
  const pick = (next) => next && act(selectNode, place, next.key);
  /** @type {Bindings} */
  const always = {
    ArrowDown: () => pick(items[at + 1]),
    ArrowUp: () => pick(items[at - 1]),
    Home: () => pick(items[0]),
    End: () => pick(items.at(-1)),
  };
  if (shifted)
    Object.assign(always, { ArrowLeft: () => host.reorder(-1), ArrowRight: () => host.reorder(1) });
  if (!item) return always;
  const { kids, up } = item;
  return {
    ArrowRight: () =>
      kids.length
        ? pick(kids.find((kid) => items.includes(kid)))
        : act(toggleNode, place, item, true),
    ArrowLeft: () => (kids.length && up ? act(toggleNode, place, item, false) : pick(up)),
    Enter: () => item.ghost || host.enter(item),
    "*": () => act(openSiblings, place, item),
    ...always,
  };
}

/** @type {(host: Host) => Bindings} */
function clockKeys({ act, pane, project, state, unselect }) {
  const [step, back] = [() => act(stepBy, 1), () => act(stepBy, -1)];
  const [start, end] = [() => act(goTo, 0), () => act(goTo, Infinity)];
  const [next, previous] = [() => act(goToCut, 1), () => act(goToCut, -1)];
  const [play, leave] = [() => act(togglePlaying), () => project(false)];
  if (state.projecting)
    return {
      ...projectorKeys({ step, back, next, previous, start, end, play, leave }),
      c: next,
      C: previous,
    };
  const { camera } = pane();
  const refit = () => camera.refit();
  const view = {
    "+": () => camera.zoom(1.25),
    "-": () => camera.zoom(0.8),
    f: refit,
    F: refit,
    Escape: unselect,
  };
  if (state.crossing ?? state.quiz) return view;
  const fill = () => project(true);
  return {
    ...view,
    p: fill,
    P: fill,
    ArrowRight: step,
    ".": step,
    ArrowLeft: back,
    ",": back,
    c: next,
    C: previous,
    Home: start,
    "[": start,
    End: end,
    "]": end,
    " ": play,
  };
}
