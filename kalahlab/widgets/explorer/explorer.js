// The search explorer's view: it steps through the log of a game-tree search. Boards, names,
// values, owners of bounds and costs all come with the trace from Python. The view has one state; a
// reader's input is an action that makes the next state, and `render` draws it.

/** @import { Answer, Model } from "../shared/types.js" */
/** @import { Act, Complain, Host, Item, Key, Piece, Trace } from "./types.js" */

import { button, h, observe, put, set, show } from "../shared/dom.js";
import { makeBusy, makeKernel } from "../shared/kernel.js";
import { makeMore } from "../shared/more.js";
import { CLOSED, current, phase } from "./at_step.js";
import { makeClock, makePlayer } from "./clock.js";
import * as crosses from "./cross_out.js";
import { csvOf } from "./csv.js";
import { joinPieces, searchPrefix, sentencePieces } from "./explanation.js";
import { makePaper, makeSaving } from "./export.js";
import { makeForm } from "./form.js";
import { keysOf, listen } from "./keys.js";
import { makeLegend } from "./legend.js";
import { figureAround, makeLinks } from "./links.js";
import { Pane } from "./pane.js";
import { makePanel } from "./panel.js";
import { fillScreen, makeProjector } from "./projector.js";
import { beginQuiz } from "./quiz.js";
import { makeQuiz } from "./quiz_view.js";
import { showWhole } from "./scene.js";
import * as actions from "./state.js";
import { makeTooltip } from "./tooltip.js";
import { makeTour } from "./tour.js";
import { alsoIn, isCut, leaveOf, unpack, unpackCells } from "./trace.js";
import { controls, grabNode, makeTreeTools, moveBranch, placeAt } from "./tree_editor.js";

let views = 0;
const HERE_ONLY =
  "This link opens only on this computer; to share it, put the page on a web server, or send the part after # with the file.";

class Explorer {
  state = actions.EMPTY;
  /** @type {Map<Trace, Pane>} */
  #panes = new Map(); // including those of trees that are hidden
  /** @type {Pane[]} */
  panes = [];
  /** @type {ReturnType<typeof crosses.unpackExercise> | undefined} */
  #exercise = undefined; // the exercise of crossing out branches
  /** @type {{ t: Trace, update(k: number, key: Key, chosen: boolean): void } | null} the panel's content */
  #details = null;
  /** @type {Promise<void> | null} */
  #loading = null;
  #ended = new AbortController();
  /** @type {[ResizeObserver, ResizeObserver, MutationObserver]} of sizes and of JupyterLab's theme */
  #watching = [
    new ResizeObserver(() => this.#onResize()),
    new ResizeObserver(() => this.#onGrowth()),
    new MutationObserver(() => this.#theme()),
  ];
  #width = 0;
  #narrow = false; // whether the panel is below the tree

  /** @param {Model} model @param {HTMLElement} el */
  constructor(model, el) {
    this.model = model;
    this.uid = `kx${++views}-`;
    this.live = [true, "page"].includes(model.get("live"));
    this.inPage = model.get("live") !== true; // there is no kernel, but perhaps Python in the page
    this.kernel = makeKernel(model, model.get("patience"), (text) => this.complain(text));
    this.root = h("div.kx", { "data-lm-suppress-shortcuts": "true" });
    el.append(this.root);
    this.say = h("p.kx-say", { "aria-live": "polite" });
    this.notice = h("p.kx-notice", { role: "alert", hidden: true });
    this.comparison = h("p.kx-comparison"); // the difference between a user's algorithm and alpha-beta
    this.linked = h("p.kx-linked", { role: "alert", hidden: true }); // until another step is shown
    this.busy = makeBusy(() => model.send({ stop: true }));
    this.panel = h("aside.kx-panel", { "aria-label": "The selected node" });
    this.body = h("div.kx-panes");
    this.formPlace = h("div");
    this.legendPlace = h("div");
    this.tooltip = makeTooltip(this.root, this.body, this);
    this.clock = makeClock(this);
    this.player = makePlayer(this);
    this.quiz = makeQuiz(this.act, () => model.get("link"));
    this.quizButton = button("Quiz", () => this.act(this.quiz.toggle), { class: "kx-ask" });
    this.crossOut = crosses.makeCrossOut(this.act);
    this.crossButton = button("Cross out", () => this.#toggleCrossing(), { class: "kx-crossing" });
    this.projector = makeProjector((on) => this.project(on));
    this.tour = makeTour(this.root, this);
    this.links = this.#makeLinks();
    this.parts = this.#makeParts();
    this.#listen();
  }

  #makeLinks() {
    const { inPage, model, root } = this;
    const ownsAddress =
      inPage && location.protocol !== "about:" && document.querySelector(".kx") === root;
    return makeLinks(model, ownsAddress, this, inPage ? figureAround() : null);
  }

  #makeSaving() {
    const { inPage, links, model } = this;
    const saving = makeSaving({
      pane: this.pane,
      csv: () => csvOf(this.pane().t),
      complain: this.complain,
      page: async () => (inPage ? model.page?.() : (await this.ask({ page: true }))?.page),
    });
    const title = "Copy a link to this step";
    const hidden = !links.address(0);
    saving.append(
      button("Link", () => this.#copyLink(), { title, hidden }),
      this.tour.again,
      this.linked,
    );
    return saving;
  }

  #makeParts() {
    const { body, busy, clock, crossOut, notice, panel, quiz, say, comparison, tour } = this;
    const group = { class: "kx-controls", role: "group", "aria-label": "Steps" };
    const more = makeMore(this.root);
    return [
      tour.card,
      h(
        "div.kx-top",
        h(
          "div",
          group,
          clock.buttons,
          this.quizButton,
          this.crossButton,
          this.projector.enter,
          more,
        ),
        clock.element,
      ),
      h(
        "div.kx-talk",
        this.projector.leave,
        tour.offer,
        say,
        quiz.element,
        crossOut.element,
        comparison,
        notice,
      ),
      h("div.kx-body", body, panel),
      this.formPlace,
      busy.element,
      h("div.kx-foot.kx-extra", this.legendPlace, this.#makeSaving()),
      this.tooltip.element,
    ];
  }

  // ---- input

  // Python and the address are updated when the clock moves.
  /** @type {Act} */
  act = (action, ...args) => {
    const { k, views } = this.state;
    if (!views.length) return; // no search could be loaded; the notice says why
    this.state = action(this.state, ...args);
    this.render();
    if (this.state.k !== k) this.#tellStep();
  };

  /** @type {(k: number) => void} */
  go = (k) => this.act(actions.goTo, k);

  // Nodes that the search has not reached are shown only on request, as they reveal what will be
  // cut.
  /** @type {(on: boolean) => void} */
  showWhole = (on) => {
    this.model.set("ahead", on);
    this.model.save_changes();
    this.links.write(this.state.k);
  };

  // Enters or leaves projector mode. alone: whether a reader wants it on the whole screen.
  /** @type {(on: boolean, alone?: boolean) => void} */
  project = (on, alone = true) => {
    const { quiz, crossing, projecting } = this.state;
    if (on === projecting || quiz || crossing) return;
    this.tooltip.hide();
    this.act(actions.project, on);
    if (alone || !on) fillScreen(this.root, on);
    this.pane()?.tree.focus({ preventScroll: true });
    this.links.write(this.state.k);
  };

  // Returns the active tree.
  pane = () => this.panes[this.state.active];

  unselect = () => {
    this.tooltip.hide();
    this.act(actions.selectNode, this.state.active, null);
  };

  // Crosses a branch out, or goes to the step at which the node was left.
  /** @type {(item: Item) => void} */
  enter = (item) => {
    if (this.state.crossing) this.act(crosses.crossOut, item.id);
    else this.go(leaveOf(this.pane().t, item.id) + 1);
  };

  /** @type {(by: number) => void} */
  reorder = (by) => {
    const pane = this.pane();
    const item = pane.layout.at.get(pane.marks.focus);
    if (item?.up && this.#editable()) moveBranch(pane, item, placeAt(pane, item, by), this.ask);
  };

  // A click selects a node; a click on the selected node opens or closes it.
  /** @type {(pane: Pane, item: Item) => void} */
  click(pane, item) {
    const isSelected = pane === this.pane() && pane.marks.focus === item.key;
    this.act(actions.selectNode, pane.place, item.key);
    if (this.state.crossing) this.enter(item);
    else if (isSelected) this.act(actions.toggleNode, pane.place, item);
    pane.tree.focus({ preventScroll: true });
  }

  // Begins to drag a node.
  /** @type {Host["grab"]} */
  grab = (pane, item) => (this.#editable() ? grabNode(pane, item, this.ask) : null);

  // Selects a node that is named in the panel.
  /** @type {(key: Key) => void} */
  #pick = (key) => this.act(actions.selectNode, this.state.active, key);

  async #toggleCrossing() {
    if (this.state.crossing) return this.act(crosses.endCrossing);
    this.#exercise ??= crosses.unpackExercise(this.model.get("exercise"));
    this.act(crosses.beginCrossing, ...(await this.#exercise));
    this.pane().tree.focus({ preventScroll: true });
  }

  // ---- drawing

  render() {
    this.#drawFrame();
    this.#drawTrees();
    if (!this.state.crossing) this.#drawDetails();
  }

  #drawFrame() {
    const { body, root, state } = this;
    const { active, crossing, playing, projecting, quiz } = state;
    root.classList.toggle("quizzing", quiz !== null);
    root.classList.toggle("crossing", crossing !== null);
    root.classList.toggle("projector", projecting);
    set(this.projector.enter, { disabled: quiz !== null || crossing !== null });
    root.classList.toggle("selected", state.views[active]?.focus != null);
    set(this.quizButton, { "aria-pressed": String(quiz !== null), disabled: crossing !== null });
    this.crossButton.textContent = crossing ? "Stop crossing out" : "Cross out";
    set(this.crossButton, { "aria-pressed": String(crossing !== null), disabled: quiz !== null });
    show(this.crossButton, Boolean(this.model.get("exercise")?.trace));
    put(this.comparison, this.model.get("comparison") ?? "");
    show(this.comparison, Boolean(this.model.get("comparison")) && !quiz && !crossing);
    set(this.say, { "aria-live": playing ? "off" : "polite" }); // too fast to be read out
    const panes = state.views.map(({ t }, place) => this.#paneOf(t, place));
    if (panes.some((pane, place) => pane !== this.panes[place]) || panes.length < this.panes.length)
      body.replaceChildren(...panes.map((pane) => pane.element));
    this.panes = panes;
    // A second search would reveal the answers about the first one.
    panes.forEach((pane, place) => show(pane.element, !quiz || place === active));
    const two = panes.length > 1 && !quiz;
    body.classList.toggle("two", two);
    for (const pane of panes) pane.element.classList.toggle("active", two && pane.place === active);
    root.classList.toggle("double", two && !projecting);
    root.classList.toggle("stacked", this.#narrow && !projecting);
  }

  /** @type {(t: Trace, place: number) => Pane} */
  #paneOf(t, place) {
    const existing = this.#panes.get(t);
    if (existing) return existing;
    const other = this.state.views[1 - place]?.t;
    const also = other?.root === t.root ? alsoIn(other, t) : null;
    const pane = new Pane(t, place, `${this.uid}${this.#panes.size}-`, this, also);
    this.#panes.set(t, pane);
    return pane;
  }

  #drawTrees() {
    const { clock, crossOut, panes, player, quiz, say, state } = this;
    for (const pane of panes) pane.lay(actions.sceneOf(state, pane.place));
    for (const pane of panes) pane.draw();
    player(state);
    clock.show(state);
    quiz.show(state);
    crossOut.show(state);
    const { t, k } = this.pane();
    const titles = state.crossing ? [] : panes.map((pane) => pane.t.title);
    this.#tell(state.quiz ? [] : [[searchPrefix(titles, state.active)], ...sentencePieces(t, k)]);
    const now = current(t, k);
    say.classList.toggle("iscut", k > 0 && isCut(t, now) && phase(t, now, k) === CLOSED);
  }

  // Writes the sentence; what is about a node leads there. An equal one stays, so that it is read
  // out once.
  /** @type {(pieces: Piece[]) => void} */
  #tell(pieces) {
    const text = joinPieces(pieces);
    if (this.say.textContent === text) return;
    const parts = pieces.map(([part, node]) =>
      node == null ? part : button(part, () => this.#pick(node), { class: "kx-link" }),
    );
    this.say.replaceChildren(...parts);
  }

  #drawDetails() {
    const pane = this.pane();
    const { t, k, marks } = pane;
    if (this.#details?.t !== t) {
      /** @type {(key: Key) => HTMLElement | null} */
      const edit = (key) => controls(pane, key, this.ask, this.#pick);
      const { parts, update } = makePanel(t, this.#pick, this.#editable() ? edit : null);
      this.#details = { t, update };
      this.panel.replaceChildren(...parts);
    }
    this.#details.update(k, marks.focus, this.state.views[this.state.active].focus !== null);
  }

  // ---- loading, at first and after another search by Python

  async #load() {
    const { model, root } = this;
    let traces;
    try {
      traces = await Promise.all(model.get("traces").map(unpack));
      if (!traces.length) throw new Error("there is no search to show");
    } catch (error) {
      return this.complain(/** @type {Error} */ (error).message);
    } finally {
      if (!root.firstChild) root.append(...this.parts); // only now, so that they are laid out once
    }
    const before = crosses.endCrossing(this.state);
    const loaded = actions.loadTraces(before, traces, model.get("step") || 0);
    this.state = showWhole(loaded, model.get("ahead"));
    const same = traces[0].root === traces[1]?.root; // two searches of the same position
    this.#exercise = undefined;
    this.#endPanes();
    this.#drawFrame();
    this.legendPlace.replaceChildren(makeLegend(traces, same, this.#editable()));
    this.#showForm();
    this.#stack();
    this.#drawTrees();
    requestAnimationFrame(() => this.clock.paint(this.state));
    if (this.state.quiz) this.act(beginQuiz, this.quiz.kind(), model.get("link"));
    performance.mark("explorer-drawn");
    await this.#showPositions();
  }

  #endPanes() {
    for (const pane of this.#panes.values()) pane.end();
    this.#panes.clear();
  }

  // Unpacks the positions and fills the panel, after the tree has been drawn.
  async #showPositions() {
    try {
      await Promise.all(this.panes.map(({ t }) => unpackCells(t)));
    } catch (error) {
      this.complain(/** @type {Error} */ (error).message);
    }
    this.#drawDetails();
  }

  // Puts the panel below the tree if there is not enough room beside it.
  #stack() {
    const { classList, clientWidth } = this.root;
    this.#narrow = clientWidth < 600 + 300 * this.panes.length;
    classList.toggle("stacked", this.#narrow && !this.state.projecting);
  }

  // ---- Python

  #editable() {
    return this.live && this.model.get("editable");
  }

  #showForm() {
    const { formPlace, model } = this;
    const searched = model.get("form");
    const open = formPlace.querySelector("details")?.open;
    formPlace.replaceChildren();
    if (!this.live || !searched.algorithm) return;
    const form = makeForm(searched, model.get("choices"), async (request) => {
      const pending = this.ask(request);
      this.busy.element.scrollIntoView({ block: "nearest" }); // for where it cannot be sticky
      const answer = await pending;
      if (answer && !answer.error && !this.state.k) this.#showFirstCut(); // at step 0 there is no tree to see
      return answer;
    });
    form.open = open;
    if (this.#editable())
      formPlace.append(makeTreeTools(searched, model.get("undoable"), this.ask));
    formPlace.append(form);
  }

  // Sends a request and returns the answer, after the new search has been loaded; null if there is
  // none.
  /** @type {(request: object) => Promise<Answer | null>} */
  ask = async (request) => {
    const { busy, notice, root } = this;
    root.setAttribute("aria-busy", "true");
    notice.hidden = true;
    busy.tell(0);
    show(busy.element, true);
    const answer = await this.kernel.ask(request);
    await this.#loading;
    show(busy.element, false);
    root.removeAttribute("aria-busy");
    if (answer?.error) {
      this.complain(answer.error);
      notice.scrollIntoView({ block: "nearest" }); // also for readers of the form
    }
    return answer;
  };

  /** @type {Complain} */
  complain = (text) => {
    this.notice.textContent = text;
    this.notice.hidden = !text;
  };

  // Copies a link to the current step, and shows it, so that it is read out. If the clipboard is
  // refused, the link is selected.
  async #copyLink() {
    const { linked } = this;
    const address = this.links.address(this.state.k);
    const copied = await navigator.clipboard?.writeText(address).then(
      () => true,
      () => false,
    );
    const text = h("span.kx-address", address);
    const part = address.includes("?") ? "?" : "#";
    linked.replaceChildren(copied ? "The link is copied: " : "Copy the link: ", text);
    if (address.startsWith("file:")) linked.append(`. ${HERE_ONLY.replace("#", part)}`);
    show(linked, true);
    if (!copied) getSelection()?.selectAllChildren(text);
    linked.scrollIntoView({ block: "nearest" });
  }

  #tellStep() {
    const { k } = this.state;
    if (k) show(this.tour.offer, false);
    show(this.linked, false);
    this.model.set("step", k);
    this.model.save_changes();
    this.links.write(k);
  }

  // ---- changes from outside: traits, themes, sizes, paper

  #listen() {
    const { kernel, model, root } = this;
    listen(root, keysOf(this), model.page ? this.#ended.signal : null);
    this.unobserve = observe(model, {
      opened: () => this.#open(),
      ahead: () => this.act(showWhole, model.get("ahead")),
      theme: () => this.#theme(),
      step: () => model.get("step") !== this.state.k && this.go(model.get("step")),
      traces: () => this.#reload(),
      progress: () => {
        kernel.alive();
        this.busy.tell(model.get("progress"));
      },
    });
    const { signal } = this.#ended;
    const theme = () => this.#theme();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", theme, { signal });
    for (const [event, hear] of Object.entries(makePaper(this, (k) => this.act(actions.at, k))))
      addEventListener(event, hear, { signal });
    const leave = () => document.fullscreenElement !== root && this.project(false);
    root.addEventListener("fullscreenchange", leave, { signal }); // the browser's own Escape
    const [resized, grown, jupyter] = this.#watching;
    resized.observe(root);
    grown.observe(this.say);
    const attributeFilter = ["data-jp-theme-light", "class"];
    jupyter.observe(document.body, { attributes: true, attributeFilter });
  }

  #onResize() {
    if (this.#width === this.root.clientWidth) return;
    this.#width = this.root.clientWidth;
    this.#stack();
    this.clock.paint(this.state);
    this.say.style.minHeight = "";
  }

  // A sentence with more lines than are reserved moves the tree once, not back and forth.
  #onGrowth() {
    const { offsetHeight, style } = this.say;
    if (offsetHeight) style.minHeight = `${offsetHeight}px`;
  }

  #theme() {
    this.root.dataset.theme = this.model.get("theme") || "";
    requestAnimationFrame(() => this.#repaint());
  }

  #repaint() {
    this.clock.paint(this.state);
    for (const pane of this.panes) pane.repaint();
  }

  #reload() {
    this.kernel.alive();
    this.#loading = this.#load().then(() => this.#tellStep());
  }

  async #open() {
    const position = this.model.get("opened");
    const form = this.model.get("form");
    const search =
      form.game === "kalah" ? { search: { ...form, position } } : { game: "kalah", position };
    const answer = position && (await this.ask(search));
    if (answer && !answer.error) this.#showFirstCut();
  }

  // Goes to the first cut and scrolls into sight, for a position that was opened from elsewhere.
  #showFirstCut() {
    this.go(0);
    this.act(actions.goToCut, 1);
    this.root.scrollIntoView({ block: "start" });
  }

  async start() {
    const { links, live, model, root } = this;
    this.#theme();
    // If Python can make the search of a link, that is the first one shown.
    const wanted = model.get("live") && links.wanted();
    root.classList.toggle("pending", Boolean(wanted));
    await this.#load();
    const followed = links.follow().then(() => {
      if (!live) return;
      root.classList.remove("pending");
      this.#repaint();
    });
    if (!live) await followed;
    if (model.get("shows_first_cut")) this.#showFirstCut();
    root.explorer = this; // for tests and benchmarks
    root.dataset.ready = "true";
  }

  end() {
    this.unobserve?.();
    this.links.end();
    this.#ended.abort();
    for (const observer of this.#watching) observer.disconnect();
    this.state = { ...this.state, playing: false };
    this.player(this.state);
    this.kernel.end();
    this.#endPanes();
    this.root.remove();
  }
}

/** @type {(view: { model: Model, el: HTMLElement }) => Promise<() => void>} */
async function render({ model, el }) {
  const explorer = new Explorer(model, el);
  await explorer.start();
  return () => explorer.end();
}

export default { render };
