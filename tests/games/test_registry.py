"""The games by name: positions read back, moves by their names, names by import paths."""

import re
from pathlib import Path
from random import Random

import pytest
from conftest import cases
from hypothesis import given
from hypothesis import strategies as st
from strategies import SHAPES, positions, random_betsy, random_cards, trees

from kalahlab.evaluators import registry as evaluators
from kalahlab.games import notation, pie, registry
from kalahlab.games.hand_tree import EXAMPLES, MIN, Branch, HandTree, is_min_only, uniform_tree
from kalahlab.games.kalah import (
    NAMES,
    SOUTH,
    Kalah,
    State,
    side,
    stones_in_play,
    stores,
    swap_sides,
)
from kalahlab.games.registry import GAMES, game_type
from kalahlab.games.rules import EMPTY_CAPTURE
from kalahlab.names import import_named, lookup
from kalahlab.search import Depth, minimax

KINDS = GAMES.values()
OUTSIDE = {
    "kalah": (-1, 99),
    "pie": (-2, 99),
    "betsy": (0, 99),
    "cards": ((-1, 2), (0, 7)),
    "tree": (-1, 99),
}
"""Moves that are illegal in every position."""

by_kind = pytest.mark.parametrize("kind", KINDS, ids=GAMES)


@by_kind
def test_the_example_and_the_start_read_back(kind):
    game, state = kind.read(kind.example)
    assert kind.read(kind.format(state))[1] == state
    assert registry.game_type_of_game(game) is registry.game_type_of_game(kind.new()) is kind
    assert game.moves(state)
    start = kind.new().start()
    assert kind.read(kind.format(start))[1] == start
    assert "\n" in kind.draw(state)
    with pytest.raises(ValueError, match=r"`parse` must return \(game, state\)"):
        registry.game_type_of_game(state)


chances = st.integers(0, 2**32).map(Random)
POSITIONS = {
    "kalah": positions(),
    "pie": st.tuples(positions(), st.sampled_from(("first", "offered", "over"))).map(
        lambda drawn: (pie.new_game(drawn[0][0].pits), pie.State(*drawn[0][1], drawn[1]))
    ),
    "betsy": chances.map(random_betsy),
    "cards": chances.map(random_cards),
    "tree": trees().map(lambda root: (HandTree(root), root)),
}


@by_kind
@given(st.data())
def test_a_position_keeps_the_protocol_of_a_game(kind, data):
    """Check each rule of the protocol.

    A game is over if and only if there are no moves; margins are antisymmetric; the names of moves
    are unique and can be parsed, others are refused; the text of a position reads back.
    """
    game, state = data.draw(POSITIONS[kind.name])
    moves = game.moves(state)
    assert game.is_over(state) == (not moves)
    assert game.margin(state, 0) == -game.margin(state, 1)
    assert len({game.move_name(state, move) for move in moves}) == len(moves)
    for move in moves:
        assert hash(game.play(state, move)) == hash(game.play(state, move))
        assert kind.parse_move(f" {game.move_name(state, move)} ", game, state) == move
    for move in {*game.moves(game.start()), *OUTSIDE[kind.name]} - {*moves}:
        with pytest.raises(ValueError, match=r"^[^\n]*$"):
            game.play(state, move)
    with pytest.raises(ValueError, match="'no'"):
        kind.parse_move("no", game, state)
    if kind.name in ("kalah", "pie") and state.player != SOUTH:  # the mover is written as South
        board, player = swap_sides(State(state.board, state.player))
        state = state._replace(board=board, player=player)
    again, read = kind.parse(kind.format(state), game)
    assert kind.name == "tree" or read == state
    assert again.moves(read) == game.moves(state)


def test_options_complete_the_text_of_a_position():
    assert game_type("kalah").read("<1,0,0,2,2>", rules=EMPTY_CAPTURE)[0] == Kalah(
        1, 0, EMPTY_CAPTURE
    )
    assert game_type("betsy").read(".......... o", limit=7)[1].left == 7


def without_names(node, above=MIN):
    """Return the tree without names, each leaf with the turn passed to it."""
    player = node.player if node.children else 1 - above
    children = (without_names(child, player) for child in node.children)
    return Branch("", player, node.value, tuple(children))


@given(trees(values=st.integers(-9, 9) | st.floats(-1e9, 1e9)))
def test_a_tree_of_any_turns_reads_back(root):
    kind = game_type("tree")
    read = kind.read(kind.format(root))[1]
    assert without_names(read) == without_names(root)
    assert kind.read(kind.format(read))[1] == read


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_textbooks_tree_has_a_name_and_brackets(name):
    kind, root = game_type("tree"), EXAMPLES[name].root
    assert kind.format(root) == name
    renamed = Branch("root", root.player, root.value, root.children)
    read = kind.read(kind.format(renamed))[1]
    assert without_names(read) == without_names(root)
    assert kind.format(read) == kind.format(renamed), "with the names"
    assert read.children[0].name == root.children[0].name


def test_a_uniform_tree_is_read_by_its_shape_and_seed():
    kind = game_type("tree")
    for arity, depth in SHAPES[:12]:
        root = uniform_tree(arity, depth, 3)
        assert kind.read(f"uniform:{arity}x{depth}:3")[1] == root
        assert kind.read(kind.format(root))[1] == root


@cases(Path(__file__).with_name("refused.csv"))
def test_a_text_that_is_no_position_is_refused_in_one_line(game, text, message):
    with pytest.raises(ValueError, match=r"^[^\n]*$") as error:
        game_type(game).read(text)
    assert message in str(error.value)
    assert game != "kalah" or repr(text) in str(error.value)


def test_an_import_path_is_a_name_once_it_was_imported():
    with pytest.raises(ValueError, match=r"unknown number 'math\.pi'; use one of e"):
        lookup("number", "math.pi", {"e": 1.0})
    assert import_named("number", "math.pi") == "math.pi"
    assert lookup("number", "math.pi", {"e": 1.0}) == pytest.approx(3.14159, abs=1e-5)
    for path in ("no_such_package.name", "math.no_such_name", ".5"):
        with pytest.raises(ValueError, match="unknown number"):
            import_named("number", path)
    with pytest.raises(ValueError, match=r"unknown game 'math\.pi'"):
        game_type("math.pi")
    with pytest.raises(ValueError, match="expected: GameType"):
        game_type(import_named("game", "math.pi"))


def test_each_game_has_a_default_evaluator():
    assert evaluators.find_evaluator(None) is evaluators.find_evaluator("store-difference")
    assert evaluators.find_evaluator(None, "tree").__name__ == "written_value"


@by_kind
@given(st.data())
def test_a_drawn_position_shows_who_is_to_move_unless_the_game_is_over(kind, data):
    (game, state), rng = data.draw(POSITIONS[kind.name]), data.draw(chances)
    for _ in range(rng.choice((0, 5, 300))):
        if game.is_over(state):
            break
        state = game.play(state, rng.choice([*game.moves(state)]))
    drawing = kind.draw(state)
    if kind.name == "kalah":  # whose rules decide whether the game is is_over
        drawing = notation.draw_board(state, game.rules)
    assert kind.name == "tree" or ("to move" in drawing) == (not game.is_over(state))


@given(positions())
def test_a_finished_board_shows_why_and_who_keeps_the_rest(position):
    game, state = position
    drawing = notation.draw_board(state, game.rules)
    if game.is_over(state) and stones_in_play(state.board):
        empty = [name for player, name in enumerate(NAMES) if not any(side(state.board, player))]
        match = re.search(r"game over: (\w+) has no stones, (\w+) keeps the rest", drawing)
        if "nobody gets the rest" in drawing:
            assert game.outcome(state) == stores(state.board)
            return
        if not match and game.rules.majority == "sweep":
            assert "game over: a store has more than half" in drawing
            return
        if not match:
            assert "game over: a store has more than half" in drawing
            assert game.outcome(state) == stores(state.board)
            return
        assert [match[1]] == empty
        keeper = NAMES.index(match[2])
        expected = stores(state.board)[keeper] + stones_in_play(state.board)
        assert game.outcome(state)[keeper] == expected


RINGS = positions().map(lambda position: position[1])


@given(RINGS, st.booleans(), st.sampled_from([", ", " ", ","]), st.sampled_from(["()", "[]", ""]))
def test_the_message_for_a_board_in_ring_order_has_its_notation(state, as_state, comma, brackets):
    """Write the board with or without its state; the notation keeps the player to move."""
    text = brackets[:1] + comma.join(map(str, state.board)) + brackets[1:]
    if as_state:
        text = repr(state)
    with pytest.raises(ValueError, match=r"^[^\n]*$") as error:
        notation.parse_board(text)
    board = re.search(r"are written '(<.*?>)', where the mover is South", str(error.value))[1]
    expected = State(state.board, state.player if as_state else SOUTH)
    if expected.player != SOUTH:
        expected = swap_sides(expected)
    assert notation.parse_board(board) == expected
    with pytest.raises(ValueError, match="give a board as text") as error:
        notation.parse_board(state.board)
    assert notation.format_board(State(state.board, SOUTH)) in str(error.value)


NUMBERS = st.integers(-99, 99)
LISTS = st.recursive(NUMBERS, lambda inner: st.lists(inner, min_size=1, max_size=3), max_leaves=12)


def minimax_of_list(node, best=max):
    """Compute minimax as web pages explain it: MAX at the root, in turn."""
    if isinstance(node, int):
        return node
    other = min if best is max else max
    return best(minimax_of_list(child, other) for child in node)


@given(LISTS.filter(lambda node: isinstance(node, list)), st.booleans())
def test_the_message_for_a_nested_list_has_its_notation(nested, as_tuple):
    """Compare the value of the tree in the message with that of the list."""
    text = str(nested).replace("[", "(").replace("]", ",)") if as_tuple else str(nested)
    if "," not in text:
        return
    with pytest.raises(ValueError, match="is a list of Python; write it in parentheses") as error:
        game_type("tree").read(text)
    brackets = re.search(r"without commas: '(.*?)' \(in", str(error.value))[1]
    game, state = game_type("tree").read(brackets)
    result = minimax(game, state, evaluators.find_evaluator(None, "tree"), Depth(99))
    assert result.value == minimax_of_list(nested)


def test_the_message_for_a_nested_list_with_names_has_its_names():
    with pytest.raises(ValueError, match=r"'A:\(B:5 C:\(10 1\)\)'"):
        game_type("tree").read("['A', ('B', 5), ('C', 10, 1)]")


@given(trees())
def test_min_moves_everywhere_only_in_a_tree_of_square_brackets(root):
    text = re.sub(r"\S+:", "", game_type("tree").format(root))
    in_square = "(" not in text and "[" in text
    assert is_min_only(game_type("tree").read(text)[1]) == in_square
