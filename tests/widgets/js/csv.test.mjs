// The table that the view saves is the one that Python writes, cell by cell.

import assert from "node:assert/strict";
import { test } from "node:test";
import { csvOf } from "../../../kalahlab/widgets/explorer/csv.js";
import { OTHERS, opened, SEARCHES } from "./searches.mjs";

// No cell of these searches is quoted.
const cellsOf = (csv) =>
  csv
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));

// Pandas writes -inf, 3.0 and an empty cell; what is no number stays as it is.
function read(cell) {
  const value = Number(cell.replace(/^(-?)inf$/, "$1Infinity"));
  return cell === "" || Number.isNaN(value) ? cell : value;
}

test("the saved table is Python's", async () => {
  for (const search of [...SEARCHES, ...OTHERS]) {
    const [found, expected] = [csvOf(await opened(search)), search.csv].map(cellsOf);
    assert.deepEqual(
      found.map((row) => row.map(read)),
      expected.map((row) => row.map(read)),
      search.name,
    );
  }
});
