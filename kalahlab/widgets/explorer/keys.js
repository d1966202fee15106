// The keyboard: the tree as in the WAI-ARIA tree-view pattern, and single keys for the clock. They
// work only while the focus is inside the explorer.

import { lookOf } from "./appearance.js";

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

function bound(event, host) {
  const { target, key } = event;
  if (target.matches("input:not([type=range]), select, textarea")) return null;
  const pane = host.pane();
  const inTree = target === pane.tree || target.closest?.(".tree");
  const inTreeKey = inTree && ((event.shiftKey && shifted(key, host)) || treeKeys(pane, host)[key]);
  if (inTreeKey) return inTreeKey;
  if (target.matches("input") && key.length > 1) return null; // the slider's own arrows
  if (key === " " && target.matches("button, summary")) return null;
  return clockKeys(pane, host)[key];
}

const shifted = (key, host) =>
  ({ ArrowLeft: () => host.reorder(-1), ArrowRight: () => host.reorder(1) })[key];

function treeKeys(pane, host) {
  const items = pane.layout.items.filter(
    (item) => lookOf(pane.t, item, pane.k, host.quizzing(), pane.layout.whole).kind !== "hidden",
  );
  const at = items.findIndex((item) => item.key === pane.marks.focus);
  const item = items[at];
  const pick = (found) => found && host.select(pane, found);
  const visibleKid = () => item.kids.find((kid) => items.includes(kid));
  return {
    ArrowDown: () => pick(items[at + 1]),
    ArrowUp: () => pick(items[at - 1]),
    Home: () => pick(items[0]),
    End: () => pick(items.at(-1)),
    ArrowRight: () =>
      item && (item.kids.length ? pick(visibleKid()) : host.toggle(pane, item, true)),
    ArrowLeft: () =>
      item && (item.kids.length && item.up ? host.toggle(pane, item, false) : pick(item.up)),
    Enter: () => item && !item.ghost && host.enter(pane, item),
    "*": () => item && host.openSiblings(pane, item),
  };
}

function clockKeys(pane, host) {
  const view = {
    "+": () => pane.camera.zoom(1.25),
    "-": () => pane.camera.zoom(0.8),
    f: () => pane.camera.refit(),
    F: () => pane.camera.refit(),
    Escape: host.unselect,
  };
  if (host.quizzing()) return view;
  return {
    ...view,
    ".": () => host.step(1),
    ",": () => host.step(-1),
    c: () => host.cut(1),
    C: () => host.cut(-1),
    "[": () => host.go(0),
    "]": () => host.go(host.last()),
    " ": host.play,
  };
}
