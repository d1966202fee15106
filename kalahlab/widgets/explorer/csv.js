// The table of `Trace.table()` in Python, as CSV: visited nodes first, then those that never were.

/** @import { Ghost, Row, Trace, VisitedRow } from "./types.js" */

import { finite, opposing } from "./at_step.js";
import {
  ghostsOf,
  isCut,
  isMax,
  isPass,
  kindOf,
  moveName,
  ownerOf,
  ownName,
  question,
  side,
} from "./trace.js";

/** @type {(t: Trace) => string} */
export function csvOf(t) {
  /** @type {VisitedRow[]} */
  const visited = [];
  for (let i = 0; i < t.n; i++) visited.push(rowOf(t, i, visited[t.parent[i]]));
  const never = visited.flatMap((row) =>
    ghostsOf(t, row.id).map((ghost) => ghostRow(t, row, ghost)),
  );
  /** @type {Row[]} */
  const rows = [...visited, ...never].map((row, id) => ({ ...row, id }));
  return rowsToCsv(rows);
}

// Returns rows as CSV; the first one has all columns.
/** @type {(rows: Row[]) => string} */
export function rowsToCsv(rows) {
  const columns = Object.keys(rows[0]);
  const lines = rows.map((row) => columns.map((name) => quote(row[name] ?? "")));
  return [columns, ...lines].map((line) => `${line.join(",")}\n`).join("");
}

// A pass visits its parent's position again: no move leads there.
/** @type {(t: Trace, i: number, up?: VisitedRow) => VisitedRow} */
function rowOf(t, i, up) {
  const moved = i > 0 && !isPass(t, i);
  const cut = isCut(t, i);
  return {
    id: i,
    parent: up?.id,
    ...pathColumns(up, i ? moveName(t, i) : "", i ? ownName(t, i) : "", side(t, i), moved),
    probe: formatBoolean(question(t, i) && !(up && question(t, up.id))),
    kind: kindOf(t, i),
    alpha: formatNumber(t, t.alpha[i]),
    beta: formatNumber(t, t.beta[i]),
    value: formatNumber(t, t.value[i]),
    bound: cut ? formatNumber(t, opposing(t, i)) : "",
    owner: cut ? ownerOf(t, i) : "",
    untried: ghostsOf(t, i)
      .map((ghost) => t.moves[ghost.move][0])
      .join(" "),
  };
}

/** @type {(t: Trace, up: VisitedRow, ghost: Ghost) => Row} */
function ghostRow(t, up, { move, extraTurn }) {
  const name = t.moves[move][0];
  const player = isMax(t, up.id) === extraTurn ? "MAX" : "MIN";
  return {
    parent: up.id,
    ...pathColumns(up, name, name, player, true),
    probe: formatBoolean(false),
    kind: "unvisited",
  };
}

/** @type {(up: VisitedRow | undefined, label: string, move: string, player: string, moved: boolean) => { [column: string]: string | number, path: string, player: string, sows: number, turns: number }} */
function pathColumns(up, label, move, player, moved) {
  const extraTurn = moved && player === up?.player;
  return {
    path: up?.path ? `${up.path} ${label}` : label,
    move,
    player,
    sows: up ? up.sows + (moved ? 1 : 0) : 0,
    turns: up ? up.turns + (moved && !extraTurn ? 1 : 0) : 0,
    extra_turn: formatBoolean(extraTurn),
  };
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$|^[+-]inf$/i;

/** @type {(is: unknown) => string} */
const formatBoolean = (value) => (value ? "True" : "False");

/** @type {(t: Trace, place: number) => string} */
const formatNumber = (t, place) =>
  finite(t, place) ? String(t.numbers[place]) : place ? "inf" : "-inf";

// A spreadsheet reads a text that begins with one of these as a formula; a quote prevents that, as
// `untrusted.escape_formula` does in Python.
/** @type {(value: string | number) => string} */
function quote(value) {
  let text = String(value);
  if (/^[=+\-@\t\r]/.test(text) && !NUMBER.test(text)) text = `'${text}`;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
