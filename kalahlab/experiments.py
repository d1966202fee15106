"""Experiments as grids of points: every algorithm, evaluator, depth and set of rules.

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

    The names, and ties, are those of `SearchSpec`; an unknown one is a `ValueError`. Both backends
    give the same row, but for what is measured.
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
        """What a worker does with it, for messages; the same from each opening."""
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
    """Every combination, rules outermost, depths and then openings innermost.

    openings: the number of fair openings of Kalah(6, 4) under each set of rules; 0: the start
    alone. `fixed`, the other fields of a point, is the same in all.
    """
    if openings:
        fixed = {"pits": PITS, "stones": STONES} | fixed
        if fixed["pits"] != PITS:
            raise ValueError(
                f"openings is {openings}, of Kalah({PITS}, {STONES}), and pits is {fixed['pits']}; "
                "use openings = 0"
            )
    boards = {
        rule: [format_board(state) for state in fair_openings(rule, openings)] if openings else [""]
        for rule in rules
    }
    return [
        Point(algorithm, evaluator, depth, rule, **fixed, opening=board)
        for rule, algorithm, evaluator, depth in product(rules, algorithms, evaluators, depths)
        for board in boards[rule]
    ]


LONGEST = 1_000_000  # bytes of a grid file
KINDS = {str: "text", int: "whole number"}
# What a grid file may set, and of which type: lists, and what is the same in all points.
LISTS = {"algorithms": str, "evaluators": str, "depths": int, "rules": str}
SINGLE = {"openings": int, "leaf": str, "order": str, "pits": int, "stones": int}
SINGLE |= {"backend": str, "ties": int}


def read_grid(path: Path, **more: Sequence[str]) -> list[Point]:
    """The points of a grid file: TOML with the arguments of `grid` and the fields of `Point`.

    more: what its lists get too. An import path is known only if it was imported, see `names`.
    Raises `ValueError`, in one line, for a file that is none.
    """
    try:
        given = tomllib.loads(read_text(path, LONGEST))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path} is not TOML: {error}") from None
    for name, values in more.items():
        if values and isinstance(given.setdefault(name, []), list):
            given[name] += [each for each in values if each not in given[name]]
    if unknown := [name for name in given if name not in LISTS | SINGLE]:
        raise ValueError(f"unknown key {unknown[0]!r}; use one of {', '.join(LISTS | SINGLE)}")
    if missing := [name for name in ("algorithms", "evaluators", "depths") if not given.get(name)]:
        raise ValueError(f"{path} gives no {missing[0]}; give a list")
    for name, value in given.items():
        what, listed = KINDS[(LISTS | SINGLE)[name]], name in LISTS
        values = value if listed else [value]
        if type(values) is not list or any(KINDS.get(type(each)) != what for each in values):
            raise ValueError(f"{name} is {value!r}; use a {f'list of {what}s' if listed else what}")
    try:
        return grid(**given)
    except ValueError as error:
        for what in ("algorithm", "evaluator"):
            for name in given[f"{what}s"]:
                if "." in name and repr(name) in str(error):
                    said = f"{what} {name!r} is an import path, and a file imports no code"
                    raise ValueError(f"{said}; give it as --{what} {name}, too") from None
        raise


def cost_estimate(point: Point) -> float:
    """About how long a point takes: the nodes of its tree, that pruning halves in depth."""
    return float(point.pits ** (point.depth if point.algorithm == "minimax" else point.depth / 2))


def run_point(point: Point) -> Row:
    """backend: which it was. path: sows of the game. generated .. nodes: over all searches of the
    game, nodes being those visited. margin: in stones, of who moves first, who is South. seconds:
    wall time of the game. peak_kib: the most memory that the textbook's search of the first
    position held at a time, in KiB of Python's allocations, measured in a search of its own; None
    of the engine's, which allocates none of it.
    """
    game, start, spec = point.game(), point.start(), point.spec
    results, compiled = list[Result](), spec.is_compiled_for(game, start)

    def player(game: Kalah, state: State) -> Any:
        results.append(spec.search(game, state, point.depth))
        return results[-1].move

    player.__qualname__ = f"{point.algorithm}:{point.evaluator}:{point.depth}"
    began = time.perf_counter()
    log = play_game(game, player, player, start)
    seconds = time.perf_counter() - began
    south, north = log.stores
    counts = asdict(
        Counts(*map(sum, zip(*(astuple(each.counts) for each in results), strict=True)))
    )
    memory = None if compiled else peak_kib(lambda: spec.search(game, start, point.depth))
    return {
        **asdict(point),
        "backend": "engine" if compiled else "textbook",
        "path": len(log.moves),
        "nodes": counts.pop("visited"),
        **counts,
        "winner": log.winner,
        "margin": log.margin,
        "south": south,
        "north": north,
        "moves": " ".join(str(played.pit + 1) for played in log.moves),
        "seconds": seconds,
        "peak_kib": memory,
    }


def means(rows: Sequence[Row]) -> "pd.DataFrame":
    """Games, and their mean nodes and margin, by each setting that is not the same in all rows.

    nodes: those visited in all searches of a game. sd: the standard deviation of the games, NaN of
    a single one. A row with an error is no game.
    """
    import pandas as pd  # here, as workers that only play need none of it

    games = pd.DataFrame([row for row in rows if not row["error"]])
    if games.empty:
        return games
    varied = [name for name in ("rules", "leaf", "order") if games[name].nunique() > 1]
    groups = games.groupby([*varied, "algorithm", "evaluator", "depth"], sort=False)
    found = pd.DataFrame({"games": groups.size()})
    for name in ("nodes", "margin"):
        found[name], found[f"{name}_sd"] = groups[name].mean(), groups[name].std()
    return found.reset_index()


def peak_kib(call: Callable[[], object]) -> float:
    """The most memory that a call held at a time, in KiB of Python's allocations.

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
    """`search_cost` of one position, under standard rules, in each order at each depth in sows."""
    return [
        search_cost(Kalah(), state, SearchSpec(name, evaluator, "sow", order, backend), depth)
        for name, order, depth in product(algorithms, orders, depths)
    ]


def search_cost(game: Game, state: Any, spec: SearchSpec, depth: int) -> Row:
    """What one search found and cost; move and line from 1, visited: the nodes entered."""
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
