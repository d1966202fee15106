"""What the choices of the rules do to a game."""

from collections.abc import Mapping
from itertools import pairwise

import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from kalahlab.games.kalah import SOUTH, Kalah, Rules, State, decided, pits_of
from kalahlab.grid import Row
from kalahlab.play import play_game, random_player
from kalahlab.published.comparison import replay_transcripts
from kalahlab.report.draw import axes
from kalahlab.report.draw.style import alt
from kalahlab.search.perft import perft

VARIATIONS = {
    "standard": Rules(),
    "empty capture": Rules(capture_empty=True),
    "rest to who ran out": Rules(rest_to="finisher"),
    "ends when stuck": Rules(end="mover"),
    "early stop": Rules(early_stop=True),
}
"""The standard rules, and each choice that the documents name made differently."""


def endings(state: State, pit: int) -> pd.DataFrame:
    """What playing South's pit (from 0) leads to under each variation: over or not, margin."""
    rows = {}
    for name, rules in VARIATIONS.items():
        game = Kalah(pits_of(state.board), 0, rules)
        after = game.play(state, pit)
        rows[name] = {"over": game.over(after), "South's margin": game.margin(after, SOUTH)}
    return pd.DataFrame.from_dict(rows, "index")


def decided_from(stones: int) -> list[Row]:
    """For the stores around half of so many stones: whether `early_stop` ends the game."""
    half = stones // 2
    return [
        {"stones in the store": own, "decided": decided((stones - own, own, 0, 0))}
        for own in range(half - 1, half + 3)
    ]


def logs_against_rules() -> pd.DataFrame:
    """The CS5329 report's three logs beside its program replayed by the rules, a row a log.

    How many boards; fields that can be read; how many of them are contradicted, and how often the
    announced player is.
    """
    rows = [
        {
            "log": row["title"].partition(":")[0],
            "boards": 1,
            "legible fields": row["legible"],
            "contradicted": len(row["contradicts"]),
            "turns contradicted": "player" in row["contradicts"],
        }
        for row in replay_transcripts()
    ]
    return pd.DataFrame(rows).groupby("log", sort=False).sum()


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
        for player in [random_player(seed + number)]
        for log in [play_game(Kalah(pits, stones, each), player, player)]
    ]


def lines_of_play(
    rules: Mapping[str, Rules], depth: int, pits: int = 6, stones: int = 4
) -> list[Row]:
    """How many lines of play there are at each depth, in sows, one row a depth and set of rules."""
    return [
        {"rules": name, "depth": ply, "leaves": count}
        for name, each in rules.items()
        for game in [Kalah(pits, stones, each)]
        for ply, count in enumerate(perft(game, game.start(), depth), start=1)
    ]


def against_standard(rows: pd.DataFrame) -> pd.DataFrame:
    """Random games by rules: means, and how often the same chances ended otherwise.

    rows: `random_games` under rules that include `standard`. length is
    in sows, margin and its spread (standard deviation) in stones; the last two columns are
    shares of games.
    """
    summary = rows.groupby("rules", sort=False).agg(
        length=("length", "mean"), margin=("margin", "mean"), spread=("margin", "std")
    )
    margins = rows.pivot(index="game", columns="rules", values="margin")[list(summary.index)]
    winners = margins.map(lambda margin: (margin > 0) - (margin < 0))
    for column, outcomes in (("other margin", margins), ("other winner", winners)):
        summary[column] = outcomes.ne(outcomes["standard"], axis=0).mean()
    return summary


def draw_margins(rows: pd.DataFrame) -> Figure:
    """Margins of random games under each set of rules, one strip above the other."""
    figure, [[ax]] = axes.panels(1, 1, (8, 3.6))
    marks = {"marker": "D", "markerfacecolor": "white", "markeredgecolor": "black"}
    sns.boxplot(
        rows, x="margin", y="rules", hue="rules", ax=ax, legend=False, width=0.55, fliersize=2,
        showmeans=True, meanprops=marks,
    )  # fmt: skip
    ax.axvline(0, color="black", linewidth=1)
    ax.set_xlabel("margin of the first player, in stones (box: the middle half; diamond: mean)")
    ax.set_ylabel("")
    return alt(figure, "Box plots of the margins of random games under five rule sets.")


def draw_growth(leaves: pd.DataFrame) -> Figure:
    """The lines of play against depth, one line for each set of rules."""
    text = "Lines of play against depth on a log scale; both rules nearly agree."
    return axes.draw_growth(leaves, "leaves", "rules", "lines of play", text)


def conclusion(summary: pd.DataFrame, leaves: pd.DataFrame, games: int) -> str:
    """What the choices of the rules do, in words: an `against_standard` of so many games."""
    return f"{_growth(leaves)} {_winners(summary, games)}"


def factors(leaves: pd.DataFrame, rules: str = "standard") -> list[float]:
    """By what factor each sow after the first multiplies the lines of play: `lines_of_play`."""
    counts = leaves[leaves["rules"] == rules].sort_values("depth")["leaves"]
    return [after / before for before, after in pairwise(counts)]


def _growth(leaves: pd.DataFrame) -> str:
    each = factors(leaves)
    if min(each) <= 1:
        return "The lines of play do not grow with every sow."
    return (
        f"From the second sow on each one multiplies the lines of play by {min(each):.1f} to "
        f"{max(each):.1f}, so they grow exponentially."
    )


def _winners(summary: pd.DataFrame, games: int) -> str:
    other = summary["other winner"].drop("standard")
    if not other.any():
        return f"No variation changed the winner in any of {games} random games."
    return (
        f"The rules of capture and of the end matter in random play: the same chances gave another "
        f"winner in {other.min():.0%} to {other.max():.0%} of {games} random games, most often "
        f"under *{other.idxmax()}*. What they do between good players is not measured here. Two "
        "studies can only be compared if they play the same Kalah."
    )
