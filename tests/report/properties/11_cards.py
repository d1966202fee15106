"""What holds of the tables on the card game, whatever the parameters."""

from kalahlab.games.cards import DECKS


def hands_hold_what_the_deck_has(table):
    assert (table("factors")[["S1", "S2"]].sum(axis=1) <= sum(DECKS[4])).all()


def a_card_that_is_not_in_a_hand_is_unused_or_played(table):
    depths = table("depths")
    assert depths["unused"].sub(depths["own"] + depths["other"]).nunique() == 1


def a_full_tree_has_more_leaves_than_the_search_that_cuts_generates(table):
    costs = table("costs")
    assert costs["full_tree"].is_monotonic_increasing
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


def leaving_out_n1_changes_no_game(table):
    matches = table("factor-matches").set_index("off")
    without = matches.loc[["n1"]]
    assert (without["nodes"] - without["other_nodes"]).abs().max() < 1e-9
