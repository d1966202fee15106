// A packed trace (see packing.py) as columns, with the shape of the tree worked out.

const TYPES = {
  u1: Uint8Array, i1: Int8Array, u2: Uint16Array, i2: Int16Array,
  u4: Uint32Array, i4: Int32Array, f8: Float64Array,
};
const MIN = 1, EXTRA = 2, FINISHED = 4, TABLE = 8, LOWER = 16, UPPER = 32, CUT = 64, DRIVER = 128;

export async function unpack(packed) {
  const t = { ...packed, ...columnsOf(packed.columns, await inflated(packed.data)) };
  t.data = null;
  t.n = t.nodes;
  t.high = t.numbers.length - 1; // the places of minus and plus infinity are 0 and this
  shape(t);
  t.asking = Object.keys(t.asks).length > 0;
  scale(t);
  countCuts(t);
  return t;
}

export async function inflated(data) {
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
    const whole = at % TYPES[type].BYTES_PER_ELEMENT === 0;
    found[name] = whole ? new TYPES[type](buffer, at, count) : new TYPES[type](buffer.slice(at, at + bytes));
    at += bytes;
  }
  found.value = new Int32Array(found.value);
  return found;
}

// From the string of enter and leave bits: when each node was entered and left (as numbers of
// events before that), its parent, its ply, how many nodes it and all below it are, and which events
// are cuts. The places of cuts in their columns are kept by node, as those of the nodes with
// children. `width` counts what was made at each ply, whether it was visited or not. All in one
// pass: a page with a large search waits for it.
function shape(t) {
  const { n, open, flag, count, value } = t;
  t.steps = 2 * n;
  const cutSteps = new Int32Array(count.length);
  const cutOf = new Int32Array(n).fill(-1);
  const innerOf = new Int32Array(n).fill(-1);
  const kids = new Uint16Array(n); // made, whether they were visited or not
  const width = new Uint32Array(65537);
  let [made, cuts, inner, flags, plies] = [0, 0, 0, 0, 0];
  const [parent, enter, leave, size] = [0, 1, 2, 3].map(() => new Int32Array(n));
  const ply = new Uint16Array(n);
  const node = new Int32Array(2 * n); // whom the event is about
  let current = -1;
  let next = 0;
  for (let k = 0; k < 2 * n; k++)
    if ((open[k >> 3] >> (k & 7)) & 1) {
      if (next === n || (current < 0 && next)) throw new Error("the trace is damaged");
      parent[next] = current;
      enter[next] = k;
      if (current >= 0) {
        const level = (ply[next] = ply[current] + 1);
        if (level > plies) plies = level;
        if (current === next - 1) innerOf[current] = inner++; // its first child
        kids[current]++;
        value[next] += value[current];
      }
      width[ply[next]]++;
      const signs = flag[next];
      flags |= signs;
      if (signs & CUT) {
        kids[next] += count[cuts];
        width[ply[next] + 1] += count[cuts];
        cutOf[next] = cuts++;
      }
      node[k] = current = next++;
    } else {
      if (current < 0) throw new Error("the trace is damaged");
      node[k] = current;
      leave[current] = k;
      if (flag[current] & CUT) cutSteps[made++] = k;
      size[current] = next - current;
      current = parent[current];
    }
  const widest = kids.reduce((most, kid) => (kid > most ? kid : most), 0);
  Object.assign(t, { parent, enter, leave, size, ply, node, plies, cutSteps, cutOf, innerOf, flags, widest });
  t.width = width.slice(0, plies + 2);
}

// How far the finite numbers reach from 0: the scale of the window bars.
function scale(t) {
  t.endless = t.value.includes(0) || t.value.includes(t.high);
  t.span = 1;
  for (const number of t.numbers)
    if (number !== null && Math.abs(number) > t.span) t.span = Math.abs(number);
}

// What was cut is looked up when it is asked for. Cuts are counted in the order in which they were
// made, that is, in which the nodes were left.
function countCuts(t) {
  const { n, count, cost, node, cutSteps, cutOf } = t;
  const cuts = count.length;
  const firstGhost = new Int32Array(cuts + 1);
  const costs = new Float64Array(cuts);
  for (let c = 0, g = 0; c < cuts; c++) {
    for (const end = g + count[c]; g < end; g++) costs[c] += cost[g];
    firstGhost[c + 1] = g;
  }
  const saved = new Float64Array(cuts + 1); // nodes never searched, after so many cuts
  for (let made = 0; made < cuts; made++) saved[made + 1] = saved[made] + costs[cutOf[node[cutSteps[made]]]];
  Object.assign(t, { firstGhost, saved });
  t.items = n + t.ghost.length;
  t.addsUp = t.full > 0 && t.full === n + saved.at(-1);
}

export const hasTable = (t) => (t.flags & TABLE) !== 0;
export const hasProbes = (t) => t.moves.some(([, , probe]) => probe);
export const isCut = (t, i) => t.cutOf[i] >= 0;

// The moves that were made at a node and never tried.
export function ghostsOf(t, i) {
  const ghosts = [];
  const c = t.cutOf[i];
  if (c < 0) return ghosts;
  for (let g = t.firstGhost[c]; g < t.firstGhost[c + 1]; g++)
    ghosts.push({ move: t.ghost[g], cost: t.cost[g], again: ((t.again[g >> 3] >> (g & 7)) & 1) === 1 });
  return ghosts;
}

// The node, it or one above it, that set the bound which cuts a node with children.
export function ownerOf(t, i) {
  const level = t.owner[t.innerOf[i]];
  while (t.ply[i] > level) i = t.parent[i];
  return i;
}

// Whether that node has the bound from one of its moves, and from the search of which; otherwise it
// was entered with it.
export const isHeld = (t, i) => t.holds[t.innerOf[i]] > 0;
export const holderOf = (t, i) => childrenOf(t, ownerOf(t, i))[t.holds[t.innerOf[i]] - 1];

export const isMax = (t, i) => !(t.flag[i] & MIN);
export const isExtra = (t, i) => (t.flag[i] & EXTRA) !== 0;
export const isFinished = (t, i) => (t.flag[i] & FINISHED) !== 0;
export const isTable = (t, i) => (t.flag[i] & TABLE) !== 0;
export const isLeaf = (t, i) => t.size[i] === 1 && !(t.flag[i] & (CUT | TABLE));
export const side = (t, i) => (isMax(t, i) ? "MAX" : "MIN");
export const boundKind = (t, i) => (t.flag[i] & LOWER ? "≥" : t.flag[i] & UPPER ? "≤" : "");
export const isProbe = (t, i) => t.moves[t.move[i]][2];
export const ownName = (t, i) => t.moves[t.move[i]][0];
export const moveName = (t, i) => ownName(t, i) + (isProbe(t, i) ? "?" : "");

// A search made of passes over one node: they are its children, and stand for the same position.
export const isDriver = (t, i) => (t.flag[i] & DRIVER) !== 0;
export const isPass = (t, i) => i > 0 && isDriver(t, t.parent[i]);

// A null window asks whether the value is more than its lower end or at least its upper one; the
// other end is no number of the search, but lies next to that.
const asks = (t, i) => t.asking && t.asks[`${t.alpha[i]} ${t.beta[i]}`];

export function question(t, i) {
  const sign = asks(t, i);
  if (!sign) return "";
  return sign === ">" ? `more than ${t.texts[t.alpha[i]]}` : `at least ${t.texts[t.beta[i]]}`;
}

// The same with a sign, as `> 3`.
export const shortQuestion = (t, i) => question(t, i).replace("more than", ">").replace("at least", "≥");

// A window at i as texts: `>3` or `<3` is an end that only lies next to a number.
export function endsOf(t, i, [alpha, beta]) {
  const sign = asks(t, i);
  const low = sign === "≥" && alpha === t.alpha[i] ? `<${t.texts[t.beta[i]]}` : t.texts[alpha];
  const high = sign === ">" && beta === t.beta[i] ? `>${t.texts[t.alpha[i]]}` : t.texts[beta];
  return [low, high];
}

export const kindOf = (t, i) =>
  isDriver(t, i) ? "driver" : isCut(t, i) ? "cut" : isFinished(t, i) ? "finished"
    : isTable(t, i) ? "table" : isLeaf(t, i) ? "leaf" : "inner";

export function pathTo(t, i) {
  const path = [];
  for (; i >= 0; i = t.parent[i]) path.unshift(i);
  return path;
}

function childrenOf(t, i) {
  const children = [];
  for (let c = i + 1; c < i + t.size[i]; c += t.size[c]) children.push(c);
  return children;
}

// The numbers of a position, as `position` in the packed trace says what they are.
export function cellsOf(t, i) {
  const count = t.cells.length / t.n;
  const found = new Array(count).fill(0);
  for (; i >= 0; i = t.parent[i])
    for (let c = 0; c < count; c++) found[c] += t.cells[i * count + c];
  return found;
}

// The visits of a position that has been visited at `nodes`; passes are visits of the same one.
const visitsOf = (t, nodes) => nodes.flatMap((i) => (isDriver(t, i) ? childrenOf(t, i) : [i]));

// The children of some visits of a position, by move: a probe and the search after it together.
function byMove(t, nodes) {
  const found = new Map();
  for (const c of nodes.flatMap((i) => childrenOf(t, i)))
    found.set(ownName(t, c), [...(found.get(ownName(t, c)) ?? []), c]);
  return found;
}

// The last visit of the position that the same moves lead to in another trace, as far as they
// go there.
export function sameIn(other, t, i) {
  let found = visitsOf(other, [0]);
  for (const step of pathTo(t, i).slice(1)) {
    if (isPass(t, step)) continue;
    const next = byMove(other, found).get(ownName(t, step));
    if (!next) break;
    found = next;
  }
  return i ? found.at(-1) : 0;
}

// Which nodes of `t` stand for positions that the other search visited as well, as a byte a node.
export function alsoIn(other, t) {
  const also = new Uint8Array(t.n);
  const pairs = [[0, visitsOf(other, [0])]];
  for (let pair; (pair = pairs.pop()); ) {
    const [i, theirs] = pair;
    also[i] = 1;
    const next = isDriver(t, i) ? null : byMove(other, theirs);
    for (const c of childrenOf(t, i)) {
      const twins = next ? next.get(ownName(t, c)) : theirs;
      if (twins) pairs.push([c, twins]);
    }
  }
  return also;
}
