// Each part of the page becomes as many slides as it needs; then reveal.js shows them.
const { Reveal } = /** @type {any} */ (globalThis);
const [WIDTH, HEIGHT] = [1200, 720];
const WIDE = 2.6; // a picture of this ratio is too wide to stand beside text
const LEAST = 0.75; // what is smaller cannot be read
const slides = /** @type {HTMLElement} */ (document.querySelector(".slides"));
const PICTURES = ".picture, .moving";

// A slide has as many blocks as fit. What is said below a picture, or a heading, stays with it.
function paginate(/** @type {HTMLElement} */ part) {
  const [first, ...others] = /** @type {HTMLElement[]} */ ([...part.children]);
  const heading = first.matches("h1, h2") ? first : null;
  let slide = part;
  slide.replaceChildren(first);
  for (const block of others) {
    const last = /** @type {HTMLElement} */ (slide.lastElementChild);
    slide.append(block);
    if (fits(slide) || last === heading) continue;
    const next = document.createElement("section");
    if (heading) next.append(heading.cloneNode(true));
    slide.after(next);
    const kept = last.matches("h3") || (last.matches("figure") && !block.matches("figure"));
    const says = last.matches("p") && names(last, block);
    if ((kept || says) && last !== slide.children[1]) next.append(last);
    next.append(block);
    if (says && !fits(next)) slide.append(last);
    fits(slide);
    fits(next);
    slide = next;
  }
}

// Whether a paragraph speaks of a figure by its number.
function names(/** @type {HTMLElement} */ text, /** @type {HTMLElement} */ block) {
  const number = block.querySelector("figcaption .number")?.textContent?.replace(/\.$/, "");
  return Boolean(number && text.textContent?.includes(number));
}

// Pictures, which are measured at their smallest, stand beside what follows them if there is no
// room below.
function fits(/** @type {HTMLElement} */ slide) {
  slide.classList.remove("floated");
  if (slide.scrollHeight <= HEIGHT) return true;
  slide.classList.add("floated");
  return slide.scrollHeight <= HEIGHT;
}

// A block that is taller than its slide is shown smaller; if that is not enough, it scrolls.
function shrink(/** @type {HTMLElement} */ slide) {
  const block = /** @type {HTMLElement} */ (slide.lastElementChild);
  for (let zoom = 1; slide.scrollHeight > HEIGHT && zoom >= LEAST; zoom -= 0.05)
    block.style.zoom = `${zoom}`;
  const over = slide.scrollHeight - HEIGHT;
  const inner = /** @type {HTMLElement | null} */ (block.querySelector(".html-output, .highlight"));
  if (over > 0 && inner)
    inner.style.maxHeight = `${inner.offsetHeight - over / Number(block.style.zoom)}px`;
}

async function show() {
  slides.style.width = `${WIDTH}px`;
  const images = [...document.images];
  await Promise.all(images.map((image) => image.decode().catch(() => {})));
  for (const image of images)
    image.classList.toggle("wide", image.naturalWidth > WIDE * image.naturalHeight);
  /** @type {HTMLElement[]} */
  const parts = [];
  for (const block of [...slides.children]) {
    if (block.matches("h1, h2") || !parts.length) parts.push(document.createElement("section"));
    parts.at(-1)?.append(block);
  }
  slides.append(...parts);
  parts.forEach(paginate);
  for (const slide of /** @type {Iterable<HTMLElement>} */ (slides.children)) shrink(slide);
  for (const slide of /** @type {Iterable<HTMLElement>} */ (slides.children)) {
    const room = (HEIGHT - slide.offsetHeight) / slide.querySelectorAll(PICTURES).length;
    slide.style.setProperty("--room", `${room}px`);
  }
  slides.classList.remove("measured");
  // A picture that is moved by hand takes the keys, until Escape.
  /** @type {NodeListOf<HTMLIFrameElement>} */
  const moving = slides.querySelectorAll("iframe.moving");
  for (const frame of moving)
    frame.addEventListener("load", () =>
      frame.contentWindow?.addEventListener(
        "keydown",
        ({ key }) => key === "Escape" && focus(),
        true,
      ),
    );
  await Reveal.initialize({
    width: WIDTH,
    height: HEIGHT,
    center: false,
    hash: true,
    slideNumber: "c/t",
    transition: "none",
  });
}
show();
