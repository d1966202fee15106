// The view of a search that grew a tree: it steps through the four states of each iteration. All
// numbers, terms and reasons come from Python.

/** @import { Model } from "../shared/types.js" */
/** @import { Item } from "../explorer/types.js" */
/** @import { Act, Growth, Reasons } from "./types.js" */

import { makePaper, makeSaving } from "../explorer/export.js";
import { listen } from "../explorer/keys.js";
import { fillScreen, makeProjector } from "../explorer/projector.js";
import { gunzip, unpackCells } from "../explorer/trace.js";
import { makeAddress } from "../shared/address.js";
import { button, h, observe, put, set, show } from "../shared/dom.js";
import { makeKernel } from "../shared/kernel.js";
import { makeMore } from "../shared/more.js";
import { makeGrowthClock, makeGrowthPlayer } from "./clock.js";
import { csvOf } from "./csv.js";
import { keysOf } from "./keys.js";
import { makeGrowthLegend } from "./legend.js";
import { GrowthPane } from "./pane.js";
import { makeGrowthPanel, sentenceOf } from "./panel.js";
import { makeGrowthQuiz } from "./quiz.js";
import * as actions from "./state.js";
import { momentOf, stateOf, unpackGrowth } from "./trace.js";

const PATIENCE = 20; // seconds after which the view reports that Python does not answer
const LATER = "The reason is computed …";
let views = 0;

class GrowthView {
  /** @type {import("./types.js").State} */
  state = /** @type {any} */ (null); // until a search is loaded
  /** @type {GrowthPane[]} */
  panes = [];
  details = /** @type {ReturnType<typeof makeGrowthPanel>} */ (/** @type {any} */ (null));
  #ended = new AbortController();
  #width = 0;
  #narrow = false; // whether the panel is below the tree
  #asked = 0; // the step whose reasons Python was asked for last

  /** @param {Model} model @param {HTMLElement} el */
  constructor(model, el) {
    this.model = model;
    this.uid = `kg${++views}-`;
    this.inPage = model.get("live") !== true;
    this.kernel = makeKernel(model, PATIENCE, (text) => this.complain(text));
    this.root = h("div.kx.kg", { "data-lm-suppress-shortcuts": "true" });
    el.append(this.root);
    this.say = h("p.kx-say", { "aria-live": "polite" });
    this.notice = h("p.kx-notice", { role: "alert", hidden: true });
    this.panel = h("aside.kx-panel", { "aria-label": "The selected node" });
    this.body = h("div.kx-panes");
    this.legendPlace = h("div");
    this.clock = makeGrowthClock(this.act);
    this.player = makeGrowthPlayer(this);
    this.quiz = makeGrowthQuiz(this.act);
    this.projector = makeProjector((on) => this.project(on));
    this.quizButton = button("Quiz", () => this.act(this.quiz.toggle), { class: "kx-ask" });
    this.root.append(...this.#makeParts());
    const first = document.querySelector(".kx") === this.root;
    const ownsAddress = this.inPage && first && location.protocol !== "about:";
    this.address = makeAddress(ownsAddress, () => this.#follow(this.#linked() ?? 0));
    this.#listen();
  }

  #makeParts() {
    const { body, clock, legendPlace, notice, panel, quiz, quizButton, say } = this;
    const group = { class: "kx-controls", role: "group", "aria-label": "Steps" };
    const saving = makeSaving({
      pane: () => this.pane,
      csv: () => csvOf(this.state.t, momentOf(this.state.k).step),
      complain: this.complain,
      page: async () =>
        this.inPage ? this.model.page?.() : (await this.kernel.ask({ page: true }))?.page,
    });
    return [
      h(
        "div.kx-top",
        h("div", group, clock.buttons, quizButton, this.projector.enter, makeMore(this.root)),
        clock.element,
      ),
      h("div.kx-talk", this.projector.leave, say, quiz.element, notice),
      h("div.kx-body", body, panel),
      h("div.kx-foot.kx-extra", legendPlace, saving),
    ];
  }

  get pane() {
    return this.panes[0];
  }

  // ---- input

  /** @type {Act} */
  act = (action, ...args) => {
    if (!this.state) return; // no search could be loaded; the notice says why
    const { k } = this.state;
    this.state = action(this.state, ...args);
    this.render();
    if (this.state.k !== k) this.#tellStep();
  };

  /** @type {(k: number) => void} */
  go = (k) => this.act(actions.goTo, k);

  // Enters or leaves projector mode. alone: whether a reader wants it on the whole screen.
  /** @type {(on: boolean, alone?: boolean) => void} */
  project = (on, alone = true) => {
    if (!this.state || on === this.state.projecting || this.state.quiz) return;
    this.act(actions.project, on);
    if (alone || !on) fillScreen(this.root, on);
    this.pane.tree.focus({ preventScroll: true });
  };

  /** @type {(digit: string) => void} */
  typeNumber = (digit) => {
    const { number } = this.clock;
    number.value = digit;
    number.focus();
  };

  // A click selects a node; a click on the selected node opens or closes it.
  /** @type {(item: Item) => void} */
  click(item) {
    if (this.pane.marks.focus === item.key) this.act(actions.toggleNode, item);
    else this.act(actions.selectNode, item.id);
    this.pane.tree.focus({ preventScroll: true });
  }

  // ---- drawing

  render() {
    const { clock, pane, player, quiz, root, say, state } = this;
    root.classList.toggle("quizzing", state.quiz !== null);
    root.classList.toggle("projector", state.projecting);
    root.classList.toggle("stacked", this.#narrow && !state.projecting);
    set(this.projector.enter, { disabled: state.quiz !== null });
    set(this.quizButton, { "aria-pressed": String(state.quiz !== null) });
    set(say, { "aria-live": state.playing ? "off" : "polite" }); // too fast to be read out
    player(state);
    clock.show(state);
    quiz.show(state);
    pane.update();
    put(say, state.quiz ? "" : sentenceOf(state.t, state.k, this.#reasons(momentOf(state.k).step)));
    this.details.update(state);
  }

  // Returns the reasons of a step, or why they are not there (yet).
  /** @type {(step: number) => Reasons | string} */
  #reasons = (step) => {
    const { t } = this.state;
    const reasons = t.reasons.get(step);
    if (reasons || !step) return reasons ?? [];
    if (step <= t.explained) return LATER;
    const most = t.explained.toLocaleString("en");
    if (this.model.get("live") !== true)
      return `This page has the reasons of the iterations up to ${most}.`;
    if (this.#asked !== step && !this.state.playing) this.#ask(step);
    return LATER;
  };

  /** @type {(step: number) => Promise<void>} */
  async #ask(step) {
    this.#asked = step;
    const answer = await this.kernel.ask({ reasons: step });
    if (answer?.error) this.complain(answer.error);
    if (!answer?.reasons) return;
    this.state.t.reasons.set(step, answer.reasons);
    this.render();
  }

  // ---- loading

  async #load() {
    const { model } = this;
    /** @type {Growth} */
    let t;
    const [packed] = model.get("traces");
    try {
      t = await unpackGrowth(packed);
    } catch (error) {
      return this.complain(/** @type {Error} */ (error).message);
    }
    const step = this.#linked() ?? this.model.get("step");
    this.state = actions.stateFor(t, stateOf(Math.min(t.steps, step)));
    for (const pane of this.panes) pane.end();
    this.panes = [new GrowthPane(t, this.uid, this)];
    this.body.replaceChildren(this.pane.element);
    const pick = (/** @type {number} */ id) => this.act(actions.selectNode, id);
    this.details = makeGrowthPanel(t, pick, this.#reasons);
    this.panel.replaceChildren(...this.details.parts);
    this.legendPlace.replaceChildren(makeGrowthLegend(t));
    this.#stack();
    this.render();
    performance.mark("explorer-drawn");
    await this.#loadMore(t, packed.reasons);
  }

  // Returns the step in the address of the page; null if there is none.
  /** @returns {number | null} */
  #linked() {
    const step = this.inPage ? /[#&]step=(\d+)$/.exec(location.hash)?.[1] : null;
    return step ? Number(step) : null;
  }

  // Unpacks the positions and the reasons, after the tree has been drawn.
  /** @type {(t: Growth, packed: DataView<ArrayBuffer>) => Promise<void>} */
  async #loadMore(t, packed) {
    try {
      await unpackCells(t);
      const all = JSON.parse(new TextDecoder().decode(await gunzip(packed)));
      all.forEach((/** @type {Reasons} */ reasons, /** @type {number} */ place) =>
        t.reasons.set(place + 1, reasons),
      );
    } catch (error) {
      this.complain(/** @type {Error} */ (error).message);
    }
    this.render();
  }

  // Puts the panel below the tree if there is not enough room beside it.
  #stack() {
    this.#narrow = this.root.clientWidth < 900;
    this.root.classList.toggle("stacked", this.#narrow && !this.state?.projecting);
  }

  /** @type {(text: string) => void} */
  complain = (text) => {
    this.notice.textContent = text;
    show(this.notice, text !== "");
  };

  #tellStep() {
    const { step } = momentOf(this.state.k);
    this.model.set("step", step);
    this.model.save_changes();
    this.address.write(`#step=${step}`);
  }

  // ---- changes from outside: traits, themes, sizes, paper

  #listen() {
    const { model, root } = this;
    const { signal } = this.#ended;
    listen(root, this.#keys(), model.page ? signal : null);
    this.unobserve = observe(model, {
      theme: () => this.#theme(),
      step: () => this.#follow(model.get("step")),
      traces: () => this.#load(),
    });
    const theme = () => this.#theme();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", theme, { signal });
    for (const [event, hear] of Object.entries(makePaper(this, (k) => this.act(actions.at, k))))
      addEventListener(event, hear, { signal });
    const leave = () => document.fullscreenElement !== root && this.project(false);
    root.addEventListener("fullscreenchange", leave, { signal }); // the browser's own Escape
    this.resized = new ResizeObserver(() => this.#onResize());
    this.resized.observe(root);
  }

  // The keys act on the state and the pane of the moment.
  #keys() {
    /** @type {import("../explorer/keys.js").Keys} */
    const keys = {
      tree: (shifted) => (this.state ? keysOf(this).tree(shifted) : {}),
      clock: (shifted) => (this.state ? keysOf(this).clock(shifted) : {}),
    };
    return keys;
  }

  /** @type {(step: number) => void} */
  #follow(step) {
    if (this.state && step !== momentOf(this.state.k).step) this.act(actions.goToStep, step);
  }

  #onResize() {
    if (this.#width === this.root.clientWidth) return;
    this.#width = this.root.clientWidth;
    this.#stack();
  }

  #theme() {
    this.root.dataset.theme = this.model.get("theme") || "";
    requestAnimationFrame(() => this.pane?.timeline.paint(this.state));
  }

  async start() {
    this.#theme();
    await this.#load();
    if (this.inPage && /[#&]projector(&|$)/.test(location.hash)) this.project(true, false);
    this.root.explorer = this; // for tests and benchmarks
    this.root.dataset.ready = "true";
  }

  end() {
    this.unobserve?.();
    this.address.end();
    this.#ended.abort();
    this.resized?.disconnect();
    if (this.state) this.player({ ...this.state, playing: false });
    this.kernel.end();
    for (const pane of this.panes) pane.end();
    this.root.remove();
  }
}

/** @type {(view: { model: Model, el: HTMLElement }) => Promise<() => void>} */
async function render({ model, el }) {
  const view = new GrowthView(model, el);
  await view.start();
  return () => view.end();
}

export default { render };
