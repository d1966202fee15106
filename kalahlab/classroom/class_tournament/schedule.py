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
    """Pair each player with the next one that it has not met.

    Players that are left over are paired with those of an earlier pairing, the last one that can be
    split. There is one while each player has met fewer than half of the others; the argument is
    that of Dirac's theorem. Return None if there is none.
    """
    pairings, remaining = list[Pairing](), list[str]()
    waiting = [*order]
    while waiting:
        first = waiting.pop(0)
        other = next(
            (other for other in waiting if frozenset((first, other)) not in meetings), None
        )
        if other is None:
            remaining.append(first)
        else:
            waiting.remove(other)
            pairings.append((first, other))
    while remaining:
        one, two = remaining.pop(0), remaining.pop(0)
        if not _split_pairing(pairings, one, two, meetings):
            return None
    return pairings


def _split_pairing(
    pairings: list[Pairing], one: str, two: str, meetings: set[frozenset[str]]
) -> bool:
    """Split the last pairing whose players the two others can meet; return whether there is one."""
    for index, (first, second) in reversed([*enumerate(pairings)]):
        for other, another in ((one, two), (two, one)):
            new = [(first, other), (second, another)]
            if not any(frozenset(pairing) in meetings for pairing in new):
                pairings[index : index + 1] = new
                return True
    return False
