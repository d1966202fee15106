// A packed search that grew a tree, and its states, compared with the trace in Python at each step.

import assert from "node:assert/strict";
import { test } from "node:test";
import { layOut } from "../../../kalahlab/widgets/explorer/layout.js";
import { cellsOf, isFinished, isMax } from "../../../kalahlab/widgets/explorer/trace.js";
import { csvOf } from "../../../kalahlab/widgets/growth/csv.js";
import { openTree } from "../../../kalahlab/widgets/growth/layout.js";
import {
  answerQuestion,
  askNext,
  beginQuiz,
  endQuiz,
} from "../../../kalahlab/widgets/growth/quiz.js";
import * as actions from "../../../kalahlab/widgets/growth/state.js";
import {
  BACK_UP,
  candidatesAt,
  childrenMade,
  EVALUATE,
  EXPAND,
  happens,
  isMade,
  knownAt,
  momentOf,
  numbersAt,
  pathAt,
  SELECT,
  stateOf,
  valuesAt,
} from "../../../kalahlab/widgets/growth/trace.js";
import { brief, format, pathName } from "../../../kalahlab/widgets/growth/words.js";
import { GROWTHS, unpackAll } from "./growths.mjs";

const named = (name) => GROWTHS.find((growth) => growth.name === name);

// Returns the numbers as Python has them: without the mean, which the view adds.
function fieldsOf(t, numbers) {
  if (!numbers) return null;
  return Object.fromEntries(t.fields.map((field) => [field, numbers[field]]));
}

for (const growth of GROWTHS)
  test(`the unpacked search has the nodes, numbers and terms of Python: ${growth.name}`, async () => {
    const t = await unpackAll(growth);
    growth.nodes.forEach((node, i) => {
      assert.equal(pathName(t, i), node.path.join(", "));
      assert.equal(isMax(t, i), node.max);
      assert.equal(isFinished(t, i), node.over);
      assert.deepEqual(childrenMade(t, i, { step: Infinity, part: BACK_UP }), node.children);
      if (t.board) assert.deepEqual(cellsOf(t, i), node.board);
    });
    growth.steps.forEach(({ candidates, means, numbers, path, reasons, values }, step) => {
      assert.deepEqual(pathAt(t, step), path);
      if (step) assert.deepEqual(t.reasons.get(step), reasons);
      const found = step ? valuesAt(t, step) : [];
      const rows = found.map(({ id, how, value }) => [id, how, Number.isNaN(value) ? null : value]);
      assert.deepEqual(rows, values);
      for (let i = 0; i < t.n; i++) {
        const known = numbersAt(t, i, step);
        assert.deepEqual(fieldsOf(t, known), numbers[i]);
        if (means[i] !== null) assert.equal(known?.mean, means[i]);
        const terms = candidatesAt(t, i, step).map(({ id, terms }) => [id, terms]);
        const expected = candidates[i].map(([id, all]) => [
          id,
          t.terms.map((_, index) => Math.fround(all[index] ?? 0)),
        ]);
        assert.deepEqual(terms, expected, `node ${i} after ${step}`);
      }
    });
  });

test("the numbers of the path change only when they are backed up", async () => {
  for (const growth of GROWTHS) {
    const t = await unpackAll(growth);
    for (let step = 1; step <= t.steps; step++)
      for (let i = 0; i < t.n; i++) {
        const before = numbersAt(t, i, step - 1);
        assert.deepEqual(knownAt(t, i, { step, part: SELECT }), before);
        const first = t.born[i] === step && !pathAt(t, step).includes(i);
        const valued = first ? numbersAt(t, i, step) : before;
        const waits = happens(t, { step, part: EVALUATE });
        assert.deepEqual(knownAt(t, i, { step, part: EXPAND }), waits ? before : valued);
        assert.deepEqual(knownAt(t, i, { step, part: EVALUATE }), valued);
        assert.deepEqual(knownAt(t, i, { step, part: BACK_UP }), numbersAt(t, i, step));
        assert.equal(isMade(t, i, { step, part: SELECT }), t.born[i] < step);
        assert.equal(isMade(t, i, { step, part: EXPAND }), t.born[i] <= step);
      }
  }
});

test("the clock stops at each state in which something happens, in both directions", async () => {
  for (const growth of GROWTHS) {
    const t = await unpackAll(growth);
    const forward = [0];
    let state = actions.stateFor(t, 0);
    for (; state.k < state.last; forward.push(state.k)) state = actions.stepBy(state, 1);
    assert.equal(actions.stepBy(state, 1).k, t.last);
    const back = [state.k];
    for (; state.k > 0; back.push(state.k)) state = actions.stepBy(state, -1);
    assert.deepEqual(back.reverse(), forward);
    for (const k of forward) {
      const { step, part } = momentOf(k);
      assert.equal(stateOf(step, part), k);
      const expands = step > 0 && t.expanded[step - 1] > 0;
      assert.ok(part !== EXPAND || expands);
    }
    const ends = forward.filter((k) => momentOf(k).part === BACK_UP);
    assert.equal(ends.length, t.steps + 1);
    const hops = [0];
    for (state = actions.stateFor(t, 0); state.k < state.last; hops.push(state.k))
      state = actions.goByIteration(state, 1);
    assert.deepEqual(hops, ends);
  }
});

test("nodes stay where they are while the tree grows, and none overlaps another", async () => {
  for (const growth of GROWTHS) {
    const t = await unpackAll(growth);
    if (!actions.isSmall(t)) continue;
    const state = actions.stateFor(t, 0);
    const keys = new Set();
    for (let k = 0; k <= t.last; k++)
      keys.add(actions.openingOf({ ...state, k }).key.replace(/ .*/, ""));
    assert.deepEqual([...keys], ["all"]);
    const { items } = layOut(
      openTree(t, () => true, false),
      t,
      false,
    );
    assert.equal(items.length, t.n);
    items.forEach((one, n) => {
      for (const two of items.slice(n + 1))
        assert.ok(Math.abs(one.x - two.x) >= 50 || Math.abs(one.y - two.y) >= 20, growth.name);
    });
  }
});

test("only the current path is open in a large tree", async () => {
  const t = await unpackAll(named("uct, evaluator"));
  assert.ok(!actions.isSmall(t));
  let state = actions.stateFor(t, 0);
  for (; state.k < state.last; state = actions.stepBy(state, 1)) {
    const { isOpen } = actions.openingOf(state);
    const path = pathAt(t, momentOf(state.k).step);
    for (let i = 1; i < t.n; i++) assert.ok(!isOpen(i) || path.includes(i));
  }
});

test("the quiz asks for the next move and the new number, and knows the answers", async () => {
  for (const growth of GROWTHS)
    for (const kind of ["move", "number"]) {
      const t = await unpackAll(growth);
      let state = beginQuiz(actions.stateFor(t, 0), kind);
      let asked = 0;
      for (; state.quiz.question; state = askNext(state)) {
        const { answer, field, k, node } = state.quiz.question;
        const step = momentOf(k).step + (kind === "move" ? 1 : 0);
        const { means, numbers, path } = growth.steps[step];
        if (kind === "move") assert.equal(answer, path[path.indexOf(node) + 1]);
        else assert.equal(answer, field === "mean" ? means[node] : numbers[node][field]);
        assert.equal(state.k, k, "the answer is not shown yet");
        const wrong = answerQuestion(state, answer + 1).quiz;
        if (Number.isFinite(answer)) assert.equal(wrong.reply.right, false);
        state = answerQuestion(state, answer);
        assert.equal(state.quiz.reply.right, true);
        assert.ok(state.k > k);
        asked++;
      }
      assert.deepEqual(state.quiz.score, { right: asked, asked });
      assert.equal(endQuiz(state).quiz, null);
    }
});

test("the table has a row for each node made so far", async () => {
  const t = await unpackAll(named("uct"));
  for (const step of [0, 1, t.steps]) {
    const lines = csvOf(t, step).trim().split("\n");
    const made = (growth) => growth.steps[step].numbers.filter(Boolean).length;
    assert.equal(lines.length - 1, made(named("uct")));
    assert.match(lines[0], /^id,path,player,role,born,n,total/);
  }
});

test("numbers have a true minus sign, and no zero has one", () => {
  assert.deepEqual([-2, -0.001, 0.5, 1234, Infinity, Number.NaN].map(format), [
    "−2",
    "0.00",
    "0.50",
    "1,234",
    "∞",
    "–",
  ]);
  assert.deepEqual([-0.5, 12.34, -123.4, 3].map(brief), ["−0.50", "12.3", "−123", "3"]);
});
