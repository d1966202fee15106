// A packed trace (see packing.py) as columns, with the shape of the tree.

/** @import { Bar, Column, Described, Ghost, OfNode, OfShown, OfTrace, Packed, Shown, Trace, Window } from "./types.js" */

/** @type {Record<string, { new (buffer: ArrayBuffer, at?: number, count?: number): Column, BYTES_PER_ELEMENT: number }>} */
const TYPES = {
  u1: Uint8Array,
  i1: Int8Array,
  u2: Uint16Array,
  i2: Int16Array,
  u4: Uint32Array,
  i4: Int32Array,
  f4: Float32Array,
  f8: Float64Array,
};
const MIN = 1,
  EXTRA = 2,
  FINISHED = 4,
  TABLE = 8,
  LOWER = 16,
  UPPER = 32,
  CUT = 64,
  DRIVER = 128,
  LEFT = 256,
  CHANCE = 512;

/** @type {(packed: Packed) => Promise<Trace>} */
export async function unpack(packed) {
  const columns = columnsOf(packed.columns, await gunzip(packed.data));
  const reasons = packed.reasons && (await gunzipJson(packed.reasons));
  const t = /** @type {Trace} */ (
    /** @type {unknown} */ ({ ...packed, ...columns, reasons, data: null })
  );
  t.n = t.nodes;
  t.value = new Int32Array(t.value);
  t.high = t.numbers.length - 1; // the places of minus and plus infinity are 0 and `high`
  shape(t);
  t.asking = Object.keys(t.asks).length > 0;
  scale(t);
  return t;
}

/** @type {(data: DataView<ArrayBuffer>) => Promise<ArrayBuffer>} */
export async function gunzip(data) {
  const packed = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  try {
    const { body } = /** @type {{ body: ReadableStream }} */ (new Response(packed));
    const flow = body.pipeThrough(new DecompressionStream("gzip"));
    return await new Response(flow).arrayBuffer();
  } catch {
    throw new Error("the trace is cut short or damaged; make it again");
  }
}

/** @type {(data: DataView<ArrayBuffer>) => Promise<any>} */
export const gunzipJson = async (data) => JSON.parse(new TextDecoder().decode(await gunzip(data)));

// Unpacks the positions, which only the panel shows, after the tree has been drawn.
/** @type {(t: Shown) => Promise<void>} */
export async function unpackCells(t) {
  const { columns, data } = t.positions;
  Object.assign(t, columnsOf(columns, await gunzip(data)));
}

/** @type {(columns: Described[], buffer: ArrayBuffer) => Record<string, Column>} */
export function columnsOf(columns, buffer) {
  /** @type {Record<string, Column>} */
  const arrays = {};
  let offset = 0;
  for (const [name, type, count] of columns) {
    const bytes = count * TYPES[type].BYTES_PER_ELEMENT;
    if (offset + bytes > buffer.byteLength)
      throw new Error("the trace is cut short; make it again");
    const aligned = offset % TYPES[type].BYTES_PER_ELEMENT === 0;
    arrays[name] = aligned
      ? new TYPES[type](buffer, offset, count)
      : new TYPES[type](buffer.slice(offset, offset + bytes));
    offset += bytes;
  }
  return arrays;
}

// Computes from the ply of each node, in the order of visits, its parent, the size of its subtree,
// and the steps of the cuts; and for nodes with untried moves, and for those with children, their
// places in the columns of such nodes. It is a single pass, as the page waits for it, and browsers
// compile a loop only after a while.
/** @type {OfTrace<void>} */
function shape(t) {
  const { n, ply, flag, count, cost, value } = t;
  const [parent, size, untriedOf, innerOf] = [0, 0, 0, 0].map(() => new Int32Array(n));
  const [cutSteps, firstGhost] = [new Int32Array(count.length), new Int32Array(count.length + 1)];
  const spared = new Float64Array(count.length + 1); // nodes never searched, by the number of cuts so far
  const path = new Int32Array(t.width.length); // the last node of each ply
  let [untried, cuts, inner, flags] = [0, 0, 0, 0];
  parent[0] = -1;
  for (let i = 0, before = -1; i <= n; i++) {
    const level = i < n ? ply[i] : 0;
    if (level > before + 1 || (level < 1 && i && i < n)) throw new Error("the trace is damaged");
    for (; before >= level; before--) {
      const node = path[before];
      size[node] = i - node;
      if (!(flag[node] & CUT)) continue;
      cutSteps[cuts++] = 2 * i - before - 1;
      const c = untriedOf[node];
      spared[cuts] = spared[cuts - 1];
      for (let g = firstGhost[c]; g < firstGhost[c + 1]; g++) spared[cuts] += cost[g];
    }
    if (i === n) break;
    before = level;
    path[level] = i;
    flags |= flag[i];
    if (flag[i] & (CUT | LEFT)) {
      firstGhost[untried + 1] = firstGhost[untried] + count[untried];
      untriedOf[i] = untried++;
    }
    if (!i) continue;
    const up = path[level - 1];
    parent[i] = up;
    if (up === i - 1) innerOf[up] = inner++; // its first child
    value[i] += value[up];
  }
  Object.assign(t, { parent, size, untriedOf, innerOf, firstGhost, flags });
  t.cutSteps = cutSteps.subarray(0, cuts);
  t.sparedAfter = spared;
  t.steps = 2 * n;
  t.plies = t.width.length - 2;
  t.items = n + t.ghost.length;
  t.addsUp = t.full > 0 && t.full === n + t.spared && !(flags & LEFT);
}

// Computes the scale of the window bars: the greatest distance of a finite number from 0.
/** @type {OfTrace<void>} */
function scale(t) {
  t.endless = t.value.includes(0) || t.value.includes(t.high);
  t.span = 1;
  for (const number of t.numbers)
    if (number !== null && Math.abs(number) > t.span) t.span = Math.abs(number);
}

// The event that enters a node, and the one that leaves it. Before node i is entered, i nodes have
// been entered, and all of them left but its ancestors.
/** @type {OfNode<number>} */
export const enterOf = (t, i) => 2 * i - t.ply[i];
/** @type {OfNode<number>} */
export const leaveOf = (t, i) => enterOf(t, i) + 2 * t.size[i] - 1;

// Returns the node of event k: the last node entered, or an ancestor of it, which is left.
/** @type {OfNode<number>} */
export function nodeAt(t, k) {
  let [i, after] = [0, t.n];
  while (after - i > 1) {
    const middle = (i + after) >> 1;
    if (enterOf(t, middle) > k) after = middle;
    else i = middle;
  }
  if (enterOf(t, i) < k) while (leaveOf(t, i) < k) i = t.parent[i];
  return i;
}

/** @type {OfTrace<boolean>} */
export const hasTable = (t) => (t.flags & TABLE) !== 0;
/** @type {OfTrace<boolean>} */
export const hasChance = (t) => (t.flags & CHANCE) !== 0;
/** @type {OfTrace<boolean>} */
export const hasProbes = (t) => t.moves.some(([, , probe]) => probe);
/** @type {OfNode<boolean>} */
export const isCut = (t, i) => (t.flag[i] & CUT) !== 0;
// Returns whether a node was left with moves never tried, by a cut or without one.
/** @type {OfNode<boolean>} */
export const hasGhosts = (t, i) => (t.flag[i] & (CUT | LEFT)) !== 0;
/** @type {OfTrace<boolean>} */
export const leavesMovesOut = (t) => (t.flags & LEFT) !== 0;
// Returns whether a search without a window leaves out moves: its values are not those of the best
// moves.
/** @type {OfTrace<boolean>} */
export const isSelective = (t) => !t.windows && leavesMovesOut(t);

// Returns whether a node is worth its best child, so that the children so far bound its value. It is
// not in a search that leaves moves out, and not in one that backs values up in a way of its own.
/** @type {OfTrace<boolean>} */
export const takesBest = (t) => !t.reasons && !isSelective(t);

// Returns the moves that were generated at a node and never tried.
/** @type {OfNode<Ghost[]>} */
export function ghostsOf(t, i) {
  /** @type {Ghost[]} */
  const ghosts = [];
  if (!hasGhosts(t, i)) return ghosts;
  const c = t.untriedOf[i];
  for (let g = t.firstGhost[c]; g < t.firstGhost[c + 1]; g++)
    ghosts.push({
      move: t.ghost[g],
      cost: t.cost[g],
      extraTurn: ((t.extra[g >> 3] >> (g & 7)) & 1) === 1,
    });
  return ghosts;
}

// Returns the node that set the bound that cuts a node with children: itself or an ancestor.
/** @type {OfNode<number>} */
export function ownerOf(t, i) {
  const level = t.owner[t.innerOf[i]];
  while (t.ply[i] > level) i = t.parent[i];
  return i;
}

// isHeld returns whether that node has the bound from one of its moves, and holderOf from which;
// otherwise it was entered with it.
/** @type {OfNode<boolean>} */
export const isHeld = (t, i) => t.holds[t.innerOf[i]] > 0;
/** @type {OfNode<number>} */
export const holderOf = (t, i) => childrenOf(t, ownerOf(t, i))[t.holds[t.innerOf[i]] - 1];

/** @type {OfShown<boolean>} */
export const isMax = (t, i) => !(t.flag[i] & MIN);
/** @type {OfShown<boolean>} */
export const isExtra = (t, i) => (t.flag[i] & EXTRA) !== 0;
/** @type {OfShown<boolean>} */
export const isFinished = (t, i) => (t.flag[i] & FINISHED) !== 0;
/** @type {OfNode<boolean>} */
export const isTable = (t, i) => (t.flag[i] & TABLE) !== 0;
/** @type {OfNode<boolean>} */
export const isLeaf = (t, i) => t.size[i] === 1 && !(t.flag[i] & (CUT | LEFT | TABLE));
/** @type {OfShown<boolean>} */
export const isChance = (t, i) => (t.flag[i] & CHANCE) !== 0;
/** @type {OfShown<"max" | "min" | "chance">} */
export const moverOf = (t, i) => (isChance(t, i) ? "chance" : isMax(t, i) ? "max" : "min");
/** @type {OfShown<string>} */
export const side = (t, i) => (isChance(t, i) ? "Chance" : isMax(t, i) ? "MAX" : "MIN");
/** @type {OfNode<"≥" | "≤" | "">} */
export const boundKind = (t, i) => (t.flag[i] & LOWER ? "≥" : t.flag[i] & UPPER ? "≤" : "");
/** @type {OfShown<boolean>} */
export const isProbe = (t, i) => t.moves[t.move[i]][2];
/** @type {OfShown<string>} */
export const ownName = (t, i) => t.moves[t.move[i]][0];
/** @type {OfShown<string>} */
export const moveName = (t, i) => ownName(t, i) + (isProbe(t, i) ? "?" : "");

// A driver is a search made of passes over one node: they are its children, with the same position.
/** @type {OfNode<boolean>} */
export const isDriver = (t, i) => (t.flag[i] & DRIVER) !== 0;
// The passes of iterative deepening have open windows and different depths, so each one replaces the
// value of the pass before.
/** @type {OfNode<boolean>} */
export const isDeepening = (t, i) =>
  isDriver(t, i) && t.alpha[i + 1] === 0 && t.beta[i + 1] === t.high;
/** @type {OfNode<boolean>} */
export const isPass = (t, i) => i > 0 && isDriver(t, t.parent[i]);

// Returns the question of a null window, as `> 3` or `≥ 4`: whether the value is more than the
// lower end, or at least the upper one. The other end is no number of the search, only next to it.
/** @type {OfNode<string>} */
export const shortQuestion = (t, i) => (t.asking && t.asks[`${t.alpha[i]} ${t.beta[i]}`]) || "";

/** @type {OfNode<string>} */
export const question = (t, i) =>
  shortQuestion(t, i).replace(">", "more than").replace("≥", "at least");

// Returns the window on entry; for a null window, its question.
/** @type {OfNode<string>} */
export const windowText = (t, i) =>
  shortQuestion(t, i)
    ? `${shortQuestion(t, i)}?`
    : `[${t.brief[t.alpha[i]]}, ${t.brief[t.beta[i]]}]`;

// Returns the bound that a cut has reached, such as β=3; with a null window, such as β>3.
/** @type {OfNode<string>} */
export function cutText(t, i) {
  const asked = shortQuestion(t, i);
  const above = isChance(t, i) ? t.value[i] >= t.beta[i] : isMax(t, i);
  if (above) return asked.includes(">") ? `β>${t.brief[t.alpha[i]]}` : `β=${t.brief[t.beta[i]]}`;
  return asked.includes("≥") ? `α<${t.brief[t.beta[i]]}` : `α=${t.brief[t.alpha[i]]}`;
}

// Returns a window at i as texts; an end next to a number is written `>3` or `<3`.
/** @type {(t: Trace, i: number, ends: Window | Bar) => [low: string, high: string]} */
export function endsOf(t, i, [alpha, beta]) {
  const [sign, ...number] = shortQuestion(t, i).replace(" ", "");
  const low = sign === "≥" && alpha === t.alpha[i];
  const high = sign === ">" && beta === t.beta[i];
  const text = number.join("");
  return [low ? `<${text}` : t.texts[alpha], high ? `>${text}` : t.texts[beta]];
}

/** @type {OfNode<string>} */
export const kindOf = (t, i) =>
  isDriver(t, i)
    ? "driver"
    : isCut(t, i)
      ? "cut"
      : isFinished(t, i)
        ? "finished"
        : isTable(t, i)
          ? "table"
          : isLeaf(t, i)
            ? "leaf"
            : "inner";

/** @type {OfShown<number[]>} */
export function pathTo(t, i) {
  const path = [];
  for (; i >= 0; i = t.parent[i]) path.unshift(i);
  return path;
}

/** @type {OfNode<number[]>} */
export function childrenOf(t, i) {
  const children = [];
  for (let c = i + 1; c < i + t.size[i]; c += t.size[c]) children.push(c);
  return children;
}

// Returns the numbers of a position (see `cells` in packing.py).
/** @type {OfShown<number[]>} */
export function cellsOf(t, i) {
  const cells = t.cells ?? new Uint8Array();
  const count = cells.length / t.n;
  const sums = new Array(count).fill(0);
  for (; i >= 0; i = t.parent[i]) for (let c = 0; c < count; c++) sums[c] += cells[i * count + c];
  return sums;
}

// Returns the moves that lead to the position of each node. Passes, and a probe and the search
// after it, visit the same position.
/** @type {OfTrace<string[]>} */
function positionsOf(t) {
  const positions = [""];
  for (let i = 1; i < t.n; i++) {
    const above = positions[t.parent[i]];
    positions.push(isPass(t, i) ? above : `${above}\n${ownName(t, i)}`);
  }
  return positions;
}

// Returns the last visit of the same position in another trace, or of its nearest ancestor there.
/** @type {(other: Trace, t: Trace, i: number) => number} */
export function sameIn(other, t, i) {
  if (!i) return 0;
  const visits = new Map(positionsOf(other).map((position, visit) => [position, visit]));
  const positions = positionsOf(t);
  while (!visits.has(positions[i])) i = t.parent[i];
  return Number(visits.get(positions[i]));
}

// Returns which nodes of `t` have positions that the other search visited, too, a byte per node.
/** @type {(other: Trace, t: Trace) => Uint8Array} */
export function alsoIn(other, t) {
  const theirs = new Set(positionsOf(other));
  return Uint8Array.from(positionsOf(t), (position) => (theirs.has(position) ? 1 : 0));
}
