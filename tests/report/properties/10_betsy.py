import pandas as pd


def every_finalist_meets_nothing_under_both_rules_for_ties(table):
    final = table("final")
    wide = final.pivot(index="rival", columns="ties", values="share")
    assert wide.notna().all(axis=None)
    gap = final.set_index(["ties", "rival"])["more than nothing"].dropna()
    for (ties, rival), more in gap.items():
        assert abs(more - (wide.loc[rival, ties] - wide.loc["nothing at all", ties])) < 1e-9
    assert pd.isna(final.loc[final["rival"] == "nothing at all", "more than nothing"]).all()
