// A tidy tree: nothing overlaps, moves are in their order, parents are centred over their children.

import assert from "node:assert/strict";
import { test } from "node:test";
import { layOut, visibleTree } from "../../../kalahlab/widgets/explorer/layout.js";
import { HALF, LEAF } from "../../../kalahlab/widgets/shared/metrics.js";
import { SEARCHES, unpackSearch } from "./searches.mjs";

const grown = (item) => item.kids.length > 0;

// Returns whether two items with their labels are far enough from each other.
function apart(one, two, across, least) {
  const half = HALF[across ? "across" : "down"];
  const [from, level] = across ? ["y", "x"] : ["x", "y"];
  if (Math.abs(one[level] - two[level]) >= 2 * LEAF.h) return true;
  const [left, right] = one[from] < two[from] ? [one, two] : [two, one];
  const halfOf = (item) => Math.max(half[item.leafy ? "leaf" : "node"], item.window);
  const room = halfOf(left) + Math.max(halfOf(right), right.name); // a name is on the left
  return one.up === two.up && one.up?.column
    ? one.y !== two.y
    : Math.abs(one[from] - two[from]) >= room + least;
}

for (const across of [false, true])
  test(`trees that grow ${across ? "across" : "down"} are tidy`, async () => {
    for (const search of SEARCHES) {
      const t = await unpackSearch(search);
      const { items, box, at } = layOut(
        visibleTree(t, () => true, across),
        t,
        across,
      );
      assert.equal(at.size, search.nodes.length);
      // Where no two siblings are open, columns stand on one axis instead, as a test below has it.
      const spine = across && items.every(({ kids }) => kids.filter(grown).length < 2);
      const place = across ? "y" : "x";
      items.forEach((item, n) => {
        for (const other of items.slice(n + 1))
          assert.ok(apart(item, other, across, spine ? 0 : 1), search.name);
        assert.ok(item.x > box.l && item.x < box.r && item.y > box.t && item.y < box.b);
        const places = item.kids.map((kid) => (item.column ? kid.y : kid[place]));
        assert.deepEqual(
          places,
          places.toSorted((a, b) => a - b),
        );
        if (!places.length || item.column || spine) return;
        const middle = (places[0] + places.at(-1)) / 2;
        assert.ok(Math.abs(middle - item[place]) < 1e-6, `${item.key} of ${search.name}`);
      });
    }
  });

// Mirrors a tree: the order of all children is reversed.
function mirrored(item) {
  item.kids.reverse().forEach(mirrored);
  return item;
}

test("the layout of a mirrored tree is the mirrored layout", async () => {
  for (const search of SEARCHES) {
    const t = await unpackSearch(search);
    const [plain, turned] = [(root) => root, mirrored].map((turn) =>
      layOut(turn(visibleTree(t, () => true, true)), t, true),
    );
    for (const { key, x, y } of plain.items) {
      const other = turned.at.get(key);
      assert.equal(other.x, x);
      assert.ok(Math.abs(other.y + y) < 1e-6, `${key} of ${search.name}`);
    }
  }
});

test("a closed node hides the nodes below it, and knows their number", async () => {
  const t = await unpackSearch(SEARCHES[0]);
  const root = visibleTree(t, (id) => id === 0, false);
  assert.ok(root.kids.length > 0);
  for (const kid of root.kids) {
    assert.deepEqual(kid.kids, []);
    if (!kid.ghost) assert.equal(kid.hidden, t.size[kid.id] - 1);
  }
});

test("if one branch is open, the columns of a large tree are on one axis", async () => {
  const t = await unpackSearch(SEARCHES[0]);
  const open = new Set([0, 1]);
  const { items } = layOut(
    visibleTree(t, (id) => open.has(id), true),
    t,
    true,
  );
  const columns = Map.groupBy(items, (item) => item.level);
  for (const column of columns.values()) {
    const places = column.map((item) => item.y);
    const axis = (Math.min(...places) + Math.max(...places)) / 2;
    assert.ok(Math.abs(axis) < 20, `${axis}`);
  }
});
