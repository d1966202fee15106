// The board itself: pits, stores, stones and the bars above and below them.

import { button, h, put, s, set } from "../shared/dom.js";
import { labelOf, NAMES } from "./state.js";

/** @import { Bar, Hand, Move, Seen, Spot } from "./types.js" */

const [BEADS, LARGE, PILE] = [18, 16, 48]; // most stones that are drawn: in a pit, large in a store, small
// The rows of the grid, North's side above South's; stores span the two rows of pits.
const ROWS = [
  { pit: 6, number: 7, value: 8, bar: 9 },
  { pit: 5, number: 4, value: 3, bar: 2 },
];

export class Pits {
  /** @type {Spot[]} */
  spots = [];
  /** @type {HTMLElement[]} */
  #sides = [];
  #hand = h("span.kb-hand", { "aria-hidden": "true", hidden: true });
  #arc = s("path", { class: "kb-better" });
  #arcs = s("svg", { class: "kb-arcs", "aria-hidden": "true" }, this.#arc);
  /** @type {Seen["better"]} */
  #better = null;
  element = h("div.kb-table", { role: "group", "aria-label": "Kalah board" });
  #press;

  // press(index, event) is called when a reader presses a pit or a store.
  /** @param {(index: number, event: MouseEvent) => unknown} press */
  constructor(press) {
    this.#press = press;
    new ResizeObserver(() => this.#drawArc()).observe(this.element);
  }

  // here: the pit that is in the tab order.
  /** @type {(seen: Seen, here: number) => void} */
  draw(seen, here) {
    this.#mark(seen);
    this.#hand.hidden = true;
    this.element.classList.toggle("kb-valued", seen.valued);
    this.#sides.forEach((side, owner) => {
      side.classList.toggle("kb-turn", owner === seen.turn);
    });
    this.#better = seen.better;
    this.#drawArc();
    const bars = new Map(barsOf(seen.bars));
    for (const { bar, box, index, place, store, value } of this.spots) {
      set(box, { "aria-label": labelOf(seen, index) });
      if (store) {
        set(box, { role: seen.editing ? "button" : "img", tabindex: seen.editing ? 0 : null });
        continue;
      }
      const legal = seen.legal.includes(index);
      set(box, { "aria-disabled": String(!legal), tabindex: index === here ? 0 : -1 });
      const drawn = bars.get(index);
      put(value, drawn?.text ?? "");
      set(value, { class: `kb-value${drawn?.best ?? ""}` });
      set(bar, { hidden: !drawn });
      if (drawn)
        set(bar, { class: `kb-bar${drawn.kind}${drawn.best}`, style: place + drawn.style });
    }
  }

  // Draws a better move: from its pit to the place of its last stone.
  #drawArc() {
    const better = this.#better;
    set(this.#arc, { d: better ? this.#arcOf(better) : "" });
  }

  /** @type {(move: Move) => string} */
  #arcOf({ drops, from }) {
    const table = this.element.getBoundingClientRect();
    const [[x1, y1], [x2, y2]] = [from, drops.at(-1) ?? from].map((index) => {
      const { left, top, width, height } = this.spots[index].box.getBoundingClientRect();
      return [left + width / 2 - table.left, top + height / 2 - table.top];
    });
    const [dx, dy] = [x2 - x1, y2 - y1];
    const [cx, cy] = [(x1 + x2) / 2 + 0.3 * dy, (y1 + y2) / 2 - 0.3 * dx];
    const angle = Math.atan2(y2 - cy, x2 - cx);
    /** @type {(turn: number) => string} */
    const barb = (turn) =>
      `${x2 - 14 * Math.cos(angle + turn)} ${y2 - 14 * Math.sin(angle + turn)}`;
    return `M${x1} ${y1}Q${cx} ${cy} ${x2} ${y2}M${barb(0.5)}L${x2} ${y2}L${barb(-0.5)}`;
  }

  // Shows the moments of a move, one after another, while `wanted()` is true.
  /** @type {(seen: Seen, hands: Iterable<Hand>, wanted: () => boolean) => Promise<void>} */
  async travel(seen, hands, wanted) {
    for (const hand of hands) {
      const { board, move } = hand;
      this.#mark({ ...seen, board, move, legal: [] });
      await this.#carry(hand);
      if (!wanted()) return;
    }
  }

  // Builds the board: North above, from right to left, then the names of the sides.
  /** @type {(places: number) => void} */
  #lay(places) {
    const half = places / 2;
    const pits = half - 1;
    /** @type {any[][]} */
    const seen = [[], []];
    this.spots = Array.from({ length: places }, (_, index) => {
      const [owner, pit] = [Math.floor(index / half), index % half];
      const store = pit === pits;
      const column = store ? (owner ? 1 : pits + 2) : owner ? pits + 1 - pit : pit + 2;
      const spot = this.#makeSpot(index, ROWS[owner], column, store && NAMES[owner], pit + 1);
      seen[1 - owner][owner ? "unshift" : "push"](...spot.parts);
      return spot;
    });
    this.#sides = NAMES.map((name, owner) =>
      h(`span.kb-side.kb-side-${owner}`, owner ? `← ${name}` : `${name} →`),
    );
    this.element.style.setProperty("--pits", String(pits));
    this.element.classList.toggle("kb-many", pits > 8);
    const wood = h("div.kb-wood");
    this.element.replaceChildren(wood, ...seen.flat(), ...this.#sides, this.#arcs, this.#hand);
  }

  /** @type {(index: number, rows: Record<string, number>, column: number, owner: string | false, number: number) => Spot} */
  #makeSpot(index, rows, column, owner, number) {
    /** @type {(row: number, tag: string, name: string, inside: Node | string) => HTMLElement} */
    const beside = (row, tag, name, inside) =>
      h(tag, { class: name, style: `grid-area:${row}/${column}`, "aria-hidden": "true" }, inside);
    /** @type {(event: MouseEvent) => unknown} */
    const press = (event) => this.#press(index, event);
    const events = { onclick: press, oncontextmenu: press };
    const count = h("b");
    const stones = s("svg", {
      viewBox: owner ? "-26 -56 52 112" : "-30 -30 60 60",
      "aria-hidden": "true",
    });
    const label = beside(rows.number, "span", "kb-number", owner || String(number));
    const spot = { index, store: Boolean(owner), count, stones };
    if (owner) {
      const style = `grid-column:${column};grid-row:5/span 2`;
      const box = h("div.kb-store", { style, ...events }, stones, count);
      return { ...spot, box, parts: [label, box] };
    }
    const style = `grid-area:${rows.pit}/${column}`;
    const box = button("", press, { class: "kb-pit", style, oncontextmenu: press });
    box.append(stones, count);
    const value = beside(rows.value, "b", "kb-value", "");
    const bar = beside(rows.bar, "span", "kb-bar", h("i"));
    const place = `grid-area:${rows.bar}/${column};`;
    return { ...spot, box, value, bar, place, parts: [bar, value, label, box] };
  }

  // Draws counts and stones, and marks the pit sown, the last stone, captures and legal moves.
  /** @type {(seen: Seen) => void} */
  #mark({ board, legal, move }) {
    if (this.spots.length !== board.length) this.#lay(board.length);
    for (const spot of this.spots) {
      const { box, index } = spot;
      fill(spot, board[index]);
      const marks = {
        legal: legal.includes(index),
        sown: move?.from === index,
        last: move?.drops.at(-1) === index,
        taken: Boolean(move?.emptied.includes(index)),
      };
      for (const [mark, on] of Object.entries(marks)) box.classList.toggle(`kb-${mark}`, on);
    }
  }

  /** @type {(hand: Hand) => Promise<unknown>} */
  #carry({ from, to, held, pace }) {
    const table = this.element.getBoundingClientRect();
    const frames = [from, to].map((index) => {
      const { left, top, width, height } = this.spots[index].box.getBoundingClientRect();
      const [x, y] = [left + width / 2 - table.left, top + height / 2 - table.top];
      return { transform: `translate(${x}px, ${y}px)` };
    });
    this.#hand.hidden = held === 0;
    this.#hand.textContent = String(held);
    return this.#hand.animate(frames, { duration: pace, easing: "ease-in-out", fill: "forwards" })
      .finished;
  }
}

/** @type {(spot: Spot, number: number) => void} */
function fill(spot, number) {
  if (spot.drawn === number) return;
  spot.drawn = number;
  const { box, count, stones, store } = spot;
  put(count, String(number));
  count.style.setProperty("--digits", String(number).length);
  const small = store && number > LARGE;
  const places = number > (store ? PILE : BEADS) ? [] : store ? pile(number) : beads(number);
  box.classList.toggle("kb-empty", number === 0);
  box.classList.toggle("kb-piled", store && places.length > 0);
  box.classList.toggle("kb-heaped", small && places.length > 0);
  stones.replaceChildren(...places.map(([cx, cy]) => s("circle", { cx, cy, r: small ? 2.4 : 3 })));
}

// Returns how each pit's bar is drawn: as a part of the room that all bars need, from the line of
// value 0.
/** @type {(bars: Bar[]) => [index: number, drawn: { text: string, best: string, kind: string, style: string }][]} */
export function barsOf(bars) {
  const parts = bars.map(({ part }) => part);
  const [low, high] = [Math.min(0, ...parts), Math.max(0, ...parts)];
  /** @type {(part: number) => string} */
  const share = (part) => `${(100 * part) / (high - low || 1)}%`;
  return bars.map(({ index, part, text, best }) => {
    const [from, size] = [share(Math.min(0, part) - low), share(Math.abs(part))];
    const style = `--zero:${share(-low)};--from:${from};--size:${size}`;
    return [
      index,
      { text, best: best ? " kb-best" : "", kind: part < 0 ? " kb-minus" : " kb-plus", style },
    ];
  });
}

// Places stones evenly along the rim of a pit, the first at the top.
/** @type {(count: number) => number[][]} */
const beads = (count) =>
  Array.from({ length: count }, (_, stone) => {
    const angle = (2 * Math.PI * stone) / count;
    return [19.5 * Math.sin(angle), -19.5 * Math.cos(angle)];
  });

// Places stones in a store, in rows from the bottom.
/** @type {(count: number) => number[][]} */
function pile(count) {
  const [columns, step] = count > LARGE ? [6, 6.5] : [4, 9];
  return Array.from({ length: count }, (_, stone) => [
    step * ((stone % columns) - (columns - 1) / 2),
    40 - step * Math.floor(stone / columns),
  ]);
}
