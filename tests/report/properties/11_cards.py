"""What holds of the tables on the card game, whatever the parameters."""

from kalahlab.games.cards import DECKS


def hands_hold_what_the_deck_has(table):
    six = table("factors")
    assert (six["S1"] + six["S2"] <= sum(DECKS[4])).all()
    assert (six["M1"] <= six["S1"]).all()
    assert (six["M2"] <= six["S2"]).all()


def the_dynamic_depth_is_odd_and_within_the_game(table):
    depths = table("depths")
    assert (depths["depth"] % 2 == 1).all()
    assert (depths["depth"] <= depths["own"] + depths["other"]).all()
    assert depths["unused"].sub(depths["own"] + depths["other"]).nunique() == 1


def a_full_tree_has_more_leaves_than_the_search_that_cuts_generates(table):
    costs = table("costs")
    assert costs["full_tree"].is_monotonic_increasing
    assert (costs["on_the_line"] <= costs["generated"]).all()
    assert (costs["generated"] <= costs["full_tree"].cumsum()).all()


def the_first_depth_has_no_cutoff(table):
    first = table("costs").iloc[0]
    assert first["full_tree"] == first["generated"] == first["on_the_line"]


def every_endgame_has_an_outcome(table):
    outcomes = table("outcomes").set_index("outcome")
    assert list(outcomes.index) == ["won", "drawn", "lost"]
    assert outcomes["positions"].sum() > 0


def a_move_is_changed_in_some_of_the_positions(table):
    choices = table("choices").set_index("plies")
    others = choices.drop(columns="positions")
    assert others.le(choices["positions"], axis=0).all(axis=None)


def both_players_of_a_match_search(table):
    for name in ("variants", "factor-matches", "depth-matches"):
        assert table(name)[["nodes", "other_nodes"]].gt(0).all(axis=None)


def leaving_out_n1_changes_no_game(table):
    matches = table("factor-matches").set_index("off")
    without = matches.loc[["n1"]]
    assert (without["nodes"] - without["other_nodes"]).abs().max() < 1e-9
