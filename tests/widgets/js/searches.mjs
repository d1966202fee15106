// The searches that Python recorded for these tests (`test_javascript.py` says what is in them).

import { readFileSync } from "node:fs";
import { unpack, unpackCells } from "../../../kalahlab/widgets/explorer/trace.js";

const ALL = JSON.parse(readFileSync(process.env.SEARCHES, "utf8"));
// By the algorithms of the package, and by others, which need be no alpha-beta and not be right.
export const SEARCHES = ALL.filter(({ other }) => !other);
export const OTHERS = ALL.filter(({ other }) => other);
for (const search of ALL) {
  search.texts = new Map(search.numbers.map(([value, text]) => [value, text]));
  search.brief = new Map(search.numbers.map(([value, , brief]) => [value, brief]));
}

/** @param {string} base64 */
const viewOf = (base64) => {
  const bytes = Uint8Array.from(Buffer.from(base64, "base64"));
  return new DataView(bytes.buffer);
};

// What Jupyter gives the view: bytes as a `DataView`.
export const given = ({ packed }) => ({
  ...packed,
  data: viewOf(packed.data.base64),
  positions: { ...packed.positions, data: viewOf(packed.positions.data.base64) },
});

export async function opened(search) {
  const t = await unpack(given(search));
  await unpackCells(t);
  return t;
}

// The moves to a node, as Python names them; passes and probes of a move are visits of one position.
export function pathOf({ nodes }, i) {
  const path = [];
  for (let at = i; at > 0; at = nodes[at].parent)
    if (nodes[nodes[at].parent].kind !== "driver") path.unshift(nodes[at].name);
  return path;
}
