// The panel of the selected node: its position, the reason for leaving it, and the windows on the
// path.

import { button, h, put, s, set, show } from "../shared/dom.js";
import { CLOSED, OPEN, phase, valueText, WAITING, wayTo } from "./at_step.js";
import { explainNode, formatCount, nameOf } from "./explanation.js";
import { makePosition } from "./position.js";
import {
  boundKind,
  endsOf,
  ghostsOf,
  isChance,
  isCut,
  isExtra,
  isFinished,
  isLeaf,
  moveName,
  side,
} from "./trace.js";
import { makeBars } from "./window_bar.js";

/** @import { Ghost, Key, Pick, Trace } from "./types.js" */

const BAR = 150;

// `pick` selects a node; `edit`, if the tree can be changed, makes the controls for a node.
/** @type {(t: Trace, pick: Pick, edit: ((key: Key) => HTMLElement | null) | null) => any} */
export function makePanel(t, pick, edit) {
  const heading = makeHeading();
  const reason = h("div");
  const controls = h("div");
  const position = makePosition(t);
  const ladder = t.windows ? makeLadder(t, pick) : null;
  const parts = [
    heading.element,
    position?.element,
    reason,
    edit && controls,
    ladder?.element,
  ].filter(Boolean);

  // chosen: whether the reader chose the node. Otherwise the sentence has the reason for its cut, or
  // for its value.
  /** @type {(k: number, key: Key, chosen: boolean) => void} */
  function update(k, key, chosen) {
    const i = parseInt(String(key), 10);
    const ghost = typeof key === "string" ? ghostsOf(t, i)[Number(key.split("/")[1])] : null;
    const status = !i && !ghost ? OPEN : phase(t, i, k); // of a ghost, its parent
    // Nodes not visited yet all look the same, as a move at their parent, whether they will be or
    // not.
    const waits = ghost ? status !== CLOSED : status === WAITING;
    const seen = waits && !ghost ? t.parent[i] : i;
    const name = ghost ? t.moves[ghost.move][0] : moveName(t, i);
    if (waits) heading.update(`Move ${name}`, "not visited yet", "");
    else if (ghost && isCut(t, i)) heading.update(`Move ${name}`, "never visited", "cut");
    else if (ghost) heading.update(`Move ${name}`, "not visited", "");
    else heading.update(...nodeHeading(t, i, k));
    if (t.cells) position?.update(seen);
    const cut = status === CLOSED && isCut(t, i);
    reason.className = cut ? "kx-why iscut" : "kx-why";
    const isTold = cut || (phase(t, i, k) === CLOSED && Boolean(t.reasons?.[i]));
    show(reason, chosen || !isTold);
    reason.replaceChildren(...(waits ? [] : reasonParts(t, i, k, ghost, pick)));
    if (edit) controls.replaceChildren(...[edit(key)].filter(Boolean));
    ladder?.update(seen, k);
  }

  return { parts, update };
}

// Makes the heading: the name of the node, a tag, and its value, if it was visited.
function makeHeading() {
  const [tag, worth] = [h("span"), h("span.known")];
  const element = h("h2", "", tag, worth);
  /** @type {(name: string, tagged: string, kind: string, value?: string) => void} */
  const update = (name, tagged, kind, value = "") => {
    put(element, name);
    put(tag, tagged);
    set(tag, { class: `tag ${kind}` });
    put(worth, value);
    show(worth, value !== "");
  };
  return { element, update };
}

/** @type {(t: Trace, i: number, k: number) => [name: string, tagged: string, kind: string, value: string]} */
function nodeHeading(t, i, k) {
  const leaf = isLeaf(t, i);
  const again = isExtra(t, i) ? " again ↻" : "";
  const role =
    isFinished(t, i) && !t.byHand
      ? "finished"
      : leaf
        ? "leaf"
        : isChance(t, i)
          ? "chance moves"
          : `${side(t, i)} to move${again}`;
  const value = valueText(t, i, k);
  const kind = phase(t, i, k) === CLOSED ? boundKind(t, i) : "";
  return [
    i ? `Node ${nameOf(t, i)}` : "Root",
    role,
    leaf ? "" : side(t, i).toLowerCase(),
    value ? `${kind}${value}` : "no value yet",
  ];
}

/** @type {(t: Trace, i: number, k: number, ghost: Ghost | null, pick: Pick) => (HTMLElement | string)[]} */
function reasonParts(t, i, k, ghost, pick) {
  /** @type {(HTMLElement | string)[]} */
  const parts = explainNode(t, i, k).map(([text, node]) =>
    node == null || !text ? text : button(text, () => pick(node), { class: "kx-link" }),
  );
  if (ghost?.cost)
    parts.unshift(`${formatCount(ghost.cost, "node")} would have been visited below this move. `);
  const cut = phase(t, i, k) === CLOSED && isCut(t, i);
  return [cut ? h("h3", "Why?") : "", h("p", parts)];
}

// Makes the table of windows from the root down, as they were when the node was entered. Its rows
// are reused.
/** @type {(t: Trace, pick: Pick) => { element: HTMLElement, update(i: number, k: number): void }} */
function makeLadder(t, pick) {
  /** @type {any[]} */
  const rows = [];
  const body = h("tbody");
  const head = ["node", "α", "", "β"].map((text) =>
    text ? h("th", { scope: "col", class: text.length === 1 ? "n" : null }, text) : h("td"),
  );
  const element = h(
    "table.kx-ladder",
    h("caption", "Window on the way here"),
    h("thead", h("tr", head)),
    body,
  );

  function makeRow() {
    /** @type {any} */
    const row = { node: 0, shown: "", bar: makeBars(t, BAR, 12) };
    row.name = button("", () => pick(row.node), { class: "kx-link" });
    [row.side, row.alpha, row.beta] = [h("span"), h("td.n"), h("td.n")];
    const viewBox = `${-BAR / 2 - 1} 0 ${BAR + 2} 16`;
    const svg = s("svg.kx-bar", { viewBox, "aria-hidden": "true" }, row.bar.element);
    row.element = h(
      "tr",
      h("th", { scope: "row" }, row.name, row.side),
      row.alpha,
      h("td", svg),
      row.beta,
    );
    return row;
  }

  /** @type {(i: number, k: number) => void} */
  function update(i, k) {
    const path = wayTo(t, i, k);
    while (rows.length < path.length) rows.push(makeRow());
    path.forEach(({ node: p, bar }, place) => {
      const row = rows[place];
      const shown = [p, ...bar, p === i].join();
      if (row.shown === shown) return;
      Object.assign(row, { shown, node: p });
      set(row.element, { class: p === i ? "here" : null });
      put(row.name, p ? (isExtra(t, p) ? "↻ " : "") + moveName(t, p) : "root");
      put(row.side, ` ${side(t, p)}`);
      set(row.side, { class: side(t, p).toLowerCase() });
      const [low, high] = endsOf(t, p, bar);
      put(row.alpha, low);
      put(row.beta, high);
      row.bar.update([[0, 2, bar]]);
    });
    while (body.children.length > path.length) body.lastChild.remove();
    while (body.children.length < path.length) body.append(rows[body.children.length].element);
  }

  return { element, update };
}
