// The search explorer: steps through the log of a game-tree search. Python decides, and this
// draws: boards, names, values, owners of bounds and costs all come with the trace.

import { button, h, observe, put, show } from "../shared/dom.js";
import { makeBusy, makeKernel } from "../shared/kernel.js";
import { makeClock } from "./clock.js";
import { makeCrossOut } from "./cross_out.js";
import { sentence } from "./explanation.js";
import { makePaper, makeSaving } from "./export.js";
import { makeForm } from "./form.js";
import { listen } from "./keys.js";
import { makeLegend } from "./legend.js";
import { figureAround, makeLinks } from "./links.js";
import { makePane } from "./pane.js";
import { makePanel } from "./panel.js";
import { makeQuiz } from "./quiz.js";
import { CLOSED, current, phase } from "./state.js";
import { makeTooltip } from "./tooltip.js";
import { makeTour } from "./tour.js";
import { alsoIn, enterOf, isCut, leaveOf, sameIn, unpack, unpackCells } from "./trace.js";
import { controls, grabbed, makeTreeTools, moveBranch, placeAt } from "./tree_editor.js";

let views = 0;

async function render({ model, el }) {
  const uid = `kx${++views}-`;
  const live = [true, "page"].includes(model.get("live"));
  const inPage = model.get("live") !== true; // no kernel, but perhaps a Python of the page's own
  const kernel = makeKernel(model, model.get("patience"), (message) => complain({ message }));
  let panes = [];
  let active = null;
  let loading = null;
  let linked = ""; // what is said of the link that was copied, until another step is shown

  const root = h("div", { class: "kx", "data-lm-suppress-shortcuts": "true" });
  const say = h("p", { class: "kx-say", "aria-live": "polite" });
  const notice = h("p", { class: "kx-notice", role: "alert", hidden: true });
  const busy = makeBusy(() => model.send({ stop: true }));
  const panel = h("aside", { class: "kx-panel", "aria-label": "The selected node" });
  const body = h("div", { class: "kx-panes" });
  const formPlace = h("div");
  const legendPlace = h("div");
  const tooltip = makeTooltip(root, body, () => panes);

  const clock = makeClock(
    (k, byUser) => {
      if (byUser) for (const pane of panes) pane.release();
      if (byUser && k) show(tour.offer, false);
      if (notice.textContent === linked) complain({ message: "" });
      draw();
      syncStep(k);
      links.write(k);
    },
    (on) => say.setAttribute("aria-live", on ? "off" : "polite"), // too fast to be read out
    showWhole,
  );
  const quiz = makeQuiz({
    t: () => active.t,
    k: () => clock.k,
    go: clock.go,
    link: () => model.get("link"),
    changed(on) {
      root.classList.toggle("quizzing", on);
      quizButton.setAttribute("aria-pressed", String(on));
      clock.quizzing(on);
      crossButton.disabled = on;
      setColumns();
      draw();
    },
  });
  const quizButton = button("Quiz", () => quiz.toggle(), {
    class: "kx-ask",
    "aria-pressed": "false",
  });
  const crossing = makeCrossOut({ uid, changed: showTrees });
  const crossButton = button("Cross out", () => crossing.toggle(model.get("whole")), {
    class: "kx-crossing",
    "aria-pressed": "false",
  });
  const saving = makeSaving({
    pane: () => crossing.pane ?? active,
    complain,
    page: async () => (inPage ? model.page() : (await ask({ page: true }))?.page),
  });
  const tour = makeTour(root, {
    clock,
    begin() {
      if (quiz.on) quiz.toggle();
      crossing.end();
    },
  });
  const figure = inPage ? figureAround() : null;
  const linkButton = button("Link", copyLink, { title: "Copy a link to this step" });
  saving.append(linkButton, tour.again);
  const parts = [
    tour.card,
    h(
      "div",
      { class: "kx-top" },
      h(
        "div",
        { class: "kx-controls", role: "group", "aria-label": "Steps" },
        clock.buttons,
        quizButton,
        crossButton,
      ),
      clock.element,
    ),
    h("div", { class: "kx-talk" }, tour.offer, say, quiz.element, crossing.element, notice),
    h("div", { class: "kx-body" }, body, panel),
    formPlace,
    busy.element,
    h("div", { class: "kx-foot" }, legendPlace, saving),
    tooltip.element,
  ];
  el.append(root);

  function syncStep(k) {
    model.set("step", k);
    model.save_changes();
  }

  // What the search has not reached is shown only if a reader wants that: it says what will be cut.
  function showWhole(on) {
    model.set("ahead", on);
    model.save_changes();
    links.write(clock.k);
  }

  // ---- drawing

  function showTrees() {
    const on = Boolean(crossing.pane);
    root.classList.toggle("crossing", on);
    crossButton.setAttribute("aria-pressed", String(on));
    crossButton.hidden = !model.get("whole")?.trace;
    clock.quizzing(on);
    quizButton.disabled = on;
    body.replaceChildren(...(on ? [crossing.pane] : panes).map((pane) => pane.element));
  }

  function draw() {
    if (!active) return; // no search could be shown; the notice says why
    clock.whole = model.get("ahead");
    drawTrees();
    showDetails();
  }

  function drawTrees() {
    for (const pane of panes) {
      pane.quizzing = quiz.on;
      pane.whole = clock.whole;
      pane.quizNode = pane.t === quiz.t() ? quiz.node : null;
      pane.update(clock.k);
    }
    clock.show();
    const { t, k } = active;
    put(say, quiz.on ? "" : sentence(t, k));
    const now = current(t, k);
    say.classList.toggle("iscut", k > 0 && isCut(t, now) && phase(t, now, k) === CLOSED);
  }

  let details = null; // the panel's content, and the trace that it is of
  function showDetails() {
    const { t, k, marks } = active;
    if (details?.t !== t) {
      details = {
        t,
        ...makePanel(t, pick, editable() ? (key) => controls(active, key, ask, pick) : null),
      };
      panel.replaceChildren(...details.parts);
    }
    details.update(k, marks.focus);
  }

  function pick(key) {
    active.focus = key;
    draw();
  }

  // ---- loading, at first and when Python has searched again

  async function load() {
    let traces;
    try {
      traces = await Promise.all(model.get("traces").map(unpack));
      if (!traces.length) throw new Error("there is no search to show");
    } catch (error) {
      return complain(error);
    } finally {
      if (!root.firstChild) root.append(...parts); // now, so that they are laid out once only
    }
    crossing.end();
    const kept = keepView(traces);
    for (const pane of panes) pane.end();
    clock.load(traces, kept.k);
    const [one, two] = traces;
    const same = one.root === two?.root;
    panes = traces.map((t, place) => {
      const also = same ? alsoIn(traces[1 - place], t) : null;
      return makePane(t, `${uid}${place}-`, paneHost, also);
    });
    active = panes[0];
    active.focus = kept.focus;
    clock.whole = model.get("ahead");
    setColumns();
    showTrees();
    legendPlace.replaceChildren(makeLegend(traces, same, editable()));
    showForm();
    stack();
    drawTrees();
    requestAnimationFrame(clock.paint);
    quiz.renew();
    performance.mark("explorer-drawn");
    await showPositions();
  }

  // The boards are unpacked, and shown with all else in the panel, when the tree is there already.
  async function showPositions() {
    try {
      await Promise.all(panes.map(({ t }) => unpackCells(t)));
    } catch (error) {
      complain(error);
    }
    showDetails();
  }

  // A second search would tell what the quiz asks about the first one.
  function setColumns() {
    panes.forEach((pane) => show(pane.element, !quiz.on || pane === active));
    const two = panes.length > 1 && !quiz.on;
    body.classList.toggle("two", two);
    root.classList.toggle("double", two);
  }

  // Where there is not enough room beside the tree, the panel stands below it.
  const stack = () => root.classList.toggle("stacked", root.clientWidth < 600 + 300 * panes.length);

  // The moment and the node that were looked at, in the new search.
  function keepView([t]) {
    if (!active) return { k: model.get("step") || 0, focus: null };
    const old = active.t;
    if (clock.k >= clock.last) return { k: t.steps, focus: sameNode(t) };
    if (clock.k === 0) return { k: 0, focus: sameNode(t) };
    const now = current(old, clock.k);
    const twin = sameIn(t, old, now);
    const k = phase(old, now, clock.k) === CLOSED ? leaveOf(t, twin) + 1 : enterOf(t, twin) + 1;
    return { k, focus: sameNode(t) };
  }

  const sameNode = (t) =>
    active.focus === null ? null : sameIn(t, active.t, parseInt(active.focus, 10));

  // ---- Python

  const editable = () => live && model.get("editable");

  function showForm() {
    const searched = model.get("form");
    const open = formPlace.querySelector("details")?.open;
    formPlace.replaceChildren();
    if (!live || !searched.algorithm) return;
    const form = makeForm(searched, model.get("choices"), async (request) => {
      const asked = ask(request);
      busy.element.scrollIntoView({ block: "nearest" }); // where nothing can be sticky
      const answer = await asked;
      if (answer && !answer.error && !clock.k) arrive(); // before the first step no tree is drawn
      return answer;
    });
    form.open = open;
    formPlace.append(
      ...(editable() ? [makeTreeTools(searched, model.get("undoable"), ask)] : []),
      form,
    );
  }

  // The answer, which comes after the new search; null if there is none.
  async function ask(request) {
    root.setAttribute("aria-busy", "true");
    notice.hidden = true;
    busy.begin();
    const answer = await kernel.ask(request);
    await loading;
    busy.end();
    root.removeAttribute("aria-busy");
    if (answer?.error) {
      complain({ message: answer.error });
      notice.scrollIntoView({ block: "nearest" }); // who asked from the form reads it, too
    }
    return answer;
  }

  function complain({ message }) {
    notice.textContent = message;
    notice.hidden = !message;
  }

  // The address of what is shown, to be pasted elsewhere; it is read out, too.
  async function copyLink() {
    const address = links.address(clock.k);
    const copied = await navigator.clipboard?.writeText(address).then(
      () => true,
      () => false,
    );
    linked = `${copied ? "The link is copied" : "The link to this step"}: ${address}`;
    complain({ message: linked });
  }

  // ---- what the panes and the keyboard can do

  const host = {
    pane: () => crossing.pane ?? active,
    last: () => clock.last,
    quizzing: () => quiz.on || Boolean(crossing.pane),
    enter: (pane, item) =>
      crossing.pane ? crossing.item(item) : clock.go(leaveOf(pane.t, item.id) + 1),
    go: clock.go,
    step: clock.step,
    cut: clock.cut,
    play: clock.play,
    select(pane, item) {
      if (crossing.pane) return crossing.select(item);
      active = pane;
      pane.focus = item.ghost ? item.key : item.id;
      draw();
    },
    toggle(pane, item, open) {
      pane.toggle(item, open);
      draw();
    },
    openSiblings(pane, item) {
      pane.openSiblings(item);
      draw();
    },
    unselect() {
      tooltip.hide();
      if (crossing.pane) return crossing.select(null);
      active.focus = null;
      draw();
    },
    reorder(by) {
      const item = active.layout.at.get(active.marks.focus);
      if (item?.up && editable()) moveBranch(active, item, placeAt(active, item, by), ask);
    },
  };
  const paneHost = {
    go: clock.go,
    get last() {
      return clock.last;
    },
    grab: (pane, item) => (editable() ? grabbed(pane, item, ask) : null),
    // A click selects; a click on what is selected opens or closes it.
    click(pane, item) {
      const again = pane === active && pane.marks.focus === item.key;
      host.select(pane, item);
      if (again) host.toggle(pane, item, undefined);
      pane.tree.focus({ preventScroll: true });
    },
  };
  listen(root, host);

  // ---- themes and traits

  const repaint = () => {
    clock.paint();
    for (const pane of panes) pane.repaint();
  };
  const setTheme = () => (root.dataset.theme = model.get("theme") || "");
  const theme = () => {
    setTheme();
    requestAnimationFrame(repaint);
  };
  const system = matchMedia("(prefers-color-scheme: dark)");
  const jupyter = new MutationObserver(theme);
  const stepped = () => model.get("step") !== clock.k && active && clock.go(model.get("step"));
  const reload = () => {
    kernel.alive();
    loading = load().then(() => {
      syncStep(clock.k);
      links.write(clock.k);
    });
  };
  const searching = () => {
    kernel.alive();
    busy.tell(model.get("progress"));
  };
  // At the first cut, and where a reader looks: who opens a position from elsewhere sees it.
  const arrive = () => {
    clock.go(0);
    clock.cut(1);
    root.scrollIntoView({ block: "start" });
  };
  const open = async () => {
    const position = model.get("opened");
    const form = model.get("form");
    const search =
      form.game === "kalah" ? { search: { ...form, position } } : { game: "kalah", position };
    const answer = position && (await ask(search));
    if (answer && !answer.error) arrive();
  };
  const unobserve = observe(model, {
    opened: open,
    ahead: draw,
    theme,
    step: stepped,
    traces: reload,
    progress: searching,
  });
  system.addEventListener("change", theme);
  jupyter.observe(document.body, {
    attributes: true,
    attributeFilter: ["data-jp-theme-light", "class"],
  });
  let width = 0;
  const resized = new ResizeObserver(() => {
    if (width === root.clientWidth) return;
    width = root.clientWidth;
    stack();
    clock.paint();
    say.style.minHeight = "";
  });
  resized.observe(root);
  // A sentence of more lines than are reserved moves the tree once, and not back.
  const grown = new ResizeObserver(() => {
    if (say.offsetHeight) say.style.minHeight = `${say.offsetHeight}px`;
  });
  grown.observe(say);
  const paper = Object.entries(makePaper(root, clock, () => panes));
  for (const [event, hear] of paper) addEventListener(event, hear);

  const ownAddress =
    inPage && location.protocol !== "about:" && document.querySelector(".kx") === root;
  const links = makeLinks(
    model,
    ownAddress,
    {
      go: (k) => active && clock.go(k),
      showWhole,
      last: () => clock.last,
      live: () => live,
      wait() {
        const asleep = model.get("live") === "asleep";
        if (asleep) root.dataset.wanted = "true";
        return asleep;
      },
      ask,
      complain,
    },
    figure,
  );
  linkButton.hidden = !links.address(0);

  setTheme();
  // What a link asks for is the first search that is shown, if there is a Python to make it.
  const wanted = model.get("live") && links.wanted();
  root.classList.toggle("pending", Boolean(wanted));
  await load();
  const followed = links.follow().then(() => {
    if (!live) return;
    root.classList.remove("pending");
    repaint();
  });
  if (!live) await followed;
  if (model.get("arrives") && active) arrive();
  root.explorer = { clock, quiz, host, panes: () => panes }; // for tests and benchmarks
  root.dataset.ready = "true";

  return () => {
    unobserve();
    system.removeEventListener("change", theme);
    links.end();
    for (const [event, hear] of paper) removeEventListener(event, hear);
    jupyter.disconnect();
    resized.disconnect();
    grown.disconnect();
    clock.end();
    kernel.end();
    for (const pane of panes) pane.end();
    root.remove();
  };
}

export default { render };
