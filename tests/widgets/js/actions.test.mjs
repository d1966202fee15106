// What a reader does to the explorer, as states: the clock, the trees, the quiz, crossing out.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  beginCrossing,
  crossOut,
  crossOutRest,
  endCrossing,
} from "../../../kalahlab/widgets/explorer/cross_out.js";
import { visibleTree } from "../../../kalahlab/widgets/explorer/layout.js";
import {
  answerQuestion,
  askNext,
  beginQuiz,
  beginSet,
  endQuiz,
  questionAt,
} from "../../../kalahlab/widgets/explorer/quiz.js";
import { marksOf, openingOf } from "../../../kalahlab/widgets/explorer/scene.js";
import {
  EMPTY,
  goTo,
  goToCut,
  loadTraces,
  openSiblings,
  sceneOf,
  selectNode,
  setShow,
  stepBy,
  toggleNode,
  togglePlaying,
} from "../../../kalahlab/widgets/explorer/state.js";
import { enterOf, isCut, leaveOf, nodeAt } from "../../../kalahlab/widgets/explorer/trace.js";
import { opened, SEARCHES } from "./searches.mjs";

const cutters = SEARCHES.filter(({ algorithm }) => algorithm === "alpha_beta");
const found = await Promise.all(cutters.map(opened));
const one = found.find((t) => t.cutSteps.length > 2);
const begun = (...traces) => loadTraces(EMPTY, traces, 0);

// The states from one on, as long as an action makes another step of them.
function* steps(state, action) {
  for (let now = action(state); now.k !== state.k; now = action(state)) {
    yield now;
    state = now;
  }
}

test("steps lead through the whole search and back, and a leaf is one step", () => {
  for (const t of found) {
    const there = [...steps(begun(t), (state) => stepBy(state, 1))].map(({ k }) => k);
    assert.equal(there.at(-1), t.steps);
    const back = [...steps(goTo(begun(t), t.steps), (state) => stepBy(state, -1))];
    assert.equal(back.at(-1).k, 0);
    for (let k = 1; k < t.steps; k++) {
      const entersLeaf = t.size[nodeAt(t, k - 1)] === 1 && enterOf(t, nodeAt(t, k - 1)) === k - 1;
      const leaf = entersLeaf && !isCut(t, nodeAt(t, k - 1)) && !(t.flag[nodeAt(t, k - 1)] & 8);
      assert.equal(there.includes(k), !leaf, `step ${k}`);
    }
  }
});

test("of two searches, no step is left out, and the longer one ends them", () => {
  const [short, long] = [...found].sort((a, b) => a.steps - b.steps);
  const there = [...steps(begun(short, long), (state) => stepBy(state, 1))];
  assert.equal(there.length, long.steps);
  assert.equal(sceneOf(there.at(-1), 0).k, short.steps);
});

test("each cut is gone to once, forwards and backwards", () => {
  for (const t of found) {
    const cuts = [...t.cutSteps].map((step) => step + 1);
    const ahead = [...steps(begun(t), (state) => goToCut(state, 1))].map(({ k }) => k);
    assert.deepEqual(ahead, cuts.at(-1) === t.steps ? cuts : [...cuts, t.steps]);
    const end = goTo(begun(t), t.steps);
    const back = [...steps(end, (state) => goToCut(state, -1))].map(({ k }) => k);
    assert.deepEqual(back, [...cuts.filter((k) => k < t.steps).reverse(), 0]);
  }
});

test("of two searches, the one that moves is looked at: the one with the cut, or that goes on", () => {
  const [short, long] = [...found].sort((a, b) => a.steps - b.steps).slice(-9, -7);
  for (const by of [1, -1])
    for (const now of steps(goTo(begun(short, long), by > 0 ? 0 : Infinity), (s) =>
      goToCut(s, by),
    )) {
      const { t } = now.views[now.active];
      const cut = now.views.some((view) => view.t.cutSteps.includes(now.k - 1));
      assert.equal(t.cutSteps.includes(now.k - 1), cut);
    }
  for (const now of steps(begun(short, long), (state) => stepBy(state, 1)))
    assert.equal(now.active, now.k > short.steps ? 1 : 0);
});

test("a step beyond either end is that end, and playing on from the end begins anew", () => {
  const end = goTo(begun(one), Infinity);
  assert.equal(end.k, one.steps);
  assert.equal(goTo(end, -5).k, 0);
  assert.deepEqual([togglePlaying(end).k, togglePlaying(end).playing], [0, true]);
  assert.equal(togglePlaying(togglePlaying(end)).playing, false);
});

test("nothing that is done changes the state before", () => {
  const frozen = (state) => {
    for (const view of state.views) Object.freeze(view);
    Object.freeze(state.views);
    return Object.freeze(state);
  };
  let state = frozen(begun(one));
  const [item] = visibleTree(one, () => true, false).kids;
  const actions = [
    [stepBy, 1],
    [selectNode, 0, item.key],
    [toggleNode, 0, item],
    [openSiblings, 0, item],
    [setShow, 0, "line"],
    [goToCut, 1],
    [beginQuiz, "cut", ""],
    [answerQuestion, true],
    [askNext],
    [endQuiz],
  ];
  for (const [action, ...given] of actions) state = frozen(action(state, ...given));
});

test("what is selected, opened or shown otherwise is kept by its tree until the clock moves", () => {
  const start = setShow(begun(one), 0, "path");
  const [item] = visibleTree(one, () => true, false).kids;
  const opened = toggleNode(start, 0, { ...item, kids: [] });
  assert.ok(openingOf(sceneOf(opened, 0)).isOpen(item.id));
  assert.equal(marksOf(sceneOf(opened, 0)).focus, item.id);
  const closed = toggleNode(opened, 0, { ...item, kids: [item] });
  assert.ok(!openingOf(sceneOf(closed, 0)).isOpen(item.id));
  const moved = stepBy(opened, 1).views[0];
  assert.deepEqual([moved.focus, moved.byHand.size, moved.show], [null, 0, "path"]);
  assert.equal(stepBy(toggleNode(begun(one), 0, item), 1).views[0].byHand.size, 1);
});

test("another search shows the moment and the node that were looked at", () => {
  const state = selectNode(goTo(begun(one), 9), 0, 2);
  const again = loadTraces(state, [one], 0);
  assert.deepEqual([again.k, again.views[0].focus], [9, 2]);
  const after = loadTraces(goTo(begun(one), Infinity), [found[1]], 0);
  assert.equal(after.k, found[1].steps);
});

test("a quiz asks all there is to ask, and counts what is right, missed and superfluous", () => {
  for (const t of found.slice(0, 8))
    for (const kind of ["cut", "alpha", "beta", "value"]) {
      const all = [];
      for (let k = 0; k < t.steps; k++) if (questionAt(t, k, kind)) all.push(k);
      let state = beginQuiz(begun(t), kind, "");
      const asked = [];
      for (; state.quiz.question; state = askNext(state)) {
        asked.push(state.k);
        const { answer } = state.quiz.question;
        const right = kind === "cut" ? answer : t.numbers[answer];
        const wrong = kind === "cut" ? !answer : right + 1;
        state = answerQuestion(state, asked.length % 2 ? right : wrong);
        assert.equal(state.quiz.said.right, asked.length % 2 === 1);
      }
      assert.deepEqual(asked, all);
      assert.equal(state.k, t.steps);
      const { score } = state.quiz;
      assert.deepEqual([score.asked, score.right], [all.length, Math.ceil(all.length / 2)]);
      const cuts = kind === "cut" ? Math.floor(all.length / 2) : 0;
      assert.equal(score.missed + score.superfluous, cuts);
    }
});

test("a set is offered at the start, asked to its end, and its answers are kept", () => {
  let state = beginSet(beginQuiz(goTo(begun(one), 5), "set", "game=tree"), 3);
  const given = [];
  for (; state.quiz.question; state = askNext(state)) {
    given.push(given.length);
    state = answerQuestion(state, given.length - 1);
  }
  assert.ok(given.length);
  assert.deepEqual(state.quiz.set.answers, given);
});

test("the windows are hidden while a quiz goes on, and only then", () => {
  const quiz = beginQuiz(begun(one), "value", "");
  const scene = sceneOf(quiz, 0);
  assert.ok(scene.quizzing);
  assert.equal(scene.quizNode, quiz.quiz.question.node);
  assert.ok(!sceneOf(endQuiz(quiz), 0).quizzing);
});

test("branches are crossed out by any of their nodes, and the rest is shown", () => {
  const t = one;
  const tops = [1, 1 + t.size[1]];
  const branches = Array.from({ length: t.n }, (_, i) => {
    const top = tops.find((each) => i >= each && i < each + t.size[each]) ?? -1;
    return [top, `reason ${i}`];
  });
  const before = selectNode(begun(found[0], found[1]), 1, 2);
  const start = beginCrossing(before, t, branches);
  assert.deepEqual([sceneOf(start, 0).k, sceneOf(start, 0).view.t], [t.steps, t]);
  const wrong = crossOut(start, 0).crossing;
  assert.deepEqual([[...wrong.wrong], wrong.said.right], [[0], false]);
  const last = tops[1] + t.size[tops[1]] - 1;
  const right = crossOut(start, last);
  assert.deepEqual([...right.crossing.found], [tops[1]]);
  assert.match(right.crossing.said.text, new RegExp(`reason ${tops[1]}$`));
  const rest = crossOutRest(right);
  assert.deepEqual([...rest.crossing.rest], [tops[0]]);
  assert.deepEqual([...crossOut(rest, 1).crossing.found], [tops[1]], "it was shown, not found");
  assert.deepEqual(endCrossing(rest), before, "what was looked at before");
  assert.equal(leaveOf(t, 0), t.steps - 1);
});
