// The searches that grew a tree, as Python recorded them for these tests (see `test_javascript.py`).

import { readFileSync } from "node:fs";
import { gunzip, unpackCells } from "../../../kalahlab/widgets/explorer/trace.js";
import { unpackGrowth } from "../../../kalahlab/widgets/growth/trace.js";

export const GROWTHS = JSON.parse(readFileSync(process.env.GROWTHS, "utf8"));

/** @param {{ base64: string }} packed */
const viewOf = ({ base64 }) => {
  const bytes = Uint8Array.from(Buffer.from(base64, "base64"));
  return new DataView(bytes.buffer);
};

// Returns a search as the view has it, with its positions and reasons.
export async function unpackAll({ packed }) {
  const positions = { ...packed.positions, data: viewOf(packed.positions.data) };
  const t = await unpackGrowth({ ...packed, data: viewOf(packed.data), positions });
  await unpackCells(t);
  const reasons = JSON.parse(new TextDecoder().decode(await gunzip(viewOf(packed.reasons))));
  reasons.forEach((parts, place) => t.reasons.set(place + 1, parts));
  return t;
}
