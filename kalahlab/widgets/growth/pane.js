// The tree with its camera, its counts and its timeline.

/** @import { Box, Item, Layout } from "../explorer/types.js" */
/** @import { Act, Growth, Marks, State } from "./types.js" */

import { big } from "../explorer/appearance.js";
import { Camera, gestures } from "../explorer/camera.js";
import { formatCount } from "../explorer/explanation.js";
import { contains, layOut } from "../explorer/layout.js";
import { gapOnScreen, leastZoom, stepAcross } from "../explorer/projector.js";
import { choice, h, put } from "../shared/dom.js";
import { makeViewControls, watchStage } from "../shared/stage.js";
import { openTree } from "./layout.js";
import { GrowthPainter } from "./painter.js";
import { isSmall, marksOf, openingOf, setShow, showOptions } from "./state.js";
import { makeGrowthTimeline } from "./timeline.js";
import { knownAt, momentOf } from "./trace.js";
import { describeNumbers } from "./words.js";

/** @typedef {{ state: State, act: Act, click(item: Item): void }} Host */

export class GrowthPane {
  /** @type {Layout} */
  layout = /** @type {any} */ (null); // until the first state
  /** @type {Marks} */
  marks = /** @type {any} */ (null);
  #shape = "";
  #projecting = false;
  #gap = -1; // in projector mode; -1 until it is needed

  /** @param {Growth} t @param {string} uid @param {Host} host */
  constructor(t, uid, host) {
    this.t = t;
    this.host = host;
    this.painter = new GrowthPainter(t, uid);
    this.tree = this.painter.tree;
    this.timeline = makeGrowthTimeline(t, host.act);
    this.counts = h("div.kx-counts");
    this.tally = h("p.kx-tally");
    this.stage = h("div.kx-stage", this.painter.element, this.#makeControls());
    this.camera = new Camera(
      this.stage,
      () => this.#sight(),
      (at, smooth) => this.#moved(at, smooth),
    );
    const head = h("div.kx-pane-head", h("div.kx-title", t.title), this.counts, this.tally);
    const inside = [head, this.timeline.element, this.stage];
    this.element = h("section.kx-pane", { "aria-label": t.title }, inside);
    this.#listen();
  }

  get k() {
    return this.host.state.k;
  }

  #makeControls() {
    const { host, t } = this;
    const show = isSmall(t) ? "all" : "path";
    const change = (/** @type {string} */ what) => {
      this.camera.anew();
      host.act(setShow, what);
    };
    return makeViewControls(choice("Show", showOptions(t), show, change), () => this.camera);
  }

  #listen() {
    const { camera, host, stage, timeline, tree } = this;
    gestures(stage, camera, {
      click: (/** @type {any} */ target) => {
        const item = target.closest(".node")?.item;
        if (item) host.click(item);
      },
      grab: () => null,
    });
    this.watch = watchStage(stage, tree, () => {
      timeline.paint(host.state);
      if (this.layout) camera.resized();
    });
  }

  update() {
    const { host, t } = this;
    const { state } = host;
    const { projecting } = state;
    if (projecting !== this.#projecting) this.camera.anew();
    this.#projecting = projecting;
    if (projecting && this.#gap < 0)
      this.#gap = isSmall(t) ? gapOnScreen(() => openTree(t, () => true, false), t) : 0;
    const along = projecting && !this.#gap;
    const { key, isOpen } = openingOf(along ? { ...state, show: "path" } : state);
    const shape = `${projecting} ${key}`;
    if (shape !== this.#shape) {
      const across = along || !isSmall(t);
      const step = along ? stepAcross(t, 1) : undefined;
      const gap = projecting && !along ? this.#gap : undefined;
      this.layout = layOut(openTree(t, isOpen, across), t, across, step, gap);
      this.#shape = shape;
    }
    this.marks = marksOf(state);
    this.camera.follow(); // aim first, so that only what is in view is painted
    this.#paint();
    this.timeline.update(state);
    this.#count();
  }

  #count() {
    const { t } = this;
    const moment = momentOf(this.k);
    const made = moment.step ? t.born.findLastIndex((born) => born <= moment.step) + 1 : 1;
    const root = knownAt(t, 0, moment);
    put(this.tally, `${big(moment.step)} / ${big(t.steps)}`);
    put(this.counts, `${formatCount(made, "node")} · root: ${describeNumbers(t, root)}`);
  }

  redraw() {
    this.update();
  }

  #paint() {
    this.paint(this.camera.area(0.5));
  }

  /** @param {Box | null} area what is painted, null for all */
  paint(area = null) {
    const { layout, marks } = this;
    const quizzing = this.host.state.quiz !== null;
    this.painter.paint({ layout, marks, moment: momentOf(this.k), quizzing }, area);
  }

  #sight() {
    const { layout, marks, stage } = this;
    const item = layout.at.get(marks.focus) ?? layout.at.get(marks.current) ?? layout.items[0];
    const projected = this.#projecting ? leastZoom(stage) : 0;
    return { layout, item, projected, slide: stage.closest(".slide") !== null };
  }

  /** @type {(at: Camera, smooth: boolean) => void} */
  #moved(at, smooth) {
    const { camera, painter } = this;
    painter.move(at, smooth);
    if (painter.area && !contains(painter.area, camera.area(0))) this.#paint();
  }

  end() {
    this.watch?.disconnect();
  }
}
