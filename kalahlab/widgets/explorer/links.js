// The part of the address after #: game, position, search, step, and whether the whole tree is shown.
// Python reads what is asked for there; this only tells the search that is shown from another one. In
// a frame of a report it is the report's address, and the part after ?, as # names the figure.

/** @import { Figure, LinksHost } from "./types.js" */

const SOON = "It is shown here as soon as Python has started.";
const NEVER = "This page has no Python to run it.";
const WAIT = 250; // milliseconds after the last step until the address follows

// The figure that a page is shown in by a frame, and the address of the page around it.
/** @returns {Figure | null} */
export function figureAround() {
  const figure = window.frameElement?.closest("figure[id]");
  return figure ? { id: figure.id, location: parent.location } : null;
}

/** @type {(text: string) => { step: string | null, whole: boolean, search: string }} */
function parsed(text) {
  const parts = new URLSearchParams(text);
  const step = parts.get("step");
  const whole = parts.get("tree") === "whole";
  parts.delete("step");
  if (whole) parts.delete("tree");
  return { step, whole, search: String(parts) };
}

/** @type {(figure: Figure | null, on: boolean) => string} */
function hashOf(figure, on) {
  if (figure)
    return figure.location.hash === `#${figure.id}` ? figure.location.search.slice(1) : "";
  return on && !location.hash.startsWith("#play=") ? location.hash.slice(1) : ""; // a board's game
}

// host: go(k), showWhole(on), last(), ask(request), live(), wait(), complain({ message }). `on` is false
// where the address is not the explorer's own: in Jupyter, in a frame, and for a second explorer of a
// page. wait(): another search is wanted, and Python sleeps; whether it can be waked.
/** @param {{ get(name: string): any }} model @param {boolean} on @param {LinksHost} host @param {Figure | null} figure */
export function makeLinks(model, on, host, figure = null) {
  const first = model.get("link"); // in its figure, this goes without saying
  let waiting = 0;
  let other = ""; // a search that the address asks for and that is not shown

  const own = () => String(new URLSearchParams(model.get("link")));
  /** @type {(message: string) => void} */
  const say = (message) => host.complain({ message });

  const text = () => hashOf(figure, on);
  const read = () => parsed(text());

  // Goes where the address says, if it says anything.
  async function follow() {
    const { step, whole, search } = read();
    other = search && search !== own() ? search : "";
    if (other && !(await found())) return;
    if (whole) host.showWhole(true);
    if (step !== null) goTo(step);
  }

  // Whether Python could search what the address asks for.
  async function found() {
    if (!/(^|&)game=/.test(other)) {
      say(`This link is not understood: #${text().slice(0, 79)}`);
      other = "";
      return false;
    }
    if (!host.live()) {
      say(`This link asks for another search. ${host.wait() ? SOON : NEVER}`);
      return false;
    }
    say("");
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
    waiting = setTimeout(() => history.replaceState(null, "", `#${query(k)}`), WAIT);
  }

  /** @type {(k: number) => string} */
  function query(k) {
    const link = model.get("link");
    const whole = model.get("ahead") ? "tree=whole" : "";
    return [figure && link === first ? "" : link, whole, `step=${k}`].filter(Boolean).join("&");
  }

  // The whole address of what is shown; "" where it has none.
  /** @type {(k: number) => string} */
  function address(k) {
    if (figure) return `${figure.location.href.split(/[?#]/)[0]}?${query(k)}#${figure.id}`;
    return on ? `${location.href.split("#")[0]}#${query(k)}` : "";
  }

  // Whether the address asks for a search that is not shown.
  function wanted() {
    const { search } = read();
    return search !== own() && /(^|&)game=/.test(search);
  }

  if (on) addEventListener("hashchange", follow);
  const end = () => {
    clearTimeout(waiting);
    removeEventListener("hashchange", follow);
  };
  return { follow, write, address, wanted, end };
}
