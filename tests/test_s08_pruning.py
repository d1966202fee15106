"""What searches cost beside the least: means, the minimal tree, words and charts."""

from itertools import combinations, pairwise, product

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.text import Text

from kalahlab.evaluators.tree import written_value
from kalahlab.experiments import search_costs
from kalahlab.games.hand_tree import HandTree, uniform_tree
from kalahlab.games.kalah import Kalah
from kalahlab.search import Depth, minimax
from kalahlab.studies import s08_pruning as study
from kalahlab.studies.s08_pruning import sampled_positions, uniform_costs

ORDERS = ["anti_oracle", "pit", "killer", "history", "static", "store_first", "oracle"]
NAMES = ["alpha_beta_table", "scout", "scout_table", "mtdf_no_table", "mtdf"]


pytestmark = pytest.mark.usefixtures("figures")


@pytest.fixture(scope="module")
def costs() -> pd.DataFrame:
    rows = []
    for state in [Kalah(4, 3).start(), *sampled_positions(2, 3, pits=4, stones=3)]:
        rows += search_costs(state, ["minimax"], range(1, 5))
        rows += search_costs(state, ["alpha_beta"], range(1, 5), ORDERS)
        rows += search_costs(state, NAMES, range(1, 6), ["store_first"])
    return pd.DataFrame(rows)


@pytest.mark.parametrize(("arity", "depth"), [(1, 4), (2, 7), (3, 4), (4, 5), (5, 3)])
def test_the_minimal_tree_has_the_critical_positions(arity, depth):
    """As Knuth & Moore define them: only first moves at all odd plies, or at all even ones."""

    def critical(path):
        return not any(path[::2]) or not any(path[1::2])

    levels = [sum(map(critical, product(range(arity), repeat=d))) for d in range(depth + 1)]
    assert [study.minimal_leaves(arity, d) for d in range(depth + 1)] == levels
    assert study.minimal_nodes(arity, depth) == sum(levels)


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
        times = rows.loc[(order, 3), "visited"] / rows.loc[("minimal tree", 3), "visited"]
        assert rows.loc[(order, 3), "times minimal"] == pytest.approx(times)
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
    by_order = study.by_depth(costs[costs["algorithm"] != "scout"], ["order"])
    named = costs[(costs["order"] == "store_first") | (costs["algorithm"] == "minimax")]
    by_name = study.by_depth(named, ["algorithm"]).query("depth <= 4")
    told = study.answer(by_order, by_name)
    orders = by_order[by_order["depth"] == 4].set_index("search")["visited"]
    assert f"a factor of {orders['anti_oracle'] / orders['oracle']:.0f}**" in told
    names = by_name[by_name["depth"] == 4].set_index("search")["visited"]
    assert f"scout {names['scout'] / names['alpha_beta']:.0%}," in told
    assert f"{names['mtdf_no_table'] / names['alpha_beta']:.0%} without its table" in told


def test_uniform_trees_are_told_exactly():
    rows = uniform_costs(3, ["minimax"], range(1, 5))
    rows += uniform_costs(
        3, ["alpha_beta"], range(1, 5), ["anti_oracle", "pit", "killer", "history"]
    )
    for order, exact in (("oracle", True), ("pit", False)):
        best = uniform_costs(3, ["alpha_beta"], range(1, 5), [order])
        named = [row | {"order": "oracle"} for row in best]
        table = study.by_depth(pd.DataFrame(rows + named), ["order"])
        assert f"leaf for leaf: **{exact}**" in study.on_uniform_trees(table)
        assert study.leaves(table).loc["minimal tree"].tolist() == [3, 5, 11, 17]


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


def test_uniform_costs_are_of_one_tree_a_depth() -> None:
    rows = uniform_costs(3, ["minimax", "alpha_beta"], [2, 4], ["pit", "oracle"], seed=7)
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
