"""Pictures of boards and trees: whole, the same each time, and readable."""

import csv
import random
import re
import xml.etree.ElementTree as ET
from functools import partial
from itertools import chain, combinations, product
from pathlib import Path

import others
import pytest
from ui import contrast

from kalahlab.draw import svg
from kalahlab.draw.board_svg import board_svg, boards_svg, move_views, outlook
from kalahlab.draw.mini_board import mini_board, text_board
from kalahlab.draw.tree_layout import max_drawn_depth, name_text, value_text
from kalahlab.draw.tree_svg import tree_svg
from kalahlab.draw.unsolved_tree import clear_results, has_windows
from kalahlab.evaluators.kalah import staged, store_difference
from kalahlab.evaluators.registry import find_evaluator
from kalahlab.evaluators.tree import written_value
from kalahlab.games import betsy as betsy_rules
from kalahlab.games.hand_tree import AIMA_5_2, RICH_KNIGHT_12_5, Branch, HandTree
from kalahlab.games.kalah import NORTH, SOUTH, Kalah, State
from kalahlab.games.registry import GAMES
from kalahlab.games.rules import EMPTY_CAPTURE, Rules
from kalahlab.report.artifacts import stabilize_svg
from kalahlab.search import ALGORITHMS, Depth, alpha_beta, minimax, mtdf, scout, scout_table
from kalahlab.trace import record

SVG = "{http://www.w3.org/2000/svg}"


def hand(tree, search=alpha_beta, depth=9):
    return record(search, tree, tree.start(), written_value, Depth(depth))


def kalah(pits, stones, depth, search=alpha_beta):
    game = Kalah(pits, stones)
    return record(search, game, game.start(), store_difference, Depth(depth))


def record_search(game, position, algorithm, depth, unit):
    args = (*GAMES[game].read(position), find_evaluator(None, game), Depth(int(depth), unit))
    return record(ALGORITHMS[algorithm], *args)


def record_staged_example():
    """Record the staged-heuristic report's example: North to move after South's pits 1 and 3."""
    game = Kalah(6, 6)
    return record(alpha_beta, game, game.play(game.play(game.start(), 0), 2), staged, Depth(2))


def random_tree(seed):
    rng = random.Random(seed)

    def branch(depth):
        name = "".join(rng.choices("abWM <&>é", k=rng.choice((1, 1, 2, 30))))
        value = rng.choice((0, 3, -12, 1234567, -2.25, 1 / 3, -100 / 7))
        grown = range(rng.randint(1, 4) if depth and rng.random() < 0.7 else 0)
        return Branch(name, rng.randint(0, 1), value, tuple(branch(depth - 1) for _ in grown))

    return HandTree(branch(4))


with Path(__file__).with_name("trees.csv").open(encoding="utf-8") as lines:
    TREES = {name: partial(record_search, *how) for name, *how in [*csv.reader(lines)][1:]}
TREES["worked tree"] = record_staged_example
for search, seeds in ((alpha_beta, 12), (scout, 4), (mtdf, 4)):
    for seed in range(seeds):
        TREES[f"random {seed}, {search.__name__}"] = partial(hand, random_tree(seed), search)
TREES |= {
    name: partial(hand, RICH_KNIGHT_12_5, getattr(others, name), 3) for name in others.SELECTIVE
}


def parse_picture(picture):
    root = ET.fromstring(picture)
    assert (root.tag, root.get("role")) == (f"{SVG}svg", "img")
    assert root.findtext(f"{SVG}title")
    assert root.findtext(f"{SVG}desc")
    return root


def groups(root, kind):
    """Return the groups of a class, in drawing order."""
    return [g for g in root.iter(f"{SVG}g") if kind in g.get("class", "").split()]


def texts(element):
    return [text.text or "" for text in element.iter(f"{SVG}text")]


def numbers(element, *names):
    return (float(element.get(name, "0")) for name in names)


def shift_of(element):
    """Return how far the transformation of an element shifts it."""
    match = re.match(r"translate\(([-.\d]+),([-.\d]+)\)$", element.get("transform", ""))
    return (float(match[1]), float(match[2])) if match else (0.0, 0.0)


def path_points(d):
    """Return points of a path: the ends of its parts, and of the handles of its curves."""
    points, x, y = [], 0.0, 0.0
    for command, text in re.findall(r"([A-Za-z])([^A-Za-z]*)", d):
        values = [float(number) for number in re.findall(r"-?[.\d]+", text)]
        if command == "H":
            x = values[-1]
        elif command == "V":
            y = values[-1]
        elif command == "h":
            x += values[-1]
        elif command == "v":
            y += values[-1]
        elif command == "a":  # of a circle: down to its other side and back
            points.append((x - values[0], y + values[0]))
            points.append((x + values[0], y + 2 * values[0]))
        elif command.islower() and values:
            x, y = x + values[-2], y + values[-1]
        elif values:  # a path of corners may leave out the letter
            points += zip(values[::2], values[1::2], strict=False)
            x, y = values[0], values[1]
            if len(values) == 4:
                x, y = values[2:]
        points.append((x, y))
    return points


def edges_of(root):
    """Return the edges by their kind, each as points."""
    edges = {kind: [] for kind in ("ghost", "left", "done", "best")}
    for path in root.iter(f"{SVG}path"):
        kind = path.get("class", "").removeprefix("edge ")
        if kind in edges:
            edges[kind] += [path_points(f"M{d}") for d in path.get("d", "").split("M")[1:]]
    return edges


def text_box(text):
    x, y, size = numbers(text, "x", "y", "font-size")
    wide = svg.width_of(text.text or "", size, bold=text.get("font-weight") == "bold")
    start = x - {"middle": wide / 2, "end": wide}.get(text.get("text-anchor", ""), 0)
    return start, y - 0.72 * size, start + wide, y


def shape_box(group):
    """Return the box of all shapes of a node or board."""
    points = []
    for shape in group.iter():
        x, y, w, h, cx, cy, r = numbers(shape, "x", "y", "width", "height", "cx", "cy", "r")
        if shape.tag == f"{SVG}polygon":
            points += [[*map(float, corner.split(","))] for corner in shape.get("points").split()]
        elif shape.tag == f"{SVG}circle":
            points += [(cx - r, cy - r), (cx + r, cy + r)]
        elif shape.tag == f"{SVG}path" and shape.get("d"):
            dx, dy = shift_of(shape)
            points += [(px + dx, py + dy) for px, py in path_points(shape.get("d"))]
        elif shape.tag == f"{SVG}rect" and shape.get("stroke"):
            points += [(x, y), (x + w, y + h)]
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def assert_readable(root):
    boxes_of_text = [(text.text or "", text_box(text)) for text in root.iter(f"{SVG}text")]
    nodes = [(node.get("data-id", ""), shape_box(node)) for node in groups(root, "node")]
    for boxes in (boxes_of_text, nodes):
        for (a, (x_start, top, right, bottom)), (b, (x0, y0, x1, y1)) in combinations(boxes, 2):
            assert not (x_start < x1 and x0 < right and top < y1 and y0 < bottom), (a, b)
    width, height = numbers(root, "width", "height")
    for text, (x_start, top, right, bottom) in boxes_of_text:
        assert min(x_start, top, width - right, height - bottom) > 0, text


@pytest.mark.parametrize("name", TREES)
def test_a_tree_is_drawn_whole_and_nothing_overlaps(name):
    trace = TREES[name]()
    root = parse_picture(tree_svg(trace, title="What is to be seen here"))
    assert_readable(root)
    nodes = groups(root, "node")
    if len(nodes) <= 50 and not name.startswith("random"):  # a slide is so wide
        assert float(root.get("width", "")) <= 1300
    assert [int(node.get("data-id", "-1")) for node in nodes] == list(range(len(trace.nodes)))
    for node, visit in zip(nodes, trace.nodes, strict=True):
        assert visit.kind in node.get("class", "").split()
        assert value_text(visit) in ["", *texts(node)]
        again = visit.extra_turn and visit.kind != "finished"
        assert again == any("↻" in text for text in texts(node))
    edges = edges_of(root)
    assert sum(map(len, edges.values())) == len(trace.nodes) - 1
    unvisited = sum(visit.kind == "unvisited" for visit in trace.nodes)
    assert len(edges["ghost"] + edges["left"]) == unvisited
    windows = [text_box(text) for text in root.iter(f"{SVG}text") if (text.text or "")[0] == "["]
    for points, (start, top, right, low) in product(chain(*edges.values()), windows):
        inside = [start < x < right and top < y < low for x, y in points]
        assert not any(inside), "an edge touches a window"
    cuts = groups(root, "cutoff")
    assert sorted(int(cut.get("data-id", "")) for cut in cuts) == [c.node for c in trace.cuts]
    titles = [cut.findtext(f"{SVG}title") for cut in cuts]
    assert sorted(filter(None, titles)) == sorted(trace.why(cut) for cut in trace.cuts)


@pytest.mark.parametrize("name", ["aima, minimax", *(name for name in TREES if name[0] == "(")])
def test_each_visited_node_has_its_board_and_nothing_overlaps(name):
    trace = TREES[name]()
    root = parse_picture(tree_svg(trace, boards=True))
    boards = sum(len(groups(node, "board")) for node in groups(root, "node"))
    assert boards == sum(1 for _ in trace.visits())
    if "aima" not in name:
        assert_readable(root)


def test_parents_stand_midway_over_their_children():
    trace = hand(RICH_KNIGHT_12_5)
    boxes = [shape_box(node) for node in groups(parse_picture(tree_svg(trace)), "node")]
    middles = [(start + right) / 2 for start, _, right, _ in boxes]
    names = {visit.name: middles[visit.id] for visit in trace.nodes}
    assert middles[0] == pytest.approx((names["B"] + names["C"]) / 2, abs=0.2)
    assert names["C"] == pytest.approx((names["F"] + names["H"]) / 2, abs=0.2)
    assert names["D"] == names["E"], "leaves are in a column"


def test_bounds_are_marked():
    for tree, expected in (
        (AIMA_5_2, {"": "3", "B": "3", "C": "≤2", "D": "≤2", "c1": "2", "c2": ""}),
        (RICH_KNIGHT_12_5, {"G": "≥7", "I": "≤0", "C": "4"}),
    ):
        assert {v.name: value_text(v) for v in hand(tree).nodes}.items() >= expected.items()
        assert not any(value_text(v)[:1] in "≤≥" for v in hand(tree, minimax).nodes)


def test_the_worked_tree_shows_its_printed_numbers():
    root = parse_picture(tree_svg(record_staged_example()))
    values = [words[-1] for node in groups(root, "leaf") if (words := texts(node))]
    assert values[:7] == ["−1.25", "−2.25", "−2.25", "−2.25", "−2.25", "−1.25", "−2.25"]
    assert [texts(bar) for bar in groups(root, "cutoff")] == [["α=−2.25"]] * 5


def test_probes_and_passes_show_their_questions():
    root = parse_picture(tree_svg(hand(RICH_KNIGHT_12_5, scout)))
    questions = [texts(node)[0] for node in groups(root, "node") if texts(node)[0].endswith("?")]
    assert questions == ["E?", "C?", "J?", "G?", "H?"]
    assert sum(text == "> 3?" for text in texts(root)) == 4
    assert [texts(bar) for bar in groups(root, "cutoff")] == [["α=3"], ["β>3"], ["α=3"], ["β=5"]]
    passes = texts(parse_picture(tree_svg(hand(RICH_KNIGHT_12_5, mtdf))))
    assert [text for text in passes if text.startswith("pass")] == ["pass 1", "pass 2", "pass 3"]
    with_table = kalah(2, 2, 5, scout_table)
    root = parse_picture(tree_svg(with_table))
    assert [texts(node)[1] for node in groups(root, "table")] == ["≥0", "≥0"]
    assert with_table.result.counts.recalled == 2
    assert "known from the table" in texts(root)


def test_the_legend_explains_the_parts_of_the_picture_only():
    plain, pruned = tree_svg(hand(AIMA_5_2, minimax)), tree_svg(kalah(6, 4, 2))
    for words in ("window on entry", "cut at this bound", "never visited", "only a bound"):
        assert (words in plain, words in pruned) == (False, True)
    for words in ("leaf, its given value", "finished game"):
        assert (words in plain, words in pruned) == ("leaf" in words, False)
    assert ("extra turn" in plain, "extra turn" in pruned) == (False, True)
    assert "MIN to move" not in tree_svg(kalah(6, 4, 0))


def test_names_are_escaped_and_shortened():
    name = '<&> "long\x00 name" ' + 20 * "x"
    tree = HandTree(Branch("root", children=(Branch(name, 1, 2), Branch("b", 1, 1))))
    root = parse_picture(tree_svg(hand(tree), title="<&>"))
    assert root.findtext(f"{SVG}title") == "<&>"
    drawn = next(text for text in texts(groups(root, "finished")[0]) if text.startswith("<&>"))
    assert drawn.endswith("…")
    assert len(drawn) < len(name)
    assert 20 * "x" in (groups(root, "finished")[0].findtext(f"{SVG}title") or "")


def test_a_depth_hides_deeper_nodes_and_shows_their_number():
    trace = kalah(6, 4, 5)
    root = parse_picture(tree_svg(trace, depth=1))
    drawn = groups(root, "node")
    assert len(drawn) == 7
    hidden = 0
    for node in drawn:
        for text in texts(node):
            if text.startswith("▾ "):
                hidden += int(text[2:].replace(",", ""))
    assert hidden + 7 == sum(1 for _ in trace.visits())
    assert not groups(root, "cutoff")
    assert "visited deeper down" in (root.findtext(f"{SVG}desc") or "")
    assert len(groups(parse_picture(tree_svg(trace, depth=0)), "node")) == 1
    assert tree_svg(kalah(6, 4, 2), depth=2) == tree_svg(kalah(6, 4, 2), depth=99)


def test_too_large_a_tree_is_refused_with_a_way_out():
    trace = kalah(6, 4, 5)
    assert max_drawn_depth(trace) == 3
    with pytest.raises(ValueError, match=r"1854 nodes to draw.*than 400; use depth=3 \(\d+"):
        tree_svg(trace)
    assert len(groups(parse_picture(tree_svg(trace, depth=max_drawn_depth(trace))), "node")) <= 400
    with pytest.raises(ValueError, match="depth is -1; use 0 or more"):
        tree_svg(trace, depth=-1)


def record_whole(name):
    """Record the whole tree of an example."""
    examples = {
        "aima": lambda: hand(AIMA_5_2, minimax),
        "knight": lambda: hand(RICH_KNIGHT_12_5, minimax),
        "kalah": lambda: kalah(3, 2, 3, minimax),
        **{f"random {seed}": lambda seed=seed: hand(random_tree(seed), minimax) for seed in (3, 6)},
    }
    return examples[name]()


@pytest.mark.parametrize("windows", [False, True])
@pytest.mark.parametrize("name", ["aima", "knight", "kalah", "random 3", "random 6"])
def test_an_unsolved_tree_has_the_leaves_and_nothing_that_a_search_finds(name, windows):
    trace = record_whole(name)
    picture = tree_svg(clear_results(trace, windows), title="What is to be done here")
    root = parse_picture(picture)
    assert_readable(root)
    nodes = groups(root, "node")
    assert len(nodes) == len(trace.nodes)
    solved = groups(parse_picture(tree_svg(trace)), "node")
    for node, answer, visit in zip(nodes, solved, trace.nodes, strict=True):
        title = node.findtext(f"{SVG}title") or ""
        if not visit.children:
            assert texts(node) == texts(answer)
            assert "value" in title
            continue
        expected = [name_text(visit)] if visit.id else []  # the root has no name
        assert texts(answer) == [*expected, value_text(visit)]
        expected.append("")
        if windows:
            expected.append("[____, ____]")
        assert texts(node) == expected
        assert title.removesuffix(", window [−∞, ∞]").endswith("to move")
    assert not groups(root, "cutoff")
    assert svg.GREEN not in picture
    assert "best line" not in texts(root)
    assert (root.findtext(f"{SVG}desc") or "") == f"Tree to search; {len(nodes)} nodes."


def test_a_search_that_prunes_has_windows():
    assert [has_windows(hand(AIMA_5_2, search)) for search in (minimax, alpha_beta)] == [
        False,
        True,
    ]


def test_a_board_in_characters_keeps_its_lines_and_spaces():
    small = text_board(" <0>\n--")
    drawn = ET.fromstring(small.draw(0, 0))
    assert [text.text for text in drawn.iter("text")] == ["\N{NO-BREAK SPACE}<0>", "--"]
    assert max(float(text.get("y", "")) for text in drawn.iter("text")) < small.height


def test_a_small_board_of_betsy_shows_its_pebbles_where_they_lie():
    text = "....xoxoox"
    small = mini_board(betsy_rules.State(betsy_rules.parse_board(text, 2), 0, 9))
    circles = [*ET.fromstring(small.draw(0, 0)).iter("circle")]
    assert [circle.get("fill") == svg.INK for circle in circles] == [c == "x" for c in text[4:]]
    places = [(*numbers(circle, "cy", "cx"),) for circle in circles]
    assert places == sorted(places)
    assert max(places) < (small.height, small.width)


@pytest.mark.parametrize("pits", range(1, 13))
@pytest.mark.parametrize("stones", [0, 4, 13, 1000])
def test_boards_of_all_sizes(pits, stones):
    state = Kalah(pits, stones).start()
    values = dict.fromkeys(range(pits), -12.25)
    root = parse_picture(board_svg(state, title="A board", values=values))
    assert_readable(root)
    places = groups(root, "pit") + groups(root, "store")
    counts = {int(place.get("data-index", "")): texts(place) for place in places}
    assert counts == {index: [str(count)] for index, count in enumerate(state.board)}
    for place in places:
        start, _, right, _ = shape_box(place)
        for text in map(text_box, place.iter(f"{SVG}text")):
            assert start < text[0] < text[2] < right


def test_stones_are_dots_while_they_are_few():
    root = parse_picture(board_svg(State((1, 18, 19, 16, 0, 5, 1000, 48), SOUTH)))
    dots = {}
    for place in groups(root, "pit") + groups(root, "store"):
        classes = [element.get("class") for element in place.iter()]
        dots[int(place.get("data-index", ""))] = classes.count("stone")
    assert dots == {0: 1, 1: 18, 2: 0, 3: 16, 4: 0, 5: 5, 6: 0, 7: 48}


def test_north_reads_from_right_to_left():
    root = parse_picture(board_svg(State((1, 2, 0, 3, 4, 0), NORTH)))
    boxes = {int(g.get("data-index", "")): shape_box(g) for g in groups(root, "pit")}
    assert boxes[0][0] == boxes[4][0] < boxes[1][0] == boxes[3][0]
    assert boxes[3][1] < boxes[0][1]
    assert {"← North to move", "South →"} <= {*texts(root)}


def test_a_move_step_by_step():
    game, state = Kalah(3, 1, EMPTY_CAPTURE), State((1, 0, 0, 2, 1, 0, 2, 0), SOUTH)
    views = move_views(game, state, 0)
    captions = "South plays pit 1; Sown; South captures 1; The end: the rest goes to the stores"
    assert "; ".join(view.caption for view in views) == captions
    assert views[1].state.board == (0, 1, 0, 2, 1, 0, 2, 0)
    again = move_views(Kalah(3, 3), Kalah(3, 3).start(), 0)
    assert again[-1].caption == "Sown, and South moves again"
    root = parse_picture(boards_svg([*views, *again, state], columns=3, title="<moves>"))
    assert len(groups(root, "store")) == 2 * 7
    assert_readable(root)


def test_random_moves_end_where_the_rules_say():
    rng, game = random.Random(1), Kalah(4, 3)
    state = game.start()
    while not game.is_over(state):
        pit = rng.choice(game.moves(state))
        views = move_views(game, state, pit)
        state = game.play(state, pit)
        assert views[-1].state == state
        assert {sum(view.state.board) for view in views} == {24}
        assert all(min(view.state.board) >= 0 for view in views)


def test_the_outlook():
    assert outlook(State((1, 3, 1, 2), NORTH)) == "North to move"
    assert outlook(State((0, 3, 1, 2), NORTH)) == "a draw, 3 to 3"
    assert outlook(State((0, 3, 1, 2), NORTH), Rules(end="mover")) == "North to move"
    assert outlook(State((0, 3, 0, 2), NORTH)) == "South wins, 3 to 2"
    assert outlook(State((0, 2, 0, 2), SOUTH)) == "a draw, 2 to 2"


@pytest.mark.parametrize(
    ("value", "text"),
    [(-0.04, "0"), (-0.0, "0"), (0.04, "0"), (-0.05, "-0.1"), (-10.0, "-10"), (2.25, "2.2")],
)
def test_a_coordinate_has_one_decimal_at_most_and_no_negative_zero(value, text):
    assert svg.coordinate(value) == text
    assert svg.tag("path", x=value) == f'<path x="{text}"/>'


def test_text_and_lines_have_contrast():
    text, lines = [svg.MUTED, svg.PURPLE], [svg.BLUE, svg.VERMILION, svg.GREEN, svg.EDGE]
    pairs = [(svg.INK, svg.PALE_BLUE, 7), (svg.INK, svg.PALE_VERMILION, 7)]
    pairs += [(colour, svg.GROUND, 4.5) for colour in text] + [
        (colour, svg.GROUND, 3) for colour in lines
    ]
    for colour, ground, least in pairs:
        assert contrast(ground, colour) > least


def test_the_last_digits_of_a_chart_change_nothing():
    """Ignore the last digits, and the ids that matplotlib derives from them: processors differ."""
    chart = (
        '<svg><path id="m{}" d="M {} 1"/><use href="#m{}"/><g transform="scale(0.015625)"/></svg>'
    )
    one = stabilize_svg(chart.format("0123456789", "210.147438", "0123456789"), "7 regret")
    assert one == stabilize_svg(chart.format("abcdefabcd", "210.147437", "abcdefabcd"), "7 regret")
    assert "M 210.147 1" in one
    assert "scale(0.015625)" in one
    assert one != stabilize_svg(chart.format("0123456789", "210.147438", "0123456789"), "7 matches")


@pytest.mark.parametrize("name", others.SELECTIVE)
def test_nodes_skipped_without_a_window_are_not_visited_and_not_cut(name):
    trace = hand(AIMA_5_2, getattr(others, name), 2)
    root = parse_picture(tree_svg(trace))
    unvisited = sum(visit.kind == "unvisited" for visit in trace.nodes)
    assert unvisited > 0
    assert groups(root, "cutoff") == []
    words = [element.text or "" for element in root.iter() if element.text]
    assert "not visited" in words, "the legend has it"
    assert sum(word.endswith(": not visited") for word in words) == unvisited
    assert not [word for word in words if re.search(r"never|\bcuts?\b|α|β", word)]
