"""Views in a real browser: on a page from a file, with Python behind it or without."""

import json
from contextlib import ExitStack
from itertools import count, zip_longest
from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from kalahlab.games.rules import EMPTY_CAPTURE
from kalahlab.widgets.explorer import explore
from kalahlab.widgets.models.model import as_base64
from kalahlab.widgets.page import page as render_page

START = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>"
MIDDLE = "<6,4,5,2,3,1,7,1,1,1,3,1,10,9,0>"
NARROW, WIDE = {"width": 390, "height": 900}, {"width": 1280, "height": 900}

# A module around a widget's module. The page's model is `model`, which `take` changes like a
# kernel; requests reach `python`, or are dropped while the kernel is `deaf`.
REACHED = """
const code = new Blob([%s], { type: "text/javascript" });
const { default: widget } = await import(URL.createObjectURL(code));
const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const revived = (key, value) =>
  (typeof value?.base64 === "string" ? new DataView(bytes(value.base64).buffer) : value);
const kernel = (globalThis.kernel = { status: "idle" });
export default { async render(context) {
  const { model } = context;
  (globalThis.views ??= new Set()).add(model);
  Object.assign(globalThis, { model, take: (text) => model.take(JSON.parse(text, revived)) });
  const send = async (request) => {
    const reply = !globalThis.deaf && (await globalThis.python?.(JSON.stringify(request)));
    if (!reply) return;
    const { traits, answers } = JSON.parse(reply, revived);
    model.take(traits);
    for (const answer of answers) model.tell("msg:custom", answer);
  };
  if (!model.widget_manager) Object.assign(model, { send, widget_manager: { kernel } }); // once
  globalThis.again = () => widget.render(context);
  globalThis.end = await widget.render(context);
  globalThis.ready = (globalThis.ready ?? 0) + 1;
  return globalThis.end;
} };
"""


@pytest.fixture
def show(open_page, tmp_path):
    """Return a function that opens views on a page and waits until they are rendered.

    link: the part of the address after `#`. live: whether there is a kernel, which is the view.
    more: whether the button More has been pressed, so that all controls are shown.
    """
    numbers = count()
    with ExitStack() as stack:

        def show(*views, link="", live=False, more=True, **options):
            parts = []
            for esm, css, state in (view.page_part() for view in views):
                parts.append((REACHED % json.dumps(esm), css, {**state, "live": live}))
            file = tmp_path / f"view-{next(numbers)}.html"
            file.write_text(render_page("Views", parts), encoding="utf-8")
            settings = {"reduced_motion": "reduce", "viewport": WIDE} | options
            page = stack.enter_context(open_page(**settings))
            if live:
                page.expose_function("python", make_kernel(views[0]))
            page.goto(file.as_uri() + link)
            page.wait_for_function("count => globalThis.ready === count", arg=len(views))
            if more:
                page.locator(".kx-more").evaluate_all("all => all.forEach((each) => each.click())")
            return page

        yield show


def make_kernel(view):
    """Return a kernel for a view: it returns the traits that a request changes, and the answers."""
    state = view.page_part()[2]

    def python(request):
        nonlocal state
        answers = send_message(view, json.loads(request))
        before, state = state, view.page_part()[2]
        traits = {
            name: value
            for name, value in state.items()
            if name not in ("live", "patience") and value != before[name]
        }
        return json.dumps({"traits": traits, "answers": answers}, default=as_base64)

    return python


def send_message(view, request, wait=True):
    """Return a widget's answers to a message; without `wait` they are appended later."""
    answers = []
    view.send = answers.append
    view._handle_custom_msg(request, [])
    if wait and view._latest:
        view._latest.join()
    return answers


def ask(view, **request):
    [answer] = send_message(view, {"id": 7, **request})
    assert answer["id"] == 7
    return answer


def change(page, **traits):
    page.evaluate("text => take(text)", json.dumps(traits, default=as_base64))


def explore_middle(**more):
    return explore(MIDDLE, depth=2, rules=EMPTY_CAPTURE, **more)


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def current_step(page):
    """Return the number of events that are past, as the view reports it to Python."""
    return int(page.evaluate("model.get('step')"))


def node(page, key):
    """Return a node of the first tree by its number."""
    return page.locator(".kx-pane").first.locator(f"[role=treeitem][id$='-{key}']")


def node_key(item):
    return int(str(item.get_attribute("id")).rpartition("-")[2])


def find_selected(page):
    return node_key(page.locator(".tree [aria-selected=true]").first)


def read_sentence(page):
    return page.locator(".kx-say").inner_text()


def touch(page, *moments):
    """Touch the screen with fingers at the first moment's places, move them, and lift them."""
    session = page.context.new_cdp_session(page)
    for kind, fingers in zip_longest(["touchStart"], [*moments, []], fillvalue="touchMove"):
        points = [{"x": x, "y": y, "id": id} for id, (x, y) in enumerate(fingers)]
        name = kind if fingers else "touchEnd"
        session.send("Input.dispatchTouchEvent", {"type": name, "touchPoints": points})


def save_as(view, kind):
    """Save in a format from a page, or a part of one, and return the bytes of the file."""
    page = getattr(view, "page", view)
    with page.expect_download() as download:
        view.locator(".kx-save").get_by_text(kind, exact=True).click()
    return Path(download.value.path()).read_bytes()


# All rules are checked, but axe describes only what is wrong, which takes less time.
VIOLATIONS = """
axe.run(document, { resultTypes: ["violations"] }).then((result) => result.violations)
"""


def violations(page, axe):
    """Return the violations that axe finds: (rule, HTML of the first element)."""
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(axe)
    violations = page.evaluate(VIOLATIONS)
    return [(violation["id"], violation["nodes"][0]["html"]) for violation in violations]


def contrast(*colours):
    """Return the contrast of two colours, as defined in WCAG 2.2."""
    luminances = []
    for parts in map(to_rgb, colours):
        srgb = np.array(parts)
        linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
        luminances.append(0.05 + linear @ np.array([0.2126, 0.7152, 0.0722]))
    return max(luminances) / min(luminances)


def is_csp_error(message):
    return "Content Security Policy" in message.text
