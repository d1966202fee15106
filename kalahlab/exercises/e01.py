"""Exercises of notebook 01: sowing, capturing and the end of a game, by hand."""

from kalahlab.exercises.model import Exercise, Mistake
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


EXERCISES = (
    Exercise(
        "1.1",
        answer=lambda: extra_turns()[0],
        hint="The last of 4 stones must fall into the own store, which comes after pit 6.",
        solution="Pit **{answer}**: its stones fall into pits 4, 5 and 6 and into the store.",
        mistakes=(
            Mistake(
                lambda: extra_turns()[0] - 1,
                "Pits are numbered from 1. Or the first stone fell into the pit that was emptied: "
                "it falls into the next one.",
            ),
            Mistake(
                lambda: extra_turns()[0] + 1, "The last stone goes past the store: count again."
            ),
        ),
    ),
    Exercise(
        "1.2",
        answer=lambda: store_after(CAPTURE, 1),
        hint="Where does the stone fall? Is that pit empty? Which pit of North is opposite?",
        solution="The stone falls into the empty pit 2. Opposite is North's pit 3, with 5 stones. "
        "The store grows from 2 by 1 + 5 stones to **{answer}**.",
        mistakes=(
            Mistake(
                lambda: store_after(CAPTURE, 1) - 1, "The capturing stone goes to the store too."
            ),
            Mistake(lambda: stores(CAPTURE.board)[SOUTH], "There is a capture."),
            Mistake(
                lambda: stores(CAPTURE.board)[SOUTH] + 1 + side(CAPTURE.board, NORTH)[1],
                "North's pits are numbered from North's left. So North's pit 3 is opposite South's "
                "pit 2.",
            ),
        ),
    ),
    Exercise(
        "1.3",
        answer=lambda: (store_after(EMPTY, 2), store_after(EMPTY, 2, empty_capture=True)),
        hint="The last stone falls into an empty pit, and the opposite pit is empty too. What does "
        "each rule say about this stone?",
        solution="`{answer}`. Under the standard rules nothing is captured. Under empty capture "
        "the last stone goes to the store.",
        mistakes=(
            Mistake(
                lambda: (store_after(EMPTY, 2, empty_capture=True), store_after(EMPTY, 2)),
                "You exchanged the two rules.",
            ),
            Mistake(
                lambda: (store_after(EMPTY, 2),) * 2,
                "Empty capture moves the last stone to the store even if nothing lies opposite.",
            ),
        ),
    ),
    Exercise(
        "1.4",
        answer=margin,
        hint="South's side is empty, so the game is over. Who gets the rest?",
        solution="South's store grows to 8. North gets the rest, 2 + 0 + 3 + 1 = 6 stones, and has "
        "12. The margin is 8 − 12 = **{answer}**.",
        mistakes=(
            Mistake(lambda: 8 - 6, "You left out the stones that lie in North's pits."),
            Mistake(
                lambda: 8 + 6 - 6,
                "You gave the rest to South, whose side is empty. Under the standard rules it goes "
                "to the owner of the pits.",
            ),
            Mistake(lambda: -margin(), "That is North's margin."),
        ),
    ),
    Exercise(
        "1.5",
        answer=lambda: lines(2),
        hint="Which first move earns an extra turn? How many moves does South have after it?",
        solution="Pit 3 earns an extra turn, and is empty then: South has 3 moves. After each "
        "other pit North has 4 moves. 3 + 3 · 4 = **{answer}**.",
        mistakes=(
            Mistake(
                lambda: lines(1) ** 2,
                "After the extra turn South cannot play the pit that was just emptied.",
            ),
            Mistake(lambda: lines(1), "That is the number of first moves."),
            Mistake(
                lambda: (lines(1) - 1) * lines(1),
                "The lines that begin with the extra turn count too.",
            ),
        ),
    ),
)
