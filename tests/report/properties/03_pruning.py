def alpha_beta_finds_the_value_of_minimax_at_fewer_nodes(table):
    searches = table("algorithms").set_index("algorithm")
    orders = table("orders")
    minimax = searches.loc["minimax"]
    assert (orders["value"] == minimax["value"]).all()
    assert (orders["visited"] <= minimax["visited"]).all()
    assert (orders["share of minimax"] * minimax["visited"] - orders["visited"]).abs().max() < 1e-6
    assert orders.set_index("order")["visited"]["pit"] == searches["visited"]["alpha_beta"]


def counts_of_a_search_add_up(table):
    searches = table("algorithms").set_index("algorithm")
    whole = searches.loc["minimax"]
    assert whole["generated"] + 1 == whole["visited"]
    assert whole["cutoffs"] == 0
    counts = ["generated", "visited", "expanded", "evaluated", "cutoffs"]
    assert (searches.loc["minimax_a_b", counts] == searches.loc["alpha_beta", counts]).all()


def one_ply_sees_no_reply(table):
    """Compare depths: the best move of depth 1 has a lower value at depth 2, and is not best."""
    values = table("horizon")
    best = values.loc[values["depth 1"].idxmax()]
    assert best["depth 2"] < best["depth 1"]
    assert best["depth 2"] < values["depth 2"].max()
