// The searches that Python recorded for these tests (see `test_javascript.py`).

import { readFileSync } from "node:fs";
import { unpack, unpackCells } from "../../../kalahlab/widgets/explorer/trace.js";

const ALL = JSON.parse(readFileSync(process.env.SEARCHES, "utf8"));
// Searches by the algorithms of the package, and by others, which may be wrong or no alpha-beta.
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

// Returns a packed search as the view gets it from Jupyter: bytes as a `DataView`.
export const packedOf = ({ packed }) => ({
  ...packed,
  data: viewOf(packed.data.base64),
  reasons: packed.reasons && viewOf(packed.reasons.base64),
  positions: { ...packed.positions, data: viewOf(packed.positions.data.base64) },
});

export async function unpackSearch(search) {
  const t = await unpack(packedOf(search));
  await unpackCells(t);
  return t;
}

// Returns the moves to a node; passes and probes visit the same position.
export function pathOf({ nodes }, i) {
  const path = [];
  for (let id = i; id > 0; id = nodes[id].parent)
    if (nodes[nodes[id].parent].kind !== "driver") path.unshift(nodes[id].name);
  return path;
}
