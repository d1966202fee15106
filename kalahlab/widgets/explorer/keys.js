// The keyboard: the tree as in the WAI-ARIA tree-view pattern, and single keys for the clock. They
// work only while the focus is inside the explorer.

/** @import { Item, KeysHost } from "./types.js" */

import { lookOf } from "./appearance.js";

/** @typedef {Record<string, () => unknown>} Bindings */

/** @type {(root: HTMLElement, host: KeysHost) => void} */
export function listen(root, host) {
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const run = bound(event, host);
    if (!run) return;
    run();
    event.preventDefault();
    event.stopPropagation();
  });
}

/** @type {(event: KeyboardEvent, host: KeysHost) => (() => unknown) | null} */
function bound(event, host) {
  const { key } = event;
  const target = /** @type {Element} */ (event.target);
  if (target.matches("input:not([type=range]), select, textarea")) return null;
  const inTree = target === host.pane().tree || target.closest?.(".tree");
  const inTreeKey = inTree && ((event.shiftKey && shifted(host)[key]) || treeKeys(host)[key]);
  if (inTreeKey) return inTreeKey;
  if (target.matches("input") && key.length > 1) return null; // the slider's own arrows
  if (key === " " && target.matches("button, summary")) return null;
  return clockKeys(host)[key];
}

/** @type {(host: KeysHost) => Bindings} */
const shifted = (host) => ({
  ArrowLeft: () => host.reorder(-1),
  ArrowRight: () => host.reorder(1),
});

/** @type {(host: KeysHost) => Bindings} */
function treeKeys(host) {
  const { k, layout, marks, t } = host.pane();
  const { crossing, quiz } = host.state;
  const locked = Boolean(crossing ?? quiz);
  const items = layout.items.filter(
    (item) => lookOf(t, item, k, locked, Boolean(layout.whole)).kind !== "hidden",
  );
  const at = items.findIndex((item) => item.key === marks.focus);
  const item = items[at];
  /** @type {(found?: Item | null) => unknown} */
  const pick = (found) => found && host.select(found);
  const visibleKid = () => item.kids.find((kid) => items.includes(kid));
  return {
    ArrowDown: () => pick(items[at + 1]),
    ArrowUp: () => pick(items[at - 1]),
    Home: () => pick(items[0]),
    End: () => pick(items.at(-1)),
    ArrowRight: () => item && (item.kids.length ? pick(visibleKid()) : host.toggle(item, true)),
    ArrowLeft: () =>
      item && (item.kids.length && item.up ? host.toggle(item, false) : pick(item.up)),
    Enter: () => item && !item.ghost && host.enter(item),
    "*": () => item && host.openSiblings(item),
  };
}

/** @type {(host: KeysHost) => Bindings} */
function clockKeys(host) {
  const { camera } = host.pane();
  const { crossing, quiz } = host.state;
  const view = {
    "+": () => camera.zoom(1.25),
    "-": () => camera.zoom(0.8),
    f: () => camera.refit(),
    F: () => camera.refit(),
    Escape: host.unselect,
  };
  if (crossing ?? quiz) return view;
  return {
    ...view,
    ".": () => host.step(1),
    ",": () => host.step(-1),
    c: () => host.cut(1),
    C: () => host.cut(-1),
    "[": () => host.go(0),
    "]": () => host.go(Infinity),
    " ": host.play,
  };
}
