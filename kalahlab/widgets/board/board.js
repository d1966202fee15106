// The board as Python tells it. Nothing here knows the rules: what can be played, where each
// stone falls and how a game ends stands in the trait `record`.

import { button, h, observe } from "../shared/dom.js";
import { makeBusy, makeKernel } from "../shared/kernel.js";
import { makeGameLink } from "./link.js";
import { MoveList } from "./move_list.js";
import { NAMES, Pits } from "./pits.js";
import { SetUp } from "./set_up.js";
import { makeSettings } from "./settings.js";

/** @import { Answer, Model } from "../shared/types.js" */

const PATIENCE = 10; // seconds without a word from the kernel
const KEYS = "Arrows move between pits, Enter plays, u undoes, r redoes.";
const RECORD =
  "This is the record of a game: step through it with Undo, Redo, or its list of moves.";
const ASLEEP = `${RECORD} To play on from here, press “Start Python in this page”.`;
const STILL = `${RECORD} No move can be made here; in the notebook it can be played.`;
const COMING = "This link leads to a game. It is shown as soon as Python runs.";
const UNKNOWN = "This link leads to a game that this page cannot show, as it has no Python.";
const MARKS = { legal: "can be played", sown: "pit sown", last: "last stone", taken: "captured" };

/** @import { Game, Move, Request, Step, Way } from "./types.js" */
export default {
  /** @type {(view: { model: Model, el: HTMLElement }) => () => void} */
  render({ model, el }) {
    const board = new Board(model, el);
    return () => board.close();
  },
};

class Board {
  /** What is shown: the place in the game, and the game's number. */
  shown = 0;
  game = 0;
  /** Where the stones are going. */
  target = 0;
  /** The number of what moves now: what has another number stops. */
  run = 0;
  requests = 0;
  /** The number of the last request for a step, until it is answered. */
  stepping = 0;
  /** @type {Way | undefined} a step asked for while a move is being made */
  later = undefined;

  undo = button("Undo", () => this.stepTo("back"), { "aria-keyshortcuts": "u" });
  redo = button("Redo", () => this.stepTo("on"), { "aria-keyshortcuts": "r" });
  before = button("Back to the game before", () => this.ask({ ask: "before" }), { hidden: true });
  reply = button("", () => this.askHere({ ask: "reply" }));
  hint = button("Hint", () => this.giveHint());
  placing = button("Set up a position", () => this.beginSetUp());
  opener = button("Open in the explorer", () => this.openAt(this.shown));

  /** @param {Model} model @param {HTMLElement} el */
  constructor(model, el) {
    this.model = model;
    this.live = [true, "page"].includes(model.get("live"));
    // What a page says that has no Python, or whose Python has not been asked for.
    this.still = model.get("live") === "asleep" ? ASLEEP : STILL;
    /** @type {(text: string) => void} */
    const silent = (text) => this.unanswered(text);
    this.kernel = makeKernel(model, PATIENCE, silent, (waited) => this.wait(waited));
    this.busy = makeBusy(() => this.model.send({ stop: true }));
    this.pits = new Pits((index) => this.play(index), this.live);
    this.setUp = new SetUp(
      (board) => this.pits.showEdited(board),
      (request) => this.askSetUp(request),
      () => this.show(this.shown),
    );
    this.moves = new MoveList(
      (at) => this.go(at, false),
      () => this.ask({ ask: "review" }),
      (at) => this.opens(at) && (() => this.openAt(at)),
    );
    this.settings = makeSettings(this.record, !this.live, (request) => this.ask(request));
    this.build(el);
    this.unobserve = observe(model, {
      record: () => this.follow(),
      at: () => this.follow(),
      thinking: () => this.think(),
      progress: () => this.progress(),
      theme: () => this.setTheme(),
      animate: () => (this.animate.checked = model.get("animate")),
    });
    this.setTheme();
    this.target = model.get("at");
    this.show(this.target);
    const own = Boolean(model.page) && document.querySelector(".kalah-board") === this.root;
    const ownAddress = own && location.protocol !== "about:";
    this.link = makeGameLink(ownAddress, {
      own: () => this.record.text,
      load: (text, place) => this.load(text, place),
      go: (place) => this.steps[place] && this.go(place, false),
      complain: (text) => this.complain(text),
    });
    /** @type {(event: KeyboardEvent) => unknown} */
    this.pressed = (event) => event.target === document.body && this.stepBy(event);
    if (own) document.addEventListener("keydown", this.pressed);
    if (this.live) this.kernel.ask({ ask: "hello" });
    this.link.follow();
  }

  close() {
    this.run++;
    this.kernel.end();
    this.unobserve();
    this.link.end();
    document.removeEventListener("keydown", this.pressed);
  }

  /** @returns {Game} */
  get record() {
    return this.model.get("record");
  }

  get steps() {
    return this.record.steps;
  }

  get step() {
    return this.steps[this.shown];
  }

  // ---- what is on the page

  /** @type {(el: HTMLElement) => void} */
  build(el) {
    this.done = h("span");
    this.next = h("b");
    this.pause = h("span", { class: "kb-waiting", "aria-hidden": "true" });
    this.fault = h("p", { class: "kb-fault", role: "alert", hidden: true });
    this.why = h("p", { class: "kb-why" });
    this.hints = h("ul", { class: "kb-hints", role: "status", hidden: true });
    this.root = h(
      "div",
      { class: "kalah-board", "data-lm-suppress-shortcuts": "true", onkeydown: (e) => this.key(e) },
      h(
        "div",
        { class: "kb-columns" },
        h(
          "div",
          { class: "kb-main" },
          h(
            "p",
            { class: "kb-head" },
            h("span", { role: "status", "aria-atomic": "false" }, this.done, " ", this.next),
            " ",
            this.pause,
          ),
          this.pits.element,
          this.why,
          this.busy.element,
          this.fault,
          this.setUp.element,
          this.makeButtons(),
          this.hints,
          h(
            "p",
            { class: "kb-legend" },
            Object.entries(MARKS).map(([mark, text]) =>
              h(
                "span",
                { hidden: mark === "legal" && !this.live },
                h("i", { class: `kb-key kb-${mark}` }),
                text,
              ),
            ),
          ),
          h("p", { class: "kb-hint" }, this.live ? KEYS : this.still),
          this.settings.element,
        ),
        this.moves.element,
      ),
    );
    el.append(this.root);
  }

  makeButtons() {
    const changed = () => {
      this.model.set("animate", this.animate.checked);
      this.model.save_changes();
    };
    this.animate = h("input", { type: "checkbox", onchange: changed });
    this.animate.checked = this.model.get("animate");
    const title = "Show the stones move one by one";
    return h(
      "div",
      { class: "kb-buttons" },
      this.undo,
      this.redo,
      this.before,
      this.reply,
      this.hint,
      this.placing,
      this.opener,
      h("label", { title }, this.animate, " Moving stones"),
    );
  }

  // ---- what is shown of it

  setTheme() {
    this.root.dataset.theme = this.model.get("theme");
  }

  /** @type {(at: number) => void} */
  show(at) {
    this.shown = at;
    this.endSetUp();
    this.hints.hidden = true;
    const { record, step } = this;
    this.game = record.game;
    this.pits.show(step, record.values !== "off");
    this.why.textContent = this.worth(step);
    this.root.classList.remove("kb-moving");
    this.tell(step.move ? `${step.move.words}.` : "", `${step.turn}.`);
    this.showButtons(step);
    const {
      values,
      depth,
      rules,
      players: [south, north],
    } = record;
    const mover = String(step.player);
    this.settings.show({ south, north, values, depth, rules, text: step.text, mover });
    this.before.hidden = !this.live || !record.before;
    this.moves.show(record, at, this.live);
  }

  // What the bars show, or why there are none.
  /** @type {(step: Step) => string} */
  worth({ bars, player, why_not }) {
    if (why_not) return `No values: ${why_not}.`;
    if (!bars?.length) return "";
    const { values, depth } = this.record;
    const by = values === "exact" ? "under perfect play" : `by a search ${depth} deep`;
    return `Bars: what each move is worth to ${NAMES[player]}, ${by}.`;
  }

  /** @type {(step: Step) => void} */
  showButtons(step) {
    this.undo.disabled = this.shown === 0;
    this.redo.disabled = this.shown === this.steps.length - 1;
    this.reply.hidden = !step.ours || !this.live;
    this.reply.textContent = `Let ${NAMES[step.player]} move`;
    this.opener.hidden = !this.opens(this.shown);
    this.hint.hidden = step.over || step.ours || !this.live;
    this.placing.hidden = !this.live;
  }

  // What was done and what comes next, each said aloud when it changes.
  /** @type {(done: string, next: string) => void} */
  tell(done, next) {
    if (this.done.textContent !== done) this.done.textContent = done;
    if (this.next.textContent !== next) this.next.textContent = next;
  }

  /** @type {(text?: string) => void} */
  complain(text) {
    this.fault.textContent = text;
    this.fault.hidden = text === "";
  }

  think() {
    this.kernel.alive();
    this.wait(0);
    if (this.model.get("thinking")) this.busy.begin();
    else this.busy.end();
  }

  progress() {
    this.kernel.alive();
    this.busy.tell(this.model.get("progress"));
  }

  /** @type {(waited: number) => void} */
  wait(waited) {
    const of = this.model.get("thinking");
    const seconds = waited < 1500 ? "" : ` ${Math.round(waited / 1000)} s`;
    this.pause.textContent = of && `${of} …${seconds}`;
  }

  // ---- stones that move

  get moving() {
    return (
      this.model.get("animate") &&
      !document.hidden &&
      !matchMedia("(prefers-reduced-motion: reduce)").matches
    );
  }

  // Several traits change together: look once all have.
  async follow() {
    this.kernel.alive();
    await Promise.resolve();
    if (!this.stepping) this.walk(this.model.get("at"));
  }

  // From what is shown to where it should be: forwards move by move, else at once.
  /** @type {(to: number) => void} */
  walk(to) {
    this.target = Math.min(to, this.steps.length - 1);
    const anew = this.game !== this.record.game;
    if (!this.moving || (!anew && this.target <= this.shown)) {
      this.run++;
      return this.show(this.target);
    }
    const walking = this.root.classList.contains("kb-moving");
    if (anew) this.show(0);
    if (anew || !walking) this.stride(++this.run);
  }

  /** @type {(run: number) => Promise<void>} */
  async stride(run) {
    while (this.shown < this.target) {
      const move = /** @type {Move} */ (this.steps[this.shown + 1].move);
      const wanted = () => run === this.run;
      this.root.classList.add("kb-moving");
      this.why.textContent = "";
      this.tell(`${move.words}.`, "");
      await this.pits.travel(this.step, move, wanted);
      if (!wanted()) return;
      this.show(this.shown + 1);
    }
  }

  // ---- hints, and positions set up by hand

  async giveHint() {
    this.complain("");
    this.finish();
    const { shown } = this;
    const answer = await this.kernel.ask({ ask: "hint", at: shown });
    if (!answer || shown !== this.shown) return;
    this.complain(answer.error);
    this.hints.replaceChildren(
      ...(answer.hints ?? []).map((/** @type {string} */ line) => h("li", {}, line)),
    );
    this.hints.hidden = !answer.hints;
  }

  beginSetUp() {
    this.finish();
    this.complain("");
    this.root.classList.add("kb-editing");
    this.tell("", "Setting up a position.");
    this.pits.edit = (index, fewer, to) => this.setUp.press(index, fewer, to);
    this.setUp.begin(this.step);
  }

  endSetUp() {
    this.root.classList.remove("kb-editing");
    this.pits.edit = null;
    this.setUp.end();
  }

  /** @type {(request: Request) => Promise<Answer | null | void>} */
  askSetUp(request) {
    return request.ask === "check" ? this.kernel.ask(request) : this.ask(request);
  }

  // ---- what a reader does

  // Asks Python, and goes where the answer leads.
  /** @type {(request: Request) => Promise<void>} */
  async ask(request) {
    this.complain(this.live ? "" : this.still);
    if (!this.live) return;
    const number = ++this.requests;
    if (request.ask === "show") this.stepping = number;
    const answer = await this.kernel.ask(request);
    if (!answer) return;
    this.complain(answer.error);
    if (number < this.stepping) return; // the answer to a later step will say where to go
    this.stepping = 0;
    this.walk(this.model.get("at"));
    if (!answer.error) this.link.write(this.record.text, this.model.get("at"));
    if (this.later && !this.kernel.waits()) this.stepTo(this.later);
  }

  // Whether an explorer can show the search of the position at a place: where Python is asleep, one
  // that the page wakes or that has this search.
  /** @type {(at: number) => boolean} */
  opens(at) {
    if (this.live) return this.record.opens;
    const openable = this.model.get("openable") ?? [];
    return openable === true || openable.includes(this.steps[at].text);
  }

  /** @type {(at: number) => unknown} */
  openAt(at) {
    this.finish();
    if (this.live) return this.ask({ ask: "open", at });
    this.go(at, false);
    this.model.set("opened", this.steps[at].text);
  }

  // The game of a link.
  /** @type {(text: string, place: number | null) => void} */
  load(text, place) {
    this.root.scrollIntoView({ block: "start" });
    if (this.live) this.ask({ ask: "game", text, place });
    else this.complain(this.model.get("live") === "asleep" ? COMING : UNKNOWN);
    this.root.toggleAttribute("data-wanted", !this.live);
  }

  /** @type {(request: Request) => void} */
  askHere(request) {
    this.finish();
    this.ask({ ...request, at: this.shown });
  }

  /** @type {(text: string) => void} */
  unanswered(text) {
    this.stepping = 0;
    this.later = undefined;
    this.pause.textContent = "";
    this.complain(text);
  }

  /** @type {(index: number) => void} */
  play(index) {
    this.pits.rove(index);
    const thinking = this.model.get("thinking");
    if (thinking && this.kernel.waits()) this.complain(`${thinking}; wait for that.`);
    else this.askHere({ ask: "play", index });
  }

  // A reader who goes on has seen enough of what moves.
  finish() {
    if (!this.root.classList.contains("kb-moving")) return;
    this.run++;
    this.show(this.target);
  }

  // A step that is asked for while a move is being made is from where the move will lead.
  /** @type {(way: Way) => void} */
  stepTo(way) {
    this.later = this.kernel.waits() && !this.stepping ? way : undefined;
    if (this.later) return;
    this.finish();
    const next = this.shown + (way === "back" ? -1 : 1);
    const to = this.live ? this.step[way] : next;
    if (this.steps[to]) this.go(to, way === "on");
  }

  /** @type {(at: number, moving: boolean) => void} */
  go(at, moving) {
    this.complain("");
    if (this.live) this.ask({ ask: "show", at });
    else this.link.write(this.record.text, at);
    if (moving) return this.walk(at);
    this.run++;
    this.target = at;
    this.show(at);
  }

  // Arrows go through the game, where they do not go from pit to pit.
  /** @type {(event: KeyboardEvent) => boolean} */
  stepBy(event) {
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const sideways = event.key === "ArrowLeft" || event.key === "ArrowRight";
    if (!by || this.setUp.open || (event.target === document.body && !sideways)) return false;
    event.preventDefault();
    const to = this.target + by;
    if (!this.steps[to]) return true;
    this.go(to, false);
    if (event.target !== document.body) this.moves.focus(to);
    return true;
  }

  /** @type {(event: KeyboardEvent) => void} */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {Element} */ (event.target);
    if (target.closest("input, select, textarea")) return;
    if (target.closest("[aria-label=Moves]") && this.stepBy(event)) return;
    if (this.setUp.open) {
      const spot = this.pits.spots.find(({ box }) => box === target);
      if (spot && this.pits.type(event.key, spot.index)) return event.preventDefault();
    }
    /** @type {Record<string, () => void>} */
    const acts = { u: () => this.undo.click(), r: () => this.redo.click() };
    const act = this.setUp.open ? undefined : acts[event.key];
    const next = target.closest(".kb-pit") ? this.pits.neighbour(event.key) : undefined;
    if (act) act();
    else if (next === undefined) return;
    else {
      this.pits.rove(next);
      this.pits.spots[next].box.focus();
    }
    event.preventDefault();
  }
}
