"""The game of the last notebook: its account, and what is said of it."""

from random import Random

import pytest

from kalahlab.engine.solver.exact import open_solver
from kalahlab.games.kalah import Kalah
from kalahlab.judging.perfect import regrets
from kalahlab.play import parse_player, play_game
from kalahlab.studies.s12_play import account, by_player, conclusion, costliest, finding


def row(move: int, mover: str, best: int, regret: int) -> dict[str, int | str]:
    worth = best - regret
    keys = ("move", "mover", "in_play", "pit", "best", "worth", "regret")
    return dict(zip(keys, (move, mover, 20, 3, best, worth, regret), strict=True))


@pytest.mark.parametrize("most", [18, 12])
def test_the_value_and_all_regrets_make_the_margin(most: int) -> None:
    """So it is by definition of a regret, whoever plays and wherever the judge begins."""
    chance = Random(most)
    with open_solver(3, database_stones=4) as judge:
        for _ in range(8):
            south, north = (parse_player(f"random:{chance.randrange(99)}") for _ in "SN")
            log = play_game(Kalah(3, 3), south, north)
            rows = list(regrets(judge, log.choices, most))
            parts = account(rows, log.margin)["stones"]
            assert parts["sum"] == parts["margin of the game"] == log.margin


ROWS = [
    row(4, "North", -6, 0),
    row(5, "South", 6, 1),
    row(6, "North", -5, 7),
    row(7, "North", 2, 7),
]


def test_regrets_by_player_and_the_first_of_the_costliest_moves() -> None:
    assert by_player(ROWS).to_numpy().tolist() == [[1, 1, 1], [3, 14, 7]]
    assert costliest(ROWS, "North")["move"] == 6
    assert list(account(ROWS, 19)["stones"]) == [6, 14, -1, 19, 19]


def test_who_lost_and_who_won_is_said_by_the_numbers() -> None:
    said = conclusion(ROWS, "random:1", 19)
    assert "lost by 19.** With perfect play of both from move 4 on, it would lose by 6." in said
    assert "North's regrets add up to 14 stones, and South's to 1. Its most expensive move" in said
    assert "most expensive move is number 6" in said
    told = finding(ROWS, "random:1", 19)
    assert "`random:1` lost by 19: under perfect play its 3 judged moves gave up 14 stones" in told
    assert told.endswith(", of which 7 by one move.")
    perfect = [row(1, "South", -4, 0), row(2, "North", 4, 0)]
    said = conclusion(perfect, "random:1", -4)
    assert "won by 4.** With perfect play of both from move 1 on, it would win by 4." in said
    assert "No judged move of North's has a regret." in said
    assert "most expensive" not in said
    assert finding(perfect, "random:1", -4).endswith(
        "won by 4: under perfect play its 1 judged move gave up 0 stones."
    )
    even = [row(1, "South", 0, 0), row(2, "North", 0, 0)]
    assert "drew.** With perfect play of both from move 1 on, it would draw." in conclusion(
        even, "random:1", 0
    )
