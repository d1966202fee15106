// The part of the address after #: the game as text, its lines joined by ";", and the step that is
// shown. Only Python parses the game.

import { makeAddress } from "../shared/address.js";

const DAMAGED = "This link is damaged: its game cannot be read.";

/** @param {string} text */
const joinLines = (text) =>
  text
    .split("\n")
    .filter((line) => line && !line.startsWith("result:"))
    .join(";");

// on: whether the address belongs to this board. text(): the text of the game that is shown.
// load(text, place) loads another game, go(place) shows a step of this one, complain(text) reports
// an error.
/**
 * @typedef {{ text(): string, load(text: string, place: number | null): unknown,
 *   go(place: number): unknown, complain(text: string): unknown }} Host
 */
/** @param {boolean} on @param {Host} host */
export function makeGameLink(on, host) {
  function follow() {
    if (!on || !location.hash.startsWith("#play=")) return;
    const match = /^#play=([^&]*)(?:&step=(\d+))?$/.exec(location.hash);
    try {
      const game = decodeURIComponent(/** @type {RegExpExecArray} */ (match)[1]);
      const place = match?.[2] === undefined ? null : Number(match[2]);
      if (game !== joinLines(host.text())) host.load(game.replaceAll(";", "\n"), place);
      else if (place !== null) host.go(place);
    } catch {
      host.complain(DAMAGED);
    }
  }

  const { write, end } = makeAddress(on, follow);
  return {
    follow,
    end,
    /** @type {(text: string, place: number) => void} */
    write(text, place) {
      const game = encodeURIComponent(joinLines(text)).replace(/%(3A|2C|3B)/g, decodeURIComponent);
      write(`#play=${game}&step=${place}`);
    },
  };
}
