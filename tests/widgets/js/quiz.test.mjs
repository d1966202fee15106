// A set of the quiz is what Python finds by the same number, and its file says whose it is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { drawQuestions, hasSets } from "../../../kalahlab/widgets/explorer/quiz.js";
import { fileName, numberIn } from "../../../kalahlab/widgets/explorer/quiz_view.js";
import { opened, SEARCHES } from "./searches.mjs";

test("the page and Python choose the same questions", async () => {
  let asked = 0;
  for (const search of SEARCHES) {
    const t = await opened(search);
    assert.equal(hasSets(t), search.sets.length > 0, search.name);
    for (const [seed, questions] of search.sets) {
      const found = drawQuestions(t, seed).map(({ k, kind, answer }) => [
        k,
        kind,
        kind === "cut" ? answer : t.numbers[answer],
      ]);
      assert.deepEqual(found, questions, search.name);
      asked += found.length;
    }
  }
  assert.ok(asked > 1000);
});

test("a file's name has the set, and the name in letters and digits of any language", () => {
  assert.equal(fileName(7, ""), "quiz-7.json");
  assert.equal(fileName(7, "  ../.. "), "quiz-7.json");
  assert.equal(fileName(7, 'Ann "<b>" Ng'), "quiz-7-Ann-b-Ng.json");
  assert.equal(fileName(12, "Zoë O'Neill-李"), "quiz-12-Zoë-O-Neill-李.json");
});

test("infinity is typed in any spelling, and what is no number is none", () => {
  for (const text of ["-inf", "−∞", "- Infinity", "–INF"]) assert.equal(numberIn(text), -Infinity);
  for (const text of ["inf", "∞", "+∞"]) assert.equal(numberIn(text), Infinity);
  assert.deepEqual(["−2,5", "", "three"].map(numberIn), [-2.5, NaN, NaN]);
});
