"""What the CS5329 report says of its own program and its 16 games (notebook 02)."""

import re
from functools import cache

from kalahlab.claims.model import Claim, Verdict, holds, holds_if_decided, holds_if_defined, judges
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
    Algorithm,
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
NODES, SECONDS, MEMORY = "generated", "seconds", "memory_kb"
SHORT: dict[str, Algorithm] = {"mab": "MinMaxAB", "ab": "AlphaBetaSearch"}
SETTINGS = {
    (short, evaluation, depth): f"cs5329-row-{short}-e{evaluation}-d{depth}"
    for short in SHORT
    for depth in (2, 4)
    for evaluation in EVALUATIONS
}
"""The claim that each row of the printed table is, in the printed order."""


@cache
def _table() -> list[Row]:
    return comparison.table()


def _rows(**wanted: object) -> list[Row]:
    return [row for row in _table() if all(row[name] == is_ for name, is_ in wanted.items())]


def _counts(row: Row, prefix: str = "") -> str:
    return "/".join(str(row[prefix + name]) for name in comparison.FIGURES)


def _verdicts(rows: list[Row], why: str) -> Verdict:
    """The verdict on several rows of the table together, of which some game is defined."""
    found = [row["verdict"] for row in rows]
    slip = any(name != "equal" for name in found)
    counts = ", ".join(f"{found.count(name)} {name}" for name in dict.fromkeys(found))
    return holds("differs" not in found, f"{why}: {counts}.", slip)


def _number(claim: Claim) -> int:
    return int(claim.numbers[-1])


# --- the table --------------------------------------------------------------------------


@judges(*SETTINGS.values())
def a_row_of_the_table(claim: Claim) -> Verdict:
    """Nodes generated and expanded and moves, beside what the program as printed does."""
    row = _table()[list(SETTINGS.values()).index(claim.id)]
    printed = f"Printed {_counts(row, 'printed_')}"
    if row["verdict"] == "not defined":
        return holds_if_defined(False, False, f"{printed}; the program is undefined: {row['why']}.")
    why = f"{printed}, recomputed {_counts(row)} (generated/expanded/moves)"
    slip = row["verdict"] == "slip in print"
    memory = f"; the printed {row['printed_memory_kb']} KB belong to {row['generated']} nodes"
    return holds(row["verdict"] != "differs", why + memory * slip + ".", slip)


@judges("cs5329-memory-mab", "cs5329-memory-ab", "cs5329-chart-4-memory")
def memory_column(claim: Claim) -> Verdict:
    """The printed KB beside 81 bytes times the nodes."""
    short = claim.id.rpartition("-")[2]
    rows = [row for row in comparison.memory() if row["algorithm"] == SHORT.get(short)]
    rows = rows or comparison.memory()
    nodes = [row["of_recomputed_nodes"] or row["of_printed_nodes"] for row in rows]
    same = sum(row["printed"] == kb for row, kb in zip(rows, nodes, strict=True))
    why = f"81 bytes times the nodes, in whole KB, is the printed figure in {same} of {len(rows)}"
    return holds(same == len(rows), f"{why} rows (printed nodes where E1 is undefined).")


def _same_run_same_seconds() -> bool:
    """Whether the logs of the three games took what the table says of the same games."""
    return all(_in_table(log)["seconds"] == log["printed"]["seconds"] for log in transcripts())


def _in_table(log: Row) -> Row:
    names = ("algorithm", "evaluation", "depth")
    [row] = [row for row in rates() if all(row[name] == log[name] for name in names)]
    return row


@judges("cs5329-seconds", "cs5329-chart-3-time")
def seconds(claim: Claim) -> Verdict:
    """Decided if the same game took the same seconds twice; what they go with is said."""
    every, *authors = comparison.seconds_correlations()
    why = "; ".join(
        f"rows of {part['rows']}: {part['least_ms_a_move']:.1f} to {part['most_ms_a_move']:.1f} ms"
        f" a move, r with moves {part['r_with_moves']:.3f}"
        for part in authors
    )
    why = f"r with nodes {every['r_with_nodes']:.2f} over 16 rows; {why}; the machine is not named."
    return holds_if_decided(_same_run_same_seconds(), True, why)


@judges("cs5329-chart-5-overall")
def all_columns(claim: Claim) -> Verdict:
    """Decided if all of its columns are, the seconds too."""
    other = sum(_in_table(log)[SECONDS] != log["printed"]["seconds"] for log in transcripts())
    why = (
        f"What it draws is lost; the seconds of a game differ from its log's in {other} of 3 games."
    )
    return holds_if_decided(_same_run_same_seconds(), True, why)


@judges("cs5329-chart-1-nodes-d2", "cs5329-chart-2-nodes-d4")
def nodes_charts(claim: Claim) -> Verdict:
    """The chart's points are the table's: the verdicts on its rows."""
    depth = int(claim.id[-1])
    return _verdicts(
        _rows(depth=depth), f"The picture is lost; the table's points at depth {depth}"
    )


@judges("cs5329-instance-498-206")
def the_instance(claim: Claim) -> Verdict:
    """The two rows, and the numbers quoted."""
    rows = _rows(evaluation=3, depth=2)
    said = [int(number) for number in re.findall(r"\d+", claim.quote)]
    found = [rows[0][name] for name in comparison.FIGURES]
    why = f"Recomputed: {' against '.join(map(_counts, rows))} (generated/expanded/moves)."
    return holds(said == found and {row["verdict"] for row in rows} == {"equal"}, why)


# --- what the report set out to do ------------------------------------------------------


@judges("cs5329-three-evaluations")
def three_evaluations(claim: Claim) -> Verdict:
    """The evaluations that the table names, counted."""
    made = len({row["evaluation"] for row in printed_table()})
    why = f"The introduction says three; the table of section 8 names {made}."
    return holds(made >= 3, why, slip=made != 3)


@judges("cs5329-four-depths")
def four_depths(claim: Claim) -> Verdict:
    """The depths that the table names, counted."""
    depths = sorted({row["depth"] for row in printed_table()})
    wanted = _number(claim)
    why = f"Asked for: at least {wanted} depths. In the table: {len(depths)}, namely {depths}."
    return holds(len(depths) >= wanted, why)


@judges("cs5329-win-statistics", "cs5329-metrics-stores")
def columns_of_the_table(claim: Claim) -> Verdict:
    """Whether a column of the table tells of stones or of winners."""
    columns = list(printed_table()[0])
    wins = [name for name in columns if re.search("win|los|store|stone|margin", name)]
    why = (
        f"The printed table has {len(columns)} columns ({', '.join(columns)}): {len(wins)} of them"
    )
    return holds(bool(wins), f"{why} tell who won or by how much.")


@judges("cs5329-many-combinations")
def many_combinations(claim: Claim) -> Verdict:
    """The starting positions and depths of the 16 games, counted."""
    games = [
        play_published(row["algorithm"], row["evaluation"], row["depth"]) for row in printed_table()
    ]
    starts = {game.choices[0][0] for game in games if game.defined}
    depths = {row["depth"] for row in printed_table()}
    why = f"{len(games)} games from {len(starts)} starting position at {len(depths)} depths"
    return holds(len(starts) > 1 and len(depths) > 2, f"{why}: one game a setting.")


@judges("cs5329-identified-better")
def identified_better(claim: Claim) -> Verdict:
    """Whether one evaluation alone has the least of a column in all groups of rows."""
    best = {name: set.intersection(*map(set, _alone(name))) for name in (NODES, SECONDS, MEMORY)}
    found = ", ".join(f"{name}: {len(names)}" for name, names in best.items())
    why = f"Evaluations that alone have the least in all {len(GROUPS)} groups of rows: {found}"
    return holds(any(best.values()), f"{why}; the result of play is no column.")


def _alone(column: str) -> list[list[int]]:
    """In each group of rows, the evaluation that alone has the least of a column, if any."""
    return [found if len(found) == 1 else [] for found in least(column).values()]


# --- which evaluation is best -----------------------------------------------------------

BEST = {
    "cs5329-e3-best-title": (NODES, SECONDS, MEMORY),
    "cs5329-e3-better-all": (SECONDS, MEMORY),
    "cs5329-e3-nodes-always-less": (NODES,),
    "cs5329-e3-time-all-scenarios": (SECONDS,),
    "cs5329-e3-memory-always-less": (MEMORY,),
    "cs5329-e3-overall": (NODES, SECONDS, MEMORY),
    "cs5329-e3-best-linear": (NODES, SECONDS),
}
"""The columns in which each of these sentences calls E3 the best."""


@judges(*BEST)
def e3_is_best(claim: Claim) -> Verdict:
    """Whether E3 alone has the least of these columns in all groups of rows."""
    alone = {column: _alone(column).count([3]) for column in BEST[claim.id]}
    ties = least(SECONDS)["AlphaBetaSearch", 4]
    counts = ", ".join(f"{column} in {count}" for column, count in alone.items())
    faster = f"; E{ties[0]} is the fastest with AlphaBetaSearch at depth 4" * (SECONDS in alone)
    why = f"In print E3 alone has the least {counts} of {len(GROUPS)} groups of rows{faster}."
    return holds(set(alone.values()) == {len(GROUPS)}, why)


@judges("cs5329-e3-better-than-e2")
def e3_beats_e2(claim: Claim) -> Verdict:
    """The printed rows of E2 and E3, pair by pair."""
    pairs = [
        (two, three)
        for two, three in zip(
            [row for row in rates() if row["evaluation"] == 2],
            [row for row in rates() if row["evaluation"] == 3],
            strict=True,
        )
    ]
    less = {name: sum(b[name] < a[name] for a, b in pairs) for name in (SECONDS, MEMORY)}
    moves = [[row["ms_a_move"] for row in rows] for rows in zip(*pairs, strict=True)]
    spans = " and ".join(f"{min(each):.1f} to {max(each):.1f}" for each in moves)
    why = f"E3 takes less time in {less[SECONDS]} and less memory in {less[MEMORY]} of 4 groups"
    return holds(set(less.values()) == {4}, f"{why}; a move takes E2 and E3 {spans} ms.")


@judges(
    "cs5329-different-evaluations-differ", "cs5329-varied-results", "cs5329-particular-behaviour"
)
def evaluations_differ(claim: Claim) -> Verdict:
    """The different rows of counts at a depth, counted for each algorithm."""
    different = {
        algorithm: min(
            len({_counts(row, "printed_") for row in _rows(algorithm=algorithm, depth=depth)})
            for depth in (2, 4)
        )
        for algorithm in ALGORITHMS
    }
    said_of = ALGORITHMS[:1] if "different" in claim.id else ALGORITHMS
    counts = " and ".join(f"{number} with {name}" for name, number in different.items())
    why = f"Different rows of counts at a depth, of 4 evaluations: {counts}."
    return holds(all(different[name] == 4 for name in said_of), why)


# --- which algorithm is better ----------------------------------------------------------


@judges("cs5329-ab-less-nodes-and-time")
def less_nodes_and_time(claim: Claim) -> Verdict:
    """The printed rows of the two algorithms, pair by pair."""
    rows = printed_table()
    pairs = list(zip(rows[:8], rows[8:], strict=True))
    less = sum(b[NODES] < a[NODES] and b[SECONDS] < a[SECONDS] for a, b in pairs)
    why = f"In print AlphaBetaSearch has fewer nodes and seconds in {less} of {len(pairs)} pairs"
    return holds(less == len(pairs), f"{why}; what that is worth is another claim.")


@judges("cs5329-ab-better", "cs5329-infer-ab-better")
def better_performance(claim: Claim) -> Verdict:
    """Whether it searches more than one line of play, and less than MinMaxAB when corrected."""
    row = next(
        row for row in rates()
        if (row["algorithm"], row["evaluation"], row["depth"]) == ("AlphaBetaSearch", 3, 2)
    )  # fmt: skip
    nodes = [play_published(algorithm, 3, 2, CORRECTED).generated for algorithm in ALGORITHMS]
    why = (
        f"Its {row['generated']} nodes are {row['expanded_a_move']:g} expanded a move at depth "
        f"{row['depth']}; corrected, MinMaxAB generates {nodes[0]} nodes and it {nodes[1]}."
    )
    return holds(row["expanded_a_move"] > row["depth"] and nodes[1] < nodes[0], why)


@judges("cs5329-hedge-section-8", "cs5329-hedge-section-9")
def neither_is_better(claim: Claim) -> Verdict:
    """Both algorithms corrected: the same moves at the same nodes, or not."""
    games = [[play_published(name, e, 2, CORRECTED) for name in ALGORITHMS] for e in EVALUATIONS]
    same = sum(
        (a.moves, a.generated, a.expanded) == (b.moves, b.generated, b.expanded) for a, b in games
    )
    why = f"Corrected, both play the same moves at the same nodes in {same} of {len(games)} games"
    return holds(same == len(games), f"{why} at depth 2: there is nothing to decide.")


@judges("cs5329-036-086-ms")
def milliseconds(claim: Claim) -> Verdict:
    """The two times beside all times of a game, a move and a node in print."""
    said = {depth: float(ms) for ms, depth in re.findall(r"([\d.]+)ms for depth (\d)", claim.quote)}
    near = {int(depth): _nearest(int(depth), ms) for depth, ms in said.items()}
    found = {
        int(depth): any(round(x, 2) == ms for x in _times(int(depth))) for depth, ms in said.items()
    }
    why = "; ".join(
        f"nearest to {said[str(depth)]} ms at depth {depth}: {value:.2f} ms"
        for depth, value in near.items()
    )
    return holds(all(found.values()), f"A game, a move, a node in print; {why}.")


def _times(depth: int) -> list[float]:
    """All times in print at a depth, in ms: of a game, of a move, of a node."""
    names = ("ms_a_move", "ms_a_node")
    rows = [row for row in rates() if row["depth"] == depth]
    return [1000 * row[SECONDS] for row in rows] + [row[name] for row in rows for name in names]


def _nearest(depth: int, ms: float) -> float:
    return min(_times(depth), key=lambda time: abs(time - ms))


# --- the listing against the text -------------------------------------------------------

TIED = (0,) * 6 + (36,) + (0,) * 6 + (36,)


@judges("cs5329-rule-tie")
def a_tie(claim: Claim) -> Verdict:
    """The printed end test, asked at 36-36."""
    printed, mended = (finished(TIED, defects) for defects in (AS_PRINTED, CORRECTED))
    why = f"At 36-36 the printed end test says the game is over: {printed}; corrected: {mended}."
    return holds(printed, why)


@judges("cs5329-turn-may-stay")
def the_turn_may_stay(claim: Claim) -> Verdict:
    """A move of the start after which the same player moves, if there is one."""
    game = Kalah(6, 6)
    again = [pit for pit in game.moves(START) if game.play(START, pit).player == START.player]
    seen = {child.player for child in _children(AS_PRINTED)}
    why = f"From the start A moves again after pit {again}; the printed search gives B all "
    return holds(bool(again), why + f"{len(_children(AS_PRINTED))} replies: {seen == {NORTH}}.")


def _children(defects: Defects) -> list[Node]:
    program = Program(2, 2, defects)
    root = Node(*START)
    program.deep_enough(root, 0)
    return [child for child in root.children if child]


@judges("cs5329-move-gen")
def the_move_generator(claim: Claim) -> Verdict:
    """The children of the start beside what the rules make of each pit."""
    game = Kalah(6, 6)
    right = [game.play(START, pit).board for pit in game.moves(START)]
    printed, mended = (
        sum(child.board == board for child, board in zip(_children(defects), right, strict=True))
        for defects in (AS_PRINTED, CORRECTED)
    )
    why = f"Of the {len(right)} children of the start {printed} are what A's pit i leads to"
    return holds(printed == len(right), f"{why} as printed, {mended} with the mover corrected.")


@judges("cs5329-successors-when-deep")
def successors_when_deep(claim: Claim) -> Verdict:
    """The children made where DEEP-ENOUGH is true, and where it is false."""
    made = {}
    for depth in (2, 0):
        program, node = Program(2, 2, AS_PRINTED), Node(*START)
        leaf = program.deep_enough(node, depth)
        made[leaf] = len(node.children)
    why = (
        f"Children made where DEEP-ENOUGH is true: {made[True]}; where it is false: {made[False]}."
    )
    return holds(made[True] > 0, why)


@judges("cs5329-deep-enough")
def deep_enough(claim: Claim) -> Verdict:
    """DEEP-ENOUGH asked at the cut-off, above it, and where a store has won."""
    won = (0, 0, 0, 0, 0, 1, 37, 1, 0, 0, 0, 0, 0, 33)
    cases = [(2, START.board, True), (1, START.board, False), (1, won, True)]
    right = [
        Program(2, 2, AS_PRINTED).deep_enough(Node(board, SOUTH), depth) == leaf
        for depth, board, leaf in cases
    ]
    equal = len(_rows(verdict="equal"))
    why = f"{sum(right)} of {len(cases)} cases; with it {equal} rows of the table come out"
    return holds(all(right) and equal > 0 and not _rows(verdict="differs"), f"{why} to the digit.")


@judges("cs5329-rule-capture-menu")
def the_capture(claim: Claim) -> Verdict:
    """What either player banks whose last stone falls opposite an empty pit."""
    lone = (1, 0, 0, 0, 0, 3)
    board = (*lone, 9, *lone, 9)
    stores_after = [stores(sown(board, player, 0, AS_PRINTED).board) for player in (SOUTH, NORTH)]
    banked = [after[player] - 9 for player, after in enumerate(stores_after)]
    why = "Last stone in an empty pit opposite an empty one: A banks {} stones and B {}.".format(
        *banked
    )
    return holds(banked == [0, 0], why)


@judges("cs5329-winning-3")
def more_than_half(claim: Claim) -> Verdict:
    """The most stones in a store that do not decide a game yet."""
    most = max(
        store
        for store in range(73)
        if not decided((0,) * 6 + (store, *(0,) * 6, 72 - store)) and store >= 36
    )
    said = str(_number(claim))
    why = (
        f"The listing and its rule need more than {most}; section 6 prints {said}: a digit is lost."
    )
    return holds(str(most).startswith(said), why, slip=said != str(most))


@judges("cs5329-window-1000")
def two_windows(claim: Claim) -> Verdict:
    """The eight games of AlphaBetaSearch played with the other window."""
    same = [
        _with_window(_number(claim), evaluation, depth)
        for evaluation in EVALUATIONS
        for depth in (2, 4)
    ]
    why = f"With 1000 and -1000 the same moves and nodes in {sum(same)} of {len(same)} games"
    slip = _number(claim) != -UNSET
    return holds(all(same), f"{why}; section 10 prints 2000 and -2000, inverted too.", slip)


def _with_window(widest: int, evaluation: int, depth: int) -> bool:
    game = play_published("AlphaBetaSearch", evaluation, depth)
    program = Program(evaluation, depth, AS_PRINTED)
    pits = [pit_of_alpha_beta_search(program, Node(*at), widest) for at, _ in game.choices]
    played = [pit for _, pit in game.choices]
    return (pits, program.generated) == (played, game.generated)


@judges("cs5329-window-inverted")
def the_inverted_window(claim: Claim) -> Verdict:
    """Printed nodes expanded a move: an alpha-beta search expands more than one line of play."""
    own = [row for row in rates() if row["algorithm"] == "AlphaBetaSearch"]
    one_line = sum(row["expanded_a_move"] == row["depth"] for row in own)
    other = [row["expanded_a_move"] for row in rates() if row["algorithm"] == "MinMaxAB"]
    why = (
        f"In {one_line} of {len(own)} printed rows the nodes expanded a move are the depth itself: "
        f"one line of play. MinMaxAB has {min(other):.2f} to {max(other):.1f}."
    )
    return holds(one_line == 0, why)


SEARCH = ("inverted-window", "frozen-best", "parents-player", "last-equal-child")


@judges("cs5329-follows-textbook-ab", "cs5329-follows-textbook-mab")
def follows_the_textbook(claim: Claim) -> Verdict:
    """The algorithm's own departures mended: does a game change?"""
    algorithm = SHORT[claim.id.rpartition("-")[2]]
    own = SEARCH if algorithm == "AlphaBetaSearch" else ("pit-in-value-field",)
    games = [
        (play_published(algorithm, e, 2), play_published(algorithm, e, 2, Defects.without(*own)))
        for e in (2, 3, 4)
    ]
    changed = sum(a.generated != b.generated for a, b in games)
    why = (
        f"Its own {len(own)} departures mended, the nodes change in {changed} of {len(games)} games"
    )
    return holds(changed == 0, f"{why} (E2 to E4, depth 2) on the tree that it is given.")


@judges("cs5329-initial-call")
def the_initial_call(claim: Claim) -> Verdict:
    """MINIMAX-A-B called with its thresholds in the printed order, and in the other."""
    positions = [state for state, _ in play_published("MinMaxAB", 2, 2, CORRECTED).choices]
    right, swapped = (
        sum(
            _min_max_ab(state, use) == minimax(Kalah(6, 6), state, e2, Depth(2)).value
            for state in positions
        )
        for use in (-UNSET, UNSET)
    )
    why = f"Minimax's value in {right} of {len(positions)} positions, exchanged in {swapped}."
    return holds(right == len(positions) > swapped, why)


def _min_max_ab(state: tuple[tuple[int, ...], int], use: int) -> float:
    return min_max_ab(Program(2, 2, CORRECTED), Node(*state), 0, use, -use)


@judges("cs5329-pit-labels")
def the_labels_of_a(claim: Claim) -> Verdict:
    """The legible rows of A's pits, read in either direction, beside the replay."""
    logs = zip(transcripts(), [game.boards for game in map(_logged, transcripts())], strict=True)
    rows = [
        (printed["a"], list(side(board, SOUTH)))
        for log, boards in logs
        for printed, board in zip(log["boards"], boards, strict=True)
        if printed["a"] is not None
    ]
    reversed_, labelled = sum(a == b for a, b in rows), sum(a[::-1] == b for a, b in rows)
    why = f"Of {len(rows)} legible rows of A, {reversed_} fit the replay read from pit 5 to 0"
    return holds(reversed_ == len(rows), f"{why}, {labelled} as labelled.", labelled < len(rows))


def _logged(log: Row) -> PublishedGame:
    return play_published(log["algorithm"], log["evaluation"], log["depth"])


# --- the evaluation functions -----------------------------------------------------------


def _criteria(evaluation: int) -> Row:
    return criteria.criteria()[evaluation - 1]


@judges("cs5329-criterion-terminal")
def agrees_at_the_end(claim: Claim) -> Verdict:
    """Whether each printed evaluation orders finished games as their margins do."""
    ordered = {f"E{row['evaluation']}": row["ordered"] for row in criteria.criteria()}
    words = ", ".join(f"{name} {share:.0%}" for name, share in ordered.items())
    return holds(
        min(ordered.values()) == 1, f"Pairs of finished games in the right order: {words}."
    )


@judges("cs5329-e3-terminal", "cs5329-e4-terminal")
def precise_at_the_end(claim: Claim) -> Verdict:
    """The values of finished games that A lost and won."""
    row = _criteria(3 if "-e3-" in claim.id else 4)
    ends = (
        " to ".join(f"{value:g}" for value in row["lost"]),
        " to ".join(f"{value:g}" for value in row["won"]),
    )
    why = f"Finished games that A lost have {ends[0]}, those it won {ends[1]}"
    true = row["lost"][1] < 0 and row["ordered"] == 1
    return holds(true, f"{why}; {row['ordered']:.0%} of pairs are in the right order.")


@judges("cs5329-criterion-time")
def quick_enough(claim: Claim) -> Verdict:
    """Defined if a bound is printed."""
    reads = max(row["reads"][1] for row in criteria.criteria())
    why = f"No bound is printed; with six pits a side the four read at most {reads} of 14 cells."
    return holds_if_defined(bool(re.search(r"\d", claim.quote)), reads < 14, why)


@judges("cs5329-e1-formula")
def e1_is_never_set(claim: Claim) -> Verdict:
    """Defined if it has a value on some board in play."""
    defined = _criteria(1)["defined"]
    boards = len(criteria.boards_in_play())
    guess = play_published("MinMaxAB", 1, 2, e1_otherwise=0)
    row = _rows(algorithm="MinMaxAB", evaluation=1, depth=2)[0]
    why = (
        f"It has a value on {defined:.0%} of {boards} boards in play; 0 in its place gives "
        f"{guess.generated}/{guess.expanded}/{len(guess.moves)}, not {_counts(row, 'printed_')}."
    )
    return holds_if_defined(defined > 0, guess.generated == row["printed_generated"], why)


@judges("cs5329-e1-winning")
def e1_and_winning(claim: Claim) -> Verdict:
    """Its value in finished games that A won and lost."""
    row = _criteria(1)
    ends = [criteria.margin(board) for board in criteria.finished_boards()]
    lost, won = sum(end < 0 for end in ends), sum(end > 0 for end in ends)
    why = f"A to move, E1 is {row['won'][0]:g} in the {won} finished games that A won and"
    return holds(row["lost"] < row["won"], f"{why} {row['lost'][0]:g} in the {lost} it lost.")


@judges("cs5329-e2-formula", "cs5329-e3-formula", "cs5329-e4-formula")
def the_formula(claim: Claim) -> Verdict:
    """The rows of the table that come out with the formula as printed."""
    rows = _rows(evaluation=int(claim.id[8]))
    differ = sum(row["verdict"] in ("differs", "not defined") for row in rows)
    counts = ", ".join(_counts(row) for row in rows if row["algorithm"] == "MinMaxAB")
    why = f"With it {len(rows) - differ} of {len(rows)} rows come out, MinMaxAB's as {counts}"
    return holds(differ == 0, f"{why}; slips of the pen apart.")


@judges("cs5329-e2-guarantee")
def who_plays_first_wins(claim: Claim) -> Verdict:
    """The winners of the games with E2, as printed and corrected."""
    printed = [row["winner"] for row in _rows(evaluation=2)]
    game = play_published("AlphaBetaSearch", 2, 2, CORRECTED)
    why = (
        f"A wins {printed.count('A')} of {len(printed)} games as printed; corrected, depth 2 ends "
    )
    return holds({*printed, game.winner} == {"A"}, why + "{} to {}.".format(*game.stores))


@judges("cs5329-e2-linear-o1")
def constant_time(claim: Claim) -> Verdict:
    """The cells that E2 and E3 read on boards of several sizes."""
    reads = [_criteria(evaluation)["reads"] for evaluation in (2, 3)]
    constant = all(len(set(each)) == 1 for each in reads)
    why = f"With {criteria.WIDTHS} pits a side E2 reads {reads[0]} cells and E3 {reads[1]}"
    return holds(constant, f"{why}: constant, not linear.", slip="linear" in claim.quote)


@judges("cs5329-e3-zero")
def e3_divides_by_zero(claim: Claim) -> Verdict:
    """E3 asked where only the other store is empty."""
    board = (6, 6, 6, 6, 6, 0, 1, 6, 6, 6, 6, 6, 6, 0)
    value = criteria.printed_value(3, board, SOUTH)
    why = (
        "With stores 1 and 0, A to move, it divides 1 by 0: the guard looks at the own store alone."
    )
    return holds(value is not None, why)


@judges("cs5329-e3-same-value", "cs5329-e4-same-value")
def one_value_a_board(claim: Claim) -> Verdict:
    """The share of boards that have one value, whoever is to move."""
    row = _criteria(3 if "-e3-" in claim.id else 4)
    boards = len(criteria.boards_in_play())
    why = f"Of {boards} boards {row['defined']:.0%} have a value; of these {row['same']:.0%}"
    return holds(row["defined"] == row["same"] == 1, f"{why} have the same for either player.")


@judges("cs5329-e4-player")
def e4_and_the_player(claim: Claim) -> Verdict:
    """Whether its value ever depends on who is to move."""
    same = _criteria(4)["same"]
    why = f"Its value is the same for A and B on {same:.0%} of boards: it reads A's pits for both."
    return holds(same < 1, why)


# --- memory -----------------------------------------------------------------------------


@judges("cs5329-one-path-in-memory", "cs5329-minimax-space")
def one_path(claim: Claim) -> Verdict:
    """The nodes that minimax holds at a time, counted while it runs."""
    rows = comparison.held_nodes()
    true = all(row["path"] == row["depth"] + 1 and row["held"] <= row["bound"] for row in rows)
    why = (
        "At depth {depth} minimax generates {generated} nodes and holds a path of {path}, {held} "
        "with the siblings (at most b m + 1 = {bound})."
    )
    return holds(true, why.format(**rows[-1]))


@judges("cs5329-81-bytes")
def bytes_a_node(claim: Claim) -> Verdict:
    """The size of the printed class, by pointers and gaps."""
    sizes = comparison.node_bytes()
    words = ", ".join(f"{size} ({name})" for name, size in sizes.items())
    return holds(81 in sizes.values(), f"The printed class takes, in bytes: {words}.")


@judges("cs5329-memory-formula")
def memory_formula(claim: Claim) -> Verdict:
    """81 bytes times the nodes beside the bytes and KB of the logs."""
    rows = comparison.totals()
    right = [
        (row["printed_bytes"], row["printed_memory_kb"]) == (row["bytes"], row["memory_kb"])
        for row in rows
    ]
    words = ", ".join(f"81 x {row['generated']} = {row['bytes']}" for row in rows)
    return holds(all(right), f"In {sum(right)} of {len(rows)} logs: {words}.")


# --- the logs ---------------------------------------------------------------------------

OUTPUTS = ("1", "2", "3")


@judges(*(f"cs5329-output-{number}-boards" for number in OUTPUTS))
def boards_of_a_log(claim: Claim) -> Verdict:
    """The legible fields of its boards beside the replay."""
    rows = [row for row in _replayed() if row["title"] == _title(claim)]
    legible, wrong = (
        sum(row["legible"] for row in rows),
        sum(len(row["contradicts"]) for row in rows),
    )
    why = f"{len(rows)} boards, {legible} legible fields, {wrong} of them contradict the replay."
    return holds(legible > 0 and wrong == 0, why)


@cache
def _replayed() -> list[Row]:
    return comparison.replay_transcripts()


def _title(claim: Claim) -> str:
    return f"Output {claim.id.split('-')[2]}"


def _output(claim: Claim) -> Row:
    [row] = [row for row in comparison.totals() if row["title"] == _title(claim)]
    return row


@judges(*(f"cs5329-output-{number}-totals" for number in OUTPUTS))
def totals_of_a_log(claim: Claim) -> Verdict:
    """The totals below it beside the replay."""
    row = _output(claim)
    names = [name[8:] for name in row if name.startswith("printed_") and row[name] is not None]
    same = [name for name in names if row[name] == row[f"printed_{name}"]]
    why = (
        f"{len(same)} of {len(names)} printed totals come out: {_counts(row)}, {row['bytes']} bytes"
    )
    return holds(len(same) == len(names), f"{why} (generated/expanded/moves).")


@judges(*(f"cs5329-output-{number}-seconds" for number in OUTPUTS))
def seconds_of_a_log(claim: Claim) -> Verdict:
    """Decided if the table says the same of the same game."""
    row = _output(claim)
    table = _in_table(row)[SECONDS]
    ms = 1000 * row[SECONDS] / row["path"]
    why = f"{row[SECONDS]} s in the log, {table} s in the table, {ms:.1f} ms a move."
    return holds_if_decided(row[SECONDS] == table, True, why)


@judges("cs5329-output-1-winner")
def winner_of_output_1(claim: Claim) -> Verdict:
    """The end of the replayed game."""
    game = _logged(transcripts()[0])
    final = transcripts()[0]["final"]
    why = f"Replayed, {game.winner} wins {game.stores[0]} to {game.stores[1]}."
    true = (game.winner, game.stores[0]) == ("A", _number(claim)) and final[
        "store_a"
    ] == game.stores[0]
    return holds(true, why)


@judges("cs5329-output-1-process-time")
def process_time(claim: Claim) -> Verdict:
    """Decided if it is about the time of the search."""
    rows = comparison.totals()
    times = [row["process_seconds"] / row[SECONDS] for row in rows]
    why = ", ".join(f"{row['process_seconds']:.3f} s for {row['generated']} nodes" for row in rows)
    return holds_if_decided(max(times) < 2, True, f"{why}: the menu and its user are in it.")


@judges("cs5329-output-2-4031")
def nodes_of_output_2(claim: Claim) -> Verdict:
    """81 bytes times the recomputed and the printed nodes."""
    row = comparison.totals()[1]
    printed = _in_table(row)["generated"]
    why = (
        f"81 x {row['generated']} = {row['bytes']}; the table's {printed} would be {81 * printed}."
    )
    return holds(row["bytes"] == _number(claim) != 81 * printed, why)


@judges("cs5329-output-4")
def a_heading_only(claim: Claim) -> Verdict:
    """Decided if there is a log."""
    logs = [log for log in transcripts() if log["evaluation"] == 4]
    games = [_counts(row) for row in _rows(evaluation=4, depth=4)]
    why = (
        f"{len(logs)} logs of E4 in the copy; the heading names no algorithm: {' or '.join(games)}."
    )
    return holds_if_decided(bool(logs), True, why)
