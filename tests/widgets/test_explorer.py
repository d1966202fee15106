"""The explorer's Python: packed traces, pages and requests."""

import gzip
import json
import math
import re
from collections import Counter
from dataclasses import replace
from html import unescape
from itertools import chain
from pathlib import Path

import pytest
from conftest import jsonl
from hypothesis import given
from hypothesis import strategies as st
from strategies import positions, trees
from ui import START, ask, contrast

from kalahlab.classroom.quiz_set import iter_questions
from kalahlab.draw import svg
from kalahlab.evaluators.kalah import EVALUATORS, e3
from kalahlab.evaluators.registry import find_evaluator
from kalahlab.evaluators.tree import written_value
from kalahlab.formatting import format_brief, format_number
from kalahlab.games.hand_tree import AIMA_5_2, CUT_SHORT, HandTree, with_new_leaf
from kalahlab.games.kalah import Kalah
from kalahlab.games.registry import GAMES
from kalahlab.published.homework import read_problem, solve
from kalahlab.search import ALGORITHMS, SEARCHES, Depth, alpha_beta, minimax
from kalahlab.search.backing_up import BACKUPS, backup_search
from kalahlab.search.model import Line, Node
from kalahlab.search.perft import count_full_tree
from kalahlab.search.tree import observable, searcher
from kalahlab.trace import Recorder, Trace, record
from kalahlab.widgets.explorer import Explorer, explore
from kalahlab.widgets.models.packing import pack
from kalahlab.widgets.models.search_request import SearchRequest
from kalahlab.widgets.page import RUNTIME, page
from kalahlab.widgets.runtime import BUNDLES

AIMA = record(alpha_beta, AIMA_5_2, AIMA_5_2.root, written_value, Depth(9))


def root(state):
    return Node(state, None, True, 0, 0)


@given(positions(pits=4, stones=3), st.integers(0, 4), st.sampled_from(("sow", "turn")))
def test_the_full_size_of_a_search_is_what_minimax_visits(position, limit, unit):
    game, state = position
    depth = Depth(min(limit, 2) if unit == "turn" else limit, unit)
    counts = minimax(game, state, EVALUATORS["store_difference"], depth).counts
    assert count_full_tree(game, depth)(root(state)) == counts.expanded + counts.evaluated


def test_the_comparison_with_alpha_beta_is_of_the_run_that_is_shown(monkeypatch):
    """Compare two functions of one name: their requests are equal, but each run may differ."""
    runs = list[str]()

    def explore_mine(choose):
        @searcher
        def mine(tree):
            runs.append(choose.__name__)
            return visit(tree, tree.root)

        @observable
        def visit(tree, node):
            if tree.deep_enough(node):
                return Line(tree.static(node))
            lines = [(visit(tree, child).value, child.move) for child in tree.successors(node)]
            value, move = choose(lines, key=lambda line: line[0])
            return Line(value, (move,))

        mine.__qualname__ = "mine"
        monkeypatch.setitem(globals(), "mine", mine)
        return explore(Kalah(3, 2).start(), algorithm=mine, depth=1)

    both = wrong, right = explore_mine(min), explore_mine(max)
    assert wrong.request == right.request
    assert "The first wrong value is" in wrong.comparison
    assert "agrees with alpha_beta" in right.comparison
    for explorer in both:
        assert explorer.comparison.startswith(explorer.request.compare_with_alpha_beta()[0])
        assert explorer.still() == explorer.still()
    assert runs == ["min", "max"]


def test_only_kalah_has_quiet_positions_and_their_search_has_no_full_size():
    assert explore(Kalah(3, 2).start(), leaf="quiescence", depth=2).traces[0]["full"] == 0
    with pytest.raises(ValueError, match="HandTree has no quiet positions; use"):
        explore(AIMA_5_2, leaf="quiescence")


@given(trees(), st.sampled_from([*ALGORITHMS]))
def test_a_packed_trace_has_the_totals_of_its_tree(tree, algorithm):
    trace = record(ALGORITHMS[algorithm], HandTree(tree), tree, written_value, Depth(9))
    sizes = count_full_tree(HandTree(tree), Depth(9))
    packed, visits = pack(trace, "", sizes), [*trace.visits()]
    values = {-math.inf, math.inf}
    for visit in visits:
        values |= {visit.alpha, visit.beta, visit.value}
    assert packed["texts"] == [format_number(value) for value in sorted(values)]
    assert packed["nodes"] == len(visits)
    assert packed["full"] == sizes(visits[0].node)
    untried = chain.from_iterable(cut.untried for cut in trace.cuts)
    assert packed["spared"] == sum(sizes(trace.nodes[id].node) for id in untried)
    assert packed["widest"] == max(len(visit.children) for visit in visits)
    levels = Counter(len(trace.path(visit.id)) for visit in trace.nodes)
    deepest = max(len(trace.path(visit.id)) for visit in visits)
    assert packed["width"] == [levels[level] for level in range(deepest + 2)]


def take_worst(tree, node, values):
    return min(values) if node.maximizing else max(values)


mean = BACKUPS["averaging"].backup
worst = backup_search(replace(mean, name="worst", back_up=take_worst), "Back up the worst.")
POSITIONS = {"kalah": "<2,1,0,2,1,2,1>", "tree": "((0.5 0.4) (0.75 1))"}


@pytest.mark.parametrize("game", POSITIONS)
@pytest.mark.parametrize("name", SEARCHES)
def test_each_search_is_in_the_form_and_shown_as_python_explains_it(name, game):
    explorer = explore(POSITIONS[game], game=game, depth=2)
    answer = ask(explorer, search={**explorer.form, "algorithm": name})
    assert answer["error"] == ""
    trace, title = explorer.request.run_first()
    [packed] = explorer.traces
    assert packed["title"] == title
    assert "_" not in title
    assert trace == SearchRequest.from_link(explorer.link).run_first()[0]
    again = Trace.from_json(trace.to_json())
    assert (again.unit, again.has_own_backup) == (trace.unit, trace.has_own_backup)
    if name not in BACKUPS:
        assert (packed["reasons"], packed["unit"]) == (None, "value")
        return
    reasons = json.loads(gzip.decompress(packed["reasons"]))
    assert reasons == [visit.reason for visit in trace.visits()]
    assert not packed["windows"]
    assert explorer.exercise == {}  # there is nothing to cross out
    assert {question.kind for question in iter_questions(trace)} == {"value"}


def test_a_users_backup_is_not_called_a_wrong_alpha_beta():
    explorer = explore(POSITIONS["kalah"], algorithm=worst, depth=2)
    assert explorer.comparison.endswith("is no minimax: it backs values up in a way of its own.")


def test_a_search_by_probability_refuses_a_tree_of_stones_in_one_line():
    explorer = explore("((3 12) (2 4))", game="tree")
    answer = ask(explorer, search={**explorer.form, "algorithm": "product_rule"})
    message = "the node 1.1 has the value 3; a search by probabilities takes values from 0 to 1"
    assert answer["error"] == message


PLAYED = [kind for kind in GAMES.values() if kind.name != "tree"]


@pytest.mark.parametrize("kind", PLAYED, ids=lambda kind: kind.name)
def test_a_game_is_searched_from_a_text_or_a_state_and_its_trace_is_read_again(kind):
    game, state = kind.read(kind.example)
    explorer = explore(kind.example, game=kind.name, depth=2)
    trace = record(alpha_beta, game, state, find_evaluator(None, kind.name), Depth(2))
    title, sizes = explorer.traces[0]["title"], count_full_tree(game, Depth(2))
    assert (
        explorer.traces == explore(state, game=game, depth=2).traces == [pack(trace, title, sizes)]
    )
    again = Trace.from_json(trace.to_json())
    assert again.game == kind.name
    packed, repacked = pack(trace, title), pack(again, title)
    same = packed.keys() - (
        {"moves"} if kind.name in ("betsy", "pie") else {}
    )  # a file contains only their names
    assert [repacked[name] for name in same] == [packed[name] for name in same]
    after = kind.format(game.play(state, game.moves(state)[0]))
    form = {**explorer.form, "depth": "1", "position": after}
    assert ask(explorer, search=form)["error"] == ""
    assert explorer.form == {**form, "depth": 1}
    assert "nothing" in ask(explorer, search={**form, "position": "nothing"})["error"]


BRIEF = [-12, 1000, -2.25, -9.230769231, math.inf, -1234567.25, -1.7976931348623157e308]
BRIEF += [0.00012345, 0.00001234]


def test_a_long_number_is_shortened_in_a_node():
    expected = "−12 1000 −2.25 −9.23 ∞ −1.2e6 −1.8e308 0.000123 1.2e−5"
    assert [*map(format_brief, BRIEF)] == expected.split()


def test_a_packed_search_is_small():
    explorer = explore(START, depth=8, rules="empty-capture")
    [packed] = explorer.traces
    assert packed["nodes"] == 30229  # the prototype's depth 8, which it gives in its README
    data = len(packed["data"]) + len(packed["positions"]["data"])
    assert 4 / 3 * data / packed["nodes"] <= 3.5
    assert len(explorer.page()) - len(explorer.fallback()) < 200_000, "without the picture"


def test_a_page_refers_to_nothing_outside_itself(run, tmp_path):
    out = tmp_path / "page.html"
    assert run("explore", START, "--depth", "1", "--beside", "minimax", "--out", str(out))[0] == 0
    esm, css, _ = Explorer().page_part()
    assert "import " not in re.sub(r"await import\(", "", esm)
    assert "innerHTML" not in esm
    for text in (out.read_text(), explore(START, depth=1).handle({"page": True})["page"]):
        addresses = re.findall(r"(?:https?:)?//[\w.-]+\.\w+[^\s\"'`]*", esm + css + text)
        assert {*addresses} <= {"http://www.w3.org/2000/svg"}
        assert RUNTIME not in text.replace(f"{RUNTIME[:-4]}.js", "")
        policy = r"default-src 'none'; script-src 'sha256-\S+' blob: 'wasm-unsafe-eval'; style-src"
        assert re.search(policy, unescape(text))
        assert "base-uri 'none'; form-action 'none'" in unescape(text)


@given(st.text(), st.text())
def test_no_text_ends_the_page_early(title, name):
    text = page(title, [("export default {}", "", {"name": name, "data": b"\0\xff"})])
    assert len(re.findall("<script", text)) == len(re.findall("</script>", text)) == 2
    data = re.search(r'id="parts">(.*?)</script>', text, re.DOTALL)
    state = json.loads(data[1])["widgets"][0]["state"]
    assert state == {"name": name, "data": {"base64": "AP8="}}


def test_a_trait_that_is_not_json_is_refused():
    with pytest.raises(TypeError, match="object"):
        page("", [("", "", {"x": object()})])


FORM = {
    "game": "kalah",
    "position": "<3,0,0,2,2,2,2,2,2>",
    "evaluator": "staged",
    "depth": 3,
    "leaf": "turn",
    "algorithm": "minimax_a_b",
    "order": "store_first",
    "beside": "greedy",
    "beside_order": "pit",
}


@pytest.mark.parametrize("name", GAMES)
def test_the_game_can_be_changed_to_the_example_of_another_and_back(name):
    explorer = explore(START, depth=2, algorithm="scout")
    assert ask(explorer, game=name)["error"] == ""
    expected = explore(GAMES[name].example, game=name, depth=2, algorithm="scout")
    assert (explorer.form, explorer.link) == (expected.form, expected.link)
    assert explorer.traces[0]["title"] == expected.traces[0]["title"]
    assert explorer.editable == (name == "tree")
    assert explorer.choices["game"] == [*GAMES]
    assert ask(explorer, game="kalah", position=START)["error"] == ""
    assert explorer.link == explore(START, depth=Depth(2), algorithm="scout").link
    assert "unknown game 'os.system'; use one of kalah" in ask(explorer, game="os.system")["error"]


def test_a_tree_written_by_hand_is_searched_whole_and_a_smaller_depth_is_noted():
    explorer = explore("(((3 5) (6 9)) 4)", game="tree")
    assert (explorer.form["depth"], explorer.traces[0]["title"]) == (3, "Alpha-beta, depth 3")
    assert ask(explorer, edit={"path": [0, 0, 0], "add": True})["error"] == ""
    assert explorer.form["depth"] == 4
    assert ask(explorer, search={**explorer.form, "position": "uniform:2x6:1"})["error"] == ""
    assert explorer.form["depth"] == 6
    assert ask(explorer, search={**explorer.form, "depth": "2"})["error"] == ""
    assert explorer.traces[0]["title"] == f"Alpha-beta, depth 2; {CUT_SHORT}"
    assert ask(explorer, game="kalah", position=START)["error"] == ""
    assert ask(explorer, game="tree", position="uniform:2x5:1")["error"] == ""
    assert explorer.form["depth"] == 5


def test_the_form_requests_another_search():
    explorer = explore(START, depth=2)
    assert ask(explorer, search=FORM)["error"] == ""
    assert (explorer.form, explorer.editable) == (FORM, False)
    assert [packed["title"] for packed in explorer.traces] == [
        "Minimax-a-b, depth 3, store first order (turns, staged)",
        "Greedy, depth 3 (turns, staged)",
    ]
    rest = {name: value for name, value in FORM.items() if name != "position"}
    same = explore(FORM["position"], **rest)
    for name in ("nodes", "numbers", "moves", "columns"):
        assert [trace[name] for trace in explorer.traces] == [trace[name] for trace in same.traces]


def test_leaves_are_added_and_removed_and_every_change_is_undone():
    explorer = explore("((3 12) 5)", game="tree", depth=9)
    trees = []
    assert not explorer.undoable
    for edit, tree in jsonl(Path(__file__).with_name("edits.jsonl")):
        trees.append(explorer.form["position"])
        assert ask(explorer, edit=edit)["error"] == ""
        assert explorer.form["position"] == tree
    last = ask(explorer, edit={"path": [], "branch": 0, "remove": True})
    assert last["error"] == "the root keeps at least one branch"
    trees.append(explorer.form["position"])
    assert ask(explorer, search={**explorer.form, "position": "uniform:2x2:5"})["error"] == ""
    for tree in trees[::-1]:
        assert explorer.undoable
        assert ask(explorer, undo=True)["error"] == ""
        assert explorer.form["position"] == tree
        fresh = explore(tree, game="tree", depth=9).traces
        assert [trace["nodes"] for trace in explorer.traces] == [trace["nodes"] for trace in fresh]
    assert not explorer.undoable
    assert ask(explorer, undo=True)["error"] == "there is nothing to undo"


@given(trees())
def test_a_new_leaf_has_a_new_name_and_the_first_one_has_its_parents_value(root):
    names = [child.name for child in with_new_leaf(root).children]
    assert len({*names}) == len(names) == len(root.children) + 1
    if not root.children:
        assert with_new_leaf(root).children[0].value == root.value


def test_a_recorded_trace_is_shown_with_its_title_and_cannot_be_searched_again():
    explorer = Explorer(AIMA, AIMA, titles=["One"])
    assert [packed["title"] for packed in explorer.traces] == ["One", "Search"]
    assert "no other search can be requested" in ask(explorer, search=FORM)["error"]
    with pytest.raises(TypeError, match=r"Explorer\(trace\)"):
        explore(AIMA)
    with pytest.raises(TypeError, match="but not both"):
        Explorer(AIMA, request=explore(START, depth=1).request)


def test_names_may_be_spelled_as_on_the_command_line():
    explorer = explore(
        "<2,0,0,1,1,1,1>", algorithm="minimax-a-b", beside_order="store-first", depth=2
    )
    names = ("algorithm", "order", "beside", "beside_order")
    assert [explorer.form[name] for name in names] == [
        "minimax_a_b",
        "pit",
        "minimax_a_b",
        "store_first",
    ]
    with pytest.raises(ValueError, match="unknown algorithm"):
        explore(START, algorithm="guess")
    names = {e3: "e3", written_value: "kalahlab.evaluators.tree.written_value"}
    for function, name in names.items():
        assert explore(START, evaluator=function).form["evaluator"] == name


FOLDER = BUNDLES.parent
STYLE = str(Explorer._css)
COLOURS = {
    name: (light, dark)
    for name, light, dark in re.findall(r"--(\w+): light-dark\((#\w{6}), (#\w{6})\)", STYLE)
}
TEXT = [("ink", "bg"), ("ink", "panel"), ("muted", "bg"), ("muted", "panel"), ("ink", "maxfill")]
TEXT += [("ink", "minfill"), ("ink", "cutfill"), ("max", "panel"), ("cut", "bg")]
TEXT += [("mintext", "panel")]
TEXT += [("cut", "cutfill"), ("bg", "cut"), ("bg", "ink"), ("ink", "btn"), ("focus", "bg")]
SHAPES = [("max", "bg"), ("min", "bg"), ("low", "bg"), ("high", "bg"), ("edge", "bg")]
SHAPES += [("best", "bg"), ("focus", "bg"), ("cut", "cutfill")]


def test_trees_have_the_colours_of_the_drawings_in_the_report():
    drawn = {"max": svg.BLUE, "min": svg.VERMILION, "best": svg.GREEN, "cut": svg.PURPLE}
    drawn |= {"maxfill": svg.PALE_BLUE, "minfill": svg.PALE_VERMILION, "panel": svg.PANEL}
    drawn |= {"low": svg.LOW, "high": svg.HIGH, "edge": svg.EDGE, "line": svg.FAINT}
    drawn |= {"bg": svg.GROUND, "ink": svg.INK, "muted": svg.MUTED, "focus": svg.TEAL}
    assert {name: COLOURS[name][0] for name in drawn} == {
        name: colour.lower() for name, colour in drawn.items()
    }


def test_boards_and_pages_have_the_colours_of_trees():
    board = FOLDER.joinpath("board/board.css").read_text(encoding="utf-8")
    pairs = re.findall(r"--(\w+): light-dark\((#\w{6}), (#\w{6})\)", board)
    board_colours = {name: (light, dark) for name, light, dark in pairs if name in COLOURS}
    assert board_colours.keys() >= {"ink", "panel", "muted", "edge", "line", "cut"}
    assert board_colours == {name: COLOURS[name] for name in board_colours}
    pages = FOLDER.parent.joinpath("report/templates/style.css").read_text(encoding="utf-8")
    for name in ("max", "min"):  # by day, and by night
        assert tuple(re.findall(rf"--{name}: (#\w{{6}})", pages)) == COLOURS[name]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_contrasts_suffice(theme):
    for front, back, least in [(*pair, 4.5) for pair in TEXT] + [(*pair, 3.0) for pair in SHAPES]:
        assert contrast(COLOURS[front][theme], COLOURS[back][theme]) >= least, (front, back)


def test_the_moves_of_a_homework_have_the_cells_that_they_sow():
    """Check that B2, B3 ... are South's pits in order, and A2, A3 ... North's in reverse."""
    problem = read_problem("2\n2\n2\n1 2 1\n1 1 1\n0\n0\n")
    recorder = Recorder(problem.game)
    trace = Trace(solve(problem, recorder), recorder.tree(), "kalah")
    cells = {name: cell for name, cell, probe in pack(trace, "homework")["moves"] if name}
    ring = {"B2": 0, "B3": 1, "B4": 2, "A4": 4, "A3": 5, "A2": 6}
    assert cells == {name: ring[name] for name in cells}
    assert {name[0] for name in cells} == {"A", "B"}
