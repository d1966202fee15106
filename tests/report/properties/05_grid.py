import pytest


def the_scores_are_the_mean_points_of_the_openings(table):
    games = table("by-opening")
    for _, row in table("against").iterrows():
        rows = games[(games["rules"] == row["rules"]) & (games["player"] == row["player"])]
        for way in ("at random", "in pit order", "store first"):
            points = rows.loc[rows["ties"] == way, "points"]
            assert points.mean() == pytest.approx(row[way])


def a_result_is_clear_only_if_its_corrected_p_is_small(table):
    for _, row in table("against").iterrows():
        is_clear = row["result"] != "no clear difference"
        assert is_clear == (row["Holm's p"] < 0.05)
        # Holm's p is at least the p of the row alone, whose interval then leaves out 1/2.
        assert not is_clear or not row["at random low"] <= 0.5 <= row["at random high"]


def the_openings_of_both_tables_have_the_same_scores(table):
    keys = ["rules", "player"]
    scores = table("against").set_index(keys)["at random"]
    for _, row in table("starts").iterrows():
        assert row["openings"] == pytest.approx(scores[row["rules"], row["evaluator"]])


def elo_has_the_sign_of_the_lead(table):
    for _, row in table("against").dropna(subset="Elo").iterrows():
        assert (row["Elo"] > 0) == (row["at random"] > 0.5)
