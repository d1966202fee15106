// A set of ten questions, chosen from all of a search by a seed, and the score to hand in. The command
// `kalahlab quiz` finds the same questions again (quiz_set.py) and judges the answers.

import { button, field, form, h, kept } from "../shared/dom.js";
import { finite } from "./at_step.js";
import { download } from "./export.js";
import { hasProbes, isDriver } from "./trace.js";

/** @import { OfTrace, Question, SetQuestion, Trace } from "./types.js" */

const NAMED = "kalahlab quiz name";
const QUESTIONS = 10,
  SEEDS = 2 ** 31;

// Whether there are sets: not where moves are only asked about, or where passes are.
/** @type {OfTrace<boolean>} */
export const hasSets = (t) => !isDriver(t, 0) && !hasProbes(t);

/** @type {(t: Trace, seed: number, kinds: string[], questionAt: (t: Trace, k: number, kind: string) => Question | null) => SetQuestion[]} */
export function chooseSet(t, seed, kinds, questionAt) {
  /** @type {SetQuestion[]} */
  const pool = [];
  for (let k = 1; k < t.steps; k++)
    for (const kind of kinds) {
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
  const order = (question) => question.k * kinds.length + kinds.indexOf(question.kind);
  return pool.slice(0, count).sort((one, two) => order(one) - order(two));
}

// Which set is wanted: `start(seed)`.
/** @type {(seed: number, start: (seed: number) => unknown) => HTMLElement} */
export function makeSeedForm(value, start) {
  const [min, max] = [0, SEEDS - 1];
  const input = h("input", { type: "number", name: "seed", min, max, value, required: true });
  return form(
    ({ seed }) => start(Number(seed)),
    field("Number of the set", input),
    h("button.primary", "Start"),
  );
}

// What is handed in: a text that names the search, the set, the answers and the score.
/** @type {(search: string, seed: number, answers: (number | boolean)[], right: number) => HTMLElement[]} */
export function makeHandIn(search, seed, answers, right) {
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
    const all = { name: name.value, search, seed, answers, right, of: answers.length };
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
    field("Your name (optional)", name),
    text,
    button("Save", save, { class: "primary" }),
  ];
}

// The set and who answered it, so that the files of a class have names of their own.
/** @type {(seed: number, name: string) => string} */
export function fileName(seed, name) {
  const words = name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return `${["quiz", seed, ...words].join("-")}.json`;
}
