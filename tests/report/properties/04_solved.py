def letter(value):
    if value == 0:
        return "D"
    return "W" if value > 0 else "L"


def agreement_is_with_the_printed_winners(table):
    frame = table("solved")
    assert len(frame) == 36
    winners = frame["value, standard rule"].map(letter) == frame["printed, CS5329"]
    assert (winners == frame["agrees, standard rule"]).all()
    wrong = frame["value, empty capture"].map(letter) != frame["printed, CS5329"]
    assert not (wrong & frame["agrees, empty capture"]).any()


def rules_differ_where_their_values_do(table):
    frame, differ = table("solved"), table("rules-differ")
    assert len(differ) == (frame["value, empty capture"] != frame["value, standard rule"]).sum()


def bounds_of_a_first_move_are_within_those_of_the_start(table):
    starts = table("ledger").set_index("rules")
    for rules, moves in table("six-six-moves").groupby("rules"):
        assert (moves["at most"] <= starts.loc[rules, "at most"]).all()
        assert moves["at least"].max() == starts.loc[rules, "at least"]
        exact = moves.dropna(subset=["at least", "at most"])
        assert (exact["at least"] <= exact["at most"]).all()
