// The quiz: the clock stops, and the reader says which move is selected next, or what number a node
// gets when the values are backed up.

/** @import { Act, Growth, Question, Quiz, State } from "./types.js" */

import { numberIn, verdict } from "../explorer/quiz_view.js";
import { moveName, side } from "../explorer/trace.js";
import { button, choice, form, h } from "../shared/dom.js";
import { goTo } from "./state.js";
import {
  EVALUATE,
  mainField,
  momentOf,
  numbersAt,
  pathAt,
  SELECT,
  settle,
  stateOf,
  valuesAt,
} from "./trace.js";
import { describeNumbers, format, placeName } from "./words.js";

const KINDS = [
  ["move", "the move that is selected"],
  ["number", "the new number"],
];

// Returns the question of a kind about an iteration, or null. Which node of the path is asked about
// changes from iteration to iteration.
/** @type {(t: Growth, step: number, kind: string) => Question | null} */
export function questionAt(t, step, kind) {
  const path = pathAt(t, step);
  if (kind === "move") {
    const nodes = path.filter(
      (i, level) => level < path.length - 1 && t.kids[i] > 1 && t.born[path[level + 1]] < step,
    );
    if (!nodes.length) return null;
    const node = nodes[step % nodes.length];
    const answer = path[path.indexOf(node) + 1];
    return { kind, k: stateOf(step - 1), node, field: "", answer };
  }
  const field = mainField(t);
  const nodes = path.filter((i) => {
    const [before, after] = [numbersAt(t, i, step - 1), numbersAt(t, i, step)];
    return before && Number.isFinite(before[field]) && before[field] !== after?.[field];
  });
  if (!nodes.length) return null;
  const node = t.evaluatesChildren ? nodes[nodes.length - 1] : nodes[step % nodes.length];
  const answer = numbersAt(t, node, step)?.[field] ?? Number.NaN;
  return { kind, k: settle(t, stateOf(step, EVALUATE), -1), node, field, answer };
}

/** @type {(state: State, kind: string) => State} */
export function beginQuiz(state, kind) {
  const quiz = { kind, question: null, reply: null, score: { right: 0, asked: 0 } };
  const { step } = momentOf(state.k);
  return askFrom({ ...state, playing: false }, quiz, step < state.t.steps ? step + 1 : 1);
}

/** @type {(state: State) => State} */
export const endQuiz = (state) => ({ ...state, quiz: null });

// Goes to the next question, if there is one.
/** @type {(state: State, quiz: Quiz, from: number) => State} */
function askFrom(state, quiz, from) {
  const { t } = state;
  for (let step = from; step <= t.steps; step++) {
    const question = questionAt(t, step, quiz.kind);
    if (!question) continue;
    const asked = { ...quiz, question, reply: null };
    return { ...goTo(state, question.k), focus: question.node, quiz: asked };
  }
  return { ...state, quiz: { ...quiz, question: null, reply: null } };
}

/** @type {(question: Question) => number} */
const stepOf = ({ k, kind }) => momentOf(k).step + (kind === "move" ? 1 : 0);

/** @type {(state: State) => State} */
export function askNext(state) {
  const { quiz } = state;
  return quiz?.question ? askFrom(state, quiz, stepOf(quiz.question) + 1) : state;
}

// Grades an answer, and shows what happens.
/** @type {(state: State, answer: number) => State} */
export function answerQuestion(state, answer) {
  const { quiz, t } = state;
  const { question } = quiz ?? {};
  if (!quiz || !question) return state;
  const right = answer === question.answer || Math.abs(answer - question.answer) < 0.0051;
  const score = { right: quiz.score.right + Number(right), asked: quiz.score.asked + 1 };
  const reply = { text: explain(t, question), right };
  const step = stepOf(question);
  const k = question.kind === "move" ? stateOf(step, SELECT) : stateOf(step);
  return { ...goTo(state, k), focus: question.node, quiz: { ...quiz, reply, score } };
}

/** @type {(t: Growth, question: Question) => string} */
function explain(t, question) {
  const { answer, field, kind, node } = question;
  const step = stepOf(question);
  if (kind === "number") return `${field} is ${format(answer)} now, ${placeName(t, node)}.`;
  const level = pathAt(t, step).indexOf(node);
  const sentence = t.reasons.get(step)?.[SELECT][level];
  return sentence ?? `Move ${moveName(t, answer)} is selected.`;
}

// ---- the view

/** @type {(act: Act) => { element: HTMLElement, toggle: (state: State) => State, show(state: State): void }} */
export function makeGrowthQuiz(act) {
  const text = h("div.kx-question", { "aria-live": "polite" });
  const kinds = choice("Ask for", KINDS, "move", (kind) => act(beginQuiz, kind));
  const total = h("p.kx-score");
  const element = h("div.kx-quiz", { hidden: true }, kinds, text, total);
  const chosen = /** @type {HTMLSelectElement} */ (kinds.querySelector("select"));
  /** @type {Quiz | null} */
  let shown = null;

  /** @type {(state: State) => void} */
  function show({ quiz, t }) {
    if (quiz === shown) return;
    shown = quiz;
    element.hidden = !quiz;
    if (!quiz) return;
    const { asked, right } = quiz.score;
    text.replaceChildren(...partsOf(t, quiz, act));
    total.textContent = asked ? `${right} of ${asked} right` : "";
    if (quiz.reply) text.querySelector("button").focus();
  }
  /** @type {(state: State) => State} */
  const toggle = (state) => (state.quiz ? endQuiz(state) : beginQuiz(state, chosen.value));
  return { element, toggle, show };
}

/** @type {(t: Growth, quiz: Quiz, act: Act) => HTMLElement[]} */
function partsOf(t, { kind, question, reply }, act) {
  if (reply)
    return [
      h("p", verdict(Boolean(reply.right)), reply.text),
      button("Next question", () => act(askNext), { class: "primary" }),
    ];
  if (!question)
    return [
      h("p", "No more questions in this search. "),
      button("From the start", () => act((state) => beginQuiz(goTo(state, 0), kind)), {
        class: "primary",
      }),
    ];
  return question.kind === "move" ? moveParts(t, question, act) : [numberForm(t, question, act)];
}

/** @type {(t: Growth, question: Question, act: Act) => HTMLElement[]} */
function moveParts(t, { node }, act) {
  const moves = Array.from({ length: t.kids[node] }, (_, place) => t.firstChild[node] + place);
  const buttons = moves.map((id) => button(moveName(t, id), () => act(answerQuestion, id)));
  const place = placeName(t, node);
  const who = `${place[0].toUpperCase()}${place.slice(1)}, ${side(t, node)} selects a move.`;
  return [h("p", `${who} Which one?`), h("span.kx-controls", buttons)];
}

/** @type {(t: Growth, question: Question, act: Act) => HTMLElement} */
function numberForm(t, question, act) {
  const { field, node } = question;
  const step = stepOf(question);
  const input = h("input", {
    type: "text",
    size: 12,
    placeholder: "a number or inf",
    "aria-label": "Your answer",
    oninput: () => input.setCustomValidity(""),
  });
  const check = () => {
    const answer = numberIn(input.value);
    if (!Number.isNaN(answer)) return act(answerQuestion, answer);
    input.setCustomValidity("Type a number or inf");
    input.reportValidity();
  };
  const values = valuesAt(t, step).filter(({ how }) => how !== "unknown");
  const told = values.map(({ id, value }) => `${format(value)} ${placeName(t, id)}`).join("; ");
  const before = describeNumbers(t, numbersAt(t, node, step - 1));
  const facts = `${told ? `Value: ${told}. ` : ""}The node ${placeName(t, node)} has ${before}. `;
  return form(check, h("label", `${facts}Its new ${field}? `, input), h("button.primary", "Check"));
}
