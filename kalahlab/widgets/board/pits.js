// The board itself: pits, stores, stones and the bars above and below them.

import { button, h, s } from "../shared/dom.js";

/** @import { Edit, Move, Spot, Step } from "./types.js" */

export const NAMES = ["South", "North"];
const BEADS = 20; // the most stones that are drawn one by one
const HOP = 150; // milliseconds from pit to pit,
const SOWING = 1800; // and for a whole sowing
// The rows of the grid, North's side above South's; stores span the two rows of pits.
const ROWS = [
  { pit: 6, number: 7, value: 8, bar: 9 },
  { pit: 5, number: 4, value: 3, bar: 2 },
];

export class Pits {
  // play(index): a reader wants to sow that pit. live: whether that can be done here.
  /** @param {(index: number) => unknown} play @param {boolean} live */
  constructor(play, live) {
    this.play = play;
    this.live = live;
    /** @type {Spot[]} */
    this.spots = [];
    /** @type {Edit | null} */
    this.edit = null; // (index, fewer, to): told of each press while a position is set up
    /** @type {number[]} */
    this.counts = [];
    /** @type {HTMLElement[]} */
    this.sides = [];
    /** @type {number | undefined} */
    this.here = undefined;
    this.hand = h("span", { class: "kb-hand", "aria-hidden": "true", hidden: true });
    this.element = h("div", { class: "kb-table", role: "group", "aria-label": "Kalah board" });
  }

  // A position, and how it came about.
  /** @type {(step: Step, valued: boolean) => void} */
  show(step, valued) {
    this.count(step.board);
    this.mark(step);
    this.hand.hidden = true;
    this.sides.forEach((side, owner) => {
      side.classList.toggle("kb-turn", !step.over && owner === step.player);
    });
    this.value(step, valued);
  }

  // Pits and stores, where they are seen: North above, from right to left.
  /** @type {(board: number[]) => void} */
  lay(board) {
    const half = board.length / 2;
    const pits = half - 1;
    this.spots = board.map((_, index) => {
      const [owner, pit] = [Math.floor(index / half), index % half];
      const store = pit === pits;
      const column = store ? (owner ? 1 : pits + 2) : owner ? pits + 1 - pit : pit + 2;
      return this.#makeSpot({ index, owner, pit, store, column });
    });
    const sides = NAMES.map((name, owner) => {
      return h("span", { class: `kb-side kb-side-${owner}` }, owner ? `← ${name}` : `${name} →`);
    });
    this.sides = sides;
    this.element.style.setProperty("--pits", pits);
    this.element.classList.toggle("kb-many", pits > 8);
    const seen = [...this.spots].sort((a, b) => b.owner - a.owner || a.column - b.column);
    this.element.replaceChildren(
      h("div", { class: "kb-wood" }),
      ...seen.flatMap((spot) => [spot.bar, spot.value, spot.number, spot.box].filter(Boolean)),
      ...sides,
      this.hand,
    );
    this.here = undefined;
  }

  /** @type {(place: { index: number, owner: number, pit: number, store: boolean, column: number }) => Spot} */
  #makeSpot(place) {
    const { index, owner, pit, store, column } = place;
    const rows = ROWS[owner];
    const style = `grid-column:${column};grid-row:${store ? "5 / span 2" : rows.pit}`;
    /** @type {(event: MouseEvent) => void} */
    const edit = (event) => this.edit && this.press(index, event);
    const box = store
      ? h("div", { class: "kb-store", role: "img", style, onclick: edit })
      : button("", (event) => this.press(index, event), { class: "kb-pit", style });
    /** @type {(row: number, tag: string, cls: string, inside: string | Node) => any} */
    const beside = (row, tag, cls, inside) => {
      const made = h(tag, { class: cls, "aria-hidden": "true" }, inside);
      made.style.gridArea = `${row} / ${column}`;
      return made;
    };
    const spot = {
      ...place,
      box,
      count: h("b", {}),
      stones: s("svg", {
        viewBox: store ? "-26 -56 52 112" : "-30 -30 60 60",
        "aria-hidden": "true",
      }),
      number: beside(rows.number, "span", "kb-number", store ? NAMES[owner] : String(pit + 1)),
      value: store ? null : beside(rows.value, "b", "kb-value", ""),
      bar: store ? null : beside(rows.bar, "span", "kb-bar", h("i")),
    };
    box.addEventListener("contextmenu", edit);
    box.append(spot.stones, spot.count);
    return spot;
  }

  /** @type {(board: number[]) => void} */
  count(board) {
    if (this.spots.length !== board.length) this.lay(board);
    this.counts = [...board];
    for (const spot of this.spots) this.fill(spot, board[spot.index]);
  }

  /** @type {(spot: Spot, count: number) => void} */
  fill(spot, count) {
    spot.count.textContent = count;
    spot.count.style.setProperty("--digits", String(count).length);
    spot.box.classList.toggle("kb-empty", count === 0);
    if (spot.drawn === count) return;
    spot.drawn = count;
    const places = count > BEADS ? [] : spot.store ? pile(count) : beads(count);
    const stones = places.map(([cx, cy]) => s("circle", { cx, cy, r: 3 }));
    spot.box.classList.toggle("kb-piled", spot.store && stones.length > 0);
    spot.stones.replaceChildren(...stones);
  }

  /** @type {(index: number, event: MouseEvent) => unknown} */
  press(index, event) {
    if (!this.edit) return this.play(index);
    event.preventDefault();
    this.rove(index);
    this.edit(index, event.shiftKey || event.type === "contextmenu");
  }

  // A key on a pit or a store that is set up; whether it was for that.
  /** @type {(key: string, index: number) => boolean} */
  type(key, index) {
    const count = this.counts[index];
    if (!this.edit) return false;
    if (/^\d$/.test(key)) this.edit(index, false, Number(key));
    else if (key === "+") this.edit(index, false, count + 1);
    else if (["-", "−", "Delete", "Backspace"].includes(key)) this.edit(index, true);
    else if (this.spots[index].store && [" ", "Enter"].includes(key)) this.edit(index, false);
    else return false;
    return true;
  }

  // A board to be set up: no marks, no bars; stores can be pressed, too.
  /** @type {(board: number[]) => void} */
  showEdited(board) {
    this.count(board);
    this.mark({ legal: this.spots.map(({ index }) => index) });
    for (const { store, box } of this.spots) {
      if (!store) continue;
      box.setAttribute("role", "button");
      box.tabIndex = 0;
    }
    this.value({}, false);
  }

  // Rings and labels: what was sown, where the last stone fell, what was captured, what can be
  // played.
  /** @type {(step: Pick<Step, "legal"> & Partial<Step>) => void} */
  mark({ move = null, legal, bars = [] }) {
    const worth = new Map(bars.map((bar) => [bar.index, bar.text]));
    for (const spot of this.spots) {
      const count = this.counts[spot.index];
      const marks = {
        taken: Boolean(move?.emptied.includes(spot.index)),
        last: move?.drops.at(-1) === spot.index,
        sown: move?.from === spot.index,
        legal: (this.live || Boolean(this.edit)) && legal.includes(spot.index),
      };
      for (const [mark, on] of Object.entries(marks)) spot.box.classList.toggle(`kb-${mark}`, on);
      const stones = `${count} stone${count === 1 ? "" : "s"}`;
      const said = spot.store
        ? [`${NAMES[spot.owner]}'s store`, stones]
        : [`pit ${spot.pit + 1} of ${NAMES[spot.owner]}`, stones];
      if (marks.legal && !this.edit) said.push("legal");
      if (worth.has(spot.index)) said.push(`value ${worth.get(spot.index)}`);
      if (marks.sown) said.push("sown last");
      if (marks.last) said.push("last stone fell here");
      if (marks.taken) said.push("captured");
      spot.box.setAttribute("aria-label", said.join(", "));
      if (spot.store) {
        spot.box.setAttribute("role", "img");
        spot.box.removeAttribute("tabindex");
      } else spot.box.setAttribute("aria-disabled", String(!marks.legal));
    }
    if (
      !this.element.closest(".kalah-board").contains(document.activeElement) ||
      this.here === undefined
    ) {
      this.rove(legal[0] ?? 0);
    }
  }

  // The bars; `shown` says whether there is room for them.
  /** @type {(step: Partial<Step>, shown: boolean) => void} */
  value(step, shown) {
    const bars = new Map((step.bars ?? []).map((bar) => [bar.index, bar]));
    const parts = [...bars.values()].map((bar) => bar.part);
    const [low, high] = [Math.min(0, ...parts), Math.max(0, ...parts)];
    /** @type {(part: number) => string} */
    const share = (part) => `${(100 * part) / (high - low || 1)}%`;
    this.element.classList.toggle("kb-valued", shown);
    for (const spot of this.spots.filter((spot) => !spot.store)) {
      const bar = bars.get(spot.index);
      spot.value.textContent = bar?.text ?? "";
      spot.value.classList.toggle("kb-best", Boolean(bar?.best));
      spot.bar.hidden = !bar;
      if (!bar) continue;
      spot.bar.className = `kb-bar ${bar.part < 0 ? "kb-minus" : "kb-plus"}`;
      spot.bar.classList.toggle("kb-best", bar.best);
      spot.bar.style.setProperty("--zero", share(-low));
      spot.bar.style.setProperty("--from", share(Math.min(0, bar.part) - low));
      spot.bar.style.setProperty("--size", share(Math.abs(bar.part)));
    }
  }

  // A move, stone by stone, as long as `wanted()`.
  /** @type {(before: Step, move: Move, wanted: () => boolean) => Promise<void>} */
  async travel(before, move, wanted) {
    this.count(before.board);
    this.value({}, this.element.classList.contains("kb-valued"));
    this.mark({ legal: [] });
    this.spots[move.from].box.classList.add("kb-sown");
    let held = this.lift(move.from);
    let at = move.from;
    const pace = Math.min(HOP, SOWING / move.drops.length);
    for (const next of move.drops) {
      await this.carry(at, next, held, pace);
      if (!wanted()) return;
      this.put(next, 1);
      held -= 1;
      at = next;
    }
    this.spots[at].box.classList.add("kb-last");
    for (const index of move.emptied) {
      this.spots[index].box.classList.add("kb-taken");
      const taken = this.lift(index);
      await this.carry(index, move.store, taken, 2 * HOP);
      if (!wanted()) return;
      this.put(move.store, taken);
    }
    await this.carry(move.store, move.store, 0, HOP);
  }

  /** @type {(index: number) => number} */
  lift(index) {
    const held = this.counts[index];
    this.put(index, -held);
    return held;
  }

  /** @type {(index: number, stones: number) => void} */
  put(index, stones) {
    this.counts[index] += stones;
    this.fill(this.spots[index], this.counts[index]);
  }

  /** @type {(from: number, to: number, held: number, duration: number) => Promise<unknown>} */
  carry(from, to, held, duration) {
    const table = this.element.getBoundingClientRect();
    const [start, end] = [from, to].map((index) => {
      const { left, top, width, height } = this.spots[index].box.getBoundingClientRect();
      return `translate(${left + width / 2 - table.left}px, ${top + height / 2 - table.top}px)`;
    });
    this.hand.hidden = held === 0;
    this.hand.textContent = held;
    const frames = [{ transform: start }, { transform: end }];
    return this.hand.animate(frames, { duration, easing: "ease-in-out", fill: "forwards" })
      .finished;
  }

  // One pit at a time takes part in the page's order of focus; arrows move to the others.
  /** @type {(index: number) => void} */
  rove(index) {
    this.here = index;
    for (const { box, store, index: other } of this.spots) {
      if (!store) box.tabIndex = other === index ? 0 : -1;
    }
  }

  /** @type {(key: string) => number | undefined} */
  neighbour(key) {
    const here = this.spots[this.here ?? 0];
    const row = this.spots.filter((spot) => !spot.store && spot.owner === here.owner);
    row.sort((a, b) => a.column - b.column);
    const place = row.indexOf(here);
    /** @type {(owner: number) => Spot | undefined} */
    const facing = (owner) =>
      this.spots.find((spot) => {
        return !spot.store && spot.owner === owner && spot.column === here.column;
      });
    /** @type {Record<string, () => Spot | undefined>} */
    const ways = {
      ArrowLeft: () => row[Math.max(0, place - 1)],
      ArrowRight: () => row[Math.min(row.length - 1, place + 1)],
      ArrowUp: () => facing(1),
      ArrowDown: () => facing(0),
      Home: () => row[0],
      End: () => row.at(-1),
    };
    return ways[key]?.()?.index;
  }
}

// Stones along the rim of a pit, evenly, the first at the top.
/** @type {(count: number) => number[][]} */
function beads(count) {
  return Array.from({ length: count }, (_, stone) => {
    const angle = (2 * Math.PI * stone) / count;
    return [19.5 * Math.sin(angle), -19.5 * Math.cos(angle)];
  });
}

// Stones in a store, in rows of four from the bottom.
/** @type {(count: number) => number[][]} */
function pile(count) {
  return Array.from({ length: count }, (_, stone) => {
    return [9 * (stone % 4) - 13.5, 40 - 9 * Math.floor(stone / 4)];
  });
}
