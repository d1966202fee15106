// The quiz: the clock stops before an event, and the reader predicts it.

/** @import { Given, OfNode, OfTrace, Question, Quiz, SetQuestion, State, Trace } from "./types.js" */

import { best, CLOSED, finite, opposing, phase } from "./at_step.js";
import { joinPieces, placeOf, why } from "./explanation.js";
import { goTo } from "./state.js";
import {
  childrenOf,
  enterOf,
  hasProbes,
  isCut,
  isDriver,
  isMax,
  leaveOf,
  moveName,
  nodeAt,
  pathTo,
  side,
} from "./trace.js";

const ASKED = ["cut", "alpha", "beta", "value"];
const QUESTIONS = 10;
export const SEEDS = 2 ** 31;

// Returns the question of a kind after k events, with its node and its answer, or null. There is one
// - for cut, if a reply has just improved a node, moves remain, and the other side has a bound;
// - for alpha and beta, if a node that has children is about to be entered;
// - for value, if a node that has children is about to be left.
/** @type {(t: Trace, k: number, kind: string) => Question | null} */
export function questionAt(t, k, kind) {
  if (k < 1 || k >= t.steps) return null;
  const next = nodeAt(t, k);
  if (kind === "cut") return cutQuestion(t, k);
  if (t.size[next] === 1) return null;
  if (kind === "value")
    return leaveOf(t, next) === k ? { kind, node: next, answer: t.value[next] } : null;
  if (!t.windows || enterOf(t, next) !== k) return null;
  const answer = (kind === "alpha" ? t.alpha : t.beta)[next];
  return finite(t, answer) ? { kind, node: next, answer } : null;
}

/** @type {OfNode<Question | null>} */
function cutQuestion(t, k) {
  const reply = nodeAt(t, k - 1);
  const node = t.parent[reply];
  if (node < 0 || phase(t, reply, k) !== CLOSED) return null;
  const { value, by } = best(t, node, k);
  if (by !== reply || !(finite(t, opposing(t, node)) || !finite(t, value))) return null;
  const cut = nodeAt(t, k) === node && isCut(t, node);
  return cut || nodeAt(t, k) !== node ? { kind: "cut", node, reply, answer: cut } : null;
}

// Returns whether there are sets; there are none for searches with probes or passes.
/** @type {OfTrace<boolean>} */
export const hasSets = (t) => !isDriver(t, 0) && !hasProbes(t);

// Draws ten of the questions of a search by a seed. The command `kalahlab quiz` draws the same ones
// (quiz_set.py) and grades the answers.
/** @type {(t: Trace, seed: number) => SetQuestion[]} */
export function drawQuestions(t, seed) {
  /** @type {SetQuestion[]} */
  const pool = [];
  for (let k = 1; k < t.steps; k++)
    for (const kind of ASKED) {
      const question = questionAt(t, k, kind);
      if (question && (kind === "cut" || finite(t, Number(question.answer))))
        pool.push({ k, ...question });
    }
  const count = Math.min(QUESTIONS, pool.length);
  for (let place = 0, chance = seed; place < count; place++) {
    chance = (Math.imul(1103515245, chance) + 12345) & (SEEDS - 1);
    const other = place + Math.floor((chance * (pool.length - place)) / SEEDS);
    [pool[place], pool[other]] = [pool[other], pool[place]];
  }
  /** @type {(question: SetQuestion) => number} */
  const order = ({ k, kind }) => k * ASKED.length + ASKED.indexOf(kind);
  return pool.slice(0, count).sort((one, two) => order(one) - order(two));
}

// Returns the kinds of questions about a search. Without a window nothing is cut, and there is no α
// and no β.
/** @type {OfTrace<string[]>} */
export const kindsOf = (t) => (t.windows ? [...ASKED, "set"] : ["value", "set"]);

// ---- actions

// link: the search as in an address, or "".
/** @type {(state: State, kind: string, link: string) => State} */
export function beginQuiz(state, kind, link) {
  const t = state.views[state.active].t;
  const kinds = kindsOf(t);
  if (!kinds.includes(kind)) kind = kinds[0];
  /** @type {Quiz} */
  const quiz = {
    t,
    kind,
    link,
    question: null,
    from: 0,
    reply: null,
    set: null,
    score: { right: 0, asked: 0, missed: 0, superfluous: 0 },
  };
  const begun = { ...state, playing: false };
  return kind === "set" ? { ...goTo(begun, 0), quiz } : askFrom(begun, quiz, 0);
}

/** @type {(state: State, seed: number) => State} */
export function beginSet(state, seed) {
  const { quiz } = state;
  if (!quiz) return state;
  return askFrom(
    state,
    { ...quiz, set: { seed, remaining: drawQuestions(quiz.t, seed), answers: [] } },
    0,
  );
}

// Goes to the next question, of the set or of the following steps, if there is one.
/** @type {(state: State) => State} */
export const askNext = (state) =>
  state.quiz ? askFrom(state, state.quiz, state.quiz.from) : state;

/** @type {(state: State, quiz: Quiz, from: number) => State} */
function askFrom(state, quiz, from) {
  const { set, t, kind } = quiz;
  if (set) {
    const [question = null, ...remaining] = set.remaining;
    const next = { ...quiz, question, reply: null, set: { ...set, remaining } };
    return { ...goTo(state, question ? question.k : from), quiz: next };
  }
  let question = null;
  let k = from;
  for (; k < t.steps; k++) {
    question = questionAt(t, k, kind);
    if (question) break;
  }
  return { ...goTo(state, k), quiz: { ...quiz, question, reply: null } };
}

// Grades an answer, and shows the event in question.
/** @type {(state: State, given: Given) => State} */
export function answerQuestion(state, response) {
  const { quiz, k } = state;
  if (!quiz?.question) return state;
  const { set, t, question } = quiz;
  const { answer, kind } = question;
  const right =
    kind === "cut"
      ? response === answer
      : response === t.numbers[Number(answer)] ||
        Math.abs(Number(response) - Number(t.numbers[Number(answer)])) < 0.005;
  const next = {
    ...quiz,
    from: k + 1,
    score: addToScore(quiz.score, question, right),
    reply: { text: explainAnswer(t, question, k), right },
    set: set && { ...set, answers: [...set.answers, response] },
  };
  const happens = kind !== "cut" || Boolean(answer);
  return { ...(happens ? goTo(state, k + 1) : state), quiz: next };
}

/** @type {(score: Quiz["score"], question: Question, right: boolean) => Quiz["score"]} */
function addToScore(score, { kind, answer }, right) {
  const next = { ...score, asked: score.asked + 1 };
  if (right) next.right++;
  else if (kind === "cut") next[answer ? "missed" : "superfluous"]++;
  return next;
}

/** @type {(t: Trace, question: Question, k: number) => string} */
function explainAnswer(t, question, k) {
  const { node, answer, kind } = question;
  if (kind === "cut") {
    if (answer) return joinPieces(why(t, node));
    const now = t.texts[best(t, node, k).value];
    const bound = t.texts[opposing(t, node)];
    const [sign, end] = isMax(t, node) ? ["<", "β"] : [">", "α"];
    const has = `${side(t, node)} has ${now}, and ${end} is ${bound}`;
    return `${has}: ${now} ${sign} ${bound}, so the search goes on.`;
  }
  const name = { alpha: "α", beta: "β", value: "The value" }[kind];
  const because = kind === "value" ? explainValue(t, node) : explainWindow(t, question, k);
  return `${name} is ${t.texts[Number(answer)]}.${because}`;
}

// Explains which player has the bound, and from which move.
/** @type {(t: Trace, question: Question, k: number) => string} */
function explainWindow(t, { node, kind, answer }, k) {
  for (const above of pathTo(t, node).slice(0, -1)) {
    const { value, by } = best(t, above, k);
    if (isMax(t, above) === (kind === "alpha") && value === answer)
      return ` ${side(t, above)} has it from move ${moveName(t, by)} ${placeOf(t, above)}.`;
  }
  return "";
}

/** @type {OfNode<string>} */
function explainValue(t, node) {
  if (isCut(t, node)) return ` ${joinPieces(why(t, node))}`;
  if (t.reasons) return ` ${t.reasons[node]}`;
  const values = childrenOf(t, node).map((child) => t.texts[t.value[child]]);
  const taken = isMax(t, node) ? "largest" : "smallest";
  const all = values.includes(t.texts[t.value[node]]); // not so in a search that is wrong
  return all ? ` ${side(t, node)} takes the ${taken} of ${values.join(", ")}.` : "";
}

/** @type {(state: State) => State} */
export const endQuiz = (state) => ({ ...state, playing: false, quiz: null });
