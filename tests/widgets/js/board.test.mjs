// The actions of the board, on states: steps, animated moves, positions set up by hand; and the
// selectors.

import assert from "node:assert/strict";
import { test } from "node:test";
import { barsOf } from "../../../kalahlab/widgets/board/pits.js";
import {
  beginEditing,
  changeEditing,
  finishMove,
  focusPit,
  handsOf,
  hereOf,
  initialState,
  labelOf,
  neighbourOf,
  pressKey,
  pressPit,
  seenOf,
  setHints,
  setThinking,
  setVerdict,
  setWaited,
  showStep,
  skipMoves,
  statusOf,
  walkTo,
} from "../../../kalahlab/widgets/board/state.js";

const MOVE = { words: "South sows pit 1", from: 0, drops: [1], emptied: [1, 3], store: 2 };
const step = (board, player, move = null) => ({
  board,
  player,
  move,
  over: false,
  legal: player ? [3, 4] : [0, 1],
  turn: `${["South", "North"][player]} to move`,
  text: String(board),
});
const RECORD = {
  game: 1,
  values: "off",
  steps: [
    step([1, 0, 0, 4, 5, 0], 0),
    step([0, 0, 5, 0, 5, 0], 1, MOVE),
    step([0, 0, 5, 0, 5, 0], 0, MOVE),
  ],
};
const start = () => initialState(RECORD, 0, true, true);

test("a game is shown move by move if stones are animated, else at once", () => {
  assert.deepEqual(showStep(start(), 2).shown, 2);
  assert.deepEqual(walkTo(start(), RECORD, 9, false).shown, 2);
  let state = walkTo(start(), RECORD, 2, true);
  assert.deepEqual([state.shown, state.target, state.moving], [0, 2, true]);
  assert.deepEqual(statusOf(state), ["South sows pit 1.", ""]);
  state = finishMove(state);
  assert.deepEqual([state.shown, state.moving], [1, true]);
  assert.deepEqual(skipMoves(state), showStep(state, 2));
  state = finishMove(state);
  assert.deepEqual([state.shown, state.moving], [2, false]);
  assert.deepEqual(statusOf(state), ["South sows pit 1.", "South to move."]);
  assert.equal(skipMoves(state), state);
  assert.equal(walkTo(state, RECORD, 1, true).moving, false, "backwards");
});

test("another game begins at its start, without hints or focus of the one before", () => {
  const before = focusPit(setHints(showStep(start(), 2), 2, { hints: ["a"] }), 4);
  const other = { ...RECORD, game: 2 };
  const state = walkTo(before, other, 1, true);
  assert.deepEqual([state.shown, state.moving, state.hints, state.here], [0, true, [], null]);
  assert.equal(walkTo(before, RECORD, 9, true).here, 4, "the same game");
});

test("hints belong to the position that is shown", () => {
  const state = setHints(start(), 0, { hints: ["a", "b"] });
  assert.deepEqual(state.hints, ["a", "b"]);
  assert.equal(setHints(state, 1, { hints: [] }), state);
  assert.deepEqual(setHints(state, 0, { error: "no" }).hints, []);
  assert.deepEqual(showStep(state, 1).hints, []);
});

test("waiting is shown in seconds, and progress starts again with each request", () => {
  const state = setThinking({ ...start(), progress: 7 }, "North is thinking");
  assert.equal(state.progress, 0);
  assert.equal(setWaited(state, 900), state);
  assert.equal(setWaited(state, 4400).waited, 4);
});

test("a position is set up by presses and keys, and a late verdict is dropped", () => {
  const board = (state) => state.editing.board;
  let state = beginEditing(setHints(showStep(start(), 1), 1, { hints: ["a"] }));
  assert.deepEqual([state.editing.mover, state.hints], ["1", []]);
  assert.deepEqual(board(pressPit(state, 0, false)), [1, 0, 5, 0, 5, 0]);
  assert.deepEqual(board(pressPit(state, 0, true)), board(state), "there is none to take");
  assert.equal(board(pressPit(changeEditing(state, { take: true }), 4, false))[4], 4);
  const keys = { 7: 7, "+": 6, "−": 4, "-": 4, Delete: 4, Backspace: 4 };
  for (const [key, stones] of Object.entries(keys))
    assert.equal(board(pressKey(state, 4, key))[4], stones, key);
  for (const key of [" ", "Enter"]) {
    assert.equal(board(pressKey(state, 2, key))[2], 6, "a store is no button");
    assert.equal(pressKey(state, 4, key), state);
  }
  assert.equal(pressKey(state, 4, "u"), state);
  assert.equal(pressKey(showStep(state, 1), 4, "7").editing, null);
  const asked = state.editing;
  state = setVerdict(changeEditing(state, { take: true }), asked, {
    message: "fine",
    playable: true,
  });
  assert.deepEqual([state.editing.verdict, state.editing.playable], ["fine", true]);
  state = pressPit(state, 0, false);
  assert.equal(setVerdict(state, asked, { message: "late", playable: false }), state);
  assert.equal(setVerdict(state, state.editing, { error: "bad" }).editing.playable, false);
});

test("while a board is set up, everything can be pressed and nothing is marked", () => {
  const seen = seenOf(beginEditing(showStep(start(), 1)));
  assert.deepEqual([seen.legal, seen.move, seen.bars], [[0, 1, 2, 3, 4, 5], null, []]);
  assert.equal(labelOf(seen, 2), "South's store, 5 stones");
  assert.equal(labelOf(seen, 0), "pit 1 of South, 0 stones");
});

test("each pit's label has its stones, its value and the last move", () => {
  const bars = [{ index: 4, text: "+2", part: 1, best: true }];
  const record = { ...RECORD, steps: RECORD.steps.with(1, { ...RECORD.steps[1], bars }) };
  const labels = (state) => seenOf(state).board.map((_, index) => labelOf(seenOf(state), index));
  const last = "pit 2 of South, 0 stones, last stone fell here, captured";
  assert.deepEqual(labels(initialState(record, 1, true, true)), [
    "pit 1 of South, 0 stones, sown last",
    last,
    "South's store, 5 stones",
    "pit 1 of North, 0 stones, legal, captured",
    "pit 2 of North, 5 stones, legal, value +2",
    "North's store, 0 stones",
  ]);
  const still = labels(initialState(record, 1, false, true));
  assert.equal(still[4], "pit 2 of North, 5 stones, value +2", "where no move can be made");
});

test("the arrows go from pit to pit as on the screen", () => {
  const state = showStep(start(), 1);
  assert.equal(hereOf(state), 3, "the first that can be played");
  const leads = (here, key) => neighbourOf(focusPit(state, here), key);
  const ways = { ArrowLeft: 4, ArrowRight: 3, ArrowUp: 3, ArrowDown: 1, Home: 4, End: 3 };
  for (const [key, to] of Object.entries(ways)) assert.equal(leads(3, key), to, key);
  assert.deepEqual(
    ["ArrowLeft", "ArrowUp", "End", "x"].map((key) => leads(0, key)),
    [0, 4, 1, undefined],
  );
});

const boards = (board, move) => [...handsOf(board, move)].map((hand) => hand.board);

test("a stone falls into each pit, and captured stones go to the store", () => {
  const hands = [...handsOf([1, 0, 0, 4, 5, 0], MOVE)];
  assert.deepEqual(
    hands.map(({ board }) => board),
    [
      [0, 0, 0, 4, 5, 0],
      [0, 0, 0, 4, 5, 0],
      [0, 0, 1, 0, 5, 0],
      [0, 0, 5, 0, 5, 0],
    ],
  );
  assert.deepEqual(
    hands.map(({ from, to, held }) => [from, to, held]),
    [
      [0, 1, 1],
      [1, 2, 1],
      [3, 2, 4],
      [2, 2, 0],
    ],
  );
});

test("a relay takes up the stones where the last one fell", () => {
  const move = { ...MOVE, drops: [1, 2, 3], emptied: [] };
  assert.deepEqual(boards([1, 1, 0, 2, 0, 0], move), [
    [0, 1, 0, 2, 0, 0],
    [0, 0, 0, 2, 0, 0],
    [0, 0, 1, 2, 0, 0],
    [0, 0, 1, 3, 0, 0],
  ]);
});

test("a lap passes the other store, and comes back to its own pit", () => {
  const move = { ...MOVE, from: 1, drops: [2, 3, 4, 0, 1, 2], emptied: [] };
  assert.deepEqual(boards([0, 6, 0, 0, 0, 9], move), [
    [0, 0, 0, 0, 0, 9],
    [0, 0, 1, 0, 0, 9],
    [0, 0, 1, 1, 0, 9],
    [0, 0, 1, 1, 1, 9],
    [1, 0, 1, 1, 1, 9],
    [1, 1, 1, 1, 1, 9],
    [1, 1, 2, 1, 1, 9],
  ]);
});

test("bars are proportional to the values of the moves, from the line of value 0", () => {
  const parts = [-0.5, 1];
  const bars = parts.map((part, index) => ({ index, part, text: String(part), best: part === 1 }));
  const drawn = new Map(barsOf(bars));
  const shares = [...drawn.values()].map(({ style }) =>
    style.match(/[\d.]+(?=%)/g).map(Math.round),
  );
  assert.deepEqual(shares, [
    [33, 0, 33],
    [33, 33, 67],
  ]);
  assert.deepEqual([drawn.get(0).kind, drawn.get(1).best], [" kb-minus", " kb-best"]);
});
