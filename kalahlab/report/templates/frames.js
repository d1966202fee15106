// An interactive picture is as high as what it shows, which fits the screen around it: inside of a
// frame, a share of the height would be a share of the frame's own. One that begins on the first
// screen fits what is left of that.
/** @type {NodeListOf<HTMLIFrameElement>} */
const moving = document.querySelectorAll("iframe.moving");

// Until a reader does something, the figure of a link stays at the top of the window while the frames
// get their heights; who comes back stays where the browser leads.
let arriving = performance
  .getEntriesByType("navigation")
  .some((entry) => /** @type {PerformanceNavigationTiming} */ (entry).type === "navigate");
for (const event of ["blur", "keydown", "pointerdown", "wheel"])
  addEventListener(event, () => (arriving = false), { once: true, passive: true });

for (const frame of moving) {
  const fit = () => {
    if (!frame.contentDocument) return;
    const page = frame.contentDocument.documentElement;
    const height = `${Math.ceil(page.getBoundingClientRect().height)}px`;
    const screen = document.documentElement.clientHeight;
    const top = frame.getBoundingClientRect().top + scrollY;
    page.style.setProperty("--screen", `${top < screen / 2 ? screen - top : screen}px`);
    if (frame.style.height !== height) frame.style.height = height;
    if (arriving) document.querySelector("figure:target")?.scrollIntoView();
  };
  const watch = () => {
    fit();
    if (frame.contentDocument)
      new ResizeObserver(fit).observe(frame.contentDocument.documentElement);
  };
  addEventListener("resize", fit);
  if (frame.contentDocument?.readyState === "complete") watch();
  frame.addEventListener("load", watch);
}
