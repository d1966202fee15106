// What the panes of all explorers of searches share: the controls and the watch of a stage, which
// is the place where a tree is drawn.

/** @import { Camera } from "../explorer/camera.js" */

import { button, h } from "./dom.js";

// Makes the controls of the view: the choice of what is shown, and those of the camera.
/** @type {(show: HTMLElement, camera: () => Camera) => HTMLElement} */
export function makeViewControls(show, camera) {
  const zoomIn = { class: "kx-extra", "aria-label": "Zoom in", title: "Zoom in (+)" };
  const zoomOut = { class: "kx-extra", "aria-label": "Zoom out", title: "Zoom out (−)" };
  return h(
    "div.kx-view",
    { role: "group", "aria-label": "View" },
    h("span.kx-extra", show),
    button("+", () => camera().zoom(1.25), zoomIn),
    button("−", () => camera().zoom(0.8), zoomOut),
    button("Fit", () => camera().refit(), { title: "Fit (F)" }),
  );
}

// Shows on the stage when the tree has the focus, and calls `resized` when the stage is resized.
/** @type {(stage: HTMLElement, tree: SVGElement, resized: () => void) => ResizeObserver} */
export function watchStage(stage, tree, resized) {
  const focused = () => stage.classList.toggle("focused", tree.matches(":focus-visible"));
  tree.addEventListener("focus", focused);
  tree.addEventListener("blur", focused);
  const watch = new ResizeObserver(resized);
  watch.observe(stage);
  return watch;
}
