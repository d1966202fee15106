// The button “More”. Controls that few readers need, the timeline and the legend are hidden until it
// is pressed; the browser remembers that for the next page.

import { button, kept, set } from "./dom.js";

const OPENED = "kalahlab more";

// Makes the button; the elements that it shows have the class kx-extra.
/** @type {(root: HTMLElement) => HTMLButtonElement} */
export function makeMore(root) {
  const attributes = { class: "kx-more", title: "More controls, the timeline and the legend" };
  const more = button("More", () => open(!root.classList.contains("more")), attributes);
  /** @type {(on: boolean) => void} */
  const show = (on) => {
    root.classList.toggle("more", on);
    set(more, { "aria-expanded": String(on) });
  };
  /** @type {(on: boolean) => void} */
  function open(on) {
    show(on);
    kept(OPENED, on ? "yes" : "no");
  }
  show(kept(OPENED) === "yes");
  return more;
}
