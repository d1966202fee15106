"""What the CS5329 report says of rules, solved games and evaluation (notebooks 01, 04, 05, 07)."""

import re
from functools import cache
from itertools import pairwise
from math import sqrt
from statistics import fmean, stdev

import pandas as pd
from scipy.stats import spearmanr

from kalahlab.claims.model import Claim, Found, every, holds
from kalahlab.data import data_rows
from kalahlab.evaluators.kalah import EVALUATORS, store_difference
from kalahlab.games.kalah import (
    NORTH,
    SOUTH,
    STANDARD,
    Kalah,
    Rules,
    State,
    decided,
    sow,
    sowing_path,
    stores,
    sweep,
)
from kalahlab.judging import perfect
from kalahlab.judging.judged import Judged, read
from kalahlab.judging.regret import ordering
from kalahlab.judging.worth import search_values
from kalahlab.published.comparison import replay_transcripts, solved_published, transcripts
from kalahlab.search import Depth, alpha_beta, minimax
from kalahlab.studies import s01_rules, s03_pruning, s04_solved


@cache
def lines() -> pd.DataFrame:
    """Lines of play of Kalah(6, 4) to depth 5 under the standard rules."""
    return pd.DataFrame(s01_rules.lines_of_play({"standard": STANDARD}, 5))


@cache
def solved() -> pd.DataFrame:
    """The games solved here under both rules beside the printed verdicts."""
    return s04_solved.beside(pd.DataFrame(perfect.solved_openings()))


@cache
def sample() -> list[Judged]:
    """500 judged positions under the standard rules."""
    return [row for row in read() if row.rules == "standard"][:500]


def branching(claim: Claim) -> Found:
    """Moves at a node, by perft, and no number to hold it against."""
    each = s01_rules.factors(lines())
    return holds(False, defined=bool(claim.numbers), least=min(each), most=max(each))


def exponential(claim: Claim) -> Found:
    """Whether each sow multiplies the lines of play, by perft."""
    each = s01_rules.factors(lines())
    last = lines().iloc[-1]
    return holds(min(each) > 2, least=min(each), most=max(each), last=last)


def six_children(claim: Claim) -> Found:
    """The children of the start, for many numbers of stones."""
    counts = {len(Kalah(6, stones).moves(Kalah(6, stones).start())) for stones in range(1, 25)}
    return holds(counts == {6}, counts=sorted(counts))


def sowing(claim: Claim) -> Found:
    """The fields of the printed logs beside the program replayed."""
    fields = {"a", "b", "store_a", "store_b"}
    rows = replay_transcripts()
    wrong = sum(len(fields.intersection(row["contradicts"])) for row in rows)
    return holds(wrong == 0, boards=len(rows), wrong=wrong)


def store_skipped(claim: Claim) -> Found:
    """Which stores a lap from each pit feeds."""
    laps = [(player, set(sowing_path(6, player, pit))) for player in (0, 1) for pit in range(6)]
    own, other = (sum(store in lap for _, lap in laps) for store in (6, 13))
    right = ((6 + 7 * player in lap) and (13 - 7 * player not in lap) for player, lap in laps)
    return every(right, own=own, other=other)


def extra_turn(claim: Claim) -> Found:
    """The announced players of the printed logs beside the program replayed."""
    rows = replay_transcripts()
    wrong = sum("player" in row["contradicts"] for row in rows)
    again = sum(a["player"] == b["player"] for a, b in pairwise(rows) if a["title"] == b["title"])
    return holds(wrong == 0 < again, again=again, wrong=wrong)


def which_capture(claim: Claim) -> Found:
    """The printed table of solved games under either capture rule."""
    table, printed = solved(), solved()["cs5329"]
    empty, standard = (
        int((table[rules].map(s04_solved.verdict) == printed).sum())
        for rules in ("empty-capture", "standard")
    )
    return holds(empty == len(table) > standard, empty=empty, standard=standard, of=len(table))


def end_of_game(claim: Claim) -> Found:
    """The last board of Output 1, swept, beside the board printed after it."""
    log = transcripts()[0]
    last = log["boards"][-1]
    board = (*last["a"], last["store_a"], *last["b"], last["store_b"])
    found, rest = stores(sweep(board, "owner")), (sum(last["a"]), sum(last["b"]))
    printed = (log["final"]["store_a"], log["final"]["store_b"])
    return holds(found == printed and 0 in rest, found=found, rest=rest, printed=printed)


def thirty_seven(claim: Claim) -> Found:
    """The fewest of 72 stones that decide a game."""
    least = min(own for own in range(73) if decided((72 - own, own, 0, 0)))
    board = (1, 0, 0, 0, 0, 0, least, 71 - least, 0, 0, 0, 0, 0, 0)
    ends = Kalah(6, 6, Rules(early_stop=True)).over(State(board, SOUTH))
    return holds(f"{least} or more" in claim.quote and ends, least=least, ends=ends)


def rest_to_finisher(claim: Claim) -> Found:
    """The margin of one game under the rule and under its variation."""
    board = (0, 0, 2, 7, 4, 1, 0, 4)
    margins = s01_rules.endings(State(board, SOUTH), 2)["South's margin"]
    owner, finisher = int(margins["standard"]), int(margins["rest to empty side"])
    rest = sum(sow(board, SOUTH, 2, capture_empty=False).board[4:7])
    return holds(finisher - owner == 2 * rest, rest=rest, owner=owner, finisher=finisher)


def no_capture_of_nothing(claim: Claim) -> Found:
    """What a sow to an empty pit opposite an empty one banks."""
    empty, variation = (
        sow((1, 0, 2, 4, 3, 0, 2, 4), SOUTH, 0, capture).captured for capture in (True, False)
    )
    return holds((empty, variation) == (1, 0), empty=empty, variation=variation)


def either_side_ends(claim: Claim) -> Found:
    """An empty side, whoever is to move, and how the printed logs end."""
    empty = (0, 0, 0, 0, 0, 0, 40, 0, 0, 3, 0, 0, 1, 28)
    over = [Kalah(6, 6, STANDARD).over(State(empty, mover)) for mover in (SOUTH, NORTH)]
    logs = [log["boards"][-1] for log in transcripts()]
    ran_out = sum(not any(board["a"] or ()) or not any(board["b"] or ()) for board in logs)
    return every(over, ran_out > 0, ran_out=ran_out, logs=len(logs))


def all_but_six_six(claim: Claim) -> Found:
    """The boards that Irving's paper gives."""
    rows = solved_published()
    missing = [(row["pits"], row["stones"]) for row in rows if row["irving"] is None]
    return holds(missing == [(6, 6)], rows=len(rows), missing=[*map(str, missing)])


def always_wins(claim: Claim) -> Found:
    """The first player's wins in the printed table and in ours."""
    wins = (row["cs5329"] == "W" for row in solved_published())
    ours = int((solved()["empty-capture"] > 0).sum())
    return every(wins, ours=ours, solved=len(solved()))


def solved_row(claim: Claim) -> Found:
    """A row of the printed table, by its number of pits, beside the solved values.

    Without (6, 6), which is a claim of its own.
    """
    rows = solved().drop((6, 6)).loc[int(claim.of)]
    found = rows["empty-capture"].map(s04_solved.verdict)
    quoted = claim.quote.split()[-6:][: len(rows)] == list(rows["cs5329"])
    pits = f"{claim.of} pit{'s' * (claim.of != '1')}"
    return every(found == rows["cs5329"], quoted, pits=pits, found=" ".join(found))


def six_six(claim: Claim) -> Found:
    """Whether the first player wins, by what is proved, beside who else says so."""
    proved = s04_solved.largest()
    bounds = proved["empty-capture"]
    accounts = s04_solved.elsewhere()["source"].str.partition(",")[0].unique()
    return holds(
        bounds.lower > 0,
        decided=bounds.lower > 0 or bounds.upper <= 0,
        bounds=s04_solved.bounds_in_words(bounds),
        standard=s04_solved.bounds_in_words(proved["standard"]),
        others=" and ".join(name for name in accounts if not name.startswith("CS5329")),
    )


def not_in_a_lifetime(claim: Claim) -> Found:
    """What solving took here, and no size in the sentence to hold it against."""
    rows = perfect.solved_openings()
    most = max(rows, key=lambda row: row.nodes)
    return holds(False, defined=bool(claim.numbers), rows=len(rows), most=most)


@cache
def to_the_end() -> pd.DataFrame:
    """Minimax without a depth limit on the smallest boards, beside the solved table."""
    return s04_solved.minimax_to_the_end(perfect.solved_openings(), 6)


def optimal_to_the_end(claim: Claim) -> Found:
    """Minimax without a depth limit beside the solved values."""
    return every(to_the_end()["minimax"] == to_the_end()["solved"])


def complete(claim: Claim) -> Found:
    """Whether the line of minimax ends a game with its value."""
    return every(to_the_end()["line ends so"], visited=to_the_end()["visited"].max())


def same_move(claim: Claim) -> Found:
    """The moves of both searches on judged positions."""
    game, depth = Kalah(), Depth(3)
    found = (
        {search(game, row.state, store_difference, depth).move for search in (minimax, alpha_beta)}
        for row in sample()[:100]
    )
    return every(len(moves) == 1 for moves in found)


def difference_of_stores(claim: Claim) -> Found:
    """The evaluator of that name beside the printed formula."""
    return every(
        store_difference(board, player) == stores(board)[player] - stores(board)[1 - player]
        for board in (row.state.board for row in sample())
        for player in (SOUTH, NORTH)
    )


def chances_of_winning(claim: Claim) -> Found:
    """Rank correlations with exact values, and no measure in print."""
    printed = {name: EVALUATORS[name] for name in ("e1", "e2", "e3", "e4")}
    rows = ordering(sample(), printed)
    ranks = [f"{row['evaluator'].upper()} {row['spearman']:.2f}" for row in rows]
    return holds(False, defined=bool(claim.numbers), positions=len(sample()), ranks=ranks)


@cache
def depths() -> pd.DataFrame:
    """Positions and depths 1 to 4: the value found, and the regret with ties broken at random."""
    rows = []
    for number, row in enumerate(sample()[:150]):
        for depth in range(1, 5):
            values = search_values(Kalah(), row.state, depth)
            best = [pit for pit, value in values.items() if value == max(values.values())]
            regret = fmean(row.regret(pit) for pit in best)
            rows.append((number, depth, max(values.values()), row.value, regret))
    return pd.DataFrame(rows, columns=["position", "depth", "value", "exact", "regret"])


def more_accurate(claim: Claim) -> Found:
    """Whether backed-up values order positions better with each ply."""
    ranks = [
        float(spearmanr(rows["value"], rows["exact"]).statistic)
        for _, rows in depths().groupby("depth")
    ]
    rising, positions = pairwise(ranks), depths()["position"].nunique()
    return every((a < b for a, b in rising), plies=len(ranks), ranks=ranks, positions=positions)


def further_is_better(claim: Claim) -> Found:
    """Stones given up at depths 1 and 4, paired, by perfect play."""
    wide = depths().pivot(index="position", columns="depth", values="regret")
    gain = wide[1] - wide[4]
    mean, error = gain.mean(), 1.96 * stdev(gain) / sqrt(len(gain))
    worse, means = (wide[4] > wide[1]).mean(), [*wide.mean()]
    decided = abs(mean) > error
    return holds(mean > 0, decided=decided, mean=mean, error=error, worse=worse, means=means)


def one_more_ply(claim: Claim) -> Found:
    """Positions where the second ply sees the capture that the first one does not."""
    rows = list(s03_pruning.one_ply_more(sample()[:400]))
    cured = [row for row in rows if row["lost_one"] > row["lost_two"] == 0]
    captured = s03_pruning.telling(rows)["captured"] if cured else 0
    return holds(bool(cured), rows=len(rows), cured=len(cured), captured=captured)


def outside_the_game(claim: Claim) -> Found:
    """What is said of the world: decided only if another line of the documents bears on it."""
    names = re.findall(r"[A-Z][a-z]{3,}|popular", claim.quote)
    lines = [row for row in data_rows("claims.csv") if row["id"] != claim.id]
    others = sum(any(name in row["quote"] for name in names) for row in lines)
    said = " or ".join(names)
    return holds(True, decided=others > 0, others=others, lines=len(lines), names=said)
