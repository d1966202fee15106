"""What is drawn at a step is what belongs to it, however the reader came there. What that is for
any search, `js/at_step.test.mjs` says."""

import json
import re
from random import Random

import pytest
from test_javascript import ENDLESS
from ui import MIDDLE, middle

from kalahlab.games.kalah import EMPTY_CAPTURE
from kalahlab.widgets.explorer import explore
from kalahlab.widgets.explorer.packing import brief

READ = """steps => {
  const slider = document.querySelector("input[type=range]");
  const all = (selector, read) => [...document.querySelectorAll(selector)].map(read);
  const text = (each) => each.textContent;
  const shown = steps.map((k) => {
    slider.value = k;
    slider.dispatchEvent(new Event("input"));
    const said = (node) => [node.id, node.textContent, node.getAttribute("aria-label")];
    return {
      nodes: all(".tree .node", said).sort(),
      bars: all(".camera .bar path", (path) => path.getAttribute("d")),
      texts: all(".kx-counts, .kx-say, .kx-panel h2, .kx-why, .kx-ladder td, .seeds", text),
    };
  });
  return JSON.stringify([Number(slider.max), shown]);
}"""


VIEWS = [
    middle,
    lambda: explore(MIDDLE, algorithm="scout", depth=2, rules=EMPTY_CAPTURE),
    lambda: explore(ENDLESS, algorithm="mtdf", depth=9),
]


@pytest.mark.parametrize("made", VIEWS, ids=["alpha_beta", "scout", "mtdf"])
def test_a_step_looks_the_same_from_wherever_it_is_reached(show, made):
    view = made()
    shown = show(view)
    last, _ = json.loads(shown.evaluate(READ, []))
    forward = [*range(last + 1)]
    anyhow = Random(7).sample(forward, len(forward))
    _, stepped = json.loads(shown.evaluate(READ, forward))
    _, jumped = json.loads(shown.evaluate(READ, anyhow))
    assert jumped == [stepped[k] for k in anyhow]
    assert len({json.dumps(each) for each in stepped}) == last + 1, "each step shows something"

    trace, _ = view.request.first()
    labels = {
        int(id.rpartition("-")[2]): label for id, _, label in stepped[-1]["nodes"] if "/" not in id
    }
    for visit in trace.visited():
        assert re.search(rf"value [≥≤]?{re.escape(brief(visit.value))}(,|$)", labels[visit.id])
