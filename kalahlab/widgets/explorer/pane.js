// The pane of one search: its counts, its timeline, its tree with a camera.

/** @import { Box, Host, Item, Key, Layout, Look, Marks, Place, Scene, Trace } from "./types.js" */

import { choice, h, put } from "../shared/dom.js";
import { makeViewControls, watchStage } from "../shared/stage.js";
import { lookOf } from "./appearance.js";
import { Camera, gestures } from "./camera.js";
import { makeCounts, tallyOf } from "./counts.js";
import * as crosses from "./cross_out.js";
import { makeIcicle } from "./icicle.js";
import { contains, layOut, visibleTree } from "./layout.js";
import { makeMinimap } from "./minimap.js";
import { Painter } from "./painter.js";
import { gapOnScreen, leastZoom, stepAcross } from "./projector.js";
import { marksOf, openingOf, openings } from "./scene.js";
import { goTo, isSmall, selectNode, setShow } from "./state.js";
import { makeTimeline } from "./timeline.js";

export class Pane {
  k = 0;
  /** @type {Layout} */
  layout = /** @type {any} */ (null); // until the first scene
  /** @type {Marks} */
  marks = /** @type {any} */ (null);
  /** @type {Scene} */
  #scene = /** @type {any} */ (null);
  #shape = "";
  #gap = -1; // in projector mode; -1 until it is needed

  // uid: the prefix of its nodes' ids; also: the nodes that another search visited, too, or null.
  /** @param {Trace} t @param {Place} place @param {string} uid @param {Host} host @param {Uint8Array | null} also */
  constructor(t, place, uid, host, also) {
    this.t = t;
    this.place = place;
    this.uid = uid;
    this.host = host;
    this.painter = new Painter(t, uid, `Search tree: ${t.title}`, also);
    this.timeline = makeTimeline(t, host.state.last, (k) => host.act(goTo, k));
    this.counts = makeCounts(t);
    this.tally = h("p.kx-tally");
    this.icicle = makeIcicle(t, (key) => this.#approach(key));
    this.tree = this.painter.tree;
    const controls = this.#makeControls();
    this.stage = h("div.kx-stage", this.painter.element, controls);
    this.camera = new Camera(
      this.stage,
      () => this.#sight(),
      (at, smooth) => this.#moved(at, smooth),
    );
    this.minimap = makeMinimap(t, this.camera);
    controls.append(this.minimap.element);
    this.element = this.#build();
    this.#listen();
  }

  // Selects a node and moves the camera there.
  /** @type {(key: Key) => void} */
  #approach(key) {
    this.camera.anew();
    this.host.act(selectNode, this.place, key);
  }

  #build() {
    const { counts, stage, t, timeline } = this;
    const title = h("div.kx-title", t.title);
    return h(
      "section.kx-pane",
      { "aria-label": t.title },
      h("div.kx-pane-head", title, counts.element, this.tally),
      timeline.element,
      this.icicle.element,
      stage,
    );
  }

  #makeControls() {
    const { t, place, host } = this;
    const show = isSmall(t) ? "all" : "path";
    const change = (/** @type {string} */ what) => host.act(setShow, place, what);
    const field = choice("Show", openings(t), show, change);
    this.showList = /** @type {HTMLSelectElement} */ (field.querySelector("select"));
    return makeViewControls(field, () => this.camera);
  }

  #listen() {
    const { camera, host, stage, timeline, tree } = this;
    /** @type {(target: any) => Item | undefined} */
    const itemAt = (target) => target.closest(".node")?.item;
    gestures(stage, camera, {
      click: (target) => {
        const item = itemAt(target);
        if (item) host.click(this, item);
      },
      grab: (target) => host.grab(this, itemAt(target)),
    });
    this.watch = watchStage(stage, tree, () => {
      if (timeline.resized()) timeline.paint();
      this.icicle.repaint();
      if (this.layout) camera.resized();
    });
  }

  /** @type {(scene: Scene) => void} */
  update(scene) {
    this.lay(scene);
    this.draw();
  }

  // Computes the layout. Two trees are both laid out before a camera moves.
  /** @type {(scene: Scene) => void} */
  lay(scene) {
    const { t } = this;
    const { crossing, k, projecting, quizzing, view, whole: ahead } = scene;
    const whole = () => visibleTree(t, () => true, false);
    const before = this.#scene ?? scene;
    if (this.showList && this.showList.value !== view.show) this.showList.value = view.show;
    if (before.view.show !== view.show || before.projecting !== projecting) this.camera.anew();
    this.#scene = scene;
    this.k = k;
    if (projecting && this.#gap < 0) this.#gap = isSmall(t) ? gapOnScreen(whole, t) : 0;
    const along = projecting && !this.#gap;
    const { key, isOpen } = openingOf(
      along ? { ...scene, view: { ...view, show: "path" } } : scene,
    );
    const shape = `${projecting} ${key}`;
    if (shape !== this.#shape) {
      const across = along || !isSmall(t);
      const step = along ? stepAcross(t, this.host.panes.length) : undefined;
      const gap = projecting && !along ? this.#gap : undefined;
      this.layout = layOut(visibleTree(t, isOpen, across), t, across, step, gap);
      this.#shape = shape;
    }
    Object.assign(this.layout, { quizzing, whole: ahead });
    this.marks = crossing ? crosses.marksOf(view, crossing) : marksOf(scene);
  }

  draw() {
    const { k, whole } = this.#scene;
    this.camera.follow(); // aim first, so that only what is in view is painted
    this.#paint();
    this.minimap.update(this.layout, k);
    this.icicle.update(k);
    this.counts.update(k);
    put(this.tally, tallyOf(this.t, k));
    this.timeline.update(k, whole);
  }

  // Returns the current look of a node.
  /** @type {(item: Item) => Look} */
  look = (item) => {
    const { crossing, k, quizzing, whole } = this.#scene;
    if (crossing) return crosses.lookOf(this.t, crossing, item);
    return lookOf(this.t, item, k, quizzing, whole);
  };

  redraw() {
    this.update(this.#scene);
  }

  #paint() {
    this.paint(this.camera.area(0.5));
  }

  /** @param {Box | null} area what is painted, null for all */
  paint(area = null) {
    this.painter.paint(this.layout, this.k, this.marks, area, this.look);
  }

  #sight() {
    const { at } = this.layout;
    const { current, focus, owner } = this.marks;
    const slide = this.stage.closest(".slide") !== null;
    const projected = this.#scene.projecting ? leastZoom(this.stage) : 0;
    const item = at.get(focus) ?? at.get(current);
    const others = this.host.panes.filter((pane) => pane !== this && !pane.element.hidden);
    const beside = others.flatMap(({ camera, layout }) => (layout ? [camera] : []));
    return { layout: this.layout, item, owner: at.get(owner), slide, projected, beside };
  }

  /** @type {(at: Camera, smooth: boolean) => void} */
  #moved(at, smooth) {
    const { camera, painter } = this;
    painter.move(at, smooth);
    this.minimap.move();
    const painted = painter.area;
    if (!painted) return;
    const seen = camera.area(0);
    const wide = painted.r - painted.l > 4 * (seen.r - seen.l);
    if (wide || !contains(painted, seen)) this.#paint();
  }

  // Repaints in other colours.
  repaint() {
    this.timeline.paint();
    this.minimap.repaint();
    this.icicle.repaint();
  }

  end() {
    this.watch?.disconnect();
  }
}
