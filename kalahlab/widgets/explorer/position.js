// A position as a player sees it: Kalah's board drawn, any other game's in the characters that Python
// drew it in.

import { h, put, s, set } from "../shared/dom.js";
import { cellsOf, isFinished, side } from "./trace.js";

const STEP = 42;

// The element is made once and then told which node's position to show. null where there are none.
export function makePosition(t) {
  if (t.board) return makeBoard(t);
  const [[, , cells]] = t.positions.columns;
  if (!cells) return null;
  const element = h("pre", { class: "kx-text" });
  const update = (i) => put(element, String.fromCodePoint(...cellsOf(t, i)).trimEnd());
  return { element, update };
}

// North above, read from right to left, South below.
function makeBoard(t) {
  const { pits, south, north, names: named } = t.board;
  const width = STEP * (pits + 2);
  const cells = []; // by place on the board: its shape, its count, who owns it
  const text = (cls, x, y, content) => s("text", { class: cls, x, y }, String(content));

  const pit = (cell, x, y, owner) => {
    cells[cell] = {
      shape: s("circle", { cx: x, cy: y, r: 16 }),
      seeds: text("", x, y + 5, ""),
      owner,
    };
  };
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
    "svg",
    {
      class: "kx-board",
      viewBox: `0 0 ${width} 122`,
      role: "img",
      style: `max-width: ${Math.min(width * 1.05, 480)}px`,
    },
    s("rect", { class: "wood", x: 1, y: 17, width: width - 2, height: 88, rx: 18 }),
    cells.flatMap(({ shape, seeds }) => [shape, seeds]),
    names,
  );

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
    const row = (from) => board.slice(from, from + pits).join(" ");
    set(element, {
      "aria-label":
        `Board: South, ${south}, pits ${row(0)}, store ${board[pits]}; ` +
        `North, ${north}, pits ${row(pits + 1)}, store ${board[2 * pits + 1]}`,
    });
  }

  return { element, update };
}
