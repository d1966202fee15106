// The part of the address after #: game, position, search, step, whether the whole tree is shown,
// and projector mode. Python parses the search; this module only compares it with the one that is shown. In a
// frame of a report, the part after ? of the report's address is used, as # names the figure.

/** @import { Figure, LinksHost } from "./types.js" */

import { makeAddress } from "../shared/address.js";

const PROJECTOR = "projector";
const SOON = "It is shown here as soon as Python has started.";
const NEVER = "This page has no Python to run it.";

// Returns the figure whose frame contains this page, and the address of the page around it.
/** @returns {Figure | null} */
export function figureAround() {
  const figure = window.frameElement?.closest("figure[id]");
  return figure ? { id: figure.id, location: parent.location } : null;
}

/** @type {(text: string) => { step: string | null, whole: boolean, projecting: boolean, search: string }} */
function parseHash(text) {
  const parts = new URLSearchParams(text);
  const step = parts.get("step");
  const whole = parts.get("tree") === "whole";
  parts.delete("step");
  if (whole) parts.delete("tree");
  const projecting = parts.has(PROJECTOR);
  parts.delete(PROJECTOR);
  return { step, whole, projecting, search: String(parts) };
}

/** @type {(search: string) => boolean} */
const isSearch = (search) => /(^|&)game=/.test(search);

/** @type {(figure: Figure | null, on: boolean) => string} */
function hashOf(figure, on) {
  if (figure)
    return figure.location.hash === `#${figure.id}` ? figure.location.search.slice(1) : "";
  const other = /^#(play=|widget-)/.test(location.hash); // a board's game, or a place on the page
  return on && !other ? location.hash.slice(1) : "";
}

// on: whether the address belongs to this explorer. It does not in Jupyter, in a frame, or for a
// second explorer of a page.
/** @param {{ get(name: string): any }} model @param {boolean} on @param {LinksHost} host @param {Figure | null} figure */
export function makeLinks(model, on, host, figure = null) {
  const first = model.get("link"); // in its figure, the address omits this search
  let other = ""; // a search that the address requests and that is not shown

  const currentSearch = () => String(new URLSearchParams(model.get("link")));
  /** @type {(text: string) => void} */
  const say = (text) => host.complain(text);

  // Shows the search and the step of the address, if it has any.
  async function follow() {
    const text = hashOf(figure, on);
    const { step, whole, projecting, search } = parseHash(text);
    other = search && search !== currentSearch() ? search : "";
    if (other && !(await requestSearch(text))) return;
    if (whole) host.showWhole(true);
    if (projecting) host.project(true, false); // no browser lets an address take the whole screen
    if (step !== null) goTo(host, step);
  }

  // Requests the search of the address, and returns whether that succeeded.
  /** @type {(text: string) => Promise<unknown>} */
  async function requestSearch(text) {
    const search = other;
    if (!isSearch(search)) {
      other = "";
      return say(`This link cannot be read: #${text.slice(0, 79)}`);
    }
    if (!host.live) {
      const asleep = model.get("live") === "asleep"; // the page starts Python for this element
      host.root.toggleAttribute("data-wanted", asleep);
      return say(`This link asks for another search. ${asleep ? SOON : NEVER}`);
    }
    say("");
    const answer = await host.ask({ link: search });
    other = "";
    return answer && !answer.error;
  }

  /** @type {(k: number) => string} */
  function query(k) {
    const link = model.get("link");
    const whole = model.get("ahead") ? "tree=whole" : "";
    const projecting = host.state.projecting ? PROJECTOR : "";
    const search = figure && link === first ? "" : link;
    return [search, whole, projecting, `step=${k}`].filter(Boolean).join("&");
  }

  const { write, end } = makeAddress(on, follow);
  return {
    follow,
    end,
    /** @type {(k: number) => void} */
    write: (k) => other || write(`#${query(k)}`),
    // Returns the whole address of a step; "" if it has none.
    /** @type {(k: number) => string} */
    address(k) {
      if (figure) return `${figure.location.href.split(/[?#]/)[0]}?${query(k)}#${figure.id}`;
      return on ? `${location.href.split("#")[0]}#${query(k)}` : "";
    },
    // Returns whether the address requests a search that is not shown.
    wanted() {
      const { search } = parseHash(hashOf(figure, on));
      return search !== currentSearch() && isSearch(search);
    },
  };
}

/** @type {(host: LinksHost, step: string) => void} */
function goTo({ complain, go, state }, step) {
  const [k, short] = [/^\d+$/.test(step) ? Number(step) : -1, step.slice(0, 20)];
  let message = "";
  if (k > state.last)
    message = `This search has ${state.last} steps. The link asks for step ${short}.`;
  if (k < 0) message = `This link is damaged: its step is “${short}”, not a number.`;
  else go(k);
  if (message) complain(message);
}
