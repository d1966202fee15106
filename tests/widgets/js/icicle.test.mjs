// The icicle shows the full tree: shares of its nodes, what is visited and cut so far, and no more.

import assert from "node:assert/strict";
import { test } from "node:test";
import { countCuts, phase, WAITING } from "../../../kalahlab/widgets/explorer/at_step.js";
import { binsOf, ghostShares, keyAt, sharesOf } from "../../../kalahlab/widgets/explorer/icicle.js";
import { childrenOf, ghostsOf, isLeaf } from "../../../kalahlab/widgets/explorer/trace.js";
import { SEARCHES, unpackSearch } from "./searches.mjs";

const near = (one, two) => assert.ok(Math.abs(one - two) < 1e-9, `${one} is not ${two}`);
const some = SEARCHES.filter((_, index) => index % 3 === 0);

test("bars are as wide as their share of the full tree, and tile the bar of their parent", async () => {
  let counted = 0;
  for (const search of some) {
    const t = await unpackSearch(search);
    const shares = sharesOf(t);
    if (search.addsUp) assert.equal(shares.size[0], search.full);
    counted += search.addsUp ? 1 : 0;
    for (let i = 0; i < t.n; i++) {
      const below = childrenOf(t, i).map((c) => [shares.left[c], shares.width[c], shares.size[c]]);
      ghostShares(t, shares, i).forEach(({ left, width }, place) =>
        below.push([left, width, Math.max(1, ghostsOf(t, i)[place].cost)]),
      );
      let next = shares.left[i];
      for (const [left, width, size] of below) {
        near(left, next);
        near(width / shares.width[i], size / (shares.size[i] - 1));
        next += width;
      }
      if (below.length) near(next, shares.left[i] + shares.width[i]);
    }
  }
  assert.ok(counted > 10);
});

test("no pixel has more than one bar, and the future is not drawn", async () => {
  for (const search of some) {
    const t = await unpackSearch(search);
    const shares = sharesOf(t);
    for (const k of [0, 1, t.steps >> 1, t.steps]) {
      const bins = binsOf(t, shares, k, 50);
      const [max, min, leaf, cut] = bins;
      for (let row = 0; row <= t.plies; row++)
        for (let x = 0; x < 50; x++)
          assert.ok(max[row][x] + min[row][x] + leaf[row][x] + cut[row][x] < 1 + 1e-4);
      assert.equal(
        cut.some((row) => row.some((share) => share > 0)),
        countCuts(t, k) > 0,
      );
      assert.equal(max[0][0] + min[0][0] + leaf[0][0] > 0, k > 0);
    }
  }
});

test("a place leads to the node or the cut move that is drawn there", async () => {
  for (const search of some) {
    const t = await unpackSearch(search);
    const shares = sharesOf(t);
    for (const k of [1, t.steps >> 1, t.steps])
      for (let i = 0; i < t.n; i++) {
        const middle = shares.left[i] + shares.width[i] / 2;
        let seen = i;
        while (seen && phase(t, seen, k) === WAITING) seen = t.parent[seen];
        assert.equal(keyAt(t, shares, k, t.ply[i], middle), seen);
        if (k < t.steps || isLeaf(t, i)) continue;
        ghostShares(t, shares, i).forEach(({ left, width }, place) =>
          assert.equal(keyAt(t, shares, k, t.ply[i] + 1, left + width / 2), `${i}/${place}`),
        );
      }
    assert.equal(keyAt(t, shares, 0, 1, 0.5), null);
  }
});
