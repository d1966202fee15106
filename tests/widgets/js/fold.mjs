// The state of a search, updated event by event. `at_step.test.mjs` compares it with the state that
// the explorer computes for any step.

const isOpen = ({ alpha, beta }) => alpha === -Infinity && beta === Infinity;

export class Fold {
  constructor(search) {
    this.search = search;
    this.nodes = search.nodes;
    this.windows = search.windows;
    this.facts = new Map(); // by key: a node's value, its window or question, and its state
    this.touched = new Set();
    this.path = []; // the nodes entered and not left, with their windows and best values so far
    this.entered = 0;
    this.skipped = 0;
    this.cuts = 0;
    this.shown = 0; // the node of the last event
    this.way = []; // the windows of its ancestors, as they were when it was entered
  }

  enter(id) {
    const node = this.nodes[id];
    this.shown = id;
    this.entered++;
    this.path.push({ id, node, alpha: node.alpha, beta: node.beta, best: null });
    this.noteLast();
    for (const child of node.children) this.note(this.keyOf(child), "", "", "waiting");
    this.way = this.path.map((entry) => this.rung(entry));
    this.sentence = null;
    const inner = this.windows && ["inner", "cut"].includes(node.kind);
    this.reason = inner ? this.cutting(node) : null;
  }

  leave(id) {
    const last = this.path.pop();
    const { node } = last;
    const { value } = node;
    this.shown = id;
    this.way = [...this.way.slice(0, this.path.length), this.rung(last)];
    this.noteWindow(
      last,
      bounded(node, value, this.search.brief),
      node.kind === "cut" ? "cut" : "",
    );
    this.sentence = this.reason = null;
    if (node.kind === "cut") this.cut(id);
    if (this.path.length) this.learn(value, value < node.beta, isOpen(node));
  }

  cut(id) {
    const { untried, why } = this.search.cuts[id];
    this.cuts++;
    for (const [child, size] of untried) {
      this.skipped += size;
      this.note(this.keyOf(child), size > 1 ? spaced(size) : "", "", "never");
    }
    this.sentence = why;
  }

  // Updates the last node of the path with a child's value. `atMost`: a driver's pass failed low.
  learn(value, atMost, hasOpenWindow) {
    const last = this.path.at(-1);
    const { node } = last;
    if (node.kind === "driver" && hasOpenWindow) last.best = value;
    else if (node.kind === "driver" && atMost) last.beta = Math.min(last.beta, value);
    else if (node.max) {
      last.best = Math.max(last.best ?? value, value);
      last.alpha = Math.max(last.alpha, value);
    } else {
      last.best = Math.min(last.best ?? value, value);
      last.beta = Math.min(last.beta, value);
    }
    if (!this.windows) [last.alpha, last.beta] = [-Infinity, Infinity];
    this.noteLast();
  }

  noteLast() {
    const last = this.path.at(-1);
    const isDeepening = last.node.kind === "driver" && isOpen(this.nodes[last.id + 1]);
    const sign = isDeepening ? "" : last.node.max ? "≥" : "≤";
    this.noteWindow(
      last,
      last.best === null ? "" : sign + this.search.brief.get(last.best),
      "open",
    );
  }

  noteWindow(entry, text, state) {
    const { id, node } = entry;
    const leaf = ["leaf", "finished"].includes(node.kind);
    const question = node.question.replace(">", "more than").replace("≥", "at least");
    const window = this.windows && !leaf ? question || this.ends(entry).join(" to ") : "";
    this.note(String(id), text, window, leaf ? "leaf" : state);
  }

  note(key, ...facts) {
    this.facts.set(key, facts.join("|"));
    this.touched.add(key);
  }

  // Returns a node's key in the picture; that of an unvisited one is its place among its like.
  keyOf(id) {
    const { kind, parent } = this.nodes[id];
    if (kind !== "unvisited") return String(id);
    const untried = this.nodes[parent].children.filter((c) => this.nodes[c].kind === "unvisited");
    return `${parent}/${untried.indexOf(id)}`;
  }

  // Returns the texts of a window; an end next to a number is written as in the question.
  ends({ node, alpha, beta }) {
    const text = (value) => this.search.texts.get(value);
    const [low, high] = [text(alpha), text(beta)];
    if (node.question.includes(">") && beta === node.beta) return [low, `>${text(node.alpha)}`];
    if (node.question.includes("≥") && alpha === node.alpha) return [`<${text(node.beta)}`, high];
    return [low, high];
  }

  rung(entry) {
    return [...this.ends(entry), entry.best === null ? "" : this.search.texts.get(entry.best)];
  }

  // Explains the bound that would cut a node, from the root down: one held, or a question.
  cutting(node) {
    const { max } = node;
    const [mover, other] = max ? ["MAX", "MIN"] : ["MIN", "MAX"];
    const none = max ? Infinity : -Infinity;
    let [bound, owner, how] = [none, this.path[0].id, ""];
    for (let level = 1; level < this.path.length; level++) {
      const [above, taken] = [this.path[level - 1], this.path[level]];
      if (above.node.max !== max && above.node.kind !== "driver") {
        const best = this.heldBound(above.node, taken, bound);
        if (best !== bound)
          [bound, owner, how] = [best, above.id, `${other} is already sure of that`];
      }
      const end = max ? taken.node.beta : taken.node.alpha;
      if (end !== bound) [bound, owner, how] = [end, taken.id, "that answers the question asked"];
    }
    if (!Number.isFinite(bound)) {
      const least = this.search.endless ? `only ${this.search.texts.get(bound)}` : "nothing";
      return `${other} is not yet sure of any value above, so ${least} can be cut here.`;
    }
    const text = this.ends({ node, alpha: node.alpha, beta: node.beta })[max ? 1 : 0];
    const crossed = /^[<>]/.test(text)
      ? `${text[0]} ${text.slice(1)}`
      : `${max ? "≥" : "≤"} ${text}`;
    return `A cut comes as soon as ${mover} finds ${crossed}: ${how} ${this.nodes[owner].place}.`;
  }

  // Returns the bound, or a better value of an earlier branch, unless that is the node's own probe.
  heldBound(above, taken, bound) {
    const elder = above.children.filter((id) => id < taken.id).map((id) => this.nodes[id]);
    const worth = elder
      .filter((entry) => entry.name !== taken.node.name)
      .map((entry) => entry.value);
    return (above.max ? Math.max : Math.min)(bound, ...worth);
  }
}

// Returns a value with the sign of its bound; that of a leaf is exact.
function bounded(node, value, brief) {
  const leaf = ["leaf", "finished"].includes(node.kind) || !Number.isFinite(value);
  const sign = leaf ? "" : value >= node.beta ? "≥" : value <= node.alpha ? "≤" : "";
  return sign + brief.get(value);
}

export const spaced = (count) => count.toLocaleString("en").replaceAll(",", "\u202f");
