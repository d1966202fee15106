def the_counts_of_a_search_add_up(table):
    counts = table("counts").set_index("count").drop(columns="what it counts")
    parts = counts.loc["expanded"] + counts.loc["evaluated"] + counts.loc["recalled"]
    assert (counts.loc["visited"] == parts).all()
    assert counts.loc["generated", "minimax"] + 1 == counts.loc["visited", "minimax"]
    assert counts.loc["cutoffs", "minimax"] == 0
    assert (counts.loc["visited", "alpha_beta"]) <= counts.loc["visited", "minimax"]
    assert (counts["minimax_a_b"] == counts["alpha_beta"]).all()


def of_equal_moves_each_order_plays_its_first(table):
    orders = table("orders").set_index("order")
    assert orders.loc["pit", "pit played"] <= orders.loc["store_first", "pit played"]
