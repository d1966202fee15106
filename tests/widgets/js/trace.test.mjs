// A packed trace is unpacked whole or refused, and two searches are compared by their positions.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  alsoIn,
  enterOf,
  leaveOf,
  nodeAt,
  sameIn,
  unpack,
} from "../../../kalahlab/widgets/explorer/trace.js";
import { OTHERS, packedOf, pathOf, SEARCHES, unpackSearch } from "./searches.mjs";

test("the tree is the one that was packed, and each event belongs to one node", async () => {
  for (const search of [...SEARCHES, ...OTHERS]) {
    const t = await unpackSearch(search);
    const events = new Map();
    for (let i = 0; i < t.n; i++) {
      assert.equal(t.parent[i], search.nodes[i].parent ?? -1);
      events.set(enterOf(t, i), i).set(leaveOf(t, i), i);
    }
    assert.equal(events.size, t.steps);
    for (const [k, i] of events) assert.equal(nodeAt(t, k), i);
  }
});

test("a truncated or damaged trace is refused", async () => {
  const whole = packedOf(SEARCHES[0]);
  const { buffer, byteLength } = whole.data;
  const broken = [
    { data: new DataView(buffer, 0, 20) },
    { data: new DataView(buffer, 0, byteLength - 9) },
    { data: new DataView(new ArrayBuffer(0)) },
    { columns: whole.columns.map(([name, type, count]) => [name, type, count + 9]) },
  ];
  for (const change of broken)
    await assert.rejects(unpack({ ...whole, ...change }), /cut short|damaged/);
});

// Pairs of searches of the same position, both ways round.
const POSITIONS = Map.groupBy(SEARCHES, (search) => search.position);
const PAIRS = [...POSITIONS.values()].flatMap(([first, ...others]) =>
  others.flatMap((other) => [
    [first, other],
    [other, first],
  ]),
);

test("a position is found in another search, or its nearest ancestor there", async () => {
  let missing = 0;
  for (const [one, other] of PAIRS) {
    const [t, theirs] = await Promise.all([unpackSearch(one), unpackSearch(other)]);
    const known = new Set(Array.from({ length: theirs.n }, (_, i) => pathOf(other, i).join()));
    const also = alsoIn(theirs, t);
    for (let i = 0; i < t.n; i++) {
      const path = pathOf(one, i);
      const where = `${path} of ${one.name} in that by ${other.algorithm}`;
      assert.equal(Boolean(also[i]), known.has(path.join()), where);
      missing += 1 - also[i];
      while (!known.has(path.join())) path.pop();
      assert.deepEqual(pathOf(other, sameIn(theirs, t, i)), path, where);
    }
  }
  assert.ok(missing > 0);
});
