// The part of the address after #: the game as text, its lines joined by ";", and the move that is
// shown. Only Python reads the game.

const WAIT = 250; // milliseconds after the last move until the address follows
const DAMAGED = "This link is damaged: its game cannot be read.";

/** @param {string} text */
const packed = (text) =>
  text
    .split("\n")
    .filter((line) => line && !line.startsWith("result:"))
    .join(";");

// on: whether the address is the board's own. own(): the text of the game that is shown. `load(text,
// place)` sets another one up, `go(place)` shows a place of this one, `complain(text)` says what is wrong.
/**
 * @typedef {{ own(): string, load(text: string, place: number | null): unknown,
 *   go(place: number): unknown, complain(text: string): unknown }} Host
 */
/** @param {boolean} on @param {Host} host */
export function makeGameLink(on, host) {
  let waiting = 0;

  function follow() {
    if (!on || !location.hash.startsWith("#play=")) return;
    const found = /^#play=([^&]*)(?:&step=(\d+))?$/.exec(location.hash);
    try {
      const game = decodeURIComponent(/** @type {RegExpExecArray} */ (found)[1]);
      const place = found?.[2] === undefined ? null : Number(found[2]);
      if (game !== packed(host.own())) host.load(game.replaceAll(";", "\n"), place);
      else if (place !== null) host.go(place);
    } catch {
      host.complain(DAMAGED);
    }
  }

  /** @param {string} text @param {number} place */
  function write(text, place) {
    if (!on) return;
    clearTimeout(waiting);
    const game = encodeURIComponent(packed(text)).replace(/%(3A|2C|3B)/g, decodeURIComponent);
    waiting = setTimeout(() => history.replaceState(null, "", `#play=${game}&step=${place}`), WAIT);
  }

  if (on) addEventListener("hashchange", follow);
  const end = () => {
    clearTimeout(waiting);
    removeEventListener("hashchange", follow);
  };
  return { follow, write, end };
}
