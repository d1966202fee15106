import { button, h, put } from "./dom.js";

/** @import { Answer, Model } from "./types.js" */

// Makes the line that shows the progress of a search, with a button that stops it.
/** @type {(stop: () => void) => { element: HTMLElement, tell(nodes: number): void }} */
export function makeBusy(stop) {
  const text = h("span", { role: "status" });
  const element = h("p.busy", { hidden: true }, text, " ", button("Stop", stop));
  /** @type {(nodes: number) => void} */
  const tell = (nodes) => {
    const far = `Searching: ${nodes.toLocaleString("en")} nodes so far.`;
    put(text, nodes ? far : "Searching …");
  };
  return { element, tell };
}

// Requests to Python. A request and its answer have the same number. Waiting ends if the kernel has
// died, or has been silent for too long.

// patience: seconds. silent(text) is called with the reason if no answer comes, and with "" or the
// error of the answer once there is a sign of life again; waiting(milliseconds) with the time since
// the last sign of life, while an answer is pending. A trait `thinking` that is not empty means
// that Python is at work.
/**
 * @param {Model} model @param {number} patience @param {(text: string) => void} silent
 * @param {(milliseconds: number) => void} waiting
 */
export function makeKernel(model, patience, silent, waiting = () => {}) {
  /** @type {Map<string, (answer: Answer | null) => void>} */
  const open = new Map(); // the function that takes the answer to each pending request
  let heard = 0; // when the kernel last gave a sign of life
  let timer = 0;
  let number = 0;
  let gaveUp = false; // whether `silent` has been called with a reason

  /** @type {(message: Answer) => void} */
  const hear = (message) => {
    const take = open.get(message.id);
    open.delete(message.id);
    back(message.error);
    take?.(message);
  };

  function back(error = "") {
    if (gaveUp) silent(error);
    gaveUp = false;
  }
  model.on("msg:custom", hear);

  // Resolves to the answer, whose `error` is empty on success; null if there is no answer.
  /** @type {(request: object) => Promise<Answer | null>} */
  function ask(request) {
    // Each view of a widget counts separately; the time makes the numbers differ.
    const id = `${Date.now()}-${number++}`;
    return new Promise((take) => {
      open.set(id, take);
      try {
        model.send({ ...request, id });
        gaveUp = false;
        alive();
      } catch (error) {
        giveUp(unreachable(/** @type {Error} */ (error)));
      }
    });
  }

  // A sign of life: the wait starts again.
  function alive() {
    back();
    heard = performance.now();
    if (open.size || model.get("thinking")) timer ||= setInterval(watch, 100);
  }

  function watch() {
    const status = model.widget_manager?.kernel?.status;
    const thinking = Boolean(model.get("thinking"));
    const waited = performance.now() - heard;
    if (!thinking && !open.size) stop();
    else if (status === "dead" || status === "terminating")
      giveUp("The kernel has died. Restart it and run the notebook again.");
    else if (waited > 1000 * patience && (!thinking || status === "idle"))
      giveUp(silence(status, patience));
    else waiting(waited);
  }

  /** @type {(text: string) => void} */
  function giveUp(text) {
    stop();
    for (const take of open.values()) take(null);
    open.clear();
    silent(text);
    gaveUp = true;
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
  }

  const end = () => {
    stop();
    model.off("msg:custom", hear);
  };
  return { ask, alive, end, waits: () => open.size > 0 };
}

/** @type {(status: string | undefined, patience: number) => string} */
const silence = (status, patience) =>
  status === "busy"
    ? "The kernel is busy with something else. This continues when it answers."
    : `Python has not answered for ${patience} s. If the kernel was restarted, run this cell again.`;

/** @type {(error: Error) => string} */
const unreachable = ({ message }) =>
  `The kernel cannot be reached (${message}). Run this cell again.`;
