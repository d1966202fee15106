// The table that the view saves equals Python's, cell by cell.

import assert from "node:assert/strict";
import { test } from "node:test";
import { csvOf } from "../../../kalahlab/widgets/explorer/csv.js";
import { OTHERS, SEARCHES, unpackSearch } from "./searches.mjs";

// No cell of these searches is quoted.
const cellsOf = (csv) =>
  csv
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));

// Parses a number of pandas's, such as -inf or 3.0; other cells stay as they are.
function read(cell) {
  const value = Number(cell.replace(/^(-?)inf$/, "$1Infinity"));
  return cell === "" || Number.isNaN(value) ? cell : value;
}

test("the saved table is Python's", async () => {
  for (const search of [...SEARCHES, ...OTHERS]) {
    const [found, expected] = [csvOf(await unpackSearch(search)), search.csv].map(cellsOf);
    assert.deepEqual(
      found.map((row) => row.map(read)),
      expected.map((row) => row.map(read)),
      search.name,
    );
  }
});
