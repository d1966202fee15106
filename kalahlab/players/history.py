"""The moves that lead from one position to another, for programs that are told no boards."""

from collections import deque

from kalahlab.games.kalah import Kalah, State, stores

MOST_SOWS = 20_000


def find_moves(
    game: Kalah, before: State, after: State, most: int = MOST_SOWS, mover: int | None = None
) -> tuple[int, ...] | None:
    """Return the shortest sequence of pits (from 0) that leads from `before` to `after`.

    It is None if none is found within `most` sows. Other sequences may lead to the same position.
    Stones never leave a store, so positions with fuller stores than `after` are left out.

    Args:
        game: The game.
        before: The first position.
        after: The last position.
        most: The number of sows after which the search ends.
        mover: The player who makes all moves, in one turn; None if both players may move.
    """
    goal = stores(after.board)
    paths: dict[State, tuple[int, ...]] = {before: ()}
    queue = deque([before])
    sows = 0
    while queue and after not in paths and sows < most:
        state = queue.popleft()
        if mover not in (None, state.player):
            continue
        for pit in game.moves(state):
            child = game.play(state, pit)
            sows += 1
            south, north = stores(child.board)
            if child not in paths and south <= goal[0] and north <= goal[1]:
                paths[child] = (*paths[state], pit)
                queue.append(child)
    return paths.get(after)
