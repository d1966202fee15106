// A set of the quiz is the one that Python draws by the same number, and its file names the student.

import assert from "node:assert/strict";
import { test } from "node:test";
import { drawQuestions, hasSets } from "../../../kalahlab/widgets/explorer/quiz.js";
import { fileName, numberIn } from "../../../kalahlab/widgets/explorer/quiz_view.js";
import { SEARCHES, unpackSearch } from "./searches.mjs";

test("the page and Python draw the same questions", async () => {
  let asked = 0;
  for (const search of SEARCHES) {
    const t = await unpackSearch(search);
    assert.equal(hasSets(t), search.sets.length > 0, search.name);
    for (const [seed, questions] of search.sets) {
      const drawn = drawQuestions(t, seed).map(({ k, kind, answer }) => [
        k,
        kind,
        kind === "cut" ? answer : t.numbers[answer],
      ]);
      assert.deepEqual(drawn, questions, search.name);
      asked += drawn.length;
    }
  }
  assert.ok(asked > 1000);
});

test("a file's name contains the set, and the student's name in letters and digits of any language", () => {
  assert.equal(fileName(7, ""), "quiz-7.json");
  assert.equal(fileName(7, "  ../.. "), "quiz-7.json");
  assert.equal(fileName(7, 'Ann "<b>" Ng'), "quiz-7-Ann-b-Ng.json");
  assert.equal(fileName(12, "Zoë O'Neill-李"), "quiz-12-Zoë-O-Neill-李.json");
});

test("infinity can be typed in any spelling, and other texts are no numbers", () => {
  for (const text of ["-inf", "−∞", "- Infinity", "–INF"]) assert.equal(numberIn(text), -Infinity);
  for (const text of ["inf", "∞", "+∞"]) assert.equal(numberIn(text), Infinity);
  assert.deepEqual(["−2,5", "", "three"].map(numberIn), [-2.5, NaN, NaN]);
});
