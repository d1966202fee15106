"""Who plays whom: round robins and Swiss tournaments, in an order that a seed decides."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from random import Random

Pairing = tuple[str, str]


def round_robin(players: Sequence[str], seed: int) -> list[Pairing]:
    """Return each two of the players once, in random order and in random order of the two."""
    order = shuffle(players, seed)
    pairings = [*combinations(order, 2)]
    Random(seed).shuffle(pairings)
    return pairings


def shuffle(players: Iterable[str], seed: int) -> list[str]:
    """Return the players in an order that depends on the seed and not on their order."""
    order = sorted(players)
    Random(seed).shuffle(order)
    return order


def check_rounds(rounds: int, players: int) -> None:
    """Raise `ValueError` if a Swiss tournament of so many rounds might need a second meeting."""
    most = max(1, players // 2)
    if rounds > most:
        raise ValueError(
            f"--swiss {rounds} is too many rounds for {players} players; use {most} or fewer, or "
            "leave it out for a round robin"
        )


def pair_round(
    points: Mapping[str, float], met: Iterable[Pairing], rested: Iterable[str], seed: int
) -> tuple[list[Pairing], str | None]:
    """Pair the players for the next round of a Swiss tournament.

    Players with many points meet each other, and no two meet again. With an odd number, the last
    player who has not rested yet rests.

    Args:
        points: The points of each player so far.
        met: The pairings so far.
        rested: The players that have rested.
        seed: Decides the order of players with the same points.

    Returns:
        The pairings, and the player who rests, or None.
    """
    order = sorted(shuffle(points, seed), key=lambda player: -points[player])
    meetings = {frozenset(pairing) for pairing in met}
    resting: list[str | None] = [None]
    if len(order) % 2:
        have_rested = set(rested)
        resting = [player for player in reversed(order) if player not in have_rested]
    for player in resting:
        pairings = _pair([other for other in order if other != player], meetings)
        if pairings is not None:
            return pairings, player
    raise ValueError("no round is possible in which nobody meets again")


def _pair(order: list[str], meetings: set[frozenset[str]]) -> list[Pairing] | None:
    """Pair the first player with the nearest one that it has not met, and so on.

    Return None if that is impossible.
    """
    if not order:
        return []
    first, rest = order[0], order[1:]
    for index, other in enumerate(rest):
        if frozenset((first, other)) in meetings:
            continue
        pairings = _pair(rest[:index] + rest[index + 1 :], meetings)
        if pairings is not None:
            return [(first, other), *pairings]
    return None
