// The view of the quiz: the question, the controls for an answer, and the score.

/** @import { Act, Question, Quiz, State } from "./types.js" */

import { button, choice, field, form, h, kept } from "../shared/dom.js";
import { best } from "./at_step.js";
import { formatCount, nameOf, placeOf } from "./explanation.js";
import { download } from "./export.js";
import {
  answerQuestion,
  askNext,
  beginQuiz,
  beginSet,
  endQuiz,
  hasSets,
  kindsOf,
  SEEDS,
} from "./quiz.js";
import { moveName, side } from "./trace.js";

const NAMED = "kalahlab quiz name";
const KINDS = [
  ["cut", "whether a branch is cut"],
  ["alpha", "α"],
  ["beta", "β"],
  ["value", "the value"],
  ["set", "a set of up to ten, by its number"],
];

// link() returns the search as in an address, or "".
/** @type {(act: Act, link: () => string) => { element: HTMLElement, kind(): string, toggle: (state: State) => State, show(state: State): void }} */
export function makeQuiz(act, link) {
  const text = h("div.kx-question", { "aria-live": "polite" });
  const kinds = choice("Ask for", KINDS, "cut", (kind) => act(beginQuiz, kind, link()));
  const total = h("p.kx-score");
  const element = h("div.kx-quiz", { hidden: true }, kinds, text, total);
  const chosen = /** @type {HTMLSelectElement} */ (kinds.querySelector("select"));
  /** @type {Quiz | null} */
  let shown = null;

  /** @type {(state: State) => void} */
  function show({ quiz, k }) {
    if (quiz === shown) return;
    shown = quiz;
    element.hidden = !quiz;
    if (!quiz) return;
    chosen.value = quiz.kind;
    for (const option of chosen.options) option.hidden = !kindsOf(quiz.t).includes(option.value);
    text.replaceChildren(...parts(quiz, k, act));
    total.textContent = scoreText(quiz);
    if (quiz.reply) text.querySelector("button").focus();
  }
  const kind = () => chosen.value;
  /** @type {(state: State) => State} */
  const toggle = (state) => (state.quiz ? endQuiz(state) : beginQuiz(state, kind(), link()));
  return { element, kind, toggle, show };
}

/** @type {(quiz: Quiz, k: number, act: Act) => (HTMLElement | Text)[]} */
function parts(quiz, k, act) {
  const { kind, link, question, reply, score, set, t } = quiz;
  if (kind === "set" && !set)
    return [
      link && hasSets(t)
        ? makeSeedForm(1, (seed) => act(beginSet, seed))
        : h("p", "There are no sets for this search."),
    ];
  if (reply)
    return [
      h("p", verdict(Boolean(reply.right)), reply.text),
      button("Next question", () => act(askNext), { class: "primary" }),
    ];
  if (question?.kind === "cut") return cutParts(quiz, question, k, act);
  if (question) return [numberForm(quiz, question, act)];
  if (set) return makeHandIn(link, set.seed, set.answers, score.right);
  const restart = button("From the start", () => act(beginQuiz, kind, link), { class: "primary" });
  return [h("p", "No more questions in this search. "), restart];
}

/** @type {(right: boolean) => HTMLElement} */
export const verdict = (right) =>
  h("b", { class: right ? "right" : "wrong" }, right ? "✓ Right. " : "✗ No. ");

/** @type {(quiz: Quiz, question: Question, k: number, act: Act) => HTMLElement[]} */
function cutParts({ t }, { node, reply }, k, act) {
  const now = t.texts[best(t, node, k).value];
  const who = `${side(t, node)} ${placeOf(t, node)}`;
  const by = moveName(t, Number(reply));
  return [
    h("p", `${who} now has ${now} by move ${by}, and moves remain. Are they cut?`),
    button("Cut", () => act(answerQuestion, true), { class: "primary" }),
    button("Search on", () => act(answerQuestion, false), { class: "primary" }),
  ];
}

/** @type {(quiz: Quiz, question: Question, act: Act) => HTMLElement} */
function numberForm({ t }, { kind, node }, act) {
  const input = h("input", {
    type: "text",
    size: 18,
    placeholder: "a number, inf or -inf",
    "aria-label": "Your answer",
    oninput: () => input.setCustomValidity(""),
  });
  const what = { alpha: "Which α", beta: "Which β", value: "Which value" }[kind];
  const when =
    kind === "value"
      ? `does ${side(t, node)} return ${placeOf(t, node)}?`
      : `is node ${nameOf(t, node)} (${side(t, node)}) entered with?`;
  const check = () => {
    const response = numberIn(input.value);
    if (!Number.isNaN(response)) return act(answerQuestion, response);
    input.setCustomValidity("Type a number, inf or -inf");
    input.reportValidity();
  };
  return form(check, h("label", `${what} ${when} `, input), h("button.primary", "Check"));
}

// Returns the number of the question in its set, and the score.
/** @type {(quiz: Quiz) => string} */
function scoreText({ kind, question, reply, score, set }) {
  const parts = [];
  if (set && question) {
    const place = set.answers.length + (reply ? 0 : 1);
    parts.push(`Question ${place} of ${place + set.remaining.length}`);
  }
  if (score.asked) parts.push(`${score.right} of ${score.asked} right`);
  if (score.asked && kind === "cut")
    parts.push(
      formatCount(score.missed, "missing cut"),
      formatCount(score.superfluous, "superfluous cut"),
    );
  return parts.join(" · ");
}

// Parses a number as people type it; a true minus sign, inf and ∞ are accepted.
/** @type {(text: string) => number} */
export function numberIn(text) {
  const plainText = text
    .trim()
    .replace(/[−–]\s*/, "-")
    .replace(",", ".");
  const infinite = plainText.match(/^([-+]?) ?(∞|inf|infinity)$/i);
  if (infinite) return infinite[1] === "-" ? -Infinity : Infinity;
  return plainText ? Number(plainText) : NaN;
}

// Makes the form that asks for the number of the set.
/** @type {(seed: number, start: (seed: number) => unknown) => HTMLElement} */
function makeSeedForm(value, start) {
  const [min, max] = [0, SEEDS - 1];
  const input = h("input", { type: "number", name: "seed", min, max, value, required: true });
  return form(
    ({ seed }) => start(Number(seed)),
    field("Number of the set", input),
    h("button.primary", "Begin the set"),
  );
}

// Makes the text to hand in: the search, the set, the answers and the score.
/** @type {(search: string, seed: number, answers: (number | boolean)[], right: number) => HTMLElement[]} */
function makeHandIn(search, seed, answers, right) {
  const name = h("input", {
    type: "text",
    name: "name",
    maxlength: 80,
    autocomplete: "name",
    value: kept(NAMED) ?? "",
  });
  const text = h("textarea", {
    readonly: true,
    rows: 3,
    cols: 40,
    "aria-label": "Your score as text",
  });
  const write = () => {
    const values = answers.map((answer) =>
      Math.abs(Number(answer)) === Infinity ? `${answer}` : answer,
    );
    const all = { name: name.value, search, seed, answers: values, right, of: answers.length };
    text.value = JSON.stringify(all);
    return text.value;
  };
  const save = () => {
    kept(NAMED, name.value);
    download(fileName(seed, name.value), write(), "application/json");
  };
  name.addEventListener("input", write);
  write();
  return [
    h("p", `Set ${seed} is done: ${right} of ${answers.length} right. Hand in this text or file.`),
    field("Your name, for your teacher", name),
    text,
    button("Save", save, { class: "primary" }),
  ];
}

// Returns a file name with the set and the student's name, so that the files of a class differ.
/** @type {(seed: number, name: string) => string} */
export function fileName(seed, name) {
  const words = name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return `${["quiz", seed, ...words].join("-")}.json`;
}
