// Cross out: the whole tree is shown with its leaves' values, and the reader crosses out the branches
// that alpha-beta will not visit. Python has said of each node whether it is visited, and why.

import { button, h } from "../shared/dom.js";
import { counted, placeOf } from "./explanation.js";
import { makePane } from "./pane.js";
import { inflated, isFinished, isLeaf, isMax, unpack } from "./trace.js";

// host: changed() is told when it begins and ends; uid. `pane` is its tree while it is on, else null.
export function makeCrossOut(host) {
  const cross = { pane: null };
  let t = null;
  let branches = []; // per node: the highest node of its branch that is cut, or -1; the reason
  let tops = [];
  const found = new Set();
  const wrong = new Set();
  const shown = new Set(); // what the reader did not find
  const text = h("p", {});
  const total = h("p", { class: "kx-found" });
  const rest = button("Show the rest", showRest);
  const talk = h("div", { class: "kx-reason", "aria-live": "polite" }, text);
  const element = h(
    "div",
    { class: "kx-cross", hidden: true },
    talk,
    rest,
    button("Start again", start),
    total,
  );

  function start() {
    for (const marks of [found, wrong, shown]) marks.clear();
    text.textContent =
      "Which branches will alpha-beta not visit? It visits them in the order shown. " +
      "Click a branch to cross it out, or select it and press Enter.";
    draw();
  }

  cross.item = ({ id }) => {
    const [top, why] = branches[id];
    if (top < 0) {
      wrong.add(id);
      return tell(false, `Alpha-beta visits this node. ${why}`);
    }
    if (!shown.has(top)) found.add(top);
    const whole = top === id ? "" : ` The whole branch ${placeOf(t, top)} is cut.`;
    tell(true, `Alpha-beta does not visit this.${whole} ${branches[top][1]}`);
  };

  function tell(right, reason) {
    text.replaceChildren(
      h("b", { class: right ? "right" : "wrong" }, right ? "✓ Right. " : "✗ No. "),
      reason,
    );
    draw();
  }

  function showRest() {
    for (const top of tops) if (!found.has(top)) shown.add(top);
    text.textContent = "Now all are crossed out. Click a branch to read why.";
    draw();
  }

  function draw() {
    rest.disabled = found.size + shown.size === tops.length;
    total.textContent =
      `${found.size} of ${counted(tops.length, "branch").replace("branchs", "branches")} found` +
      ` · ${counted(wrong.size, "wrong answer")}`;
    cross.pane?.update(t.steps);
  }

  const markOf = (id) => {
    const [top] = branches[id];
    return found.has(top)
      ? "crossed out"
      : shown.has(top)
        ? "missed"
        : wrong.has(id)
          ? "visited"
          : "";
  };

  function lookOf({ id }) {
    const mark = markOf(id);
    if (isLeaf(t, id))
      return { kind: "leaf", finished: isFinished(t, id), text: t.brief[t.value[id]], mark };
    return { kind: isMax(t, id) ? "max" : "min", text: "", mark };
  }

  const marks = (pane) => ({
    current: -1,
    focus: pane.focus ?? 0,
    cutter: -1,
    owner: -1,
    quizNode: null,
    bound: "",
    path: new Set(),
    blame: new Set(),
    best: new Set(),
    crossed: tops.filter((top) => found.has(top) || shown.has(top)),
  });

  cross.select = (item) => {
    cross.pane.focus = item?.id ?? null;
    draw();
  };

  cross.toggle = async (whole) => {
    if (cross.pane) return cross.end();
    t = await unpack(whole.trace);
    branches = JSON.parse(new TextDecoder().decode(await inflated(whole.branches)));
    tops = [...new Set(branches.map(([top]) => top))].filter((top) => top >= 0);
    const click = (pane, item) => {
      cross.select(item);
      cross.item(item);
      pane.tree.focus({ preventScroll: true });
    };
    const paneHost = { go() {}, last: t.steps, grab: () => null, click, look: lookOf, marks };
    cross.pane = makePane(t, `${host.uid}x-`, paneHost, null);
    element.hidden = false;
    host.changed();
    start();
    cross.pane.tree.focus({ preventScroll: true });
  };

  cross.end = () => {
    if (!cross.pane) return;
    cross.pane.end();
    cross.pane = null;
    element.hidden = true;
    host.changed();
  };

  return Object.assign(cross, { element });
}
