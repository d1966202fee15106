"""What a recorded search left out, what the order of the moves does to it, and printed examples."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import pandas as pd
from matplotlib.figure import Figure

from kalahlab.data import data_rows
from kalahlab.evaluators.tree import written_value
from kalahlab.games.hand_tree import MAX, MIN, Branch, HandTree
from kalahlab.games.kalah import Board, Kalah, State, sow
from kalahlab.grid import Row
from kalahlab.judging.judged import Judged
from kalahlab.judging.worth import search_values
from kalahlab.published.cs5329 import AS_PRINTED, Node, Program
from kalahlab.report.draw import axes
from kalahlab.report.draw.style import PALETTE, alt
from kalahlab.search import Depth, alpha_beta
from kalahlab.trace import Trace, number, record
from kalahlab.words import Words, tables

say = Words("studies", "s03_pruning")

OUR_ANSWERS: dict[str, str] = tables("studies")["questions"]
"""The five questions for DEEP-ENOUGH that section 5.4 of the CS5329 report prints, and what of
this package asks each."""


def walk(trace: Trace) -> list[tuple[list[str], float, float]]:
    """The visited nodes in order: the path to each, and the window it was entered with."""
    return [(trace.path(visit.id), visit.alpha, visit.beta) for visit in trace.visited()]


def printed_examples() -> dict[tuple[str, str, str], int]:
    """Numbers of the CS5329 report's worked examples, by example, place and what is printed."""
    rows = data_rows("cs5329_examples.csv", value=int)
    return {(row["example"], row["place"], row["printed"]): row["value"] for row in rows}


def without_sign(node: Branch, depth: int) -> tuple[float, str]:
    """MINIMAX as section 5.2 of the CS5329 report prints it: value, and the name of the move.

    Its step 4(b) sets NEW-VALUE to VALUE(RESULT-SUCC), where Rich & Knight negate it. STATIC is
    from the side of the player to move.
    """
    if depth == 0 or not node.children:
        return written_value(node.board, node.player), ""
    values = [(without_sign(child, depth - 1)[0], child.name) for child in node.children]
    return max(values, key=lambda value: value[0])


def seven_steps(trace: Trace) -> pd.DataFrame:
    """The seven steps of section 5.7 beside what a recorded alpha-beta has there.

    trace: of a tree with the shape of `hand_tree.SEVEN_STEPS`. `found` is None for a cut that
    was not made. `equal`: whether it is what is printed; step 6 prints two numbers.
    """
    nodes = {visit.name: visit for visit in trace.nodes}
    cuts = {trace.nodes[cut.node].name: cut for cut in trace.cuts}
    bound = {name: cut.bound for name, cut in cuts.items()}
    value = {name: cut.value for name, cut in cuts.items()}
    found = {
        "value of the parent of the leaves 2 and 3": nodes["A1"].value,
        "beta of A": nodes["B"].beta,
        "bound that cuts B": bound.get("B"),
        "alpha of C": nodes["D"].alpha,
        "value at which D is cut": value.get("D"),
        "value at which E is cut": value.get("E"),
        "alpha that cuts E": bound.get("E"),
        "value of C": trace.result.value,
    }
    rows = [
        {
            "step": place.removeprefix("step "),
            "what": what,
            "printed": printed,
            "found": found[what],
        }
        for (example, place, what), printed in printed_examples().items()
        if example == "seven steps"
    ]
    return pd.DataFrame(rows).assign(equal=lambda table: table["printed"] == table["found"])


def two_plies_in_words(one: Trace, two: Trace, literal: tuple[float, str]) -> str:
    """The moves of one ply and of two, and of the steps as printed: see `without_sign`."""
    moves = [trace.nodes[trace.principal[1]].name for trace in (one, two)]
    values, (value, move) = [one.result.value, two.result.value], literal
    name = "steps-same" if (value, move) == (values[1], moves[1]) else "steps-differ"
    return say("two-plies", moves=moves, values=values, steps=say(name, move=move, value=value))


def bounds_of_six() -> pd.DataFrame:
    """Below a bound of 6: whether a node that finds 5, 6 or 7 is cut. Section 5.7's two rules."""
    rows = []
    for below, above in (("MIN", MAX), ("MAX", MIN)):
        for found in (5, 6, 7):
            leaves = tuple(Branch(name, above, found) for name in ("first", "second"))
            children = (Branch("sure", 1 - above, 6), Branch("other", 1 - above, 0, leaves))
            root = Branch("root", above, 0, children)
            # a search begins with MAX, so MIN's root gets one above it
            tree = HandTree(root if above == MAX else Branch("top", MAX, 0, (root,)))
            trace = record(alpha_beta, tree, tree.start(), written_value, Depth(9))
            rows.append({"below": below, "finds": found, "cut": len(trace.cuts) > 0})
    return pd.DataFrame(rows)


def replies_in_words(choice: int, found: Mapping[int, int]) -> str:
    """What `replies` finds, beside the printed number of choices."""
    printed = printed_examples()["game tree", "section 4.2", "replies after choice 3"]
    agree = [count for count, moves in found.items() if moves == printed]
    beside = say("replies-right" if agree else "replies-never", printed=printed, stones=agree[:1])
    spans = {"least": min(found.values()), "most": max(found.values())}
    return say("replies", choice=choice, first=min(found), last=max(found), beside=beside, **spans)


def replies(choice: int, stones: Iterable[int], pits: int = 6) -> dict[int, int]:
    """How many moves the second player has after an opening sow that passes the turn.

    choice: the pit sown, from 1. Keys are the stones in each pit at the start.
    """
    after = {}
    for count in stones:
        game = Kalah(pits, count)
        state = game.play(game.start(), choice - 1)
        if state.player != game.start().player:
            after[count] = len(game.moves(state))
    return after


def one_ply_more(sample: Iterable[Judged]) -> Iterator[Row]:
    """Where one ply plays into a capture, and two plies play another move.

    By the store difference, under standard rules, in positions where either depth has a single
    best move, so that no order decides. Rows: state; one, two: the pits played (from 0); reply: the
    opponent's best pit after `one`, a capture of so many stones (`captured`); lost_one, lost_two:
    the stones that either move gives up by perfect play.
    """
    game = Kalah()
    for row in sample:
        one, two = (_single_best(search_values(game, row.state, depth)) for depth in (1, 2))
        if one is None or two is None or one == two:
            continue
        after = game.play(row.state, one)
        if after.player == row.state.player or game.over(after):
            continue
        values = search_values(game, after, 1)
        reply = max(values, key=values.__getitem__)
        if captured := sow(after.board, after.player, reply, capture_empty=False).captured:
            yield {
                "state": row.state, "one": one, "two": two, "reply": reply, "captured": captured,
                "lost_one": row.regret(one), "lost_two": row.regret(two),
            }  # fmt: skip


def _single_best(values: Mapping[int, float]) -> int | None:
    """The pit of the highest value; None if several have it."""
    best = [pit for pit, value in values.items() if value == max(values.values())]
    return best[0] if len(best) == 1 else None


def telling(rows: Iterable[Row]) -> Row:
    """Of `one_ply_more`, the greatest capture where two plies give up nothing and one ply does."""
    cured = (row for row in rows if row["lost_one"] > row["lost_two"] == 0)
    return max(cured, key=lambda row: row["captured"])


def one_ply_more_in_words(rows: Sequence[Row]) -> str:
    """How often the second ply gave up fewer stones than the first, in words: `one_ply_more`."""
    better = sum(row["lost_two"] < row["lost_one"] for row in rows)
    worse = sum(row["lost_two"] > row["lost_one"] for row in rows)
    how = "does not help here"
    if better > worse:
        how = "helps more often than it harms, but not always" if worse else "never harms here"
    return say("one-ply-more", positions=len(rows), better=better, worse=worse, how=how)


def by_plies(state: State, depths: Sequence[int] = (1, 2)) -> pd.DataFrame:
    """What each pit (from 1) is worth to the mover by the store difference, so many plies deep."""
    columns = {f"depth {depth}": search_values(Kalah(), state, depth) for depth in depths}
    return pd.DataFrame(columns).rename(index=lambda pit: pit + 1).rename_axis("pit")


def asked_by_their_program() -> set[str]:
    """Which of the five questions change what the CS5329 program's DEEP-ENOUGH answers.

    It is given the node and the depth, so it can ask neither a clock nor a window.
    """
    game = Kalah(6, 6)
    start, finished = game.start().board, (0,) * 6 + (72,) + (0,) * 7
    extra_turn = (1, 0, 0, 0, 0, 1, 35, 0, 0, 0, 0, 0, 1, 34)
    quiet, loud = (game.quiet(State(board, 0)) for board in (start, extra_turn))

    def stops(board: Board, depth: int) -> bool:
        return Program(evaluation=2, depth=2, defects=AS_PRINTED).deep_enough(Node(board, 0), depth)

    won, plies, _, _, stable = OUR_ANSWERS
    changes = {
        won: stops(finished, 0) != stops(start, 0),
        plies: stops(start, 2) != stops(start, 0),
        stable: quiet != loud and stops(start, 2) != stops(extra_turn, 2),
    }
    return {question for question, changed in changes.items() if changed}


def questions(asked: Collection[str]) -> pd.DataFrame:
    """The printed questions for DEEP-ENOUGH, what asks each here, and whether the program does.

    asked: the questions of `OUR_ANSWERS` that the report's program asks.
    """
    rows = [
        {
            "question": question,
            "in this package": here or "not asked",
            "asked by the report's program": "yes" if question in asked else "no",
        }
        for question, here in OUR_ANSWERS.items()
    ]
    return pd.DataFrame(rows)


def beside_print(printed: Mapping[int, Sequence[float]], trace: Trace) -> pd.DataFrame:
    """The printed leaf values and the recomputed ones, a row for each first move of B."""
    found = {}
    for child in (trace.nodes[id] for id in trace.nodes[0].children):
        values = (trace.nodes[id].value for id in child.children)
        found[child.node.move] = tuple(value for value in values if value is not None)
    rows = [
        (move + 1, f"B{move}", _list(values), _list(found[move]), values == found[move])
        for move, values in printed.items()
    ]
    columns = ["pit", "name in the report", "leaves, printed", "leaves, recomputed", "equal"]
    return pd.DataFrame(rows, columns=columns)


def _list(values: Iterable[float]) -> str:
    return ", ".join(number(value) for value in values)


def worked_tree_in_words(trace: Trace, printed: int) -> str:
    """Whether a search chooses the printed move, a pit from 0, in words; and its first cut."""
    move, why = int(trace.result.move), trace.why(trace.cuts[0])
    pits = {"pit": move + 1, "which": "the same pit" if move == printed else "another"}
    value = trace.result.value
    return say("worked-tree", why=why, value=value, printed=printed, as_here=printed + 1, **pits)


def same_walk(one: Trace, two: Trace) -> str:
    """Whether two searches visit the same nodes with the same windows, in words."""
    walks = [walk(trace) for trace in (one, two)]
    counts = [str(len(each)) for each in walks]
    return say("same-walk" if walks[0] == walks[1] else "other-walk", counts=counts)


def draw_orders(orders: pd.DataFrame, minimax: int, depth: int) -> Figure:
    """Nodes visited by alpha-beta under each order, beside those of minimax."""
    figure, [[ax]] = axes.panels(1, 1, (8, 3))
    ax.barh(orders["order"], orders["visited"], color=PALETTE["blue"])
    for order, visited in zip(orders["order"], orders["visited"], strict=True):
        ax.annotate(
            f"{visited:,} ({visited / minimax:.0%})", (visited, order), xytext=(5, 0),
            textcoords="offset points", va="center",
        )  # fmt: skip
    ax.axvline(minimax, color=PALETTE["vermilion"], linestyle="--")
    ax.annotate(
        f"minimax: {minimax:,}", (minimax, 1), xytext=(0, 4), xycoords=ax.get_xaxis_transform(),
        textcoords="offset points", ha="right", color=PALETTE["vermilion"],
    )  # fmt: skip
    ax.set(xlabel="nodes visited", ylabel="move order", xlim=(0, minimax * 1.05))
    axes.plain_numbers(ax.xaxis)
    ax.invert_yaxis()
    return alt(figure, say("draw-orders", depth=depth, orders=len(orders)))


def draw_growth(costs: pd.DataFrame) -> Figure:
    """Nodes against depth, a line an algorithm and order."""
    named = costs.assign(search=costs["algorithm"] + ", " + costs["order"] + " order")
    return axes.draw_growth(named, "visited", "search", "nodes visited", say("draw-growth"))


def counted(row: Mapping[str, int]) -> str:
    """The counts of one search in words, each by its name: a row of `search_costs`."""
    rest = row["generated"] + 1 - row["visited"]
    unread = f"{rest:,} of the children were never visited" if rest else "it visited every child"
    return say("counted", row=row, unread=unread)


def safety(traces: Iterable[Trace]) -> str:
    """Whether the other player has an alternative to each node that is cut, in words."""
    pairs = [(trace.nodes[cut.node].player, cut) for trace in traces for cut in trace.cuts]
    paid = sum(
        cut.value <= cut.bound if player == "MIN" else cut.value >= cut.bound
        for player, cut in pairs
    )
    return say("unsafe" if paid < len(pairs) else "safe", paid=paid, cutoffs=len(pairs))


def same_value(rows: pd.DataFrame) -> str:
    """Whether all searches of a position found one value at each depth, in words."""
    values = rows.groupby("depth")["value"].unique()
    differ = [depth for depth, found in values.items() if len(found) > 1]
    ends = {"first": values.index.min(), "last": values.index.max()}
    return say("other-value" if differ else "same-value", differ=differ, **ends)


def moves_by_order(rows: pd.DataFrame) -> str:
    """Whether the order changes the move that alpha-beta plays, in words."""
    asked = rows[rows["algorithm"] == "alpha_beta"]
    table = asked.pivot(index="depth", columns="order", values="move")
    differ = table[table.nunique(axis="columns") > 1]
    if differ.empty:
        return say("same-move", orders=table.shape[1])
    played = [f"pit {move} ({order})" for order, move in differ.iloc[-1].items()]
    tied = asked[asked["depth"].isin(differ.index)].groupby("depth")["value"].nunique().eq(1).all()
    facts = {"differ": len(differ), "of": len(table), "depth": differ.index[-1]}
    return say("other-move", played=played, why=say("ties") if tied else "", **facts)


def saved(costs: pd.DataFrame, orders: pd.DataFrame, depth: int) -> str:
    """How many of minimax's nodes alpha-beta visits, and what the order does to it, in words."""
    full = costs.loc[costs["algorithm"] == "minimax", "visited"].item()
    by_order = orders.set_index("order")["visited"].sort_values(kind="stable")
    times = by_order.iloc[-1] / by_order.iloc[0]
    nodes = [f"{count:,} ({name})" for name, count in by_order.items()]
    order = say("order-none" if times == 1 else "order-times", times=times)
    return say("saved", depth=depth, full=full, nodes=nodes, order=order)


def finding(costs: pd.DataFrame, orders: pd.DataFrame, curves: pd.DataFrame) -> str:
    """How much of minimax's tree alpha-beta visits, and whether the value stays, in a sentence."""
    full = costs.loc[costs["algorithm"] == "minimax", "visited"].item()
    least, most = orders["visited"].min(), orders["visited"].max()
    depths = curves.groupby("depth")["value"].nunique()
    same = int((depths == 1).sum())
    shares = " to ".join(f"{share:.0%}" for share in dict.fromkeys([least / full, most / full]))
    where = f"each depth up to {depths.index.max()}"
    if same < len(depths):
        where = f"only {same} of {len(depths)} depths"
    return say("finding", depth=orders["depth"].iloc[0], shares=shares, full=full, where=where)


def conclusion(
    traces: Iterable[Trace], costs: pd.DataFrame, orders: pd.DataFrame, curves: pd.DataFrame
) -> str:
    """What is left out, why, what the order does to it, and what follows, in words.

    traces: the searches drawn. costs: a row an algorithm, and orders: a row an order of
    alpha-beta, of one position at one depth. curves: the same at several depths.
    """
    value = f"**What the order changes.** {same_value(curves)} {moves_by_order(curves)}"
    depth = int(orders["depth"].iloc[0])
    return "\n\n".join((safety(traces), saved(costs, orders, depth), value, say("follows")))
