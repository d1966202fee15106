"""What searches cost beside the least: means, the minimal tree, words and charts."""

from itertools import combinations, pairwise, product

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.text import Text

from kalahlab.evaluators.tree import written_value
from kalahlab.experiments import search_costs
from kalahlab.games.hand_tree import RICH_KNIGHT_12_5, HandTree, uniform_tree
from kalahlab.games.kalah import Kalah
from kalahlab.matches.rating import mean_of
from kalahlab.search import Depth, minimax, mtdf
from kalahlab.studies import s08_pruning as study
from kalahlab.studies.s08_pruning import kalah_costs, sampled_positions, uniform_costs
from kalahlab.trace import record

ORDERS = ["anti_oracle", "pit", "killer", "history", "static", "store_first", "oracle"]
NAMES = ["alpha_beta_table", "scout", "scout_table", "mtdf_no_table", "mtdf"]


pytestmark = pytest.mark.usefixtures("figures")


@pytest.fixture(scope="module")
def costs() -> pd.DataFrame:
    states = [Kalah(4, 3).start(), *sampled_positions(2, 3, pits=4, stones=3)]
    textbook = {"backend": "textbook"}
    rows = kalah_costs(states, ["minimax"], range(1, 5), **textbook)
    rows += kalah_costs(states, ["alpha_beta"], range(1, 5), ORDERS, **textbook)
    rows += kalah_costs(states, NAMES, range(1, 6), ["store_first"], **textbook)
    return pd.DataFrame(rows)


def test_samples_are_numbered(costs):
    assert set(costs["sample"]) == {0, 1, 2}
    rows = search_costs(Kalah(4, 3).start(), ["minimax"], [2])
    start = costs[(costs["sample"] == 0) & (costs["depth"] == 2)]
    assert start.iloc[0].drop("sample").to_dict() == rows[0]


@pytest.mark.parametrize(("arity", "depth"), [(1, 4), (2, 7), (3, 4), (4, 5), (5, 3)])
def test_the_minimal_tree_has_the_critical_positions(arity, depth):
    """As Knuth & Moore define them: only first moves at all odd plies, or at all even ones."""

    def critical(path):
        return not any(path[::2]) or not any(path[1::2])

    levels = [sum(map(critical, product(range(arity), repeat=d))) for d in range(depth + 1)]
    assert [study.minimal_leaves(arity, d) for d in range(depth + 1)] == levels
    assert study.minimal_nodes(arity, depth) == sum(levels)


def test_node_types_are_those_of_the_minimal_tree():
    """Type 0 apart, as many leaves as the formula says; the types of the root's surroundings."""
    for arity, depth in ((2, 5), (3, 4), (4, 3)):
        kinds = [study.node_type(path) for path in product(range(1, arity + 1), repeat=depth)]
        assert sum(kind > 0 for kind in kinds) == study.minimal_leaves(arity, depth)
    paths = [(), (1,), (2,), (2, 1), (2, 2), (2, 1, 2), (1, 2, 1)]
    assert [study.node_type(path) for path in paths] == [1, 1, 2, 3, 0, 2, 3]


def test_the_passes_of_mtdf_narrow_the_bounds_until_they_meet():
    tree = RICH_KNIGHT_12_5
    table = study.passes_table(record(mtdf, tree, tree.start(), written_value, Depth(9)))
    assert table.loc["pass 1"].tolist() == ["value ≥ 0?", "yes, value ≥ 3", "3", "∞"]
    assert table.iloc[-1].tolist() == ["value > 4?", "no, value ≤ 4", "4", "4"]


@pytest.mark.parametrize("branching", [0.5, 1, 1.7, 3, 6])
@pytest.mark.parametrize("depth", [1, 2, 5, 9])
def test_the_effective_branching_of_a_uniform_tree_is_its_own(branching, depth):
    nodes = sum(branching**level for level in range(depth + 1))
    assert study.effective_branching(nodes, depth) == pytest.approx(branching, rel=1e-9)


def test_russell_and_norvigs_example_of_effective_branching():
    """Section 3.6.1: a solution at depth 5 with 52 nodes generated has 1.92."""
    assert round(study.effective_branching(1 + 52, 5), 2) == 1.92


def test_costs_by_depth_are_means_over_the_positions(costs):
    table = study.by_depth(costs, ["order"])
    rows = table.set_index(["search", "depth"])
    here = costs[(costs["depth"] == 3) & (costs["algorithm"] == "alpha_beta")]
    for order in ("anti_oracle", "oracle"):
        own = here[here["order"] == order]
        assert len(own) == 3
        assert rows.loc[(order, 3), "visited"] == own["visited"].sum() / 3
        ends = rows.loc[(order, 3), ["visited low", "visited high"]].tolist()
        found = mean_of(own["visited"].tolist())
        assert ends[0] == max(found.low, own["visited"].min())
        assert ends[1] == min(found.high, own["visited"].max())
        times = rows.loc[(order, 3), "visited"] / rows.loc[("minimal tree", 3), "visited"]
        assert rows.loc[(order, 3), "times formula"] == pytest.approx(times)
    full = costs[(costs["algorithm"] == "minimax") & (costs["depth"] == 4)]
    moves = study.branching(costs)
    assert moves == full["generated"].sum() / full["expanded"].sum()
    assert rows.loc[("minimal tree", 4), "evaluated"] == pytest.approx(2 * moves**2 - 1)
    assert set(table["search"]) == {"minimax", "minimal tree", *ORDERS}


def test_the_deepest_rows_are_those_that_all_have(costs):
    table = study.by_depth(costs, ["algorithm", "order"])
    last = study.deepest(table)
    assert set(last["depth"]) == {4}
    assert last["visited"].is_monotonic_decreasing
    assert set(last["search"]) == set(table["search"])
    shown = study.shown(last)
    assert shown["visited"].tolist() == [round(visited) for visited in last["visited"]]


def test_the_answer_is_in_the_numbers(costs):
    rows = costs[costs["algorithm"].isin(["minimax", "alpha_beta"])]
    by_order = study.by_depth(rows, ["order"], "formula")
    named = costs[(costs["order"] == "store_first") | (costs["algorithm"] == "minimax")]
    by_name = study.by_depth(named, ["algorithm"], "formula").query("depth <= 4")
    by_name = by_name[by_name["search"] != "minimax"]
    told = study.answer(rows, by_order, by_name)
    factors = study.order_factors(rows, "anti_oracle", "oracle")
    at = rows[(rows["depth"] == 4) & (rows["sample"] == 1)].set_index("order")["visited"]
    assert factors[1] == at["anti_oracle"] / at["oracle"]
    factor = study.order_factor(rows)
    assert factor.mean == pytest.approx(factors.prod() ** (1 / 3))
    assert factor.low <= factors.max()
    assert factor.high >= factors.min()
    found = study.finding(rows, by_name)
    for said in (told, found):
        better = f"{factor:.0f} times fewer" in said
        assert better == (factor.low > 1)
    names = by_name[by_name["depth"] == 4].set_index("search")["visited"]
    assert f"scout {names['scout'] / names['alpha_beta']:.0%}," in told
    assert f"mtdf_no_table {names['mtdf_no_table'] / names['alpha_beta']:.0%}" in told


def test_the_answer_says_the_opposite_of_opposite_numbers(costs):
    rows = costs[costs["algorithm"].isin(["minimax", "alpha_beta"])]
    turned = rows.replace({"order": {"oracle": "anti_oracle", "anti_oracle": "oracle"}})
    by_order = study.by_depth(rows, ["order"], "formula")
    named = costs[(costs["order"] == "store_first") & (costs["depth"] <= 4)]
    one = pd.concat([named, costs[costs["algorithm"] == "minimax"]])
    by_name = study.by_depth(one, ["algorithm"], "formula")
    dear = by_name.assign(visited=by_name["visited"].where(by_name["search"] == "alpha_beta", 9e9))
    told = study.answer(turned, by_order.assign(**{"times formula": 2.0}), dear)
    assert "The best order is not shown to be better" in told
    assert "No search visits fewer nodes than the formula" in told
    assert "save no nodes**" in told
    found = study.finding(turned, dear)
    assert "is not shown to save nodes" in found
    assert found.endswith("null windows and a table save nothing.")
    small = by_name.assign(visited=by_name["visited"].where(by_name["search"] != "scout", 1))
    below = study.answer(rows, by_order.assign(**{"times formula": 0.5}), small)
    assert "So the formula is no bound in Kalah" in below
    assert "of the nodes** (scout)" in below
    good = rows.assign(visited=rows["visited"].where(rows["order"] != "oracle", 1))
    assert "times fewer nodes in the best move order" in study.finding(good, small)
    assert study.finding(good, small).endswith("(scout).")


def test_uniform_trees_are_told_exactly():
    rows = uniform_costs(3, ["minimax"], range(1, 5), seeds=(0, 1))
    orders = ["anti_oracle", "pit", "killer", "history"]
    rows += uniform_costs(3, ["alpha_beta"], range(1, 5), orders, (0, 1))
    for order, said in (("oracle", "in all 8 searches"), ("pit", "2 of 8 searches")):
        best = uniform_costs(3, ["alpha_beta"], range(1, 5), [order], (0, 1))
        frame = pd.DataFrame(rows + [row | {"order": "oracle"} for row in best])
        table = study.by_depth(frame, ["order"])
        told = study.on_uniform_trees(frame, table)
        assert said in told
        assert study.leaves(table).loc["minimal tree"].tolist() == [3, 5, 11, 17]
    for nodes, count in ((10**9, 0), (1, 2)):
        learned = frame["order"].isin(["killer", "history"])
        turned = frame.assign(visited=frame["visited"].mask(learned, nodes))
        said = study.on_uniform_trees(turned, table)
        assert f"Killer visits fewer nodes than pit in {count} of 2 trees" in said
        assert f"and history in {count}." in said


def test_growth_and_one_ply_deeper_are_ratios_of_neighbours():
    rows = uniform_costs(3, ["minimax"], range(1, 5))
    rows += uniform_costs(3, ["alpha_beta"], range(1, 5), ["pit", "oracle"])
    table = study.by_depth(pd.DataFrame(rows), ["order"])
    assert study.growth(table).loc["minimax"].tolist() == [3, 3, 3]
    nodes = table.set_index(["search", "depth"])["visited"]
    deeper = study.one_ply_deeper(table)
    assert deeper.loc[2, "oracle"] == round(nodes["oracle", 3] / nodes["minimax", 2], 2)
    told = study.one_ply_deeper_in_words(pd.DataFrame({"a": [2, 0.5], "b": [1, 1]}, index=[1, 2]))
    assert told.endswith("a from depth 2 on; b at none of these depths.")


def test_lines_are_named_at_their_ends(costs):
    table = study.by_depth(costs, ["algorithm", "order"])
    [ax] = study.draw_orders(table).axes
    ax.figure.draw_without_rendering()
    assert [text.get_text() for text in ax.texts] == list(table["search"].unique())
    ends = {text.get_text(): text.xy for text in ax.texts}
    for search, rows in table.groupby("search"):
        last = rows[rows["depth"] == rows["depth"].max()]
        assert ends[search] == (last["depth"].item(), last["visited"].item())
    boxes = [Text.get_window_extent(text) for text in ax.texts]  # without the line to its end
    for one, other in combinations(boxes, 2):
        assert not one.overlaps(other)
    assert all(box.x1 <= ax.figure.bbox.x1 for box in boxes)


def test_searches_with_equal_costs_share_a_line():
    rows = uniform_costs(3, ["minimax"], range(1, 5), seeds=(0, 1))
    rows += uniform_costs(3, ["alpha_beta"], range(1, 5), ["pit", "oracle"], (0, 1))
    [ax] = study.draw_uniform(study.by_depth(pd.DataFrame(rows), ["order"]), 3).axes
    names = [text.get_text() for text in ax.texts]
    assert names == ["minimax", "pit", "oracle = minimal tree"]


@given(st.lists(st.floats(-1, 2), max_size=12), st.floats(0, 0.2))
def test_names_are_moved_apart_and_no_further(wanted, gap):
    placed = study.apart(wanted, gap)
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    for one, other in pairwise(order):
        assert placed[other] - placed[one] >= gap - 1e-9
    assert sum(placed) == pytest.approx(sum(wanted), abs=1e-6)
    if all(wanted[b] - wanted[a] > gap for a, b in pairwise(order)):
        assert placed == pytest.approx(wanted)
    assert study.apart(placed, gap) == pytest.approx(placed, abs=1e-6)


def test_the_chart_of_branching_factors_says_each(costs):
    last = study.deepest(study.by_depth(costs, ["algorithm", "order"]))
    [ax] = study.draw_branching(last, study.branching(costs)).axes
    said = [text.get_text() for text in ax.texts]
    assert said[: len(last)] == [f"{value:.2f}" for value in last["effective branching"]]
    assert [label.get_text() for label in ax.get_yticklabels()] == list(last["search"])


def test_uniform_costs_are_of_one_tree_a_depth_and_seed() -> None:
    rows = uniform_costs(3, ["minimax", "alpha_beta"], [2, 4], ["pit", "oracle"], [7])
    assert [(row["depth"], row["algorithm"], row["order"]) for row in rows] == [
        (depth, name, order)
        for depth in (2, 4)
        for name in ("minimax", "alpha_beta")
        for order in ("pit", "oracle")
    ]
    for depth in (2, 4):
        tree = uniform_tree(3, depth, seed=7)
        value = minimax(HandTree(tree), tree, written_value, Depth(depth)).value
        here = [row for row in rows if row["depth"] == depth]
        assert {row["value"] for row in here} == {value}
        assert [row["evaluated"] for row in here if row["algorithm"] == "minimax"] == [3**depth] * 2


def test_sampled_positions_lie_in_games_that_go_on() -> None:
    game, found = Kalah(3, 2), sampled_positions(20, 5, seed=1, pits=3, stones=2)
    assert found == sampled_positions(20, 5, seed=1, pits=3, stones=2)
    assert found != sampled_positions(20, 5, seed=2, pits=3, stones=2)
    within = {game.start()}
    for _ in range(5):
        within = {game.play(state, move) for state in within for move in game.moves(state)}
    assert {*found} <= within
    assert len({*found}) > 5
    assert not any(game.over(state) for state in found)
    assert sampled_positions(0, 5) == []
    with pytest.raises(ValueError, match=r"^sows is 99; .* use less$"):
        sampled_positions(1, 99, pits=2, stones=1)
