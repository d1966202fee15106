// A packed trace (see packing.py) as columns, with the shape of the tree worked out.

const TYPES = {
  u1: Uint8Array, i1: Int8Array, u2: Uint16Array, i2: Int16Array,
  u4: Uint32Array, i4: Int32Array, f8: Float64Array,
};
const MIN = 1, EXTRA = 2, FINISHED = 4, TABLE = 8, LOWER = 16, UPPER = 32, CUT = 64;

export async function unpack(packed) {
  const t = { ...packed, ...columnsOf(packed.columns, await inflated(packed.data)) };
  t.data = null;
  t.n = t.nodes;
  t.high = t.numbers.length - 1; // the places of minus and plus infinity are 0 and this
  t.cells = t.board ? 2 * t.board.pits + 2 : 0;
  shape(t);
  for (let i = 1; i < t.n; i++) t.value[i] += t.value[t.parent[i]];
  scale(t);
  readCuts(t);
  return t;
}

async function inflated(data) {
  const packed = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  try {
    const flow = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return await new Response(flow).arrayBuffer();
  } catch {
    throw new Error("the trace is cut short or damaged; make it again");
  }
}

function columnsOf(columns, buffer) {
  const found = {};
  let at = 0;
  for (const [name, type, count] of columns) {
    const bytes = count * TYPES[type].BYTES_PER_ELEMENT;
    if (at + bytes > buffer.byteLength) throw new Error("the trace is cut short; make it again");
    found[name === "board" ? "delta" : name] = new TYPES[type](buffer.slice(at, at + bytes));
    at += bytes;
  }
  found.value = Int32Array.from(found.value);
  return found;
}

// From the string of enter and leave bits: when each node was entered and left (as numbers of
// events before that), its parent, its ply, and how many nodes it and all below it are.
function shape(t) {
  const { n, open } = t;
  t.steps = 2 * n;
  t.parent = new Int32Array(n);
  t.enter = new Int32Array(n);
  t.leave = new Int32Array(n);
  t.size = new Int32Array(n);
  t.ply = new Uint16Array(n);
  t.node = new Int32Array(2 * n); // whom the event is about
  t.plies = 0;
  let current = -1;
  let next = 0;
  for (let k = 0; k < 2 * n; k++)
    if ((open[k >> 3] >> (k & 7)) & 1) {
      if (next === n || (current < 0 && next)) throw new Error("the trace is damaged");
      t.parent[next] = current;
      t.enter[next] = k;
      t.ply[next] = current < 0 ? 0 : t.ply[current] + 1;
      if (t.ply[next] > t.plies) t.plies = t.ply[next];
      t.node[k] = current = next++;
    } else {
      if (current < 0) throw new Error("the trace is damaged");
      t.node[k] = current;
      t.leave[current] = k;
      t.size[current] = next - current;
      current = t.parent[current];
    }
}

// How far the finite numbers reach from 0: the scale of the window bars.
function scale(t) {
  t.span = 1;
  for (const number of t.numbers)
    if (number !== null && Math.abs(number) > t.span) t.span = Math.abs(number);
}

// Cuts by node, and in the order in which they were made: that is, in which the nodes were left.
function readCuts(t) {
  t.cuts = new Map();
  let c = 0;
  let g = 0;
  for (let i = 0; i < t.n; i++) {
    if (!(t.flag[i] & CUT)) continue;
    let owner = t.owner[c] ? i : -1;
    while (owner >= 0 && t.ply[owner] + 1 > t.owner[c]) owner = t.parent[owner];
    const ghosts = [];
    for (const end = g + t.count[c++]; g < end; g++)
      ghosts.push({ move: t.ghost[g], cost: t.cost[g] });
    t.cuts.set(i, { owner, ghosts });
  }
  const made = [...t.cuts.keys()].sort((i, j) => t.leave[i] - t.leave[j]);
  t.cutSteps = Int32Array.from(made, (i) => t.leave[i]);
  t.saved = [0]; // nodes never searched, after so many cuts
  for (const i of made)
    t.saved.push(t.cuts.get(i).ghosts.reduce((sum, ghost) => sum + ghost.cost, t.saved.at(-1)));
  t.items = t.n + t.ghost.length;
  t.addsUp = t.full > 0 && t.full === t.n + t.saved.at(-1);
  const kids = new Uint16Array(t.n); // made, whether they were visited or not
  for (let i = 1; i < t.n; i++) kids[t.parent[i]]++;
  for (const [i, { ghosts: untried }] of t.cuts) kids[i] += untried.length;
  t.widest = kids.reduce((most, count) => Math.max(most, count), 0);
}

export const isMax = (t, i) => !(t.flag[i] & MIN);
export const isExtra = (t, i) => (t.flag[i] & EXTRA) !== 0;
export const isFinished = (t, i) => (t.flag[i] & FINISHED) !== 0;
export const isTable = (t, i) => (t.flag[i] & TABLE) !== 0;
export const isLeaf = (t, i) => t.size[i] === 1 && !(t.flag[i] & (CUT | TABLE));
export const side = (t, i) => (isMax(t, i) ? "MAX" : "MIN");
export const boundKind = (t, i) => (t.flag[i] & LOWER ? "≥" : t.flag[i] & UPPER ? "≤" : "");
export const moveName = (t, i) => t.moves[t.move[i]][0];
export const kindOf = (t, i) =>
  t.cuts.has(i) ? "cut" : isFinished(t, i) ? "finished" : isTable(t, i) ? "table"
    : isLeaf(t, i) ? "leaf" : "inner";

export function pathTo(t, i) {
  const path = [];
  for (; i >= 0; i = t.parent[i]) path.unshift(i);
  return path;
}

export function childrenOf(t, i) {
  const children = [];
  for (let c = i + 1; c < i + t.size[i]; c += t.size[c]) children.push(c);
  return children;
}

export function boardOf(t, i) {
  const board = new Array(t.cells).fill(0);
  for (; i >= 0; i = t.parent[i])
    for (let c = 0; c < t.cells; c++) board[c] += t.delta[i * t.cells + c];
  return board;
}

// The node that the same moves lead to in another trace, as far as they go there.
export function sameIn(other, t, i) {
  let found = 0;
  for (const step of pathTo(t, i).slice(1)) {
    const name = moveName(t, step);
    const next = childrenOf(other, found).find((c) => moveName(other, c) === name);
    if (next === undefined) break;
    found = next;
  }
  return found;
}

// Which nodes of `t` the other search visited as well, as a byte a node.
export function alsoIn(other, t) {
  const also = new Uint8Array(t.n);
  const pairs = [[0, 0]];
  for (let pair; (pair = pairs.pop()); ) {
    const [i, j] = pair;
    also[i] = 1;
    const theirs = new Map(childrenOf(other, j).map((c) => [moveName(other, c), c]));
    for (const c of childrenOf(t, i)) {
      const twin = theirs.get(moveName(t, c));
      if (twin !== undefined) pairs.push([c, twin]);
    }
  }
  return also;
}
