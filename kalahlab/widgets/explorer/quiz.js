// The quiz: the clock stops before something is decided, and asks what will be.

import { button, choice, h } from "../shared/dom.js";
import { counted, nameOf, placeOf, plain, why } from "./explanation.js";
import { chooseSet, hasSets, makeHandIn, makeSeedForm } from "./quiz_set.js";
import { best, CLOSED, finite, opposing, phase } from "./state.js";
import { enterOf, isCut, isMax, leaveOf, moveName, nodeAt, side } from "./trace.js";

const KINDS = [
  ["cut", "whether a branch is cut"],
  ["alpha", "α"],
  ["beta", "β"],
  ["value", "the value"],
  ["set", "a set of ten, by its number"],
];
const ASKED = ["cut", "alpha", "beta", "value"];

// What is asked after k events, if anything: of which node, and what the answer is.
// cut    a reply has just improved a node, moves remain, and the other side has a bound
// alpha, beta    a node that has children is about to be entered
// value  a node that has children is about to be left
function questionAt(t, k, kind) {
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

function cutQuestion(t, k) {
  const reply = nodeAt(t, k - 1);
  const node = t.parent[reply];
  if (node < 0 || phase(t, reply, k) !== CLOSED) return null;
  const { value, by } = best(t, node, k);
  if (by !== reply || !(finite(t, opposing(t, node)) || !finite(t, value))) return null;
  const cut = nodeAt(t, k) === node && isCut(t, node);
  return cut || nodeAt(t, k) !== node ? { kind: "cut", node, reply, answer: cut } : null;
}

// host: t(), the search that is asked about from the start on; k(), go(k), changed(on);
// link(), the search as an address has it, or "". The score counts cuts that were missed and cuts that
// were made where there are none.
export function makeQuiz(host) {
  let kind = "cut";
  let question = null;
  let score = null;
  let t = null;
  let set = null; // its number, the questions that are left, the answers that were given
  const text = h("div", { class: "kx-question", "aria-live": "polite" });
  const kinds = choice("Ask for", KINDS, kind, (chosen) => {
    kind = chosen;
    start();
  });
  const total = h("p", { class: "kx-score" });
  const element = h("div", { class: "kx-quiz", hidden: true }, kinds, text, total);
  const quiz = { element, on: false, node: null, t: () => t };

  function start() {
    t = host.t();
    score = { right: 0, asked: 0, missed: 0, superfluous: 0 };
    total.textContent = "";
    set = null;
    if (kind === "set") offer();
    else next(0);
  }

  function offer() {
    quiz.node = null;
    host.go(0);
    const begin = (seed) => {
      set = { seed, left: quiz.chosen(t, seed), answers: [] };
      next(0);
    };
    const none = h("p", {}, "There are no sets for this search.");
    text.replaceChildren(host.link() && hasSets(t) ? makeSeedForm(1, begin) : none);
  }

  function next(from) {
    question = set?.left.shift() ?? null;
    let k = question ? question.k : from;
    for (; !set && k < t.steps; k++) {
      question = questionAt(t, k, kind);
      if (question) break;
    }
    quiz.node = question?.kind === "value" ? question.node : null;
    host.go(k);
    if (question) ask();
    else if (set)
      text.replaceChildren(...makeHandIn(host.link(), set.seed, set.answers, score.right));
    else text.replaceChildren(h("p", {}, "No more questions in this search. "), again());
  }

  const again = () => button("From the start", start, { class: "primary" });

  function ask() {
    const { node } = question;
    const who = `${side(t, node)} ${placeOf(t, node)}`;
    if (question.kind === "cut") {
      const now = t.texts[best(t, node, host.k()).value];
      text.replaceChildren(
        h(
          "p",
          {},
          `${who} now has ${now} by move ${moveName(t, question.reply)}, and moves remain. Are they cut?`,
        ),
        button("Cut", () => answered(true), { class: "primary" }),
        button("Search on", () => answered(false), { class: "primary" }),
      );
      return;
    }
    const input = h("input", {
      type: "text",
      inputmode: "decimal",
      size: 6,
      "aria-label": "Your answer",
    });
    const what = { alpha: "Which α", beta: "Which β", value: "Which value" }[question.kind];
    const name = `node ${nameOf(t, node)} (${side(t, node)})`;
    const when = question.kind === "value" ? `does ${who} pass up?` : `is ${name} entered with?`;
    const form = h(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          const given = numberIn(input.value);
          if (!Number.isNaN(given)) return answered(given);
          input.setCustomValidity("Type a number");
          input.reportValidity();
        },
      },
      h("label", {}, `${what} ${when} `, input),
      h("button", { class: "primary" }, "Check"),
    );
    input.addEventListener("input", () => input.setCustomValidity(""));
    text.replaceChildren(form);
  }

  function answered(given) {
    const { answer } = question;
    const cutting = question.kind === "cut";
    const right = cutting ? given === answer : Math.abs(given - t.numbers[answer]) < 0.005;
    set?.answers.push(given);
    score.asked++;
    if (right) score.right++;
    else if (cutting) score[answer ? "missed" : "superfluous"]++;
    const from = host.k() + 1;
    const told = h(
      "p",
      {},
      h("b", { class: right ? "right" : "wrong" }, right ? "✓ Right. " : "✗ No. "),
      reason(),
    );
    if (!cutting || answer) host.go(from);
    text.replaceChildren(
      told,
      button("Next question", () => next(from), { class: "primary" }),
    );
    total.textContent = scoreText();
    text.querySelector("button").focus();
  }

  function reason() {
    const { node, answer, kind } = question;
    if (kind === "cut") {
      if (answer) return plain(why(t, node));
      const now = t.texts[best(t, node, host.k()).value];
      const sign = isMax(t, node) ? "<" : ">";
      return `${now} ${sign} ${t.texts[opposing(t, node)]}, so the search goes on.`;
    }
    const name = { alpha: "α", beta: "β", value: "The value" }[kind];
    const because = kind === "value" && isCut(t, node) ? ` ${plain(why(t, node))}` : "";
    return `${name} is ${t.texts[answer]}.${because}`;
  }

  function scoreText() {
    const parts = [`${score.right} of ${score.asked} right`];
    if (kind === "cut")
      parts.push(
        counted(score.missed, "missing cut"),
        counted(score.superfluous, "superfluous cut"),
      );
    return parts.join(" · ");
  }

  quiz.toggle = () => {
    quiz.on = !quiz.on;
    element.hidden = !quiz.on;
    quiz.node = null;
    host.changed(quiz.on);
    if (quiz.on) start();
  };
  quiz.chosen = (trace, seed) => chooseSet(trace, seed, ASKED, questionAt);
  // Another search is shown: its own questions.
  quiz.renew = () => quiz.on && start();
  return quiz;
}

// A number as people type it; a true minus sign will do.
function numberIn(text) {
  const plainText = text.trim().replace("−", "-").replace(",", ".");
  return plainText ? Number(plainText) : NaN;
}
