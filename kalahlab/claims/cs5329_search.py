"""What the CS5329 report says of search: its textbook part (notebooks 03 and 08)."""

from collections.abc import Iterator
from functools import cache, reduce
from itertools import pairwise

import pandas as pd

from kalahlab.claims.model import Claim, Verdict, holds, holds_if_decided, holds_if_defined, judges
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
def by_hand(tree: HandTree, depth: Depth = HAND) -> Trace:
    """Alpha-beta on a tree written by hand."""
    return record(alpha_beta, tree, tree.start(), written_value, depth)


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


@judges("cs5329-minimax-depth-first")
def depth_first(claim: Claim) -> Verdict:
    """Each node is entered below the node entered before it, or below one of its ancestors."""
    trace = in_kalah(pruned=False)
    followed = 0
    for before, visit in pairwise(trace.nodes):
        above: int | None = before.id
        while above is not None and above != visit.parent:
            above = trace.nodes[above].parent
        followed += above is not None
    deepest = max(visit.node.sows for visit in trace.nodes)
    why = (
        f"In a search of {len(trace.nodes):,} nodes {followed:,} follow the node before them or "
        f"one "
        f"of its ancestors, and none lies deeper than the limit of {deepest}."
    )
    return holds(followed == len(trace.nodes) - 1 and deepest == 4, why)


@judges("cs5329-choice-3-four-replies")
def four_replies(claim: Claim) -> Verdict:
    """The moves after the third choice, for many numbers of stones."""
    found = s03_pruning.replies(3, range(1, 15))
    said = printed("game tree", "section 4.2", "replies after choice 3")
    why = (
        f"After choice 3 there are {min(found.values())} to {max(found.values())} moves with 1 to "
        f"14 stones a pit, never {said}; the lost picture may show some of them only."
    )
    return holds(said in found.values(), why)


@judges("cs5329-huge-factor")
def huge(claim: Claim) -> Verdict:
    """The factor on one position, and no number to hold it against."""
    at = kalah()[kalah()["depth"] == 4].set_index(["algorithm", "order"])["visited"]
    factor = at["minimax", "pit"] / at["alpha_beta", "pit"]
    why = (
        f"No factor is named. At depth 4 from the start of Kalah(6,4) minimax visits {factor:.1f} "
        "times the nodes of alpha-beta in pit order."
    )
    return holds_if_defined(any(map(str.isdigit, claim.quote)), False, why)


@judges("cs5329-search-pseudocode")
def whose_turn(claim: Claim) -> Verdict:
    """Whether MAX chooses just where the player of the root moves, extra turns included."""
    nodes = in_kalah(pruned=False).nodes
    first = nodes[0].node.state.player
    right = sum(visit.node.maximizing == (visit.node.state.player == first) for visit in nodes)
    again = sum(visit.extra_turn for visit in nodes)
    why = (
        f"In {right:,} of {len(nodes):,} nodes MAX chooses just where the root's player moves; "
        f"{again} of them follow an extra turn."
    )
    return holds(right == len(nodes) and again > 0, why)


@judges("cs5329-fig-one-ply")
def one_ply(claim: Claim) -> Verdict:
    """Minimax one ply deep on Rich & Knight's tree."""
    trace = full(RICH_KNIGHT_12_3, Depth(1))
    move = trace.nodes[trace.principal[1]]
    why = f"One ply deep A is worth {number(trace.result.value)} and the move is {move.name}."
    right = trace.result.value == move.value == printed("one ply", "section 5.1", "value of A")
    return holds(right and move.name == "B", why)


@judges("cs5329-fig-range")
def static_range(claim: Claim) -> Verdict:
    """The values of Rich & Knight's tree."""
    values = [visit.value for visit in full(RICH_KNIGHT_12_3).nodes if visit.value is not None]
    values += [child.value for child in RICH_KNIGHT_12_3.root.children]
    low, high = (printed("range", "section 5.1", f"{end} static value") for end in ENDS)
    why = (
        f"The values of the tree lie from {number(min(values))} to {number(max(values))}; printed "
        f"is "
        f"{number(low)} to {number(high)}."
    )
    return holds(low <= min(values) and max(values) <= high, why)


ENDS = ("least", "greatest")


@judges("cs5329-fig-12-3", "cs5329-fig-12-3-c")
def two_plies(claim: Claim) -> Verdict:
    """Minimax two plies deep on Rich & Knight's tree."""
    trace = full(RICH_KNIGHT_12_3, Depth(2))
    values = ", ".join(f"{name} {number(named(trace, name).value)}" for name in "BCD")
    best = trace.nodes[trace.principal[1]].name
    why = (
        f"Backed up from two plies: {values}; the move is {best}, worth "
        f"{number(trace.result.value)}."
    )
    said = printed("two plies", "section 5.1", "value of the best move C")
    return holds(best == "C" and trace.result.value == said, why)


@judges("cs5329-fig-12-3-f")
def reply_f(claim: Claim) -> Verdict:
    """MIN's choice below B."""
    trace = full(RICH_KNIGHT_12_3, Depth(2))
    values = {trace.nodes[id].name: trace.nodes[id].value for id in named(trace, "B").children}
    reply = min(values, key=lambda name: values[name] or 0)
    listed = ", ".join(f"{name} {number(value)}" for name, value in values.items())
    return holds(reply == "F", f"Below B stand {listed}, so the opponent chooses {reply}.")


@judges("cs5329-minimax-steps")
def missing_sign(claim: Claim) -> Verdict:
    """The printed step on the printed example, with the sign and without."""
    value, move = s03_pruning.without_sign(RICH_KNIGHT_12_3.root, 2)
    right = full(RICH_KNIGHT_12_3, Depth(2)).result.value
    said = printed("two plies", "section 5.1", "value of the best move C")
    why = (
        f"With a minus sign before VALUE the steps find {number(right)} on figure 12.3, as "
        f"printed; "
        f"as they stand they play {move}, worth {number(value)}."
    )
    return holds(right == said, why, slip="-VALUE(" not in claim.quote and value != said)


@judges("cs5329-minimax-path")
def two_results(claim: Claim) -> Verdict:
    """Whether the path that minimax returns ends at a node with the value that it returns."""
    found, game = in_kalah(pruned=False).result, Kalah()
    last = reduce(game.play, found.line, game.start())
    worth = store_difference(last.board, 0)
    why = (
        f"Minimax returns the value {number(found.value)} and a path of {len(found.line)} moves; "
        f"the "
        f"position at its end is worth {number(worth)}."
    )
    return holds(worth == found.value and len(found.line) == 4, why)


@judges("cs5329-backing-up")
def backing_up(claim: Claim) -> Verdict:
    """Whether each inner node has the greatest or least value of its children."""
    traces = [full(AIMA_5_2), full(RICH_KNIGHT_12_5), in_kalah(pruned=False)]
    inner = [(trace, visit) for trace in traces for visit in trace.nodes if visit.children]
    right = sum(
        visit.value == (max if visit.player == "MAX" else min)(values)
        for trace, visit in inner
        for values in [[trace.nodes[id].value or 0 for id in visit.children]]
    )
    why = f"{right} of {len(inner)} inner nodes have the maximum (MAX) or minimum (MIN) below them."
    return holds(right == len(inner), why)


@judges("cs5329-deep-enough-criteria")
def criteria(claim: Claim) -> Verdict:
    """How many of the five questions the program asks, and the printed table varies."""
    asked = s03_pruning.asked_by_their_program()
    table = pd.DataFrame(printed_table())
    varied = [name for name in ("depth", "clock", "promise", "stability") if name in table]
    why = (
        f"Of the {len(s03_pruning.OUR_ANSWERS)} questions printed the program asks {len(asked)}, "
        f"and "
        f"the printed table varies {len(varied)} ({', '.join(varied)}): none is compared."
    )
    return holds_if_decided(len(varied) > 1, False, why)


@judges("cs5329-alpha-starts")
def first_window(claim: Claim) -> Verdict:
    """The window of the root."""
    root = by_hand(AIMA_5_2).nodes[0]
    why = f"The root is entered with α = {number(root.alpha)} and β = {number(root.beta)}."
    return holds(root.alpha == float("-inf") and root.beta == float("inf"), why)


@judges("cs5329-whole-subtrees")
def whole_subtrees(claim: Claim) -> Verdict:
    """Cuts whose unread children would have had children of their own."""
    trace = in_kalah()
    unread = [trace.nodes[id] for cut in trace.cuts for id in cut.untried]
    inner = [each for each in unread if each.node.sows < 4 and not Kalah().over(each.node.state)]
    why = (
        f"At depth 4 in Kalah {len(trace.cuts)} cuts leave {len(unread)} children unread; "
        f"{len(inner)} "
        "of them have subtrees of their own."
    )
    return holds(len(inner) > 0, why)


@judges("cs5329-alpha-never-decreases")
def one_way(claim: Claim) -> Verdict:
    """α and β on entering the children of a node, one after the other."""
    trace = in_kalah()
    steps = [
        (trace.nodes[a], trace.nodes[b])
        for visit in trace.nodes
        for a, b in pairwise(id for id in visit.children if trace.nodes[id].value is not None)
    ]
    wrong = sum(a.alpha > b.alpha or a.beta < b.beta for a, b in steps)
    why = f"From child to child α fell or β rose in {wrong} of {len(steps):,} steps of a search."
    return holds(wrong == 0, why)


@judges("cs5329-irrelevant-when-crossed")
def irrelevant(claim: Claim) -> Verdict:
    """The value of trees with every leaf that was not read set to ±1,000,000."""
    tried = unchanged = 0
    for tree in (AIMA_5_2, RICH_KNIGHT_12_5, SEVEN_STEPS):
        read = {id(visit.node.state) for visit in by_hand(tree).visited()}
        for path in (path for path, leaf in _leaves(tree.root) if id(leaf) not in read):
            for value in (-1e6, 1e6):
                root = with_leaf(tree.root, path, value)
                changed = minimax(HandTree(root), root, written_value, HAND).value
                tried += 1
                unchanged += changed == by_hand(tree).result.value
    why = f"Leaves left unread were set to ±1,000,000: {unchanged} of {tried} values stay the same."
    return holds(unchanged == tried > 0, why)


def _leaves(node: Branch, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Branch]]:
    """The leaves of a tree with the ways to them."""
    if not node.children:
        yield path, node
    for place, child in enumerate(node.children):
        yield from _leaves(child, (*path, place))


@judges("cs5329-alpha-6", "cs5329-beta-6")
def six(claim: Claim) -> Verdict:
    """Where a bound of 6 cuts a node that finds 5, 6 or 7."""
    below = "MIN" if claim.id.startswith("cs5329-alpha") else "MAX"
    table = s03_pruning.bounds_of_six().set_index("below").loc[below].set_index("finds")["cut"]
    cut = [finds for finds, made in table.items() if made]
    expected = [5, 6] if below == "MIN" else [6, 7]
    why = (
        f"Below a bound of 6 a {below} node that finds {' or '.join(map(str, cut))} is cut, "
        f"no other."
    )
    return holds(cut == expected, why)


@judges(*(f"cs5329-step-{step}" for step in range(1, 8)))
def step(claim: Claim) -> Verdict:
    """A step of section 5.7, beside alpha-beta on the tree that its text describes."""
    table = s03_pruning.seven_steps(by_hand(SEVEN_STEPS))
    rows = table[table["step"] == claim.id.rpartition("-")[2]].to_dict("records")
    wrong = [row for row in rows if not row["equal"]]
    said = "; ".join(f"{row['what']}: {row['found']}, printed {row['printed']}" for row in rows)
    why = f"{said[0].upper()}{said[1:]}."
    return holds(len(wrong) < len(rows), why, slip=bool(wrong))


@judges("cs5329-rule-alpha-pruning", "cs5329-rule-beta-pruning")
def rule_of_pruning(claim: Claim) -> Verdict:
    """The cuts at nodes of one player: the node's value and the bound that it reached."""
    player = "MIN" if claim.id.endswith("alpha-pruning") else "MAX"
    found = list(cuts(player))
    paid = sum(c.value <= c.bound if player == "MIN" else c.value >= c.bound for c in found)
    equal = sum(c.value == c.bound for c in found)
    bound = "α or less" if player == "MIN" else "β or more"
    why = f"{paid} of {len(found)} cuts at {player} nodes are made at {bound}, {equal} at equality."
    return holds(paid == len(found) and equal > 0, why)


@judges("cs5329-order-matters")
def order_matters(claim: Claim) -> Verdict:
    """The nodes of alpha-beta in four orders."""
    last = kalah()[(kalah()["depth"] == PLIES) & (kalah()["algorithm"] == "alpha_beta")]
    nodes = last.set_index("order")["visited"]
    factor = nodes.max() / nodes.min()
    listed = ", ".join(f"{count:,} ({order})" for order, count in nodes.items())
    why = f"At depth {PLIES} alpha-beta visits, by order, {listed} nodes: a factor of {factor:.1f}."
    return holds(factor > 2, why)


@judges("cs5329-alpha-beta-pseudocode")
def pseudocode(claim: Claim) -> Verdict:
    """Alpha-beta on Russell & Norvig's figure 5.2."""
    trace = by_hand(AIMA_5_2)
    unread = [trace.nodes[id].name for cut in trace.cuts for id in cut.untried]
    why = (
        f"On figure 5.2 of Russell & Norvig it finds {number(trace.result.value)} and leaves "
        f"{' and '.join(unread)} unread, as the book says."
    )
    return holds(trace.result.value == 3 and unread == ["c2", "c3"], why)


@judges("cs5329-thresholds", "cs5329-minmax-ab-step-4a")
def same_walk(claim: Claim) -> Verdict:
    """MINIMAX-A-B and alpha-beta, node by node: paths and windows."""
    other = record(minimax_a_b, Kalah(), Kalah().start(), store_difference, Depth(4))
    one, two = s03_pruning.walk(in_kalah()), s03_pruning.walk(other)
    open_brackets = claim.quote.count("(") - claim.quote.count(")")
    slip = f" The printed call lacks {open_brackets} closing bracket." if open_brackets else ""
    why = (
        f"With both thresholds negated and exchanged where the turn passes, all {len(two)} nodes "
        f"have "
        f"the path and window of alpha-beta: {one == two}.{slip}"
    )
    return holds(one == two, why, slip=bool(open_brackets))


@judges("cs5329-fig-12-5", "cs5329-fig-12-5-alpha-3")
def figure_12_5(claim: Claim) -> Verdict:
    """The nodes F, I and K of figure 12.5."""
    trace = thresholds_by_hand()
    at = {name: named(trace, name) for name in "FIK"}
    value = printed("figure 12.5", "section 5.11", "value of I after K")
    alpha = printed("figure 12.5", "section 5.11", "alpha on entering F")
    why = (
        f"K is worth {number(at['K'].value)} and I at most {number(at['I'].value)}; F is entered "
        f"with "
        f"α = {number(at['F'].alpha)} and I still with {number(at['I'].alpha)}."
    )
    return holds(at["I"].value == value and at["F"].alpha == at["I"].alpha == alpha, why)


@judges("cs5329-minmax-ab-steps")
def thresholds(claim: Claim) -> Verdict:
    """MINIMAX-A-B beside minimax on figure 12.5."""
    pruned, whole = thresholds_by_hand(), full(RICH_KNIGHT_12_5)
    where = " and ".join(pruned.nodes[cut.node].name for cut in pruned.cuts)
    why = (
        f"On figure 12.5 it finds {number(pruned.result.value)} as minimax does, with cuts at "
        f"{where}, "
        "as the book says."
    )
    return holds(pruned.result.value == whole.result.value and where == "I and G", why)


@judges("cs5329-ten-or-twenty-ply")
def ten_or_twenty(claim: Claim) -> Verdict:
    """What depth costs here, and no time to hold it against."""
    at = kalah()[kalah()["order"] == "store_first"].set_index("depth")["visited"]
    factor = (at[PLIES] / at[1]) ** (1 / (PLIES - 1))
    why = (
        f"No time, machine or game is named. Alpha-beta, store first, visits {at[PLIES]:,} nodes "
        f"of "
        f"Kalah(6,4) at depth {PLIES}, {factor:.1f} times as many with each ply."
    )
    return holds_if_decided(any(map(str.isdigit, claim.quote)), False, why)


@judges("cs5329-b-power-m", "cs5329-bd-nodes", "cs5329-minimax-time")
def exponential(claim: Claim) -> Verdict:
    """Minimax's leaves in uniform trees, and whether the exponent is printed as one."""
    read = leaves()["minimax"]
    equal = sum(count == ARITY**depth for depth, count in enumerate(read, start=1))
    why = (
        f"In uniform trees of {ARITY} moves minimax evaluates {', '.join(map(str, read))} leaves, "
        f"4 "
        f"to the power of the depth at {equal} of {len(read)} depths. Print has lost the exponent."
    )
    return holds(equal == len(read), why, slip="^" not in claim.quote)


@cache
def deeper() -> pd.DataFrame:
    """Alpha-beta's nodes one ply deeper over minimax's, a row a depth and a column an order."""
    rows = kalah().assign(sample=0)
    return s08_pruning.one_ply_deeper(s08_pruning.by_depth(rows, ["order"]))


@judges("cs5329-deeper-levels", "cs5329-one-more-ply-cures")
def one_ply_deeper(claim: Claim) -> Verdict:
    """From which depth on alpha-beta reads a ply more for minimax's nodes."""
    shares = deeper()["store_first"]
    pays = [depth for depth, share in shares.items() if share < 1]
    listed = ", ".join(f"{share:.2f}" for share in shares)
    why = (
        f"One ply deeper, store first, alpha-beta visits {listed} times the nodes that minimax "
        f"visits "
        f"at depths 1 to {len(shares)}: it pays at {len(pays)} of them."
    )
    always = claim.id == "cs5329-one-more-ply-cures"
    return holds(shares.iloc[-1] < 1, why, slip=always and len(pays) < len(shares))


@judges("cs5329-exponent-half")
def half_the_exponent(claim: Claim) -> Verdict:
    """Alpha-beta's leaves in the best order beside Knuth & Moore's minimum."""
    read = leaves()["oracle"]
    least = [s08_pruning.minimal_leaves(ARITY, depth) for depth in range(1, len(read) + 1)]
    equal = sum(one == other for one, other in zip(read, least, strict=True))
    why = (
        f"In the best order alpha-beta evaluates {', '.join(map(str, read))} leaves, which is "
        f"b^⌈d/2⌉ + b^⌊d/2⌋ − 1 at {equal} of {len(least)} depths; fewer prove no value."
    )
    return holds(equal == len(least), why)


@judges("cs5329-worst-order")
def worst_order(claim: Claim) -> Verdict:
    """Alpha-beta's leaves in the worst order that we know beside minimax's."""
    pairs = list(zip(leaves()["anti_oracle"], leaves()["minimax"], strict=True))
    listed = ", ".join(f"{one} of {every}" for one, every in pairs)
    why = f"In the worst order that is tried here alpha-beta evaluates {listed} leaves by depth."
    return holds(pairs[2][0] == pairs[2][1], why)


@judges("cs5329-ideal-order")
def ideal_order(claim: Claim) -> Verdict:
    """The best order twice as deep beside minimax."""
    pairs = list(zip(leaves()["oracle"][1::2], leaves()["minimax"], strict=False))
    listed = " and ".join(f"{twice} leaves for {once}" for twice, once in pairs)
    why = (
        f"Twice as deep the best order needs {listed} of minimax: less than twice as many. Print "
        "has lost the exponent m/2."
    )
    return holds(all(twice < 2 * once for twice, once in pairs), why, slip="^" not in claim.quote)


@judges("cs5329-states-repeat")
def states_repeat(claim: Claim) -> Verdict:
    """How many nodes a table answers."""
    names = ["alpha_beta_table", "scout_table", "mtdf"]
    rows = search_costs(Kalah().start(), names, [PLIES], ["store_first"])
    known = ", ".join(f"{row['algorithm']} {row['recalled']}" for row in rows)
    why = f"At depth {PLIES} from the start of Kalah(6,4) a table answers this many nodes: {known}."
    return holds(any(row["recalled"] for row in rows), why)


@judges("cs5329-exponential-savings")
def exponential_savings(claim: Claim) -> Verdict:
    """Minimax's leaves over those of the best order, by depth."""
    pairs = zip(leaves()["minimax"], leaves()["oracle"], strict=True)
    saved = [every / best for every, best in pairs]
    listed = ", ".join(f"{ratio:.1f}" for ratio in saved)
    why = (
        f"By depth minimax evaluates {listed} times the leaves of the best order: every two plies "
        f"multiply that by {saved[3] / saved[1]:.1f}, about b = {ARITY}."
    )
    return holds(saved[3] / saved[1] > 2 and saved[2] / saved[0] > 2, why)
