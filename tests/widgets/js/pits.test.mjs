// The boards that are seen while stones travel: one stone at a time, and what is captured at last.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Pits } from "../../../kalahlab/widgets/board/pits.js";

// The counts each time that the hand is about to move, of a board of two pits a side.
async function seen(board, move, wanted = () => true) {
  const pits = Object.create(Pits.prototype);
  const boards = [];
  const box = { classList: { add() {}, contains: () => false } };
  Object.assign(pits, {
    element: box,
    spots: board.map(() => ({ box })),
    count: (counts) => (pits.counts = [...counts]),
    mark() {},
    value() {},
    fill() {},
    carry: async () => boards.push([...pits.counts]),
  });
  await pits.travel({ board }, move, wanted);
  return boards;
}

test("a stone falls into each pit, and what is captured goes to the store", async () => {
  const move = { from: 0, drops: [1], emptied: [1, 3], store: 2 };
  assert.deepEqual(await seen([1, 0, 0, 4, 5, 0], move), [
    [0, 0, 0, 4, 5, 0],
    [0, 0, 0, 4, 5, 0],
    [0, 0, 1, 0, 5, 0],
    [0, 0, 5, 0, 5, 0],
  ]);
});

test("a lap passes the other store, and comes back to its own pit", async () => {
  const move = { from: 1, drops: [2, 3, 4, 0, 1, 2], emptied: [], store: 2 };
  assert.deepEqual(await seen([0, 6, 0, 0, 0, 9], move), [
    [0, 0, 0, 0, 0, 9],
    [0, 0, 1, 0, 0, 9],
    [0, 0, 1, 1, 0, 9],
    [0, 0, 1, 1, 1, 9],
    [1, 0, 1, 1, 1, 9],
    [1, 1, 1, 1, 1, 9],
    [1, 1, 2, 1, 1, 9],
  ]);
});

test("what is no longer wanted stops where it is", async () => {
  const move = { from: 1, drops: [2, 3], emptied: [], store: 2 };
  assert.equal((await seen([0, 2, 0, 0, 0, 0], move, () => false)).length, 1);
});

test("bars are as long as their moves are worth, from a line where nothing is gained", () => {
  const bar = () => ({ classList: { toggle() {} }, style: new Map(), className: "" });
  const spots = [0, 1, 2].map((index) => ({ index, bar: bar(), value: bar() }));
  for (const { bar } of spots) bar.style.setProperty = bar.style.set;
  const element = { classList: { toggle() {} } };
  const parts = [-0.5, 1];
  const bars = parts.map((part, index) => ({ index, part, text: String(part), best: part === 1 }));
  Pits.prototype.value.call({ element, spots }, { bars }, true);
  const drawn = spots
    .slice(0, 2)
    .map(({ bar }) =>
      ["--zero", "--from", "--size"].map((name) => parseFloat(bar.style.get(name))),
    );
  assert.deepEqual(drawn.flat().map(Math.round), [33, 0, 33, 33, 33, 67]);
  assert.deepEqual(
    spots.map(({ bar, value }) => [value.textContent, Boolean(bar.hidden)]),
    [
      ["-0.5", false],
      ["1", false],
      ["", true],
    ],
  );
  assert.match(spots[0].bar.className, /kb-minus/);
});
