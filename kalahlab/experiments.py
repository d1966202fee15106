"""The grid: every algorithm, evaluator, depth and set of rules, each playing itself once.

    rows = run_grid(grid(algorithms=["alpha_beta"], evaluators=["e3"], depths=[2, 4]))
    table = frame(rows)

A point is named by plain values, so that it can be sent to another process and written
down. Rows come back in the order of the points, whatever the number of workers.
"""

import gc
import random
import time
import tracemalloc
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import reduce
from itertools import islice, product
from multiprocessing import get_context
from operator import add
from typing import TYPE_CHECKING, Any, TypeVar

from kalahlab import catalogue
from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.tree import written_value
from kalahlab.games import Game
from kalahlab.games.kalah import Kalah, Rules, State
from kalahlab.games.tree import HandTree, uniform_tree
from kalahlab.play import GameLog, play_game, random_player, search_player
from kalahlab.search import Counts, Result

if TYPE_CHECKING:
    import pandas as pd

Row = dict[str, Any]
P = TypeVar("P")
R = TypeVar("R")

MEASURED = ("seconds", "peak_kib")
"""The columns that are measured and so differ from run to run."""


@dataclass(frozen=True, slots=True)
class Point:
    """One game of a search against itself, from the start of Kalah(pits, stones).

    The names are the catalogue's; an unknown one is a `ValueError`.
    """

    algorithm: str
    evaluator: str
    depth: int
    rules: str = "standard"
    unit: str = "sow"
    order: str = "pit"
    pits: int = 6
    stones: int = 6

    def __post_init__(self) -> None:
        catalogue.algorithm(self.algorithm)
        catalogue.evaluator(self.evaluator)
        catalogue.order(self.order)
        self.game()
        if catalogue.depth(self.depth, self.unit).limit == 0:
            raise ValueError("depth is 0; to find a move to play use 1 or more")

    def game(self) -> Kalah:
        return Kalah(self.pits, self.stones, catalogue.rules(self.rules))

    def search(self, game: Kalah, state: Any) -> Result:
        """This point's search of one position."""
        return catalogue.algorithm(self.algorithm)(
            game,
            state,
            catalogue.evaluator(self.evaluator),
            catalogue.depth(self.depth, self.unit),
            catalogue.order(self.order),
        )


def grid(
    algorithms: Sequence[str],
    evaluators: Sequence[str],
    depths: Sequence[int],
    rules: Sequence[str] = ("standard",),
    **fixed: Any,
) -> list[Point]:
    """Every combination, rules outermost and depths innermost; `fixed` is the same in all."""
    return [
        Point(algorithm, evaluator, depth, rule, **fixed)
        for rule, algorithm, evaluator, depth in product(rules, algorithms, evaluators, depths)
    ]


def run_point(point: Point) -> Row:
    """Play the point's game.

    path: sows of the game. generated .. cutoffs: over all searches of the game. margin: in
    stones, South's side. seconds: wall time of the game. peak_kib: the most memory that
    the search of the first position held at a time, in KiB of Python's allocations,
    measured in a search of its own.
    """
    game = point.game()
    results: list[Result] = []
    player = search_player(
        catalogue.algorithm(point.algorithm),
        catalogue.evaluator(point.evaluator),
        catalogue.depth(point.depth, point.unit),
        catalogue.order(point.order),
        results.append,
    )
    began = time.perf_counter()
    log = play_game(game, player, player)
    seconds = time.perf_counter() - began
    south, north = log.stores
    return {
        **asdict(point),
        "path": len(log.moves),
        **asdict(reduce(add, (result.counts for result in results), Counts())),
        "winner": log.winner,
        "margin": log.margin,
        "south": south,
        "north": north,
        "moves": " ".join(str(played.pit + 1) for played in log.moves),
        "seconds": seconds,
        "peak_kib": peak_kib(lambda: point.search(game, game.start())),
    }


def peak_kib(call: Callable[[], object]) -> float:
    """The most memory that a call held at a time, in KiB of Python's allocations.

    The call is made twice, the first time to fill its caches. A full collection empties
    Python's free lists, from which memory would be taken that nobody sees.
    """
    call()
    gc.collect()
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1] / 1024
    finally:
        tracemalloc.stop()


def run_grid(
    points: Iterable[Point],
    workers: int = 1,
    executor: Executor | None = None,
    tell: Callable[[Row], object] = lambda row: None,
) -> list[Row]:
    """The rows of all points, in their order; `tell` hears each as it comes in."""
    return run_each(run_point, points, workers, executor, tell)


def run_each(
    run: Callable[[P], R],
    points: Iterable[P],
    workers: int = 1,
    executor: Executor | None = None,
    tell: Callable[[R], object] = lambda result: None,
) -> list[R]:
    """What `run`, of a module's top level, makes of each point; `tell` hears each as it comes in.

    In the order of the points. Runs on the given executor, or on `workers` processes of its
    own (1: in this one).
    """
    points = list(points)
    if executor is not None:
        return [_told(result, tell) for result in executor.map(run, points)]
    if workers == 1:
        return [_told(run(point), tell) for point in points]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        return run_each(run, points, executor=pool, tell=tell)


def _told(result: R, tell: Callable[[R], object]) -> R:
    tell(result)
    return result


def frame(rows: Sequence[Row]) -> "pd.DataFrame":
    """The rows as a table, one a point."""
    import pandas as pd

    return pd.DataFrame(rows)


def random_games(
    rules: Mapping[str, Rules], games: int, seed: int = 0, pits: int = 6, stones: int = 4
) -> list[Row]:
    """The same random choices played out under each set of rules, one row a game.

    Game k draws from seed + k under all rules, so that rows of one `game` differ only by
    what the rules make of the same chances. `length` is in sows, `margin` in stones.
    """
    return [
        {"rules": name, "game": number, "length": len(log.moves), "margin": log.margin}
        for number in range(games)
        for name, each in rules.items()
        for log in [_random_game(Kalah(pits, stones, each), seed + number)]
    ]


def _random_game(game: Kalah, seed: int) -> GameLog:
    player = random_player(seed)
    return play_game(game, player, player)


def search_costs(
    state: State,
    algorithms: Iterable[str],
    depths: Iterable[int],
    orders: Iterable[str] = ("pit",),
    evaluator: str = "store_difference",
    rules: str = "standard",
) -> list[Row]:
    """One position searched by each algorithm in each order at each depth, one row a search.

    depths in sows. `move` and `line` are numbered from 1; `visited` is the number of nodes
    entered.
    """
    game, judge = Kalah(rules=catalogue.rules(rules)), catalogue.evaluator(evaluator)
    return [_cost(game, state, judge, *named) for named in product(algorithms, orders, depths)]


def uniform_costs(
    arity: int,
    algorithms: Sequence[str],
    depths: Iterable[int],
    orders: Sequence[str] = ("pit",),
    seed: int = 0,
) -> list[Row]:
    """Random uniform trees searched to their leaves, one tree a depth and one row a search.

    Columns as in `search_costs`; moves are numbered from 1.
    """
    return [
        _cost(HandTree(tree), tree, written_value, *named, depth)
        for depth in depths
        for tree in [uniform_tree(arity, depth, seed)]
        for named in product(algorithms, orders)
    ]


def sampled_positions(
    number: int, sows: int, seed: int = 0, pits: int = 6, stones: int = 4
) -> list[State]:
    """Positions so many random sows after the start, each of a game that goes on.

    The same ones for the same seed. `ValueError` if there are none, since all games are over.
    """
    game, chance = Kalah(pits, stones), random.Random(seed)
    reached = (_wandered(game, sows, chance) for _ in range(100 * number))
    found = list(islice((state for state in reached if not game.over(state)), number))
    if len(found) < number:
        raise ValueError(f"sows is {sows}; by then nearly every random game is over, use less")
    return found


def _wandered(game: Kalah, sows: int, chance: random.Random) -> State:
    """The state after so many random sows, or at the end of the game."""
    state = game.start()
    for _ in range(sows):
        if not game.over(state):
            state = game.play(state, chance.choice(game.moves(state)))
    return state


def _cost(
    game: Game, state: Any, evaluator: Evaluator, algorithm: str, order: str, depth: int
) -> Row:
    search = catalogue.algorithm(algorithm)
    result = search(game, state, evaluator, catalogue.depth(depth), catalogue.order(order))
    return {"algorithm": algorithm, "order": order, "depth": depth, **_found(result)}


def _found(result: Result) -> Row:
    line = [move + 1 for move in result.line]
    return {
        "value": result.value,
        "move": line[0] if line else None,
        "line": " ".join(map(str, line)),
        **asdict(result.counts),
        "visited": result.counts.visited,
    }
