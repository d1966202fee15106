// The board as Python tells it. Nothing here knows the rules: what can be played, where each
// stone falls and how a game ends stands in the trait `record`.

import { NAMES, button, make } from "./elements.js";
import { Kernel, NO_KERNEL } from "./kernel.js";
import { Log } from "./log.js";
import { makeSettings } from "./settings.js";
import { Table } from "./table.js";

const KEYS = "Arrows move between pits, Enter plays, u undoes, r redoes.";

export default {
  render({ model, el }) {
    const board = new Board(model, el);
    return () => board.close();
  },
};

class Board {
  constructor(model, el) {
    this.model = model;
    this.kernel = new Kernel(model, {
      answered: (id, fault) => this.answered(id, fault),
      silent: (words) => this.unanswered(words),
      waiting: (waited) => this.wait(waited),
    });
    this.run = 0; // the number of what moves now: what has another number stops
    this.stepping = 0; // the last question about a step, until it is answered
    this.build(el);
    this.traits = {
      "change:record": () => this.follow(),
      "change:at": () => this.follow(),
      "change:thinking": () => this.think(),
      "change:theme": () => this.dress(),
      "change:animate": () => (this.animate.checked = model.get("animate")),
    };
    for (const [event, hear] of Object.entries(this.traits)) model.on(event, hear);
    this.dress();
    this.target = model.get("at");
    this.show(this.target);
    if (this.kernel.there) this.kernel.ask({ ask: "hello" });
  }

  close() {
    this.run++;
    this.kernel.close();
    for (const [event, hear] of Object.entries(this.traits)) this.model.off(event, hear);
  }

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

  build(el) {
    this.done = make("span");
    this.next = make("b");
    this.pause = make("span", { class: "kb-waiting", "aria-hidden": "true" });
    this.fault = make("p", { class: "kb-fault", role: "alert", hidden: true });
    this.table = new Table((index) => this.play(index));
    this.why = make("p", { class: "kb-why" });
    const label = "Show the stones move one by one";
    this.animate = make("input", { type: "checkbox", onchange: () => this.set_animate() });
    this.animate.checked = this.model.get("animate");
    this.undo = button("Undo", () => this.step_to("back"), { "aria-keyshortcuts": "u" });
    this.redo = button("Redo", () => this.step_to("on"), { "aria-keyshortcuts": "r" });
    this.reply = button("", () => this.ask_at({ ask: "reply" }));
    this.opener = button("Open in the explorer", () => this.ask_at({ ask: "open" }));
    this.log = new Log((at) => this.go(at, false));
    const settings = makeSettings(this.record, !this.kernel.there, (question) => this.ask(question));
    this.fields = settings.fields;
    this.root = make(
      "div",
      { class: "kalah-board", "data-lm-suppress-shortcuts": "true", onkeydown: (e) => this.key(e) },
      make(
        "div",
        { class: "kb-columns" },
        make(
          "div",
          { class: "kb-main" },
          make(
            "p",
            { class: "kb-head" },
            make("span", { role: "status", "aria-atomic": "false" }, this.done, " ", this.next),
            " ",
            this.pause,
          ),
          this.table.element,
          this.why,
          this.fault,
          make(
            "div",
            { class: "kb-buttons" },
            this.undo,
            this.redo,
            this.reply,
            this.opener,
            make("label", { title: label }, this.animate, " EmbeddedWidget stones"),
          ),
          this.build_legend(),
          make("p", { class: "kb-hint" }, this.kernel.there ? KEYS : NO_KERNEL),
          settings.element,
        ),
        this.log.element,
      ),
    );
    el.append(this.root);
  }

  build_legend() {
    const marks = { legal: "can be played", sown: "pit sown", last: "last stone", taken: "captured" };
    const said = Object.entries(marks).map(([mark, words]) =>
      make("span", {}, make("i", { class: `kb-key kb-${mark}` }), words),
    );
    return make("p", { class: "kb-legend" }, ...said);
  }

  // ---- what is shown of it

  dress() {
    this.root.dataset.theme = this.model.get("theme");
  }

  show(at) {
    this.shown = at;
    const { record, step } = this;
    this.game = record.game;
    this.table.show(step, record.values !== "off");
    this.why.textContent = this.worth(step);
    this.root.classList.remove("kb-moving");
    this.tell(step.move ? `${step.move.words}.` : "", `${step.turn}.`);
    this.draw_buttons(step);
    this.log.show(this.steps, at);
  }

  // What the bars show, or why there are none.
  worth({ bars, player, why_not }) {
    if (why_not) return `No values: ${why_not}.`;
    if (!bars?.length) return "";
    const { values, depth } = this.record;
    const by = values === "exact" ? "under perfect play" : `by a search ${depth} deep`;
    return `Bars: what each move is worth to ${NAMES[player]}, ${by}.`;
  }

  draw_buttons(step) {
    const { record } = this;
    this.undo.disabled = this.shown === 0;
    this.redo.disabled = this.shown === this.steps.length - 1;
    this.reply.hidden = !step.ours || !this.kernel.there;
    this.reply.textContent = `Let ${NAMES[step.player]} move`;
    this.opener.hidden = !record.opens || !this.kernel.there;
    const [south, north] = record.players;
    const { values, depth } = record;
    const told = { south, north, values, depth, text: step.text };
    // What a reader is typing stays until it becomes, or something else becomes, true.
    for (const [name, value] of Object.entries(told)) {
      if (this.told?.[name] !== value) this.fields[name].value = value;
    }
    this.told = told;
  }

  // What was done and what comes next, each said aloud when it changes.
  tell(done, next) {
    if (this.done.textContent !== done) this.done.textContent = done;
    if (this.next.textContent !== next) this.next.textContent = next;
  }

  complain(words) {
    this.fault.textContent = words;
    this.fault.hidden = words === "";
  }

  think() {
    this.kernel.news();
    this.wait(0);
  }

  wait(waited) {
    const of = this.model.get("thinking");
    const seconds = waited < 1500 ? "" : ` ${Math.round(waited / 1000)} s`;
    const hint = waited < 60000 ? "" : "; interrupt the kernel to stop it";
    this.pause.textContent = of && `${of} …${seconds}${hint}`;
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
    this.kernel.news();
    await Promise.resolve();
    if (!this.stepping) this.walk(this.model.get("at"));
  }

  // From what is shown to where it should be: forwards move by move, else at once.
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

  async stride(run) {
    while (this.shown < this.target) {
      const { move } = this.steps[this.shown + 1];
      const wanted = () => run === this.run;
      this.root.classList.add("kb-moving");
      this.why.textContent = "";
      this.tell(`${move.words}.`, "");
      await this.table.travel(this.step, move, wanted);
      if (!wanted()) return;
      this.show(this.shown + 1);
    }
  }

  // ---- what a reader does

  ask(question) {
    this.complain("");
    return this.kernel.ask(question);
  }

  ask_at(question) {
    this.finish();
    this.ask({ ...question, at: this.shown });
  }

  play(index) {
    this.table.rove(index);
    const thinking = this.model.get("thinking");
    if (thinking && this.kernel.open) this.complain(`${thinking}; wait for that.`);
    else this.ask_at({ ask: "play", index });
  }

  // A reader who goes on has seen enough of what moves.
  finish() {
    if (!this.root.classList.contains("kb-moving")) return;
    this.run++;
    this.show(this.target);
  }

  // A step that is asked for while a move is being made is from where the move will lead.
  step_to(way) {
    this.later = this.kernel.open && !this.stepping ? way : undefined;
    if (this.later) return;
    this.finish();
    const next = this.shown + (way === "back" ? -1 : 1);
    const to = this.kernel.there ? this.step[way] : next;
    if (this.steps[to]) this.go(to, way === "on");
  }

  go(at, moving) {
    this.complain("");
    if (this.kernel.there) this.stepping = this.kernel.ask({ ask: "show", at });
    if (moving) return this.walk(at);
    this.run++;
    this.target = at;
    this.show(at);
  }

  answered(id, fault) {
    this.complain(fault);
    if (id < this.stepping) return;
    this.stepping = 0;
    this.walk(this.model.get("at"));
    if (this.later && !this.kernel.open) this.step_to(this.later);
  }

  unanswered(words) {
    this.stepping = 0;
    this.later = undefined;
    this.pause.textContent = "";
    this.complain(words);
  }

  set_animate() {
    this.model.set("animate", this.animate.checked);
    this.model.save_changes();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, select")) return;
    const act = { u: () => this.undo.click(), r: () => this.redo.click() }[event.key];
    const next = event.target.closest(".kb-pit") ? this.table.neighbour(event.key) : undefined;
    if (!act && next === undefined) return;
    event.preventDefault();
    if (act) return act();
    this.table.rove(next);
    this.table.spots[next].box.focus();
  }

}

