// The quiz on the page: the question, how an answer is given, and the score.

/** @import { Given, Question, Quiz, State } from "./types.js" */

import { button, choice, h } from "../shared/dom.js";
import { best } from "./at_step.js";
import { counted, nameOf, placeOf } from "./explanation.js";
import { hasSets, makeHandIn, makeSeedForm } from "./quiz_set.js";
import { moveName, side } from "./trace.js";

const KINDS = [
  ["cut", "whether a branch is cut"],
  ["alpha", "α"],
  ["beta", "β"],
  ["value", "the value"],
  ["set", "a set of ten, by its number"],
];

/** @typedef {{ begin(kind: string): void, beginSet(seed: number): void, next(): void, answer(given: Given): void }} Host */

/** @type {(host: Host) => { element: HTMLElement, kind(): string, show(state: State): void }} */
export function makeQuiz(host) {
  const text = h("div", { class: "kx-question", "aria-live": "polite" });
  const kinds = choice("Ask for", KINDS, "cut", host.begin);
  const total = h("p", { class: "kx-score" });
  const element = h("div", { class: "kx-quiz", hidden: true }, kinds, text, total);
  /** @type {Quiz | null} */
  let shown = null;

  /** @type {(state: State) => void} */
  function show({ quiz, k }) {
    if (quiz === shown) return;
    shown = quiz;
    element.hidden = !quiz;
    if (!quiz) return;
    text.replaceChildren(...parts(quiz, k, host));
    total.textContent = quiz.score.asked ? scoreText(quiz) : "";
    if (quiz.said) text.querySelector("button").focus();
  }
  const chosen = /** @type {HTMLSelectElement} */ (kinds.querySelector("select"));
  return { element, kind: () => chosen.value, show };
}

/** @type {(quiz: Quiz, k: number, host: Host) => (HTMLElement | Text)[]} */
function parts(quiz, k, host) {
  const { kind, link, question, said, score, set, t } = quiz;
  if (kind === "set" && !set)
    return [
      link && hasSets(t)
        ? makeSeedForm(1, host.beginSet)
        : h("p", {}, "There are no sets for this search."),
    ];
  if (said)
    return [
      h("p", {}, verdict(Boolean(said.right)), said.text),
      button("Next question", host.next, { class: "primary" }),
    ];
  if (question?.kind === "cut") return cutParts(quiz, question, k, host);
  if (question) return [numberForm(quiz, question, host)];
  if (set) return makeHandIn(link, set.seed, set.answers, score.right);
  const again = button("From the start", () => host.begin(kind), { class: "primary" });
  return [h("p", {}, "No more questions in this search. "), again];
}

/** @type {(right: boolean) => HTMLElement} */
export const verdict = (right) =>
  h("b", { class: right ? "right" : "wrong" }, right ? "✓ Right. " : "✗ No. ");

/** @type {(quiz: Quiz, question: Question, k: number, host: Host) => HTMLElement[]} */
function cutParts({ t }, { node, reply }, k, host) {
  const now = t.texts[best(t, node, k).value];
  const who = `${side(t, node)} ${placeOf(t, node)}`;
  const by = moveName(t, Number(reply));
  return [
    h("p", {}, `${who} now has ${now} by move ${by}, and moves remain. Are they cut?`),
    button("Cut", () => host.answer(true), { class: "primary" }),
    button("Search on", () => host.answer(false), { class: "primary" }),
  ];
}

/** @type {(quiz: Quiz, question: Question, host: Host) => HTMLElement} */
function numberForm({ t }, { kind, node }, host) {
  const input = h("input", {
    type: "text",
    inputmode: "decimal",
    size: 6,
    "aria-label": "Your answer",
    oninput: () => input.setCustomValidity(""),
  });
  const what = { alpha: "Which α", beta: "Which β", value: "Which value" }[kind];
  const when =
    kind === "value"
      ? `does ${side(t, node)} ${placeOf(t, node)} pass up?`
      : `is node ${nameOf(t, node)} (${side(t, node)}) entered with?`;
  /** @type {(event: Event) => void} */
  const onsubmit = (event) => {
    event.preventDefault();
    const given = numberIn(input.value);
    if (!Number.isNaN(given)) return host.answer(given);
    input.setCustomValidity("Type a number");
    input.reportValidity();
  };
  return h(
    "form",
    { onsubmit },
    h("label", {}, `${what} ${when} `, input),
    h("button", { class: "primary" }, "Check"),
  );
}

/** @type {(quiz: Quiz) => string} */
function scoreText({ kind, score }) {
  const parts = [`${score.right} of ${score.asked} right`];
  if (kind === "cut")
    parts.push(counted(score.missed, "missing cut"), counted(score.superfluous, "superfluous cut"));
  return parts.join(" · ");
}

// A number as people type it; a true minus sign will do.
/** @type {(text: string) => number} */
function numberIn(text) {
  const plainText = text.trim().replace("−", "-").replace(",", ".");
  return plainText ? Number(plainText) : NaN;
}
