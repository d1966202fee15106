// A page that is long shows its first parts and its answer; "Show" opens another part. A link, the
// browser's own search and print find what is closed, too.
/** @typedef {{ heading: Element, blocks: Element[], button: HTMLButtonElement }} Part */
(() => {
  const LONG = 9000; // pixels
  const starts = ".notebook main > .prose > h2:first-child";
  const page = document.documentElement;
  /** @type {Part[]} */
  let parts = [];
  // Pictures arrive one by one. Once a reader does something, nothing closes by itself.
  const watch = new ResizeObserver(closeLast);
  watch.observe(page);
  for (const event of ["keydown", "pointerdown", "wheel"])
    addEventListener(event, () => watch.disconnect(), { once: true, passive: true });
  addEventListener("hashchange", openTarget);
  // The browser's own search has found a place.
  addEventListener("beforematch", (event) => openPart(/** @type {Element} */ (event.target)));

  function closeLast() {
    if (page.scrollHeight <= LONG) return;
    if (!parts.length) parts = [...document.querySelectorAll(starts)].map(partOf);
    for (const part of parts.toReversed())
      if (page.scrollHeight > LONG && !part.heading.id.startsWith("The-answer")) show(part, false);
    openTarget();
  }

  /** @type {(heading: Element) => Part} */
  function partOf(heading) {
    const blocks = [];
    for (let next = heading.nextElementSibling; next; next = next.nextElementSibling)
      blocks.push(next);
    let next = heading.parentElement?.nextElementSibling;
    for (; next && !next.querySelector(":scope > h2:first-child"); next = next.nextElementSibling)
      blocks.push(next);
    const button = document.createElement("button");
    button.className = "part";
    const part = { heading, blocks, button };
    button.addEventListener("click", () => show(part, button.ariaExpanded === "false"));
    button.ariaLabel = `Show or hide: ${heading.firstChild?.textContent}`;
    heading.append(button);
    show(part, true);
    return part;
  }

  /** @type {(part: Part, open: boolean) => void} */
  function show({ blocks, button }, open) {
    button.ariaExpanded = String(open);
    button.textContent = open ? "Hide" : "Show";
    for (const block of blocks) {
      if (open) block.removeAttribute("hidden");
      else block.setAttribute("hidden", "until-found");
    }
  }

  function openTarget() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target) openPart(target);
  }

  /** @type {(place: Element) => void} */
  function openPart(place) {
    for (const part of parts)
      if ([part.heading, ...part.blocks].some((block) => block.contains(place))) show(part, true);
  }
})();
