// The table that is saved: the nodes at the end of a step, with their numbers.

/** @import { Growth } from "./types.js" */

import { rowsToCsv } from "../explorer/csv.js";
import { side } from "../explorer/trace.js";
import { numbersAt } from "./trace.js";
import { pathName, roleOf } from "./words.js";

/** @type {(t: Growth, step: number) => string} */
export function csvOf(t, step) {
  const rows = [];
  for (let id = 0; id < t.n && t.born[id] <= step; id++) {
    const numbers = numbersAt(t, id, step) ?? {};
    const path = pathName(t, id).replaceAll(", ", " ");
    rows.push({ id, path, player: side(t, id), role: roleOf(t, id), born: t.born[id], ...numbers });
  }
  return rowsToCsv(rows);
}
