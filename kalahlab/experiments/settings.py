"""Experiments: searches against themselves, by algorithm, evaluator, depth and set of rules.

settings = make_grid(algorithms=["alpha_beta"], evaluators=["e3"], depths=[2, 4])
rows = kalahlab.parallel.run_all(run_setting, settings, workers=2)
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar

from kalahlab.experiments.costs import measure_peak_kib
from kalahlab.games.game_log import GameLog
from kalahlab.games.kalah import RULES_VERSION, Kalah, State
from kalahlab.games.notation import format_board, parse_board
from kalahlab.games.rules import format_rules, parse_rules
from kalahlab.matches.openings import PITS, STONES, find_openings
from kalahlab.parallel import Row
from kalahlab.players.game_loop import play_game
from kalahlab.players.growth_spec import GrowthSpec, find_growing_search
from kalahlab.players.limited_search import check_limit, search_within
from kalahlab.players.model import PlayerFunction
from kalahlab.players.search_spec import DEEPEST, SearchSpec
from kalahlab.search import Counts, Depth, Result
from kalahlab.search.deepening import combine_results
from kalahlab.search.limits import Limit, Nodes, Playouts, Seconds, parse_limit
from kalahlab.solver.move_values import perfect_player

if TYPE_CHECKING:
    import pandas as pd

PERFECT = "perfect"  # the algorithm of perfect play, which has no evaluator and no limit
MEASURED = ("seconds", "peak_kib")  # the columns that differ from run to run


@dataclass(frozen=True, slots=True)
class Setting:
    """One game of a search against itself, from the start or from an opening.

    `SearchSpec` explains the names and `ties`. An unknown name raises `ValueError`. For a search
    that grows a tree, `evaluator` is what values a leaf, such as `random`. `limit` is a limit other
    than a depth, such as `5000n` or `800p`, or "" for the depth; with a limit `depth` is 0. The
    algorithm `perfect` plays perfectly; its evaluator is "" and its depth is 0.
    `opening` is a board as text, or "" for the start. The rows of both backends are the same,
    except for the `MEASURED` columns and `backend`.
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
    limit: str = ""

    # `kalahlab.parallel` makes this a part of the key by which it finds finished rows again.
    VERSION: ClassVar[int] = RULES_VERSION

    def __post_init__(self) -> None:
        if len(self.start().board) != 2 * self.pits + 2:
            raise ValueError(f"opening {self.opening!r} does not have {self.pits} pits a side")
        if self.is_perfect:
            if (self.evaluator, self.depth, self.limit) != ("", 0, ""):
                raise ValueError("perfect has no evaluator, no depth and no limit")
            return
        spec, limit = self.spec, self.search_limit
        if isinstance(limit, Seconds):
            raise ValueError(f"limit is {limit}; use nodes or playouts, as a clock may differ")
        if isinstance(spec, GrowthSpec):
            spec.check_limit(limit)
        else:
            spec.check_evaluator()
            spec.search_args(self.game(), self.depth)  # called only for its checks
            check_limit(spec, limit)
        if self.depth == 0 and not self.limit:
            raise ValueError("depth is 0; to find a move to play use 1 or more")
        if self.depth > DEEPEST:
            raise ValueError(f"depth is {self.depth}; use {DEEPEST} or less")

    @property
    def is_perfect(self) -> bool:
        """Whether both players play perfectly, and do not search."""
        return self.algorithm == PERFECT

    @property
    def spec(self) -> SearchSpec | GrowthSpec:
        """The search of both players."""
        if find_growing_search(self.algorithm) is not None:
            if (self.leaf, self.order, self.ties) != ("sow", "pit", None):
                raise ValueError(f"{self.algorithm} has no leaf rule, no order and no ties")
            return GrowthSpec.parse(self.algorithm, self.evaluator, backend=self.backend)
        names = self.algorithm, self.evaluator, self.leaf, self.order, self.backend
        return SearchSpec(*names, ties=self.ties)

    @property
    def search_limit(self) -> Limit:
        """How long the search takes for a move."""
        return parse_limit(self.limit) if self.limit else Depth(self.depth)

    @property
    def player(self) -> str:
        """The search and its limit as text."""
        if self.is_perfect:
            return PERFECT
        return f"{self.algorithm}:{self.evaluator}:{self.limit or self.depth}"

    def make_search(self) -> Callable[[State], Result]:
        """Return the function that searches a position of the game."""
        spec, limit, game = self.spec, self.search_limit, self.game()

        def search(state: State) -> Result:
            if isinstance(spec, GrowthSpec):
                return spec.search(game, state, limit)
            return combine_results([*search_within(spec, limit, game, state)])

        return search

    @property
    def task(self) -> str:
        """The work on the setting in words, without the opening; for messages."""
        return f"playing {self.player} against itself"

    def game(self) -> Kalah:
        """Return the game. Its own start is not used if the setting has an opening."""
        return Kalah(self.pits, self.stones, parse_rules(self.rules))

    def start(self) -> State:
        """Return the position from which the game is played."""
        if self.opening:
            return parse_board(self.opening)
        return self.game().start()


def make_grid(
    algorithms: Sequence[str],
    evaluators: Sequence[str],
    depths: Sequence[int],
    rules: Sequence[str] = ("standard",),
    openings: int = 0,
    limits: Sequence[str] = (),
    **fixed: Any,
) -> list[Setting]:
    """Return the settings of every combination.

    The openings vary fastest, then the depths and limits, the evaluators, the algorithms and last
    the rules. The algorithm `perfect` has no evaluator and no limit, so it is there once.

    Args:
        algorithms: The names of algorithms.
        evaluators: The names of evaluators.
        depths: The depths, in the unit of the leaf rule.
        rules: The sets of rules as text; see `parse_rules`.
        openings: The number of openings of Kalah(6, 4) under each set of rules, see
            `find_openings`; 0 for the start alone.
        limits: Limits other than depths, such as `5000n` and `800p`.
        fixed: The other fields of a setting, which are the same in all.
    """
    if openings:
        fixed = {"pits": PITS, "stones": STONES} | fixed
        if fixed["pits"] != PITS:
            raise ValueError(
                f"openings is {openings}, of Kalah({PITS}, {STONES}), and pits is {fixed['pits']}; "
                "use openings = 0"
            )
    boards: dict[str, list[str]] = {}
    for text in rules:
        name = format_rules(parse_rules(text))  # one text for the same rules
        boards[name] = [""]
        if openings:
            boards[name] = [format_board(state) for state in find_openings(name, openings)]
    settings = []
    depths_and_limits = [*product(depths, [""]), *product([0], limits)]
    for name, algorithm in product(boards, algorithms):
        searches = [*product(evaluators, depths_and_limits)]
        if algorithm == PERFECT:
            searches = [("", (0, ""))]
        for (evaluator, (depth, limit)), board in product(searches, boards[name]):
            spec = algorithm, evaluator, depth, name
            settings.append(Setting(*spec, **fixed, opening=board, limit=limit))
    return settings


def estimate_cost(setting: Setting) -> float:
    """Estimate the relative cost of a setting: the number of nodes of its tree."""
    if setting.is_perfect:
        return float(setting.pits ** (2 * setting.stones))  # of the same order as a solution's
    limit = setting.search_limit
    if isinstance(limit, Nodes):
        return float(limit.n)
    if isinstance(limit, Playouts):
        return 50.0 * limit.n  # a playout has some 50 sows
    depth: float = setting.depth
    if setting.algorithm != "minimax":
        depth /= 2  # with perfect pruning, the tree is as large as minimax's at half the depth
    return float(setting.pits**depth)


def run_setting(setting: Setting) -> Row:
    """Play one game and return a row.

    The columns are the fields of the setting, and these:
    - backend: the backend that was used, which may not be that of the setting; for `perfect` it is
      the solver
    - path: the number of sows
    - generated, expanded, evaluated, cutoffs: the counts, over all searches of the game
    - nodes: the number of nodes visited, over all searches of the game; these and the other counts
      are None for `perfect`
    - winner: the winner
    - margin: the margin of South, who moves first, in stones
    - south, north: the stores
    - moves: the pits, from 1
    - seconds: the wall time of the game
    - peak_kib: the most memory that a search of the first position holds at a time, in KiB of
      Python's allocations; None with the engine, which makes no such allocations
    """
    game, start = setting.game(), setting.start()
    results = list[Result]()
    player = _make_player(setting, results)
    start_time = time.perf_counter()
    log = play_game(game, player, player, start)
    seconds = time.perf_counter() - start_time
    counts: dict[str, int | None] = _sum_counts([result.counts for result in results])
    if setting.is_perfect:
        counts = dict.fromkeys(counts)
    backend = _find_backend(setting)
    memory = None
    if backend == "textbook":
        # measured in another search, so that the game takes its usual time
        memory = measure_peak_kib(lambda: setting.make_search()(start))
    return {
        **asdict(setting),
        "backend": backend,
        "path": len(log.moves),
        "nodes": counts.pop("visited"),
        **counts,
        **_describe_game(log),
        "seconds": seconds,
        "peak_kib": memory,
    }


def _make_player(setting: Setting, results: list[Result]) -> PlayerFunction:
    """Return the player of a setting; it appends the result of each search to `results`."""
    if not setting.is_perfect:
        search = setting.make_search()

    def player(game: Kalah, state: State) -> Any:
        if setting.is_perfect:
            return perfect_player(game, state)
        results.append(search(state))
        move = results[-1].move
        return game.moves(state)[0] if move is None else move

    player.__qualname__ = setting.player  # the name of the player in messages
    return player


def _describe_game(log: GameLog) -> dict[str, Any]:
    """Return the columns of a row that tell how a game went."""
    south, north = log.stores
    return {
        "winner": log.winner,
        "margin": log.margin,
        "south": south,
        "north": north,
        "moves": " ".join(str(move.pit + 1) for move in log.moves),
    }


def _find_backend(setting: Setting) -> str:
    """Return what chooses the moves of a game: `solver`, `engine` or `textbook`."""
    if setting.is_perfect:
        return "solver"
    is_compiled = setting.spec.is_compiled_for(setting.game(), setting.start())
    return "engine" if is_compiled else "textbook"


def _sum_counts(counts: Sequence[Counts]) -> dict[str, int | None]:
    """Add up the counts of searches, and return the sums by name."""
    names = [field.name for field in fields(Counts)]
    return {name: sum(getattr(count, name) for count in counts) for name in names}


def mean_rows(rows: Sequence[Row]) -> "pd.DataFrame":
    """Return the mean nodes and margin of games, by the settings that differ between rows.

    Rows with an error are left out. If no other rows exist, the table is empty. The columns are:
    - rules, leaf, order: those of the games; a column is absent if all games have the same value
    - algorithm, evaluator, depth: those of the games
    - limit: that of the games; absent if all have a depth
    - games: the number of games
    - nodes: the mean number of nodes visited in a game, in all its searches
    - margin: the mean margin
    - nodes_sd, margin_sd: the standard deviations between games, NaN for a single game
    """
    import pandas as pd  # here, because workers that only play do not need it

    games = pd.DataFrame([row for row in rows if not row["error"]])
    if games.empty:
        return games
    games["nodes"] = games["nodes"].astype(float)  # None, of perfect play, becomes NaN
    varied = [name for name in ("rules", "leaf", "order") if games[name].nunique() > 1]
    limits = ["depth", "limit"] if games["limit"].any() else ["depth"]
    groups = games.groupby([*varied, "algorithm", "evaluator", *limits], sort=False)
    table = pd.DataFrame({"games": groups.size()})
    for name in ("nodes", "margin"):
        table[name] = groups[name].mean()
        table[f"{name}_sd"] = groups[name].std()
    return table.reset_index()
