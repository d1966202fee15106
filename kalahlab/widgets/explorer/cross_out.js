// Cross out: the whole tree is shown with the values of its leaves, and the reader crosses out the
// branches that alpha-beta will not visit. Python sends for each node whether it is visited, and
// why.

/** @import { Act, Branch, Crossing, Item, Look, Marks, State, Trace, View } from "./types.js" */

import { button, h } from "../shared/dom.js";
import { formatCount, placeOf } from "./explanation.js";
import { verdict } from "./quiz_view.js";
import { UNMARKED } from "./scene.js";
import { viewOf } from "./state.js";
import { gunzipJson, isFinished, isLeaf, isMax, unpack } from "./trace.js";

const ASKED =
  "Which branches will alpha-beta not visit? It visits them in the order shown. " +
  "Click a branch to cross it out, or select it and press Enter.";

// Unpacks the tree and its branches (see packing.py).
/** @type {(whole: { trace: any, branches: DataView<ArrayBuffer> }) => Promise<[Trace, Branch[]]>} */
export const unpackExercise = async ({ trace, branches }) => [
  await unpack(trace),
  await gunzipJson(branches),
];

// Returns the highest nodes of all branches that are cut.
/** @type {(crossing: Crossing) => number[]} */
const topsOf = ({ branches }) =>
  [...new Set(branches.map(([top]) => top))].filter((top) => top >= 0);

// ---- actions

/** @type {(state: State, t: Trace, branches: Branch[]) => State} */
export const beginCrossing = (state, t, branches) => ({
  ...state,
  views: [viewOf(t)],
  active: 0,
  playing: false,
  crossing: makeCrossing({ branches, before: { ...state, playing: false } }),
});

/** @type {(from: Pick<Crossing, "branches" | "before">) => Crossing} */
const makeCrossing = ({ branches, before }) => ({
  branches,
  before,
  found: new Set(),
  wrong: new Set(),
  rest: new Set(),
  reply: { text: ASKED },
});

/** @type {(state: State) => State} */
export const endCrossing = (state) => state.crossing?.before ?? state;

/** @type {(state: State, change: (crossing: Crossing) => Crossing) => State} */
const changeCrossing = (state, change) =>
  state.crossing ? { ...state, crossing: change(state.crossing) } : state;

/** @type {(state: State) => State} */
const restartCrossing = (state) => changeCrossing(state, makeCrossing);

/** @type {(state: State, id: number) => State} */
export const crossOut = (state, id) =>
  changeCrossing(state, (now) => {
    const { branches, found, rest, wrong } = now;
    const [top, why] = branches[id];
    if (top < 0) {
      const reply = { right: false, text: `Alpha-beta visits this node. ${why}` };
      return { ...now, wrong: new Set(wrong).add(id), reply };
    }
    const whole = top === id ? "" : ` The whole branch ${placeOf(state.views[0].t, top)} is cut.`;
    const reply = {
      right: true,
      text: `Alpha-beta does not visit this.${whole} ${branches[top][1]}`,
    };
    return { ...now, found: rest.has(top) ? found : new Set(found).add(top), reply };
  });

/** @type {(state: State) => State} */
export const crossOutRest = (state) =>
  changeCrossing(state, (now) => ({
    ...now,
    rest: new Set(topsOf(now).filter((top) => !now.found.has(top))),
    reply: { text: "Now all are crossed out. Click a branch to read why." },
  }));

// ---- the page

/** @type {(act: Act) => { element: HTMLElement, show(state: State): void }} */
export function makeCrossOut(act) {
  const text = h("p");
  const total = h("p.kx-found");
  const rest = button("Show the rest", () => act(crossOutRest));
  const talk = h("div.kx-reason", { "aria-live": "polite" }, text);
  const restart = button("Start again", () => act(restartCrossing));
  const element = h("div.kx-cross", { hidden: true }, talk, total, rest, restart);
  /** @type {Crossing["reply"] | null} */
  let reply = null;

  /** @type {(state: State) => void} */
  function show({ crossing }) {
    element.hidden = !crossing;
    if (!crossing) return;
    const { found, rest: others, wrong } = crossing;
    const count = topsOf(crossing).length;
    rest.disabled = found.size + others.size === count;
    total.textContent =
      `${found.size} of ${formatCount(count, "branch").replace("branchs", "branches")} found` +
      ` · ${formatCount(wrong.size, "wrong answer")}`;
    if (reply === crossing.reply) return; // it has been read out
    reply = crossing.reply;
    const { right, text: words } = reply;
    text.replaceChildren(...(right === undefined ? [words] : [verdict(right), words]));
  }
  return { element, show };
}

/** @type {(t: Trace, crossing: Crossing, item: Item) => Look} */
export function lookOf(t, { branches, found, rest, wrong }, { id }) {
  const [top] = branches[id];
  const missed = rest.has(top) ? "missed" : wrong.has(id) ? "visited" : "";
  const mark = found.has(top) ? "crossed out" : missed;
  if (isLeaf(t, id))
    return { kind: "leaf", finished: isFinished(t, id), text: t.brief[t.value[id]], mark };
  return { kind: isMax(t, id) ? "max" : "min", text: "", mark };
}

/** @type {(view: View, crossing: Crossing) => Marks} */
export const marksOf = ({ focus }, crossing) => ({
  ...UNMARKED,
  focus: focus ?? 0,
  crossed: topsOf(crossing).filter((top) => crossing.found.has(top) || crossing.rest.has(top)),
});
