// Each part of the page becomes as many slides as it needs; then reveal.js shows them.
const { Reveal } = /** @type {any} */ (globalThis);
const [WIDTH, HEIGHT] = [1200, 720];
const slides = /** @type {HTMLElement} */ (document.querySelector(".slides"));

function paginate(/** @type {HTMLElement} */ part) {
  const blocks = /** @type {HTMLElement[]} */ ([...part.children]);
  const places = blocks.map((block) => [block.offsetTop, block.offsetTop + block.offsetHeight]);
  const heading = blocks[0].matches("h1, h2, h3") ? blocks[0] : null;
  const first = heading && places.length > 1 ? places[1][0] - places[0][0] : 0;
  let page = part;
  let begin = places[0][0];
  blocks.forEach((block, number) => {
    const [top, bottom] = places[number];
    if (bottom - begin > HEIGHT && number > (heading ? 1 : 0)) {
      const next = document.createElement("section");
      if (heading) next.append(heading.cloneNode(true));
      page.after(next);
      page = next;
      begin = top - first;
    }
    if (page !== part) page.append(block);
  });
}

async function show() {
  slides.style.width = `${WIDTH}px`;
  await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
  /** @type {NodeListOf<HTMLElement>} */
  const parts = slides.querySelectorAll(":scope > section");
  parts.forEach(paginate);
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
