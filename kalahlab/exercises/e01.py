"""Exercises of notebook 01: sowing, capturing and the end of a game, by hand."""

from kalahlab.exercises.model import exercises
from kalahlab.games.kalah import EMPTY_CAPTURE, NORTH, SOUTH, STANDARD, Kalah, State, side, stores
from kalahlab.search.perft import perft

CAPTURE = State((1, 0, 3, 2, 2, 2, 3, 5, 3, 1), SOUTH)
"""Exercise 1.2: South's pit 1 ends in the empty pit 2, opposite North's pit 3."""
EMPTY = State((2, 1, 0, 1, 3, 1, 0, 4, 2, 2), SOUTH)
"""Exercise 1.3: South's pit 2 ends in the empty pit 3, whose opposite is empty too."""
END = State((0, 0, 0, 1, 7, 2, 0, 3, 1, 6), SOUTH)
"""Exercise 1.4: South's last stone falls into the store."""


def extra_turns() -> list[int]:
    """The pits, from 1, whose sow from the start of Kalah(6,4) earns an extra turn."""
    game = Kalah(6, 4)
    start = game.start()
    return [pit + 1 for pit in game.moves(start) if game.play(start, pit).player == start.player]


def store_after(state: State, pit: int, empty_capture: bool = False) -> int:
    """South's store after South has sown a pit, from 1."""
    rules = EMPTY_CAPTURE if empty_capture else STANDARD
    return stores(Kalah(4, 0, rules).play(state, pit - 1).board)[SOUTH]


def margin() -> int:
    """South's margin after the last stone of exercise 1.4."""
    game = Kalah(4, 0)
    return game.margin(game.play(END, 3), SOUTH)


def lines(depth: int) -> int:
    """The lines of play of Kalah(4,2)."""
    game = Kalah(4, 2)
    return perft(game, game.start(), depth)[-1]


EXERCISES = exercises(
    {
        "1.1": lambda: [extra_turns()[0], extra_turns()[0] - 1, extra_turns()[0] + 1],
        "1.2": lambda: [
            store_after(CAPTURE, 1),
            store_after(CAPTURE, 1) - 1,
            stores(CAPTURE.board)[SOUTH],
            stores(CAPTURE.board)[SOUTH] + 1 + side(CAPTURE.board, NORTH)[1],
        ],
        "1.3": lambda: [
            (store_after(EMPTY, 2), store_after(EMPTY, 2, empty_capture=True)),
            (store_after(EMPTY, 2, empty_capture=True), store_after(EMPTY, 2)),
            (store_after(EMPTY, 2),) * 2,
        ],
        "1.4": lambda: [margin(), 8 - 6, 8 + 6 - 6, -margin()],
        "1.5": lambda: [lines(2), lines(1) ** 2, lines(1), (lines(1) - 1) * lines(1)],
    }
)
