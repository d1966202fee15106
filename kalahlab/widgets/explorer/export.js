// Export: the picture as SVG and PNG, the table as CSV, the page itself.

import { button, h, s, set } from "../shared/dom.js";

/** @import { Picture, Pictured, SavingHost } from "./types.js" */

const STYLES = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linejoin",
  "stroke-linecap",
  "paint-order",
  "font-size",
  "font-weight",
  "font-family",
  "text-anchor",
];
const MOST_PIXELS = 16_000_000,
  LONGEST = 16_000; // of a PNG, in all and along a side

// Makes the buttons. host: pane() returns the active pane; csv() its table; page() the text of the
// page, or undefined if there is none; complain(error) reports an error to the reader.
/** @type {(host: SavingHost) => HTMLElement} */
export function makeSaving(host) {
  /** @type {(ending: string) => string} */
  const name = (ending) => `search-step-${host.pane().k}.${ending}`;
  /** @type {Record<string, () => unknown>} */
  const save = {
    SVG: () => download(name("svg"), pictureOf(host.pane()).text, "image/svg+xml"),
    PNG: async () => {
      const { png, scale } = await pngOf(pictureOf(host.pane()));
      download(name("png"), png, "image/png");
      const percent = Math.max(1, Math.floor(100 * scale));
      if (scale < 1)
        host.complain(
          `The picture is too large for a PNG of its full size, so it was saved at ${percent} %. For the full size, save the SVG.`,
        );
    },
    CSV: () => download("search.csv", host.csv(), "text/csv"),
    HTML: async () => {
      const text = await host.page();
      if (text) download("explorer.html", text, "text/html");
    },
  };
  /** @type {Record<string, string>} */
  const what = {
    SVG: "the picture",
    PNG: "the picture",
    CSV: "the table",
    HTML: "the explorer as a page",
  };
  const buttons = Object.entries(save).map(([kind, run]) => {
    const tried = () =>
      Promise.resolve()
        .then(run)
        .catch(({ message }) => host.complain(message));
    return button(kind, tried, { "aria-label": `${kind}: save ${what[kind]}` });
  });
  return h("div.kx-save", { role: "group", "aria-label": "Save" }, h("span", "Save"), buttons);
}

// Returns the two listeners that prepare for printing: a picture of each tree below its stage, dark
// on white. At the first step there is nothing to see, so the last one is printed.
// moveTo(k) shows a step without any other change.
/** @type {(host: { root: HTMLElement, state: { k: number, last: number }, panes: Pictured[] }, moveTo: (k: number) => void) => Record<string, () => void>} */
export function makePaper(host, moveTo) {
  const { root } = host;
  /** @type {HTMLElement[]} */
  let pictures = [];
  /** @type {{ k: number, theme?: string } | null} the step and the theme to go back to */
  let before = null;
  function put() {
    take();
    const { k, last } = host.state;
    before = { k, theme: root.dataset.theme };
    root.dataset.theme = "light";
    if (!k) moveTo(last);
    pictures = host.panes.map((pane) => {
      const picture = h("div.kx-paper", pictureOf(pane).svg);
      pane.stage.after(picture);
      return picture;
    });
  }
  function take() {
    for (const picture of pictures) picture.remove();
    if (!before) return;
    root.dataset.theme = before.theme;
    moveTo(before.k);
    before = null;
  }
  return { beforeprint: put, afterprint: take };
}

// Returns the whole tree as it is shown, with all styles inlined.
/** @type {(pane: Pictured) => Picture} */
function pictureOf(pane) {
  pane.paint();
  const { box } = pane.layout;
  const width = Math.ceil(box.r - box.l + 24);
  const height = Math.ceil(box.b - box.t + 24);
  const original = pane.painter.camera;
  const copy = original.cloneNode(true);
  inline(original, copy);
  set(copy, { style: null, class: null, transform: `translate(${12 - box.l},${12 - box.t})` });
  const ground = getComputedStyle(pane.stage).getPropertyValue("background-color");
  const svg = s(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
    },
    s("title", `${pane.t.title}, step ${pane.k} of ${pane.t.steps}`),
    s("rect", { width, height, fill: ground }),
    copy,
  );
  pane.redraw();
  return { svg, text: new XMLSerializer().serializeToString(svg), width, height };
}

/** @type {(from: Element, to: Element) => void} */
function inline(from, to) {
  for (const name of to.getAttributeNames())
    if (/^(aria-|class|id|role|tabindex)/.test(name)) to.removeAttribute(name);
  const style = getComputedStyle(from);
  if (style.display === "none") return to.remove();
  if (from.localName !== "g")
    for (const name of STYLES) {
      const value = style.getPropertyValue(name);
      if (value) to.setAttribute(name, value);
    }
  const children = [...to.children];
  [...from.children].forEach((child, place) => inline(child, children[place]));
}

/** @type {(picture: Picture) => Promise<{ png: Blob, scale: number }>} */
async function pngOf({ text, width, height }) {
  const scale = Math.min(
    2,
    Math.sqrt(MOST_PIXELS / (width * height)),
    LONGEST / width,
    LONGEST / height,
  );
  const image = new Image(width, height);
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    /** @type {Blob | null} */
    const png = await new Promise((done) => canvas.toBlob(done, "image/png"));
    if (!png) throw new Error("The browser could not make a PNG of this picture. Save the SVG.");
    return { png, scale };
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** @type {(name: string, content: Blob | string, type: string) => void} */
export function download(name, content, type) {
  const url = URL.createObjectURL(
    content instanceof Blob ? content : new Blob([content], { type }),
  );
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
