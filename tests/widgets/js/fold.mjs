// A search learned event by event: what has to be known of each node by then, and of the search.
// `at_step.test.mjs` holds it against what the explorer works out for any step at once.

export class Fold {
  constructor(search) {
    this.search = search;
    this.nodes = search.nodes;
    this.windows = search.windows;
    this.said = new Map(); // by key: a node's value, its window or what is asked, and what it is
    this.touched = new Set();
    this.path = []; // the nodes entered and not yet left: their windows and best values so far
    this.entered = 0;
    this.skipped = 0;
    this.cuts = 0;
    this.shown = 0; // the node of the last event
    this.way = []; // the windows on the way there, as its ancestors had them when it was entered
  }

  enter(id) {
    const node = this.nodes[id];
    this.shown = id;
    this.entered++;
    this.path.push({ id, node, alpha: node.alpha, beta: node.beta, best: null });
    this.tellLast();
    for (const child of node.children) this.say(this.keyOf(child), "", "", "waiting");
    this.way = this.path.map((each) => this.rung(each));
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
    this.sayWindow(last, bounded(node, value, this.search.brief), node.kind === "cut" ? "cut" : "");
    this.sentence = this.reason = null;
    if (node.kind === "cut") this.cut(id);
    if (this.path.length) this.learn(value, value < node.beta);
  }

  cut(id) {
    const { untried, why } = this.search.cuts[id];
    this.cuts++;
    for (const [child, size] of untried) {
      this.skipped += size;
      this.say(this.keyOf(child), size > 1 ? spaced(size) : "", "", "never");
    }
    this.sentence = why;
  }

  // From a child; the pass of a driver is a question, answered with yes or `atMost`.
  learn(value, atMost) {
    const last = this.path.at(-1);
    const { node } = last;
    if (node.kind === "driver" && atMost) last.beta = Math.min(last.beta, value);
    else if (node.max) {
      last.best = Math.max(last.best ?? value, value);
      last.alpha = Math.max(last.alpha, value);
    } else {
      last.best = Math.min(last.best ?? value, value);
      last.beta = Math.min(last.beta, value);
    }
    if (!this.windows) [last.alpha, last.beta] = [-Infinity, Infinity];
    this.tellLast();
  }

  tellLast() {
    const last = this.path.at(-1);
    const sign = last.node.max ? "≥" : "≤";
    this.sayWindow(last, last.best === null ? "" : sign + this.search.brief.get(last.best), "open");
  }

  sayWindow(entry, text, what) {
    const { id, node } = entry;
    const leaf = ["leaf", "finished"].includes(node.kind);
    const question = node.question.replace(">", "more than").replace("≥", "at least");
    const told = this.windows && !leaf ? question || this.ends(entry).join(" to ") : "";
    this.say(String(id), text, told, leaf ? "leaf" : what);
  }

  say(key, ...facts) {
    this.said.set(key, facts.join("|"));
    this.touched.add(key);
  }

  // A node's key in the picture; one never visited is told by its place among such.
  keyOf(id) {
    const { kind, parent } = this.nodes[id];
    if (kind !== "unvisited") return String(id);
    const untried = this.nodes[parent].children.filter((c) => this.nodes[c].kind === "unvisited");
    return `${parent}/${untried.indexOf(id)}`;
  }

  // A window at a node. An end that only lies next to a number is written as it is asked with.
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

  // What would cut the node, down from the root: what is sure, and what is asked.
  cutting(node) {
    const { max } = node;
    const [mover, other] = max ? ["MAX", "MIN"] : ["MIN", "MAX"];
    const none = max ? Infinity : -Infinity;
    let [bound, owner, how] = [none, this.path[0].id, ""];
    for (let level = 1; level < this.path.length; level++) {
      const [above, taken] = [this.path[level - 1], this.path[level]];
      if (above.node.max !== max && above.node.kind !== "driver") {
        const best = this.inHand(above.node, taken, bound);
        if (best !== bound)
          [bound, owner, how] = [best, above.id, `${other} is already sure of that`];
      }
      const end = max ? taken.node.beta : taken.node.alpha;
      if (end !== bound) [bound, owner, how] = [end, taken.id, "that answers the question asked"];
    }
    if (!Number.isFinite(bound)) {
      const least = this.search.endless ? `only ${this.search.texts.get(bound)}` : "nothing";
      return `${other} is sure of nothing above yet, so ${least} can be cut here.`;
    }
    const text = this.ends({ node, alpha: node.alpha, beta: node.beta })[max ? 1 : 0];
    const crossed = /^[<>]/.test(text)
      ? `${text[0]} ${text.slice(1)}`
      : `${max ? "≥" : "≤"} ${text}`;
    return `A cut comes as soon as ${mover} finds ${crossed}: ${how} ${this.nodes[owner].place}.`;
  }

  // The bound, or what an elder branch is worth that is better; not a probe's first word.
  inHand(above, taken, bound) {
    const elder = above.children.filter((id) => id < taken.id).map((id) => this.nodes[id]);
    const worth = elder.filter((each) => each.name !== taken.node.name).map((each) => each.value);
    return (above.max ? Math.max : Math.min)(bound, ...worth);
  }
}

// A value with the sign of its bound: a leaf's own value is never one.
function bounded(node, value, brief) {
  const leaf = ["leaf", "finished"].includes(node.kind) || !Number.isFinite(value);
  const sign = leaf ? "" : value >= node.beta ? "≥" : value <= node.alpha ? "≤" : "";
  return sign + brief.get(value);
}

export const spaced = (count) => count.toLocaleString("en").replaceAll(",", "\u202f");
