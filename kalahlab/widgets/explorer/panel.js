// What is known of the selected node: its board, why it was left, and the window on the way there.

import { button, h, s } from "./dom.js";
import {
  boundKind, ghostsOf, isCut, isExtra, isFinished, isLeaf, moveName, pathTo, side,
} from "./trace.js";
import { CLOSED, phase, best, valueOf, windowOf } from "./state.js";
import { boardPicture } from "./board.js";
import { makeBar } from "./bar.js";
import { counted, explained, nameOf } from "./words.js";

const BAR = 150;

// `pick` selects a node; `edit`, if the tree can be changed, makes the controls for that.
export function fillPanel(panel, { t, k, key, pick, edit }) {
  const i = parseInt(key);
  const ghost = typeof key === "string" ? ghostsOf(t, i)[Number(key.split("/")[1])] : null;
  panel.replaceChildren(...[
    ghost ? ghostHeading(t, i, ghost) : heading(t, i, k),
    boardPicture(t, i),
    reason(t, i, k, ghost, pick),
    edit ? edit(key) : null,
    t.windows ? ladder(t, i, k, pick) : null,
  ].filter(Boolean));
}

function heading(t, i, k) {
  const leaf = isLeaf(t, i);
  const again = isExtra(t, i) ? " again ↻" : "";
  const role = isFinished(t, i) ? "finished" : leaf ? "leaf" : `${side(t, i)} to move${again}`;
  const value = valueOf(t, i, k);
  const kind = phase(t, i, k) === CLOSED ? boundKind(t, i) : "";
  return h(
    "h2", {}, i ? `Node ${nameOf(t, i)}` : "Root",
    h("span", { class: `tag ${leaf ? "" : side(t, i).toLowerCase()}` }, role),
    h("span", { class: "known" }, value ? `${kind}${value}` : "no value yet"),
  );
}

function ghostHeading(t, i, ghost) {
  return h("h2", {}, `Move ${t.moves[ghost.move][0]}`, h("span", { class: "tag cut" }, "never visited"));
}

function reason(t, i, k, ghost, pick) {
  const cut = phase(t, i, k) === CLOSED && isCut(t, i);
  const parts = explained(t, i, k).map(({ text, node }) =>
    node === undefined || !text ? text : button(text, () => pick(node), { class: "kx-link" }),
  );
  if (ghost?.cost) parts.unshift(`${counted(ghost.cost, "node")} would have been visited below this move. `);
  if (!cut) return h("p", { class: "kx-why" }, parts);
  return h("div", { class: "kx-why iscut" }, h("h3", {}, "Why?"), h("p", {}, parts));
}

function ladder(t, i, k, pick) {
  const rows = pathTo(t, i).map((p) => {
    const at = p === i ? k : Math.min(k, t.enter[p === i ? p : childOn(t, p, i)] + 1);
    const [alpha, beta] = windowOf(t, p, at);
    const { value, by } = best(t, p, at);
    const bar = makeBar(t, BAR, 12, 2);
    bar.update([alpha, beta, by < 0 ? -1 : value]);
    const svg = s("svg", { class: "kx-bar", viewBox: `${-BAR / 2 - 1} 0 ${BAR + 2} 16`, "aria-hidden": "true" }, bar.element);
    const name = p ? (isExtra(t, p) ? "↻ " : "") + moveName(t, p) : "root";
    return h(
      "tr", { class: p === i ? "here" : null },
      h("th", { scope: "row" }, button(name, () => pick(p), { class: "kx-link" }),
        h("span", { class: side(t, p).toLowerCase() }, ` ${side(t, p)}`)),
      h("td", { class: "n" }, t.texts[alpha]), h("td", {}, svg), h("td", { class: "n" }, t.texts[beta]),
    );
  });
  const head = ["node", "α", "", "β"].map((text) =>
    text ? h("th", { scope: "col", class: text.length === 1 ? "n" : null }, text) : h("td"));
  return h(
    "table", { class: "kx-ladder" }, h("caption", {}, "Window on the way here"),
    h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows),
  );
}

// The child of p on the way to i.
function childOn(t, p, i) {
  while (t.parent[i] !== p) i = t.parent[i];
  return i;
}
