"""`kalahlab search` under each kind of limit, and for searches that grow a tree."""

import json
from xml.etree import ElementTree

import pytest
from pypdf import PdfReader

from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import Kalah
from kalahlab.players.search_spec import BACKENDS
from kalahlab.search import SEARCHES, alpha_beta
from kalahlab.search.backing_up import BACKUPS
from kalahlab.search.df_pn import df_pn
from kalahlab.search.growing import GROWING, PLAYOUTS, UCT
from kalahlab.search.limits import Nodes, Playouts
from kalahlab.search.ordering import store_first
from kalahlab.trace import Trace
from kalahlab.trace.growth import GrowthTrace

GAME = Kalah(4, 3)
BOARD = ("--pits", "4", "--stones", "3", "--json")
NAMES = [*SEARCHES, *GROWING]


class MyUCT(UCT):
    """A user's policy."""


class MyPlayer:
    """A user's player, which is no search."""

    def choose(self, game, state, limit):
        return game.moves(state)[0]


@pytest.mark.parametrize("name", ["uct", "puct", "implicit_minimax", "mcts_solver", "mine"])
def test_search_prints_what_a_growing_search_finds(run, name):
    algorithm = f"{__name__}.MyUCT" if name == "mine" else name
    words = ("--playouts", "90", "--leaf-value", "extra_turn", "--option", "seed=3")
    status, out, err = run("search", "--algorithm", algorithm, *words, *BOARD)
    assert (status, err) == (0, "")
    answer = json.loads(out)
    search = GROWING["uct" if name == "mine" else name]
    result = search(GAME, GAME.start(), PLAYOUTS["extra_turn"], Playouts(90), seed=3)
    assert answer["value"] == result.value
    assert answer["claim"] == result.claim
    assert answer["pv"] == [move + 1 for move in result.line]
    visits = [child.numbers.n for child in result.tree.root.children]
    assert [row["n"] for row in answer["moves"]] == visits
    assert (answer["playouts"], answer["sows"]) == (result.counts.playouts, result.counts.sows)


@pytest.mark.parametrize("name", ["uct", "puct"])
def test_both_backends_of_a_growing_search_give_the_same_answer(run, name):
    words = ("--algorithm", name, "--playouts", "300", "--option", "seed=5", *BOARD)
    answers = [run("search", *words, "--backend", backend)[1] for backend in BACKENDS]
    assert answers[0] == answers[1]


def test_proof_numbers_print_their_claim(run):
    words = ("--nodes", "20000", "--option", "at_least=-20")
    answer = json.loads(run("search", "--algorithm", "proof_number", *words, *BOARD)[1])
    assert (answer["claim"], answer["value"]) == ("at least", -20)


@pytest.mark.parametrize("at_least", [-3, 0, 4])
def test_df_pn_prints_what_python_returns(run, at_least):
    words = ("--nodes", "30000", "--option", f"at_least={at_least}", *BOARD)
    expected = df_pn(GAME, GAME.start(), Nodes(30000), at_least)
    for backend in BACKENDS:
        out = run("search", "--algorithm", "df-pn", *words, "--backend", backend)[1]
        answer = json.loads(out)
        assert (answer["claim"], answer["value"]) == (expected.claim, expected.value)
        assert answer["pv"] == [move + 1 for move in expected.line]
        assert answer["expanded"] == expected.counts.expanded


@pytest.mark.parametrize("name", ["uct", "proof_number"])
def test_a_tree_is_written_as_a_picture_or_as_json(run, tmp_path, name):
    limit = "--nodes" if name == "proof_number" else "--playouts"
    words = ("search", "--algorithm", name, limit, "70", *BOARD)
    expected = run(*words)
    files = {ending: tmp_path / f"tree.{ending}" for ending in ("json", "svg", "pdf")}
    for file in files.values():
        assert run(*words, "--tree", str(file)) == expected
    trace = GrowthTrace.from_json(files["json"].read_text())
    answer = json.loads(expected[1])
    assert (trace.result.value, trace.result.counts.expanded) == (
        answer["value"],
        answer["expanded"],
    )
    picture = ElementTree.parse(files["svg"])
    assert f"Step {trace.steps} of {trace.steps}" in "".join(picture.getroot().itertext())
    assert files["pdf"].read_bytes().startswith(b"%PDF-")


def test_a_search_with_a_window_is_written_as_json_too(run, tmp_path):
    file = tmp_path / "tree.json"
    answer = json.loads(run("search", "--depth", "3", "--tree", str(file), *BOARD)[1])
    assert Trace.from_json(file.read_text()).result.counts.visited == answer["visited"]


@pytest.mark.parametrize("unsolved", [(), ("--unsolved",)])
def test_a_tree_is_written_as_a_sheet_to_print(run, tmp_path, unsolved):
    words = ("search", "aima-5.2", "--game", "tree", "--json")
    answer = run(*words)
    files = {ending: tmp_path / f"tree.{ending}" for ending in ("html", "svg", "pdf")}
    for file in files.values():
        assert run(*words, "--tree", str(file), *unsolved) == answer
    page, picture = files["html"].read_text(), files["svg"].read_text()
    assert picture in page
    leaves = [text in picture for text in (">12<", ">8<", ">4<", ">6<", ">14<")]
    # The search never visits the leaves 4 and 6, but an exercise has them all.
    assert leaves == [True, True, bool(unsolved), bool(unsolved), True]
    for text in (">≤2<", ">[3, ∞]<", ">α=3<", ">best line<", "3 for MAX", "is already sure of 3"):
        assert (text in picture) == (not unsolved)
    assert ("<h2>The cuts</h2>" in page) == (not unsolved)
    assert ("Draw the best line thick." in page) == bool(unsolved)
    [sheet] = PdfReader(files["pdf"]).pages
    assert ("≤2" in sheet.extract_text()) == (not unsolved)


@pytest.mark.parametrize("name", BACKUPS)
def test_the_tree_of_a_search_that_is_no_minimax_is_explained_and_may_be_an_exercise(
    run, tmp_path, name
):
    words = ("search", "((0.5 0.4) (0.75 1))", "--game", "tree", "--algorithm", name)
    solved, sheet, data = (tmp_path / file for file in ("solved.html", "sheet.html", "tree.json"))
    for file, unsolved in ((solved, ()), (sheet, ("--unsolved",)), (data, ())):
        run(*words, "--tree", str(file), *unsolved)
    trace = Trace.from_json(data.read_text())
    assert "<h2>How the values follow</h2>" in solved.read_text()
    for text in (trace.explain_value(), trace.explain_value(1)):
        assert text in solved.read_text()
        assert text not in sheet.read_text()
    assert ">0.75<" in sheet.read_text()  # a leaf has its value, in a sheet, too
    assert "Write the window" not in sheet.read_text()


@pytest.mark.parametrize("algorithm", ["minimax", "alpha_beta"])
def test_an_exercise_asks_for_what_the_search_does(run, tmp_path, algorithm):
    file = tmp_path / "sheet.html"
    words = ("--unsolved", "--tree", str(file), "--algorithm", algorithm)
    run("search", "aima-5.2", "--game", "tree", *words)
    page = file.read_text()
    for text in ("[____, ____]", "Write the window", "draw a bar"):
        assert (text in page) == (algorithm == "alpha_beta")


def test_an_exercise_has_chance_nodes(run, tmp_path):
    file = tmp_path / "sheet.svg"
    tree = ("({1/4*3 3/4*-1} {2 6})", "--game", "tree", "--algorithm", "star1")
    assert run("search", *tree, "--unsolved", "--tree", str(file))[::2] == (0, "")
    picture = file.read_text()
    assert all(f">{leaf}<" in picture for leaf in ("3", "−1", "2", "6"))
    assert ">4<" not in picture


def test_df_pn_has_no_page(run, tmp_path):
    status, _, err = run("explore", "--algorithm", "df_pn", "--out", str(tmp_path / "page.html"))
    assert (status, "df_pn keeps no tree to show; use proof_number" in err) == (2, True)


def test_best_first_takes_the_first_evaluator_of_the_game_unless_another_is_typed(run):
    words = ("aima-5.2", "--game", "tree", "--algorithm", "best_first", "--nodes", "50", "--json")
    status, out, err = run("search", *words)
    assert (status, err, json.loads(out)["value"]) == (0, "", 3)
    status, _, err = run("search", *words, "--leaf-value", "random")
    assert status == 2
    assert "best_first values a leaf by an evaluator" in err


@pytest.mark.parametrize("game", ["kalah", "pie"])
def test_a_move_has_one_type_in_an_answer(run, game):
    kind = str if game == "pie" else int  # with the pie rule one of the moves is `swap`
    board = "<2,1,0,0,2,2,2>"
    if game == "pie":
        board += " offered"
    words = (board, "--game", game, "--json")
    for search in (("--depth", "3"), ("--algorithm", "uct", "--playouts", "40")):
        answer = json.loads(run("search", *words, *search)[1])
        moves = [row["move"] for row in answer.get("moves", [])]
        assert {type(move) for move in [answer["move"], *answer["pv"], *moves]} == {kind}


def test_a_random_board_may_have_the_pie_rule(run):
    words = ("search", "random:5", "--pits", "3", "--stones", "2", "--depth", "1", "--json")
    boards = [json.loads(run(*words, "--game", game)[1])["board"] for game in ("kalah", "pie")]
    assert boards[1] == f"{boards[0]} first"


@pytest.mark.parametrize(
    ("nodes", "note"),
    [
        (3, "the limit 3n is too small for a search to depth 1"),
        (9, "depth 1 of a tree of"),
        (99, ""),
    ],
)
def test_a_limit_that_cuts_a_tree_short_is_noted(run, nodes, note):
    status, _, err = run("search", "aima-5.2", "--game", "tree", "--nodes", str(nodes))
    assert status == 0
    assert err.startswith(note)
    assert bool(err) == bool(note)


def test_a_limit_of_nodes_is_that_of_python(run):
    words = ("--evaluator", "store_difference", "--order", "store_first")
    answer = json.loads(run("search", "--nodes", "900", *words, *BOARD)[1])
    result = alpha_beta(GAME, GAME.start(), store_difference, Nodes(900), store_first)
    assert (answer["value"], answer["visited"]) == (result.value, result.counts.visited)
    assert answer["depth"] == "900n"
    assert run("search", "--seconds", "0.05", *BOARD)[0] == 0


REFUSED = {
    "--playouts 5": "algorithm alpha_beta cannot keep the limit 5p; it takes a depth, nodes or",
    "--algorithm uct --depth 3": "uct cannot keep the limit 3; it takes playouts or seconds",
    "--algorithm uct": "Missing option '--seconds' or '--playouts'",
    "--algorithm df_pn": "Missing option '--nodes' or '--seconds'",
    "--algorithm dynamic_ordering": "Missing option '--depth'",
    "--algorithm dynamic_ordering --nodes 9": "cannot keep the limit 9n; it takes a depth",
    "--algorithm dynamic_ordering --depth 3 --leaf-value random": "by an evaluator, not by a play",
    "--algorithm uct --order pit --playouts 3": "uct has no --order; it has --leaf-value and",
    "--nodes 5 --depth 3": "--depth and --nodes both limit the search; use one",
    "--seconds 0": "seconds is 0.0; use a number greater than 0",
    "--algorithm grow --depth 2": (
        f"unknown algorithm 'grow'; use one of {', '.join([*NAMES, 'df_pn'])}"
    ),
    f"--algorithm {__name__}.MyPlayer --playouts 9": (
        f"{__name__}.MyPlayer has choose, so it is a player and no search; give {__name__}."
        "MyPlayer:LIMIT to kalahlab match, play or judge"
    ),
    "--algorithm df_pn --playouts 5": "df_pn cannot keep the limit 5p; it takes nodes or seconds",
    "--algorithm df_pn --nodes 5 --leaf-value e3": "df_pn values no leaf, so it has no --leaf",
    "--algorithm df_pn --nodes 5 --option seed=1": "df_pn has no random numbers, so it has no seed",
    "--algorithm uct --playouts 5 --tree a.png": "'a.png' must end in .svg, .pdf, .html or .json",
    "--algorithm df_pn --nodes 5 --tree a.svg": "df_pn keeps no tree to draw; use proof_number",
    "--nodes 50 --tree a.svg": "--tree draws a search to a depth; use --depth",
    "--depth 2 --unsolved": "--unsolved draws an exercise; name its file, as in --tree sheet.pdf",
    "--depth 2 --tree a.json --unsolved": "--tree 'a.json' has the answers; for --unsolved use",
    "--algorithm uct --playouts 5 --tree a.svg --unsolved": "uct grows its own tree; --unsolved",
    "--depth 50 --tree a.svg --unsolved": "the 400 nodes that --unsolved draws; use --depth 3",
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_a_search_does_not_take_is_refused_in_one_line(run, words):
    status, out, err = run("search", *words.split())
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert REFUSED[words] in err


@pytest.mark.parametrize("command", ["search", "explore"])
def test_help_names_all_searches(run, command):
    words = run(command, "--help")[1].replace(",", " ").replace(";", " ").split()
    assert {*NAMES} <= {*words}
    assert ("df_pn" in words) == (command == "search")  # it has no tree to show


def test_a_page_does_not_show_a_player(run, tmp_path):
    words = ("--algorithm", f"{__name__}.MyPlayer", "--out", str(tmp_path / "page.html"))
    status, _, err = run("explore", *words)
    assert status == 2
    assert "MyPlayer has choose, so it is a player and no search" in err


@pytest.mark.parametrize("name", ["uct", "puct", "implicit_minimax", "mcts_solver"])
@pytest.mark.parametrize("backend", ["engine", "textbook"])
def test_moves_that_were_never_tried_have_no_mean(run, name, backend):
    words = ("--algorithm", name, "--playouts", "1", "--backend", backend, "--json")
    status, out, err = run("search", *words)
    assert (status, err) == (0, "")
    means = [move["mean"] for move in json.loads(out)["moves"]]
    assert means.count(None) == len(means) - 1


@pytest.mark.parametrize("option", [("--leaf-value", "random"), ("--option", "c=5")])
@pytest.mark.parametrize("command", ["search", "explore"])
def test_a_search_with_a_window_refuses_options_of_growing_ones(run, tmp_path, command, option):
    out = ("--out", str(tmp_path / "page.html")) if command == "explore" else ()
    status, _, err = run(command, "--pits", "2", "--depth", "2", *option, *out)
    assert status == 2
    assert f"alpha_beta grows no tree, so it has no {option[0]}" in err


def test_a_game_of_chance_is_not_played(run):
    players = ("--south", "random:1", "--north", "random:1")
    status, _, err = run("play", "({1/4*3 3/4*-1} {2 6})", "--game", "tree", *players)
    assert (status, err.count("\n")) == (2, 1)
    assert "no rule for moves of chance" in err


OWN_CHANCE = """
from kalahlab.search.expectiminimax import visit
from kalahlab.search.model import Line
from kalahlab.search.tree import searcher, takes_chance

@searcher
@takes_chance
def right(tree):
    return visit(tree, tree.root)

@searcher
@takes_chance
def wrong(tree):
    value, path = visit(tree, tree.root)
    return Line(value + 1, path)
"""


def test_a_users_search_of_chance_is_compared_with_expectiminimax(run, tmp_path, monkeypatch):
    (tmp_path / "own_chance.py").write_text(OWN_CHANCE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    tree = ("({1/4*3 3/4*-1} {2 6})", "--game", "tree")
    notes = {"right": "", "wrong": "expectiminimax finds 4.0 here, own_chance.wrong 5.0\n"}
    for name, note in notes.items():
        algorithm = ("--algorithm", f"own_chance.{name}")
        assert run("search", *tree, *algorithm)[::2] == (0, note)
        page = ("--out", str(tmp_path / "page.html"))
        assert run("explore", *tree, *algorithm, *page)[::2] == (0, "")
