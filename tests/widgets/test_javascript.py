"""The JavaScript without a browser: what is shipped of it, and its own tests, which node runs."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import others
import pytest
from strategies import random_position

from kalahlab import npm
from kalahlab.classroom.quiz_set import SEEDS, draw_questions
from kalahlab.evaluators.kalah import EVALUATORS
from kalahlab.evaluators.tree import written_value
from kalahlab.formatting import format_number
from kalahlab.games.hand_tree import EXAMPLES, MAX, MIN, Branch, HandTree
from kalahlab.search import ALGORITHMS, ORDERS, Depth
from kalahlab.search.model import Node
from kalahlab.search.perft import count_full_tree
from kalahlab.trace import record
from kalahlab.widgets.models.model import as_base64
from kalahlab.widgets.models.packing import format_brief, pack
from kalahlab.widgets.runtime import BUNDLES

ROOT = Path(__file__).parents[2]
SCRIPTS = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["scripts"]
VENDOR = ROOT / "kalahlab/report/templates/vendor"
PROGRAMS = Path(sys.prefix) / "share/js/node_modules/.bin"


def node(*words, **env):
    command = [npm.node() or "", *map(str, words)]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(("script", "shipped"), [("bundles", BUNDLES), ("vendor", VENDOR)])
def test_what_is_shipped_is_what_the_sources_give(script, shipped, tmp_path):
    program, *words = SCRIPTS[script].replace(".venv/", f"{sys.prefix}/").split()
    node(PROGRAMS / program, *words, f"--outdir={tmp_path}")
    made = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    kept = {file.name: file.read_bytes() for file in shipped.iterdir() if file.suffix != ".md"}
    assert len(made) > 2
    assert made == kept, f"the sources have changed since; this writes them anew: make {script}"


def test_the_libraries_that_pages_carry_are_the_pinned_ones_with_their_licences():
    pins = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    licences = (VENDOR / "LICENSES.md").read_text(encoding="utf-8")
    for name in ("minisearch", "reveal.js"):
        assert f"## {name} {pins[name]}\n\nCopyright" in licences


def test_the_explorer_knows_what_python_recorded(tmp_path):
    file = tmp_path / "searches.json"
    text = json.dumps([*searches(), *other_searches()], default=as_base64)
    file.write_text(text.replace("Infinity", "1e999"), encoding="utf-8")  # which JSON has not
    tests = sorted(Path(__file__).with_name("js").glob("*.test.mjs"))
    said = node(
        "--test", "--test-isolation=none", "--test-reporter=tap", *tests, SEARCHES=str(file)
    )
    assert int(said.rpartition("# pass ")[2].split()[0]) >= len(ALGORITHMS) + len(tests)


ENDLESS = HandTree(
    Branch("A", children=(
        Branch("B", MIN, children=(Branch("b1", MAX, -math.inf), Branch("b2", MAX, 9))),
        Branch("C", MIN, children=(
            Branch("c1", MAX, children=(Branch("x", MIN, math.inf), Branch("y", MIN, 0))),
            Branch("c2", MAX, 4),
        )),
        Branch("D", MAX, children=(Branch("d1", MIN, 3.25), Branch("d2", MIN, 5))),
    ))
)  # fmt: skip
"""A tree with values that no bound exceeds, so that the window itself cuts."""

WIDE = [
    Branch(name, MIN, children=tuple(Branch(f"{name}{n}", MAX, n) for n in range(6)))
    for name in "ab"
]
UNEVEN = HandTree(Branch("A", children=(WIDE[0], Branch("leaf", MIN, 2), WIDE[1])))
"""A tree in which a leaf has more room than it needs."""


def searches():
    """All algorithms on 24 random positions, every evaluator and order in turn, and the books'."""
    chance = Random(11)
    found = 0
    while found < 24:
        game, state = random_position(chance, pits=4, stones=chance.choice([4, 4, 400]))
        evaluator = chance.choice([*EVALUATORS])
        depth = Depth(chance.randint(2, 3), chance.choice(["sow", "turn"]))
        order = chance.choice([*ORDERS])
        if (
            game.is_over(state)
            or not 4 < count_full_tree(game, depth)(Node(state, None, True, 0, 0)) < 70
        ):
            continue
        title = f"{state} {evaluator} {depth} {order}"
        asked = (game, state, EVALUATORS[evaluator], depth, ORDERS[order])
        all_of_it = [recorded(name, title, asked) for name in ALGORITHMS]
        if max(len(search["nodes"]) for search in all_of_it) > 160:  # all are seen at each event
            continue
        found += 1
        yield from all_of_it
    for name, tree in {**EXAMPLES, "endless": ENDLESS, "uneven": UNEVEN}.items():
        asked = (tree, tree.start(), written_value, Depth(9), ORDERS["pit"])
        yield from (recorded(algorithm, name, asked) for algorithm in ALGORITHMS)


def other_searches():
    """Searches that are no alpha-beta, right and wrong ones, on the same few positions."""
    chance, left = Random(5), 6
    while left:
        game, state = random_position(chance, pits=3, stones=3)
        if game.is_over(state):
            continue
        left -= 1
        asked = (game, state, EVALUATORS["store_difference"], Depth(3), ORDERS["pit"])
        for name in others.NAMES:
            yield recorded(name, f"{state}", asked) | {"other": True}


def recorded(algorithm, position, asked):
    """A search as the view gets it, and what is known of it besides: its events, nodes and cuts."""
    trace = record(ALGORITHMS.get(algorithm) or getattr(others, algorithm), *asked)
    game, _, _, depth, _ = asked
    if algorithm == "greedy":
        depth = Depth(1, depth.unit)
    sizes = count_full_tree(game, depth)
    visited = [*trace.visits()]
    numbers = {n for v in visited for n in (v.alpha, v.beta, v.value) if n is not None}
    unvisited = trace.nodes[len(visited) :]
    full = sizes(visited[0].node)
    adds_up = full == len(visited) + sum(sizes(visit.node) for visit in unvisited)
    assert adds_up or algorithm not in ONCE
    return {
        "name": f"{algorithm} {position}",
        "algorithm": algorithm,
        "position": position,
        "packed": pack(trace, position, sizes),
        "events": [[begins, visit.id] for begins, visit in trace.events()],
        "nodes": [
            row
            | {"name": visit.name, "max": visit.node.maximizing, "children": visit.children}
            | {"question": visit.question, "place": trace.place(visit.id)}
            | {"board": [*visit.node.state.board]}
            for row, visit in zip(trace.rows(), trace.nodes, strict=True)
        ],
        "cuts": {
            cut.node: {
                "why": trace.why(cut),
                "untried": [[id, sizes(trace.nodes[id].node)] for id in cut.untried],
            }
            for cut in trace.cuts
        },
        "principal": trace.principal,
        "numbers": [[value, format_number(value), format_brief(value)] for value in numbers],
        "windows": any(math.isfinite(n) for v in visited for n in (v.alpha, v.beta)),
        "endless": any(math.isinf(v.value or 0) for v in visited),
        "full": full,
        "addsUp": adds_up,
        "csv": trace.table().to_csv(index=False),
        "sets": [*sets(trace)],
    }


def sets(trace):
    """Some sets of the quiz, by seed, where a search has any."""
    for seed in (0, 1, 20_261_122, SEEDS - 1):
        try:
            asked = draw_questions(trace, seed)
        except ValueError:
            return
        yield seed, [(each.step, each.kind, each.answer) for each in asked]


ONCE = ("greedy", "minimax", "alpha_beta", "minimax_a_b")
"""The searches that enter no node twice and look nothing up: what they leave out can be counted."""
