import { button, h, put } from "./dom.js";

/** @import { Answer, Model } from "./types.js" */

// Says that Python searches, and how far it is, with a button that stops it.
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

// Requests to Python. A request goes out with a number, and its answer carries the same number; a
// kernel that has died, or that says nothing for too long, is waited for no longer.

// patience: seconds. `silent(text)` is told why no answer comes, and "" once there is a sign of life
// again (or what is wrong, if the answer says that), `waiting(milliseconds)` how long
// the kernel has said nothing, while it is waited for. A trait `thinking` that is not empty says
// that Python is at work.
/**
 * @param {Model} model @param {number} patience @param {(text: string) => void} silent
 * @param {(milliseconds: number) => void} waiting
 */
export function makeKernel(model, patience, silent, waiting = () => {}) {
  /** @type {Map<string, (answer: Answer | null) => void>} */
  const open = new Map(); // what takes the answer to each request that has none yet
  let heard = 0; // when the kernel last gave a sign of life
  let timer = 0;
  let number = 0;
  let given = false; // up

  /** @type {(message: Answer) => void} */
  const hear = (message) => {
    const take = open.get(message.id);
    open.delete(message.id);
    back(message.error);
    take?.(message);
  };

  function back(error = "") {
    if (given) silent(error);
    given = false;
  }
  model.on("msg:custom", hear);

  // The answer: its `error` is a text, empty if all went well. null if there is none.
  /** @type {(request: object) => Promise<Answer | null>} */
  function ask(request) {
    // Another view of the same widget counts for itself: the time makes the numbers differ.
    const id = `${Date.now()}-${number++}`;
    return new Promise((take) => {
      open.set(id, take);
      try {
        model.send({ ...request, id });
        given = false;
        alive();
      } catch (error) {
        giveUp(unreachable(/** @type {Error} */ (error)));
      }
    });
  }

  // A sign of life: the wait begins anew.
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
    given = true;
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
    ? "The kernel is busy with something else; this goes on when it answers."
    : `Python has not answered for ${patience} s. If the kernel was restarted, run this cell again.`;

/** @type {(error: Error) => string} */
const unreachable = ({ message }) =>
  `The kernel cannot be reached (${message}). Run this cell again.`;
