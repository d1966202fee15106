// The tree as SVG. Every node has a key and a signature; the document is touched only where a
// signature has changed, and large trees are painted only where the camera looks. The elements of
// nodes that are not shown any longer are used for new ones, and all edges of a kind are one path.

import { put, s, set } from "../shared/dom.js";
import { DOT, LEAF, LEAF_STEP, NODE, WINDOW } from "../shared/metrics.js";
import { clipped, lookOf, short, signature, waits } from "./appearance.js";
import { spoken } from "./explanation.js";
import { CLOSED, phase, visitedBelow } from "./state.js";
import { isCut, isExtra, isLeaf, isMax, isTable, moveName } from "./trace.js";
import { makeBars } from "./window_bar.js";

// Triangles that point up for MAX (1) and down for MIN (-1), as in the figures.
const triangle = (up) => `M0 ${-NODE.tip * up} ${NODE.w} ${NODE.base * up}H${-NODE.w}Z`;
export const TRIANGLE = { max: triangle(1), min: triangle(-1) };
export const LEAF_BOX = `M${5 - LEAF.w}-${LEAF.h}h${2 * LEAF.w - 10}q5 0 5 5v${2 * LEAF.h - 10}q0 5-5 5h${10 - 2 * LEAF.w}q-5 0-5-5v${10 - 2 * LEAF.h}q0-5 5-5Z`;
export const RULES = "M-22.5-10V10M22.5-10V10"; // in a leaf's box
export const SCISSORS =
  "M-3-2.6 7 3.4M-3 2.6 7-3.4M-5.2-6.2a2.4 2.4 0 1 0 .1 0ZM-5.2 1.4a2.4 2.4 0 1 0 .1 0Z";
const ALL_PAINTED = 300; // up to so many items, the whole tree is painted
const NODE_NAME = { x: -6, y: -26 },
  GHOST_NAME = { x: -13, y: 0 }; // where the move's name stands
const LAYERS = ["ghostedge", "waitedge", "doneedge", "bestedge", "pathedge", "pathedge blame"];

export function makePainter(t, uid, label, also, lookAt = null) {
  const layers = LAYERS.map(() =>
    ["line", "twin", "core"].map((part) => s("path", { class: part })),
  );
  const edgeLayer = s(
    "g",
    { class: "edges", "aria-hidden": "true" },
    layers.map((paths, place) => s("g", { class: `edge ${LAYERS[place]}` }, paths)),
  );
  const overlay = s("g", { class: "overlay", "aria-hidden": "true" });
  const tree = s("g", { role: "tree", tabindex: 0, class: "tree", "aria-label": label });
  const windows = makeBars(t, WINDOW.w, WINDOW.h);
  const camera = s("g", { class: "camera" }, edgeLayer, windows.element, tree, overlay);
  const element = s("svg", { class: "kx-canvas" }, camera);
  let nodes = new Map();
  let across = null;
  let area = null;
  let windowed = t.windows;

  function paint(view, k, marks, visible) {
    if (across !== view.across) start(view.across);
    windowed = t.windows && !view.quizzing; // a quiz hides the windows
    area = view.items.length > ALL_PAINTED ? visible : null;
    const looks = looksOf(view, k);
    const known = mostNew(looks) ? new Map() : nodes;
    const free = new Set(); // elements that no node keeps
    for (const [key, { element }] of nodes)
      if (!known.has(key) || !looks.has(key)) free.add(element);
    let fresh = looks.size - (nodes.size - free.size); // nodes that are not shown yet
    const kept = new Map();
    const edges = LAYERS.map(() => ["", ""]);
    const bars = [];
    let next = tree.firstChild;
    for (const [key, { item, look }] of looks) {
      let drawn = known.get(key);
      if (!drawn) {
        drawn = dress(reused(free, next) ?? makeNode(), item);
        fresh--;
      } else if (!fresh) while (free.has(next)) next = next.nextSibling;
      if (next === drawn.element) next = next.nextSibling;
      else tree.insertBefore(drawn.element, next);
      kept.set(key, drawn);
      drawn.element.item = item;
      paintNode(drawn, item, look, k, marks, view.whole);
      if (item.up) addEdge(edges, item, look, marks);
      if (look.bar && windowed) bars.push([item.x, item.y + WINDOW.y, look.bar]);
    }
    for (const element of free) element.remove();
    nodes = kept;
    windows.update(bars);
    edges.forEach(([line, twin], place) =>
      [line, twin, twin].forEach((d, part) => set(layers[place][part], { d })),
    );
    set(tree, { "aria-activedescendant": uid + marks.focus });
    overlay.replaceChildren(
      ...(marks.crossed ? crosses(view, marks) : scissors(view, k)),
      ...rings(view, marks),
    );
  }

  // What is painted, by key.
  function looksOf(view, k) {
    const looks = new Map();
    for (const item of view.items) {
      if (area && outside(item, area)) continue;
      const look = lookAt ? lookAt(item) : lookOf(t, item, k, view.quizzing, view.whole);
      if (look.kind !== "hidden") looks.set(item.key, { item, look });
    }
    return looks;
  }

  function start(direction) {
    across = direction;
    tree.replaceChildren();
    nodes = new Map();
  }

  // Then no node keeps its elements: they stay where they are, which costs less than to move them.
  function mostNew(looks) {
    let fresh = 0;
    for (const key of looks.keys()) if (!nodes.has(key)) fresh++;
    return 2 * fresh > looks.size;
  }

  // The elements of a node that is not shown any longer, rather those that stand in place.
  function reused(free, next) {
    const element = free.has(next) ? next : free.values().next().value;
    free.delete(element);
    return element?.drawn;
  }

  function makeNode() {
    const drawn = { shape: s("path", { class: "shape" }), move: s("text"), value: s("text") };
    drawn.inside = s(
      "g",
      { "aria-hidden": "true" },
      drawn.shape,
      drawn.move,
      " ",
      drawn.value,
      " ",
    );
    drawn.element = s("g", { role: "treeitem" }, drawn.inside);
    drawn.element.drawn = drawn;
    return drawn;
  }

  // What stays the same as long as the elements stand for this item.
  function dress(drawn, item) {
    const i = item.id;
    const again = item.ghost ? item.ghost.again : i > 0 && isExtra(t, i);
    const name = item.ghost ? t.moves[item.ghost.move][0] : i ? moveName(t, i) : "";
    drawn.shown = drawn.label = drawn.tight = "";
    drawn.table = false;
    drawn.alone = !item.ghost && also && !also[i];
    set(drawn.element, { id: uid + item.key });
    if (item.leafy) dressLeaf(drawn, item, name, again);
    else dressInner(drawn, item, name, again);
    extra(drawn, "rules", !item.ghost && isTable(t, i) && RULES);
    extra(drawn, "alone", drawn.alone && (item.leafy ? "M24-10h8v8Z" : "M12-22h12v12Z"));
    return drawn;
  }

  // A path that few nodes have is made when it is first needed.
  function extra(drawn, name, d) {
    if (d && !drawn.paths?.[name]) {
      drawn.paths ??= {};
      drawn.paths[name] = drawn.inside.appendChild(s("path", { class: name }));
    }
    if (drawn.paths?.[name]) set(drawn.paths[name], { d: d || "" });
  }

  // Name and value share what room there is.
  function dressLeaf(drawn, item, name, again) {
    const worth = item.ghost ? "" : t.brief[t.value[item.id]];
    const room = Math.max(1, Math.min(4, 7 - worth.length));
    const own = (room < Math.min(2, name.length) ? "" : clipped(name, room)) + (again ? "↻" : "");
    drawn.tight = own.length + worth.length > 5 ? " tight" : "";
    put(drawn.move, own);
    set(drawn.shape, { d: LEAF_BOX });
    set(drawn.move, { class: `move in${drawn.tight}`, x: -22, y: 4, "text-anchor": null });
    set(drawn.value, { x: 22, y: 4.5, "text-anchor": "end" });
  }

  function dressInner(drawn, item, name, again) {
    const max = maxAt(item);
    drawn.triangle = TRIANGLE[max ? "max" : "min"];
    drawn.table = !item.ghost && isTable(t, item.id);
    set(drawn.shape, { d: drawn.triangle });
    set(drawn.value, { x: 0, y: drawn.table ? 5 : max ? 14 : -3, "text-anchor": "middle" });
    set(drawn.move, {
      class: "move",
      ...(across ? { x: -33, y: -8 } : NODE_NAME),
      "text-anchor": "end",
    });
    put(drawn.move, name && (again ? "↻ " : "") + clipped(name, 8));
  }

  const maxAt = ({ id, ghost }) => (ghost ? isMax(t, id) === ghost.again : isMax(t, id));

  // What the table knew is drawn as a leaf; before, nothing says that it will be.
  const boxed = (item, look) => !item.ghost && isTable(t, item.id) && !waits(look);

  function dotPlace(item) {
    if (across) return { cx: item.leafy ? -LEAF.w : 1 - NODE.side, cy: 0 };
    return item.up?.column ? { cx: -LEAF.w, cy: 0 } : { cx: 0, cy: item.leafy ? 0 : DOT.y };
  }

  function paintNode(drawn, item, look, k, marks, whole) {
    const place = `translate(${item.x.toFixed(1)},${item.y})`;
    if (drawn.place !== place) set(drawn.element, { transform: place });
    drawn.place = place;
    const hidden = item.ghost || !item.hidden ? 0 : k ? visitedBelow(t, item.id, k) : item.hidden;
    const shown = `${signature(look)}${hidden}${marks.quizNode === item.key}`;
    if (drawn.shown !== shown) {
      drawn.shown = shown;
      set(drawn.element, { class: classOf(look, marks.quizNode === item.key) });
      put(drawn.value, look.text);
      const { length } = look.text;
      set(drawn.value, {
        class: `value${length > 5 ? " longer" : length > 4 ? " long" : ""}${drawn.tight}`,
      });
      if (item.ghost && !item.leafy && !across)
        set(drawn.move, look.kind === "ghost" ? GHOST_NAME : NODE_NAME);
      if (drawn.table) set(drawn.shape, { d: waits(look) ? drawn.triangle : LEAF_BOX });
      addParts(drawn, item, look, hidden);
    }
    const selected = marks.focus === item.key;
    const opens =
      !item.ghost &&
      !(waits(look) && !whole) &&
      (item.kids.length ? "true" : item.hidden > 0 ? "false" : null);
    const label = `${shown}${selected}${opens}${item.pos}${item.level}`;
    if (drawn.label !== label) {
      drawn.label = label;
      const text = [drawn.move.textContent, look.text, drawn.fold?.textContent];
      const alone = drawn.alone && look.kind !== "wait" ? ", only in this search" : "";
      set(drawn.element, {
        "aria-level": item.level,
        "aria-posinset": item.pos,
        "aria-setsize": item.up ? item.up.kids.length : 1,
        "aria-selected": String(selected),
        "aria-expanded": opens,
        "aria-label": `${text.filter(Boolean).join(" ")}: ${spoken(t, item, look)}${alone}${look.mark ? `, ${look.mark}` : ""}`,
      });
    }
  }

  // What few nodes have is made when it is first needed.
  function addParts(drawn, item, look, hidden) {
    const part = (name, make) => (drawn[name] ??= drawn.inside.appendChild(make()));
    if (look.kind === "wait")
      set(
        part("dot", () => s("circle", { class: "dot", r: DOT.r })),
        dotPlace(item),
      );
    const makeFold = () => s("text", { class: "fold", x: 0, y: 41, "text-anchor": "middle" });
    if (hidden || drawn.fold)
      put(part("fold", makeFold), hidden ? (across ? "▸ " : "▾ ") + short(hidden) : "");
  }

  function addEdge(edges, item, look, marks) {
    const onPath = marks.path.has(item.key);
    const onBest = marks.best.has(item.key);
    const layer =
      look.kind === "ghost"
        ? 0
        : onPath
          ? marks.blame.has(item.key)
            ? 5
            : 4
          : waits(look)
            ? 1
            : onBest
              ? 3
              : 2;
    const [line, twin] = across ? edgeAcross(item, look) : edgeDown(item, look, onPath || onBest);
    edges[layer][0] += line;
    edges[layer][1] += twin;
  }

  const doubled = (item, look) =>
    item.ghost ? waits(look) && item.ghost.again : isExtra(t, item.id);

  function edgeAcross(item, look) {
    const { x, y } = item.up;
    const turn = x + 37;
    const end = item.x - (item.leafy || boxed(item, look) ? LEAF.w : NODE.side);
    const dy = item.y - y;
    const r = Math.min(8, Math.abs(dy));
    const sign = Math.sign(dy);
    const corner = r < 1 ? "" : `V${item.y - sign * r}q0 ${sign * r} ${r} ${sign * r}`;
    return [
      `M${x + NODE.side} ${y}H${turn}${corner}H${end}`,
      doubled(item, look) ? `M${turn + 9} ${item.y}H${end}` : "",
    ];
  }

  function edgeDown(item, look, whole) {
    const { up } = item;
    const barred = windowed && !(look.ahead && up.up); // what is above a node that is ahead is grey
    const from = up.y + (barred ? WINDOW.y + WINDOW.h : isMax(t, up.id) ? NODE.base : NODE.tip);
    if (up.column) {
      const bend = up.y + 34;
      const trunk =
        whole || item.pos === 1
          ? `M${up.x} ${from}V${bend}q0 6-6 6H${up.x - 26}q-8 0-8 8V${item.y}`
          : `M${up.x - 34} ${item.y - LEAF_STEP}V${item.y}`;
      return [`${trunk}H${item.x - LEAF.w}`, ""];
    }
    const bus = up.y + 52;
    const dx = item.x - up.x;
    const r = Math.min(8, Math.abs(dx));
    const sign = Math.sign(dx);
    const end = item.y - gapAbove(item, look);
    const corner = r < 1 ? "" : `H${item.x - sign * r}q${sign * r} 0 ${sign * r} ${r}`;
    return [
      `M${up.x} ${from}V${bus}${corner}V${end}`,
      doubled(item, look) ? `M${item.x} ${bus + 9}V${end}` : "",
    ];
  }

  function gapAbove(item, look) {
    const leaf = !item.ghost && isLeaf(t, item.id);
    if (look.kind === "wait") return leaf || item.leafy ? 0 : -DOT.y;
    if (item.leafy || leaf || boxed(item, look)) return LEAF.h;
    return maxAt(item) ? NODE.tip - 1 : NODE.base;
  }

  function scissors(view, k) {
    const parts = [];
    for (const item of view.items) {
      if (item.ghost || !item.kids.length || !isCut(t, item.id)) continue;
      if (phase(t, item.id, k) !== CLOSED || !nodes.has(item.key)) continue;
      const first = item.kids.find((kid) => kid.ghost);
      const last = item.kids.at(-1);
      let line, place;
      if (across) {
        const x = first.x - (first.leafy ? 34 : 25);
        line = `M${x} ${first.y - 13}V${last.y + 13}`;
        place = `translate(${x} ${first.y - 18}) rotate(90)`;
      } else if (item.column) {
        const y = first.y - LEAF_STEP / 2;
        line = `M${item.x - 26} ${y}H${item.x + 31}`;
        place = `translate(${item.x - 34} ${y})`;
      } else {
        const y = first.y - 27;
        line = `M${first.x - 14} ${y}H${last.x + 14}`;
        place = `translate(${first.x - 20} ${y})`;
      }
      parts.push(s("path", { class: "cutline", d: line }));
      parts.push(s("path", { class: "scissors", d: SCISSORS, transform: place }));
    }
    return parts;
  }

  function rings(view, marks) {
    const parts = [];
    const at = (key) => view.at.get(key);
    const [owner, cutter] = [at(marks.owner), at(marks.cutter)];
    if (owner && cutter) {
      parts.push(ring(owner, "owner"), ring(cutter, "cutter"));
      const width = marks.bound.length * 7.6 + 14;
      const [x, y] = [owner.x, owner.y];
      parts.push(
        s("rect", { class: "pill", x: x - width / 2, y: y + 32, width, height: 18, rx: 9 }),
      );
      parts.push(
        s("text", { class: "bound", x, y: y + 45.5, "text-anchor": "middle" }, marks.bound),
      );
    }
    const [now, focus] = [at(marks.current), at(marks.focus)];
    if (now && now !== cutter) parts.push(ring(now, "now"));
    if (focus && focus !== now) parts.push(ring(focus, "focus"));
    return parts;
  }

  const crosses = (view, { crossed }) =>
    crossed
      .map((key) => view.at.get(key))
      .filter(Boolean)
      .map(({ x, y, leafy }) => {
        const [w, h] = leafy ? [LEAF.w, LEAF.h] : [NODE.w, NODE.tip];
        return s("path", {
          class: "cutline",
          d: `M${x - w} ${y - h}L${x + w} ${y + h}M${x - w} ${y + h}L${x + w} ${y - h}`,
        });
      });

  function ring(item, cls) {
    const [w, up] = item.leafy ? [LEAF.w + 3, LEAF.h + 2.5] : [NODE.w + 6, NODE.tip + 4];
    const down = !item.leafy && windowed ? WINDOW.y + WINDOW.h + 5 : up;
    return s("rect", {
      class: `ring ${cls}`,
      x: item.x - w,
      y: item.y - up,
      width: 2 * w,
      height: up + down,
      rx: item.leafy ? 7 : 11,
    });
  }

  function move({ x, y, z }, smooth) {
    camera.style.transition = smooth ? "" : "none";
    camera.style.transform = `translate(${x.toFixed(1)}px,${y.toFixed(1)}px) scale(${z.toFixed(4)})`;
    camera.classList.toggle("far", z < 0.55);
    camera.classList.toggle("tiny", z < 0.28);
  }

  return { element, tree, camera, paint, move, painted: () => area };
}

function classOf(look, inQuiz) {
  const { kind, ahead, finished, open, cut, mark } = look;
  const extra = [
    ahead && "ahead",
    finished && "finished",
    open && "open",
    cut && "iscut",
    mark,
    inQuiz && "asked",
  ];
  return ["node", kind, ...extra].filter(Boolean).join(" ");
}

function outside({ x, y, up }, area) {
  const from = up ?? { x, y };
  return (
    Math.max(x, from.x) < area.l ||
    Math.min(x, from.x) > area.r ||
    Math.max(y, from.y) < area.t ||
    Math.min(y, from.y) > area.b
  );
}
