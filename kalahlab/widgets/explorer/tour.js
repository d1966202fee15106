// A tour of the explorer in two minutes. It is offered at the first visit.

/** @import { Act, State } from "./types.js" */

import { button, h, kept } from "../shared/dom.js";
import { endCrossing } from "./cross_out.js";
import { endQuiz } from "./quiz.js";
import { goTo, goToCut } from "./state.js";

/** @typedef {[where: string, text: string, act?: ((act: Act) => void) | null, needed?: string]} Stop */

const SEEN = "kalahlab explorer tour";

// Each stop: the element it points at, its text, the action on the clock, and the element that has
// to be visible (by default the one it points at).
/** @type {Stop[]} */
const STOPS = [
  [
    ".kx-stage",
    "This is the tree of a search. It grows as the search visits it. Grey nodes are not visited yet. " +
      "At a node that points up, MAX moves. At a node that points down, MIN moves.",
    (act) => act(goTo, 0),
  ],
  [
    ".kx-step",
    "“Step” shows the next event of the search. A node is entered, or it is left with a value.",
    (act) => act(goTo, 3),
  ],
  [
    ".kx-cut",
    "“Next cut” goes to the next cut. There the search leaves out moves. They cannot change the result.",
    (act) => act((state) => goToCut(goTo(state, 0), 1)),
  ],
  [
    ".kx-say",
    "Here is the reason for this cut. An underlined name leads to its node.",
    null,
    ".kx-cut",
  ],
  [
    ".kx-ladder",
    "This is the window. MAX already has α. MIN already has β. " +
      "A value outside of the window cannot change the result.",
  ],
  [
    ".kx-strip-box",
    "This is the whole search, from left to right. There is one row for each ply. " +
      "Click it to go to that step.",
  ],
  [
    ".kx-speed",
    "“Play” goes on by itself. Choose the speed here: by steps, from cut to cut, or all in 10 seconds.",
  ],
  [".kx-ask", "“Quiz” asks you what happens next."],
  [
    ".kx-crossing",
    "“Cross out” shows the values of all leaves. You say which branches alpha-beta will not visit.",
  ],
  [
    ".kx-form",
    "Here you change the search: the position, the algorithm, the order of the moves, the depth.",
  ],
  [".kx-save", "Here you save the picture, the table or this page. You find the tour here, too."],
];

// The tour ends a quiz and the crossing out of branches.
/** @type {(root: HTMLElement, host: { state: State, act: Act }) => { offer: HTMLElement, card: HTMLElement, again: HTMLElement }} */
export function makeTour(root, host) {
  /** @type {Stop[]} */
  let stops = [];
  let index = 0;
  let before = 0; // the step to return to
  let wasOpen = false; // whether all controls were shown
  const text = h("p", { "aria-live": "polite" });
  const count = h("span");
  const back = button("Go back", () => go(index - 1));
  const next = button("Go on", () => (index + 1 < stops.length ? go(index + 1) : end()), {
    class: "primary",
  });
  const buttons = h("div.kx-controls", next, back, button("End the tour", end), count);
  const card = h(
    "div.kx-tour",
    { role: "dialog", "aria-label": "Tour", hidden: true },
    text,
    buttons,
  );
  card.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    event.stopPropagation(); // or the clock would react to them
    if (event.key === "Escape") end();
  });

  const offer = makeOffer(start);

  function start() {
    remember(offer);
    host.act((state) => endQuiz(endCrossing(state)));
    before = host.state.k;
    wasOpen = root.classList.contains("more");
    root.classList.add("more"); // it points at all controls
    stops = STOPS.filter(([where, , , needed = where]) =>
      root.querySelector(needed)?.checkVisibility(),
    );
    card.hidden = false;
    go(0);
    next.focus();
  }

  /** @type {(to: number) => void} */
  function go(to) {
    index = to;
    const [where, words, act] = stops[index];
    act?.(host.act);
    text.textContent = words;
    count.textContent = `${index + 1} of ${stops.length}`;
    back.disabled = index === 0;
    next.textContent = index + 1 < stops.length ? "Go on" : "Done";
    point(root, where);
  }

  function end() {
    card.hidden = true;
    point(root, null);
    host.act(goTo, before);
    root.classList.toggle("more", wasOpen);
    const next = wasOpen ? again : root.querySelector(".kx-step");
    /** @type {HTMLElement} */ (next).focus();
  }

  const again = button("Tour", start);
  return { offer, card, again };
}

/** @type {(start: () => void) => HTMLElement} */
function makeOffer(start) {
  const offer = h(
    "p.kx-offer",
    { hidden: kept(SEEN) !== null },
    "First visit? ",
    button("Tour of two minutes", start),
    button("No, thank you", () => remember(offer)),
  );
  return offer;
}

/** @type {(root: HTMLElement, where: string | null) => void} */
function point(root, where) {
  root.querySelector(".pointed")?.classList.remove("pointed");
  const target = where === null ? null : root.querySelector(where);
  target?.classList.add("pointed");
  target?.scrollIntoView({ block: "nearest" });
}

/** @type {(offer: HTMLElement) => void} */
function remember(offer) {
  offer.hidden = true;
  kept(SEEN, "yes");
}
