// Searches other than alpha-beta are described and drawn without claims that do not hold for them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { lookOf } from "../../../kalahlab/widgets/explorer/appearance.js";
import {
  bestLine,
  countCuts,
  countSkipped,
  valueText,
} from "../../../kalahlab/widgets/explorer/at_step.js";
import {
  describeNode,
  explainNode,
  joinPieces,
  sentence,
} from "../../../kalahlab/widgets/explorer/explanation.js";
import { visibleTree } from "../../../kalahlab/widgets/explorer/layout.js";
import { beginQuiz, questionAt } from "../../../kalahlab/widgets/explorer/quiz.js";
import { EMPTY, loadTraces } from "../../../kalahlab/widgets/explorer/state.js";
import { isCut, isSelective } from "../../../kalahlab/widgets/explorer/trace.js";
import { OTHERS, unpackSearch } from "./searches.mjs";

const SELECTIVE = ["uct", "best_first", "two_moves"];
const ACCUSED = /[Cc]ut\b|already|sure of|now has|keeps|at least|at most|≥|≤|every move/;
const CLAIMED = /[Cc]uts?\b|sure of|now has|keeps|at least|at most|≥|≤|window|true margin/;

function itemsOf(t) {
  const items = [];
  const walk = (item) => {
    items.push(item);
    item.kids.forEach(walk);
  };
  walk(visibleTree(t, () => true, false));
  return items;
}

test("a search without a window has no cuts, and no sentence mentions one", async () => {
  let selective = 0;
  for (const search of OTHERS.filter(({ algorithm }) => SELECTIVE.includes(algorithm))) {
    const t = await unpackSearch(search);
    const items = itemsOf(t);
    assert.equal(items.length, search.nodes.length, "what is not visited is shown, too");
    assert.equal(t.cutSteps.length, 0);
    for (let k = 0; k <= t.steps; k++) {
      assert.deepEqual(
        [countCuts(t, k), countSkipped(t, k), questionAt(t, k, "cut")],
        [0, 0, null],
      );
      for (const item of items) assert.notEqual(lookOf(t, item, k, false, true).kind, "ghost");
    }
    if (!isSelective(t)) continue; // a position with one move at each node
    selective++;
    assert.equal(t.addsUp, false);
    assert.deepEqual(bestLine(t, t.steps), search.principal);
    for (let k = 1; k < t.steps; k++) {
      assert.equal(valueText(t, 0, k), "", "it is worth what the search says at its end");
      assert.doesNotMatch(sentence(t, k), ACCUSED);
    }
    for (const item of items) {
      const text = describeNode(t, item, lookOf(t, item, t.steps, false, true));
      if (item.ghost) assert.match(text, /, not visited$/);
      assert.doesNotMatch(text, ACCUSED);
      if (!item.ghost)
        assert.doesNotMatch(
          joinPieces(explainNode(t, item.id, t.steps)).replace("no cut", ""),
          ACCUSED,
        );
    }
  }
  assert.ok(selective > 9);
});

test("a search that backs values up in its own way says how each value follows", async () => {
  let own = 0;
  for (const search of OTHERS.filter(({ reasons }) => reasons.some(Boolean))) {
    const t = await unpackSearch(search);
    if (!t.reasons) continue; // the root is a leaf
    own++;
    assert.deepEqual([t.reasons, t.unit, t.windows], [search.reasons, search.unit, false]);
    assert.deepEqual(bestLine(t, t.steps), search.principal);
    for (let k = 0; k <= t.steps; k++) {
      if (k < t.steps) assert.equal(valueText(t, 0, k), "");
      if (k) assert.doesNotMatch(sentence(t, k), CLAIMED);
      for (const kind of ["cut", "alpha", "beta"]) assert.equal(questionAt(t, k, kind), null);
      for (const item of itemsOf(t)) {
        const look = lookOf(t, item, k, false, false);
        assert.doesNotMatch(`${look.text} ${describeNode(t, item, look)}`, CLAIMED);
        const text = joinPieces(explainNode(t, item.id, k));
        assert.doesNotMatch(text, CLAIMED);
        if (k === t.steps && t.reasons[item.id]) assert.equal(text, t.reasons[item.id]);
      }
    }
  }
  assert.ok(own > 30);
});

test("without a window the quiz asks for values only", async () => {
  for (const search of OTHERS) {
    const t = await unpackSearch(search);
    const { quiz } = beginQuiz(loadTraces(EMPTY, [t], 0), "cut", "");
    assert.equal(quiz.kind, t.windows ? "cut" : "value");
  }
});

test("cuts are those of Python's trace, and moves left out without one are no cuts", async () => {
  let [cuts, out] = [0, 0];
  for (const search of OTHERS) {
    const t = await unpackSearch(search);
    assert.equal(t.cutSteps.length, Object.keys(search.cuts).length);
    for (const item of itemsOf(t)) {
      const look = lookOf(t, item, t.steps, false, true);
      if (item.ghost) {
        assert.equal(look.kind, isCut(t, item.id) ? "ghost" : "grey left");
        out += look.kind === "grey left" ? 1 : 0;
      } else if (isCut(t, item.id)) {
        cuts++;
        const text = joinPieces(explainNode(t, item.id, t.steps));
        assert.ok(text.startsWith(search.cuts[item.id].why), search.name);
      }
    }
  }
  assert.ok(cuts > 50 && out > 50);
});
