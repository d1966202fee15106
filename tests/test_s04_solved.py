"""Solved games: agreement with print, fits, and charts, against the rows themselves."""

import random
from dataclasses import replace
from itertools import pairwise

import pandas as pd
import pytest

from kalahlab.engine.solver.solve import solve
from kalahlab.games.kalah import EMPTY_CAPTURE, NAMES, PRESETS, Kalah
from kalahlab.judging import perfect
from kalahlab.studies import s04_solved as study

pytestmark = pytest.mark.usefixtures("figures")

OPENINGS = perfect.solved_openings()


def test_all_boards_agree_with_what_was_published():
    table = study.beside(pd.DataFrame(OPENINGS))
    assert len(table) == 36
    assert table["agrees"].all()
    wrong = [replace(row, value=-row.value) for row in OPENINGS]
    drawn = {row.value for row in OPENINGS if row.rules == "empty-capture" and not row.value}
    assert drawn == {0}
    disagree = study.beside(pd.DataFrame(wrong))
    assert (disagree["agrees"] == (disagree["empty-capture"] == 0)).all()


def test_agreement_is_said_of_each_rule():
    table = study.beside(pd.DataFrame(OPENINGS))
    said = study.agreement(table)
    assert "36 of 36 boards have the winner that the printed tables give; 17 of them also" in said
    assert "Under the standard rule 35 of 36 have the printed winner." in said
    assert said.endswith("Different: Kalah(5, 2) is +2 and printed as D.")
    said = study.agreement(table.assign(standard=table["empty-capture"], agrees=False))
    assert said.startswith("Under empty capture 0 of 36")
    assert said.endswith("Under the standard rule 36 of 36 have the printed winner.")


def test_the_table_of_the_page_says_which_rule_agrees():
    shown = study.readable(study.beside(pd.DataFrame(OPENINGS)))
    assert shown["agrees, empty capture"].all()
    assert shown.index[~shown["agrees, standard rule"]].tolist() == [(5, 2)]


def test_the_first_player_does_not_always_win():
    printed = pd.DataFrame({"cs5329": ["W", "D", "L", "W"]})
    assert "is false for 2 of its own games" in study.first_player(printed)
    assert study.first_player(printed[::3]).endswith("as it says: “the first player always wins”.")


PROVED = study.Proved(2, 4, 10, 2_000)


def test_six_six_is_told_under_both_rules():
    assert set(study.elsewhere().index) == {(6, 6)}
    assert set(study.elsewhere()["rules"]) == set(PRESETS)


def test_minimax_to_the_end_is_the_table():
    table = study.minimax_to_the_end(OPENINGS, 6)
    assert len(table) == 2 * len([(1, 1), (1, 2), (1, 3), (2, 1), (3, 1)])
    assert (table["minimax"] == table["solved"]).all()
    assert table["line ends so"].all()
    wrong = [replace(row, value=row.value + 1) for row in OPENINGS]
    assert not (lambda rows: rows["minimax"] == rows["solved"])(
        study.minimax_to_the_end(wrong, 6)
    ).any()


def test_growth_is_the_ratio_of_a_geometric_series():
    frame = pd.DataFrame({"stones": [8, 2, 4], "nodes": [5 * 3.0**n for n in (8, 2, 4)]})
    assert study.step_factors(frame, "stones", "nodes") == pytest.approx([3, 3])


def test_the_answer_says_what_its_numbers_say():
    solved = pd.DataFrame(OPENINGS)
    table = study.beside(solved)
    columns = ["game", "player", "judged", "perfect", "regret", "worst"]
    some = pd.DataFrame([["g", "A", 4, 0.5, 6, 4], ["g", "B", 4, 1.0, 0, 0]], columns=columns)
    some = some.set_index(["game", "player"])
    said = study.conclusion(solved, table, some, study.largest())
    assert "wins most boards**: 25 of 36 under the standard rule and 24 of 36 under" in said
    assert "it changes the value of 11 of 36" in said
    assert "give up stones** on 1 of 2 sides of the judged games: 75% of 8 judged moves" in said
    none = some.assign(regret=0, perfect=1.0)
    lost = solved.assign(value=-1)
    said = study.conclusion(lost, table, none, {"standard": PROVED})
    assert "Kalah(6, 6) is **from +2 to +4**" in said
    assert "wins most boards under no rule**" in said
    assert "does not matter** on these 36" in said
    assert "No judged move gives up a stone**: 100%" in said
    half = solved.assign(value=[1 if rules == "standard" else -1 for rules in solved["rules"]])
    assert "under one rule only" in study.conclusion(half, table, none, study.largest())


def test_the_finding_says_what_is_proved_of_six_six():
    solved = pd.DataFrame(OPENINGS)
    assert "in stones, **exactly +4** under the standard rule" in study.finding(
        study.largest(), solved
    )
    bounds = {"standard": study.Proved(4, 72, 10, 2_000), "empty-capture": PROVED}
    said = study.finding(bounds, solved.assign(value=-1))
    assert "**at least +4** under the standard rule and **from +2 to +4** under empty" in said
    assert "20 proved pieces show (4,000 nodes)" in said
    assert "wins 0 of 36 under the standard" in said


def test_first_moves_are_bounded_as_the_ledgers_have_it():
    moves = study.first_moves()
    standard = moves.filter(like="standard")
    assert standard.loc["pit 1"].tolist() == [4, 4], "the move that proves the value"
    assert (standard["the standard rule: at most"] == 4).all()
    said = study.moves_in_words(moves)
    assert said.startswith("Under the standard rule the exact value is known of pit 1 (+4). Of the")
    assert " Under empty capture " in said
    whole = study.moves_in_words(standard[:1])
    assert (
        whole == "Under the standard rule the exact value of each first move is known: pit 1 (+4)."
    )
    assert study.moves_in_words(standard[1:]).endswith("the exact value of no first move is known.")


def test_a_perfect_game_is_told_by_turns_and_key_boards():
    game = Kalah(4, 3, EMPTY_CAPTURE)
    solution = solve(game.start(), game.rules, keep=False)
    sheet = study.score_sheet(game, game.start(), solution.line)
    assert " ".join(sheet["pits sown"]).split() == [str(pit + 1) for pit in solution.line]
    last = sheet.iloc[-1]
    assert last["store of South"] - last["store of North"] == solution.value
    assert all(one != two for one, two in pairwise(sheet["player"]))
    views = study.key_views(game, game.start(), solution.line, 4)
    assert len(views) == 4
    assert [int(view.caption.partition(".")[0]) for view in views[::3]] == [1, len(solution.line)]
    assert "wins by 8 stones" in study.of_perfect_game(game, solution.value, solution.line)
    assert "draws. The game" in study.of_perfect_game(game, 0, solution.line)
    assert "loses by 2 stones" in study.of_perfect_game(game, -2, solution.line)


def test_the_openings_are_counted_by_hand():
    rows = [row for row in OPENINGS if row.pits > 1 and row.rules == "standard" and row.moves]
    table = study.tempting(pd.DataFrame(OPENINGS)).loc["standard"]
    lost = [row.value - value for row in rows for value in row.moves]
    assert table["first moves"] == len(lost) == 6 * (2 + 3 + 4 + 5 + 6) - 6
    assert table["best"] == lost.count(0)
    assert table["regret, most"] == max(lost)
    assert table["regret of the others, mean"] == pytest.approx(sum(lost) / sum(map(bool, lost)))


def test_the_charts_show_every_value():
    rng = random.Random(1)
    figure = study.draw_values(pd.DataFrame(OPENINGS))
    shown = [text.get_text() for ax in figure.axes for text in ax.texts]
    assert sorted(shown) == sorted(f"{row.value:+d}" for row in OPENINGS)
    given = pd.DataFrame(
        [
            {"game": game, "player": player, "mover": mover, "move": move}
            | {"regret": rng.randrange(5)}
            for game in ("one", "two", "three")
            for player, mover in zip("ab", NAMES, strict=True)
            for move in range(5)
        ]
    )
    figure = study.draw_regret(given)
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["one", "two", "three"]
    drawn = [bar.get_height() for bar in figure.axes[1].containers[0]]
    two = given[(given["game"] == "two") & (given["player"] == "a")]
    assert drawn == two["regret"].tolist()
    assert sum(drawn) == study.summed_up(given).loc[("two", "a"), "regret"]
    assert f"two: a {sum(drawn)}" in study.regret_in_words(given)


def test_games_that_are_the_same_are_shown_once():
    one = pd.DataFrame({"game": "one", "player": "a", "move": [1, 2], "regret": [0, 3]})
    given = pd.concat([one, one.assign(game="two"), one.assign(game="three", regret=[0, 1])])
    shown = study.without_repeats(given)
    assert shown["game"].unique().tolist() == ["one (and 1 more)", "three"]
    assert len(shown) == 4
    names = ["one, depth 2", "one, depth 4", "two, depth 2", "three"]
    given = pd.concat([one.assign(game=name) for name in names])
    assert study.deepest(given)["game"].unique().tolist() == names[1:]


def test_the_largest_game_is_as_its_ledgers_have_it() -> None:
    for bounds, said in {
        (4, 4): "**exactly +4**",
        (-2, -2): "**exactly -2**",
        (4, 72): "**at least +4**",
        (2, 6): "**from +2 to +6**",
    }.items():
        assert said in study.largest_in_words({"standard": study.Proved(*bounds, 10, 2_000)})
    found = study.largest()
    assert found["standard"][:2] == (4, 4)
    assert found["empty-capture"][:2] == (2, 2)
    for proved in found.values():
        assert f"{proved.pieces:,} pieces" in study.largest_in_words(found)
