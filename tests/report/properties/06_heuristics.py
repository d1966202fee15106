def a_result_is_clear_only_if_its_corrected_p_is_small(table):
    for name, column, result in (
        ("plain-staged", "at random", "result"),
        ("terms", "points", "effect"),
    ):
        for _, row in table(name).iterrows():
            is_clear = row[result] != "no clear difference"
            assert is_clear == (row["Holm's p"] < 0.05)
            # Holm's p is at least the p of the row alone, whose interval then leaves out 1/2.
            assert not is_clear or not row[f"{column} low"] <= 0.5 <= row[f"{column} high"]


def scores_are_the_mean_points_of_the_openings(table):
    games = table("by-opening")
    as_in_report = games[games["match"] == "as in the report"]
    for _, row in table("plain-staged").iterrows():
        for way in ("at random", "pit order", "store first"):
            rows = as_in_report.query("depth == @row.depth and ties == @way")
            assert abs(rows["points"].mean() - row[way]) < 1e-9


def the_records_are_those_of_print(table):
    letters = {"wins": "W", "losses": "L", "draws": "T"}
    cells = []
    for row in table("printed").to_dict("records"):
        texts = [f"{row[name]}{letter}" for name, letter in letters.items() if row[name]]
        cells.append(", ".join(texts))
    assert cells == ["4L, 1T", "3W, 1L, 1T", "2W, 3L", "4W, 1L", "4W, 1T", "5W"]
