// The editor of a tree written by hand: values of leaves, names, the order of moves, new and
// removed branches. Python makes the change and searches again; ask(request) sends it.

import { button, field, form, h } from "../shared/dom.js";
import { CLOSED, phase } from "./at_step.js";
import { isPass, ownName, pathTo } from "./trace.js";

/** @import { Pane } from "./pane.js" */
/** @import { Ask, Held, Item, Key, Pick, Trace } from "./types.js" */

// Returns the branches that lead to an item's parent, by index, and its own.
/** @type {(pane: { t: Trace }, item: Item) => { path: number[], branch: number }} */
function branchOf({ t }, item) {
  /** @type {(move: number) => number} */
  const place = (move) => t.moves[move][1];
  const parent = item.ghost ? item.id : t.parent[item.id];
  return {
    path: pathTo(t, parent)
      .slice(1)
      .filter((i) => !isPass(t, i))
      .map((i) => place(t.move[i])),
    branch: place(item.ghost ? item.ghost.move : t.move[item.id]),
  };
}

// Returns the branches of items; a branch that is probed and then searched has two.
/** @type {(pane: Pane, items: Item[]) => Set<number>} */
const branchesOf = (pane, items) => new Set(items.map((item) => branchOf(pane, item).branch));

// Returns the place of a branch after moving it by `by` places; -1 if there is none.
/** @type {(pane: Pane, item: Item, by: number) => number} */
export function placeAt(pane, item, by) {
  const to = branchOf(pane, item).branch + by;
  return to < branchesOf(pane, item.up?.kids ?? []).size ? Math.max(to, -1) : -1;
}

/** @type {(pane: Pane, item: Item, to: number, ask: Ask) => void} */
export function moveBranch(pane, item, to, ask) {
  const edit = item.up && branchOf(pane, item);
  if (edit && to >= 0 && to !== edit.branch) ask({ edit: { ...edit, to } });
}

// Returns the branches from the root to an item.
/** @type {(pane: Pane, item: Item) => number[]} */
function pathOf(pane, item) {
  if (!item.up || (!item.ghost && isPass(pane.t, item.id))) return [];
  const { path, branch } = branchOf(pane, item);
  return [...path, branch];
}

// Makes the controls of the selected node: the value of a leaf, the name, the place among its
// siblings, another branch, and removal.
/** @type {(pane: Pane, key: Key, ask: Ask, pick: Pick) => HTMLElement | null} */
export function controls(pane, key, ask, pick) {
  const item = pane.layout.at.get(key);
  if (!item) return null;
  const { t } = pane;
  const { ghost, id } = item;
  const path = pathOf(pane, item);
  /** @type {(change: object) => Promise<{ error?: string } | null>} */
  const edit = (change) => ask({ edit: { path, ...change } });
  const add = button("Add a branch", () => edit({ add: true }), {
    title: "One more leaf below this node",
  });
  if (!path.length) return h("div.kx-edit", add);
  /** @type {(label: string, by: number, title: string) => HTMLElement} */
  const move = (label, by, title) => {
    const to = placeAt(pane, item, by);
    return button(label, () => moveBranch(pane, item, to, ask), { title, disabled: to < 0 });
  };
  const isKnown = !ghost && phase(t, id, pane.k) === CLOSED;
  const value = isKnown ? t.numbers[t.value[id]] : "";
  const name = ghost ? t.moves[ghost.move][0] : ownName(t, id);
  // Another name does not change the search, nor the node's number.
  /** @type {(name: string) => Promise<unknown>} */
  const rename = async (name) => (await edit({ name }))?.error === "" && pick(key);
  return h(
    "div.kx-edit",
    item.leafy &&
      setForm("Value of this leaf", { inputmode: "decimal", size: 6, value }, "Set", (value) =>
        edit({ value }),
      ),
    setForm("Name", { size: 8, maxlength: 20, value: name }, "Rename", rename),
    move("Earlier", -1, "Try this move earlier (Shift ←)"),
    move("Later", 1, "Try this move later (Shift →)"),
    add,
    button("Remove", () => ask({ edit: { ...branchOf(pane, item), remove: true } }), {
      title: "Remove this node and all below it",
    }),
  );
}

// Makes the controls of the whole tree: a random tree by its number, and undo. searched: the form's
// fields by name.
/** @type {(searched: object, undoable: boolean, ask: Ask) => HTMLElement} */
export function makeTreeTools(searched, undoable, ask) {
  /** @type {(label: string, name: string, value: number, max: number) => HTMLElement} */
  const input = (label, name, value, max) =>
    field(
      label,
      h("input", {
        type: "number",
        name,
        value,
        min: name === "seed" ? 0 : 1,
        max,
        required: true,
      }),
    );
  return form(
    ({ branches, levels, seed }) =>
      ask({
        search: { ...searched, depth: levels, position: `uniform:${branches}x${levels}:${seed}` },
      }),
    { class: "kx-tree" },
    h("span", "Random tree:"),
    input("branches", "branches", 3, 9),
    input("levels", "levels", 3, 6),
    input("number", "seed", 1, 999999),
    h("button", "Make"),
    button("Undo", () => ask({ undo: true }), {
      disabled: !undoable,
      title: "Back to the previous search",
    }),
    h("span", "Select a node to change it."),
  );
}

/** @type {(label: string, attributes: object, verb: string, run: (text: string) => unknown) => HTMLElement} */
function setForm(label, attributes, verb, run) {
  const input = h("input", { type: "text", ...attributes });
  return form(() => run(input.value), field(label, input), h("button", verb));
}

// Begins to drag a move, which is dropped between its siblings.
/** @type {(pane: Pane, item: Item | undefined, ask: Ask) => Held | null} */
export function grabNode(pane, item, ask) {
  if (!item?.up) return null;
  const drawn = pane.tree.querySelector(`#${CSS.escape(`${pane.uid}${item.key}`)}`);
  const { up } = item;
  const along = up.column || pane.layout.across ? "y" : "x";
  const place = { x: item.x, y: item.y };
  const show = () => drawn.setAttribute("transform", `translate(${place.x.toFixed(1)},${place.y})`);
  return {
    move(dx, dy) {
      if (drawn.nextSibling) drawn.parentNode.append(drawn); // above all others
      Object.assign(place, { x: item.x + dx, y: item.y + dy });
      show();
    },
    drop(done) {
      const before = branchesOf(
        pane,
        up.kids.filter((kid) => kid[along] < place[along]),
      );
      before.delete(branchOf(pane, item).branch);
      Object.assign(place, { x: item.x, y: item.y });
      show();
      pane.redraw();
      if (done) moveBranch(pane, item, before.size, ask);
    },
  };
}
