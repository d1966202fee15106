// What is going on, in words. The reason of a cut is Python's sentence (packing.py), filled in.

import {
  boundKind, ghostsOf, isCut, isExtra, isFinished, isLeaf, isMax, isTable, moveName, ownerOf, pathTo,
  side,
} from "./trace.js";
import {
  CLOSED, OPEN, WAITING, best, current, cutsMade, holder, opposing, phase, setter,
  visited,
} from "./state.js";
import { big } from "./look.js";

export const counted = (n, thing) => `${big(n)} ${thing}${n === 1 ? "" : "s"}`;
const upper = (text) => text[0].toUpperCase() + text.slice(1);

// The moves to a node: · where the turn passed, ↻ where the same player moved again.
export function nameOf(t, i) {
  if (i === 0) return "root";
  return pathTo(t, i).slice(1).reduce((name, step) => {
    const joint = name ? (isExtra(t, t.parent[step]) ? "↻" : "·") : "";
    return name + joint + moveName(t, step);
  }, "");
}

export function placeOf(t, i) {
  const names = pathTo(t, i).slice(1).map((step) => moveName(t, step));
  return names.length ? `after ${names.join(", ")}` : "at the root";
}

const ghostNames = (t, i) => ghostsOf(t, i).map((ghost) => t.moves[ghost.move][0]);
const costOf = (t, i) => ghostsOf(t, i).reduce((sum, ghost) => sum + ghost.cost, 0);

// Why a node was left early, as pieces of text; those about a node carry its number.
export function why(t, i) {
  const owner = ownerOf(t, i);
  if (t.words.said[i]) return [{ text: t.words.said[i], node: i }];
  const bound = opposing(t, i);
  const facts = {
    Where: [upper(placeOf(t, i)), i],
    player: [side(t, i)],
    hold: [t.words.hold[side(t, i)]],
    value: [t.texts[t.value[i]]],
    by: [moveName(t, lastChild(t, i))],
    owner: [side(t, owner)],
    bound: [t.texts[bound]],
    holds: [moveName(t, holder(t, owner, bound))],
    place: [placeOf(t, owner), owner],
    untried: [ghostNames(t, i).join(", ")],
  };
  return t.words.why.split(/\{(\w+)\}/).map((piece, place) => {
    const [text, node] = place % 2 ? facts[piece] : [piece];
    return { text, node };
  });
}

function lastChild(t, i) {
  let last = -1;
  for (let c = i + 1; c < i + t.size[i]; c += t.size[c]) last = c;
  return last;
}

export const plain = (pieces) => pieces.map((piece) => piece.text).join("");

// The event that led to step k.
export function sentence(t, k) {
  if (k === 0)
    return t.full
      ? `Nothing is searched yet. A full search visits ${counted(t.full, "node")}.`
      : "Nothing is searched yet.";
  const i = current(t, k);
  if (phase(t, i, k) === OPEN) return entered(t, i);
  if (isCut(t, i)) return `Cut. ${plain(why(t, i))}${savedBy(t, i)}`;
  return `${left(t, i)} ${followed(t, i, k)}`;
}

function savedBy(t, i) {
  const cost = costOf(t, i);
  return cost ? ` ${counted(cost, "node")} saved.` : "";
}

function entered(t, i) {
  const again = isExtra(t, i) ? ", an extra turn" : "";
  const window = t.windows
    ? ` Only a value between ${t.texts[t.alpha[i]]} and ${t.texts[t.beta[i]]} matters here.`
    : "";
  return `${side(t, i)} to move ${placeOf(t, i)}${again}.${window}`;
}

function left(t, i) {
  const value = t.texts[t.value[i]];
  if (isFinished(t, i)) return `The game is over ${placeOf(t, i)}: ${value}.`;
  if (isTable(t, i)) return `${upper(placeOf(t, i))} the table already knows ${value}.`;
  if (isLeaf(t, i)) return `Leaf ${placeOf(t, i)}: ${value}.`;
  const kind = { "": "exactly", "≥": "at least", "≤": "at most" }[boundKind(t, i)];
  return `All moves ${placeOf(t, i)} are searched: ${kind} ${value}.`;
}

function followed(t, i, k) {
  const parent = t.parent[i];
  if (parent < 0) return `${counted(visited(t, k), "node")} visited, ${counted(cutsMade(t, k), "cut")}.`;
  const now = best(t, parent, k);
  return `${side(t, parent)} ${placeOf(t, parent)} ${now.by === i ? "now has" : "keeps"} ${t.texts[now.value]}.`;
}

// What is to be said of one node at step k, in pieces as `why` gives them.
export function explained(t, i, k) {
  const now = phase(t, i, k);
  const say = (text, node) => ({ text, node });
  if (now === WAITING) return [say("Not visited yet.")];
  if (now === CLOSED && isCut(t, i)) return [...why(t, i), say(savedBy(t, i))];
  if (isFinished(t, i)) return [say("The game is over here; the value is its true margin.")];
  if (isTable(t, i)) return [say("The value comes from the table of positions already searched.")];
  if (isLeaf(t, i)) return [say("The search stops here and asks the evaluator.")];
  if (!t.windows) return [say("This search looks at every move, whatever the others found.")];
  if (now === CLOSED) return [say(closedReason(t, i))];
  const owner = setter(t, i);
  const other = isMax(t, i) ? "MIN" : "MAX";
  if (owner < 0) return [say(`${other} has nothing in hand above yet, so nothing can be cut here.`)];
  return [
    say(`A cut comes as soon as ${side(t, i)} finds ${isMax(t, i) ? "≥ " : "≤ "}`),
    say(`${t.texts[opposing(t, i)]}: ${other} has that in hand `),
    say(placeOf(t, owner), owner),
    say("."),
  ];
}

function closedReason(t, i) {
  const kind = boundKind(t, i);
  if (!kind) return "The value lies inside the window, so it is exact.";
  const bound = kind === "≥" ? "A lower bound" : "An upper bound";
  return `${bound}: every move was searched, but the value is outside the window.`;
}

// A node as a screen reader hears it.
export function spoken(t, item, look) {
  if (item.ghost) {
    const cost = item.ghost.cost ? `, ${counted(item.ghost.cost, "node")} never visited` : "";
    const state = look.kind === "ghost" ? `cut${cost}` : "not visited yet";
    return `Move ${t.moves[item.ghost.move][0]}, ${state}`;
  }
  const i = item.id;
  const move = i ? `Move ${moveName(t, i)}${isExtra(t, i) ? ", extra turn" : ""}, ` : "Root, ";
  if (look.kind === "wait") return `${move}not visited yet`;
  if (isLeaf(t, i))
    return `${move}${isFinished(t, i) ? "finished game" : "leaf"}, value ${look.text || "not known yet"}`;
  const state = look.cut ? ", cut" : look.open ? ", open" : "";
  const window = look.bar ? `, window ${t.texts[look.bar[0]]} to ${t.texts[look.bar[1]]}` : "";
  return `${move}${side(t, i)}, ${look.text ? `value ${look.text}` : "no value yet"}${window}${state}`;
}

