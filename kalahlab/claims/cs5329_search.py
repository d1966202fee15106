"""What the CS5329 report says of search: its textbook part (notebooks 03 and 08)."""

from collections.abc import Iterator
from functools import cache, reduce
from itertools import pairwise
from typing import Any

import pandas as pd

from kalahlab.claims.model import Claim, Found, every, holds
from kalahlab.evaluators.kalah import staged, store_difference
from kalahlab.evaluators.tree import written_value
from kalahlab.experiments import search_costs
from kalahlab.games.hand_tree import (
    AIMA_5_2,
    RICH_KNIGHT_12_3,
    RICH_KNIGHT_12_5,
    SEVEN_STEPS,
    Branch,
    HandTree,
    with_leaf,
)
from kalahlab.games.kalah import Kalah
from kalahlab.published.comparison import printed_table
from kalahlab.published.staged import GAME, worked_position
from kalahlab.search import Depth, alpha_beta, minimax, minimax_a_b
from kalahlab.studies import s03_pruning, s08_pruning
from kalahlab.trace import Cut, Trace, Visit, number, record

HAND = Depth(9)
"""Deeper than any tree written by hand."""
ARITY = 4
PLIES = 5


@cache
def by_hand(tree: HandTree) -> Trace:
    """Alpha-beta on a tree written by hand."""
    return record(alpha_beta, tree, tree.start(), written_value, HAND)


@cache
def full(tree: HandTree, depth: Depth = HAND) -> Trace:
    """Minimax on a tree written by hand."""
    return record(minimax, tree, tree.start(), written_value, depth)


@cache
def in_kalah(pruned: bool = True) -> Trace:
    """A search of Kalah(6, 4) from its start, four sows deep."""
    search = alpha_beta if pruned else minimax
    return record(search, Kalah(), Kalah().start(), store_difference, Depth(4))


@cache
def thresholds_by_hand() -> Trace:
    """MINIMAX-A-B on figure 12.5."""
    tree = RICH_KNIGHT_12_5
    return record(minimax_a_b, tree, tree.start(), written_value, HAND)


@cache
def worked_tree() -> Trace:
    """The worked tree of the staged-heuristic report, which has a cut at equality."""
    return record(alpha_beta, GAME, worked_position(), staged, Depth(2))


@cache
def kalah() -> pd.DataFrame:
    """Minimax and alpha-beta in four orders from the start of Kalah(6, 4), depths 1 to 5."""
    start, depths = Kalah().start(), range(1, PLIES + 1)
    orders = ["pit", "store_first", "static", "worst_first"]
    rows = search_costs(start, ["minimax"], depths)
    return pd.DataFrame(rows + search_costs(start, ["alpha_beta"], depths, orders))


@cache
def leaves() -> dict[str, list[int]]:
    """Leaves evaluated in random trees of four moves a node, by search, at depths 1 to 4."""
    depths = range(1, 5)
    rows = s08_pruning.uniform_costs(ARITY, ["minimax"], depths)
    rows += s08_pruning.uniform_costs(ARITY, ["alpha_beta"], depths, ["anti_oracle", "oracle"])
    found: dict[str, list[int]] = {"minimax": [], "anti_oracle": [], "oracle": []}
    for row in rows:
        found["minimax" if row["algorithm"] == "minimax" else row["order"]].append(row["evaluated"])
    return found


def named(trace: Trace, name: str) -> Visit:
    """The first node of that name."""
    return next(visit for visit in trace.nodes if visit.name == name)


def cuts(player: str) -> Iterator[Cut]:
    """The cuts at nodes of one player, in the trees that notebook 03 shows."""
    traces = (by_hand(AIMA_5_2), by_hand(SEVEN_STEPS), thresholds_by_hand(), worked_tree())
    for trace in (*traces, in_kalah()):
        yield from (cut for cut in trace.cuts if trace.nodes[cut.node].player == player)


def printed(example: str, place: str, what: str) -> int:
    """A number of the report's worked examples."""
    return s03_pruning.printed_examples()[example, place, what]


def depth_first(claim: Claim) -> Found:
    """Each node is entered below the node entered before it, or below one of its ancestors."""
    nodes = in_kalah(pruned=False).nodes
    followed = 0
    for before, visit in pairwise(nodes):
        above: int | None = before.id
        while above is not None and above != visit.parent:
            above = nodes[above].parent
        followed += above is not None
    deepest = max(visit.node.sows for visit in nodes)
    right = followed == len(nodes) - 1 and deepest == 4
    return holds(right, nodes=len(nodes), followed=followed, deepest=deepest)


def four_replies(claim: Claim) -> Found:
    """The moves after the third choice, for many numbers of stones."""
    found = sorted(s03_pruning.replies(3, range(1, 15)).values())
    said = printed("game tree", "section 4.2", "replies after choice 3")
    return holds(said in found, least=found[0], most=found[-1], said=said)


def huge(claim: Claim) -> Found:
    """The factor on one position, and no number to hold it against."""
    at = kalah()[kalah()["depth"] == 4].set_index(["algorithm", "order"])["visited"]
    factor = at["minimax", "pit"] / at["alpha_beta", "pit"]
    return holds(False, defined=bool(claim.numbers), factor=factor)


def whose_turn(claim: Claim) -> Found:
    """Whether MAX chooses just where the player of the root moves, extra turns included."""
    nodes = in_kalah(pruned=False).nodes
    first = nodes[0].node.state.player
    again = sum(visit.extra_turn for visit in nodes)
    right = (visit.node.maximizing == (visit.node.state.player == first) for visit in nodes)
    return every(right, again > 0, again=again)


def one_ply(claim: Claim) -> Found:
    """Minimax one ply deep on Rich & Knight's tree."""
    trace = full(RICH_KNIGHT_12_3, Depth(1))
    move, value = trace.nodes[trace.principal[1]], trace.result.value
    right = value == move.value == printed("one ply", "section 5.1", "value of A")
    return holds(right and move.name == "B", value=value, move=move.name)


def static_range(claim: Claim) -> Found:
    """The values of Rich & Knight's tree."""
    values = [visit.value for visit in full(RICH_KNIGHT_12_3).nodes if visit.value is not None]
    values += [child.value for child in RICH_KNIGHT_12_3.root.children]
    ends = [printed("range", "section 5.1", f"{end} static value") for end in ("least", "greatest")]
    least, most = min(values), max(values)
    return holds(ends[0] <= least and most <= ends[1], least=least, most=most, ends=ends)


def two_plies(claim: Claim) -> Found:
    """Minimax two plies deep on Rich & Knight's tree."""
    trace = full(RICH_KNIGHT_12_3, Depth(2))
    values = [f"{name} {number(named(trace, name).value)}" for name in "BCD"]
    best, value = trace.nodes[trace.principal[1]].name, trace.result.value
    said = printed("two plies", "section 5.1", "value of the best move C")
    return holds(best == "C" and value == said, values=values, best=best, value=value)


def reply_f(claim: Claim) -> Found:
    """MIN's choice below B."""
    trace = full(RICH_KNIGHT_12_3, Depth(2))
    children = [trace.nodes[id] for id in named(trace, "B").children]
    reply = min(children, key=lambda visit: visit.value or 0).name
    return holds(
        reply == "F", reply=reply, values=[f"{v.name} {number(v.value)}" for v in children]
    )


def missing_sign(claim: Claim) -> Found:
    """The printed step on the printed example, with the sign and without."""
    value, move = s03_pruning.without_sign(RICH_KNIGHT_12_3.root, 2)
    right = full(RICH_KNIGHT_12_3, Depth(2)).result.value
    said = printed("two plies", "section 5.1", "value of the best move C")
    slip = "-VALUE(" not in claim.quote and value != said
    return holds(right == said, slip, right=right, move=move, value=value)


def two_results(claim: Claim) -> Found:
    """Whether the path that minimax returns ends at a node with the value that it returns."""
    found, game = in_kalah(pruned=False).result, Kalah()
    last = reduce(game.play, found.line, game.start())
    worth, path = store_difference(last.board, 0), len(found.line)
    return holds(worth == found.value and path == 4, value=found.value, path=path, worth=worth)


def backing_up(claim: Claim) -> Found:
    """Whether each inner node has the greatest or least value of its children."""
    traces = [full(AIMA_5_2), full(RICH_KNIGHT_12_5), in_kalah(pruned=False)]
    inner = ((trace, visit) for trace in traces for visit in trace.nodes if visit.children)
    return every(
        visit.value == (max if visit.player == "MAX" else min)(values)
        for trace, visit in inner
        for values in [[trace.nodes[id].value or 0 for id in visit.children]]
    )


def criteria(claim: Claim) -> Found:
    """How many of the five questions the program asks, and the printed table varies."""
    asked = len(s03_pruning.asked_by_their_program())
    table = pd.DataFrame(printed_table())
    varied = [name for name in ("depth", "clock", "promise", "stability") if name in table]
    questions, names = len(s03_pruning.OUR_ANSWERS), ", ".join(varied)
    facts: dict[str, Any] = {
        "questions": questions,
        "asked": asked,
        "varied": len(varied),
        "names": names,
    }
    return holds(False, decided=len(varied) > 1, **facts)


def first_window(claim: Claim) -> Found:
    """The window of the root."""
    root = by_hand(AIMA_5_2).nodes[0]
    return holds((root.alpha, root.beta) == (float("-inf"), float("inf")), root=root)


def whole_subtrees(claim: Claim) -> Found:
    """Cuts whose unread children would have had children of their own."""
    trace = in_kalah()
    unread = [trace.nodes[id] for cut in trace.cuts for id in cut.untried]
    inner = [each for each in unread if each.node.sows < 4 and not Kalah().over(each.node.state)]
    return holds(len(inner) > 0, cuts=len(trace.cuts), unread=len(unread), inner=len(inner))


def one_way(claim: Claim) -> Found:
    """α and β on entering the children of a node, one after the other."""
    nodes = in_kalah().nodes
    steps = [
        (nodes[a], nodes[b])
        for visit in nodes
        for a, b in pairwise(id for id in visit.children if nodes[id].value is not None)
    ]
    wrong = sum(a.alpha > b.alpha or a.beta < b.beta for a, b in steps)
    return holds(wrong == 0, wrong=wrong, steps=len(steps))


def irrelevant(claim: Claim) -> Found:
    """The value of trees with every leaf that was not read set to ±1,000,000."""
    unchanged = []
    for tree in (AIMA_5_2, RICH_KNIGHT_12_5, SEVEN_STEPS):
        read = {id(visit.node.state) for visit in by_hand(tree).visited()}
        for path in (path for path, leaf in _leaves(tree.root) if id(leaf) not in read):
            for value in (-1e6, 1e6):
                root = with_leaf(tree.root, path, value)
                changed = minimax(HandTree(root), root, written_value, HAND).value
                unchanged.append(changed == by_hand(tree).result.value)
    return every(unchanged)


def _leaves(node: Branch, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Branch]]:
    """The leaves of a tree with the ways to them."""
    if not node.children:
        yield path, node
    for place, child in enumerate(node.children):
        yield from _leaves(child, (*path, place))


def six(claim: Claim) -> Found:
    """Where a bound of 6 cuts a node of MIN or MAX that finds 5, 6 or 7."""
    table = s03_pruning.bounds_of_six().set_index("below").loc[claim.of].set_index("finds")["cut"]
    cut = [finds for finds, made in table.items() if made]
    expected = [5, 6] if claim.of == "MIN" else [6, 7]
    return holds(cut == expected, below=claim.of, cut=" or ".join(map(str, cut)))


def step(claim: Claim) -> Found:
    """A step of section 5.7, beside alpha-beta on the tree that its text describes."""
    table = s03_pruning.seven_steps(by_hand(SEVEN_STEPS))
    rows = table[table["step"] == claim.of].to_dict("records")
    wrong = [row for row in rows if not row["equal"]]
    said = "; ".join(f"{row['what']}: {row['found']}, printed {row['printed']}" for row in rows)
    return holds(len(wrong) < len(rows), bool(wrong), said=said[0].upper() + said[1:])


def rule_of_pruning(claim: Claim) -> Found:
    """The cuts at nodes of one player: the node's value and the bound that it reached."""
    player, found = claim.of, list(cuts(claim.of))
    equal = sum(c.value == c.bound for c in found)
    paid = (c.value <= c.bound if player == "MIN" else c.value >= c.bound for c in found)
    bound = "α or less" if player == "MIN" else "β or more"
    return every(paid, equal > 0, player=player, bound=bound, equal=equal)


def order_matters(claim: Claim) -> Found:
    """The nodes of alpha-beta in four orders."""
    last = kalah()[(kalah()["depth"] == PLIES) & (kalah()["algorithm"] == "alpha_beta")]
    nodes = last.set_index("order")["visited"]
    factor = nodes.max() / nodes.min()
    listed = [f"{count:,} ({order})" for order, count in nodes.items()]
    return holds(factor > 2, depth=PLIES, nodes=listed, factor=factor)


def pseudocode(claim: Claim) -> Found:
    """Alpha-beta on Russell & Norvig's figure 5.2."""
    trace = by_hand(AIMA_5_2)
    value = trace.result.value
    unread = [trace.nodes[id].name for cut in trace.cuts for id in cut.untried]
    return holds(value == 3 and unread == ["c2", "c3"], value=value, unread=" and ".join(unread))


def same_walk(claim: Claim) -> Found:
    """MINIMAX-A-B and alpha-beta, node by node: paths and windows."""
    other = record(minimax_a_b, Kalah(), Kalah().start(), store_difference, Depth(4))
    one, two = s03_pruning.walk(in_kalah()), s03_pruning.walk(other)
    open_brackets = claim.quote.count("(") - claim.quote.count(")")
    slip = f" The printed call lacks {open_brackets} closing bracket." if open_brackets else ""
    return holds(one == two, bool(slip), nodes=len(two), same=one == two, slip_of_pen=slip)


def figure_12_5(claim: Claim) -> Found:
    """The nodes F, I and K of figure 12.5."""
    f, i, k = (named(thresholds_by_hand(), name) for name in "FIK")
    value = printed("figure 12.5", "section 5.11", "value of I after K")
    alpha = printed("figure 12.5", "section 5.11", "alpha on entering F")
    return holds(i.value == value and f.alpha == i.alpha == alpha, f=f, i=i, k=k)


def thresholds(claim: Claim) -> Found:
    """MINIMAX-A-B beside minimax on figure 12.5."""
    pruned, whole = thresholds_by_hand(), full(RICH_KNIGHT_12_5)
    where = " and ".join(pruned.nodes[cut.node].name for cut in pruned.cuts)
    value = pruned.result.value
    return holds(value == whole.result.value and where == "I and G", value=value, where=where)


def ten_or_twenty(claim: Claim) -> Found:
    """What depth costs here, and no time to hold it against."""
    at = kalah()[kalah()["order"] == "store_first"].set_index("depth")["visited"]
    factor = (at[PLIES] / at[1]) ** (1 / (PLIES - 1))
    decided = bool(claim.numbers)
    return holds(False, decided=decided, nodes=at[PLIES], depth=PLIES, factor=factor)


def exponential(claim: Claim) -> Found:
    """Minimax's leaves in uniform trees, and whether the exponent is printed as one."""
    read = leaves()["minimax"]
    equal = (count == ARITY**depth for depth, count in enumerate(read, start=1))
    return every(equal, slip="^" not in claim.quote, arity=ARITY, read=read)


@cache
def deeper() -> pd.DataFrame:
    """Alpha-beta's nodes one ply deeper over minimax's, a row a depth and a column an order."""
    rows = kalah().assign(sample=0)
    return s08_pruning.one_ply_deeper(s08_pruning.by_depth(rows, ["order"]))


def one_ply_deeper(claim: Claim) -> Found:
    """From which depth on alpha-beta reads a ply more for minimax's nodes; of: if "always"."""
    shares = [*deeper()["store_first"]]
    pays, depths = sum(share < 1 for share in shares), len(shares)
    slip = claim.of == "always" and pays < depths
    return holds(shares[-1] < 1, slip, shares=shares, depths=depths, pays=pays)


def half_the_exponent(claim: Claim) -> Found:
    """Alpha-beta's leaves in the best order beside Knuth & Moore's minimum."""
    read = leaves()["oracle"]
    least = (s08_pruning.minimal_leaves(ARITY, depth) for depth in range(1, len(read) + 1))
    return every((one == other for one, other in zip(read, least, strict=True)), read=read)


def worst_order(claim: Claim) -> Found:
    """Alpha-beta's leaves in the worst order that we know beside minimax's."""
    pairs = list(zip(leaves()["anti_oracle"], leaves()["minimax"], strict=True))
    return holds(pairs[2][0] == pairs[2][1], pairs=[f"{one} of {every}" for one, every in pairs])


def ideal_order(claim: Claim) -> Found:
    """The best order twice as deep beside minimax."""
    pairs = list(zip(leaves()["oracle"][1::2], leaves()["minimax"], strict=False))
    listed = " and ".join(f"{twice} leaves for {once}" for twice, once in pairs)
    less = all(twice < 2 * once for twice, once in pairs)
    return holds(less, "^" not in claim.quote, pairs=listed)


def states_repeat(claim: Claim) -> Found:
    """How many nodes a table answers."""
    names = ["alpha_beta_table", "scout_table", "mtdf"]
    rows = search_costs(Kalah().start(), names, [PLIES], ["store_first"])
    known = [f"{row['algorithm']} {row['recalled']}" for row in rows]
    return holds(any(row["recalled"] for row in rows), depth=PLIES, known=known)


def exponential_savings(claim: Claim) -> Found:
    """Minimax's leaves over those of the best order, by depth."""
    saved = [
        every / best for every, best in zip(leaves()["minimax"], leaves()["oracle"], strict=True)
    ]
    growth = saved[3] / saved[1]
    return holds(growth > 2 and saved[2] / saved[0] > 2, saved=saved, growth=growth, arity=ARITY)
