"""The card game: its rules, its six factors, its program, and the command that plays it.

In the cases of `oracles/cards` players are 1 (user) and 2 (program), and moves are
[player, row, column, card], from 1.
"""

import csv
import json
import pickle
import re
from dataclasses import replace
from itertools import accumulate, chain, pairwise, product
from operator import mul
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from conftest import cases, jsonl
from hypothesis import given
from hypothesis import strategies as st

from kalahlab.cli import cli
from kalahlab.cli.cards import describe_outcome
from kalahlab.evaluators.cards import Factors, factors, make_weighted_evaluator, published, report
from kalahlab.games import cards as rules
from kalahlab.games.cards import DECKS, EXAMPLE, NAMES, PROGRAM, USER, WIN, Cards, State, hand
from kalahlab.matches.card_programs import Meeting, Side, play_meeting
from kalahlab.parallel import run_all
from kalahlab.players.factories import random_player
from kalahlab.players.game_loop import play_to_end, random_position
from kalahlab.published import cards as program
from kalahlab.published.cards import VARIANTS, by_budget

EXAMPLE_STATE = rules.parse_position(EXAMPLE)


@st.composite
def lines(draw, fewest=0):
    """Draw a game of either size and the states of a random line of `fewest` moves or more."""
    game = Cards(draw(st.sampled_from((4, 6))), draw(st.sampled_from((USER, PROGRAM))))
    states, most = [game.start()], 2 * len(DECKS[game.size])
    length = draw(st.integers(min(fewest, most), most))
    for choice in draw(st.lists(st.integers(0, 999), min_size=length, max_size=length)):
        moves = game.moves(states[-1])
        states.append(game.play(states[-1], moves[choice % len(moves)]))
    return game, states


positions = lines().map(lambda line: (line[0], line[1][-1]))


def state_of(case, player):
    hands = (case["hand_user"], case["hand_ai"])
    counts = [cards.count(card) for cards, card in product(hands, rules.CARDS)]
    return State((*chain(*case["grid"]), *chain(*case["mark"]), *counts), player)


def move_of(size, row, column, card):
    return (row - 1) * size + column - 1, card


def follow(game, state, moves):
    """Return the states along an oracle's moves; the oracle decides who moves."""
    states = [state]
    for player, *move in moves:
        states.append(game.play(State(states[-1].board, player - 1), move_of(game.size, *move)))
    return states


def test_cards_are_removed_by_the_rule_of_the_assignment(oracles):
    folder = oracles / "cards"
    for case in jsonl(folder / "placements.jsonl") + jsonl(folder / "games.jsonl"):
        game = Cards(case["size"])
        n = game.size
        states = follow(game, game.start(), case["moves"])
        is_game = "winner" in case
        removed = []
        for before, after in pairwise(states):
            cells = rules.find_cleared_cells(before.board, after.board)
            removed.append([[cell // n + 1, cell % n + 1] for cell in cells])
        assert removed == case["removed" if is_game else "removed_after_each"], case
        final_grid = case["final_grid" if is_game else "grid"]
        assert [*states[-1].board[: n**2]] == [*chain(*final_grid)], case


def test_the_winner_is_the_assignments(oracles):
    """Take equal sums and largest cards, which it does not mention, for a draw."""
    for case in jsonl(oracles / "cards" / "winners.jsonl"):
        user, program = case["cards_p1"], case["cards_p2"]
        empty = [0] * (16 - len(user) - len(program))
        users = [1] * len(user) + [2] * len(program)
        state = State((*user, *program, *empty, *users, *empty, *[0] * 10), USER)
        margin = {"P1": WIN, "P2": -WIN, "draw": 0}[case["winner"]]
        assert Cards().margin(state, USER) == margin, case
        assert Cards().margin(state, PROGRAM) == -margin, case


def test_positions_have_the_factors_the_f_and_the_depth_of_the_oracle(oracles):
    cases = jsonl(oracles / "cards" / "positions.jsonl")
    for case in cases:
        game = Cards(case["size"], case["first"] - 1)
        *_, state = follow(game, game.start(), case["moves"])
        player = PROGRAM if case["to_move"] is None else case["to_move"] - 1
        assert state.board == state_of(case, player).board
        assert game.is_over(state) == case["terminal"]
        assert case["terminal"] or state.player == player
        for player, player_name in enumerate(("user", "ai")):
            six = factors(state.board, player)._asdict()
            assert {name.upper(): value for name, value in six.items()} == case[player_name]
        assert report(state.board, PROGRAM) == case["F_report"] == -report(state.board, USER)
        assert published(state.board, PROGRAM) == case["F_published"]
        assert by_budget()(State(state.board, PROGRAM)).limit == case["calculate_depth"]
        if case["terminal"]:
            by_sum = Cards(case["size"], largest_decides=False)
            assert by_sum.margin(state, PROGRAM) == case["estimate_report"]
            assert by_sum.margin(state, PROGRAM) == case["estimate_published"]
            assert game.margin(state, PROGRAM) == {0: 0, 1: -WIN, 2: WIN}[case["winner"]]
    assert sum(case["terminal"] for case in cases) > 30


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_programs_moves_are_the_oracles(oracles, variant):
    """Compare moves at the document's depth; the deepest take seconds, so some of them."""
    cases = jsonl(oracles / "cards" / "moves.jsonl")
    deepest = [case for case in cases if case["depth"] == 5]
    narrow = [case for case in deepest if len(case["moves"]) > 3]  # the widest take longest
    cases = [case for case in cases if case not in deepest] + narrow[::4]
    for case in cases:
        depth, result = VARIANTS[variant].think(Cards(case["size"]), state_of(case, PROGRAM))
        assert depth.limit == case["depth"]
        assert result.move == move_of(case["size"], *case[f"ai_move_{variant}"]), case


@given(lines(fewest=22))
def test_a_game_lasts_until_both_hands_are_empty(line):
    game, states = line
    assert [game.is_over(state) for state in states] == [False] * 2 * len(DECKS[game.size]) + [True]
    for state in states:
        board, player = state
        kinds = sorted({*hand(board, player)})
        assert game.moves(state) == [*product(rules.find_unused_cells(board), kinds)]
        smallest = replace(game, smallest_only=True).moves(state)
        assert smallest == [*product(rules.find_unused_cells(board), kinds[:1])]


def test_a_move_is_parsed_and_a_position_drawn():
    assert (
        rules.parse_move(" 5 B 3 ", EXAMPLE_STATE)
        == rules.parse_move("5b3", EXAMPLE_STATE)
        == (9, 5)
    )
    assert rules.draw_position(EXAMPLE_STATE) == (
        "     a    b    c    d\n"
        " 1   .   13u   .    .\n"
        " 2   .    .    .    .\n"
        " 3   .    .    xp   .\n"
        " 4   .    .    .    .\n"
        "   user: 2 3 5 8\n"
        "program: 2 3 8 13   to move"
    )


@given(positions, st.tuples(*[st.integers(-9, 9)] * 6))
def test_each_factor_has_its_weight(position, weights):
    _, (board, _) = position
    user, program_factors = factors(board, USER), factors(board, PROGRAM)
    value = sum(w * (a - b) for w, a, b in zip(weights, user, program_factors, strict=True))
    evaluator = make_weighted_evaluator(Factors(*weights))
    assert evaluator(board, USER) == value == -evaluator(board, PROGRAM)


@given(st.integers(1, 10**6), st.lists(st.integers(0, 60), max_size=12))
def test_the_depth_is_the_first_that_a_budget_does_not_cover(budget, widths):
    trees = [*accumulate(widths, mul, initial=1)]
    depth = program.depth_for_budget(budget, iter(widths))
    assert all(nodes <= budget for nodes in trees[:depth])
    assert depth == len(widths) or trees[depth] > budget


def test_meetings_are_pairs_of_games_scored_from_the_first_sides_view():
    game = Cards()
    sides = [Side(depth=2), Side(off="s2", depth=1), Side("published", depth=1)]
    meetings = [Meeting(one, other, seed) for one, other, seed in product(sides, sides, range(2))]
    rows = run_all(play_meeting, meetings)
    assert rows == run_all(*pickle.loads(pickle.dumps((play_meeting, meetings))))
    for meeting, row in zip(meetings, rows, strict=True):
        one, other, rng = meeting.one, meeting.other, Random(meeting.seed)
        assert (row["off"], row["depth"], row["variant"]) == (other.off, other.depth, other.variant)
        swapped = rows[meetings.index(Meeting(other, one, meeting.seed))]
        assert row["score"] + swapped["score"] == 1
        assert (row["nodes"], row["other_nodes"]) == (swapped["other_nodes"], swapped["nodes"])
        assert one.depth <= other.depth or row["nodes"] > row["other_nodes"]
        start, players = random_position(game, rng, 2), (one.program(), other.program())
        finals = [play_to_end(game, order, start) for order in (players, players[::-1])]
        margins = [game.margin(final, player) for player, final in enumerate(finals)]
        points = [1 if margin > 0 else 0.5 if margin == 0 else 0 for margin in margins]
        assert row["score"] == sum(points) / 2


def test_ties_at_random_play_another_of_the_equal_moves():
    game, moves = Cards(), set()
    start = random_position(game, Random(3), 6)
    first = Side(depth=1).program().think(game, start)[1]
    for seed in range(20):
        result = Side(depth=1, ties=seed).program().think(game, start)[1]
        assert result.value == first.value
        child = game.play(start, result.move)
        assert -report(child.board, child.player) == result.value or game.is_over(child)
        moves.add(result.move)
    assert len(moves) > 1


def test_the_dynamic_depth_is_the_oracles(oracles):
    with (oracles / "cards" / "depth_table.csv").open(encoding="utf-8") as file:
        rows = [[*map(int, row.values())] for row in csv.DictReader(file)]
    for size, cards_in_hand, other, depth in rows:
        cells = size**2 - 2 * len(DECKS[size]) + cards_in_hand + other
        estimate = program.widths(cells, cards_in_hand, other)
        assert program.odd_depth(program.MAX_NODE, estimate).limit == depth


def answer(*words):
    result = CliRunner().invoke(cli, ["cards", *words, "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.output)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_command_answers_a_position(variant):
    words = ("--position", EXAMPLE, "--variant", variant, "--budget", "3000")
    data = answer(*words)
    program = replace(VARIANTS[variant], depth=by_budget(3000))
    depth, result = program.think(Cards(), EXAMPLE_STATE)
    assert data["position"] == EXAMPLE
    assert data["player"] == "program"
    assert data["move"] == Cards().move_name(EXAMPLE_STATE, result.move)
    assert (data["value"], data["depth"]) == (result.value, depth.limit)
    assert data["generated"] == result.counts.generated
    assert data["F"] == program.evaluator(EXAMPLE_STATE.board, PROGRAM)
    for player, name in enumerate(NAMES):
        assert tuple(data["factors"][name].values()) == factors(EXAMPLE_STATE.board, player)
    text = CliRunner().invoke(cli, ["cards", *words]).output
    assert rules.draw_position(EXAMPLE_STATE) in text
    assert re.search(rf"^move +{data['move']}$", text, re.MULTILINE)
    assert re.search(r"^ +user +13 +18 +13 +8 +4 +0$", text, re.MULTILINE)


def test_a_position_may_be_given_by_moves():
    by_moves = answer("--moves", "13b1 5c2 2d4 8a4", "--first", "program", "--budget", "10")
    assert by_moves["position"] == (".,xp,.,./.,.,xu,./.,.,.,./8u,.,.,2p 2,3,13 3,5,8 program")
    assert answer("--position", by_moves["position"], "--budget", "10") == by_moves
    finished = answer("--position", ".,2u,.,./.,xu,xu,./.,xu,xp,xp/xu,xp,xp,xp - - user")
    assert (finished["move"], finished["value"]) == (None, WIN)
    assert answer("--size", "6", "--moves", "13f6", "--budget", "10")["position"].endswith(
        ",.,13u 2,2,3,3,5,5,8,8,8,13 2,2,3,3,5,5,8,8,8,13,13 program"
    )


@pytest.mark.parametrize(
    ("size", "first", "seed"), [(4, "user", 1), (4, "program", 2), (6, "user", 3)]
)
def test_a_whole_game_with_the_command(size, first, seed):
    game = Cards(size, NAMES.index(first))
    input_lines = []
    program, user = replace(VARIANTS["report"], depth=by_budget(100)), random_player(seed)

    def play_and_type(game, state):
        move = user(game, state)
        input_lines.append(game.move_name(state, move))
        return move

    final = play_to_end(game, (play_and_type, program), game.start())
    words = ["--size", str(size), "--first", first, "--budget", "100"]
    result = CliRunner().invoke(cli, ["cards", *words], input="\n".join(input_lines))
    assert result.exit_code == 0, result.output
    *_, board, last = result.output.strip().split("\n\n")
    assert (board, last) == (rules.draw_position(final), describe_outcome(game, final))
    assert result.output.count("Your card and its cell") == len(input_lines) == len(DECKS[size])
    assert result.output.count("program plays ") == len(DECKS[size])
    assert result.output.count("Your ") == len(input_lines)


def test_an_illegal_move_is_explained_and_prompted_for_again():
    messages = {
        "": "Type a card and an unused cell",
        "x": "move 'x' is not a card and a cell",
        "2a1": "card 2 is not in the user's hand, which is 3, 5, 8, 13",
        "3d4": "cell d4 was used before; unused are ",
        "3e9": "cell e9 is not on the board; use a1 to d4",
    }
    result = CliRunner().invoke(
        cli, ["cards", "--budget", "10"], input="\n".join(["2d4", *messages])
    )
    assert result.exit_code == 0
    _, _, *blocks, last = result.output.split("Your card and its cell, such as 5b3:\n")
    assert all(map(str.startswith, blocks, messages.values()))
    assert len(blocks) == len(messages)
    assert last == "\nThe input has ended, so the game ends here.\n"


def test_the_command_prints_the_rules_and_can_be_left():
    result = CliRunner().invoke(cli, ["cards", "--budget", "10"], input="help\nquit\n")
    assert result.exit_code == 0
    assert result.output.count("makes more than 15") == 2, "at the start and after `help`"
    assert result.output.endswith("You quit the game here.\n")


@cases(Path(__file__).with_name("results_of_cards.csv"))
def test_the_result_is_printed(position, move, last):
    state = rules.parse_position(position)
    assert describe_outcome(Cards(), Cards().play(state, rules.parse_move(move, state))) == last
