// The actions of the explorer, on states: the clock, the trees, the quiz, crossing out.

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
import { SEARCHES, unpackSearch } from "./searches.mjs";

const cutters = SEARCHES.filter(({ algorithm }) => algorithm === "alpha_beta");
const traces = await Promise.all(cutters.map(unpackSearch));
const one = traces.find((t) => t.cutSteps.length > 2);
const load = (...traces) => loadTraces(EMPTY, traces, 0);

// Yields the states that an action leads to, until the step no longer changes.
function* steps(state, action) {
  for (let now = action(state); now.k !== state.k; now = action(state)) {
    yield now;
    state = now;
  }
}

test("steps go through the whole search and back, and a leaf takes one step", () => {
  for (const t of traces) {
    const forward = [...steps(load(t), (state) => stepBy(state, 1))].map(({ k }) => k);
    assert.equal(forward.at(-1), t.steps);
    const back = [...steps(goTo(load(t), t.steps), (state) => stepBy(state, -1))];
    assert.equal(back.at(-1).k, 0);
    for (let k = 1; k < t.steps; k++) {
      const entersLeaf = t.size[nodeAt(t, k - 1)] === 1 && enterOf(t, nodeAt(t, k - 1)) === k - 1;
      const leaf = entersLeaf && !isCut(t, nodeAt(t, k - 1)) && !(t.flag[nodeAt(t, k - 1)] & 8);
      assert.equal(forward.includes(k), !leaf, `step ${k}`);
    }
  }
});

test("two searches are stepped through to the end of the longer one, without gaps", () => {
  const [short, long] = [...traces].sort((a, b) => a.steps - b.steps);
  const forward = [...steps(load(short, long), (state) => stepBy(state, 1))];
  assert.equal(forward.length, long.steps);
  assert.equal(sceneOf(forward.at(-1), 0).k, short.steps);
});

test("each cut is visited once, forwards and backwards", () => {
  for (const t of traces) {
    const cuts = [...t.cutSteps].map((step) => step + 1);
    const ahead = [...steps(load(t), (state) => goToCut(state, 1))].map(({ k }) => k);
    assert.deepEqual(ahead, cuts.at(-1) === t.steps ? cuts : [...cuts, t.steps]);
    const end = goTo(load(t), t.steps);
    const back = [...steps(end, (state) => goToCut(state, -1))].map(({ k }) => k);
    assert.deepEqual(back, [...cuts.filter((k) => k < t.steps).reverse(), 0]);
  }
});

test("the active search is the one with the cut, or the one that goes on", () => {
  const [short, long] = [...traces].sort((a, b) => a.steps - b.steps).slice(-9, -7);
  for (const by of [1, -1])
    for (const now of steps(goTo(load(short, long), by > 0 ? 0 : Infinity), (s) =>
      goToCut(s, by),
    )) {
      const { t } = now.views[now.active];
      const cut = now.views.some((view) => view.t.cutSteps.includes(now.k - 1));
      assert.equal(t.cutSteps.includes(now.k - 1), cut);
    }
  for (const now of steps(load(short, long), (state) => stepBy(state, 1)))
    assert.equal(now.active, now.k > short.steps ? 1 : 0);
});

test("a step beyond either end stops there, and playing at the end starts again", () => {
  const end = goTo(load(one), Infinity);
  assert.equal(end.k, one.steps);
  assert.equal(goTo(end, -5).k, 0);
  assert.deepEqual([togglePlaying(end).k, togglePlaying(end).playing], [0, true]);
  assert.equal(togglePlaying(togglePlaying(end)).playing, false);
});

test("no action changes the state that it is given", () => {
  const frozen = (state) => {
    for (const view of state.views) Object.freeze(view);
    Object.freeze(state.views);
    return Object.freeze(state);
  };
  let state = frozen(load(one));
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
  for (const [action, ...args] of actions) state = frozen(action(state, ...args));
});

test("a tree keeps its selection and its opened nodes until the clock moves", () => {
  const start = setShow(load(one), 0, "path");
  const [item] = visibleTree(one, () => true, false).kids;
  const opened = toggleNode(start, 0, { ...item, kids: [] });
  assert.ok(openingOf(sceneOf(opened, 0)).isOpen(item.id));
  assert.equal(marksOf(sceneOf(opened, 0)).focus, item.id);
  const closed = toggleNode(opened, 0, { ...item, kids: [item] });
  assert.ok(!openingOf(sceneOf(closed, 0)).isOpen(item.id));
  const moved = stepBy(opened, 1).views[0];
  assert.deepEqual([moved.focus, moved.byHand.size, moved.show], [null, 0, "path"]);
  assert.equal(stepBy(toggleNode(load(one), 0, item), 1).views[0].byHand.size, 1);
});

test("another search keeps the step and the selected node", () => {
  const state = selectNode(goTo(load(one), 9), 0, 2);
  const again = loadTraces(state, [one], 0);
  assert.deepEqual([again.k, again.views[0].focus], [9, 2]);
  const after = loadTraces(goTo(load(one), Infinity), [traces[1]], 0);
  assert.equal(after.k, traces[1].steps);
});

test("a quiz asks every question, and counts right answers, missed and superfluous cuts", () => {
  for (const t of traces.slice(0, 8))
    for (const kind of ["cut", "alpha", "beta", "value"]) {
      const all = [];
      for (let k = 0; k < t.steps; k++) if (questionAt(t, k, kind)) all.push(k);
      let state = beginQuiz(load(t), kind, "");
      const asked = [];
      for (; state.quiz.question; state = askNext(state)) {
        asked.push(state.k);
        const { answer } = state.quiz.question;
        const right = kind === "cut" ? answer : t.numbers[answer];
        const wrong = kind === "cut" ? !answer : right + 1;
        state = answerQuestion(state, asked.length % 2 ? right : wrong);
        assert.equal(state.quiz.reply.right, asked.length % 2 === 1);
      }
      assert.deepEqual(asked, all);
      assert.equal(state.k, t.steps);
      const { score } = state.quiz;
      assert.deepEqual([score.asked, score.right], [all.length, Math.ceil(all.length / 2)]);
      const cuts = kind === "cut" ? Math.floor(all.length / 2) : 0;
      assert.equal(score.missed + score.superfluous, cuts);
    }
});

test("a set begins at the start, is asked to its end, and keeps its answers", () => {
  let state = beginSet(beginQuiz(goTo(load(one), 5), "set", "game=tree"), 3);
  const args = [];
  for (; state.quiz.question; state = askNext(state)) {
    args.push(args.length);
    state = answerQuestion(state, args.length - 1);
  }
  assert.ok(args.length);
  assert.deepEqual(state.quiz.set.answers, args);
});

test("the windows are hidden during a quiz, and only then", () => {
  const quiz = beginQuiz(load(one), "value", "");
  const scene = sceneOf(quiz, 0);
  assert.ok(scene.quizzing);
  assert.equal(scene.quizNode, quiz.quiz.question.node);
  assert.ok(!sceneOf(endQuiz(quiz), 0).quizzing);
});

test("a branch can be crossed out by any of its nodes, and the rest can be shown", () => {
  const t = one;
  const tops = [1, 1 + t.size[1]];
  const branches = Array.from({ length: t.n }, (_, i) => {
    const top = tops.find((id) => i >= id && i < id + t.size[id]) ?? -1;
    return [top, `reason ${i}`];
  });
  const before = selectNode(load(traces[0], traces[1]), 1, 2);
  const start = beginCrossing(before, t, branches);
  assert.deepEqual([sceneOf(start, 0).k, sceneOf(start, 0).view.t], [t.steps, t]);
  const wrong = crossOut(start, 0).crossing;
  assert.deepEqual([[...wrong.wrong], wrong.reply.right], [[0], false]);
  const last = tops[1] + t.size[tops[1]] - 1;
  const right = crossOut(start, last);
  assert.deepEqual([...right.crossing.found], [tops[1]]);
  assert.match(right.crossing.reply.text, new RegExp(`reason ${tops[1]}$`));
  const rest = crossOutRest(right);
  assert.deepEqual([...rest.crossing.rest], [tops[0]]);
  assert.deepEqual([...crossOut(rest, 1).crossing.found], [tops[1]], "it was shown, not found");
  assert.deepEqual(endCrossing(rest), before, "what was looked at before");
  assert.equal(leaveOf(t, 0), t.steps - 1);
});
