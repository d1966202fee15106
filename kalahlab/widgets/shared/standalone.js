// Shows the widgets of a page without a kernel. A model behaves like anywidget's, for one view.
// Messages are dropped until a reader starts Python; then a worker answers them.

/** @import { Model } from "./types.js" */
/** @typedef {Record<string, any>} Traits */
/** @typedef {Model & { tell(event: string, message?: unknown): void, take(traits: Traits): void, asked?: string }} PageModel */

/** @type {{ widgets: { module: number, state: Traits }[], modules: BodyInit[], runtime: string[], digest: string, names: string[] }} */
const parts = JSON.parse(String(document.getElementById("parts")?.textContent), reviveBytes);

/** @type {(key: string, value: any) => any} */
function reviveBytes(_, value) {
  if (typeof value?.base64 !== "string") return value;
  return new DataView(bytesOf(value.base64).buffer);
}

/** @type {(base64: string) => Uint8Array<ArrayBuffer>} */
function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// The traits that the picture for browsers without JavaScript shows; a saved page omits it once
// they have changed.
const DRAWN = ["traces", "record", "at"];
let moved = false;

/** @type {(state: Traits) => PageModel} */
function modelOf(state) {
  const heard = new Map();
  /** @type {(event: string) => Set<(message: unknown) => unknown>} */
  const listeners = (event) => heard.get(event) ?? heard.set(event, new Set()).get(event);
  /** @type {(event: string, message?: unknown) => void} */
  const tell = (event, message) => [...listeners(event)].forEach((hear) => hear(message));
  return {
    tell,
    get: (name) => state[name],
    set(name, value) {
      if (state[name] === value) return;
      state[name] = value;
      moved ||= DRAWN.includes(name);
      tell(`change:${name}`);
    },
    // All traits are changed before any listener is called.
    take(traits) {
      const changed = Object.keys(traits).filter((name) => state[name] !== traits[name]);
      Object.assign(state, traits);
      moved ||= changed.some((name) => DRAWN.includes(name));
      for (const name of changed) tell(`change:${name}`);
    },
    on: (event, hear) => void listeners(event).add(hear),
    off: (event, hear) => void (hear ? listeners(event).delete(hear) : heard.delete(event)),
    page,
    save_changes() {},
    send() {},
  };
}

// Returns the page as it was loaded, but with the current state of its widgets.
function page() {
  const copy = /** @type {HTMLElement} */ (document.documentElement.cloneNode(true));
  for (const place of copy.querySelectorAll("[id^=widget-]")) {
    place.replaceChildren();
    place.removeAttribute("hidden");
  }
  for (const added of copy.querySelectorAll(".wake, .choose, link[rel=stylesheet], #live"))
    added.remove();
  if (moved) for (const picture of copy.querySelectorAll("noscript")) picture.remove();
  const widgets = parts.widgets.map(({ module, state }) => ({
    module,
    state: { ...state, ...ASLEEP },
  }));
  const text = JSON.stringify({ ...parts, widgets }, (_, value) =>
    value instanceof DataView ? encodeBytes(value) : value,
  );
  /** @type {HTMLElement} */ (copy.querySelector("#parts")).textContent = text.replaceAll(
    "<",
    "\\u003c",
  );
  return `<!doctype html>\n${copy.outerHTML}\n`;
}

const ASLEEP = { live: false, progress: 0 }; // the state of a page in which Python has not been started

/** @type {(view: DataView) => { base64: string }} */
function encodeBytes(view) {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  let text = "";
  for (let i = 0; i < bytes.length; i += 32768)
    text += String.fromCharCode(...bytes.subarray(i, i + 32768));
  return { base64: btoa(text) };
}

/** @type {(packed: BodyInit) => Promise<ArrayBuffer>} */
function gunzip(packed) {
  const { body } = /** @type {{ body: ReadableStream }} */ (new Response(packed));
  return new Response(body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/** @type {(packed: BodyInit) => Promise<any>} */
async function importModule(packed) {
  const code = new Blob([await gunzip(packed)], { type: "text/javascript" });
  return import(URL.createObjectURL(code));
}

// ---- Python in the page

/** @type {Promise<Traits> | undefined} */
let runtime; // the promise of its files, once they are requested

// Loads the files from the page itself, or from one beside it, which all pages of a report share.
async function loadFiles() {
  const embedded = document.getElementById("runtime");
  /** @type {Traits} */
  const packed = embedded
    ? JSON.parse(String(embedded.textContent))
    : await loadFromStyleSheet(parts.runtime);
  /** @type {Traits} */
  const bytes = { lock: packed.lock, worker: packed.worker };
  for (const name of ["asm", "loader", "wasm"]) bytes[name] = await gunzip(bytesOf(packed[name]));
  for (const name of ["stdlib", "package"]) bytes[name] = bytesOf(packed[name]).buffer;
  return bytes;
}

// A page opened from a file can read other files only as style sheets, which run nothing.
/** @type {(places: string[]) => Promise<Traits>} */
async function loadFromStyleSheet(places) {
  const below = location.pathname.split("/").at(-2) === "pages"; // an artifact's own page
  for (const href of below ? [...places].reverse() : places) {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    const loaded = new Promise((done) => (link.onload = link.onerror = done));
    const holder = Object.assign(document.createElement("i"), { id: "live", hidden: true });
    document.body.append(holder);
    document.head.append(link);
    await loaded;
    const text = readStyleText(getComputedStyle(holder));
    link.remove();
    holder.remove();
    if (text && (await sha256(text)) === parts.digest) return JSON.parse(decodeURIComponent(text));
  }
  throw new Error(`${places[0]}, which was made with this page, must be in the same folder`);
}

/** @type {(style: CSSStyleDeclaration) => string} */
function readStyleText(style) {
  const pieces = [];
  for (;;) {
    /** @type {string} */
    const piece = style.getPropertyValue(`--r${pieces.length}`).trim();
    if (!piece) return pieces.join("");
    pieces.push(piece.slice(1, -1));
  }
}

/** @type {(text: string) => Promise<string>} */
async function sha256(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Connects a model to its own Python; say(text) reports the progress.
/** @type {(model: PageModel, say: (text: string) => void) => Promise<void>} */
async function connect(model, say) {
  say("Loading Python …");
  runtime ??= loadFiles();
  const { worker: code, ...all } = await runtime;
  const script = new Blob([code], { type: "text/javascript" });
  const worker = new Worker(URL.createObjectURL(script));
  /** @type {boolean} */
  const waits = await new Promise((done, fail) => {
    worker.onerror = (event) => fail(new Error(event.message || "the browser allows no worker"));
    /** @type {(event: MessageEvent) => void} */
    worker.onmessage = ({ data }) => {
      if (data.failed) fail(new Error(data.failed));
      else if (data.up) say("Python has started and is loading the searches …");
      else if (data.ready) done(data.waits);
    };
    worker.postMessage({
      files: all,
      recipe: JSON.stringify({ ...model.get("recipe"), at: model.get("at"), opens: explorers }),
    });
  });
  worker.onmessage = ({ data }) => {
    if (data.traits) model.take(JSON.parse(data.traits, reviveBytes));
    if (data.progress) model.take({ progress: data.progress });
    if (data.answer) {
      const { recipe, ...answer } = JSON.parse(data.answer, reviveBytes);
      model.take({ recipe });
      model.tell("msg:custom", answer);
    }
    if (data.failed) model.tell("msg:custom", { error: data.failed, id: model.asked });
  };
  /** @type {(request: Traits) => void} */
  model.send = (request) => {
    if (request.stop) return waits ? worker.postMessage(request) : end();
    model.asked = request.id;
    model.take({ progress: 0 });
    worker.postMessage({ request: JSON.stringify(request) });
  };
  // In this browser Python cannot wait for a message: the worker is terminated, with its state.
  function end() {
    worker.terminate();
    const error = "Stopped. Reload the page to go on.";
    model.tell("msg:custom", { error, id: model.asked });
  }
  model.take({ live: "page" });
}

// Makes the button that starts Python for all widgets of the page that can use it.
function makeInvitation() {
  const bar = document.createElement("p");
  const button = document.createElement("button");
  const status = document.createElement("span");
  const progress = document.createElement("progress");
  bar.className = "wake";
  progress.hidden = true;
  progress.ariaLabel = "Loading Python";
  button.textContent = "Start Python in this page";
  status.textContent =
    "Then you can play and search here. This loads Python, 12 MB. Nothing leaves this computer.";
  status.setAttribute("role", "status");
  /** @type {Promise<void> | undefined} */
  let waking;
  const wake = async () => {
    if (!bar.isConnected) return;
    waking ??= wakeAll();
    await waking;
  };
  async function wakeAll() {
    button.disabled = true;
    progress.hidden = false;
    bar.classList.remove("failed");
    try {
      for (const { model, start } of awake) {
        if (model.get("live") === "page") continue;
        await connect(model, (text) => (status.textContent = text));
        await start();
      }
      bar.remove();
    } catch (error) {
      runtime = undefined;
      button.disabled = false;
      progress.hidden = true;
      bar.classList.add("failed");
      status.textContent = `Python could not be loaded: ${/** @type {Error} */ (error).message}.`;
      for (const element of document.querySelectorAll("[data-wanted]"))
        element.removeAttribute("data-wanted"); // it will not be shown
    }
    waking = undefined;
  }
  button.onclick = wake;
  bar.append(button, " ", progress, " ", status);
  return { bar, wake };
}

// Opens a position of a board in the page's explorer: by a search that the explorer has, or by
// Python.
/** @type {(board: PageModel) => Promise<void>} */
async function openFrom(board) {
  const position = board.get("opened");
  if (!position || !board.get("record")) return;
  board.take({ opened: "" }); // so that the same can be opened again
  choice?.choose(0); // the explorer, which may be hidden
  const index = models.findIndex((model) => model.get("carried")?.[position]);
  if (index >= 0 && models[index].get("live") !== "page") {
    models[index].take({ ...models[index].get("carried")[position], step: 0 });
    return document.getElementById(`widget-${index}`)?.scrollIntoView({ block: "start" });
  }
  await wake();
  const model = awake.find(({ kalah }) => kalah)?.model;
  if (!model) return;
  model.take({ opened: "" });
  if (model.get("live") === "page") model.take({ opened: position });
}

/** @type {PageModel[]} */
const models = []; // all of the page's
/** @type {{ model: PageModel, start(): Promise<void>, kalah: boolean }[]} */
const awake = []; // models that can use Python: how to draw each, and whether it showed Kalah at first
const onSlide = document.documentElement.matches(".slide"); // a file of slides has no file beside it
const explorers = parts.widgets.some(({ state }) => state.recipe?.game === "kalah");

/** @type {Map<number, () => Promise<void>>} */
const waiting = new Map(); // how to draw the widgets that no reader has chosen so far

// Makes the buttons by which a reader chooses one of the first widgets.
function makeChoice() {
  const bar = document.createElement("p");
  bar.className = "choose";
  bar.role = "group";
  bar.ariaLabel = "Search";
  const buttons = parts.names.map((name) =>
    Object.assign(document.createElement("button"), { type: "button", textContent: name }),
  );
  /** @type {(chosen: number) => Promise<void>} */
  async function choose(chosen) {
    for (const [place, button] of buttons.entries()) {
      button.ariaPressed = String(place === chosen);
      /** @type {HTMLElement} */ (document.getElementById(`widget-${place}`)).hidden =
        place !== chosen;
    }
    const start = waiting.get(chosen);
    waiting.delete(chosen);
    await start?.();
  }
  for (const [place, button] of buttons.entries()) button.onclick = () => choose(place);
  bar.append(...buttons);
  return { bar, choose };
}

const choice = parts.names.length ? makeChoice() : null;
const { bar, wake } = makeInvitation();

const modules = await Promise.all(parts.modules.map(importModule));
for (const [place, { module, state }] of parts.widgets.entries()) {
  const { default: widget } = modules[module];
  const model = modelOf(state);
  const el = /** @type {HTMLElement} */ (document.getElementById(`widget-${place}`));
  const runs = parts.runtime.length || document.getElementById("runtime");
  const wakes = !onSlide && state.recipe && runs;
  if (wakes) state.live = "asleep";
  if (wakes && explorers) state.openable = true;
  models.push(model);
  model.on("change:opened", () => openFrom(model));
  model.on("change:played", () => model.get("played").length && wake());
  /** @type {(() => void) | undefined} */
  let end;
  const start = async () => {
    end?.();
    el.replaceChildren();
    end = await widget.render({ model, el });
  };
  await widget.initialize?.({ model });
  if (place > 0 && place < parts.names.length) {
    el.hidden = true; // it starts when a reader chooses it
    waiting.set(place, start);
    continue;
  }
  await start();
  if (!wakes) continue;
  awake.push({ model, start, kalah: state.recipe.game === "kalah" });
}
// In a frame the widget comes first; the page around it has the heading.
const framed = parent !== window;
document.documentElement.classList.toggle("framed", framed);
if (awake.length && framed)
  document.getElementById(`widget-${parts.widgets.length - 1}`)?.after(bar);
else if (awake.length) document.getElementById("widget-0")?.before(bar);
if (choice) {
  document.getElementById("widget-0")?.before(choice.bar);
  choice.choose(0);
}
// A link leads straight to the game or the search that was shared.
if (document.querySelector("[data-wanted]")) wake();
