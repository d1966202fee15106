// The part of the address after #: game, position, search, step, and whether the whole tree is shown. Python reads what is asked for
// there; this only tells the search that is shown from another one.

/** @import { LinksHost } from "./types.js" */

const WAIT = 250; // milliseconds after the last step until the address follows

// host: go(k), showWhole(on), last(), ask(request), live(), complain({ message }). `on` is false where the address
// is not the explorer's own: in Jupyter, in a frame, and for a second explorer of a page.
/** @param {{ get(name: string): any }} model @param {boolean} on @param {LinksHost} host */
export function makeLinks(model, on, host) {
  let waiting = 0;
  let other = ""; // a search that the address asks for and that is not shown

  const own = () => String(new URLSearchParams(model.get("link")));
  /** @type {(message: string) => void} */
  const say = (message) => host.complain({ message });

  function read() {
    if (location.hash.startsWith("#play=")) return { step: null, search: "" }; // a board's game
    const parts = new URLSearchParams(location.hash.slice(1));
    const step = parts.get("step");
    const whole = parts.get("tree") === "whole";
    parts.delete("step");
    if (whole) parts.delete("tree");
    return { step, whole, search: String(parts) };
  }

  // Goes where the address says, if it says anything.
  async function follow() {
    const { step, whole, search } = on ? read() : { step: null, whole: false, search: "" };
    other = search && search !== own() ? search : "";
    if (other && !(await found())) return;
    if (whole) host.showWhole(true);
    if (step !== null) goTo(step);
  }

  // Whether Python could search what the address asks for.
  async function found() {
    if (!/(^|&)game=/.test(other)) {
      say(`This link is not understood: ${location.hash.slice(0, 80)}`);
      other = "";
      return false;
    }
    if (!host.live()) {
      say(
        "This link asks for another search. Press “Start Python in this page” to run it. " +
          "A page without that button cannot run it.",
      );
      return false;
    }
    const answer = await host.ask({ link: other });
    other = "";
    return answer && !answer.error;
  }

  /** @type {(step: string) => void} */
  function goTo(step) {
    const k = /^\d+$/.test(step) ? Number(step) : -1;
    if (k < 0) say(`This link is damaged: its step is “${step.slice(0, 20)}”, not a number.`);
    else host.go(k);
    if (k > host.last())
      say(`This search has ${host.last()} steps. The link asks for step ${step.slice(0, 20)}.`);
  }

  /** @type {(k: number) => void} */
  function write(k) {
    if (!on || other) return;
    clearTimeout(waiting);
    const whole = () => (model.get("ahead") ? "tree=whole" : "");
    const address = () => [model.get("link"), whole(), `step=${k}`].filter(Boolean).join("&");
    waiting = setTimeout(() => history.replaceState(null, "", `#${address()}`), WAIT);
  }

  if (on) addEventListener("hashchange", follow);
  const end = () => {
    clearTimeout(waiting);
    removeEventListener("hashchange", follow);
  };
  return { follow, write, end };
}
