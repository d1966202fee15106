// A position as a player sees it: Kalah's board as a picture, any other game's as Python's text.

import { h, put, s, set } from "../shared/dom.js";
import { cellsOf, isFinished, side } from "./trace.js";

/** @import { Shown } from "./types.js" */

const STEP = 42;

// Returns the element and the function that shows the position of a node; null if there are no
// positions.
/** @type {(t: Shown) => { element: any, update(i: number): void } | null} */
export function makePosition(t) {
  if (t.board) return makeBoard(t);
  const [[, , cells]] = t.positions.columns;
  if (!cells) return null;
  const element = h("pre.kx-text");
  /** @type {(i: number) => void} */
  const update = (i) => put(element, String.fromCodePoint(...cellsOf(t, i)).trimEnd());
  return { element, update };
}

// Makes the board: North above, from right to left, South below.
/** @type {(t: Shown) => { element: any, update(i: number): void }} */
function makeBoard(t) {
  const {
    pits,
    south,
    north,
    names: moveNames,
  } = /** @type {NonNullable<Shown["board"]>} */ (t.board);
  const width = STEP * (pits + 2);
  const cells = Array.from({ length: 2 * pits + 2 }, (_, cell) => makeCell(cell, pits));
  /** @type {(tag: string, x: number, y: number, text: string | number) => any} */
  const name = (tag, x, y, text) => s(`text.${tag}`, { x, y }, String(text));
  const names = cells.flatMap(({ number, x, store }, cell) => {
    const text = moveNames?.[cell < pits ? "south" : "north"][number - 1] ?? number;
    return store ? [] : [name("pit-name", x, cell < pits ? 117 : 12, text)];
  });
  const element = s(
    "svg.kx-board",
    {
      viewBox: `0 0 ${width} 122`,
      role: "img",
      style: `max-width: ${Math.min(width * 1.05, 480)}px`,
    },
    s("rect.wood", { x: 1, y: 17, width: width - 2, height: 88, rx: 18 }),
    cells.flatMap(({ shape, seeds }) => [shape, seeds]),
    name("side-name", 4, 12, north),
    name("side-name.end", width - 4, 117, south),
    names,
  );

  /** @type {(i: number) => void} */
  function update(i) {
    const board = cellsOf(t, i);
    const before = i ? cellsOf(t, t.parent[i]) : board;
    const sown = i ? t.moves[t.move[i]][1] : -1;
    const mover = isFinished(t, i) ? "" : side(t, i);
    cells.forEach(({ shape, seeds, store }, cell) => {
      const mark = cell === sown ? " sown" : board[cell] !== before[cell] ? " changed" : "";
      const ownMark = !store && (cell < pits ? south : north) === mover ? " own" : "";
      set(shape, { class: `pit${ownMark}${mark}` });
      set(seeds, { class: board[cell] ? "seeds" : "seeds none" });
      put(seeds, String(board[cell]));
    });
    set(element, { "aria-label": describeBoard(t, board) });
  }

  return { element, update };
}

// Makes a pit or a store by its place on the board: its shape, its count, its number from 1.
/** @type {(cell: number, pits: number) => { shape: any, seeds: any, x: number, number: number, store: boolean }} */
function makeCell(cell, pits) {
  const owner = cell > pits ? 1 : 0;
  const pit = cell % (pits + 1);
  const store = pit === pits;
  const column = owner ? pits - 1 - pit : pit;
  const x = STEP * (column + 1.5) + (store ? (owner ? 1 : -1) : 0);
  const shape = store
    ? s("rect", { x: x - 15, y: 29, width: 30, height: 64, rx: 13 })
    : s("circle", { cx: x, cy: owner ? 39 : 83, r: 16 });
  const seeds = s("text", { x, y: store ? 66 : owner ? 44 : 88 });
  return { shape, seeds, x, number: pit + 1, store };
}

/** @type {(t: Shown, board: number[]) => string} */
function describeBoard(t, board) {
  const { pits, south, north } = /** @type {NonNullable<Shown["board"]>} */ (t.board);
  /** @type {(from: number) => string} */
  const row = (from) => board.slice(from, from + pits).join(" ");
  return (
    `Board: South, ${south}, pits ${row(0)}, store ${board[pits]}; ` +
    `North, ${north}, pits ${row(pits + 1)}, store ${board[2 * pits + 1]}`
  );
}
