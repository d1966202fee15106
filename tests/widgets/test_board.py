"""The board's Python: its record of a game follows the rules."""

import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import Task, oracle
from strategies import positions
from ui import ask

from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.game_text import parse_game
from kalahlab.games.kalah import NORTH, SOUTH, Kalah, State, swap_sides
from kalahlab.games.notation import format_board, parse_board
from kalahlab.games.rules import EMPTY_CAPTURE, Rules
from kalahlab.search import Depth
from kalahlab.search.observer import Stopped
from kalahlab.solver import move_values
from kalahlab.solver.move_values import TINY, exact_values, perfect_player, search_values
from kalahlab.solver.value_files import lookup_move_values
from kalahlab.widgets.board import Board
from kalahlab.widgets.models.board import PERFECT
from kalahlab.widgets.models.game_view import format_turn

choices = st.lists(st.integers(0, 99), max_size=30)


def choose_moves(game, state, choices):
    moves = []
    for choice in choices:
        if legal := game.moves(state):
            moves.append(legal[choice % len(legal)])
            state = game.play(state, moves[-1])
    return moves


def board_of(position, choices, **more):
    game, state = position
    return Board(rules=game.rules, start=state, moves=choose_moves(game, state, choices), **more)


def states_of(board):
    return [State(tuple(step["board"]), step["player"]) for step in board.record["steps"]]


@given(positions(), choices)
def test_the_record_has_each_position_and_the_path_of_the_stones_to_it(position, choices):
    """Move the stones as JavaScript does; only the sweep at the end is shown at once."""
    game, state = position
    board, states = board_of(position, choices), [state]
    for pit in choose_moves(game, state, choices):
        states.append(game.play(states[-1], pit))
    assert states_of(board) == states
    steps = json.loads(json.dumps(board.record))["steps"]
    for step, state in zip(steps, states, strict=True):
        base = state.player * (len(state.board) // 2)
        assert step["legal"] == [base + pit for pit in game.moves(state)]
        assert step["over"] == game.is_over(state)
        mover_as_south = state if state.player == SOUTH else swap_sides(state)
        assert parse_board(step["text"]) == mover_as_south
    assert board.state == states[-1]
    assert board.position == format_board(states[-1])
    for before, step in pairwise(steps):
        counts, move = list(before["board"]), step["move"]
        assert before["player"] == move["mover"]
        assert move["from"] in before["legal"]
        assert game.rules.relay or len(move["drops"]) == counts[move["from"]]
        hand, place = 0, move["from"]
        for index in move["drops"]:
            if hand == 0:  # at the start, and whenever a relay goes on
                hand, counts[place] = counts[place], 0
            counts[index] += 1
            hand, place = hand - 1, index
        assert hand == 0
        for index in move["emptied"]:
            counts[move["store"]] += counts[index]
            counts[index] = 0
        assert counts == step["board"] or step["over"]
        assert sum(counts) == sum(step["board"])


@given(positions(), choices, st.lists(st.sampled_from(("undo", "redo")), max_size=12), choices)
def test_redo_reverses_undo_and_a_move_replaces_those_taken_back(position, choices, ways, more):
    game, _ = position
    board = board_of(position, choices)
    record, states = board.record, states_of(board)
    for way in ways:
        before = board.at
        getattr(board, way)()
        if board.at != before:
            getattr(board, {"undo": "redo", "redo": "undo"}[way])()
            assert board.at == before
            getattr(board, way)()
        assert abs(board.at - before) <= 1
        assert board.state == states[board.at]
    assert board.record == record
    for pit in choose_moves(game, board.state, more):
        states = [*states[: board.at + 1], game.play(board.state, pit)]
        board.play(pit)
        assert states_of(board) == states


@settings(max_examples=40)
@given(positions(4, 4), st.sampled_from(("random:1", "greedy:e2:1", PERFECT)), choices)
def test_a_program_moves_until_it_is_the_readers_turn(position, player, choices):
    game, (board, _) = position
    state = shrink(State(board, SOUTH))
    view = Board(rules=game.rules, start=state, north=player)
    for choice in choices:
        if legal := game.moves(view.state):
            view.play(legal[choice % len(legal)])
        assert game.is_over(view.state) or view.state.player == SOUTH
    before = view.at
    view.undo()
    assert view.state.player == SOUTH
    assert view.at < before or before == 0


def shrink(state):
    """Return a position with at most two stones a pit, so few that the textbook solves it."""
    half, budget, board = len(state.board) // 2, TINY, []
    for index, count in enumerate(state.board):
        if index % half == half - 1:  # a store
            board.append(count)
        else:
            board.append(min(count, budget, 2))
            budget -= board[-1]
    return State(tuple(board), state.player)


def values_of(game, state, depth):
    """Return the value of each move to the mover, by a search without pruning."""
    task = Task(game, state, store_difference, Depth(depth), "pit")
    return {pit: after.value for pit, after in oracle(task, state).below.items()}


@given(positions(4, 6), st.integers(1, 4))
def test_bars_have_the_values_of_a_search_without_pruning(position, depth):
    game, state = position
    values = search_values(game, state, depth)
    assert values == values_of(game, state, depth)
    board = Board(rules=game.rules, start=state, values="search", depth=depth)
    base = state.player * (len(state.board) // 2)
    bars = {bar["index"] - base: bar for bar in board.record["steps"][0]["bars"]}
    assert bars.keys() == values.keys()
    for pit, bar in bars.items():
        assert float(bar["text"].replace("\N{MINUS SIGN}", "-")) == values[pit]
        assert bar["best"] == (values[pit] == max(values.values()))
        assert abs(bar["part"]) <= 1
        assert (bar["part"] > 0, bar["part"] < 0) == (values[pit] > 0, values[pit] < 0)


def test_the_moves_of_the_whole_game_can_be_valued_for_a_page():
    board = Board(4, 3, moves=[1, 0, 2], values="search", depth=2)
    assert [bool(step.get("bars")) for step in board.record["steps"]] == [False] * 3 + [True]
    board.value_all()
    for step, state in zip(board.record["steps"], states_of(board), strict=True):
        assert len(step["bars"]) == len(Kalah(4, 3).moves(state))
    assert board.at == 3


@settings(max_examples=40)
@given(positions(4, 4))
def test_exact_values_are_those_at_the_end_of_the_game(position):
    game, state = position[0], shrink(position[1])
    values = exact_values(game, state)
    if game.moves(state):
        assert values[perfect_player(game, state)] == max(values.values())
    assert values == values_of(game, state, depth=10**6)


def test_the_solver_values_larger_positions(monkeypatch):
    """Compare with Irving et al. (2000): Kalah(4,3) with empty capture is won by 8."""
    monkeypatch.setattr(move_values, "TIMEOUT", 3600)  # however busy the machine is
    game = Kalah(4, 3, EMPTY_CAPTURE)
    ahead = State((3, 3, 3, 3, 1, 3, 3, 3, 3, 0), SOUTH)  # not in a file of openings
    assert lookup_move_values(game, ahead) == {}
    assert max(exact_values(game, ahead).values()) == 9
    assert exact_values(game, ahead)[perfect_player(game, ahead)] == 9
    board = Board(4, 3, EMPTY_CAPTURE, values="exact")
    assert [bar["text"] for bar in board.record["steps"][0]["bars"] if bar["best"]] == ["+8"]


def test_the_textbook_and_the_engine_value_moves_alike(monkeypatch):
    game = Kalah(4, 3)
    textbook = search_values(game, game.start(), 6)
    monkeypatch.setattr(move_values, "TEXTBOOK_DEPTH", 2)
    assert search_values(game, game.start(), 6) == textbook


def read_reason(board):
    step = board.record["steps"][board.at]
    assert "bars" not in step
    return str(step["why_not"])


def test_values_that_cannot_be_computed_have_a_reason(monkeypatch):
    assert read_reason(Board(values="search", depth=0)).startswith("depth is 0")
    assert read_reason(Board(values="search", depth=99)).endswith("use 1 to 14")
    board = Board(6, 6, values="exact", north=PERFECT)
    assert "(h:mm:ss) to solve; the limit is 20 s" in read_reason(board)
    with pytest.raises(ValueError, match="to solve; the limit"):
        board.play(1)
    assert board.at == 1
    assert board.state.player == NORTH
    board.set_players("person", "random:1")
    board.reply()
    assert board.state.player == SOUTH
    assert "rest_to=leader" in read_reason(Board(rules=Rules(rest_to="leader"), values="exact"))
    monkeypatch.setattr(move_values, "TIMEOUT", -1)
    unknown = "<5,1,0,4,3,4,4,4,4,4,4,4,5>"  # a start never has 41 stones
    assert "not solved within" in read_reason(Board(start=unknown, values="exact"))


HALF = [0, 0, 0, 2, 0, 5, 1]  # a side of Kalah(6, 4) whose store has one stone
NEW = {"ask": "new", "pits": "4", "stones": "3"}
PLAY = {"ask": "play", "at": 0}


@given(positions(), choices, st.integers(0, 30))
def test_a_game_is_loaded_from_its_text(position, choices, at):
    board = board_of(position, choices)
    other = Board(3, 2, north="random:1")
    assert ask(other, ask="game", text=board.record["text"], place=at)["error"] == ""
    assert states_of(other) == states_of(board)
    assert other.at == min(at, board.at)
    assert parse_game(board.record["text"]).moves == tuple(m.pit for m in board.history.moves)


def test_a_text_imports_no_player_and_none_moves_by_itself():
    board = Board()
    text = "pits: 4\nstones: 3\nsouth: os.abort\nnorth: level2\n\n1. 1"
    assert ask(board, ask="game", text=text)["error"] == ""
    assert board.record["players"] == ["person", "level2"]
    assert (board.at, board.state.player) == (1, NORTH)


FIELDS = ("at", "index", "text", "mover", "pits", "stones", "south", "north")
json_values = st.none() | st.booleans() | st.integers() | st.text(max_size=5)


@given(
    st.fixed_dictionaries(
        {"ask": st.sampled_from(("show", "play", "reply", "open", "set up", "new", "players"))},
        optional=dict.fromkeys(FIELDS, json_values),
    )
)
def test_every_request_is_answered(question):
    board = Board(3, 2, moves=[0, 0])
    ask(board, **question)
    assert ask(board, ask="hello")["error"] == ""
    assert board.state == states_of(board)[board.at]


@pytest.mark.parametrize(
    ("raised", "fault"),
    [(KeyboardInterrupt(), "interrupted"), (MemoryError(), "the kernel's log has the reason")],
)
def test_an_interrupt_and_a_failure_are_reported(raised, fault):
    def fails(game, state):
        raise raised

    board = Board(north="random:1")
    board._players = (None, fails)
    assert fault in ask(board, **PLAY, index=0)["error"]
    assert board.thinking == ""
    assert ask(board, ask="show", at=0)["error"] == ""


def test_a_reader_cannot_play_for_a_program():
    board = Board(south="random:1", north="random:2")
    assert board.at == 0
    assert "random:1 plays South" in ask(board, **PLAY, index=0)["error"]
    assert ask(board, ask="reply", at=0)["error"] == ""
    assert board.at > 0


def test_a_script_starts_again_with_another_game():
    board = Board(4, 2, north="script:1")
    for _ in range(2):
        board.play(0)
        assert board.state.player == SOUTH
        board.set_up(Kalah(4, 2).start())


def test_a_hint_has_the_effect_and_the_value_of_each_move():
    board = Board(start=State((*HALF, *HALF), SOUTH))
    hints = ask(board, ask="hint", at=0)["hints"]
    assert hints[0] == "By how much South will be ahead, under perfect play:"
    values = exact_values(Kalah(6, 0), board.state)
    assert [line.split()[0] for line in hints[1:]] == [
        f"{value:+g}" if value else "0" for value in sorted(values.values(), reverse=True)
    ]
    assert all("South sows pit" in line for line in hints[1:])
    far = ask(Board(6, 6), ask="hint", at=0)["hints"]
    assert "by a search of 8 sows, as there are no exact values" in far[0]


def test_a_new_game_has_the_requested_rules_and_players_and_the_previous_one_keeps_its_own():
    board = Board(6, 4, values="exact", north="greedy:e3:1")
    before = board.record["steps"][0]["bars"]
    new = {"ask": "new", "pits": "6", "stones": "4", "rules": "empty-capture"}
    assert ask(board, **new, south="person", north="random:7")["error"] == ""
    bars = [bar["text"] for bar in board.record["steps"][0]["bars"]]
    assert bars == ["−14", "−8", "+10", "−2", "−6", "+4"]
    assert board.record["rules"] == "empty-capture"
    assert board.record["players"] == ["person", "random:7"]
    board.restore_previous_game()
    assert board.record["rules"] == "standard"
    assert board.record["steps"][0]["bars"] == before
    assert ask(board, **NEW)["error"] == ""
    assert board.record["players"] == ["person", "random:7"], "players that are not named stay"


def test_stopping_a_player_stops_the_whole_request():
    board = Board(4, 3, north="minimax:store_difference:30", values="search", depth=12)
    counts = []

    def stop_third(nodes):
        counts.append(nodes)
        if len(counts) == 3:
            raise Stopped(f"after {nodes}")

    board._known = {board.state: {"bars": []}}
    board.check_stopped = stop_third
    assert board.answer(PLAY | {"index": 0})["error"] == f"after {counts[-1]}"
    assert len(counts) == 3


def compare_turn(game, state, turn, most):
    """Compare the moves of a serialized turn with the game; return the most moves in a row."""
    first_index = state.player * (len(state.board) // 2)
    assert [int(place) - first_index for place in turn] == [*game.moves(state)]
    longest = 1
    for place, entry in turn.items():
        after, step = game.play(state, int(place) - first_index), entry["step"]
        assert (tuple(step["board"]), step["player"]) == (after.board, after.player)
        assert step["over"] == game.is_over(after)
        if after.player == state.player and not step["over"] and most > 1:
            longest = max(longest, 1 + compare_turn(game, after, entry["moves"], most - 1))
        else:
            assert entry["moves"] == {}
    return longest


def test_a_page_has_every_way_in_which_a_reader_can_move():
    game = Kalah(4, 3)
    start = game.start()
    assert compare_turn(game, start, Board(4, 3).page_part()[2]["turn"], 4) > 1
    board = Board(4, 3, moves=[0], north="level1")
    assert board.page_part()[2]["turn"], "it is the reader's turn again"
    two = Board(4, 3, south="level1", north="level1")
    assert two.page_part()[2]["turn"] == {}, "a program is to move"


@given(positions())
@settings(max_examples=30)
def test_a_turn_has_the_moves_of_the_game(position):
    game, state = position
    turn = format_turn(game, state, 2)
    if game.is_over(state):
        assert turn == {}
    else:
        assert compare_turn(game, state, turn, 2) <= 2
