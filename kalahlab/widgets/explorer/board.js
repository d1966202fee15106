// A position of Kalah as a player sees it: North above, read from right to left, South below.

import { s } from "./dom.js";
import { boardOf, isFinished, side } from "./trace.js";

const STEP = 42;

export function boardPicture(t, i) {
  if (!t.board) return null;
  const { pits, south, north } = t.board;
  const board = boardOf(t, i);
  const before = i ? boardOf(t, t.parent[i]) : board;
  const sown = i ? t.moves[t.move[i]][1] : -1;
  const width = STEP * (pits + 2);
  const mover = isFinished(t, i) ? "" : side(t, i);

  const pit = (cell, x, y, name, nameY, owner) => [
    s("circle", { class: pitClass(cell, owner), cx: x, cy: y, r: 16 }),
    s("text", { class: `seeds${board[cell] ? "" : " none"}`, x, y: y + 5 }, String(board[cell])),
    s("text", { class: "pit-name", x, y: nameY }, String(name)),
  ];
  const pitClass = (cell, owner) => {
    const mark = cell === sown ? " sown" : board[cell] !== before[cell] ? " changed" : "";
    return `pit${owner === mover ? " own" : ""}${mark}`;
  };
  const store = (cell, x) => [
    s("rect", { class: pitClass(cell, ""), x: x - 15, y: 29, width: 30, height: 64, rx: 13 }),
    s("text", { class: "seeds", x, y: 66 }, String(board[cell])),
  ];

  const parts = [s("rect", { class: "wood", x: 1, y: 17, width: width - 2, height: 88, rx: 18 })];
  for (let n = 0; n < pits; n++) {
    const x = STEP * (n + 1.5);
    parts.push(...pit(n, x, 83, n + 1, 117, south));
    parts.push(...pit(2 * pits - n, x, 39, pits - n, 12, north));
  }
  parts.push(...store(2 * pits + 1, STEP / 2 + 1), ...store(pits, width - STEP / 2 - 1));
  parts.push(s("text", { class: "side-name", x: 4, y: 12 }, north));
  parts.push(s("text", { class: "side-name end", x: width - 4, y: 117 }, south));
  const row = (from) => board.slice(from, from + pits).join(" ");
  const label =
    `Board: South, ${south}, pits ${row(0)}, store ${board[pits]}; ` +
    `North, ${north}, pits ${row(pits + 1)}, store ${board[2 * pits + 1]}`;
  const style = `max-width: ${Math.min(width * 1.05, 480)}px`;
  return s("svg", { class: "kx-board", viewBox: `0 0 ${width} 122`, role: "img", "aria-label": label, style }, parts);
}
