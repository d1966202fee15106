// The board as Python tells it. Nothing here knows the rules: what can be played, where each
// stone falls and how a game ends stands in the trait `record`. Words are set as text, never
// as HTML.

const NAMES = ["South", "North"];
const BEADS = 20; // the most stones that are drawn one by one
const HOP = 150; // milliseconds from pit to pit,
const SOWING = 1800; // and for a whole sowing
const PATIENCE = 10000; // milliseconds without a word from the kernel
const NO_KERNEL =
  "No kernel answers here, so no move can be made. This is the record of a game: " +
  "step through it with Undo, Redo, or its list of moves.";
const KEYS = "Arrows move between pits, Enter plays, u undoes, r redoes.";

export default {
  render({ model, el }) {
    const board = new Board(model, el);
    return () => board.close();
  },
};

// An element with attributes, properties (`on…`, and what no attribute says) and children.
function make(name, given = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (typeof value === "function" || typeof value === "boolean") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function drawn(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// What is asked of Python: each question has an answer, or a reader is told that there is none.
class Kernel {
  constructor(model, { answered, silent, waiting }) {
    Object.assign(this, { model, answered, silent, waiting, asked: 0, open: 0, heard: 0 });
    this.there = model.get("live"); // a page without a kernel says that it is none
    this.listen = (message) => this.hear(message);
    model.on("msg:custom", this.listen);
  }

  ask(question) {
    if (!this.there) {
      this.silent(NO_KERNEL);
      return 0;
    }
    const id = ++this.asked;
    try {
      this.model.send({ ...question, id });
    } catch (error) {
      this.silent(`The kernel cannot be reached (${error.message}). Run the board's cell again.`);
      return 0;
    }
    this.open = id;
    this.news();
    this.attend();
    return id;
  }

  hear(message) {
    if (!("answers" in message)) return;
    if (message.answers >= this.open) this.open = 0;
    this.answered(message.answers, message.fault);
  }

  // A sign of life: the wait begins anew.
  news() {
    this.heard = performance.now();
    if (this.there && this.model.get("thinking")) this.attend();
  }

  attend() {
    this.clock ??= setInterval(() => this.watch(), 500);
  }

  watch() {
    const status = this.model.widget_manager?.kernel?.status;
    const thinking = this.model.get("thinking") !== "";
    const waited = performance.now() - this.heard;
    if (!thinking && !this.open) return this.stop();
    if (status === "dead" || status === "terminating") {
      return this.give_up("The kernel has died. Restart it and run the notebook to play on.");
    }
    if (waited > PATIENCE && (!thinking || status === "idle")) {
      return this.give_up(
        status === "busy"
          ? "The kernel is busy with something else; the board goes on when it answers."
          : "The kernel does not answer. If it was restarted, run the board's cell again.",
      );
    }
    this.waiting(waited);
  }

  give_up(words) {
    this.stop();
    this.silent(words);
  }

  stop() {
    this.open = 0;
    clearInterval(this.clock);
    this.clock = undefined;
  }

  close() {
    this.stop();
    this.model.off("msg:custom", this.listen);
  }
}

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
    this.spots = [];
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
    this.table = make("div", { class: "kb-table", role: "group", "aria-label": "Kalah board" });
    this.why = make("p", { class: "kb-why" });
    this.moves = make("ol", { class: "kb-moves" });
    const label = "Show the stones move one by one";
    this.animate = make("input", { type: "checkbox", onchange: () => this.set_animate() });
    this.animate.checked = this.model.get("animate");
    this.undo = this.button("Undo", () => this.step_to("back"), { "aria-keyshortcuts": "u" });
    this.redo = this.button("Redo", () => this.step_to("on"), { "aria-keyshortcuts": "r" });
    this.reply = this.button("", () => this.ask_at({ ask: "reply" }));
    this.opener = this.button("Open in the explorer", () => this.ask_at({ ask: "open" }));
    this.copied = make("span", { role: "status" });
    const copy = this.button("Copy", () => this.copy());
    this.settings = this.build_settings();
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
          this.table,
          this.why,
          this.fault,
          make(
            "div",
            { class: "kb-buttons" },
            this.undo,
            this.redo,
            this.reply,
            this.opener,
            make("label", { title: label }, this.animate, " Moving stones"),
          ),
          this.build_legend(),
          make("p", { class: "kb-hint" }, this.kernel.there ? KEYS : NO_KERNEL),
          this.settings,
        ),
        make(
          "section",
          { class: "kb-log", "aria-label": "Moves" },
          make("p", {}, make("b", {}, "Moves")),
          this.moves,
          make("p", { class: "kb-copy" }, copy, " ", this.copied),
        ),
      ),
    );
    el.append(this.root);
  }

  button(words, onclick, more = {}) {
    return make("button", { type: "button", onclick, ...more }, words);
  }

  build_legend() {
    const marks = { legal: "can be played", sown: "pit sown", last: "last stone", taken: "captured" };
    const said = Object.entries(marks).map(([mark, words]) =>
      make("span", {}, make("i", { class: `kb-key kb-${mark}` }), words),
    );
    return make("p", { class: "kb-legend" }, ...said);
  }

  build_settings() {
    const { record } = this;
    const list = `kb-players-${Math.random().toString(36).slice(2)}`;
    const player = () => make("input", { list, maxlength: "80", spellcheck: "false" });
    const [south, north] = [player(), player()];
    const options = record.suggested.map((value) => make("option", { value }));
    const choice = (words) =>
      make("select", {}, ...Object.entries(words).map(([value, said]) => make("option", { value }, said)));
    const values = choice({ off: "nothing", search: "a search", exact: "perfect play" });
    const depth = make("input", { type: "number", min: "1", max: "14" });
    const pits = make("input", { type: "number", min: "1", max: "12", value: "6" });
    const stones = make("input", { type: "number", min: "0", max: "99", value: "4" });
    const mover = choice(NAMES);
    const text = make("input", { class: "kb-text", maxlength: "300", spellcheck: "false" });
    this.fields = { south, north, values, depth, text };
    const form = (legend, words, question, ...fields) => {
      const onsubmit = (event) => {
        event.preventDefault();
        this.ask(question());
      };
      const submit = make("button", { type: "submit" }, words);
      return make("form", { onsubmit, noValidate: true, "aria-label": legend }, ...fields, submit);
    };
    const named = (words, field) => make("label", {}, `${words} `, field);
    return make(
      "details",
      { class: "kb-settings", hidden: !this.kernel.there },
      make("summary", {}, "Players, values, another position"),
      make("datalist", { id: list }, ...options),
      form(
        "Players",
        "Set players",
        () => ({ ask: "players", south: south.value, north: north.value }),
        named("South", south),
        named("North", north),
      ),
      form(
        "Values",
        "Show",
        () => ({ ask: "values", values: values.value, depth: depth.value }),
        named("Values by", values),
        named("depth", depth),
      ),
      form(
        "Another position",
        "Set up",
        () => ({ ask: "set up", text: text.value, mover: Number(mover.value) }),
        named("Position, the mover as South", text),
        named("to move", mover),
      ),
      form(
        "New game",
        "New game",
        () => ({ ask: "new", pits: pits.value, stones: stones.value }),
        named("Pits", pits),
        named("stones in each", stones),
      ),
    );
  }

  // Pits and stores, where they are seen: North above, from right to left.
  lay(board) {
    const half = board.length / 2;
    const pits = half - 1;
    this.spots = board.map((_, index) => {
      const [owner, pit] = [Math.floor(index / half), index % half];
      const store = pit === pits;
      const column = store ? (owner ? 1 : pits + 2) : owner ? pits + 1 - pit : pit + 2;
      const spot = { index, owner, pit, store, column, count: make("b", {}) };
      spot.stones = drawn("svg", { viewBox: store ? "-26 -56 52 112" : "-30 -30 60 60" });
      spot.stones.setAttribute("aria-hidden", "true");
      const style = `grid-column:${column};grid-row:${store ? "5 / span 2" : owner ? 5 : 6}`;
      if (store) spot.box = make("div", { class: "kb-store", role: "img", style });
      else {
        spot.box = this.button("", () => this.play(index), { class: "kb-pit", style });
        spot.number = make("span", { class: "kb-number", "aria-hidden": "true" }, String(pit + 1));
        spot.number.style.gridArea = `${owner ? 4 : 7} / ${column}`;
        spot.value = make("b", { class: "kb-value", "aria-hidden": "true" });
        spot.value.style.gridArea = `${owner ? 3 : 8} / ${column}`;
        spot.bar = make("span", { class: "kb-bar", "aria-hidden": "true" }, make("i"));
        spot.bar.style.gridArea = `${owner ? 2 : 9} / ${column}`;
      }
      spot.box.append(spot.stones, spot.count);
      return spot;
    });
    this.hand = make("span", { class: "kb-hand", "aria-hidden": "true", hidden: true });
    const sides = NAMES.map((name, owner) => {
      return make("span", { class: `kb-side kb-side-${owner}` }, owner ? `← ${name}` : `${name} →`);
    });
    this.sides = sides;
    this.table.style.setProperty("--pits", pits);
    this.table.classList.toggle("kb-many", pits > 8);
    const seen = [...this.spots].sort((a, b) => b.owner - a.owner || a.column - b.column);
    this.table.replaceChildren(
      make("div", { class: "kb-wood" }),
      ...seen.flatMap((spot) => [spot.bar, spot.value, spot.number, spot.box].filter(Boolean)),
      ...sides,
      this.hand,
    );
    this.here = undefined;
  }

  // ---- what is shown of it

  dress() {
    this.root.dataset.theme = this.model.get("theme");
  }

  show(at) {
    this.shown = at;
    const { record, step } = this;
    this.game = record.game;
    if (this.spots.length !== step.board.length) this.lay(step.board);
    this.count(step.board);
    this.mark(step);
    this.hand.hidden = true;
    this.root.classList.remove("kb-moving");
    this.tell(step.move ? `${step.move.words}.` : "", `${step.turn}.`);
    this.sides.forEach((side, owner) => {
      side.classList.toggle("kb-turn", !step.over && owner === step.player);
    });
    this.draw_values(step);
    this.draw_buttons(step);
    this.draw_log();
  }

  count(board) {
    this.counts = [...board];
    for (const spot of this.spots) this.fill(spot, board[spot.index]);
  }

  fill(spot, count) {
    spot.count.textContent = count;
    spot.count.style.setProperty("--digits", String(count).length);
    spot.box.classList.toggle("kb-empty", count === 0);
    if (spot.drawn === count) return;
    spot.drawn = count;
    const places = count > BEADS ? [] : spot.store ? pile(count) : beads(count);
    const stones = places.map(([cx, cy]) => drawn("circle", { cx, cy, r: 3 }));
    spot.box.classList.toggle("kb-piled", spot.store && stones.length > 0);
    spot.stones.replaceChildren(...stones);
  }

  // Rings and labels: what was sown, where the last stone fell, what was captured, what can be
  // played.
  mark({ move, legal, bars }) {
    const worth = new Map((bars ?? []).map((bar) => [bar.index, bar.text]));
    for (const spot of this.spots) {
      const count = this.counts[spot.index];
      const marks = {
        taken: Boolean(move?.emptied.includes(spot.index)),
        last: move?.drops.at(-1) === spot.index,
        sown: move?.from === spot.index,
        legal: legal.includes(spot.index),
      };
      for (const [mark, on] of Object.entries(marks)) spot.box.classList.toggle(`kb-${mark}`, on);
      const stones = `${count} stone${count === 1 ? "" : "s"}`;
      const said = spot.store
        ? [`${NAMES[spot.owner]}'s store`, stones]
        : [`pit ${spot.pit + 1} of ${NAMES[spot.owner]}`, stones];
      if (marks.legal) said.push("legal");
      if (worth.has(spot.index)) said.push(`value ${worth.get(spot.index)}`);
      if (marks.sown) said.push("sown last");
      if (marks.last) said.push("last stone fell here");
      if (marks.taken) said.push("captured");
      spot.box.setAttribute("aria-label", said.join(", "));
      if (!spot.store) spot.box.setAttribute("aria-disabled", String(!marks.legal));
    }
    if (!this.root.contains(document.activeElement) || this.here === undefined) {
      this.rove(legal[0] ?? 0);
    }
  }

  draw_values(step) {
    const bars = new Map((step.bars ?? []).map((bar) => [bar.index, bar]));
    const parts = [...bars.values()].map((bar) => bar.part);
    const [low, high] = [Math.min(0, ...parts), Math.max(0, ...parts)];
    const share = (part) => `${(100 * part) / (high - low || 1)}%`;
    this.table.classList.toggle("kb-valued", this.record.values !== "off");
    for (const spot of this.spots.filter((spot) => !spot.store)) {
      const bar = bars.get(spot.index);
      spot.value.textContent = bar?.text ?? "";
      spot.value.classList.toggle("kb-best", Boolean(bar?.best));
      spot.bar.hidden = !bar;
      if (!bar) continue;
      spot.bar.className = `kb-bar ${bar.part < 0 ? "kb-minus" : "kb-plus"}`;
      spot.bar.classList.toggle("kb-best", bar.best);
      spot.bar.style.setProperty("--zero", share(-low));
      spot.bar.style.setProperty("--from", share(Math.min(0, bar.part) - low));
      spot.bar.style.setProperty("--size", share(Math.abs(bar.part)));
    }
    this.why.textContent = this.worth(step);
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

  draw_log() {
    const rows = this.steps.map((step, at) => {
      const words = step.move ? step.move.words : `Start: ${step.text}`;
      const row = this.button(words, () => this.go(at, false));
      if (at === this.shown) row.setAttribute("aria-current", "step");
      return make("li", { value: at, class: at ? "" : "kb-first" }, row);
    });
    const focus = [...this.moves.children].findIndex((row) => row.contains(document.activeElement));
    this.moves.replaceChildren(...rows);
    rows[focus]?.firstChild.focus();
    const shown = rows[this.shown];
    this.moves.scrollTop = shown.offsetTop - this.moves.clientHeight / 2;
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
      await this.travel(this.step, this.steps[this.shown + 1].move, run);
      if (run !== this.run) return;
      this.show(this.shown + 1);
    }
  }

  async travel(before, move, run) {
    if (this.spots.length !== before.board.length) this.lay(before.board);
    this.count(before.board);
    this.draw_values({});
    this.mark({ move: null, legal: [] });
    this.root.classList.add("kb-moving");
    this.tell(`${move.words}.`, "");
    this.spots[move.from].box.classList.add("kb-sown");
    let held = this.lift(move.from);
    let at = move.from;
    const pace = Math.min(HOP, SOWING / move.drops.length);
    for (const next of move.drops) {
      await this.carry(at, next, held, pace);
      if (run !== this.run) return;
      this.put(next, 1);
      held -= 1;
      at = next;
    }
    this.spots[at].box.classList.add("kb-last");
    for (const index of move.emptied) {
      this.spots[index].box.classList.add("kb-taken");
      const taken = this.lift(index);
      await this.carry(index, move.store, taken, 2 * HOP);
      if (run !== this.run) return;
      this.put(move.store, taken);
    }
    await this.carry(move.store, move.store, 0, HOP);
  }

  lift(index) {
    const held = this.counts[index];
    this.put(index, -held);
    return held;
  }

  put(index, stones) {
    this.counts[index] += stones;
    this.fill(this.spots[index], this.counts[index]);
  }

  carry(from, to, held, duration) {
    const table = this.table.getBoundingClientRect();
    const [start, end] = [from, to].map((index) => {
      const { left, top, width, height } = this.spots[index].box.getBoundingClientRect();
      return `translate(${left + width / 2 - table.left}px, ${top + height / 2 - table.top}px)`;
    });
    this.hand.hidden = held === 0;
    this.hand.textContent = held;
    const frames = [{ transform: start }, { transform: end }];
    return this.hand.animate(frames, { duration, easing: "ease-in-out", fill: "forwards" }).finished;
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
    this.rove(index);
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

  async copy() {
    const rows = this.steps.map((step, at) => (at ? `${at}. ${step.move.words}` : step.text));
    const text = `${rows.join("\n")}\n${this.steps.at(-1).turn}\n`;
    const done = await written(text);
    this.copied.textContent = done ? "Copied." : "The browser does not let the list be copied.";
  }

  // One pit at a time takes part in the page's order of focus; arrows move to the others.
  rove(index) {
    this.here = index;
    for (const { box, store, index: other } of this.spots) {
      if (!store) box.tabIndex = other === index ? 0 : -1;
    }
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, select")) return;
    const act = { u: () => this.undo.click(), r: () => this.redo.click() }[event.key];
    const next = event.target.closest(".kb-pit") ? this.neighbour(event.key) : undefined;
    if (!act && next === undefined) return;
    event.preventDefault();
    if (act) return act();
    this.rove(next);
    this.spots[next].box.focus();
  }

  neighbour(key) {
    const here = this.spots[this.here];
    const row = this.spots.filter((spot) => !spot.store && spot.owner === here.owner);
    row.sort((a, b) => a.column - b.column);
    const place = row.indexOf(here);
    const facing = (owner) => this.spots.find((spot) => {
      return !spot.store && spot.owner === owner && spot.column === here.column;
    });
    const spot = {
      ArrowLeft: () => row[Math.max(0, place - 1)],
      ArrowRight: () => row[Math.min(row.length - 1, place + 1)],
      ArrowUp: () => facing(1),
      ArrowDown: () => facing(0),
      Home: () => row[0],
      End: () => row.at(-1),
    }[key]?.();
    return spot?.index;
  }
}

// Stones along the rim of a pit, evenly, the first at the top.
function beads(count) {
  return Array.from({ length: count }, (_, stone) => {
    const angle = (2 * Math.PI * stone) / count;
    return [19.5 * Math.sin(angle), -19.5 * Math.cos(angle)];
  });
}

// Stones in a store, in rows of four from the bottom.
function pile(count) {
  return Array.from({ length: count }, (_, stone) => {
    return [9 * (stone % 4) - 13.5, 40 - 9 * Math.floor(stone / 4)];
  });
}

// Whether a text is on the clipboard. Pages that are not served safely have the old way only.
async function written(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = make("textarea", { style: "position:fixed;opacity:0" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
