"""Solved games beside what was published, what solving costs, and who plays perfectly."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, reduce
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from kalahlab.data import data_file, data_rows
from kalahlab.engine.solver.ledger import Ledger
from kalahlab.engine.solver.solved_table import Row as Solved
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import NAMES, PRESETS, SOUTH, Kalah, State, in_play, sow, stores
from kalahlab.judging.worth import TO_THE_END
from kalahlab.published.comparison import solved_published
from kalahlab.report.draw.axes import LOOKS, panels, whole_numbers
from kalahlab.report.draw.board_svg import BoardView
from kalahlab.report.draw.heat_map import margin_maps
from kalahlab.report.draw.style import PALETTE, alt
from kalahlab.search import minimax
from kalahlab.words import Words

say = Words("studies", "s04_solved")

BOARD = ["pits", "stones"]

FOLLOWS = say("follows")
"""What the page leads to."""

NAMED = {"standard": "the standard rule", "empty-capture": "empty capture"}

ENDS = ("at least", "at most")


def verdict(value: float) -> str:
    """W, L or D: the first player wins, loses, draws with this margin."""
    return "W" if value > 0 else "L" if value < 0 else "D"


def beside(solved: pd.DataFrame) -> pd.DataFrame:
    """Our values and what the CS5329 report and Irving's paper print; `agrees` with both.

    solved: `solver.solved_table.Row`s. Irving's paper has no (6, 6). Both sources mean the
    empty-capture rule, and `agrees` is about that one. W, L, D: `verdict`.
    """
    ours = under_both(solved)
    printed = pd.DataFrame(solved_published()).set_index(BOARD)
    table = ours.join(printed, how="left")
    table["agrees"] = [
        _agrees(row["empty-capture"], row["cs5329"], row["irving"], row["irving_margin"])
        for row in table.to_dict("records")
    ]
    return table.astype({"irving_margin": "Int64"})


def under_both(solved: pd.DataFrame) -> pd.DataFrame:
    """The values by board, a column a rule, of the boards that are solved under both."""
    return solved.pivot(index=BOARD, columns="rules", values="value").dropna().astype(int)


def readable(table: pd.DataFrame) -> pd.DataFrame:
    """The table of `beside` with headings that say what is compared with what."""
    named = {
        "empty-capture": "value, empty capture",
        "standard": "value, standard rule",
        "cs5329": "printed, CS5329",
        "irving": "printed, Irving",
        "irving_margin": "margin, Irving",
        "agrees": "agrees, empty capture",
    }
    standard = table["standard"].map(verdict) == table["cs5329"]
    return table.rename(columns=named).assign(**{"agrees, standard rule": standard})


def _agrees(value: int, cs5329: str, irving: str | None, margin: float | None) -> bool:
    """Whether a value is as printed, by each of the sources that print the board."""
    printed = {cs5329} if pd.isna(irving) else {cs5329, irving}
    return printed == {verdict(value)} and (pd.isna(margin) or margin == value)


def agreement(table: pd.DataFrame) -> str:
    """How many boards agree with the printed tables, under which rule, in words: `beside`."""
    margins = int((table["irving_margin"] == table["empty-capture"]).sum())
    other = table[table["standard"].map(verdict) != table["cs5329"]]
    listed = "; ".join(
        f"Kalah{board} is {row['standard']:+d} and printed as {row['cs5329']}"
        for board, row in other.iterrows()
    )
    facts = {"agree": int(table["agrees"].sum()), "boards": len(table), "margins": margins}
    different = f" Different: {listed}." if listed else ""
    return say("agreement", standard=len(table) - len(other), different=different, **facts)


def first_player(printed: pd.DataFrame) -> str:
    """What becomes of "the first player always wins" in the report's own table, in words.

    printed: rows of `published.comparison.solved_published`.
    """
    count = printed["cs5329"].value_counts().reindex(["W", "D", "L"], fill_value=0)
    others = len(printed) - count["W"]
    so = say("first-player-not-always" if others else "first-player-always", others=others)
    return say("first-player", games=len(printed), count=count, so=so)


class Proved(NamedTuple):
    """Bounds of a value, in stones; the pieces of the proof, and the nodes searched for it."""

    lower: int
    upper: int
    pieces: int
    nodes: int


def elsewhere() -> pd.DataFrame:
    """Who is said to win Kalah(6, 6), and by whom: `data/solved_elsewhere.csv`."""
    rows = data_rows("solved_elsewhere.csv", pits=int, stones=int)
    return pd.DataFrame(rows).set_index(BOARD)


@cache
def ledgers() -> dict[str, Ledger]:
    """The ledgers of Kalah(6, 6) in `data/`, by capture rule."""
    files = {rules: data_file(f"ledger/kalah-6-{rules}.txt") for rules in PRESETS}
    return {rules: Ledger(Path(str(file))) for rules, file in files.items()}


def largest() -> dict[str, Proved]:
    """What is proved of Kalah(6, 6), by capture rule."""
    return {rules: _proved(ledger) for rules, ledger in ledgers().items()}


def _proved(ledger: Ledger) -> Proved:
    nodes = sum(piece.nodes for piece in ledger.pieces)
    return Proved(*ledger.bounds(Kalah(6, 6).start()), len(ledger.pieces), nodes)


def first_moves() -> pd.DataFrame:
    """What is proved of each first move of Kalah(6, 6): the first player's margin, in stones.

    A row a pit; a column for the least and one for the most under each capture rule. A bound that
    is not proved is missing.
    """
    columns = {
        f"{NAMED[rules]}: {end}": bounds
        for rules, ledger in ledgers().items()
        for end, bounds in zip(ENDS, zip(*_move_bounds(ledger), strict=True), strict=True)
    }
    pits = [f"pit {pit + 1}" for pit in range(6)]
    return pd.DataFrame(columns, pd.Index(pits, name="first move")).astype("Int64")


def _move_bounds(ledger: Ledger) -> Iterator[tuple[int | None, ...]]:
    """Of each first move of Kalah(6, 6) the least and the most that it is worth, None if open."""
    game = Kalah(6, 6)
    for pit in game.moves(game.start()):
        after = game.play(game.start(), pit)
        lower, upper = ledger.bounds(after)
        bounds = (lower, upper) if after.player == SOUTH else (-upper, -lower)
        most = in_play(after.board) - 2
        yield tuple(bound if abs(bound) < most else None for bound in bounds)


def bounds_in_words(proved: Proved) -> str:
    """What is proved of a value."""
    known = f"{proved.lower:+d}"
    if proved.lower == proved.upper:
        return f"exactly {known}"
    if proved.upper < in_play(Kalah(6, 6).start().board):
        return f"from {known} to {proved.upper:+d}"
    return f"at least {known}"


def largest_in_words(found: Mapping[str, Proved]) -> str:
    """The value of Kalah(6, 6), or the bounds that are proved, and what the proofs are made of."""
    said = [
        say("largest", rule=NAMED[rules], margin=bounds_in_words(proved), proved=proved)
        for rules, proved in found.items()
    ]
    return " ".join((*said, say("largest-nodes")))


def moves_in_words(moves: pd.DataFrame) -> str:
    """Which first moves of Kalah(6, 6) have a known value, by capture rule: `first_moves`."""
    rules = dict.fromkeys(str(column).partition(":")[0] for column in moves)
    return " ".join(f"Under {rule} {_known_moves(moves, rule)}" for rule in rules)


def _known_moves(moves: pd.DataFrame, rule: str) -> str:
    lower, upper = (moves[f"{rule}: {end}"] for end in ENDS)
    exact = lower[lower == upper]
    named = ", ".join(f"{move} ({value:+d})" for move, value in exact.items())
    left = len(moves) - len(exact)
    if not named:
        return "the exact value of no first move is known."
    if not left:
        return f"the exact value of each first move is known: {named}."
    return f"the exact value is known of {named}. Of the other {left} only bounds are proved."


def minimax_to_the_end(solved: Iterable[Solved], most_in_play: int) -> pd.DataFrame:
    """The textbook's minimax without a depth limit, beside the table of solved games.

    A row for each board with so many stones at most, under both rules: what minimax finds and how
    many nodes it visits, the solved value, and whether the line it returns ends a game of that
    margin.
    """
    rows = []
    for row in solved:
        if 2 * row.pits * row.stones > most_in_play:
            continue
        game = Kalah(row.pits, row.stones, PRESETS[row.rules])
        found = minimax(game, game.start(), store_difference, TO_THE_END)
        last = reduce(game.play, found.line, game.start())
        ends = game.over(last) and game.margin(last, SOUTH) == found.value
        rows.append(
            {"pits": row.pits, "stones": row.stones, "rules": row.rules, "minimax": found.value}
            | {"solved": row.value, "line ends so": ends, "visited": found.counts.visited}
        )
    return pd.DataFrame(rows).set_index(BOARD)


def where_rules_differ(solved: pd.DataFrame) -> pd.DataFrame:
    """The boards whose value the capture rule changes, in stones."""
    values = under_both(solved)
    values["banking a lone stone adds"] = values["empty-capture"] - values["standard"]
    return values[values["empty-capture"] != values["standard"]]


def tempting(solved: pd.DataFrame) -> pd.DataFrame:
    """For each rule: how many opening moves there are, how many are best, what the rest cost.

    Boards of 2 pits and more, but for those whose moves are not valued. The last two: the mean and
    the most stones that one of the others, which are not best, gives up.
    """
    moves = solved[solved["pits"] > 1].dropna(subset="moves")
    moves = moves.explode("moves", ignore_index=True)
    regret = (moves["value"] - moves["moves"].astype(int)).rename("regret")
    groups = moves.assign(best=regret == 0).groupby("rules", sort=False)["best"]
    others = regret[regret > 0].groupby(moves["rules"], sort=False)
    return pd.DataFrame(
        {
            "first moves": groups.size(),
            "best": groups.sum(),
            "regret of the others, mean": others.mean(),
            "regret, most": others.max(),
        }
    )


def summed_up(given: pd.DataFrame) -> pd.DataFrame:
    """For each game and player: moves judged, share of perfect ones, stones given up."""
    groups = given.assign(perfect=given["regret"] == 0).groupby(["game", "player"], sort=False)
    return groups.agg(
        judged=("move", "size"),
        perfect=("perfect", "mean"),
        regret=("regret", "sum"),
        worst=("regret", "max"),
    )


def step_factors(frame: pd.DataFrame, by: str, column: str) -> list[float]:
    """The factor of a cost for one more of `by`, between each two neighbouring rows."""
    rows = frame.sort_values(by)[[by, column]].itertuples(index=False)
    return [(after / before) ** (1 / (b - a)) for (a, before), (b, after) in pairwise(rows)]


def costs(by_stones: pd.DataFrame, by_database: pd.DataFrame) -> str:
    """By what factors the nodes and the database grow from one measured size to the next."""
    boards = "; ".join(
        f"on {pits} pits a side by {_from_to(step_factors(rows, 'in_play', 'nodes'))}"
        for pits, rows in by_stones.groupby("pits")
        if len(rows) > 1
    )
    searched = by_database[by_database["nodes"] > 0]
    larger = _from_to(step_factors(by_database, "database_stones", "positions"))
    fewer = _from_to(step_factors(searched, "database_stones", "nodes"))
    return say("costs", boards=boards, larger=larger, fewer=fewer)


def _from_to(factors: Sequence[float]) -> str:
    return f"{min(factors):.2f} to {max(factors):.2f}"


def draw_values(solved: pd.DataFrame) -> Figure:
    """The value of each solved game: pits against stones, a panel a rule set."""
    figure = margin_maps(
        solved, "pits", "stones", "value", down="pits a side", across="stones a pit"
    )
    return alt(figure, say("draw-values", wins=_wins(solved)))


def draw_costs(by_stones: pd.DataFrame, by_database: pd.DataFrame) -> Figure:
    """What solving costs, as points: nodes as boards grow, and against the database's size.

    by_stones: rows of `in_play`, `pits` and `nodes`, all with one database; by_database:
    rows of one board by `database_stones`, with `positions` and `nodes`.
    """
    figure, [[left, right]] = panels(1, 2, (9, 3.8))
    for (pits, rows), (mark, colour) in zip(by_stones.groupby("pits"), LOOKS, strict=False):
        left.plot(rows["in_play"], rows["nodes"], mark, color=colour, label=f"{pits} pits a side")
    left.set(yscale="log", xlabel="stones in play", ylabel="nodes searched")
    whole_numbers(left.xaxis)
    left.legend()
    for column, style, what in (
        ("positions", "s", "positions in the database"),
        ("nodes", "o", "nodes searched"),
    ):
        right.plot(by_database["database_stones"], by_database[column], style, label=what)
    right.set(yscale="log", xlabel="stones of the database", ylabel="how many")
    whole_numbers(right.xaxis)
    right.legend()
    return alt(figure, say("draw-costs"))


def without_repeats(given: pd.DataFrame) -> pd.DataFrame:
    """Games whose judged moves are all the same are one game, named after the first of them.

    given: rows of `kalahlab.judging.perfect.judged`. The name says how many others are the same.
    """
    alike: dict[tuple[Any, ...], list[str]] = {}
    for game, rows in given.groupby("game", sort=False):
        moves = tuple(rows.drop(columns="game").itertuples(index=False))
        alike.setdefault(moves, []).append(str(game))
    names = {first: f"{first} (and {len(more)} more)" for first, *more in alike.values() if more}
    kept = given[given["game"].isin([first for first, *_ in alike.values()])]
    return kept.assign(game=kept["game"].replace(names))


def deepest(given: pd.DataFrame) -> pd.DataFrame:
    """Of the games of the same programs at several depths, that at the greatest: the last one."""
    programs = given["game"].str.partition(", depth")[0]
    return given[given["game"] == given.groupby(programs, sort=False)["game"].transform("last")]


SIDES = {"first player": PALETTE["blue"], "second player": PALETTE["vermilion"]}
"""The colour of a side's bars in `draw_regret`."""


def draw_regret(given: pd.DataFrame) -> Figure:
    """A panel a game: the regret of each judged move, as a bar, coloured by who moved.

    given: rows of `kalahlab.judging.perfect.judged`. A dot is a move that gives nothing up.
    """
    games = list(given["game"].unique())
    figure, axes = panels(len(games), 1, (8, 1.4 + 1.05 * len(games)), sharex=True, sharey=True)
    for ax, game in zip(axes.flat, games, strict=True):
        _draw_game(ax, given[given["game"] == game])
        ax.set_title(game, fontsize="medium")
    whole_numbers(axes[0][0].xaxis)
    axes[0][0].yaxis.set_major_locator(MaxNLocator(3, integer=True))
    axes[0][0].set_ylim(-0.08 * max(1, given["regret"].max()))  # room for the dots
    figure.supxlabel("number of the move in its game (a dot: a best move)", fontsize="medium")
    figure.supylabel("regret of the move, in stones", fontsize="medium")
    handles = [Patch(color=colour, label=side) for side, colour in SIDES.items()]
    figure.legend(handles=handles, loc="outside upper right", ncols=2)
    return alt(figure, regret_in_words(given))


def _draw_game(ax: Axes, rows: pd.DataFrame) -> None:
    for mover, colour in zip(NAMES, SIDES.values(), strict=True):
        moves = rows[rows["mover"] == mover]
        ax.bar(moves["move"], moves["regret"], width=0.9, color=colour)
        best = moves[moves["regret"] == 0]
        ax.plot(best["move"], best["regret"], ".", color=colour, markersize=6)


def regret_in_words(given: pd.DataFrame) -> str:
    """What a chart of regrets shows, for those who cannot see it: the sum of each side."""
    sums = given.groupby(["game", "player"], sort=False)["regret"].sum().reset_index()
    said = (f"{row.game}: {row.player} {row.regret}" for row in sums.itertuples())
    return say("regret-chart", sums="; ".join(said))


def score_sheet(game: Kalah, state: State, line: Sequence[int]) -> pd.DataFrame:
    """A line of play (pits from 0), a row a turn: who, the pits sown, what was captured, stores."""
    rows: list[dict[str, Any]] = []
    for pit in line:
        player = state.player
        captured = sow(state.board, player, pit, game.rules.capture_empty).captured
        if not rows or rows[-1]["player"] != NAMES[player]:
            rows.append({"player": NAMES[player], "pits sown": "", "stones captured": 0})
        state = game.play(state, pit)
        row, banked = rows[-1], dict(zip(NAMES, stores(state.board), strict=True))
        row["pits sown"] = f"{row['pits sown']} {pit + 1}".strip()
        row["stones captured"] += captured
        row |= {f"store of {name}": stones for name, stones in banked.items()}
    return pd.DataFrame(rows, pd.RangeIndex(1, len(rows) + 1, name="turn"))


def key_views(game: Kalah, state: State, line: Sequence[int], boards: int = 6) -> list[BoardView]:
    """The boards of a line after its first move, its largest captures and its last move."""
    found = []
    for turn, pit in enumerate(line, start=1):
        player = state.player
        sown = sow(state.board, player, pit, game.rules.capture_empty)
        state = game.play(state, pit)
        said = f"{turn}. {NAMES[player]}: pit {pit + 1}"
        said += f", captures {sown.captured}" if sown.captured else ""
        view = BoardView(state, said, (player, pit), sown.last, sown.emptied)
        found.append((sown.captured, view))
    middle = sorted(range(1, len(found) - 1), key=lambda at: (-found[at][0], at))[: boards - 2]
    return [found[at][1] for at in sorted({0, len(found) - 1, *middle})]


def of_perfect_game(game: Kalah, value: int, line: Sequence[int]) -> str:
    """How a perfect game ends, in words."""
    won = "wins by" if value > 0 else "loses by"
    ends = f"{won} {abs(value)} stones" if value else "draws"
    return say("perfect-game", game=game, ends=ends, moves=len(line))


def conclusion(
    solved: pd.DataFrame,
    beside: pd.DataFrame,
    summary: pd.DataFrame,
    proved: Mapping[str, Proved],
) -> str:
    """What the notebook found, in words, from the numbers of this run."""
    changed = len(where_rules_differ(solved))
    matters = "capture-matters" if changed else "capture-does-not"
    said = (
        f"**Kalah(6, 6)**: {largest_in_words(proved)}",
        f"**The first player wins most boards{_where(solved)}**: {_wins(solved)}.",
        f"**The printed tables**: {agreement(beside)}",
        say(matters, changed=changed, boards=len(beside)),
        _how_perfect(summary),
    )
    return "\n".join(f"- {each}" for each in said)


def _where(solved: pd.DataFrame) -> str:
    wins = (solved["value"] > 0).groupby(solved["rules"], sort=False)
    most = (wins.mean() > 0.5).sum()
    return "" if most == len(wins) else " under one rule only" if most else " under no rule"


def _wins(solved: pd.DataFrame) -> str:
    wins = (solved["value"] > 0).groupby(solved["rules"], sort=False)
    found = zip(wins.sum().items(), wins.size(), strict=True)
    return " and ".join(f"{won} of {of} under {NAMED[str(rules)]}" for (rules, won), of in found)


def finding(proved: Mapping[str, Proved], solved: pd.DataFrame) -> str:
    """What the notebook found, in one sentence, for the front page."""
    margins = " and ".join(
        f"**{bounds_in_words(each)}** under {NAMED[rules]}" for rules, each in proved.items()
    )
    pieces, nodes = (sum(getattr(p, of) for p in proved.values()) for of in ("pieces", "nodes"))
    return say("finding", margins=margins, pieces=pieces, nodes=nodes, wins=_wins(solved))


def _how_perfect(summary: pd.DataFrame) -> str:
    """Who of the judged players plays perfectly, as far as the moves that are judged say."""
    rows = summary.reset_index()
    judged = rows["judged"].sum()
    perfect = (rows["perfect"] * rows["judged"]).sum() / judged
    worst = rows.sort_values("regret", kind="stable").iloc[-1]
    erring = int((rows["regret"] > 0).sum())
    moves = f"{perfect:.0%} of {judged} judged moves are best moves"
    name = "players-give-up" if rows["regret"].any() else "players-perfect"
    return say(name, erring=erring, sides=len(rows), moves=moves, worst=worst)
