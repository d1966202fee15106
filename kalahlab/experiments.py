"""Experiments: searches against themselves, by algorithm, evaluator, depth and set of rules.

points = grid(algorithms=["alpha_beta"], evaluators=["e3"], depths=[2, 4])
rows = kalahlab.grid.run_all(run_point, points, workers=2)
"""

import gc
import time
import tomllib
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import asdict, astuple, dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from kalahlab.backends import DEEPEST, SearchSpec
from kalahlab.games import Game
from kalahlab.games.kalah import PRESETS, RULES_VERSION, Kalah, State
from kalahlab.games.notation import format_board, parse_board
from kalahlab.grid import Row
from kalahlab.matches.openings import PITS, STONES, fair_openings
from kalahlab.names import named
from kalahlab.outside import read_text
from kalahlab.play import play_game
from kalahlab.search import Counts, Result

if TYPE_CHECKING:
    import pandas as pd

MEASURED = ("seconds", "peak_kib")  # the columns that differ from run to run


@dataclass(frozen=True, slots=True)
class Point:
    """One game of a search against itself, from the start or from an opening, a board text.

    The names, and `ties`, are those of `SearchSpec`; an unknown one raises `ValueError`. Both
    backends give the same row, except for the `MEASURED` columns.
    """

    algorithm: str
    evaluator: str
    depth: int
    rules: str = "standard"
    leaf: str = "sow"
    order: str = "pit"
    pits: int = 6
    stones: int = 6
    opening: str = ""
    backend: str = "engine"
    ties: int | None = None

    VERSION: ClassVar[int] = RULES_VERSION

    def __post_init__(self) -> None:
        self.spec.search_args(self.game(), self.depth)
        if self.depth == 0:
            raise ValueError("depth is 0; to find a move to play use 1 or more")
        if self.depth > DEEPEST:
            raise ValueError(f"depth is {self.depth}; use {DEEPEST} or less")
        if len(self.start().board) != 2 * self.pits + 2:
            raise ValueError(f"opening {self.opening!r} has not {self.pits} pits a side")

    @property
    def spec(self) -> SearchSpec:
        names = self.algorithm, self.evaluator, self.leaf, self.order, self.backend
        return SearchSpec(*names, ties=self.ties)

    @property
    def task(self) -> str:
        """The work on the point in words, for messages; the same from each opening."""
        return f"playing {self.algorithm}:{self.evaluator}:{self.depth} against itself"

    def game(self) -> Kalah:
        return Kalah(self.pits, self.stones, named("rules", self.rules, PRESETS))

    def start(self) -> State:
        return parse_board(self.opening) if self.opening else self.game().start()


def grid(
    algorithms: Sequence[str],
    evaluators: Sequence[str],
    depths: Sequence[int],
    rules: Sequence[str] = ("standard",),
    openings: int = 0,
    **fixed: Any,
) -> list[Point]:
    """Return every combination, rules outermost, depths and then openings innermost.

    Args:
        algorithms: The names of algorithms.
        evaluators: The names of evaluators.
        depths: The depths, in the unit of the leaf rule.
        rules: The names of presets.
        openings: The number of fair openings of Kalah(6, 4) under each set of rules; 0 for the
            start alone.
        fixed: The other fields of a point, which are the same in all.
    """
    if openings:
        fixed = {"pits": PITS, "stones": STONES} | fixed
        if fixed["pits"] != PITS:
            raise ValueError(
                f"openings is {openings}, of Kalah({PITS}, {STONES}), and pits is {fixed['pits']}; "
                "use openings = 0"
            )
    boards: dict[str, list[str]] = {}
    for preset in rules:
        boards[preset] = [""]
        if openings:
            boards[preset] = [format_board(state) for state in fair_openings(preset, openings)]
    points = []
    for preset, algorithm, evaluator, depth in product(rules, algorithms, evaluators, depths):
        for board in boards[preset]:
            points.append(Point(algorithm, evaluator, depth, preset, **fixed, opening=board))
    return points


LONGEST = 1_000_000  # bytes of a grid file
KINDS = {str: "text", int: "whole number"}
# The keys of a grid file and their types: of lists, and of values that all points have.
LISTS = {"algorithms": str, "evaluators": str, "depths": int, "rules": str}
SINGLE = {"openings": int, "leaf": str, "order": str, "pits": int, "stones": int}
SINGLE |= {"backend": str, "ties": int}


def read_grid(path: Path, **more: Sequence[str]) -> list[Point]:
    """Load the points of a grid file: TOML with the arguments of `grid` and the fields of `Point`.

    Args:
        path: The file.
        more: Values to be added to its lists. An import path is known only if it was imported, see
            `names`.

    Raises:
        ValueError: The file is no grid file; in one line.
    """
    try:
        settings = tomllib.loads(read_text(path, LONGEST))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path} is not TOML: {error}") from None
    for name, values in more.items():
        if values and isinstance(settings.setdefault(name, []), list):
            settings[name] += [value for value in values if value not in settings[name]]
    for name in settings:
        if name not in LISTS | SINGLE:
            raise ValueError(f"unknown key {name!r}; use one of {', '.join(LISTS | SINGLE)}")
    for name in ("algorithms", "evaluators", "depths"):
        if not settings.get(name):
            raise ValueError(f"{path} gives no {name}; give a list")
    for name, value in settings.items():
        _check_type(name, value)
    try:
        return grid(**settings)
    except ValueError as error:
        for kind in ("algorithm", "evaluator"):
            for name in settings[f"{kind}s"]:
                if "." in name and repr(name) in str(error):
                    message = f"{kind} {name!r} is an import path, and a file imports no code"
                    raise ValueError(f"{message}; give it as --{kind} {name}, too") from None
        raise


def _check_type(name: str, value: Any) -> None:
    """Raise `ValueError` if the value of a key in a grid file has not the type of that key."""
    if name in SINGLE:
        expected = KINDS[SINGLE[name]]
        is_valid = KINDS.get(type(value)) == expected
    else:
        kind = KINDS[LISTS[name]]
        expected = f"list of {kind}s"
        is_valid = type(value) is list and all(KINDS.get(type(item)) == kind for item in value)
    if not is_valid:
        raise ValueError(f"{name} is {value!r}; use a {expected}")


def cost_estimate(point: Point) -> float:
    """Estimate the relative cost of a point: the nodes of its tree, whose depth pruning halves."""
    depth: float = point.depth
    if point.algorithm != "minimax":
        depth /= 2
    return float(point.pits**depth)


def run_point(point: Point) -> Row:
    """Play one game and return a row.

    Columns: the fields of the point, of which backend is the one that was used; path, the number of
    sows; generated, expanded, evaluated, cutoffs and nodes (visited), over all searches of the
    game; winner; margin, in stones, of the player who moves first, South; south and north, their
    stores; moves, pits from 1; seconds, the wall time of the game; peak_kib, the most memory that
    the textbook's search of the first position held at a time, in KiB of Python's allocations,
    measured in an extra search, and None with the engine, which makes no such allocations.
    """
    game, start, spec = point.game(), point.start(), point.spec
    is_compiled = spec.is_compiled_for(game, start)
    results = list[Result]()

    def player(game: Kalah, state: State) -> Any:
        results.append(spec.search(game, state, point.depth))
        return results[-1].move

    player.__qualname__ = f"{point.algorithm}:{point.evaluator}:{point.depth}"
    start_time = time.perf_counter()
    log = play_game(game, player, player, start)
    seconds = time.perf_counter() - start_time
    south, north = log.stores
    counts = _sum_counts([result.counts for result in results])
    memory = None
    if not is_compiled:
        memory = peak_kib(lambda: spec.search(game, start, point.depth))
    return {
        **asdict(point),
        "backend": "engine" if is_compiled else "textbook",
        "path": len(log.moves),
        "nodes": counts.pop("visited"),
        **counts,
        "winner": log.winner,
        "margin": log.margin,
        "south": south,
        "north": north,
        "moves": " ".join(str(move.pit + 1) for move in log.moves),
        "seconds": seconds,
        "peak_kib": memory,
    }


def _sum_counts(counts: Sequence[Counts]) -> dict[str, int]:
    """Return the sums of the counts of searches, by their names."""
    columns = zip(*(astuple(counts_of_one) for counts_of_one in counts), strict=True)
    return asdict(Counts(*map(sum, columns)))


def means(rows: Sequence[Row]) -> "pd.DataFrame":
    """Return the mean nodes and margin of games, by the settings that differ between rows.

    Columns: the settings; games, their number; nodes, those visited in all searches of a game, and
    margin; nodes_sd and margin_sd, the standard deviations of games, NaN for a single one. A row
    with an error is no game.
    """
    import pandas as pd  # here, because workers that only play do not need it

    games = pd.DataFrame([row for row in rows if not row["error"]])
    if games.empty:
        return games
    varied = [name for name in ("rules", "leaf", "order") if games[name].nunique() > 1]
    groups = games.groupby([*varied, "algorithm", "evaluator", "depth"], sort=False)
    table = pd.DataFrame({"games": groups.size()})
    for name in ("nodes", "margin"):
        table[name], table[f"{name}_sd"] = groups[name].mean(), groups[name].std()
    return table.reset_index()


def peak_kib(call: Callable[[], object]) -> float:
    """Return the most memory that a call holds at a time, in KiB of Python's allocations.

    The call is made twice, the first time to fill its caches. A full collection empties Python's
    free lists, whose memory is not traced.
    """
    call()
    gc.freeze()
    gc.collect()
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1] / 1024
    finally:
        tracemalloc.stop()
        gc.unfreeze()


def search_costs(
    state: State,
    algorithms: Sequence[str],
    depths: Sequence[int],
    orders: Sequence[str] = ("pit",),
    evaluator: str = "store_difference",
    backend: str = "textbook",
) -> list[Row]:
    """Return the `search_cost` of a position by each algorithm, in each order, at each depth.

    Under standard rules; depths are in sows.
    """
    return [
        search_cost(Kalah(), state, SearchSpec(name, evaluator, "sow", order, backend), depth)
        for name, order, depth in product(algorithms, orders, depths)
    ]


def search_cost(game: Game, state: Any, spec: SearchSpec, depth: int) -> Row:
    """Search a position and return the result and its counts as a row.

    move and line, pits, are counted from 1; visited are the nodes entered.
    """
    result = spec.search(game, state, depth)
    line = [move + 1 for move in result.line]
    return {
        "algorithm": spec.algorithm,
        "order": spec.order,
        "depth": depth,
        "value": result.value,
        "move": line[0] if line else None,
        "line": " ".join(map(str, line)),
        **asdict(result.counts),
    }
