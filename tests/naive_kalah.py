"""Kalah by hand: named cups around a table and one stone at a time, as a person plays.

It shares nothing with the package but the names of the fields of `Rules`.
"""

from typing import NamedTuple

STORE = "store"


class Table(NamedTuple):
    """The cups by (side, pit or STORE), and the side to move."""

    cups: dict
    side: str


def lay_out(board, player):
    """Return the table of a board in the package's order."""
    pits = len(board) // 2 - 1
    names = [(side, cup) for side in "SN" for cup in (*range(pits), STORE)]
    return Table(dict(zip(names, board, strict=True)), "SN"[player])


def read_off(table):
    """Return the board in the package's order, and the player to move."""
    return tuple(table.cups.values()), "SN".index(table.side)


def other(side):
    return "N" if side == "S" else "S"


def stones_of(cups, side):
    return sum(count for (owner, cup), count in cups.items() if owner == side and cup != STORE)


def ring(cups, rules):
    """Return the cups in the order in which stones travel."""
    around = list(cups)
    if rules.direction == "counterclockwise":
        return around
    half = len(around) // 2
    south, north = around[: half - 1], around[half:-1]
    return [*reversed(south), ("S", STORE), *reversed(north), ("N", STORE)]


def has_ended(table, rules):
    """Return why the game is over: "side", "majority" or ""."""
    cups, side = table
    if stones_of(cups, side) == 0:
        return "side"
    if rules.end == "either" and stones_of(cups, other(side)) == 0:
        return "side"
    most = max(cups["S", STORE], cups["N", STORE])
    if rules.majority != "ignore" and most > sum(cups.values()) - most:
        return "majority"
    return ""


def settle(table, rules):
    """Return the table after the end, with the rest where the rules put it."""
    cups, side = dict(table.cups), table.side
    reason = has_ended(table, rules)
    if not reason or rules.rest_to == "nobody" or (reason, rules.majority) == ("majority", "stop"):
        return table
    stores = {who: cups[who, STORE] for who in "SN"}
    for (owner, cup), count in table.cups.items():
        if cup == STORE or count == 0:
            continue
        keeper = owner
        if rules.rest_to == "finisher":
            keeper = other(owner)  # the other side is empty
        if rules.rest_to == "leader" and stores["S"] != stores["N"]:
            keeper = max(stores, key=stores.get)
        cups[owner, cup] = 0
        cups[keeper, STORE] += count
    return Table(cups, side)


def sow(table, pit, rules):
    """Sow by hand; return the table, whose side is still that of the mover, and the last cup."""
    cups, side = dict(table.cups), table.side
    around = ring(cups, rules)
    origin = place = (side, pit)
    hand = cups[origin]
    cups[origin] = 0
    while hand:
        place = around[(around.index(place) + 1) % len(around)]
        if place == (other(side), STORE) and not rules.sow_opponent_store:
            continue
        if place == origin and rules.skip_origin:
            continue
        cups[place] += 1
        hand -= 1
        if hand == 0 and rules.relay and place[1] != STORE and cups[place] > 1:
            hand, origin = cups[place], place
            cups[place] = 0
    return Table(cups, side), place


def play(table, pit, rules):
    """Return the table after a move."""
    (cups, side), last = sow(table, pit, rules)
    taken = 0
    if last[0] == side and last[1] != STORE and cups[last] == 1 and rules.capture != "never":
        pits = len(cups) // 2 - 1
        facing = other(side), pits - 1 - last[1]
        if cups[facing] or rules.capture == "always":
            taken = cups[facing]
            cups[facing] = 0
            if rules.capturing_stone == "store":
                taken += 1
                cups[last] = 0
            cups[side, STORE] += taken
    again = last == (side, STORE) and rules.again_on_store
    if taken and rules.again_on_capture:
        again = True
    return settle(Table(cups, side if again else other(side)), rules)


def outcome(table, rules):
    """Return the stones of South and of North at the end."""
    cups = settle(table, rules).cups
    return cups["S", STORE], cups["N", STORE]
