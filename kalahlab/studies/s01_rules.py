"""What the choices of the rules do to a game."""

from collections.abc import Callable, Mapping
from itertools import pairwise

import pandas as pd
from matplotlib.figure import Figure

from kalahlab.data import data_rows
from kalahlab.games.kalah import SOUTH, Kalah, Rules, State, decided, pits_of
from kalahlab.grid import Row
from kalahlab.matches.rating import score
from kalahlab.play import play_game, random_player
from kalahlab.published.comparison import replay_transcripts
from kalahlab.report.draw import axes
from kalahlab.report.draw.style import alt
from kalahlab.search.perft import perft
from kalahlab.words import Words, tables

say = Words("studies", "s01_rules")

VARIATIONS = {
    "standard": Rules(),
    "empty capture": Rules(capture_empty=True),
    "rest to empty side": Rules(rest_to="finisher"),
    "end if no move": Rules(end="mover"),
    "early stop": Rules(early_stop=True),
}
"""The standard rules, and each choice that the documents name made differently."""

MEANINGS: dict[str, str] = tables("studies")["rules"]
"""What each of them says; the others are like `standard` but for this."""

PLAYED: dict[str, Callable[[Mapping[str, str]], bool]] = {
    "standard": lambda row: "if stones" in row["capture"] and row["end"] == "either side is empty",
    "empty capture": lambda row: "always" in row["capture"],
    "rest to empty side": lambda row: row["rest"] not in ("its owner", "not said"),
    "end if no move": lambda row: row["end"] == "the mover cannot move",
    "early stop": lambda row: row["early end"] != "none",
}
"""Whether a row of `data/document_rules.csv` prints such a rule."""


def documents() -> pd.DataFrame:
    """Each variation, what it says, and the places of the documents that print it as a rule."""
    printed = data_rows("document_rules.csv")
    rows = {
        name: {
            "what it says": MEANINGS[name],
            "printed as a rule in": "; ".join(
                f"{row['document']}, {row['place']}" for row in printed if prints(row)
            )
            or "no document",
        }
        for name, prints in PLAYED.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("rule")


def endings(state: State, pit: int) -> pd.DataFrame:
    """What playing South's pit (from 0) leads to under each variation: over or not, margin."""
    rows = {}
    for name, rules in VARIATIONS.items():
        game = Kalah(pits_of(state.board), 0, rules)
        after = game.play(state, pit)
        rows[name] = {"game over": game.over(after), "South's margin": game.margin(after, SOUTH)}
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
    import seaborn as sns

    figure, [[ax]] = axes.panels(1, 1, (8, 3.6))
    marks = {"marker": "D", "markerfacecolor": "white", "markeredgecolor": "black"}
    sns.boxplot(
        rows, x="margin", y="rules", hue="rules", ax=ax, legend=False, width=0.55, fliersize=2,
        showmeans=True, meanprops=marks,
    )  # fmt: skip
    ax.axvline(0, color="black", linewidth=1)
    ax.set_xlabel("margin of the first player in stones (box: middle half of games; diamond: mean)")
    ax.set_ylabel("")
    number = rows["rules"].nunique()
    return alt(figure, f"Box plots of the margins of random games under {number} sets of rules.")


def draw_growth(leaves: pd.DataFrame) -> Figure:
    """The lines of play against depth under the standard rules, and how far other rules differ."""
    figure, [[growth, ax]] = axes.panels(1, 2, (8, 3.4))
    counts = leaves.pivot(index="depth", columns="rules", values="leaves")
    growth.plot(counts.index, counts["standard"], marker="o")
    growth.set(yscale="log", ylabel="lines of play", title="standard rules")
    axes.plain_numbers(growth.yaxis)
    others = counts.drop(columns="standard")
    differ = 100 * others.div(counts["standard"], axis="index") - 100
    for (name, column), (marker, colour) in zip(differ.items(), axes.LOOKS[1:], strict=False):
        ax.plot(column.index, column, marker=marker, color=colour, label=name)
    ax.axhline(0, color="black", linewidth=1)
    ax.set(ylabel="difference from standard, in %", title=", ".join(map(str, differ)))
    for each in (growth, ax):
        each.set_xlabel("depth in plies")
        axes.whole_numbers(each.xaxis)
    most, last = differ.abs().to_numpy().max(), counts["standard"].iloc[-1]
    return alt(figure, say("draw-growth", lines=last, depth=counts.index[-1], most=most))


def factors(leaves: pd.DataFrame, rules: str = "standard") -> list[float]:
    """By what factor each sow after the first multiplies the lines of play: `lines_of_play`."""
    counts = leaves[leaves["rules"] == rules].sort_values("depth")["leaves"]
    return [after / before for before, after in pairwise(counts)]


def finding(summary: pd.DataFrame, games: int) -> str:
    """How often a rule changed the winner, in a sentence: an `against_standard` of so many games.

    The share is of games that are independent of each other, so its interval is that of a score.
    """
    other = summary["other winner"].drop("standard")
    changed = round(other.max() * games)
    share = score([1.0] * changed + [0.0] * (games - changed))
    name = "finding" if other.any() else "finding-none"
    return say(name, rule=other.idxmax(), share=share, games=games)


def conclusion(summary: pd.DataFrame, leaves: pd.DataFrame, games: int) -> str:
    """What the choices of the rules do, and what follows, in words.

    summary: an `against_standard` of so many games.
    """
    other, each = summary["other winner"].drop("standard"), factors(leaves)
    ends = {"least": other.min(), "most": other.max()}
    rules = say("rules-matter", rule=other.idxmax(), games=games, **ends)
    if not other.any():
        rules = f"**The rules make no difference here.** {finding(summary, games)}"
    growth = say("grows" if min(each) > 1 else "does-not-grow", least=min(each), most=max(each))
    return "\n\n".join((rules, growth, say("follows")))
