"""What the CS5329 report says of rules, solved games and evaluation (notebooks 01, 04, 05, 07)."""

import re
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from math import sqrt
from statistics import fmean, stdev

import pandas as pd
from scipy.stats import spearmanr

from kalahlab.claims.model import Claim, Verdict, holds, holds_if_decided, holds_if_defined, judges
from kalahlab.data import data_rows
from kalahlab.evaluators.kalah import EVALUATORS, store_difference
from kalahlab.games.kalah import (
    EMPTY_CAPTURE,
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
    """The 35 games solved here under both rules beside the printed verdicts."""
    return s04_solved.beside(pd.DataFrame(perfect.solved_openings()))


@cache
def sample() -> list[Judged]:
    """500 judged positions under the standard rules."""
    return [row for row in read() if row.rules == "standard"][:500]


def names_a_number(claim: Claim) -> bool:
    """Whether the words quoted hold a number to compare with."""
    return bool(claim.numbers)


@judges("cs5329-branching-high")
def branching(claim: Claim) -> Verdict:
    """Moves at a node, by perft, and no number to hold it against."""
    each = s01_rules.factors(lines())
    why = (
        f"In Kalah(6, 4) a sow multiplies the lines of play by {min(each):.1f} to {max(each):.1f}; "
        "the sentence names no number that is high."
    )
    return holds_if_defined(names_a_number(claim), False, why)


@judges("cs5329-tree-exponential")
def exponential(claim: Claim) -> Verdict:
    """Whether each sow multiplies the lines of play, by perft."""
    each = s01_rules.factors(lines())
    leaves = lines()["leaves"].iloc[-1]
    why = (
        f"Each sow after the first multiplies the lines of play by {min(each):.1f} to "
        f"{max(each):.1f}: {leaves:,} at depth {len(each) + 1}."
    )
    return holds(min(each) > 2, why)


@judges("cs5329-six-opening-states")
def six_children(claim: Claim) -> Verdict:
    """The children of the start, for many numbers of stones."""
    counts = {len(Kalah(6, stones).moves(Kalah(6, stones).start())) for stones in range(1, 25)}
    why = f"With 1 to 24 stones a pit the start of Kalah with 6 pits has {counts} children."
    return holds(counts == {6}, why.replace("{", "").replace("}", ""))


@judges("cs5329-rule-sowing")
def sowing(claim: Claim) -> Verdict:
    """The fields of the printed logs beside the program replayed."""
    fields = {"a", "b", "store_a", "store_b"}
    wrong = sum(len(fields.intersection(row["contradicts"])) for row in replay_transcripts())
    boards = len(replay_transcripts())
    why = f"Sown so, {boards} boards of the three printed logs have {wrong} contradicted fields."
    return holds(wrong == 0, why)


@judges("cs5329-rule-store-skipped")
def store_skipped(claim: Claim) -> Verdict:
    """Which stores a lap from each pit feeds."""
    laps = [(player, set(sowing_path(6, player, pit))) for player in (0, 1) for pit in range(6)]
    own, other = (sum(store in lap for _, lap in laps) for store in (6, 13))
    right = all((6 + 7 * player in lap) and (13 - 7 * player not in lap) for player, lap in laps)
    why = f"Of {len(laps)} laps {own} feed South's store and {other} North's: always the sower's."
    return holds(right, why)


@judges("cs5329-rule-extra-turn")
def extra_turn(claim: Claim) -> Verdict:
    """The announced players of the printed logs beside the program replayed."""
    rows = replay_transcripts()
    wrong = sum("player" in row["contradicts"] for row in rows)
    again = sum(a["player"] == b["player"] for a, b in pairwise(rows) if a["title"] == b["title"])
    why = (
        f"In the three printed logs {again} turns follow a move of the same player; {wrong} "
        "announced players contradict the rule."
    )
    return holds(wrong == 0 < again, why)


@judges("cs5329-rule-capture-text", "cs5329-solved-which-rules")
def which_capture(claim: Claim) -> Verdict:
    """The printed table of solved games under either capture rule."""
    table, printed = solved(), solved()["cs5329"]
    agree = {
        rules: int((table[rules].map(s04_solved.verdict) == printed).sum())
        for rules in ("empty-capture", "standard")
    }
    why = (
        f"{agree['empty-capture']} of {len(table)} printed verdicts come out by the empty capture "
        f"of section 1, {agree['standard']} by this package's standard rule."
    )
    return holds(agree["empty-capture"] == len(table) > agree["standard"], why)


@judges("cs5329-rule-end-text")
def end_of_game(claim: Claim) -> Verdict:
    """The last board of Output 1, swept, beside the board printed after it."""
    log = transcripts()[0]
    last = log["boards"][-1]
    board = (*last["a"], last["store_a"], *last["b"], last["store_b"])
    found, rest = stores(sweep(board, "owner")), (sum(last["a"]), sum(last["b"]))
    printed = (log["final"]["store_a"], log["final"]["store_b"])
    why = (
        f"The last board of Output 1 holds {rest[0]} and {rest[1]} stones in the pits; each owner "
        f"gets the own ones, {found[0]} to {found[1]}; printed is {printed[0]} to {printed[1]}."
    )
    return holds(found == printed and 0 in rest, why)


@judges("cs5329-rule-37")
def thirty_seven(claim: Claim) -> Verdict:
    """The fewest of 72 stones that decide a game."""
    least = min(own for own in range(73) if decided((72 - own, own, 0, 0)))
    ends = Kalah(6, 6, Rules(early_stop=True)).over(_with_store(least))
    why = (
        f"Of 72 stones {least} are the fewest above a half; early stop then ends the game: {ends}."
    )
    return holds(f"{least} or more" in claim.quote and ends, why)


def _with_store(own: int) -> State:
    """A position of 72 stones with so many in South's store and stones on both sides."""
    return State((1, 0, 0, 0, 0, 0, own, 71 - own, 0, 0, 0, 0, 0, 0), SOUTH)


@judges("cs5329-variation-rest")
def rest_to_finisher(claim: Claim) -> Verdict:
    """The margin of one game under the rule and under its variation."""
    board = (0, 0, 2, 7, 4, 1, 0, 4)
    table = s01_rules.endings(State(board, SOUTH), 2)["South's margin"]
    rest = sum(sow(board, SOUTH, 2, capture_empty=False).board[4:7])
    change = int(table["rest to empty side"] - table["standard"])
    why = (
        f"On the board shown South runs out with {rest} stones left on North's side: the margin is "
        f"{table['standard']} if North gets them and {table['rest to empty side']} if South does."
    )
    return holds(change == 2 * rest, why)


@judges("cs5329-variation-capture")
def no_capture_of_nothing(claim: Claim) -> Verdict:
    """What a sow to an empty pit opposite an empty one banks."""
    banked = {
        name: sow((1, 0, 2, 4, 3, 0, 2, 4), SOUTH, 0, rules.capture_empty).captured
        for name, rules in (("empty capture", EMPTY_CAPTURE), ("the variation", STANDARD))
    }
    listed = " and ".join(f"{count} under {name}" for name, count in banked.items())
    why = f"A sow into an own empty pit opposite an empty one banks {listed}."
    return holds(list(banked.values()) == [1, 0], why)


@judges("cs5329-rule-end-menu")
def either_side_ends(claim: Claim) -> Verdict:
    """An empty side, whoever is to move, and how the printed logs end."""
    empty = (0, 0, 0, 0, 0, 0, 40, 0, 0, 3, 0, 0, 1, 28)
    over = [Kalah(6, 6, STANDARD).over(State(empty, mover)) for mover in (SOUTH, NORTH)]
    logs = [log["boards"][-1] for log in transcripts()]
    ran_out = sum(not any(board["a"] or ()) or not any(board["b"] or ()) for board in logs)
    why = (
        f"A game with an empty side is over for {sum(over)} of 2 possible movers; {ran_out} of "
        f"{len(logs)} printed logs end with an empty side."
    )
    return holds(all(over) and ran_out > 0, why)


@judges("cs5329-solved-but-6-6")
def all_but_six_six(claim: Claim) -> Verdict:
    """The boards that Irving's paper gives."""
    rows = solved_published()
    missing = [(row["pits"], row["stones"]) for row in rows if row["irving"] is None]
    why = f"Of the {len(rows)} boards Irving's paper of 2000 gives all but {missing}."
    return holds(missing == [(6, 6)], why.replace("[", "").replace("]", ""))


@judges("cs5329-first-player-always-wins")
def always_wins(claim: Claim) -> Verdict:
    """The first player's wins in the printed table and in ours."""
    printed = pd.DataFrame(solved_published())
    won = int((printed["cs5329"] == "W").sum())
    ours = int((solved()["empty-capture"] > 0).sum())
    why = (
        f"The first player wins {won} of {len(printed)} games in the report's own table, and "
        f"{ours} of the {len(solved())} solved here."
    )
    return holds(won == len(printed), why)


@judges(*(f"cs5329-solved-{pits}" for pits in range(1, 7)))
def solved_row(claim: Claim) -> Verdict:
    """A row of the printed table beside the solved values."""
    pits = int(claim.id.rpartition("-")[2])
    rows = solved().loc[pits]
    found = rows["empty-capture"].map(s04_solved.verdict)
    printed = claim.quote.split()[-6:]
    same = int((found == rows["cs5329"]).sum())
    why = (
        f"{same} of {len(rows)} verdicts for {pits} {'pit' if pits == 1 else 'pits'} come out as "
        f"printed ({' '.join(found)}) under empty capture."
    )
    return holds(same == len(rows) and printed[: len(rows)] == list(rows["cs5329"]), why)


@judges("cs5329-solved-6-6")
def six_six(claim: Claim) -> Verdict:
    """Whether the value is known here."""
    value = solved()["empty-capture"].to_dict().get((6, 6))
    accounts = s04_solved.elsewhere()["source"].str.partition(",")[0].unique()
    others = [name for name in accounts if not name.startswith("CS5329")]
    why = (
        f"Under empty capture Kalah(6,6) is not among the {len(solved())} games solved here, and "
        f"the report names no proof; it is said to be won by {' and '.join(others)}. By the "
        f"standard rule: at least {s04_solved.largest().lower:+d}."
    )
    return holds_if_decided(value is not None, value is not None and value > 0, why)


@judges("cs5329-first-move-lifetime")
def not_in_a_lifetime(claim: Claim) -> Verdict:
    """What solving took here, and no size in the sentence to hold it against."""
    rows = perfect.solved_openings()
    most = max(rows, key=lambda row: row.nodes)
    why = (
        f"The sentence names no game, size or speed; here {len(rows)} openings are solved to the "
        f"end, the dearest, Kalah({most.pits},{most.stones}), in {most.nodes:,} nodes."
    )
    return holds_if_defined(names_a_number(claim), False, why)


@cache
def to_the_end() -> pd.DataFrame:
    """Minimax without a depth limit on the smallest boards, beside the solved table."""
    return s04_solved.minimax_to_the_end(perfect.solved_openings(), 6)


@judges("cs5329-opponent-optimal")
def optimal_to_the_end(claim: Claim) -> Verdict:
    """Minimax without a depth limit beside the solved values."""
    table = to_the_end()
    same = int((table["minimax"] == table["solved"]).sum())
    why = f"Minimax to the end finds the solved value of {same} of {len(table)} games to 6 stones."
    return holds(same == len(table), why)


@judges("cs5329-minimax-complete")
def complete(claim: Claim) -> Verdict:
    """Whether the line of minimax ends a game with its value."""
    table = to_the_end()
    ended = int(table["line ends so"].sum())
    why = (
        f"In {ended} of {len(table)} small games the line of minimax ends a game with the value "
        f"found, after {table['visited'].max()} nodes at most."
    )
    return holds(ended == len(table), why)


@judges("cs5329-same-move")
def same_move(claim: Claim) -> Verdict:
    """The moves of both searches on judged positions."""
    game, depth = Kalah(), Depth(3)
    found = [
        {search(game, row.state, store_difference, depth).move for search in (minimax, alpha_beta)}
        for row in sample()[:100]
    ]
    same = sum(len(moves) == 1 for moves in found)
    why = (
        f"In {same} of {len(found)} judged positions minimax and alpha-beta play the same move at "
        "depth 3, in one order of the moves."
    )
    return holds(same == len(found), why)


@judges("cs5329-eval-beans")
def difference_of_stores(claim: Claim) -> Verdict:
    """The evaluator of that name beside the printed formula."""
    boards = [row.state.board for row in sample()]
    same = sum(
        store_difference(board, player) == stores(board)[player] - stores(board)[1 - player]
        for board in boards
        for player in (SOUTH, NORTH)
    )
    all_of_them = 2 * len(boards)
    why = f"The store difference is the printed formula in {same} of {all_of_them} cases."
    return holds(same == all_of_them, why)


@judges("cs5329-criterion-chances")
def chances_of_winning(claim: Claim) -> Verdict:
    """Rank correlations with exact values, and no measure in print."""
    printed = {name: EVALUATORS[name] for name in ("e1", "e2", "e3", "e4")}
    listed = ", ".join(
        f"{row['evaluator'].upper()} {row['spearman']:.2f}" for row in ordering(sample(), printed)
    )
    why = (
        f"No measure is given. Ours, the rank correlation with exact values on {len(sample())} "
        f"positions, is {listed} for the evaluations as corrected."
    )
    return holds_if_defined(names_a_number(claim), False, why)


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


@judges("cs5329-more-plies-better")
def more_accurate(claim: Claim) -> Verdict:
    """Whether backed-up values order positions better with each ply."""
    ranks = [
        float(spearmanr(rows["value"], rows["exact"]).statistic)
        for _, rows in depths().groupby("depth")
    ]
    listed = ", ".join(f"{rank:.2f}" for rank in ranks)
    why = (
        f"The rank correlation of the store difference, backed up from 1 to {len(ranks)} plies, "
        f"with the exact value is {listed} on {depths()['position'].nunique()} positions."
    )
    return holds(all(a < b for a, b in pairwise(ranks)), why)


@judges("cs5329-further-the-better")
def further_is_better(claim: Claim) -> Verdict:
    """Stones given up at depths 1 and 4, paired, by perfect play."""
    wide = depths().pivot(index="position", columns="depth", values="regret")
    gain = wide[1] - wide[4]
    error = stdev(gain) / sqrt(len(gain))
    worse = (wide[4] > wide[1]).mean()
    means = ", ".join(f"{mean:.2f}" for mean in wide.mean())
    why = (
        f"With ties broken at random, depths 1 to 4 give up {means} stones a move; depth 4 saves "
        f"{gain.mean():.2f} ± {1.96 * error:.2f} on the mean and loses more in {worse:.0%}."
    )
    return holds_if_decided(abs(gain.mean()) > 1.96 * error, gain.mean() > 0, why)


@judges("cs5329-horizon")
def one_more_ply(claim: Claim) -> Verdict:
    """Positions where the second ply sees the capture that the first one does not."""
    rows = list(s03_pruning.one_ply_more(sample()[:400]))
    cured = [row for row in rows if row["lost_one"] > row["lost_two"] == 0]
    told: Mapping[str, int] = s03_pruning.telling(rows) if cured else {}
    why = (
        f"One ply plays into a capture and two plies play otherwise in {len(rows)} of 400 "
        f"positions; in {len(cured)} of them the second ply gives up nothing. The capture shown "
        f"takes {told.get('captured', 0)} stones."
    )
    return holds(bool(cured), why)


@judges("cs5329-invented-1940", "cs5329-most-popular")
def outside_the_game(claim: Claim) -> Verdict:
    """What is said of the world: decided only if another line of the documents bears on it."""
    names = re.findall(r"[A-Z][a-z]{3,}|popular", claim.quote)
    lines = [row for row in data_rows("claims.csv") if row["id"] != claim.id]
    others = sum(any(name in row["quote"] for name in names) for row in lines)
    return holds_if_decided(
        others > 0,
        True,
        f"Nothing here can be computed, and {others} of the {len(lines)} other lines of the "
        f"documents speak of {' or '.join(names)}.",
    )
