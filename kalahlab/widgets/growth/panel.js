// The panel of the selected node: its position, the reasons of this state, and the candidates at
// each node of the path.

/** @import { Candidate, Growth, Moment, Quiz, State } from "./types.js" */

import { clipped } from "../explorer/appearance.js";
import { makePosition } from "../explorer/position.js";
import { isExtra, isFinished, moveName, side } from "../explorer/trace.js";
import { button, h, put, set } from "../shared/dom.js";
import { marksOf } from "./state.js";
import {
  BACK_UP,
  candidatesIn,
  isMade,
  knownAt,
  momentOf,
  PARTS,
  pathMade,
  shownFields,
} from "./trace.js";
import { describeNumbers, format, pathName, placeName, roleOf } from "./words.js";

const ROWS = 40; // most rows of all tables
const ROWS_HERE = 12; // most rows of a table
const MOST_FIELDS = 3; // most numbers beside which there is room for the terms

// `pick` selects a node; `reasons` returns the sentences of a step, or a text in their place.
/** @type {(t: Growth, pick: (id: number) => void, reasons: (step: number) => string[][] | string) => { parts: HTMLElement[], update(state: State): void, showPosition(): void }} */
export function makeGrowthPanel(t, pick, reasons) {
  const [tag, known] = [h("span"), h("span.known")];
  const name = h("span");
  const heading = h("h2", name, tag, known);
  const position = makePosition(t);
  const why = h("div.kx-why");
  const tables = h("div.kg-tables");
  let shown = -1;
  let tabled = ""; // what the tables show

  /** @type {(state: State) => void} */
  function update(state) {
    const moment = momentOf(state.k);
    const i = Number(marksOf(state).focus);
    put(name, i ? `Node ${pathName(t, i)}` : "Root");
    put(tag, roleOf(t, i));
    set(tag, { class: `tag ${isFinished(t, i) ? "" : side(t, i).toLowerCase()}` });
    put(known, describeNumbers(t, knownAt(t, i, moment)));
    shown = i;
    showPosition();
    why.replaceChildren(...reasonParts(reasons, moment));
    const key = tablesKey(t, i, moment, state.quiz);
    if (key !== tabled) tables.replaceChildren(...tableParts(t, i, moment, state.quiz, pick));
    tabled = key;
  }

  const showPosition = () => {
    if (t.cells && shown >= 0) position?.update(shown);
  };
  const parts = [heading, position?.element, why, tables].filter(Boolean);
  return { parts, update, showPosition };
}

/** @type {(reasons: (step: number) => string[][] | string, moment: Moment) => HTMLElement[]} */
function reasonParts(reasons, { step, part }) {
  if (!step) return [];
  const sentences = reasons(step);
  const heading = h("h3", "Why?");
  if (typeof sentences === "string") return [heading, h("p", sentences)];
  return [heading, ...sentences[part].map((sentence) => h("p", sentence))];
}

// Returns a text by which two states have the same tables, as most states of an iteration do.
/** @type {(t: Growth, focus: number, moment: Moment, quiz: Quiz | null) => string} */
function tablesKey(t, focus, moment, quiz) {
  const over = moment.part === BACK_UP;
  const path = pathMade(t, moment);
  const beside = path.includes(focus) ? "" : focus;
  const asked = quiz && `${quiz.kind} ${quiz.reply !== null} ${focus}`;
  return `${moment.step} ${over} ${path.join()} ${beside} ${asked}`;
}

// Returns a table for each node of the path where a move is selected, and one for the selected node.
/** @type {(t: Growth, focus: number, moment: Moment, quiz: Quiz | null, pick: (id: number) => void) => HTMLElement[]} */
function tableParts(t, focus, moment, quiz, pick) {
  const path = quiz?.kind === "move" && !quiz.reply ? [] : pathMade(t, moment);
  const nodes = path.includes(focus) || !isMade(t, focus, moment) ? path : [focus, ...path];
  const tables = [];
  let rows = 0;
  for (const node of nodes) {
    const candidates = candidatesIn(t, node, moment);
    rows += Math.min(ROWS_HERE, candidates.length);
    if (!candidates.length) continue;
    if (rows > ROWS) {
      tables.push(h("p.kx-score", "Select a node further down to see its moves."));
      break;
    }
    const selected = path[path.indexOf(node) + 1] ?? -1;
    tables.push(
      makeTable(t, node, candidates, moment.part === BACK_UP ? -1 : selected, quiz, pick),
    );
  }
  return tables;
}

/** @type {(t: Growth, node: number, candidates: Candidate[], selected: number, quiz: Quiz | null, pick: (id: number) => void) => HTMLElement} */
function makeTable(t, node, candidates, selected, quiz, pick) {
  const fields = shownFields(t);
  const isSum = t.terms.length > 1 && !quiz;
  const hasTerms = isSum && fields.length <= MOST_FIELDS;
  const sumHeads = hasTerms ? ["terms", "= appeal"] : isSum ? ["appeal"] : [];
  const least = t.kind === "proof" ? { MAX: "pn", MIN: "dn" }[side(t, node)] : null;
  const names = fields.map((field) => (field === least ? `least ${field}` : field));
  const heads = ["move", ...names, ...sumHeads];
  const rows = shorten(candidates, selected).map(({ appeal, id, numbers, terms: values }) => {
    const again = isExtra(t, id) ? "↻ " : "";
    const name = again + clipped(moveName(t, id), 14);
    const mark = id === selected && !quiz ? "▸ " : "";
    const label = button(mark + name, () => pick(id), { class: "kx-link", title: moveName(t, id) });
    const cells = fields.map((field) => format(numbers[field]));
    const sum = values.map((value) => format(value)).join(" + ");
    if (hasTerms) cells.push(Number.isFinite(appeal) ? sum : "");
    if (isSum) cells.push(format(appeal));
    return h(
      "tr",
      { class: mark ? "here" : null },
      h("th", { scope: "row" }, label),
      cells.map((cell) => h("td.n", cell)),
    );
  });
  const place = placeName(t, node);
  const part = rows.length < candidates.length ? ` (${rows.length} of ${candidates.length})` : "";
  return h(
    "table.kx-ladder",
    h("caption", `${place[0].toUpperCase()}${place.slice(1)}, ${side(t, node)} selects${part}`),
    h(
      "thead",
      h(
        "tr",
        heads.map((head, place) => h(place ? "th.n" : "th", { scope: "col" }, head)),
      ),
    ),
    h("tbody", rows),
  );
}

// Returns the candidates with the greatest appeal, and the selected one, in their order.
/** @type {(candidates: Candidate[], selected: number) => Candidate[]} */
function shorten(candidates, selected) {
  if (candidates.length <= ROWS_HERE) return candidates;
  const byAppeal = candidates.toSorted((one, two) =>
    two.appeal === one.appeal ? 0 : two.appeal > one.appeal ? 1 : -1,
  );
  const most = byAppeal[ROWS_HERE - 1].appeal;
  const kept = candidates.filter(({ appeal, id }) => appeal > most || id === selected);
  const tied = candidates.filter(({ appeal, id }) => appeal === most && id !== selected);
  const all = new Set([...kept, ...tied.slice(0, Math.max(0, ROWS_HERE - kept.length))]);
  return candidates.filter((candidate) => all.has(candidate));
}

// Returns the sentence above the tree.
/** @type {(t: Growth, k: number, reasons: string[][] | string) => string} */
export function sentenceOf(t, k, reasons) {
  const { step, part } = momentOf(k);
  if (!step)
    return t.steps
      ? "The tree is only its root. Press Step to select, expand, evaluate and back up."
      : `No iteration: ${t.result}.`;
  const text = typeof reasons === "string" ? [] : reasons[part];
  const head = `${part + 1} ${PARTS[part][0].toUpperCase()}${PARTS[part].slice(1)}.`;
  if (part === 0 || !text.length) {
    const leaf = pathMade(t, { step, part }).at(-1) ?? 0;
    return `${head} The path leads to the leaf ${placeName(t, leaf)}.`;
  }
  const end = step === t.steps && part === BACK_UP ? ` The search ends: ${t.result}.` : "";
  // Of what is backed up only the root's change is told here; the panel has the whole way.
  const told = part === BACK_UP ? text.slice(0, 1) : text;
  return `${head} ${told.join(" ")}${end}`;
}
