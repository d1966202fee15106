// The state that the explorer computes for any step equals the one from the events one by one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { lookOf, signature } from "../../../kalahlab/widgets/explorer/appearance.js";
import {
  bestLine,
  countCuts,
  countSkipped,
  countVisited,
  current,
  wayTo,
} from "../../../kalahlab/widgets/explorer/at_step.js";
import {
  describeNode,
  explainNode,
  joinPieces,
  sentence,
} from "../../../kalahlab/widgets/explorer/explanation.js";
import { visibleTree } from "../../../kalahlab/widgets/explorer/layout.js";
import { cellsOf, endsOf } from "../../../kalahlab/widgets/explorer/trace.js";
import { Fold } from "./fold.mjs";
import { SEARCHES, unpackSearch } from "./searches.mjs";

// Returns all nodes and all moves never tried.
function itemsOf(t) {
  const items = [];
  const walk = (item) => {
    items.push(item);
    item.kids.forEach(walk);
  };
  walk(visibleTree(t, () => true, false));
  return items;
}

// Translates a node's value and label to the form of `Fold.facts`.
function parseLabel(value, label) {
  if (/: (Move \S+?(, extra turn)?|Root), (leaf|finished game), /.test(`: ${label}`))
    return `${value}||leaf`;
  if (/cut, \S+ nodes? never visited$/.test(label)) return `${value}||never`;
  const window = /(?:window|MAX gets) (\S+ to|more than|at least) (\S+?)(?:,|$)/.exec(label);
  const state = /(not visited yet|cut|never visited|open)$/.exec(label)?.[1];
  const states = { "not visited yet": "waiting", open: "open", cut: "cut" };
  return `${value}|${window ? `${window[1]} ${window[2]}` : ""}|${state ? states[state] : ""}`;
}

test("before the first step the sentence leads to the first cut, or says why there is none", async () => {
  const kinds = new Set();
  for (const search of SEARCHES) {
    const t = await unpackSearch(search);
    const none = t.windows ? /another order/ : /cuts no branch/;
    const kind = t.cutSteps.length ? /see the first cut/ : none;
    assert.match(sentence(t, 0), kind);
    kinds.add(kind.source);
  }
  assert.equal(kinds.size, 3);
});

const byAlgorithm = Map.groupBy(SEARCHES, (search) => search.algorithm);
for (const [algorithm, searches] of byAlgorithm)
  test(`the state at each step of ${algorithm} is that of its events`, async () => {
    for (const search of searches) await compare(search);
  });

async function compare(search) {
  const t = await unpackSearch(search);
  const items = itemsOf(t);
  assert.equal(items.length, search.nodes.length, "the whole tree");
  const fold = new Fold(search);
  const shown = new Map(); // the look of each node, by key
  compareNodes(t, items, fold, shown, 0);
  search.events.forEach(([enters, id], place) => {
    if (enters) fold.enter(id);
    else fold.leave(id);
    compareNodes(t, items, fold, shown, place + 1);
    compareSearch(t, search, fold, place + 1);
  });
  assert.equal(t.steps, search.events.length);
  assert.deepEqual(bestLine(t, t.steps), search.principal);
  assert.equal(t.addsUp, search.addsUp);
  assert.equal(t.full, search.full);
  assert.equal(fold.skipped + fold.entered === search.full, search.addsUp);
}

// Compares only the nodes that look different, or that the last event changed.
function compareNodes(t, items, fold, shown, step) {
  for (const item of items) {
    const key = String(item.key);
    const look = lookOf(t, item, step, false, true);
    const drawn = lookOf(t, item, step, false, false);
    assert.deepEqual(drawn, look.ahead ? { kind: "hidden", text: "" } : look);
    const sign = signature(look);
    if (shown.get(key) === sign && !fold.touched.has(key)) continue;
    shown.set(key, sign);
    const label = describeNode(t, item, look);
    if (!step && key === "0") continue; // the root before the search
    if (look.ahead) {
      assert.match(`${look.text}${label}`, /^Move .*, not reached yet$/);
      assert.ok(!fold.facts.has(key));
    } else
      assert.equal(
        parseLabel(look.text, label),
        fold.facts.get(key),
        `${key} at ${step} of ${fold.search.name}`,
      );
  }
  for (const key of fold.touched) assert.ok(shown.has(key));
  fold.touched.clear();
}

function compareSearch(t, search, fold, step) {
  const now = current(t, step);
  assert.equal(now, fold.shown);
  assert.equal(countVisited(t, step), fold.entered);
  assert.equal(countCuts(t, step), fold.cuts);
  assert.equal(countSkipped(t, step), fold.skipped);
  if (search.windows) {
    const way = wayTo(t, now, step).map(({ node, bar }) => [
      ...endsOf(t, node, bar),
      bar[2] < 0 ? "" : t.texts[bar[2]],
    ]);
    assert.deepEqual(way, fold.way);
  }
  if (t.board) assert.deepEqual(cellsOf(t, now), search.nodes[now].board);
  if (fold.sentence !== null) assert.ok(sentence(t, step).startsWith(`Cut. ${fold.sentence}`));
  if (fold.reason !== null) assert.equal(joinPieces(explainNode(t, now, step)), fold.reason);
}
