// A tree written by hand: values of its leaves, and the order of its moves. Python makes the change
// and searches again; `ask(wish)` tells it.

import { button, field, h } from "../shared/dom.js";
import { pathTo } from "./trace.js";
import { CLOSED, phase } from "./state.js";

// Which branch an item is: those that lead to its parent, by index, and its own.
function branchOf({ t }, item) {
  const place = (move) => t.moves[move][1];
  const parent = item.ghost ? item.id : t.parent[item.id];
  return {
    path: pathTo(t, parent).slice(1).map((i) => place(t.move[i])),
    branch: place(item.ghost ? item.ghost.move : t.move[item.id]),
  };
}

export function moveBranch(pane, item, to, ask) {
  if (item.up && to >= 0 && to < item.up.kids.length)
    ask({ edit: { ...branchOf(pane, item), to } });
}

// For the selected node: its value if it is a leaf, and its place among its siblings.
export function controls(pane, key, ask) {
  const item = pane.layout.at.get(key);
  if (!item?.up) return null;
  const move = (label, by, title) => button(label, () => moveBranch(pane, item, item.pos - 1 + by, ask), {
    title, disabled: item.pos + by < 1 || item.pos + by > item.up.kids.length,
  });
  return h(
    "div", { class: "kx-edit" },
    item.leafy ? valueForm(pane, item, ask) : null,
    move("Earlier", -1, "Try this move earlier (Shift ←)"),
    move("Later", 1, "Try this move later (Shift →)"),
  );
}

function valueForm(pane, item, ask) {
  const { t, k } = pane;
  const known = !item.ghost && phase(t, item.id, k) === CLOSED;
  const value = known ? t.numbers[t.value[item.id]] : "";
  const input = h("input", { type: "text", inputmode: "decimal", size: 6, value });
  const submit = (event) => {
    event.preventDefault();
    const { path, branch } = branchOf(pane, item);
    ask({ edit: { path: [...path, branch], value: input.value } });
  };
  return h(
    "form", { onsubmit: submit },
    field("Value of this leaf", input),
    h("button", {}, "Set"),
  );
}

// A move taken by the pointer: it is dragged, and dropped between its siblings.
export function grabbed(pane, item, ask) {
  if (!item?.up) return null;
  const drawn = pane.tree.querySelector(`#${CSS.escape(`${pane.uid}${item.key}`)}`);
  const along = item.up.column || pane.layout.across ? "y" : "x";
  const at = { x: item.x, y: item.y };
  const show = () => drawn.setAttribute("transform", `translate(${at.x.toFixed(1)},${at.y})`);
  return {
    move(dx, dy) {
      if (drawn.nextSibling) drawn.parentNode.append(drawn); // above all others
      Object.assign(at, { x: item.x + dx, y: item.y + dy });
      show();
    },
    drop(done) {
      const others = item.up.kids.filter((kid) => kid !== item);
      const to = others.filter((kid) => kid[along] < at[along]).length;
      Object.assign(at, { x: item.x, y: item.y });
      show();
      pane.update(pane.k);
      if (done && to !== item.pos - 1) moveBranch(pane, item, to, ask);
    },
  };
}
