// The board's view. It knows no rules: legal moves, the paths of stones and the end of the game are
// in the trait `record`. The view draws one state with `render`; a reader's input is an action that
// makes the next state, or a request to Python, whose answer is such an action.

import { button, h, observe, put, show } from "../shared/dom.js";
import { makeBusy, makeKernel } from "../shared/kernel.js";
import { makeGameLink } from "./link.js";
import { makeMoveList } from "./move_list.js";
import { Pits } from "./pits.js";
import { makeSetUp } from "./set_up.js";
import { makeSettings } from "./settings.js";
import * as actions from "./state.js";
import { isReviewed, makeValueBar, makeValueGraph } from "./value_graph.js";

/** @import { Answer, Model } from "../shared/types.js" */
/** @import { Act, Request, State, Way } from "./types.js" */

const PATIENCE = 10; // seconds without a word from the kernel
const KEYS = "Arrows move between pits, Enter plays, u undoes, r redoes.";
const RECORD =
  "This is the record of a game: step through it with Back, Forward, or its list of moves.";
const ASLEEP = "To play on from here, press “Start Python in this page”.";
const READY =
  "Click a pit to play. The page then starts its own Python, 12 MB, which makes the answers.";
const ANSWERS = "Python is loading, to answer";
const STILL = "You cannot make moves here";
const FRAMED = `${STILL}; to play, run the notebook.`; // for a board in a page of a report
const COMING = "This link leads to a game. It is shown as soon as Python runs.";
const UNKNOWN = "This link leads to a game that this page cannot show, because it has no Python.";
const MARKS = { legal: "can be played", sown: "pit sown", last: "last stone", taken: "captured" };

export default {
  /** @type {(view: { model: Model, el: HTMLElement }) => () => void} */
  render({ model, el }) {
    const board = new Board(model, el);
    return () => board.close();
  },
};

class Board {
  #requests = 0;
  #stepping = 0; // the number of the last request for a step, until it is answered
  /** @type {Way | undefined} */
  #later = undefined; // a step requested while Python makes a move
  #travel = {}; // identifies the running animation, which stops once this is another object

  undo = button("Back", () => this.stepTo("back"), { "aria-keyshortcuts": "u" });
  redo = button("Forward", () => this.stepTo("on"), { "aria-keyshortcuts": "r" });
  before = button("Back to the previous game", () => this.ask({ ask: "before" }));
  reply = button("", () => this.askHere({ ask: "reply" }));
  hint = button("Hint", () => this.giveHint());
  placing = button("Set up a position", () => this.beginSetUp());
  opener = button("Open in the explorer", () => this.openAt(this.state.shown));
  done = h("span");
  next = h("b");
  pause = h("span.kb-waiting", { "aria-hidden": "true" });
  fault = h("p.kb-fault", { role: "alert" });
  why = h("p.kb-why");
  mistake = h("p.kb-mistake", { "aria-live": "polite" });
  worth = makeValueBar();
  graph = makeValueGraph((at) => this.go(at, false));
  hints = h("ul.kb-hints", { role: "status" });
  animate = h("input", { type: "checkbox", onchange: () => this.#setAnimate() });
  pits = new Pits((index, event) => this.press(index, event));

  /** @param {Model} model @param {HTMLElement} el */
  constructor(model, el) {
    this.model = model;
    const live = [true, "page"].includes(model.get("live"));
    this.state = actions.initialState(
      model.get("record"),
      model.get("at"),
      live,
      model.get("animate"),
      model.get("live") === "asleep" ? model.get("turn") : {},
    );
    // The text of a page that has no Python, or that has not started it.
    const still = parent === window ? `${STILL}.` : FRAMED;
    const record = this.state.record.steps.length > 1 ? `${RECORD} ` : "";
    const ready = actions.playableOf(this.state).length > 0;
    this.still = record + (model.get("live") === "asleep" ? (ready ? READY : ASLEEP) : still);
    this.kernel = makeKernel(model, PATIENCE, this.onSilence, (waited) =>
      this.act(actions.setWaited, waited),
    );
    this.busy = makeBusy(() => model.send({ stop: true }));
    const begin = () => this.ask(this.#positionFor("set up board"));
    const leave = () => this.act(actions.showStep, this.state.shown);
    this.setUp = makeSetUp(this.act, begin, leave);
    this.moves = makeMoveList({
      go: (at) => this.go(at, false),
      review: () => this.ask({ ask: "review" }),
      opens: (at) => this.opens(at),
      openAt: (at) => this.openAt(at),
    });
    this.settings = makeSettings(this.state.record, !live, (request) => this.ask(request));
    this.root = this.#build();
    el.append(this.root);
    this.unobserve = this.#observe();
    this.render();
    this.link = this.#begin();
    this.link.follow();
  }

  // ---- elements

  #build() {
    const { busy, fault, hints, moves, pits, setUp, settings, why } = this;
    const main = h(
      "div.kb-main",
      this.#makeHead(),
      h("div.kb-scene", this.worth.element, pits.element),
      why,
      this.mistake,
      this.graph.element,
      busy.element,
      fault,
      setUp.element,
      this.#makeButtons(),
      hints,
      this.#makeLegend(),
      this.state.live ? h("p.kb-hint.kb-keyboard", KEYS) : h("p.kb-hint", this.still),
      settings.element,
    );
    const events = {
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
      onfocusin: (/** @type {FocusEvent} */ { target }) => {
        const index = this.#indexOf(target);
        if (index >= 0) this.act(actions.focusPit, index);
      },
      onfocusout: (/** @type {FocusEvent} */ { relatedTarget }) => {
        if (!this.root.contains(relatedTarget)) this.act(actions.focusPit, null);
      },
    };
    return h(
      "div.kalah-board",
      { "data-lm-suppress-shortcuts": "true", ...events },
      h("div.kb-columns", main, moves.element),
    );
  }

  #makeHead() {
    const status = h("span", { role: "status", "aria-atomic": "false" }, this.done, " ", this.next);
    return h("p.kb-head", status, " ", this.pause);
  }

  #makeButtons() {
    const { animate, before, hint, opener, placing, redo, reply, undo } = this;
    const title = "Show the stones move one by one";
    const stones = h("label", { title }, animate, " Moving stones");
    const buttons = [undo, redo, before, reply, hint, placing, opener, stones];
    return h("div.kb-buttons", buttons);
  }

  #makeLegend() {
    const keys = Object.entries(MARKS).map(([mark, text]) => {
      const isFixed = !this.state.live && !actions.playableOf(this.state).length;
      const hidden = mark === "legal" && isFixed;
      return h("span", { hidden }, h(`i.kb-key.kb-${mark}`), text);
    });
    return h("p.kb-legend", keys);
  }

  /** @type {(target: unknown) => number} */
  #indexOf(target) {
    return this.pits.spots.findIndex(({ box }) => box === target);
  }

  // ---- drawing

  /** @type {Act} */
  act = (action, ...args) => {
    const before = this.state;
    this.state = action(before, ...args);
    if (this.state === before) return;
    this.render();
    this.#move(before);
    this.#check(before);
  };

  render() {
    const { model, state } = this;
    this.root.dataset.theme = model.get("theme");
    const { editing, fault, hints, moving, progress, record, shown, thinking } = state;
    const [done, next] = actions.statusOf(state);
    put(this.done, done);
    put(this.next, next);
    put(this.why, actions.worthOf(state));
    put(this.mistake, actions.mistakeOf(state));
    this.root.classList.toggle("kb-reviewed", isReviewed(record));
    this.worth.show(state);
    this.graph.show(state);
    const seconds = state.waited ? ` ${state.waited} s` : "";
    put(this.pause, thinking && !fault ? `${thinking} …${seconds}` : "");
    this.busy.tell(progress);
    show(this.busy.element, this.state.live && thinking !== "");
    put(this.fault, fault);
    show(this.fault, fault !== "");
    show(this.hints, hints.length > 0);
    if (this.hints.textContent !== hints.join(""))
      this.hints.replaceChildren(...hints.map((line) => h("li", line)));
    this.root.classList.toggle("kb-editing", editing !== null);
    this.root.classList.toggle("kb-moving", moving);
    if (!moving) this.pits.draw(actions.seenOf(state), actions.hereOf(state));
    this.#showButtons();
    this.setUp.show(state);
    const { depth, players, rules, values } = record;
    const { player, text } = record.steps[shown];
    const [south, north] = players;
    this.settings.show({ south, north, values, depth, rules, text, mover: String(player) });
    this.moves.show(state);
  }

  #showButtons() {
    const { animate, live, record, shown } = this.state;
    const { ours, over, player } = record.steps[shown];
    put(this.undo, live ? "Undo" : "Back"); // a game that is played, or a record
    put(this.redo, live ? "Redo" : "Forward");
    this.undo.disabled = shown === 0;
    this.redo.disabled = shown === record.steps.length - 1;
    show(this.before, live && record.before);
    show(this.reply, live && ours);
    put(this.reply, `Let ${actions.NAMES[player]} move`);
    show(this.opener, this.opens(shown));
    show(this.hint, live && !over && !ours);
    show(this.placing, live);
    this.animate.checked = animate;
  }

  // Animates a move that begins, stone by stone.
  /** @type {(before: State) => Promise<void>} */
  async #move(before) {
    const { state } = this;
    const same = state.shown === before.shown && state.record.game === before.record.game;
    if (state.moving && before.moving && same) return;
    this.#travel = {};
    if (!state.moving) return;
    const travel = this.#travel;
    const wanted = () => this.#travel === travel;
    const hands = actions.handsOf(actions.stepOf(state).board, actions.nextMove(state));
    await this.pits.travel(actions.seenOf(state), hands, wanted);
    if (wanted()) this.act(actions.finishMove);
  }

  // Asks Python whether a changed position can be played.
  /** @type {(before: State) => Promise<void>} */
  async #check({ editing: before }) {
    const { editing } = this.state;
    if (!editing || (editing.board === before?.board && editing.mover === before.mover)) return;
    const answer = await this.kernel.ask(this.#positionFor("check"));
    if (answer) this.act(actions.setVerdict, editing, answer);
  }

  /** @type {(ask: string) => Request} */
  #positionFor(ask) {
    return { ask, board: this.state.editing?.board, mover: this.state.editing?.mover };
  }

  get #stonesMove() {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    return this.state.animate && !document.hidden && !still;
  }

  // ---- changes from outside: traits, the address, the page

  #observe() {
    const { kernel, model } = this;
    return observe(model, {
      record: () => this.#follow(),
      at: () => this.#follow(),
      thinking: () => {
        kernel.alive();
        this.act(actions.setThinking, model.get("thinking"));
      },
      progress: () => {
        kernel.alive();
        this.act((state) => ({ ...state, progress: model.get("progress") }));
      },
      theme: () => this.render(),
      animate: () => this.act((state) => ({ ...state, animate: model.get("animate") })),
    });
  }

  #setAnimate() {
    this.model.set("animate", this.animate.checked);
    this.model.save_changes();
  }

  #begin() {
    const ownsAddress =
      Boolean(this.model.page) && document.querySelector(".kalah-board") === this.root;
    if (ownsAddress) document.addEventListener("keydown", this.onDocumentKey);
    if (this.state.live) this.kernel.ask({ ask: "hello" }).then(() => this.#repeatMoves());
    return makeGameLink(ownsAddress && location.protocol !== "about:", {
      text: () => this.state.record.text,
      load: (text, place) => this.load(text, place),
      go: (place) => this.state.record.steps[place] && this.go(place, false),
      complain: (text) => this.act(actions.setFault, text),
    });
  }

  close() {
    this.#travel = {};
    this.kernel.end();
    this.unobserve();
    this.link.end();
    document.removeEventListener("keydown", this.onDocumentKey);
  }

  // Several traits change together; this waits until all have.
  async #follow() {
    this.kernel.alive();
    await Promise.resolve();
    if (!this.#stepping) this.#walk(this.model.get("at"));
  }

  /** @type {(to: number) => void} */
  #walk(to) {
    this.act(actions.walkTo, this.model.get("record"), to, this.#stonesMove);
  }

  /** @type {(text: string) => void} */
  onSilence = (text) => {
    this.#stepping = 0;
    this.#later = undefined;
    this.act(actions.setFault, text);
  };

  // Loads the game of a link.
  /** @type {(text: string, place: number | null) => void} */
  load(text, place) {
    const asleep = this.model.get("live") === "asleep";
    this.root.scrollIntoView({ block: "start" });
    if (this.state.live) this.ask({ ask: "game", text, place });
    else this.act(actions.setFault, asleep ? COMING : UNKNOWN);
    this.root.toggleAttribute("data-wanted", asleep);
  }

  // ---- input

  // Sends a request to Python, and shows the game that results.
  /** @type {(request: Request) => Promise<void>} */
  async ask(request) {
    this.act(actions.setFault, this.state.live ? "" : this.still);
    if (!this.state.live) return;
    const number = ++this.#requests;
    if (request.ask === "show") this.#stepping = number;
    const answer = await this.kernel.ask(request);
    if (!answer) return;
    this.act(actions.setFault, answer.error);
    if (number < this.#stepping) return; // the answer to a later step decides
    this.#stepping = 0;
    this.#walk(this.model.get("at"));
    if (!answer.error) this.link.write(this.state.record.text, this.model.get("at"));
    if (this.#later && !this.kernel.waits()) this.stepTo(this.#later);
  }

  /** @type {(request: Request) => void} */
  askHere(request) {
    this.act(actions.skipMoves);
    this.ask({ ...request, at: this.state.shown });
  }

  async giveHint() {
    this.act(actions.setFault);
    this.act(actions.skipMoves);
    const { shown } = this.state;
    const answer = await this.kernel.ask({ ask: "hint", at: shown });
    if (answer) this.act(actions.setHints, shown, answer);
  }

  beginSetUp() {
    this.act(actions.skipMoves);
    this.act(actions.beginEditing);
  }

  // Returns whether an explorer can show the search of a position. If Python has not been started,
  // the explorer has to be one that the page can start, or one that has this search.
  /** @type {(at: number) => boolean} */
  opens(at) {
    const { live, record } = this.state;
    if (live) return record.opens;
    const openable = this.model.get("openable") ?? [];
    return openable === true || openable.includes(record.steps[at].text);
  }

  /** @type {(at: number) => unknown} */
  openAt(at) {
    this.act(actions.skipMoves);
    if (this.state.live) return this.ask({ ask: "open", at });
    this.go(at, false);
    this.model.set("opened", this.state.record.steps[at].text);
  }

  /** @type {(index: number, event: MouseEvent) => unknown} */
  press(index, event) {
    if (this.state.editing) {
      event.preventDefault();
      const fewer = event.shiftKey || event.type === "contextmenu";
      return this.act(actions.pressPit, index, fewer);
    }
    if (event.type !== "click" || this.pits.spots[index].store) return;
    if (!this.state.live && actions.playableOf(this.state).includes(index))
      return this.#playKnown(index);
    const { thinking } = this.state;
    if (thinking && this.kernel.waits()) this.act(actions.setFault, `${thinking}; please wait.`);
    else this.askHere({ ask: "play", index });
  }

  // Makes a move without Python, which the page then starts.
  /** @type {(index: number) => void} */
  #playKnown(index) {
    this.act(actions.setFault);
    this.act(actions.skipMoves);
    this.act(actions.playKnown, index, this.#stonesMove);
    this.act(actions.setThinking, ANSWERS);
    this.model.set("played", this.state.played);
  }

  // Makes the moves in Python that were made before it ran.
  async #repeatMoves() {
    const played = this.model.get("played") ?? [];
    this.model.set("played", []);
    let at = this.model.get("at");
    for (const index of played) {
      await this.ask({ ask: "play", at, index });
      at += 1;
    }
  }

  // A step requested while Python makes a move starts from the position after that move.
  /** @type {(way: Way) => void} */
  stepTo(way) {
    this.#later = this.kernel.waits() && !this.#stepping ? way : undefined;
    if (this.#later) return;
    this.act(actions.skipMoves);
    const { live, record, shown } = this.state;
    const to = live ? record.steps[shown][way] : shown + (way === "back" ? -1 : 1);
    if (record.steps[to]) this.go(to, way === "on");
  }

  /** @type {(at: number, moving: boolean) => void} */
  go(at, moving) {
    this.act(actions.setFault);
    if (this.state.live) this.ask({ ask: "show", at });
    else this.link.write(this.state.record.text, at);
    if (moving) this.#walk(at);
    else this.act(actions.showStep, at);
  }

  // ---- keys

  // If nothing has the focus, the left and right arrows step through the game, and Home and End go
  // to its start and its end.
  /** @type {(event: KeyboardEvent) => unknown} */
  onDocumentKey = (event) =>
    event.target === document.body && /Left|Right|Home|End/.test(event.key) && this.#stepBy(event);

  // Returns the step to which an arrow leads, unless it moves from pit to pit.
  /** @type {(event: KeyboardEvent) => number | undefined} */
  #stepBy(event) {
    const { editing, record, target } = this.state;
    const last = record.steps.length - 1;
    const ways = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
    const by = { ...ways, Home: -target, End: last - target }[event.key];
    if (!by || editing) return;
    event.preventDefault();
    const to = target + by;
    if (!record.steps[to]) return target;
    this.go(to, false);
    return to;
  }

  /** @type {(event: KeyboardEvent) => void} */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {Element} */ (event.target);
    if (target.closest("input, select, textarea")) return;
    const stepping = !this.state.live && /Left|Right|Home|End/.test(event.key);
    if (stepping && !target.closest(".kb-log")) return void this.#stepBy(event);
    if (target.closest("[aria-label=Moves]")) {
      const to = this.#stepBy(event);
      if (to !== undefined) return this.moves.focus(to);
    }
    const before = this.state;
    const index = this.#indexOf(target);
    if (index >= 0) this.act(actions.pressKey, index, event.key);
    const next = target.closest(".kb-pit") ? actions.neighbourOf(before, event.key) : undefined;
    if (this.state === before) {
      if (!before.editing && event.key === "u") this.undo.click();
      else if (!before.editing && event.key === "r") this.redo.click();
      else if (next !== undefined) this.pits.spots[next].box.focus();
      else return;
    }
    event.preventDefault();
  }
}
