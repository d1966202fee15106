"""The explorer's Python half: what is packed, what a page holds, what can be asked for."""

import gzip
import json
import math
import re
from collections import Counter
from collections.abc import Callable
from html import unescape
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import positions, random_position, trees

from kalahlab.evaluators import registry
from kalahlab.evaluators.kalah import EVALUATORS
from kalahlab.evaluators.registry import evaluator
from kalahlab.evaluators.tree import written_value
from kalahlab.games.hand_tree import (
    AIMA_5_2,
    RICH_KNIGHT_12_5,
    Branch,
    HandTree,
)
from kalahlab.games.kalah import EMPTY_CAPTURE, Kalah, State, swap_sides
from kalahlab.games.notation import format_board
from kalahlab.games.registry import GAMES
from kalahlab.games.tree_edits import with_branch_at, with_new_leaf, without_branch
from kalahlab.search import ALGORITHMS, ORDERS, Depth, alpha_beta, minimax
from kalahlab.search.full_size import full_size
from kalahlab.search.model import Node
from kalahlab.trace import Trace, number, record
from kalahlab.widgets import modules
from kalahlab.widgets.explorer import Explorer, explore, packing, request
from kalahlab.widgets.explorer.packing import brief, pack
from kalahlab.widgets.page import page

START = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>"


def root(state: Any) -> Node:
    return Node(state, None, True, 0, 0)


# What a branch never visited would have cost.


@given(positions(pits=4, stones=3), st.integers(0, 4), st.sampled_from(("sow", "turn")))
def test_a_full_search_visits_as_many_nodes_as_it_is_said_to(position, limit, unit):
    game, state = position
    depth = Depth(min(limit, 2) if unit == "turn" else limit, unit)
    counts = minimax(game, state, EVALUATORS["store_difference"], depth).counts
    assert full_size(game, depth)(root(state)) == counts.expanded + counts.evaluated


@given(trees(), st.integers(0, 5), st.sampled_from(["alpha_beta", "minimax_a_b"]))
def test_what_was_visited_and_what_was_not_make_up_the_full_search(tree, limit, algorithm):
    game, depth = HandTree(tree), Depth(limit)
    trace = record(ALGORITHMS[algorithm], game, tree, written_value, depth)
    size = full_size(game, depth)
    never = [visit for visit in trace.nodes if visit.kind == "unvisited"]
    visited = len(trace.nodes) - len(never)
    assert visited + sum(size(visit.node) for visit in never) == size(root(tree))


def test_a_quiet_depth_is_kalahs_and_has_no_full_size():
    assert explore(Kalah(3, 2).start(), leaf="quiescence", depth=2).traces[0]["full"] == 0
    with pytest.raises(ValueError, match="HandTree has no quiet positions; use"):
        explore(AIMA_5_2, leaf="quiescence")


# The packed trace, read back by another reader.


def columns_of(packed: dict[str, Any]) -> dict[str, list[int]]:
    data, at = gzip.decompress(packed["data"]), 0
    columns: dict[str, list[int]] = {}
    for name, kind, count in packed["columns"]:
        column = np.frombuffer(data, f"<{kind}", count, at)
        columns[name] = column.tolist()
        at += column.nbytes
    assert at == len(data)
    return columns


class Unpacked:
    """The columns by name, and the tree that the plies describe."""

    def __init__(self, packed: dict[str, Any]) -> None:
        self.packed = packed
        self.columns = columns_of(packed) | columns_of(packed["positions"])
        self.parents: list[int | None] = []
        path: list[int] = []
        for id, ply in enumerate(self.columns["ply"]):
            del path[ply:]
            assert len(path) == ply
            self.parents.append(path[-1] if path else None)
            path.append(id)

    def value(self, id: int) -> int:
        parent = self.parents[id]
        return self.columns["value"][id] + (0 if parent is None else self.value(parent))

    def number(self, place: int) -> float:
        last = len(self.packed["numbers"]) - 1
        infinite = {0: -math.inf, last: math.inf}
        return infinite[place] if place in infinite else self.packed["numbers"][place]

    def cells(self, id: int, cells: int) -> list[int]:
        own = self.columns["cells"][id * cells : (id + 1) * cells]
        parent = self.parents[id]
        before = [0] * cells if parent is None else self.cells(parent, cells)
        return [count + less for count, less in zip(before, own, strict=True)]

    def at(self, id: int, level: int) -> int:
        """The node on the way from the root to a node, at a level."""
        path = [id]
        while (parent := self.parents[path[-1]]) is not None:
            path.append(parent)
        return path[-1 - level]


def check(trace: Trace, packed: dict[str, Any], sizes: Callable[[Node], int]) -> None:
    read = Unpacked(packed)
    visits = list(trace.visited())
    columns = read.columns
    assert read.parents == [visit.parent for visit in visits]
    assert packed["texts"] == [number(read.number(p)) for p in range(len(packed["numbers"]))]
    for id, visit in enumerate(visits):
        name, _, probe = packed["moves"][columns["move"][id]]
        assert (name, name + "?" * probe) == (visit.name, visit.label)
        window = f"{columns['alpha'][id]} {columns['beta'][id]}"
        assert packed["asks"].get(window, "") == visit.question[:1]
        assert read.number(columns["alpha"][id]) == visit.alpha
        assert read.number(columns["beta"][id]) == visit.beta
        assert read.number(read.value(id)) == visit.value
        flag = columns["flag"][id]
        assert bool(flag & packing.MIN) == (visit.player == "MIN")
        assert bool(flag & packing.CUT) == (visit.kind == "cut")
        assert bool(flag & packing.FINISHED) == (visit.kind == "finished")
        assert bool(flag & packing.EXTRA) == (visit.extra_turn and visit.kind != "finished")
        if packed["board"]:
            cells = 2 * packed["board"]["pits"] + 2
            assert read.cells(id, cells) == list(visit.node.state.board)
    untried = [trace.nodes[ghost] for cut in trace.cuts for ghost in cut.untried]
    inner = [id for id in range(len(visits)) if id in read.parents]
    owners = {id: read.at(id, level) for id, level in zip(inner, columns["owner"], strict=True)}
    held = dict(zip(inner, columns["holds"], strict=True))
    for id in inner:
        children = [None, *trace.nodes[owners[id]].children]
        assert (owners[id], children[held[id]]) == trace.bound_owner(visits[id])
    assert columns["count"] == [len(cut.untried) for cut in trace.cuts]
    assert [packed["moves"][move][0] for move in columns["ghost"]] == [g.name for g in untried]
    again = np.unpackbits(np.array(columns["again"], "u1"), bitorder="little")[: len(untried)]
    assert again.tolist() == [ghost.extra_turn for ghost in untried]
    said = packed["words"]["said"]
    for cut in trace.cuts:
        if cut.node in said:
            assert "".join(text for text, _ in said[cut.node]) == trace.why(cut)
            assert [id for _, id in said[cut.node] if id is not None] == [cut.node, cut.owner]
    assert columns["cost"] == [sizes(ghost.node) for ghost in untried]
    assert packed["full"] == sizes(visits[0].node)
    assert packed["spared"] == sum(columns["cost"])
    parents = [*read.parents[1:], *(cut.node for cut in trace.cuts for _ in cut.untried)]
    assert packed["widest"] == max(Counter(parents).values(), default=0)
    plies = [0, *(columns["ply"][parent] + 1 for parent in parents)]
    assert packed["width"] == [plies.count(ply) for ply in range(max(columns["ply"]) + 2)]


def test_every_trace_reads_back():
    """All algorithms, evaluators, orders and rules; pits with hundreds of stones now and then."""
    chance = Random(5)
    for _ in range(60):
        game, state = random_position(chance, pits=5, stones=chance.choice([4, 4, 400]))
        depth = Depth(chance.randint(0, 4))
        sizes = full_size(game, depth)
        name = chance.choice([*ALGORITHMS])
        look, order = chance.choice([*EVALUATORS.values()]), chance.choice([*ORDERS.values()])
        trace = record(ALGORITHMS[name], game, state, look, depth, order)
        check(trace, pack(trace, name, sizes), sizes)


@given(trees(), st.sampled_from([*ALGORITHMS]))
def test_every_tree_reads_back(tree, algorithm):
    game, depth = HandTree(tree), Depth(9)
    trace = record(ALGORITHMS[algorithm], game, tree, written_value, depth)
    packed = pack(trace, "", full_size(game, depth))
    check(trace, packed, full_size(game, depth))
    assert packed["board"] is None


EXPLORED = [each for each in GAMES.values() if each.name not in ("kalah", "tree")]


@pytest.mark.parametrize("kind", EXPLORED, ids=lambda kind: kind.name)
def test_positions_of_another_game_read_back_as_it_draws_them(kind):
    game, state = kind.read(kind.example)
    shown = explore(kind.example, game=kind.name, depth=2)
    trace = record(alpha_beta, game, state, evaluator(None, kind.name), Depth(2))
    name = next(iter(registry.EVALUATORS[kind.name])).replace("_", " ")
    packed = pack(trace, f"Alpha-beta, depth 2 ({name})", full_size(game, Depth(2)))
    assert shown.traces == [packed]
    assert explore(state, game=game, depth=2).traces == shown.traces
    read = Unpacked(packed)
    width = len(read.columns["cells"]) // packed["nodes"]
    for id, visit in enumerate(trace.visited()):
        text = "".join(map(chr, read.cells(id, width)))
        assert text.rstrip() == kind.draw(visit.node.state).rstrip()
    again = Trace.from_json(trace.to_json())
    assert again.game == kind.name
    assert pack(again, packed["title"])["data"] == pack(trace, "")["data"]
    form = {
        **shown.form,
        "depth": "1",
        "position": kind.format(game.play(state, game.moves(state)[0])),
    }
    assert ask(shown, search=form)["error"] == ""
    assert shown.form == {**form, "depth": 1}
    assert "nothing" in ask(shown, search={**form, "position": "nothing"})["error"]


def test_a_recorded_search_is_not_searched_again():
    trace = record(alpha_beta, AIMA_5_2, AIMA_5_2.root, written_value, Depth(9))
    with pytest.raises(TypeError, match=r"Explorer\(trace\)"):
        explore(trace)


def test_infinite_and_fractional_values_are_told_apart():
    def lost_or_a_third(board, player):
        return -math.inf if sum(board[:3]) % 3 == 1 else board[3] / 3

    game, depth = Kalah(3, 3), Depth(3)
    trace = record(minimax, game, game.start(), lost_or_a_third, depth)
    assert {-math.inf, 1 / 3} <= {visit.value for visit in trace.visited()}
    check(trace, pack(trace, "", full_size(game, depth)), full_size(game, depth))


def test_the_pit_that_was_sown_is_named_as_a_cell_of_the_board():
    game = Kalah(3, 2)
    for state in (game.start(), swap_sides(game.start())):
        trace = record(minimax, game, state, EVALUATORS["e1"], Depth(2))
        packed = pack(trace, "")
        read = Unpacked(packed)
        for visit in list(trace.visited())[1:]:
            before = trace.nodes[visit.parent or 0].node.state
            _, cell, _ = packed["moves"][read.columns["move"][visit.id]]
            assert before.board[cell] > 0
            assert cell == before.player * 4 + visit.node.move
        sides = {"south": "MAX", "north": "MIN"} if state.player == 0 else None
        assert packed["board"] == {"pits": 3} | (sides or {"south": "MIN", "north": "MAX"})


def test_a_trace_file_is_packed_like_the_search_it_was_made_of():
    game, depth = Kalah(3, 3), Depth(3)
    trace = record(alpha_beta, game, game.start(), EVALUATORS["e3"], depth)
    assert pack(Trace.from_json(trace.to_json()), "x") == pack(trace, "x")
    tree = record(alpha_beta, AIMA_5_2, AIMA_5_2.root, written_value, Depth(9))
    assert pack(Trace.from_json(tree.to_json()), "x")["board"] is None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *[(-12, "−12"), (1000, "1000"), (-2.25, "−2.25"), (-9.230769231, "−9.23")],
        *[(math.inf, "∞"), (-1234567.25, "−1.2e6"), (-1.7976931348623157e308, "−1.8e308")],
        *[(0.00012345, "0.000123"), (0.00001234, "1.2e−5")],
    ],
)
def test_a_long_number_is_shortened_in_a_node(value, text):
    assert brief(value) == text


def test_a_packed_search_is_small():
    """At most 3.5 bytes a node as the page holds them; with its code that is under 200 kB."""
    shown = explore(START, depth=8, rules=EMPTY_CAPTURE)
    [packed] = shown.traces
    assert packed["nodes"] == 30229  # the prototype's depth 8, which it gives in its README
    data = len(packed["data"]) + len(packed["positions"]["data"])
    assert 4 / 3 * data / packed["nodes"] <= 3.5
    assert len(shown.page()) - len(shown.picture()) < 200_000, "besides what is seen without code"


# The page.


def test_a_page_names_nothing_outside_itself():
    text = explore(START, depth=2, beside="minimax").page("Two searches")
    code = Explorer._esm + Explorer._css + text
    addresses = set(re.findall(r"(?:https?:)?//[\w.-]+\.\w+[^\s\"'`]*", code))
    assert addresses <= {"http://www.w3.org/2000/svg"}
    assert "import " not in re.sub(r"await import\(", "", Explorer._esm)
    assert "innerHTML" not in Explorer._esm
    assert "default-src 'none'" in unescape(text)


@given(st.text(), st.text())
def test_no_text_ends_the_page_early(title, name):
    text = page(title, [("export default {}", "", {"name": name, "data": b"\0\xff"})])
    assert len(re.findall("<script", text)) == len(re.findall("</script>", text)) == 2
    data = re.search(r'id="parts">(.*?)</script>', text, re.DOTALL)
    assert data
    state = json.loads(data[1])["widgets"][0]["state"]
    assert state == {"name": name, "data": {"base64": "AP8="}}


def test_a_trait_that_no_page_can_hold_is_refused():
    with pytest.raises(TypeError, match="object"):
        page("", [("", "", {"x": object()})])


# Joining modules.


def write(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8")
    return folder / "one.js"


def test_modules_are_joined_in_the_order_in_which_they_need_each_other(tmp_path):
    entry = write(
        tmp_path,
        one='import { b } from "./two.js";\nimport { c } from "./three.js";\n\n'
        "// words\nexport default { b, c };\n",
        two='import {\n  c,\n} from "./three.js";\nexport function b() {\n  return c;\n}\n',
        three="export const c = 1;\n",
    )
    assert " ".join(modules.join(entry).split()) == (
        "const c = 1; function b() { return c; } export default { b, c };"
    )


@pytest.mark.parametrize(
    ("texts", "complaint"),
    [
        ({"one": 'import x from "./two.js";\n'}, "cannot be joined: import x"),
        ({"one": 'import { x } from "https://a.example/x.js";\n'}, "cannot be joined"),
        ({"one": "const x = 1;\nexport { x };\n"}, "cannot be joined: export"),
        ({"one": 'import { x } from "./two.js";\n', "two": "const x = 1;\n"}, "does not export"),
        (
            {
                "one": 'import { x } from "./two.js";\nconst y = 1;\n',
                "two": "export const x = 1;\nconst y = 2;\n",
            },
            "y is declared in two.js and in one.js",
        ),
        (
            {
                "one": 'import { x } from "./two.js";\nexport const y = 1;\n',
                "two": 'import { y } from "./one.js";\nexport const x = 1;\n',
            },
            "import each other: one.js -> two.js -> one.js",
        ),
        (
            {
                "one": 'import { x } from "./two.js";\n',
                "two": "export const x = 1;\nexport default x;\n",
            },
            "two.js has a line that cannot be joined: export default",
        ),
    ],
)
def test_what_cannot_be_joined_is_refused(tmp_path, texts, complaint):
    with pytest.raises(ValueError, match=complaint):
        modules.join(write(tmp_path, **texts))


# What can be asked for.


def ask(shown: Explorer, **request: Any) -> dict[str, Any]:
    """What the explorer answers; its error is empty if it did what was asked for."""
    answers: list[dict[str, Any]] = []
    shown.send = answers.append  # type: ignore[method-assign]
    shown._handle_custom_msg({"id": "7", **request}, [])
    shown.settle()
    (answer,) = answers
    assert answer["id"] == "7"
    return answer


FORM = {
    "position": "<3,0,0,2,2,2,2,2,2>",
    "evaluator": "staged",
    "depth": 3,
    "leaf": "turn",
    "algorithm": "minimax_a_b",
    "order": "store_first",
    "beside": "greedy",
    "beside_order": "pit",
}


def test_the_form_asks_for_another_search():
    shown = explore(START, depth=2)
    assert ask(shown, search=FORM)["error"] == ""
    assert (shown.form, shown.editable) == (FORM, False)
    assert [packed["title"] for packed in shown.traces] == [
        "Minimax-a-b, depth 3, store first order (turns, staged)",
        "Greedy, depth 3 (turns, staged)",
    ]
    trace = record(
        ALGORITHMS["minimax_a_b"],
        *(Kalah(), State((2, 2, 2, 0, 2, 2, 2, 0), 0), EVALUATORS["staged"], Depth(3, "turn")),
        ORDERS["store_first"],
    )
    assert shown.traces[0]["nodes"] == len(list(trace.visited()))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"position": "<2,0,0,1>"}, "lists 1 pits"),
        ({"position": "six stones"}, "is not of the form"),
        ({"depth": "deep"}, "'deep' is not a whole number"),
        ({"depth": -1}, "depth is -1"),
        ({"depth": 60, "position": START}, "more than 4,000 nodes"),
        ({"evaluator": "best"}, "unknown evaluator 'best'"),
        ({"algorithm": "guess"}, "unknown algorithm 'guess'"),
        ({"algorithm": "os.abort"}, "unknown algorithm 'os.abort'"),
        ({"beside_order": "guess"}, "unknown beside order 'guess'"),
        ({"leaf": "year"}, "unknown leaf 'year'"),
    ],
)
def test_what_cannot_be_searched_is_said_and_changes_nothing(change, complaint, monkeypatch):
    monkeypatch.setattr(request, "MAX_NODES", 4000)
    shown = explore("<2,0,0,1,1,1,1>", depth=2)
    before = shown.traces, shown.form
    assert complaint in ask(shown, search={**FORM, **change})["error"]
    assert (shown.traces, shown.form) == before
    assert ask(shown, search=FORM)["error"] == "", "it goes on working"


def test_a_tree_is_edited_and_searched_again():
    shown = explore(RICH_KNIGHT_12_5, depth=9)
    numbers = shown.traces[0]["numbers"]
    assert 20 not in numbers
    assert ask(shown, edit={"path": [1, 2], "value": "20"})["error"] == ""
    assert 20 in shown.traces[0]["numbers"]
    before = shown.traces[0]["data"]
    assert ask(shown, edit={"path": [], "branch": 1, "to": 0})["error"] == ""
    moves = shown.traces[0]["moves"]
    assert moves[1][0] == "C", "C is now tried first"
    assert shown.traces[0]["data"] != before


@pytest.mark.parametrize(
    ("edit", "complaint"),
    [
        ({"path": [0], "value": 3}, "B is not a leaf"),
        ({"path": [7], "value": 3}, "A has no branch 7"),
        ({"path": [0, 0], "value": "much"}, "'much' is not a number"),
        ({"path": [0, 0], "value": "inf"}, "'inf' is not finite"),
        ({"path": [], "branch": 9, "to": 0}, "A has no branch 9"),
        ({"path": [], "branch": 0, "to": 9}, "A has no place 9"),
        ({}, "path"),
        ({"path": [7], "add": True}, "A has no branch 7"),
        ({"path": ["x"], "add": True}, "'<='"),
        ({"path": [0], "branch": 9, "remove": True}, "B has no branch 9"),
        ({"path": [0], "branch": -1, "remove": True}, "B has no branch -1"),
        ({"path": [7], "name": "x"}, "A has no branch 7"),
        ({"path": [0], "name": "C"}, "another branch here is called 'C'"),
        ({"path": [0], "name": "  "}, "'' is no name"),
        ({"path": [0], "name": "a b"}, "'a b' is no name"),
        ({"path": [0], "name": "7.1"}, "not digits alone"),
        ({"path": [0], "name": "x" * 21}, "up to 20 characters"),
    ],
)
def test_an_edit_that_cannot_be_made_is_said(edit, complaint):
    shown = explore(AIMA_5_2, depth=9)
    before = shown.traces
    assert complaint in ask(shown, edit=edit)["error"]
    assert shown.traces == before


def test_leaves_come_and_go_and_every_change_is_taken_back():
    shown = explore("((3 12) 5)", game="tree", depth=9)
    said = [
        ({"path": [0], "add": True}, "((3 12 0) 5)"),
        ({"path": [0, 2], "value": 7}, "((3 12 7) 5)"),
        ({"path": [0, 1], "name": " loss "}, "((3 loss:12 7) 5)"),
        ({"path": [0], "name": "e4"}, "(e4:(3 loss:12 7) 5)"),
        ({"path": [1], "add": True}, "(e4:(3 loss:12 7) (5))"),
        ({"path": [1], "add": True}, "(e4:(3 loss:12 7) (5 0))"),
        ({"path": [], "branch": 0, "remove": True}, "((5 0))"),
        ({"path": [0], "branch": 0, "remove": True}, "((0))"),
        ({"path": [0], "branch": 0, "remove": True}, "(0)"),
    ]
    assert not shown.undoable
    for edit, tree in said:
        assert ask(shown, edit=edit)["error"] == ""
        assert shown.form["position"] == tree
    last = ask(shown, edit={"path": [], "branch": 0, "remove": True})
    assert last["error"] == "the root keeps at least one branch"
    assert ask(shown, search={**shown.form, "position": "uniform:2x2:5"})["error"] == ""
    for tree in [tree for _, tree in said[::-1]] + ["((3 12) 5)"]:
        assert shown.undoable
        assert ask(shown, undo=True)["error"] == ""
        assert shown.form["position"] == tree
        fresh = explore(tree, game="tree", depth=9).traces
        assert [each["nodes"] for each in shown.traces] == [each["nodes"] for each in fresh]
    assert not shown.undoable
    assert ask(shown, undo=True)["error"] == "there is nothing to undo"


@given(trees(), st.data())
def test_a_leaf_that_is_added_and_removed_again_leaves_the_tree(root: Branch, data: Any) -> None:
    node, path = root, []
    while node.children and data.draw(st.booleans()):
        path.append(data.draw(st.integers(0, len(node.children) - 1)))
        node = node.children[path[-1]]
    more = with_new_leaf(root, path)
    for place in path:
        more = more.children[place]
    assert len({child.name for child in more.children}) == len(more.children)
    if node.children:
        last = len(node.children)
        assert without_branch(with_new_leaf(root, path), path, last) == root
    else:
        assert more.children[0].value == node.value


def test_moves_are_put_in_order_by_hand_in_pit_order_only():
    shown = explore(AIMA_5_2, depth=9, order="static")
    assert "'pit'" in ask(shown, edit={"path": [], "branch": 0, "to": 1})["error"]
    assert "tree written by hand" in ask(explore(START, depth=1), edit={"path": []})["error"]


def test_a_trace_file_is_opened_and_one_cut_short_is_said():
    shown = explore(START, depth=1)
    text = record(alpha_beta, AIMA_5_2, AIMA_5_2.root, written_value, Depth(9)).to_json()
    assert "cut short" in ask(shown, trace=text[:99], name="half.json")["error"]
    assert shown.traces[0]["board"]
    assert ask(shown, trace=text, name="whole.json")["error"] == ""
    assert shown.traces[0]["title"] == "whole.json"
    assert ask(shown, search=FORM)["error"] == "", "and back to a search"


def test_the_page_of_a_running_explorer_is_given_out():
    shown = explore(START, depth=1)
    answer = ask(shown, page=True)
    assert answer["page"] == shown.page(live="no")
    assert "another thing" not in ask(Explorer(), search=FORM)["error"]


def test_a_recorded_trace_is_shown_under_its_title():
    trace = record(alpha_beta, AIMA_5_2, AIMA_5_2.root, written_value, Depth(9))
    shown = Explorer(trace, trace, titles=["One"])
    assert [packed["title"] for packed in shown.traces] == ["One", "Search"]
    assert "nothing else can be asked" in ask(shown, search=FORM)["error"]


def test_names_are_taken_as_the_command_line_takes_them():
    shown = explore("<2,0,0,1,1,1,1>", algorithm="minimax-a-b", beside_order="store-first", depth=2)
    names = ("algorithm", "order", "beside", "beside_order")
    assert [shown.form[name] for name in names] == [
        "minimax_a_b",
        "pit",
        "minimax_a_b",
        "store_first",
    ]
    with pytest.raises(ValueError, match="unknown algorithm"):
        explore(START, algorithm="guess")
    assert format_board(Kalah(6, 4).start()) == START


@given(trees(), st.data())
def test_a_branch_that_is_moved_there_and_back_stands_where_it_stood(tree, data):
    path: list[int] = []
    node: Branch = tree
    while node.children and data.draw(st.booleans()):
        path.append(data.draw(st.integers(0, len(node.children) - 1)))
        node = node.children[path[-1]]
    if not node.children:
        return
    places = st.integers(0, len(node.children) - 1)
    branch, to = data.draw(places), data.draw(places)
    moved = with_branch_at(tree, path, branch, to)
    assert with_branch_at(moved, path, to, branch) == tree
    for step in path:
        moved = moved.children[step]
    names = [child.name for child in moved.children]
    assert names[to] == node.children[branch].name
    assert sorted(names) == sorted(child.name for child in node.children)


# Colours: contrast as WCAG 2.2 defines it, in both themes.

STYLE = str(Explorer._css)
COLOURS = {
    name: (light, dark)
    for name, light, dark in re.findall(r"--(\w+): light-dark\((#\w{6}), (#\w{6})\)", STYLE)
}
TEXT = [("ink", "bg"), ("ink", "panel"), ("muted", "bg"), ("muted", "panel"), ("ink", "maxfill")]
TEXT += [("ink", "minfill"), ("ink", "cutfill"), ("max", "panel"), ("min", "panel"), ("cut", "bg")]
TEXT += [("cut", "cutfill"), ("bg", "cut"), ("bg", "ink"), ("ink", "btn"), ("focus", "bg")]
SHAPES = [("max", "bg"), ("min", "bg"), ("low", "bg"), ("high", "bg"), ("edge", "bg")]
SHAPES += [("best", "bg"), ("focus", "bg"), ("cut", "cutfill")]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("front", "back", "least"),
    [(*pair, 4.5) for pair in TEXT] + [(*pair, 3.0) for pair in SHAPES],
)
def test_contrasts_suffice(front, back, least, theme):
    one, two = (luminance(COLOURS[name][theme]) for name in (front, back))
    assert (max(one, two) + 0.05) / (min(one, two) + 0.05) >= least


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(weight * p for weight, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
