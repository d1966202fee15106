"""The staged heuristic: its matches beside the printed ones, its terms, and its costs."""

import time
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product
from math import inf
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from kalahlab import engine
from kalahlab.evaluators import Evaluator
from kalahlab.evaluators.kalah import staged, store_difference
from kalahlab.games.kalah import Kalah, Rules, State
from kalahlab.grid import Row
from kalahlab.matches.openings import random_openings
from kalahlab.matches.pairs import Pair, play_pair, tally
from kalahlab.matches.rating import Interval
from kalahlab.play import Player, on_clock, play_game, random_player, search_player
from kalahlab.report.draw.axes import panels, plain_numbers, whole_numbers
from kalahlab.report.draw.style import PALETTE, alt
from kalahlab.report.draw.tables import Shown
from kalahlab.search import Depth
from kalahlab.studies import strength
from kalahlab.studies.strength import ALPHA, TIES
from kalahlab.words import Words, with_minus

say = Words("studies", "s06_heuristics")


def rivals(
    game: Kalah,
    evaluator: Evaluator,
    others: Mapping[str, Evaluator],
    depths: Iterable[int],
    openings: Sequence[State],
    seconds: float = inf,
    ties: Iterable[str] = tuple(TIES),
) -> list[Row]:
    """An evaluator against others at equal depths, in sows: a row a depth, rule of ties and other.

    ties: of `strength.TIES`, the same for both players. Rows: depth; ties; against; what `tally`
    says; timed_out, games that either lost on time. Moves by the engine's alpha-beta. Who takes
    longer for a move than `seconds` of the processor's time loses: no game is lost to what else
    the machine does.
    """
    rows = []
    for depth, how, (name, other) in product(depths, ties, others.items()):
        one, two = (_timed(game, each, depth, seconds, how) for each in (evaluator, other))
        named = {"depth": depth, "ties": how, "against": name}
        rows.append(named | _match(one, two, openings, game))
    return rows


@cache  # as the first player it meets each other one, from the same openings
def _timed(game: Kalah, evaluator: Evaluator, depth: int, seconds: float, ties: str) -> Player:
    found = search_player(engine.alpha_beta, evaluator, Depth(depth), TIES[ties])
    found = lru_cache(1 << 14)(found)  # each position is on the clock once, when it is first met
    found(game, game.start())  # what is compiled now is not compiled on the clock
    return on_clock(found, seconds, time.process_time)


def points_by_opening(
    game: Kalah, one: Evaluator, other: Evaluator, depth: int, openings: Sequence[State]
) -> dict[str, list[float]]:
    """The points of `one` from each opening, both sides played, by rule of ties."""
    found = {}
    for how in TIES:
        first, second = (_timed(game, each, depth, inf, how) for each in (one, other))
        pairs = [Pair(first, second, opening, game) for opening in openings]
        found[how] = [play_pair(pair)["points"] for pair in pairs]
    return found


def _match(one: Player, other: Player, openings: Iterable[State], game: Kalah) -> Row:
    rows = [play_pair(Pair(one, other, opening, game)) for opening in openings]
    late = sum(row[name] is not None for row in rows for name in ("late_1", "late_2"))
    return tally(rows) | {"timed_out": late}


RULES = {
    "standard": Rules(),
    "standard, over at more than 36": Rules(early_stop=True),
    "empty capture": Rules(capture_empty=True),
    "empty capture, over at more than 36": Rules(capture_empty=True, early_stop=True),
}
"""What the report's rules may be: it prints no condition of the capture, and an early end."""


def under_rules(
    evaluator: Evaluator, other: Evaluator, depth: int, number: int, plies: int, seed: int
) -> pd.DataFrame:
    """The match of two evaluators under each of `RULES`, ties broken at random."""
    rows = []
    for name, rules in RULES.items():
        game = Kalah(6, 6, rules)
        starts = list(random_openings(game, number, plies, seed))
        [row] = rivals(game, evaluator, {name: other}, [depth], starts, ties=["at random"])
        rows.append(row | {"rules": name})
    columns = ["wins", "draws", "losses", "margin", "score", "low", "high", "p"]
    return pd.DataFrame(rows).set_index("rules")[columns]


def of_rules(table: pd.DataFrame) -> str:
    """Whether the verdict depends on the rules, in words: `under_rules`."""
    same = len(set(strength.verdicts(table))) == 1
    name, scores = "rules-same" if same else "rules-differ", table["score"]
    return say(name, least=scores.min(), most=scores.max())


def beats_random(evaluator: Evaluator, depth: int, games: int = 4) -> int:
    """How many games of Kalah(6, 6) it wins against random players, moving second in each."""
    game = Kalah(6, 6)
    player = search_player(engine.alpha_beta, evaluator, Depth(depth))
    logs = [play_game(game, random_player(seed), player) for seed in range(games)]
    return sum(log.margin < 0 for log in logs)


def of_random(depth: int, games: int = 4) -> str:
    """How both heuristics do against random players, in words."""
    won = {name: beats_random(each, depth, games) for name, each in BOTH.items()}
    said = " and ".join(f"{name} wins {number} of {games}" for name, number in won.items())
    better = won["staged"] > won["store difference"]
    return say("random-better" if better else "random-same", said=said)


BOTH = {"staged": staged, "store difference": store_difference}


def move_costs(game: Kalah, one: Evaluator, other: Evaluator, depth: int) -> list[Row]:
    """What each move of `one` costs in a game from the start, `one` first, at equal depth.

    Rows: depth; move, counted from 1 among its own; nodes, entered by the search; seconds,
    of wall time.
    """
    rows: list[Row] = []

    def timed(game: Kalah, state: State) -> int:
        began = time.perf_counter()
        found = engine.alpha_beta(game, state, one, Depth(depth))
        seconds = time.perf_counter() - began
        nodes = found.counts.visited
        rows.append({"depth": depth, "move": len(rows) + 1, "nodes": nodes, "seconds": seconds})
        assert found.move is not None  # the game is not over
        return int(found.move)

    engine.alpha_beta(game, game.start(), one, Depth(1))  # compiles what there is to compile
    play_game(game, timed, search_player(engine.alpha_beta, other, Depth(depth)))
    return rows


def matches(rows: Iterable[Row]) -> pd.DataFrame:
    """The `rivals` as a table, by depth, ties and whom it was against; intervals are of 95 %."""
    columns = ["wins", "draws", "losses", "margin", "score", "low", "high", "p", "timed_out"]
    return pd.DataFrame(rows).set_index(["depth", "ties", "against"])[columns]


def at_random(table: pd.DataFrame) -> pd.DataFrame:
    """The `matches` with ties broken at random."""
    return table[table.index.get_level_values("ties") == "at random"].droplevel("ties")


def on_time(table: pd.DataFrame, seconds: float) -> str:
    """How many games of the `matches` were lost on time, in words."""
    games = int(table[["wins", "draws", "losses"]].to_numpy().sum())
    return say("on-time", ms=1000 * seconds, late=int(table["timed_out"].sum()), games=games)


def draw_costs(printed: pd.DataFrame, ours: pd.DataFrame) -> Figure:
    """The cost of each move over a game, a column a depth: printed seconds, our seconds, our nodes.

    printed, ours: rows of `depth`, `move` and `seconds`; ours have `nodes`, too.
    """
    depths = sorted(ours["depth"].unique())
    rows = (
        (printed, "seconds", "printed:\nseconds", PALETTE["vermilion"]),
        (ours, "seconds", "here:\nseconds", PALETTE["blue"]),
        (ours, "nodes", "here:\nnodes visited", PALETTE["blue"]),
    )
    figure, axes = panels(len(rows), len(depths), (9, 6), sharex=True, sharey="row")
    for at, (frame, column, label, colour) in zip(axes, rows, strict=True):
        for ax, depth in zip(at, depths, strict=True):
            moves = frame[frame["depth"] == depth]
            ax.plot(moves["move"], moves[column], "o-", color=colour, markersize=4)
            ax.set(yscale="log")
            plain_numbers(ax.yaxis)
            whole_numbers(ax.xaxis)
        at[0].set_ylabel(label)
    for ax, depth in zip(axes[0], depths, strict=True):
        ax.set_title(f"depth {depth}")
    figure.supxlabel("move of the player", fontsize="medium")
    return alt(figure, say("draw-costs"))


def scores(table: pd.DataFrame) -> pd.DataFrame:
    """The `matches`' scores, a column for each rule of ties."""
    said = pd.Series([*map(_shown, table.to_dict("records"))], table.index, object, "score")
    return said.unstack("ties")[[*dict.fromkeys(table.index.get_level_values("ties"))]]


def _shown(row: Mapping[Any, Any]) -> Shown:
    found = Interval.of(row)
    return Shown(f"{found:.2f}", {"": found.mean, "low": found.low, "high": found.high})


def decided(table: pd.DataFrame) -> dict[tuple[int, str], str]:
    """By depth and rival: the verdict that all rules of ties agree on, else `not told apart`.

    After Holm's correction for all matches with the same rule of ties.
    """
    found: dict[tuple[int, str], set[str]] = {}
    for _, rows in table.groupby("ties", sort=False):
        for at, verdict in zip(rows.droplevel("ties").index, strength.verdicts(rows), strict=True):
            found.setdefault(at, set()).add(verdict)
    return {
        at: verdicts.pop() if len(verdicts) == 1 else "not told apart"
        for at, verdicts in found.items()
    }


def answer(head: pd.DataFrame, met: pd.DataFrame, lost: pd.DataFrame) -> str:
    """What the notebook on the staged heuristic found: its matches, its terms, its regret.

    head, met: `matches` against the store difference and against the variants; lost: the
    `strength.differences` of staged and its variants from the store difference.
    """
    scored, terms, regret = _scored(head), _of_terms(met), _of_regret(lost)
    return say("answer", scored=scored, terms=terms, regret=regret)


def finding(head: pd.DataFrame) -> str:
    """What the notebook found, in one sentence: the `matches` against the store difference."""
    return say("finding", scored=_scored(head))


def _scored(head: pd.DataFrame) -> str:
    rows, found = at_random(head).reset_index().to_dict("records"), decided(head)
    said = "; ".join(f"{Interval.of(row):.2f} at depth {row['depth']}" for row in rows)
    won, lost = (
        [str(depth) for (depth, _), each in found.items() if each == verdict]
        for verdict in ("better", "worse")
    )
    parts = [
        f"it is {verdict} at depth {', '.join(depths)} whichever way ties are broken"
        for verdict, depths in (("better", won), ("worse", lost))
        if depths
    ]
    parts = parts or ["at no depth do all three ways to break ties decide it"]
    return f"scores {said} (ties at random); {', and '.join(parts)}"


def _of_terms(met: pd.DataFrame) -> str:
    """Which terms help and which harm, where all rules of ties agree."""
    found, table = decided(met), at_random(met).reset_index().to_dict("records")
    parts = ""
    for verdict, than in (("worse", "Stronger than"), ("better", "Weaker than")):
        rows = [row for row in table if found[row["depth"], row["against"]] == verdict]
        if rows:
            parts += say("variant", than=than, scores="; ".join(map(strength.score_of, rows)))
    left = sum(each != "not told apart" for each in found.values())
    return say("terms", matches=len(found), decided=left, parts=parts)


def _of_regret(lost: pd.DataFrame) -> str:
    rows = lost.xs("staged", level="evaluator").reset_index().to_dict("records")
    said = "; ".join(
        f"{with_minus(format(Interval.of(row, 'difference'), '+.2f'))} at depth {row['depth']}"
        for row in rows
    )
    sure = [row for row in rows if row["p"] < ALPHA]
    worse = {row["difference"] > 0 for row in sure}
    how = "more" if worse == {True} else "less" if worse == {False} else "more or less"
    depths = [row["depth"] for row in sure]
    verdict = say("regret-differs" if sure else "regret-none", how=how, depths=depths)
    return say("regret", said=said, verdict=verdict)


FOLLOWS = say("follows")
"""What the page leads to."""
