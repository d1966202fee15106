def the_number_of_cards_in_hand_changes_no_game(table):
    """All leaves of one depth have the same number of cards, so both sides play alike."""
    matches = table("factor-matches")
    assert (matches.loc[matches["off"] == "n1", "score"] == 0.5).all()
