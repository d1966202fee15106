"""What the choices of the rules do to a game, as tables."""

import pandas as pd

from kalahlab.games.kalah import SOUTH, Kalah, Rules, State, pits_of

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
    games = {name: Kalah(pits_of(state.board), 0, rules) for name, rules in VARIATIONS.items()}
    after = {name: (game, game.play(state, pit)) for name, game in games.items()}
    return pd.DataFrame(
        {
            "over": {name: game.over(end) for name, (game, end) in after.items()},
            "South's margin": {
                name: game.margin(end, SOUTH) for name, (game, end) in after.items()
            },
        }
    )


def against_standard(rows: pd.DataFrame) -> pd.DataFrame:
    """Random games by rules: means, and how often the same chances ended otherwise.

    rows: `kalahlab.experiments.random_games` under rules that include `standard`. length is
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


def per_ply(leaves: pd.DataFrame) -> float:
    """By how much the last ply multiplied the lines of play under the standard rules.

    leaves: rows of `rules`, `depth` and `leaves`.
    """
    counts = leaves[leaves["rules"] == "standard"].sort_values("depth")["leaves"]
    return float(counts.iloc[-1] / counts.iloc[-2])


def conclusion(summary: pd.DataFrame, leaves: pd.DataFrame, games: int) -> str:
    """What the choices of the rules do, in words: an `against_standard` of so many games."""
    other = summary["other winner"].drop("standard")
    return (
        f"Every move multiplies the lines of play by about {per_ply(leaves):.1f}. The rules of "
        f"capture and of the end are part of the question: the same chances gave another winner "
        f"in {other.min():.0%} to {other.max():.0%} of {games} random games, most often under "
        f"*{other.idxmax()}*. Two studies can only be compared if they play the same Kalah, so "
        "every table of this report says which one it plays."
    )
