"""What the CS5329 report says of its own program and its 16 games (notebook 02)."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from kalahlab.claims.model import Claim, Found, every, holds
from kalahlab.evaluators.kalah import e2
from kalahlab.games.kalah import NORTH, SOUTH, Kalah, decided, side, stores
from kalahlab.grid import Row
from kalahlab.published import comparison, criteria
from kalahlab.published.comparison import GROUPS, least, printed_table, rates, transcripts
from kalahlab.published.cs5329 import (
    ALGORITHMS,
    AS_PRINTED,
    CORRECTED,
    EVALUATIONS,
    UNSET,
    Defects,
    Node,
    Program,
    PublishedGame,
    finished,
    min_max_ab,
    pit_of_alpha_beta_search,
    play_published,
    sown,
)
from kalahlab.search import Depth, minimax

START = Kalah(6, 6).start()
SETTING = ("algorithm", "evaluation", "depth")


@cache
def table() -> list[Row]:
    """The printed table beside the recomputed one."""
    return comparison.table()


def _rows(rows: Iterable[Row] | None = None, **wanted: object) -> list[Row]:
    """The rows, of the table if of no other, that have these values."""
    found = table() if rows is None else rows
    return [row for row in found if all(row[name] == is_ for name, is_ in wanted.items())]


def _counts(row: Row, prefix: str = "") -> str:
    return "/".join(str(row[prefix + name]) for name in comparison.FIGURES)


def _game(row: Row) -> PublishedGame:
    return play_published(*(row[name] for name in SETTING))


def _in_print(row: Row) -> Row:
    """The printed table's row of the same game."""
    [found] = _rows(rates(), **{name: row[name] for name in SETTING})
    return found


def _joined(values: Iterable[Any], joint: str = " and ") -> str:
    return joint.join(map(str, values))


# --- the table --------------------------------------------------------------------------


def a_row_of_the_table(claim: Claim) -> Found:
    """Nodes generated and expanded and moves, beside what the program as printed does."""
    algorithm, evaluation, depth = claim.parts
    [row] = _rows(algorithm=algorithm, evaluation=int(evaluation), depth=int(depth))
    printed = f"Printed {_counts(row, 'printed_')}"
    if row["verdict"] == "not defined":
        return holds(
            False, defined=False, said=f"{printed}; the program is undefined: {row['why']}"
        )
    said = f"{printed}, recomputed {_counts(row)} (generated/expanded/moves)"
    slip = row["verdict"] == "slip in print"
    if slip:
        said += f"; the printed {row['printed_memory_kb']} KB belong to {row['generated']} nodes"
    return holds(row["verdict"] != "differs", slip, said=said)


def memory_column(claim: Claim) -> Found:
    """The printed KB beside 81 bytes times the nodes, of one algorithm or of both."""
    rows = [row for row in comparison.memory() if row["algorithm"] in (claim.parts or ALGORITHMS)]
    return every(
        row["printed"] == (row["of_recomputed_nodes"] or row["of_printed_nodes"]) for row in rows
    )


def _other_seconds() -> int:
    """The logs whose seconds are not those that the table has for the same game."""
    return sum(_in_print(log)["seconds"] != log["printed"]["seconds"] for log in transcripts())


def seconds(claim: Claim) -> Found:
    """Decided if the same game took the same seconds twice; what they go with is said."""
    every_row, *authors = comparison.seconds_correlations()
    said = (
        "rows of {rows}: {least_ms_a_move:.1f} to {most_ms_a_move:.1f} ms a move, "
        "r with moves {r_with_moves:.3f}"
    )
    parts = _joined((said.format(**part) for part in authors), "; ")
    return holds(True, decided=not _other_seconds(), r=every_row["r_with_nodes"], parts=parts)


def all_columns(claim: Claim) -> Found:
    """Decided if all of its columns are, the seconds too."""
    return holds(True, decided=not _other_seconds(), other=_other_seconds())


def nodes_charts(claim: Claim) -> Found:
    """The chart's points at a depth are the table's: the verdicts on its rows."""
    found = [row["verdict"] for row in _rows(depth=int(claim.of))]
    counts = [f"{found.count(name)} {name}" for name in dict.fromkeys(found)]
    slip = any(name != "equal" for name in found)
    return holds("differs" not in found, slip, depth=claim.of, counts=counts)


def the_instance(claim: Claim) -> Found:
    """The two rows, and the numbers quoted."""
    rows = _rows(evaluation=3, depth=2)
    said = [int(number) for number in claim.numbers]
    same = said == [rows[0][name] for name in comparison.FIGURES]
    equal = {row["verdict"] for row in rows} == {"equal"}
    return holds(same and equal, counts=_joined(map(_counts, rows), " against "))


# --- what the report set out to do ------------------------------------------------------


def three_evaluations(claim: Claim) -> Found:
    """The evaluations that the table names, counted."""
    made = len({row["evaluation"] for row in printed_table()})
    return holds(made >= 3, slip=made != 3, made=made)


def four_depths(claim: Claim) -> Found:
    """The depths that the table names, counted."""
    depths = sorted({row["depth"] for row in printed_table()})
    wanted, number = claim.last_number, len(depths)
    return holds(number >= wanted, wanted=wanted, number=number, depths=str(depths))


def columns_of_the_table(claim: Claim) -> Found:
    """Whether a column of the table tells of stones or of winners."""
    columns = list(printed_table()[0])
    wins = [name for name in columns if re.search("win|los|store|stone|margin", name)]
    return holds(bool(wins), number=len(columns), columns=columns, wins=len(wins))


def many_combinations(claim: Claim) -> Found:
    """The starting positions and depths of the 16 games, counted."""
    games = [_game(row) for row in printed_table()]
    starts = len({game.choices[0][0] for game in games if game.defined})
    depths = len({row["depth"] for row in printed_table()})
    return holds(starts > 1 and depths > 2, games=len(games), starts=starts, depths=depths)


def identified_better(claim: Claim) -> Found:
    """Whether one evaluation alone has the least of a column in all groups of rows."""
    best = {name: set.intersection(*map(set, _alone(name))) for name in claim.parts}
    counts = [f"{name}: {len(names)}" for name, names in best.items()]
    return holds(any(best.values()), groups=len(GROUPS), counts=counts)


def _alone(column: str) -> list[list[int]]:
    """In each group of rows, the evaluation that alone has the least of a column, if any."""
    return [found if len(found) == 1 else [] for found in least(column).values()]


# --- which evaluation is best -----------------------------------------------------------


def e3_is_best(claim: Claim) -> Found:
    """Whether E3 alone has the least of these columns in all groups of rows."""
    alone = {column: _alone(column).count([3]) for column in claim.parts}
    fastest = least("seconds")["AlphaBetaSearch", 4][0]
    counts = [f"{column} in {count}" for column, count in alone.items()]
    faster = f"; E{fastest} is the fastest with AlphaBetaSearch at depth 4" * ("seconds" in alone)
    right = set(alone.values()) == {len(GROUPS)}
    return holds(right, counts=counts, groups=len(GROUPS), faster=faster)


def e3_beats_e2(claim: Claim) -> Found:
    """The printed rows of E2 and E3, pair by pair."""
    two, three = (_rows(rates(), evaluation=evaluation) for evaluation in (2, 3))
    time, memory = (
        sum(b[name] < a[name] for a, b in zip(two, three, strict=True))
        for name in ("seconds", "memory_kb")
    )
    moves = [[row["ms_a_move"] for row in rows] for rows in (two, three)]
    spans = _joined(f"{min(each):.1f} to {max(each):.1f}" for each in moves)
    return holds((time, memory) == (4, 4), time=time, memory=memory, spans=spans)


def evaluations_differ(claim: Claim) -> Found:
    """The different rows of counts at a depth, counted for each algorithm."""
    different: dict[str, int] = {
        algorithm: min(
            len({_counts(row, "printed_") for row in _rows(algorithm=algorithm, depth=depth)})
            for depth in (2, 4)
        )
        for algorithm in ALGORITHMS
    }
    counts = _joined(f"{number} with {name}" for name, number in different.items())
    return holds(all(different[name] == 4 for name in claim.parts), counts=counts)


# --- which algorithm is better ----------------------------------------------------------


def less_nodes_and_time(claim: Claim) -> Found:
    """The printed rows of the two algorithms, pair by pair."""
    pairs = zip(*(_rows(rates(), algorithm=name) for name in ALGORITHMS), strict=True)
    return every(b["generated"] < a["generated"] and b["seconds"] < a["seconds"] for a, b in pairs)


def better_performance(claim: Claim) -> Found:
    """Whether it searches more than one line of play, and less than MinMaxAB when corrected."""
    [row] = _rows(rates(), algorithm="AlphaBetaSearch", evaluation=3, depth=2)
    nodes = [play_published(algorithm, 3, 2, CORRECTED).generated for algorithm in ALGORITHMS]
    right = row["expanded_a_move"] > row["depth"] and nodes[1] < nodes[0]
    return holds(right, row=row, nodes=nodes)


def neither_is_better(claim: Claim) -> Found:
    """Both algorithms corrected: the same moves at the same nodes, or not."""
    games = ([play_published(name, e, 2, CORRECTED) for name in ALGORITHMS] for e in EVALUATIONS)
    return every(
        (a.moves, a.generated, a.expanded) == (b.moves, b.generated, b.expanded) for a, b in games
    )


def milliseconds(claim: Claim) -> Found:
    """The two times beside all times of a game, a move and a node in print."""
    quoted = re.findall(r"([\d.]+)ms for depth (\d)", claim.quote)
    said = {int(depth): float(ms) for ms, depth in quoted}
    found = all(any(round(x, 2) == ms for x in _times(depth)) for depth, ms in said.items())
    near = {at: min(_times(at), key=lambda time: abs(time - ms)) for at, ms in said.items()}
    nearest = _joined(
        (f"nearest to {said[at]} ms at depth {at}: {near[at]:.2f} ms" for at in said), "; "
    )
    return holds(found, nearest=nearest)


def _times(depth: int) -> list[float]:
    """All times in print at a depth, in ms: of a game, of a move, of a node."""
    rows = _rows(rates(), depth=depth)
    return [
        time for row in rows for time in (1000 * row["seconds"], row["ms_a_move"], row["ms_a_node"])
    ]


# --- the listing against the text -------------------------------------------------------

TIED = (0,) * 6 + (36,) + (0,) * 6 + (36,)


def a_tie(claim: Claim) -> Found:
    """The printed end test, asked at 36-36."""
    printed, mended = (finished(TIED, defects) for defects in (AS_PRINTED, CORRECTED))
    return holds(printed, printed=printed, mended=mended)


def the_turn_may_stay(claim: Claim) -> Found:
    """A move of the start after which the same player moves, if there is one."""
    game, children = Kalah(6, 6), _children(AS_PRINTED)
    again = [pit for pit in game.moves(START) if game.play(START, pit).player == START.player]
    of_b = {child.player for child in children} == {NORTH}
    return holds(bool(again), again=str(again), replies=len(children), of_b=of_b)


def _children(defects: Defects) -> list[Node]:
    program = Program(2, 2, defects)
    root = Node(*START)
    program.deep_enough(root, 0)
    return [child for child in root.children if child]


def the_move_generator(claim: Claim) -> Found:
    """The children of the start beside what the rules make of each pit."""
    game = Kalah(6, 6)
    right = [game.play(START, pit).board for pit in game.moves(START)]
    printed, mended = (
        [child.board == board for child, board in zip(_children(defects), right, strict=True)]
        for defects in (AS_PRINTED, CORRECTED)
    )
    return every(printed, mended=sum(mended))


def successors_when_deep(claim: Claim) -> Found:
    """The children made where DEEP-ENOUGH is true, and where it is false."""
    made = {}
    for depth in (2, 0):
        program, node = Program(2, 2, AS_PRINTED), Node(*START)
        leaf = program.deep_enough(node, depth)
        made[leaf] = len(node.children)
    return holds(made[True] > 0, deep=made[True], otherwise=made[False])


def deep_enough(claim: Claim) -> Found:
    """DEEP-ENOUGH asked at the cut-off, above it, and where a store has won."""
    won = (0, 0, 0, 0, 0, 1, 37, 1, 0, 0, 0, 0, 0, 33)
    cases = [(2, START.board, True), (1, START.board, False), (1, won, True)]
    right = (
        Program(2, 2, AS_PRINTED).deep_enough(Node(board, SOUTH), depth) == leaf
        for depth, board, leaf in cases
    )
    equal = len(_rows(verdict="equal"))
    return every(right, equal > 0 and not _rows(verdict="differs"), equal=equal)


def the_capture(claim: Claim) -> Found:
    """What either player banks whose last stone falls opposite an empty pit."""
    lone = (1, 0, 0, 0, 0, 3)
    board = (*lone, 9, *lone, 9)
    stores_after = [stores(sown(board, player, 0, AS_PRINTED).board) for player in (SOUTH, NORTH)]
    banked = [after[player] - 9 for player, after in enumerate(stores_after)]
    return holds(banked == [0, 0], banked=banked)


def more_than_half(claim: Claim) -> Found:
    """The most stones in a store that do not decide a game yet."""
    most = max(
        store
        for store in range(73)
        if not decided((0,) * 6 + (store, *(0,) * 6, 72 - store)) and store >= 36
    )
    said = str(claim.last_number)
    return holds(str(most).startswith(said), slip=said != str(most), most=most, said=said)


def two_windows(claim: Claim) -> Found:
    """The eight games of AlphaBetaSearch played with the other window."""
    widest = claim.last_number
    same = (_with_window(widest, e, depth) for e in EVALUATIONS for depth in (2, 4))
    return every(same, slip=widest != -UNSET)


def _with_window(widest: int, evaluation: int, depth: int) -> bool:
    game = play_published("AlphaBetaSearch", evaluation, depth)
    program = Program(evaluation, depth, AS_PRINTED)
    pits = [pit_of_alpha_beta_search(program, Node(*at), widest) for at, _ in game.choices]
    played = [pit for _, pit in game.choices]
    return (pits, program.generated) == (played, game.generated)


def the_inverted_window(claim: Claim) -> Found:
    """Printed nodes expanded a move: an alpha-beta search expands more than one line of play."""
    own = _rows(rates(), algorithm="AlphaBetaSearch")
    one_line = sum(row["expanded_a_move"] == row["depth"] for row in own)
    other = [row["expanded_a_move"] for row in _rows(rates(), algorithm="MinMaxAB")]
    least, most = min(other), max(other)
    return holds(one_line == 0, one_line=one_line, own=len(own), least=least, most=most)


def follows_the_textbook(claim: Claim) -> Found:
    """An algorithm's own departures mended: does a game change?"""
    algorithm: Any
    algorithm, *own = claim.parts
    games = [
        (play_published(algorithm, e, 2), play_published(algorithm, e, 2, Defects.without(*own)))
        for e in (2, 3, 4)
    ]
    changed = sum(a.generated != b.generated for a, b in games)
    return holds(changed == 0, own=len(own), changed=changed, games=len(games))


def the_initial_call(claim: Claim) -> Found:
    """MINIMAX-A-B called with its thresholds in the printed order, and in the other."""
    positions = [state for state, _ in play_published("MinMaxAB", 2, 2, CORRECTED).choices]
    right, swapped = (
        [
            min_max_ab(Program(2, 2, CORRECTED), Node(*state), 0, use, -use)
            == minimax(Kalah(6, 6), state, e2, Depth(2)).value
            for state in positions
        ]
        for use in (-UNSET, UNSET)
    )
    return every(right, not all(swapped), swapped=sum(swapped))


def the_labels_of_a(claim: Claim) -> Found:
    """The legible rows of A's pits, read in either direction, beside the replay."""
    rows = [
        (printed["a"], list(side(board, SOUTH)))
        for log in transcripts()
        for printed, board in zip(log["boards"], _game(log).boards, strict=True)
        if printed["a"] is not None
    ]
    labelled = sum(a[::-1] == b for a, b in rows)
    return every((a == b for a, b in rows), slip=labelled < len(rows), labelled=labelled)


# --- the evaluation functions -----------------------------------------------------------


def _criteria(evaluation: int | str) -> Row:
    return criteria.criteria()[int(evaluation) - 1]


def agrees_at_the_end(claim: Claim) -> Found:
    """Whether each printed evaluation orders finished games as their margins do."""
    rows = criteria.criteria()
    ordered = [f"E{row['evaluation']} {row['ordered']:.0%}" for row in rows]
    return holds(all(row["ordered"] == 1 for row in rows), ordered=ordered)


def precise_at_the_end(claim: Claim) -> Found:
    """The values that an evaluation has in finished games that A lost and won."""
    row = _criteria(claim.of)
    lost, won = (_joined((f"{value:g}" for value in row[end]), " to ") for end in ("lost", "won"))
    return holds(row["lost"][1] < 0 and row["ordered"] == 1, lost=lost, won=won, row=row)


def quick_enough(claim: Claim) -> Found:
    """Defined if a bound is printed."""
    reads = max(row["reads"][1] for row in criteria.criteria())
    return holds(reads < 14, defined=bool(claim.numbers), reads=reads)


def e1_is_never_set(claim: Claim) -> Found:
    """Defined if it has a value on some board in play."""
    defined, boards = _criteria(1)["defined"], len(criteria.boards_in_play())
    game = play_published("MinMaxAB", 1, 2, e1_otherwise=0)
    [row] = _rows(algorithm="MinMaxAB", evaluation=1, depth=2)
    guess = f"{game.generated}/{game.expanded}/{len(game.moves)}"
    facts: dict[str, Any] = {
        "share": defined,
        "boards": boards,
        "guess": guess,
        "row": _counts(row, "printed_"),
    }
    return holds(game.generated == row["printed_generated"], defined=defined > 0, **facts)


def e1_and_winning(claim: Claim) -> Found:
    """Its value in finished games that A won and lost."""
    ends = [criteria.margin(board) for board in criteria.finished_boards()]
    lost, won = sum(end < 0 for end in ends), sum(end > 0 for end in ends)
    row = _criteria(1)
    return holds(row["lost"] < row["won"], row=row, lost=lost, won=won)


def the_formula(claim: Claim) -> Found:
    """The rows of the table that come out with the formula of an evaluation as printed."""
    rows = _rows(evaluation=int(claim.of))
    counts = [_counts(row) for row in rows if row["algorithm"] == "MinMaxAB"]
    return every((row["verdict"] in ("equal", "slip in print") for row in rows), counts=counts)


def who_plays_first_wins(claim: Claim) -> Found:
    """The winners of the games with E2, as printed and corrected."""
    winners = [row["winner"] for row in _rows(evaluation=2)]
    game = play_published("AlphaBetaSearch", 2, 2, CORRECTED)
    ends = _joined(game.stores, " to ")
    return every((winner == "A" for winner in winners), game.winner == "A", ends=ends)


def constant_time(claim: Claim) -> Found:
    """The cells that E2 and E3 read on boards of several sizes."""
    e2, e3 = (_criteria(evaluation)["reads"] for evaluation in (2, 3))
    constant = len({*e2}) == len({*e3}) == 1
    slip = "linear" in claim.quote
    return holds(constant, slip, widths=str(criteria.WIDTHS), e2=str(e2), e3=str(e3))


def e3_divides_by_zero(claim: Claim) -> Found:
    """E3 asked where only the other store is empty."""
    board = (6, 6, 6, 6, 6, 0, 1, 6, 6, 6, 6, 6, 6, 0)
    return holds(criteria.printed_value(3, board, SOUTH) is not None)


def one_value_a_board(claim: Claim) -> Found:
    """The share of boards that have one value by an evaluation, whoever is to move."""
    row, boards = _criteria(claim.of), len(criteria.boards_in_play())
    return holds(row["defined"] == row["same"] == 1, boards=boards, row=row)


def e4_and_the_player(claim: Claim) -> Found:
    """Whether its value ever depends on who is to move."""
    same = _criteria(4)["same"]
    return holds(same < 1, same=same)


# --- memory -----------------------------------------------------------------------------


def one_path(claim: Claim) -> Found:
    """The nodes that minimax holds at a time, counted while it runs."""
    rows = comparison.held_nodes()
    true = all(row["path"] == row["depth"] + 1 and row["held"] <= row["bound"] for row in rows)
    return holds(true, **rows[-1])


def bytes_a_node(claim: Claim) -> Found:
    """The size of the printed class, by pointers and gaps."""
    sizes = comparison.node_bytes()
    listed = [f"{size} ({name})" for name, size in sizes.items()]
    return holds(81 in sizes.values(), sizes=listed)


def memory_formula(claim: Claim) -> Found:
    """81 bytes times the nodes beside the bytes and KB of the logs."""
    rows = comparison.totals()
    products = [f"81 x {row['generated']} = {row['bytes']}" for row in rows]
    names = ("bytes", "memory_kb")
    same = (all(row[f"printed_{name}"] == row[name] for name in names) for row in rows)
    return every(same, products=products)


# --- the logs ---------------------------------------------------------------------------


def boards_of_a_log(claim: Claim) -> Found:
    """The legible fields of the boards of an output beside the replay."""
    rows = _rows(_replayed(), title=claim.of)
    legible, wrong = (
        sum(row["legible"] for row in rows),
        sum(len(row["contradicts"]) for row in rows),
    )
    return holds(legible > 0 and wrong == 0, boards=len(rows), legible=legible, wrong=wrong)


@cache
def _replayed() -> list[Row]:
    return comparison.replay_transcripts()


def _output(title: str) -> Row:
    [row] = _rows(comparison.totals(), title=title)
    return row


def totals_of_a_log(claim: Claim) -> Found:
    """The totals below an output beside the replay."""
    row = _output(claim.of)
    names = [name[8:] for name in row if name.startswith("printed_") and row[name] is not None]
    same = (row[name] == row[f"printed_{name}"] for name in names)
    return every(same, counts=_counts(row), bytes=row["bytes"])


def seconds_of_a_log(claim: Claim) -> Found:
    """Decided if the table says the same of the same game as an output."""
    row = _output(claim.of)
    log, table = row["seconds"], _in_print(row)["seconds"]
    return holds(True, decided=log == table, log=log, table=table, ms=1000 * log / row["path"])


def winner_of_output_1(claim: Claim) -> Found:
    """The end of the replayed game."""
    log = transcripts()[0]
    game = _game(log)
    won = game.winner == "A" and game.stores[0] == claim.last_number == log["final"]["store_a"]
    return holds(won, game=game)


def process_time(claim: Claim) -> Found:
    """Decided if it is about the time of the search."""
    rows = comparison.totals()
    times = [f"{row['process_seconds']:.3f} s for {row['generated']} nodes" for row in rows]
    near = all(row["process_seconds"] / row["seconds"] < 2 for row in rows)
    return holds(True, decided=near, times=times)


def nodes_of_output_2(claim: Claim) -> Found:
    """81 bytes times the recomputed and the printed nodes."""
    row = comparison.totals()[1]
    printed = _in_print(row)["generated"]
    right = row["bytes"] == claim.last_number != 81 * printed
    return holds(right, row=row, printed=printed, bytes=81 * printed)


def a_heading_only(claim: Claim) -> Found:
    """Decided if there is a log."""
    logs = [log for log in transcripts() if log["evaluation"] == 4]
    games = _joined(map(_counts, _rows(evaluation=4, depth=4)), " or ")
    return holds(True, decided=bool(logs), logs=len(logs), games=games)
