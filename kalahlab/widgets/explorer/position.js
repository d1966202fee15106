// A position as a player sees it: Kalah's board drawn, any other game's in the characters that Python
// drew it in.

import { h, put, s, set } from "../shared/dom.js";
import { cellsOf, isFinished, side } from "./trace.js";

/** @import { OfTrace, Trace } from "./types.js" */

const STEP = 42;

// The element is made once and then told which node's position to show. null where there are none.
/** @type {OfTrace<{ element: any, update(i: number): void } | null>} */
export function makePosition(t) {
  if (t.board) return makeBoard(t);
  const [[, , cells]] = t.positions.columns;
  if (!cells) return null;
  const element = h("pre.kx-text");
  /** @type {(i: number) => void} */
  const update = (i) => put(element, String.fromCodePoint(...cellsOf(t, i)).trimEnd());
  return { element, update };
}

// North above, read from right to left, South below.
/** @type {(t: Trace) => { element: any, update(i: number): void }} */
function makeBoard(t) {
  const { pits, south, north, names: named } = /** @type {NonNullable<Trace["board"]>} */ (t.board);
  const width = STEP * (pits + 2);
  /** @type {{ shape: any, seeds: any, owner: string | null, shown?: string }[]} */
  const cells = []; // by place on the board: its shape, its count, who owns it
  /** @type {(cls: string, x: number, y: number, content: string | number) => any} */
  const text = (cls, x, y, content) => s("text", { class: cls, x, y }, String(content));

  /** @type {(cell: number, x: number, y: number, owner: string) => void} */
  const pit = (cell, x, y, owner) => {
    cells[cell] = {
      shape: s("circle", { cx: x, cy: y, r: 16 }),
      seeds: text("", x, y + 5, ""),
      owner,
    };
  };
  /** @type {(cell: number, x: number) => void} */
  const store = (cell, x) => {
    const shape = s("rect", { x: x - 15, y: 29, width: 30, height: 64, rx: 13 });
    cells[cell] = { shape, seeds: text("", x, 66, ""), owner: null };
  };
  const names = [text("side-name", 4, 12, north), text("side-name end", width - 4, 117, south)];
  for (let n = 0; n < pits; n++) {
    const x = STEP * (n + 1.5);
    pit(n, x, 83, south);
    pit(2 * pits - n, x, 39, north);
    names.push(text("pit-name", x, 117, named.south[n]));
    names.push(text("pit-name", x, 12, named.north[pits - 1 - n]));
  }
  store(2 * pits + 1, STEP / 2 + 1);
  store(pits, width - STEP / 2 - 1);
  const element = s(
    "svg.kx-board",
    {
      viewBox: `0 0 ${width} 122`,
      role: "img",
      style: `max-width: ${Math.min(width * 1.05, 480)}px`,
    },
    s("rect.wood", { x: 1, y: 17, width: width - 2, height: 88, rx: 18 }),
    cells.flatMap(({ shape, seeds }) => [shape, seeds]),
    names,
  );

  /** @type {(i: number) => void} */
  function update(i) {
    const board = cellsOf(t, i);
    const before = i ? cellsOf(t, t.parent[i]) : board;
    const sown = i ? t.moves[t.move[i]][1] : -1;
    const mover = isFinished(t, i) ? "" : side(t, i);
    cells.forEach((cell, place) => {
      const mark = place === sown ? " sown" : board[place] !== before[place] ? " changed" : "";
      const count = board[place];
      const shown = `pit${cell.owner === mover ? " own" : ""}${mark}|${count}`;
      if (cell.shown === shown) return;
      cell.shown = shown;
      set(cell.shape, { class: shown.split("|")[0] });
      set(cell.seeds, { class: count ? "seeds" : "seeds none" });
      put(cell.seeds, String(count));
    });
    set(element, { "aria-label": spoken(t, board) });
  }

  return { element, update };
}

/** @type {(t: Trace, board: number[]) => string} */
function spoken(t, board) {
  const { pits, south, north } = /** @type {NonNullable<Trace["board"]>} */ (t.board);
  /** @type {(from: number) => string} */
  const row = (from) => board.slice(from, from + pits).join(" ");
  return (
    `Board: South, ${south}, pits ${row(0)}, store ${board[pits]}; ` +
    `North, ${north}, pits ${row(pits + 1)}, store ${board[2 * pits + 1]}`
  );
}
