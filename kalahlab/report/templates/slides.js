// Each part of the page becomes as many slides as it needs; then reveal.js shows them.
const { Reveal } = /** @type {any} */ (globalThis);
const [WIDTH, HEIGHT] = [1280, 720];
const WIDE = 2.6; // a picture of this ratio is too wide to stand beside text,
const BROAD = 780; // and so is one of this width, whose labels would be too small there
const [WORDS, LEGEND] = [16, 15]; // the sizes of the smallest words of a drawn picture
const [SMALLEST, CHART, LARGEST] = [0.9, 1.3, 1.5]; // of a picture's own size, or of a chart's
const [LEAST, LEAST_DRAWN] = [0.75, 0.9]; // what is smaller cannot be read
const ROWS = 15; // of a table
const PHONE = "(max-width: 600px)"; // where a slide's letters would be too small
const slides = /** @type {HTMLElement} */ (document.querySelector(".slides"));
const PICTURES = ".picture, .moving";

// A slide has as many blocks as fit. A heading stays with what follows, and a picture or a table with the
// paragraph that introduces it, or else with what is said below it.
function paginate(/** @type {HTMLElement} */ part) {
  const [first, ...others] = /** @type {HTMLElement[]} */ ([...part.children]);
  const heading = first.matches("h1, h2") ? first : null;
  let slide = part;
  slide.replaceChildren(first);
  for (const block of others) {
    const last = /** @type {HTMLElement} */ (slide.lastElementChild);
    const says = names(last, block);
    const alone = last === slide.children[1];
    slide.append(block);
    if (fits(slide) || last === heading) continue;
    if (says && (fitsBeside(slide, block) || (alone && fitsSmaller(slide)))) continue;
    const next = document.createElement("section");
    if (heading) next.append(heading.cloneNode(true));
    slide.after(next);
    const below = last.matches("figure") && !block.matches("figure");
    const introduced = names(last.previousElementSibling, last);
    if ((last.matches("h3") || (below && !introduced) || says) && !alone) next.append(last);
    next.append(block);
    const together = fits(next) || (says && (fitsBeside(next, block) || fitsSmaller(next)));
    if (says && !together) slide.append(last);
    fits(slide);
    fits(next);
    slide = next;
  }
}

// Whether a block is a paragraph that speaks of a figure by its number.
function names(/** @type {Element | null} */ text, /** @type {HTMLElement} */ block) {
  const number = block.querySelector("figcaption .number")?.textContent?.replace(/\.$/, "");
  return Boolean(number && text?.matches("p") && text.textContent?.includes(number));
}

// Pictures, which are measured at their smallest, stand beside what follows them if there is no
// room below.
function fits(/** @type {HTMLElement} */ slide) {
  slide.classList.remove("floated");
  if (slide.scrollHeight <= HEIGHT) return true;
  if (slide.querySelectorAll(PICTURES).length > 1) return false; // two would be small
  slide.classList.add("floated");
  return slide.scrollHeight <= HEIGHT;
}

// Whether a picture fits beside the paragraph that speaks of it, too, and not only what follows. If so
// it begins where the paragraph does.
function fitsBeside(/** @type {HTMLElement} */ slide, /** @type {HTMLElement} */ picture) {
  if (!picture.querySelector(PICTURES)) return false;
  const text = picture.previousElementSibling;
  text?.before(picture);
  if (fits(slide)) return true;
  text?.after(picture);
  return false;
}

// A block that is taller than its slide is shown smaller; whether that is enough.
function shrink(/** @type {HTMLElement} */ slide, least = LEAST) {
  const block = /** @type {HTMLElement} */ (slide.lastElementChild);
  for (let zoom = 1; slide.scrollHeight > HEIGHT && zoom >= least; zoom -= 0.05)
    block.style.zoom = `${zoom}`;
  return slide.scrollHeight <= HEIGHT;
}

// Whether a slide that ends with a table, or a picture, fits once that is smaller.
function fitsSmaller(/** @type {HTMLElement} */ slide) {
  const block = /** @type {HTMLElement} */ (slide.lastElementChild);
  if (!block.querySelector("table, .picture")) return false;
  const enough = shrink(slide, block.querySelector("table") ? LEAST : LEAST_DRAWN);
  if (!enough) block.style.zoom = "";
  return enough;
}

// What is still too tall scrolls, or is a table that shows fewer rows.
function squeeze(/** @type {HTMLElement} */ slide) {
  if (shrink(slide)) return;
  const block = /** @type {HTMLElement} */ (slide.lastElementChild);
  const table = block.querySelector("table");
  if (table) shorten(table, () => slide.scrollHeight > HEIGHT);
  const over = slide.scrollHeight - HEIGHT;
  const inner = /** @type {HTMLElement | null} */ (block.querySelector(".html-output, .highlight"));
  if (over > 0 && inner)
    inner.style.maxHeight = `${inner.offsetHeight - over / Number(block.style.zoom)}px`;
}

// Leaves out the last rows of a table, and says how many the page has more.
/** @type {(table: HTMLTableElement, long: (rows: number) => boolean) => void} */
function shorten(table, long) {
  const rows = table.tBodies[0].rows;
  let more = Number(table.dataset.more ?? 0);
  while (rows.length > 1 && long(rows.length)) {
    rows[rows.length - 1].remove();
    const cell = table.tFoot?.rows[0].cells[0] ?? table.createTFoot().insertRow().insertCell();
    cell.colSpan = rows[0].cells.length;
    cell.textContent = `… ${++more} more ${more > 1 ? "rows" : "row"}: on the page`;
    table.dataset.more = `${more}`;
  }
}

// A slide that begins with a table or figure begins with the paragraph that speaks of it, once more.
function repeat(
  /** @type {HTMLElement} */ slide,
  /** @type {number} */ at,
  /** @type {HTMLElement[]} */ made,
) {
  const [heading, figure] = /** @type {HTMLElement[]} */ ([...slide.children]);
  if (!figure?.matches("figure")) return;
  const before = made.slice(0, at).flatMap((it) => [...it.children]);
  const said = before.findLast((it) => names(it, figure));
  if (!said) return;
  const text = /** @type {HTMLElement} */ (said.cloneNode(true));
  heading.after(text);
  if (slide.scrollHeight > HEIGHT) text.remove();
}

// An exercise that begins beside a picture and ends below it begins below it, if there is room.
function clear(/** @type {HTMLElement} */ slide) {
  const bottom = slide.querySelector("figure")?.getBoundingClientRect().bottom ?? 0;
  /** @type {HTMLElement | undefined} */
  const heading = [...slide.querySelectorAll("h3")].findLast(
    (it) => it.getBoundingClientRect().top < bottom,
  );
  const end = slide.lastElementChild?.getBoundingClientRect().bottom ?? 0;
  if (!heading || end <= bottom) return;
  heading.style.clear = "both";
  if (slide.scrollHeight > HEIGHT) heading.style.clear = "";
}

// A picture that is not wide stands beside the text if it becomes larger there.
function turn(/** @type {HTMLElement} */ slide) {
  enlarge(slide);
  const figure = /** @type {HTMLElement | null} */ (slide.querySelector("figure:has(.picture)"));
  const image = figure?.querySelector("img");
  if (!figure || !image || image.matches(".wide") || slide.matches(".floated")) return;
  if (slide.querySelectorAll(PICTURES).length > 1) return;
  const text = figure.previousElementSibling;
  const [zoom, style] = [figure.style.zoom, image.style.cssText];
  const width = image.getBoundingClientRect().width;
  image.style.maxHeight = image.style.width = figure.style.zoom = "";
  if (names(text, figure)) text?.before(figure);
  slide.classList.add("floated");
  const fit = slide.scrollHeight <= HEIGHT;
  enlarge(slide);
  if (fit && image.getBoundingClientRect().width > width) return;
  slide.classList.remove("floated");
  text?.after(figure);
  figure.style.zoom = zoom;
  image.style.cssText = style;
}

// Pictures share the room that a slide has left.
function enlarge(/** @type {HTMLElement} */ slide) {
  clear(slide);
  const room = (HEIGHT - 1 - slide.offsetHeight) / slide.querySelectorAll(PICTURES).length;
  slide.style.setProperty("--room", `${room}px`);
  /** @type {NodeListOf<HTMLImageElement>} */
  const images = slide.querySelectorAll(".picture img");
  for (const image of images) {
    const { naturalWidth, offsetHeight, offsetWidth, parentElement } = image;
    const width = (offsetWidth * (offsetHeight + room)) / offsetHeight;
    const most = Math.min(LARGEST * naturalWidth, parentElement?.clientWidth ?? WIDTH);
    image.style.maxHeight = "none";
    image.style.width = `${Math.min(width, most)}px`;
  }
}

// The words of a drawn picture are made larger. Those of its legend, which are not centred, have
// little room, and [α, β] there less. Those of a chart are outlines.
function legible(/** @type {HTMLImageElement} */ image) {
  const [head, coded] = image.src.split(";base64,");
  const drawn = head.endsWith("svg+xml") ? atob(coded) : "";
  image.classList.toggle("chart", !drawn.includes("font-size="));
  const larger = drawn
    .replace(/font-size="1[1-5]" (?!fill)/g, `font-size="${WORDS}" `)
    .replace(/font-size="1[1-4]" fill/g, `font-size="${LEGEND}" letter-spacing="-0.25" fill`)
    .replace(/<text(?=[^>]*>\[\xce)/g, '<text textLength="34" lengthAdjust="spacingAndGlyphs"');
  if (larger !== drawn) image.src = `${head};base64,${btoa(larger)}`;
}

// How tall a picture is at least, and how wide it stands beside text.
function measure(/** @type {HTMLImageElement} */ image) {
  const { naturalHeight: height, naturalWidth: width } = image;
  const least = (image.matches(".chart") ? CHART : SMALLEST) * height;
  const beside = Math.min(Math.max(660, SMALLEST * width), (620 * width) / height);
  image.classList.toggle("wide", width > Math.min(BROAD, WIDE * height));
  image.style.setProperty("--least", `${Math.min(530, Math.max(320, least))}px`);
  image.closest("figure")?.style.setProperty("--beside", `${Math.max(520, beside)}px`);
}

// A phone shows the slides as one page, to scroll.
function read() {
  slides.className = "";
  /** @type {HTMLElement} */ (slides.parentElement).className = "reading";
}

async function show() {
  const phone = matchMedia(PHONE);
  phone.addEventListener("change", () => location.reload());
  if (phone.matches) return read();
  slides.style.width = `${WIDTH}px`;
  const images = [...document.images];
  images.forEach(legible);
  await Promise.all(images.map((image) => image.decode().catch(() => {})));
  images.forEach(measure);
  for (const table of slides.querySelectorAll("table")) shorten(table, (rows) => rows > ROWS);
  /** @type {HTMLElement[]} */
  const parts = [];
  for (const block of [...slides.children]) {
    if (block.matches("h1, h2") || !parts.length) parts.push(document.createElement("section"));
    parts.at(-1)?.append(block);
  }
  slides.append(...parts);
  parts.forEach(paginate);
  const made = /** @type {HTMLElement[]} */ ([...slides.children]);
  made.forEach(squeeze);
  made.forEach(repeat);
  made.forEach(turn);
  slides.classList.remove("measured");
  // A picture that is moved by hand takes the keys, until Escape.
  /** @type {NodeListOf<HTMLIFrameElement>} */
  const moving = slides.querySelectorAll("iframe.moving");
  for (const frame of moving)
    frame.addEventListener("load", () =>
      frame.contentWindow?.addEventListener(
        "keydown",
        ({ key }) => {
          if (["Escape", "PageDown", "PageUp"].includes(key)) focus();
          if (key === "PageDown") Reveal.next(); // as of a presenter's remote control
          if (key === "PageUp") Reveal.prev();
        },
        true,
      ),
    );
  await Reveal.initialize({
    width: WIDTH,
    height: HEIGHT,
    margin: 0,
    controlsLayout: "edges",
    center: false,
    hash: true,
    slideNumber: "c/t",
    transition: "none",
  });
}
show();
