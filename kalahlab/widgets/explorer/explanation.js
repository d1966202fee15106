// The explanations in words. The reason for a cut is a sentence of Python's (packing.py), filled
// in.

/** @import { AtStep, Bar, Item, Look, OfNode, OfTrace, Piece, Trace } from "./types.js" */

import { big, isWaiting } from "./appearance.js";
import {
  barOf,
  best,
  CLOSED,
  countCuts,
  countSearched,
  current,
  finite,
  OPEN,
  opposing,
  phase,
  WAITING,
} from "./at_step.js";
import {
  boundKind,
  endsOf,
  ghostsOf,
  hasGhosts,
  holderOf,
  isChance,
  isCut,
  isDriver,
  isExtra,
  isFinished,
  isHeld,
  isLeaf,
  isMax,
  isPass,
  isSelective,
  isTable,
  moveName,
  ownerOf,
  ownName,
  pathTo,
  question,
  side,
  takesBest,
} from "./trace.js";

/** @type {(n: number, thing: string) => string} */
export const formatCount = (n, thing) => `${big(n)} ${thing}${n === 1 ? "" : "s"}`;
/** @type {(text: string) => string} */
const capitalize = (text) => text[0].toUpperCase() + text.slice(1);

// Returns the moves to a node: · after a move that passed the turn, ↻ after one that did not.
/** @type {OfNode<string>} */
export function nameOf(t, i) {
  if (i === 0) return "root";
  return pathTo(t, i)
    .slice(1)
    .reduce((name, step) => {
      const joint = name
        ? isExtra(t, t.parent[step])
          ? "↻"
          : isPass(t, t.parent[step])
            ? ": "
            : "·"
        : "";
      return name + joint + moveName(t, step);
    }, "");
}

/** @type {OfNode<string>} */
export function placeOf(t, i) {
  const names = pathTo(t, i)
    .slice(1)
    .map((step) => moveName(t, step));
  const pass = names.length && isDriver(t, 0) ? `in ${names.shift()}` : "";
  const after = names.length ? `after ${names.join(", ")}` : "";
  return [pass, after].filter(Boolean).join(", ") || "at the root";
}

/** @type {OfNode<string[]>} */
const ghostNames = (t, i) => ghostsOf(t, i).map((ghost) => t.moves[ghost.move][0]);
/** @type {OfNode<number>} */
const costOf = (t, i) => ghostsOf(t, i).reduce((sum, ghost) => sum + ghost.cost, 0);

// Returns the reason for a cut as pieces of text; those about a node contain its number.
/** @type {OfNode<Piece[]>} */
export function why(t, i) {
  const owner = ownerOf(t, i);
  if (t.words.special[i]) return t.words.special[i];
  /** @type {Record<string, Piece>} */
  const facts = {
    Where: [capitalize(placeOf(t, i)), i],
    player: [side(t, i)],
    hold: [t.words.hold[side(t, i)]],
    value: [t.texts[t.value[i]]],
    by: [ownName(t, lastChild(t, i))],
    owner: [side(t, owner)],
    bound: [t.texts[opposing(t, i)]],
    holds: [ownName(t, holderOf(t, i))],
    place: [placeOf(t, owner), owner],
    untried: [ghostNames(t, i).join(", ")],
  };
  const pieces = t.words.why.split(/\{(\w+)\}/);
  return pieces.map((piece, place) => (place % 2 ? facts[piece] : [piece]));
}

/** @type {OfNode<number>} */
function lastChild(t, i) {
  let last = -1;
  for (let c = i + 1; c < i + t.size[i]; c += t.size[c]) last = c;
  return last;
}

/** @type {(pieces: Piece[]) => string} */
export const joinPieces = (pieces) => pieces.map(([text]) => text).join("");

// Describes the event that led to step k.
/** @type {OfNode<string>} */
export function sentence(t, k) {
  if (k === 0)
    return t.full
      ? `The search has not begun. A full search visits ${formatCount(t.full, "node")}.${firstCutHint(t)}`
      : `The search has not begun.${firstCutHint(t)}`;
  const i = current(t, k);
  if (phase(t, i, k) === OPEN) return describeEntry(t, i);
  if (isCut(t, i)) return joinPieces(sentencePieces(t, k));
  return `${describeExit(t, i)} ${describeEffect(t, i, k)}`.trim();
}

// Returns the sentence in pieces as those of `why`, so that the view can lead to nodes.
/** @type {(t: Trace, k: number) => Piece[]} */
export function sentencePieces(t, k) {
  const i = current(t, k);
  if (!k || phase(t, i, k) !== CLOSED || !isCut(t, i)) return [[sentence(t, k)]];
  return [["Cut. "], ...why(t, i), [describeSkipped(t, i)]];
}

// Returns the start of a sentence about one of two searches: its algorithm, or its place.
/** @type {(titles: string[], active: number) => string} */
export function searchPrefix(titles, active) {
  if (titles.length < 2) return "";
  const names = titles.map((title) => title.split(",")[0]);
  const place = active ? "The second search" : "The first search";
  return `${names[0] === names[1] ? place : names[active]}: `;
}

/** @type {OfTrace<string>} */
function firstCutHint(t) {
  if (t.cutSteps.length) return " Press “Next cut” to see the first cut.";
  if (isSelective(t))
    return " This search has no window, so it cuts no branch: it leaves moves out.";
  if (!t.windows) return " This search cuts no branch, whatever the order of the moves.";
  return " No branch is cut in this search; another order of the moves may cut some.";
}

/** @type {OfNode<string>} */
function describeSkipped(t, i) {
  const cost = costOf(t, i);
  return cost ? ` ${formatCount(cost, "node")} skipped.` : "";
}

/** @type {OfNode<string>} */
function describeEntry(t, i) {
  const extraTurn = isExtra(t, i) ? ", an extra turn" : "";
  if (isDriver(t, i))
    return question(t, i + 1)
      ? "This search only asks questions: each pass asks whether MAX gets a certain value."
      : `The root is searched more than once${t.windows ? ", each time with its own window" : ""}.`;
  if (isLeaf(t, i)) return `${describeLeaf(t, i)}.`;
  const window =
    t.alpha[i] < t.beta[i]
      ? `Only a value between ${t.texts[t.alpha[i]]} and ${t.texts[t.beta[i]]} matters here.`
      : "The window is empty: no value matters here.";
  const onlyQuestion = question(t, i) && `The only question is whether MAX gets ${question(t, i)}.`;
  if (isChance(t, i)) return `Chance moves ${placeOf(t, i)}. ${t.windows ? window : ""}`.trim();
  return `${side(t, i)} to move ${placeOf(t, i)}${extraTurn}. ${t.windows ? onlyQuestion || window : ""}`.trim();
}

/** @type {OfNode<string>} */
const describeLeaf = (t, i) =>
  `${isFinished(t, i) && !t.byHand ? "The game is over" : "Leaf"} ${placeOf(t, i)}`;

/** @type {OfNode<string>} */
function describeExit(t, i) {
  const value = t.texts[t.value[i]];
  const reason = t.reasons?.[i];
  if (reason && !isLeaf(t, i)) return `All moves ${placeOf(t, i)} have been searched. ${reason}`;
  if (reason) return `${describeLeaf(t, i)}. ${reason}`;
  if (isTable(t, i)) return `${capitalize(placeOf(t, i))} the table already knows ${value}.`;
  if (isLeaf(t, i)) return `${describeLeaf(t, i)}: ${value}.`;
  const kind = { "": "value", "≥": "at least", "≤": "at most" }[boundKind(t, i)];
  if (isDriver(t, i))
    return question(t, i + 1)
      ? `The bounds have met: ${kind} ${value}.`
      : `The root is searched for the last time: ${kind} ${value}.`;
  if (hasGhosts(t, i))
    return `${capitalize(placeOf(t, i))}: ${kind} ${value}. ${listUnvisited(t, i)}`;
  return `All moves ${placeOf(t, i)} have been searched: ${kind} ${value}.`;
}

/** @type {OfNode<string>} */
const listUnvisited = (t, i) => `Not visited: ${ghostNames(t, i).join(", ")}.`;

/** @type {AtStep<string>} */
function describeEffect(t, i, k) {
  const parent = t.parent[i];
  if (parent < 0 && t.reasons) return `${formatCount(countSearched(t, k), "node")} visited.`;
  if (parent < 0)
    return `${formatCount(countSearched(t, k), "node")} visited, ${formatCount(countCuts(t, k), "cut")}.`;
  if (!takesBest(t)) return "";
  if (isDriver(t, parent)) return describeLimits(t, barOf(t, parent, k));
  if (isChance(t, parent)) return "It counts in the mean by its probability.";
  const now = best(t, parent, k);
  return `${side(t, parent)} ${placeOf(t, parent)} ${now.by === i ? "now has" : "keeps"} ${t.texts[now.value]}.`;
}

// Describes the limits that the passes have found.
/** @type {(t: Trace, bar: Bar) => string} */
function describeLimits(t, [least, most]) {
  const parts = [
    finite(t, least) && `at least ${t.texts[least]}`,
    finite(t, most) && `at most ${t.texts[most]}`,
  ];
  return `So the value is ${parts.filter(Boolean).join(" and ")}.`;
}

// Explains a node at step k, in pieces as those of `why`.
/** @type {AtStep<Piece[]>} */
export function explainNode(t, i, k) {
  const closed = phase(t, i, k) === CLOSED;
  if (closed && isCut(t, i)) return [...why(t, i), [describeSkipped(t, i)]];
  const text = phase(t, i, k) === WAITING ? "Not visited yet." : explainWithoutCut(t, i, closed);
  if (text) return [[text]];
  const owner = ownerOf(t, i);
  const max = isMax(t, i);
  const other = max ? "MIN" : "MAX";
  const bound = endsOf(t, i, [t.alpha[i], t.beta[i]])[max ? 1 : 0];
  if (!finite(t, opposing(t, i))) {
    const most = t.endless ? `only ${bound}` : "nothing";
    return [[`${other} is not yet sure of any value above, so ${most} can be cut here.`]];
  }
  const crossed = /^[<>]/.test(bound)
    ? `${bound[0]} ${bound.slice(1)}`
    : `${max ? "≥" : "≤"} ${bound}`;
  const how = isHeld(t, i)
    ? `${other} is already sure of that`
    : question(t, owner)
      ? "that answers the question asked"
      : "the window itself ends there";
  const finds = `A cut comes as soon as ${side(t, i)} finds ${crossed}: ${how} `;
  return [[finds], [placeOf(t, owner), owner], ["."]];
}

// Explains a node at which no cut can follow; "" if one can.
/** @type {(t: Trace, i: number, closed: boolean) => string} */
function explainWithoutCut(t, i, closed) {
  if (t.reasons) return explainBackup(t, i, closed);
  if (isLeaf(t, i) && t.byHand) return "This is a leaf of the tree, with its given value.";
  if (isFinished(t, i))
    return `The game is over here; ${t.board ? "the value is its true margin" : "this is its value"}.`;
  if (isTable(t, i)) return "The value comes from the table of positions already searched.";
  if (isLeaf(t, i)) return "The search stops here and asks the evaluator.";
  if (isDriver(t, i)) {
    const windows = question(t, i + 1) ? ", each with one question" : ", each with its own window";
    return `One search made of passes over the root${t.windows ? windows : ""}.`;
  }
  if (closed && hasGhosts(t, i))
    return `${listUnvisited(t, i)} The search itself chooses which moves to visit.`;
  if (isChance(t, i)) return "Chance moves here. The value is the mean of the moves' values.";
  if (isSelective(t)) return "This search has no window. It chooses itself which moves to visit.";
  if (!t.windows) return "This search visits every move, whatever the values of the other moves.";
  return closed ? explainBound(t, i) : "";
}

// Explains a node of a search that backs values up in a way of its own.
/** @type {(t: Trace, i: number, closed: boolean) => string} */
function explainBackup(t, i, closed) {
  if (!closed && !isLeaf(t, i))
    return "This search visits every move. The value then follows from those of all moves.";
  if (closed && t.reasons?.[i]) return t.reasons[i];
  return isFinished(t, i)
    ? "The game is over here."
    : "The search stops here and asks the evaluator.";
}

/** @type {OfNode<string>} */
function explainBound(t, i) {
  const kind = boundKind(t, i);
  if (!kind)
    return "The value lies inside the window, so it is exact for this search, not only a bound.";
  const bound = kind === "≥" ? "A lower bound" : "An upper bound";
  return `${bound}: every move was searched, but the value is outside the window.`;
}

/** @type {(look: Look) => string} */
const describeWaiting = (look) => (look.ahead ? "not reached yet" : "not visited yet");

// Describes a node for screen readers.
/** @type {(t: Trace, item: Item, look: Look) => string} */
export function describeNode(t, item, look) {
  if (item.ghost) {
    const cost = item.ghost.cost ? `, ${formatCount(item.ghost.cost, "node")} never visited` : "";
    const out = look.kind === "grey left" ? "not visited" : describeWaiting(look);
    const state = look.kind === "ghost" ? `cut${cost}` : out;
    const extraTurn = item.ghost.extraTurn ? ", extra turn" : "";
    return `Move ${t.moves[item.ghost.move][0]}${extraTurn}, ${state}`;
  }
  const i = item.id;
  const move = i ? `Move ${moveName(t, i)}${isExtra(t, i) ? ", extra turn" : ""}, ` : "Root, ";
  if (isWaiting(look)) return `${move}${describeWaiting(look)}`;
  if (isLeaf(t, i))
    return `${move}${isFinished(t, i) && !t.byHand ? "finished game" : "leaf"}, value ${look.text || "not known yet"}`;
  const state = look.cut
    ? ", cut"
    : look.open
      ? ", open"
      : isTable(t, i)
        ? ", known from the table"
        : "";
  const window = !look.bar
    ? ""
    : question(t, i)
      ? `, asked whether MAX gets ${question(t, i)}`
      : `, window ${t.texts[look.bar[0]]} to ${t.texts[look.bar[1]]}`;
  return `${move}${side(t, i)}, ${look.text ? `value ${look.text}` : "no value yet"}${window}${state}`;
}
