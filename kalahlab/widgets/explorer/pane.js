// One search: its counts, its timeline, its tree with a camera.

import { button, choice, h, put } from "../shared/dom.js";
import { big } from "./appearance.js";
import { gestures, makeCamera } from "./camera.js";
import { layOut, visibleTree } from "./layout.js";
import { makeMinimap } from "./minimap.js";
import { makePainter } from "./painter.js";
import {
  best,
  bestLine,
  CLOSED,
  current,
  cutsMade,
  opposing,
  phase,
  skipped,
  valueText,
  visited,
  WAITING,
} from "./state.js";
import { makeTimeline } from "./timeline.js";
import { isCut, isHeld, isMax, ownerOf, pathTo, shortQuestion } from "./trace.js";

const SMALL = 160; // so many items are shown whole
const OVERVIEW = 14; // of a larger tree, so many are shown before the first step
const MAP = 9000; // more than this many are not drawn at once

// host: go, last, click, grab; look and marks, where nodes do not look as they do in a search. `also` says which nodes another search visited too, or is null.
export function makePane(t, uid, host, also) {
  const small = t.items <= SMALL;
  const pane = {
    t,
    uid,
    k: 0,
    focus: null,
    show: small ? "all" : "path",
    quizzing: false,
    whole: false, // whether what is not made yet is shown, too
    quizNode: null,
  };
  const painter = makePainter(t, uid, `Search tree: ${t.title}`, also, host.look);
  const timeline = makeTimeline(t, host.last, host.go);
  const counts = makeCounts(t);
  const byHand = new Map(); // what was opened or closed by hand
  let layout = null;
  let shape = "";
  let marks = null;
  const overview = pliesOf(t, OVERVIEW).length; // of a large tree, before the first step

  const bar = controls();
  const stage = h("div", { class: "kx-stage" }, painter.element, bar);
  const focused = () => stage.classList.toggle("focused", painter.tree.matches(":focus-visible"));
  painter.tree.addEventListener("focus", focused);
  painter.tree.addEventListener("blur", focused);
  const camera = makeCamera(stage, sight, moved);
  const minimap = makeMinimap(t, camera);
  bar.append(minimap.element);
  gestures(stage, camera, {
    click: (target) => target.closest(".node") && host.click(pane, target.closest(".node").item),
    grab: (target) => host.grab(pane, target.closest(".node")?.item),
  });

  function controls() {
    const bar = h(
      "div",
      { class: "kx-view", role: "group", "aria-label": "View" },
      button("+", () => camera.zoom(1.25), { "aria-label": "Zoom in", title: "Zoom in (+)" }),
      button("−", () => camera.zoom(0.8), { "aria-label": "Zoom out", title: "Zoom out (−)" }),
      button("Fit", () => camera.refit(), { title: "Fit (F)" }),
    );
    bar.prepend(choice("Show", openings(t, small), pane.show, setShow));
    return bar;
  }

  function setShow(show) {
    pane.show = /^\d+$/.test(show) ? Number(show) : show;
    byHand.clear();
    camera.anew();
    update(pane.k);
  }

  // The focused key is a node's number, or "number/place" for a ghost.
  const focusNode = () => parseInt(pane.focus ?? current(t, pane.k), 10);

  function opener(k) {
    const now = current(t, k);
    const focus = focusNode();
    const keep = new Set([...pathTo(t, t.parent[focus]), ...pathTo(t, t.parent[now])]);
    if (typeof pane.focus === "string" || isCut(t, focus)) keep.add(focus);
    if (pane.show === "path") {
      keep.add(now);
      if (k === t.steps || pane.focus !== null)
        for (let i = focus; i >= 0; i = best(t, i, k).by) keep.add(i);
    }
    if (pane.show === "line") for (const i of bestLine(t, k)) keep.add(i);
    const first = pane.show === "path" && !k ? overview : 0;
    const depth = pane.show === "all" ? Infinity : Number(pane.show) || first;
    const key = `${pane.show} ${depth} ${depth === Infinity ? "" : [...keep].join()} ${[...byHand].join(";")}`;
    const isOpen = (i) => byHand.get(i) ?? (t.ply[i] < depth || keep.has(i));
    if (!pane.quizzing) return { key, isOpen };
    // Room for what is below a node would say that it is going to be visited.
    return { key: `${key} ${k}`, isOpen: (i) => phase(t, i, k) !== WAITING && isOpen(i) };
  }

  function update(k) {
    pane.k = k = Math.min(k, t.steps);
    const { key, isOpen } = opener(k);
    if (key !== shape) {
      layout = layOut(visibleTree(t, isOpen, !small), t, !small);
      shape = key;
    }
    pane.layout = layout;
    Object.assign(layout, { quizzing: pane.quizzing, whole: pane.whole && !pane.quizzing });
    pane.marks = marks = host.marks?.(pane) ?? marksAt(k);
    camera.follow(); // aim first, so that only what is in view is painted
    painter.paint(layout, k, marks, camera.area(0.5));
    minimap.update(layout, k);
    counts.update(k);
    timeline.update(k, pane.whole);
  }

  function marksAt(k) {
    const now = current(t, k);
    const focus = pane.focus ?? now;
    const node = focusNode();
    const cutter = isCut(t, node) && phase(t, node, k) === CLOSED ? node : -1;
    const owner = cutter < 0 ? -1 : ownerOf(t, cutter);
    const path = cutter >= 0 ? pathTo(t, node) : k === t.steps ? [] : pathTo(t, now);
    return {
      current: now,
      focus,
      cutter,
      owner,
      quizNode: pane.quizNode,
      path: new Set(path),
      blame: new Set(cutter < 0 ? [] : path.filter((i) => t.ply[i] > t.ply[owner])),
      best: new Set(bestLine(t, k)),
      bound: cutter < 0 ? "" : boundText(cutter, owner, k),
    };
  }

  function boundText(cutter, owner, k) {
    const bound = opposing(t, cutter);
    const held = isHeld(t, cutter);
    if (!held && shortQuestion(t, owner)) return `${shortQuestion(t, owner)}?`;
    const still = !held || best(t, owner, k).value === bound;
    return `${isMax(t, cutter) ? "β" : "α"} = ${t.texts[bound]}${still ? "" : " then"}`;
  }

  function sight() {
    const item = layout.at.get(marks.focus) ?? layout.at.get(marks.current);
    return { layout, item, owner: layout.at.get(marks.owner) };
  }

  function moved(at, smooth) {
    painter.move(at, smooth);
    minimap.move();
    const painted = painter.painted();
    const seen = painted && camera.area(0);
    const wide = painted && painted.r - painted.l > 4 * (seen.r - seen.l);
    if (
      painted &&
      (wide || seen.l < painted.l || seen.r > painted.r || seen.t < painted.t || seen.b > painted.b)
    )
      painter.paint(layout, pane.k, marks, camera.area(0.5));
  }

  pane.toggle = (item, open = !item.kids.length) => {
    if (item.ghost || (t.size[item.id] < 2 && !isCut(t, item.id))) return;
    byHand.set(item.id, open);
    pane.focus = item.id;
    update(pane.k);
  };

  pane.openSiblings = (item) => {
    for (const each of item.up?.kids ?? []) if (!each.ghost) byHand.set(each.id, true);
    update(pane.k);
  };

  // When the clock moves, a large tree closes what was opened by hand.
  pane.release = () => {
    pane.focus = null;
    if (pane.show === "path") byHand.clear();
  };

  // In other colours.
  function repaint() {
    timeline.paint();
    minimap.repaint();
  }

  const element = h(
    "section",
    { class: "kx-pane", "aria-label": t.title },
    h(
      "div",
      { class: "kx-pane-head" },
      h("div", { class: "kx-title" }, t.title),
      counts.element,
      counts.gauge,
    ),
    timeline.element,
    stage,
  );
  const watch = new ResizeObserver(() => {
    if (timeline.resized()) timeline.paint();
    if (layout) camera.resized();
  });
  watch.observe(stage);

  Object.assign(pane, {
    element,
    camera,
    painter,
    stage,
    update,
    byHand,
    tree: painter.tree,
    repaint,
    paintAll: () => painter.paint(layout, pane.k, marks, null),
    end: () => watch.disconnect(),
  });
  return pane;
}

// By hand, along the best line, or by depth, as far as the picture can be drawn.
function openings(t, small) {
  const options = small ? [["all", "everything"]] : [["path", "the current path"]];
  options.push(["line", "the best line"]);
  const plies = pliesOf(t, MAP).map((depth) => [
    String(depth),
    `${depth} ${depth === 1 ? "ply" : "plies"}`,
  ]);
  return [...options, ...plies];
}

// The depths, from 1, to which the tree has at most so many items.
function pliesOf(t, most) {
  const depths = [];
  for (let depth = 1, items = 1; depth <= t.plies; depth++) {
    items += t.width[depth];
    if (items > most) break;
    depths.push(depth);
  }
  return depths;
}

// Visited, skipped and still to come, beside what minimax would visit.
function makeCounts(t) {
  const bold = () => h("b", {}, "0");
  const [seen, cut, left, value] = [bold(), bold(), bold(), bold()];
  const cuts = h("span", {}, "");
  const swatch = (cls, ...text) => h("span", { class: `kx-count ${cls}` }, h("i"), ...text);
  const gauge = h(
    "div",
    { class: "kx-gauge", "aria-hidden": "true" },
    h("i", { class: "skipped" }),
    h("i", { class: "visited" }),
  );
  const element = h(
    "div",
    { class: "kx-counts" },
    swatch("visited", seen, " visited"),
    t.cutSteps.length ? swatch("skipped", t.addsUp ? [cut, " skipped by "] : null, cuts) : null,
    t.addsUp ? swatch("left", left, " to go") : null,
    t.full ? h("span", {}, "of ", h("b", {}, big(t.full)), " in full minimax") : null,
    h("span", {}, "value so far ", value),
  );
  const update = (k) => {
    put(value, valueText(t, 0, k) || "none yet");
    const parts = [visited(t, k), skipped(t, k)];
    parts.push(t.full - parts[0] - parts[1]);
    [seen, cut, left].forEach((cell, place) => put(cell, big(parts[place])));
    put(cuts, `${big(cutsMade(t, k))} cut${cutsMade(t, k) === 1 ? "" : "s"}`);
    const [seenTo, skippedTo] = [parts[0], parts[0] + parts[1]].map(
      (n) => `inset(0 ${100 - (100 * n) / t.full}% 0 0)`,
    );
    if (!t.addsUp) return;
    gauge.firstChild.style.clipPath = skippedTo; // clipped, as other widths would lay the head out anew
    gauge.lastChild.style.clipPath = seenTo;
  };
  return { element, gauge: t.addsUp ? gauge : "", update };
}
