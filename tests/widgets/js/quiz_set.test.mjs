// What a student hands in is a file that says whose it is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileName } from "../../../kalahlab/widgets/explorer/quiz_set.js";

test("a file's name has the set, and the name in letters and digits of any language", () => {
  assert.equal(fileName(7, ""), "quiz-7.json");
  assert.equal(fileName(7, "  ../.. "), "quiz-7.json");
  assert.equal(fileName(7, 'Ann "<b>" Ng'), "quiz-7-Ann-b-Ng.json");
  assert.equal(fileName(12, "Zoë O'Neill-李"), "quiz-12-Zoë-O-Neill-李.json");
});
