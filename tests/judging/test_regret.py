"""Judged positions and what players give up there, against plain minimax and full searches."""

from functools import cache
from itertools import combinations, islice
from pathlib import Path

import pytest

from kalahlab.engine.solver.exact import open_solver
from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.kalah import e1, e4, staged, store_difference
from kalahlab.games.kalah import PRESETS, SOUTH, Board, Kalah, State, in_play
from kalahlab.judging import judged, regret
from kalahlab.judging.judged import Judged, Sample
from kalahlab.search import Depth, alpha_beta, minimax
from kalahlab.search.ordering import store_first
from kalahlab.trace import record

KEPT = judged.read()
SMALL = {"plies": 12, "pits": 3, "stones": 2, "max_stones": 10}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("databases")


@pytest.fixture(scope="module", params=PRESETS)
def small(request: pytest.FixtureRequest, folder: Path) -> list[Judged]:
    """Judged positions of a board that plain minimax can play out."""
    states = judged.drawn(Sample(positions=60, **SMALL), request.param)
    with open_solver(3, PRESETS[request.param], database_stones=6, folder=folder) as judge:
        return list(judged.judged(judge, states, request.param))


@cache
def plain(game: Kalah, state: State) -> int:
    """South's final margin under perfect play: the definition."""
    if game.over(state):
        return game.margin(state, SOUTH)
    values = [plain(game, game.play(state, move)) for move in game.moves(state)]
    return max(values) if state.player == SOUTH else min(values)


def test_each_move_is_worth_what_playing_everything_out_says(small: list[Judged]) -> None:
    for row in small:
        game = Kalah(3, 2, PRESETS[row.rules])
        moves = game.moves(row.state)
        found = {pit: worth for pit, worth in enumerate(row.moves) if worth is not None}
        assert found == {pit: plain(game, game.play(row.state, pit)) for pit in moves}
        assert row.value == plain(game, row.state)


def test_a_search_to_the_end_gives_nothing_up(small: list[Judged]) -> None:
    """Whatever the evaluator: every leaf is a finished game."""
    rows = regret.regrets(small, {"e4": e4, "stores": store_difference}, [60])
    assert [row["regret"] for row in rows] == [0] * 2 * len(small)


def test_nobody_gains_by_leaving_perfect_play(small: list[Judged]) -> None:
    rows = regret.regrets(small, {"e4": e4}, [1, 2, 3])
    assert min(row["regret"] for row in rows) == 0 < max(row["regret"] for row in rows)
    assert [row["position"] for row in rows] == [*range(len(small))] * 3
    assert [row["depth"] for row in rows[:: len(small)]] == [1, 2, 3]


def valued(row: Judged, evaluator: Evaluator, depth: int) -> dict[int, float]:
    """Each move's value by plain minimax."""
    rules = PRESETS[row.rules]
    root, *nodes = record(minimax, Kalah(rules=rules), row.state, evaluator, Depth(depth)).nodes
    return {node.node.move: node.value for node in nodes if node.id in root.children}


def coarsely_staged(board: Board, player: int) -> float:
    return staged(board, player) // 4


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("evaluator", [store_difference, e1, coarsely_staged])
def test_the_best_moves_are_those_that_minimax_values_most(
    evaluator: Evaluator, depth: int
) -> None:
    """Under both rules; the coarse one is not antisymmetric and ties often."""
    ties = 0
    for row in KEPT[::200]:
        values = valued(row, evaluator, depth)
        best = [pit for pit, value in values.items() if value == max(values.values())]
        game = Kalah(rules=PRESETS[row.rules])
        found, nodes = regret.best_moves(game, row.state, evaluator, depth)
        assert found == best
        args = game, row.state, evaluator, Depth(depth)
        assert best[0] == alpha_beta(*args).move
        assert nodes == alpha_beta(*args).counts.visited
        assert best[-1] == alpha_beta(*args, store_first).move
        ties += len(best) > 2
    assert ties > 0, "no position where a move lies between the outer two"


def test_what_tied_moves_cost_is_their_mean() -> None:
    """E1 sees nothing one sow deep where nothing is decided: all moves tie, as chance has it."""
    some = [row for row in KEPT[:200] if in_play(row.state.board) > 30]
    rows = regret.regrets(some, {"nothing": lambda board, player: 0}, [1])
    open_ends = [(row, found) for row, found in zip(some, rows, strict=True) if found["ties"] > 1]
    for row, found in open_ends:
        if found["ties"] == sum(worth is not None for worth in row.moves):
            stones = [row.regret(pit) for pit, worth in enumerate(row.moves) if worth is not None]
            assert found["regret"] == pytest.approx(sum(stones) / len(stones))
            assert (found["pit_order"], found["store_first"]) == (stones[0], stones[-1])
            assert found["optimal"] == pytest.approx(stones.count(0) / len(stones))
    assert len(open_ends) > 50


def test_a_sample_has_different_positions_with_a_choice() -> None:
    sample = Sample(positions=200, seed=7, plies=30, max_stones=25, pits=4, stones=3)
    states = list(judged.drawn(sample))
    assert len(set(states)) == 200
    assert states == list(judged.drawn(sample))
    for state in states:
        assert state.player == SOUTH
        assert in_play(state.board) <= 25
        assert len(Kalah(4, 3).moves(state)) >= 2
        assert sum(state.board) == 24


def test_a_sample_that_cannot_be_drawn_says_so() -> None:
    with pytest.raises(ValueError, match=r"^only \d+ positions found of Sample\(positions=9999, "):
        list(judged.drawn(Sample(positions=9999, pits=2, stones=1)))
    with pytest.raises(ValueError, match=r"^plies of a sample is 0; use 1 or more$"):
        Sample(plies=0)


def test_positions_are_read_as_they_were_written(tmp_path: Path) -> None:
    judged.write(tmp_path / "one.csv.gz", KEPT[:40])
    judged.write(tmp_path / "other.csv.gz", judged.read(tmp_path / "one.csv.gz"))
    assert judged.read(tmp_path / "one.csv.gz") == KEPT[:40]
    assert (tmp_path / "one.csv.gz").read_bytes() == (tmp_path / "other.csv.gz").read_bytes()


@pytest.mark.parametrize("rules", PRESETS)
def test_the_kept_positions_are_the_sample_that_the_defaults_draw(rules: str) -> None:
    kept = [row.state for row in KEPT if row.rules == rules]
    assert len(kept) == Sample().positions
    assert kept[:300] == list(islice(judged.drawn(Sample(), rules), 300))


@pytest.mark.parametrize("rules", PRESETS)
def test_the_kept_values_come_out_again(rules: str, folder: Path) -> None:
    kept = [row for row in KEPT if row.rules == rules and in_play(row.state.board) <= 24][:60]
    with open_solver(6, PRESETS[rules], database_stones=9, folder=folder) as judge:
        assert list(judged.judged(judge, (row.state for row in kept), rules)) == kept


def test_a_value_is_of_a_game_of_48_stones() -> None:
    for row in KEPT:
        assert sum(row.state.board) == 48
        assert row.value % 2 == 0
        assert [worth is not None for worth in row.moves] == [n > 0 for n in row.state.board[:6]]


def test_an_empty_pit_is_named() -> None:
    row = Judged("standard", State((0, 1, 0, 1, 1, 0), SOUTH), (None, 2))
    assert row.regret(1) == 0
    with pytest.raises(ValueError, match=r"^pit 1 of <2,0,0,0,1,1,1> is empty$"):
        row.regret(0)


def test_what_chance_gives_up_worked_by_hand() -> None:
    state = State((1, 1, 1, 0, 1, 1, 1, 0), SOUTH)
    rows = [
        Judged("standard", state, (4, None, 0)),  # one of two is best, the other 4 worse
        Judged("standard", state, (2, 2, -4)),  # two of three, the other 6 worse
    ]
    assert regret.chance(rows) == (pytest.approx((2 + 2) / 2), pytest.approx((1 / 2 + 2 / 3) / 2))


def test_an_order_is_as_good_as_the_pairs_it_has_right() -> None:
    """Kendall's tau by its definition, where nothing ties; 1 for the truth, -1 upside down."""
    exact = {row.value: row for row in KEPT}
    some = list(exact.values())[:20]
    worth = {row.state.board: row.value for row in some}
    truth, upside_down, shuffled = regret.ordering(
        some,
        {
            "truth": lambda board, player: worth[tuple(board)],
            "upside down": lambda board, player: -worth[tuple(board)],
            "shuffled": lambda board, player: shuffle(worth[tuple(board)]),
        },
    )
    assert (truth["spearman"], truth["kendall"]) == pytest.approx((1, 1))
    assert (upside_down["spearman"], upside_down["kendall"]) == pytest.approx((-1, -1))
    pairs = list(combinations(worth.values(), 2))
    right = sum((a > b) == (shuffle(a) > shuffle(b)) for a, b in pairs)
    assert 0 < right < len(pairs)
    assert shuffled["kendall"] == pytest.approx(2 * right / len(pairs) - 1)


def shuffle(value: float) -> float:
    """Different numbers for different values of a game of 48 stones, in another order."""
    return 40 * value % 97
