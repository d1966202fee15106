"""Experiments: searches against themselves, by algorithm, evaluator, depth and set of rules.

settings = make_grid(algorithms=["alpha_beta"], evaluators=["e3"], depths=[2, 4])
rows = kalahlab.parallel.run_all(run_setting, settings, workers=2)
"""

import time
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar

from kalahlab.experiments.costs import measure_peak_kib
from kalahlab.games.kalah import RULES_VERSION, Kalah, State
from kalahlab.games.notation import format_board, parse_board
from kalahlab.games.rules import format_rules, parse_rules
from kalahlab.matches.openings import PITS, STONES, find_openings
from kalahlab.parallel import Row
from kalahlab.players.game_loop import play_game
from kalahlab.players.search_spec import DEEPEST, SearchSpec
from kalahlab.search import Counts, Result

if TYPE_CHECKING:
    import pandas as pd

MEASURED = ("seconds", "peak_kib")  # the columns that differ from run to run


@dataclass(frozen=True, slots=True)
class Setting:
    """One game of a search against itself, from the start or from an opening.

    `SearchSpec` explains the names and `ties`. An unknown name raises `ValueError`. `opening` is a
    board as text, or "" for the start. The rows of both backends are the same, except for the
    `MEASURED` columns and `backend`.
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

    # `kalahlab.parallel` makes this a part of the key by which it finds finished rows again.
    VERSION: ClassVar[int] = RULES_VERSION

    def __post_init__(self) -> None:
        spec = self.spec
        spec.check_evaluator()
        spec.search_args(self.game(), self.depth)  # called only for its checks
        if self.depth == 0:
            raise ValueError("depth is 0; to find a move to play use 1 or more")
        if self.depth > DEEPEST:
            raise ValueError(f"depth is {self.depth}; use {DEEPEST} or less")
        if len(self.start().board) != 2 * self.pits + 2:
            raise ValueError(f"opening {self.opening!r} does not have {self.pits} pits a side")

    @property
    def spec(self) -> SearchSpec:
        """The search of both players."""
        names = self.algorithm, self.evaluator, self.leaf, self.order, self.backend
        return SearchSpec(*names, ties=self.ties)

    @property
    def task(self) -> str:
        """The work on the setting in words, without the opening; for messages."""
        return f"playing {self.algorithm}:{self.evaluator}:{self.depth} against itself"

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
    **fixed: Any,
) -> list[Setting]:
    """Return the settings of every combination.

    The openings vary fastest, then the depths, the evaluators, the algorithms and last the rules.

    Args:
        algorithms: The names of algorithms.
        evaluators: The names of evaluators.
        depths: The depths, in the unit of the leaf rule.
        rules: The sets of rules as text; see `parse_rules`.
        openings: The number of openings of Kalah(6, 4) under each set of rules, see
            `find_openings`; 0 for the start alone.
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
    for name, algorithm, evaluator, depth in product(boards, algorithms, evaluators, depths):
        for board in boards[name]:
            settings.append(Setting(algorithm, evaluator, depth, name, **fixed, opening=board))
    return settings


def estimate_cost(setting: Setting) -> float:
    """Estimate the relative cost of a setting: the number of nodes of its tree."""
    depth: float = setting.depth
    if setting.algorithm != "minimax":
        depth /= 2  # with perfect pruning, the tree is as large as minimax's at half the depth
    return float(setting.pits**depth)


def run_setting(setting: Setting) -> Row:
    """Play one game and return a row.

    The columns are the fields of the setting, and these:
    - backend: the backend that was used, which may not be that of the setting
    - path: the number of sows
    - generated, expanded, evaluated, cutoffs: the counts, over all searches of the game
    - nodes: the number of nodes visited, over all searches of the game
    - winner: the winner
    - margin: the margin of South, who moves first, in stones
    - south, north: the stores
    - moves: the pits, from 1
    - seconds: the wall time of the game
    - peak_kib: the most memory that a search of the first position holds at a time, in KiB of
      Python's allocations; None with the engine, which makes no such allocations
    """
    game, start, spec = setting.game(), setting.start(), setting.spec
    is_compiled = spec.is_compiled_for(game, start)
    results = list[Result]()

    def player(game: Kalah, state: State) -> Any:
        results.append(spec.search(game, state, setting.depth))
        return results[-1].move

    # Messages on a player's move name the function.
    player.__qualname__ = f"{setting.algorithm}:{setting.evaluator}:{setting.depth}"
    start_time = time.perf_counter()
    log = play_game(game, player, player, start)
    seconds = time.perf_counter() - start_time
    south, north = log.stores
    counts = _sum_counts([result.counts for result in results])
    memory = None
    if not is_compiled:  # measured in another search, so that the game takes its usual time
        memory = measure_peak_kib(lambda: spec.search(game, start, setting.depth))
    return {
        **asdict(setting),
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
    """Add up the counts of searches, and return the sums by name."""
    columns = zip(*map(astuple, counts), strict=True)
    return asdict(Counts(*map(sum, columns)))


def mean_rows(rows: Sequence[Row]) -> "pd.DataFrame":
    """Return the mean nodes and margin of games, by the settings that differ between rows.

    Rows with an error are left out. If no other rows exist, the table is empty. The columns are:
    - rules, leaf, order: those of the games; a column is absent if all games have the same value
    - algorithm, evaluator, depth: those of the games
    - games: the number of games
    - nodes: the mean number of nodes visited in a game, in all its searches
    - margin: the mean margin
    - nodes_sd, margin_sd: the standard deviations between games, NaN for a single game
    """
    import pandas as pd  # here, because workers that only play do not need it

    games = pd.DataFrame([row for row in rows if not row["error"]])
    if games.empty:
        return games
    varied = [name for name in ("rules", "leaf", "order") if games[name].nunique() > 1]
    groups = games.groupby([*varied, "algorithm", "evaluator", "depth"], sort=False)
    table = pd.DataFrame({"games": groups.size()})
    for name in ("nodes", "margin"):
        table[name] = groups[name].mean()
        table[f"{name}_sd"] = groups[name].std()
    return table.reset_index()
