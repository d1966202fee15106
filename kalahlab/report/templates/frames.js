// An interactive picture grows with what it shows: its frame is never too low for it.
/** @type {NodeListOf<HTMLIFrameElement>} */
const moving = document.querySelectorAll("iframe.moving");
for (const frame of moving) {
  const fit = () => {
    const wanted = frame.contentDocument.documentElement.scrollHeight;
    if (wanted > frame.clientHeight) frame.style.height = `${wanted}px`;
  };
  const watch = () => new ResizeObserver(fit).observe(frame.contentDocument.body);
  if (frame.contentDocument.readyState === "complete") watch();
  frame.addEventListener("load", watch);
}
