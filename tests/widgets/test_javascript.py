"""The JavaScript without a browser: its bundles, and its own tests, which are run by node."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import others
import pytest
from growths import record_growths
from oracle import Task, size
from strategies import random_position

from kalahlab import npm
from kalahlab.classroom.quiz_set import SEEDS, draw_questions
from kalahlab.evaluators.kalah import EVALUATORS
from kalahlab.evaluators.tree import written_value
from kalahlab.formatting import format_brief, format_number
from kalahlab.games.hand_tree import EXAMPLES, MAX, MIN, Branch, HandTree
from kalahlab.search import ALGORITHMS, ORDERS, SEARCHES, Depth
from kalahlab.search.backing_up import BACKUPS
from kalahlab.search.perft import count_full_tree
from kalahlab.trace import record
from kalahlab.widgets.models.growth_packing import explain_iteration, pack_growth
from kalahlab.widgets.models.model import as_base64
from kalahlab.widgets.models.packing import pack
from kalahlab.widgets.runtime import BUNDLES

ROOT = Path(__file__).parents[2]
SCRIPTS = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["scripts"]
VENDOR = ROOT / "kalahlab/report/templates/vendor"
PROGRAMS = Path(sys.prefix) / "share/js/node_modules/.bin"


def run_node(*words, **env):
    command = [npm.node() or "", *map(str, words)]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(("script", "shipped"), [("bundles", BUNDLES), ("vendor", VENDOR)])
def test_the_bundles_are_those_of_the_sources(script, shipped, tmp_path):
    program, *words = SCRIPTS[script].replace(".venv/", f"{sys.prefix}/").split()
    run_node(PROGRAMS / program, *words, f"--outdir={tmp_path}")
    built = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    committed = {file.name: file.read_bytes() for file in shipped.iterdir() if file.suffix != ".md"}
    assert len(built) > 2
    assert built == committed, f"the sources have changed; run make {script}"


def test_the_libraries_that_pages_carry_are_the_pinned_ones_with_their_licences():
    pins = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    licences = (VENDOR / "LICENSES.md").read_text(encoding="utf-8")
    for name in ("minisearch", "reveal.js"):
        assert f"## {name} {pins[name]}\n\nCopyright" in licences


# Slow, because each event of some 300 searches is compared.
def test_the_explorer_agrees_with_the_recorded_searches(tmp_path):
    files = {"SEARCHES": tmp_path / "searches.json", "GROWTHS": tmp_path / "growths.json"}
    write_json(files["SEARCHES"], [*iter_searches(), *iter_other_searches()])
    growths = [describe_growth(name, trace) for name, trace in record_growths().items()]
    write_json(files["GROWTHS"], growths)
    tests = sorted(Path(__file__).with_name("js").glob("*.test.mjs"))
    places = {name: str(file) for name, file in files.items()}
    words = ("--test", "--test-isolation=none", "--test-reporter=tap")
    report = run_node(*words, *tests, **places)
    assert int(report.rpartition("# pass ")[2].split()[0]) >= len(ALGORITHMS) + len(tests)


def write_json(file, data):
    text = json.dumps(data, default=as_base64)
    file.write_text(text.replace("Infinity", "1e999"), encoding="utf-8")  # JSON has no infinity


def describe_growth(name, trace):
    """Return a search that grew a tree as the view gets it, with what the trace knows by step."""
    steps = [describe_growth_step(trace, step) for step in range(trace.steps + 1)]
    return {
        "name": name,
        "packed": pack_growth(trace, name),
        "steps": steps,
        "nodes": [
            {
                "path": trace.path_names(node.id),
                "max": node.maximizing,
                "over": node.is_over,
                "children": [child.id for child in node.children],
                "board": [*node.state.board],
            }
            for node in trace.nodes
        ],
    }


def describe_growth_step(trace, step):
    """Return what is known at the end of a step, and how it came about."""
    iteration = trace.iterations[step]
    all_numbers = [trace.numbers(node.id, step) for node in trace.nodes]
    return {
        "path": iteration.path if iteration else [0],
        "values": iteration.values if iteration else [],
        "reasons": explain_iteration(trace, step) if iteration else None,
        "numbers": [numbers and numbers._asdict() for numbers in all_numbers],
        "means": [
            numbers.mean if getattr(numbers, "n", 0) and hasattr(numbers, "mean") else None
            for numbers in all_numbers
        ],
        "candidates": [
            [[row.id, row.terms] for row in trace.candidates(node.id, step)] if numbers else []
            for node, numbers in zip(trace.nodes, all_numbers, strict=True)
        ],
    }


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


def make_wide_branch(name):
    leaves = tuple(Branch(f"{name}{value}", MAX, value) for value in range(6))
    return Branch(name, MIN, children=leaves)


UNEVEN = HandTree(
    Branch("A", children=(make_wide_branch("a"), Branch("leaf", MIN, 2), make_wide_branch("b")))
)
"""A tree in which a leaf has more room than it needs."""


def iter_searches():
    """Yield searches by all algorithms of the trees of the books, and by some of random positions.

    Each of 24 positions is searched by a third of the algorithms, and each algorithm searches a
    third of the positions. The evaluators and orders are drawn at random.
    """
    rng = Random(11)
    count = 0
    while count < 24:
        game, state = random_position(rng, pits=4, stones=rng.choice([4, 4, 400]))
        evaluator = rng.choice([*EVALUATORS])
        depth = Depth(rng.randint(2, 3), rng.choice(["sow", "turn"]))
        order = rng.choice([*ORDERS])
        if game.is_over(state):
            continue
        args = (game, state, EVALUATORS[evaluator], depth, ORDERS[order])
        if not 4 < size(Task(*args), state, 70) < 70:  # stops counting there; trees can be huge
            continue
        title = f"{state} {evaluator} {depth} {order}"
        some = [*ALGORITHMS][count % 3 :: 3]
        searches = [record_search(name, title, args) for name in some]
        if max(len(search["nodes"]) for search in searches) > 160:  # each event shows all nodes
            continue
        count += 1
        yield from searches
    for name, tree in {**EXAMPLES, "endless": ENDLESS, "uneven": UNEVEN}.items():
        args = (tree, tree.start(), written_value, Depth(9), ORDERS["pit"])
        for algorithm in ALGORITHMS:
            yield record_search(algorithm, name, args)


def iter_other_searches():
    """Yield searches other than alpha-beta, right and wrong ones, of the same few positions."""
    rng = Random(5)
    count = 0
    while count < 6:
        game, state = random_position(rng, pits=3, stones=3)
        if game.is_over(state):
            continue
        count += 1
        args = (game, state, EVALUATORS["store_difference"], Depth(3), ORDERS["pit"])
        for name in (*others.NAMES, *BACKUPS):
            yield record_search(name, f"{state}", args) | {"other": True}


def record_search(algorithm, position, args):
    """Return a search as the view gets it, with the expected events, nodes, cuts and texts."""
    trace = record(SEARCHES.get(algorithm) or getattr(others, algorithm), *args)
    game, _, _, depth, _ = args
    if algorithm == "greedy":
        depth = Depth(1, depth.unit)
    sizes = count_full_tree(game, depth)
    visits = [*trace.visits()]
    windows = [visit.alpha for visit in visits] + [visit.beta for visit in visits]
    values = [visit.value for visit in visits]
    unvisited = trace.nodes[len(visits) :]
    full = sizes(visits[0].node)
    adds_up = full == len(visits) + sum(sizes(visit.node) for visit in unvisited)
    assert adds_up or algorithm not in ONCE
    return {
        "name": f"{algorithm} {position}",
        "algorithm": algorithm,
        "position": position,
        "packed": pack(trace, position, sizes),
        "events": [[begins, visit.id] for begins, visit in trace.events()],
        "nodes": [
            describe_node(trace, row, visit)
            for row, visit in zip(trace.rows(), trace.nodes, strict=True)
        ],
        "cuts": {cut.node: describe_cut(trace, cut, sizes) for cut in trace.cuts},
        "principal": trace.principal,
        "reasons": [visit.reason for visit in visits],
        "unit": trace.unit,
        "numbers": [
            [value, format_number(value), format_brief(value)]
            for value in {*windows, *values} - {None}
        ],
        "windows": any(map(math.isfinite, windows)),
        "endless": any(math.isinf(value or 0) for value in values),
        "full": full,
        "addsUp": adds_up,
        "csv": trace.table().to_csv(index=False),
        "sets": [*iter_sets(trace)],
    }


def describe_node(trace, row, visit):
    return row | {
        "name": visit.name,
        "max": visit.node.maximizing,
        "children": visit.children,
        "question": visit.question,
        "place": trace.place(visit.id),
        "board": [*visit.node.state.board],
    }


def describe_cut(trace, cut, sizes):
    return {
        "why": trace.why(cut),
        "untried": [[id, sizes(trace.nodes[id].node)] for id in cut.untried],
    }


def iter_sets(trace):
    """Yield some sets of the quiz, with their seeds, if the search has any."""
    for seed in (0, 1, 20_261_122, SEEDS - 1):
        try:
            questions = draw_questions(trace, seed)
        except ValueError:
            return
        yield seed, [(question.step, question.kind, question.answer) for question in questions]


ONCE = ("greedy", "minimax", "alpha_beta", "minimax_a_b")
"""The searches that enter no node twice and look nothing up: the nodes they omit can be counted."""
