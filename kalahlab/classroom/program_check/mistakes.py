"""The mistakes that programs have: what each does, what to mend, and the switches that make it."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any, Literal, NamedTuple

from kalahlab.classroom.program_check.flawed import (
    RIGHT_SEARCH,
    RIGHT_SOWING,
    Flawed,
)
from kalahlab.games.kalah import NORTH, SOUTH


class KnownMistake(NamedTuple):
    """A mistake that programs have.

    Attributes:
        name: The name of the mistake.
        part: Where it is: in the rules, in the sowing, or in the search.
        description: What a program with the mistake does.
        remedy: The advice to its author.
        switches: The fields of `Rules`, `Sowing` or `Search`, and their values.
    """

    name: str
    part: Literal["rules", "sowing", "search"]
    description: str
    remedy: str
    switches: dict[str, Any]

    def apply(self, program: Flawed) -> Flawed | None:
        """Return a program with this mistake, too; None if it has such a mistake already."""
        game, search = program.game, program.search
        if self.part == "search":
            changed: Any = _change(search, RIGHT_SEARCH, self.switches)
            return changed and Flawed(game, changed)
        if self.part == "sowing":
            changed = _change(game.sowing, RIGHT_SOWING, self.switches)
            return changed and Flawed(replace(game, sowing=changed), search)
        try:
            rules = replace(game.rules, **self.switches)
        except ValueError:  # the rules contradict each other
            return None
        if rules == game.rules:
            return None
        return Flawed(replace(game, rules=rules), search)


def _change(settings: Any, right: Any, switches: dict[str, Any]) -> Any:
    """Return settings with other switches; None if one of them is set already."""
    is_free = all(getattr(settings, name) == getattr(right, name) for name in switches)
    return replace(settings, **switches) if is_free else None


def _rule(name: str, description: str, remedy: str, **switches: Any) -> KnownMistake:
    return KnownMistake(name, "rules", description, remedy, switches)


def _sowing(name: str, description: str, remedy: str, **switches: Any) -> KnownMistake:
    return KnownMistake(name, "sowing", description, remedy, switches)


def _search(name: str, description: str, remedy: str, **switches: Any) -> KnownMistake:
    return KnownMistake(name, "search", description, remedy, switches)


_WINDOW = "After an extra turn the same player moves: pass alpha and beta on unchanged."
_CUT = "At a cut, return the value that reached the bound, or that bound: beta at MAX."
_EXTRA = "After an extra turn the same player chooses again."
_REST = "The stones left at the end go to the store of the player in whose pits they lie."
KNOWN_MISTAKES = (
    _rule(
        "extra-turn-ignored",
        "passes the turn also after a last stone in the own store",
        "A last stone in the own store gives an extra turn: the same player moves again.",
        again_on_store=False,
    ),
    _rule(
        "extra-turn-on-capture",
        "gives an extra turn after a capture",
        "Only a last stone in the own store gives an extra turn.",
        again_on_capture=True,
    ),
    _rule(
        "capture-of-empty-pit",
        "banks a last stone in an own empty pit also if the opposite pit is empty",
        "A last stone in an own empty pit captures only if the opposite pit has stones.",
        capture="always",
    ),
    _rule(
        "capture-needs-stones",
        "leaves a last stone in an own empty pit if the opposite pit is empty",
        "By these rules the last stone is banked also if the opposite pit is empty.",
        capture="opposite",
    ),
    _rule(
        "no-capture",
        "captures nothing",
        "A last stone in an own empty pit captures the stones of the opposite pit.",
        capture="never",
    ),
    _rule(
        "capturing-stone-stays",
        "captures the stones of the opposite pit, but leaves the last stone",
        "The last stone goes to the store, with the stones that it captures.",
        capturing_stone="stays",
    ),
    _rule(
        "origin-skipped",
        "passes over the pit that the stones came from in a full lap",
        "A stone falls into each pit on the way, also into the one that the stones came from.",
        skip_origin=True,
    ),
    _rule(
        "opponents-store-sown",
        "sows into the opponent's store",
        "Pass over the opponent's store.",
        sow_opponent_store=True,
    ),
    _rule(
        "relay",
        "takes up the stones of a pit with a last stone, and sows on",
        "A sow ends with its last stone.",
        relay=True,
    ),
    _rule(
        "clockwise",
        "sows in the other direction",
        "Sow counterclockwise: along the own pits to the right, into the own store, and on.",
        direction="clockwise",
    ),
    _rule(
        "end-when-mover-is-out",
        "ends the game only when the player to move has no stones",
        "The game is over as soon as one of the two rows is empty.",
        end="mover",
    ),
    _rule(
        "rest-to-the-other",
        "gives the stones left at the end to the player whose row is empty",
        _REST,
        rest_to="finisher",
    ),
    _rule(
        "rest-to-the-leader",
        "gives the stones left at the end to the player with more stones",
        _REST,
        rest_to="leader",
    ),
    _rule(
        "rest-not-counted",
        "does not count the stones that are left at the end",
        _REST,
        rest_to="nobody",
    ),
    _rule(
        "stops-at-majority",
        "ends the game when a store has more than half of the stones",
        "By these rules the game goes on until a row is empty.",
        majority="stop",
    ),
    _sowing(
        "origin-not-emptied",
        "does not empty the pit whose stones it sows",
        "Set the pit to 0 before you sow its stones.",
        origin_kept=True,
    ),
    _sowing(
        "own-store-not-sown",
        "does not sow into the own store",
        "One stone falls into the own store each time that the sow passes it.",
        own_store_skipped=True,
    ),
    _sowing(
        "last-stone-missing",
        "sows one stone too few",
        "Sow as many stones as the pit had; check the range of the loop.",
        stops_short=True,
    ),
    _sowing(
        "capture-other-side",
        "captures in empty pits of the opponent, not in own ones",
        "Only a last stone in an empty pit of the player who sows captures.",
        captures_on="other",
    ),
    _sowing(
        "capture-both-sides",
        "captures in empty pits of the opponent, too",
        "Only a last stone in an empty pit of the player who sows captures.",
        captures_on="both",
    ),
    _sowing(
        "capture-in-full-pit",
        "captures also if the pit of the last stone had stones",
        "Capture only if the pit of the last stone was empty: it has 1 stone after the sow.",
        captures_full=True,
    ),
    _sowing(
        "capture-in-full-pit-of-one",
        "captures also if the pit of the last stone had stones, and then banks only one of them",
        "Capture only if the pit of the last stone was empty: it has 1 stone after the sow.",
        captures_full=True,
        banked="one",
    ),
    _sowing(
        "last-stone-lost",
        "takes the last stone of a capture from the board, and puts it into no store",
        "The last stone goes to the store, with the stones that it captures.",
        banked="none",
    ),
    _sowing(
        "lap-captures-nothing",
        "captures nothing when a last stone comes all the way round to its own pit",
        "The pit was emptied first, so a last stone there is in an own empty pit: it captures.",
        lap_captures=False,
    ),
    _sowing(
        "capture-to-opponent",
        "gives captured stones to the opponent",
        "Captured stones go to the store of the player who sows.",
        captured_for="other",
    ),
    _sowing(
        "captured-stones-lost",
        "takes captured stones from the board, and puts them into no store",
        "Captured stones go to the store of the player who sows.",
        captured_for="nobody",
    ),
    _sowing(
        "opposite-one-too-far",
        "takes the pit after the opposite one for the opposite pit",
        "With m pits a side, the pit opposite index i in the ring has the index 2m - i.",
        opposite=1,
    ),
    _sowing(
        "opposite-one-too-near",
        "takes the pit before the opposite one for the opposite pit",
        "With m pits a side, the pit opposite index i in the ring has the index 2m - i.",
        opposite=-1,
    ),
    _sowing(
        "only-last-stone-captured",
        "banks the last stone of a capture, and leaves the stones of the opposite pit",
        "The stones of the opposite pit go to the store, too.",
        loose_capture=True,
    ),
    _sowing(
        "no-capture-past-end",
        "captures nothing and gives no extra turn when a sow has passed the end of the list",
        "Take the index of the last stone modulo the length of the board before you compare it.",
        stops_at_end=True,
    ),
    _sowing(
        "south-ends-the-game",
        "ends the game only when South has no stones",
        "The game is over as soon as one of the two rows is empty.",
        ends_for=SOUTH,
    ),
    _sowing(
        "north-ends-the-game",
        "ends the game only when North has no stones",
        "The game is over as soon as one of the two rows is empty.",
        ends_for=NORTH,
    ),
    _search(
        "alternates-by-level",
        "lets MAX and MIN alternate, also after an extra turn",
        f"{_EXTRA} Choose max or min by the player to move.",
        by_level=True,
    ),
    _search(
        "max-moves-always",
        "searches each position after a move as if MAX were to move there",
        "Pass on who moves next: the opponent or, after an extra turn, the same player.",
        max_moves_always=True,
    ),
    _search(
        "extra-turn-ignored-at-root",
        "searches each of its own first moves as if the opponent moved next",
        "After a first move that gives an extra turn, the search goes on with the same player.",
        root_passes=True,
    ),
    _search(
        "extra-turn-of-max-ignored",
        "passes the turn after an extra turn of MAX, but not after one of MIN",
        "Also at MAX, pass on who moves next: after an extra turn, the same player.",
        passes_for="max",
    ),
    _search(
        "extra-turn-of-min-ignored",
        "passes the turn after an extra turn of MIN, but not after one of MAX",
        "Also at MIN, pass on who moves next: after an extra turn, the same player.",
        passes_for="min",
    ),
    _search(
        "negates-always",
        "negates the value also after an extra turn",
        "Negate the value only if the turn has passed to the other player.",
        negated=True,
    ),
    _search(
        "own-bound-returned",
        "returns the wrong bound at a cut: alpha at MAX, beta at MIN",
        _CUT,
        returned="own",
    ),
    _search(
        "own-bound-returned-at-max",
        "returns the wrong bound at a cut of MAX: alpha, not the value or beta",
        _CUT,
        returned="own at max",
    ),
    _search(
        "own-bound-returned-at-min",
        "returns the wrong bound at a cut of MIN: beta, not the value or alpha",
        _CUT,
        returned="own at min",
    ),
    _search(
        "window-exchanged",
        "exchanges alpha and beta after an extra turn",
        _WINDOW,
        window="exchanged",
    ),
    _search(
        "window-negated",
        "negates and exchanges alpha and beta after an extra turn, but not the value",
        _WINDOW,
        window="negated",
    ),
    _search(
        "window-not-negated",
        "passes alpha and beta on unchanged where it negates the value",
        "Where the value is negated, the window is (-beta, -alpha).",
        passed_window="kept",
    ),
    _search(
        "window-not-exchanged",
        "passes on (-alpha, -beta) where it negates the value",
        "Where the value is negated, the window is (-beta, -alpha).",
        passed_window="signs",
    ),
    _search(
        "window-not-signed",
        "passes on (beta, alpha) where it negates the value",
        "Where the value is negated, the window is (-beta, -alpha).",
        passed_window="exchanged",
    ),
    _search(
        "first-child-only",
        "returns after the first move, before it tries the others",
        "Return after the loop over the moves: check the indentation.",
        children="first",
    ),
    _search(
        "cut-by-own-bound",
        "cuts too early: compares MAX with alpha, and MIN with beta",
        "Leave a node of MAX when its value is at least beta, one of MIN when it is at most alpha.",
        cut="own",
    ),
    _search(
        "cut-when-worse",
        "cuts when a value is worse than the best so far: MAX at most alpha, MIN at least beta",
        "Leave a node of MAX when its value is at least beta, one of MIN when it is at most alpha.",
        cut="worse",
    ),
    _search(
        "cut-reversed",
        "cuts when alpha is less than beta, which is almost always",
        "Leave the loop when alpha >= beta.",
        reversed_cut=True,
    ),
    _search(
        "last-of-equals",
        "takes a later move of the same value, which in alpha-beta is often only a bound",
        "Take a move only if its value is better than the best so far, not if it is equal.",
        last_of_equals=True,
    ),
    _search(
        "min-raises-alpha",
        "raises alpha at nodes of MIN, where beta is to be lowered",
        "At nodes of MIN: beta = min(beta, value).",
        wrong_bound=True,
    ),
    _search(
        "best-starts-at-0",
        "begins with a best value of 0, so that worse values are never seen",
        "Begin with minus infinity at MAX, and with infinity at MIN.",
        start=0.0,
    ),
    _search(
        "best-starts-at-1",
        "begins with a best value of -1 at MAX and 1 at MIN",
        "Begin with minus infinity at MAX, and with infinity at MIN.",
        start=1.0,
    ),
    _search(
        "both-maximize",
        "chooses the largest value for both players",
        "The opponent chooses the smallest value, or the value is negated when the turn passes.",
        chooses="both",
    ),
    _search(
        "opponent-helps",
        "chooses what is best for the player at the root at each node, as if the opponent helped",
        "The opponent chooses the value that is worst for the player at the root.",
        chooses="root",
    ),
    _search(
        "both-minimize",
        "chooses the smallest value for both players",
        "MAX chooses the largest value.",
        chooses="nobody",
    ),
    _search(
        "last-child-only",
        "returns the value of the last move, and not the best",
        "Keep the best value of all moves.",
        children="last",
    ),
    _search(
        "first-pit-untried",
        "never tries the first pit",
        "Try all pits with stones: check the range of the loop.",
        untried="first",
    ),
    _search(
        "last-pit-untried",
        "never tries the last pit",
        "Try all pits with stones: check the range of the loop.",
        untried="last",
    ),
    _search(
        "extra-turn-not-searched",
        "does not search on after an extra turn",
        "A node after an extra turn is searched as any other.",
        stops_again=True,
    ),
    _search(
        "finished-at-depth-0",
        "tests the depth before the end of the game: one that is over at depth 0 is not swept",
        "Test first whether the game is over, and then the depth.",
        finished_at_depth_0="unswept",
    ),
    _search(
        "one-ply-less",
        "searches one ply less than its depth",
        "Depth 1 looks at the positions after one move: test depth == 0.",
        deeper=-1,
    ),
    _search(
        "one-ply-more",
        "searches one ply more than its depth",
        "Depth 1 looks at the positions after one move: test depth == 0.",
        deeper=1,
    ),
)
"""The mistakes that are tried, those of rules and sowing first."""

TURNS = KnownMistake(
    "depth-in-turns",
    "search",
    "counts the depth in turns: a move after an extra turn is not deeper",
    "Each sow is one ply: go on with depth - 1, also after an extra turn.",
    {"depth": "turns"},
)
PLIES = KnownMistake(
    "depth-in-plies",
    "search",
    "counts the depth in plies, not in turns",
    "A move after an extra turn has the same depth as the move before it.",
    {"depth": "plies"},
)
CRASH = _search("crash", "fails at some positions", "See the line of the error.")
ENDLESS = _search(
    "endless", "does not come to an end", "Each call must be one ply nearer to the end."
)
DEPENDENT = _search(
    "depends-on-earlier-calls",
    "gives another answer after other calls",
    "Keep nothing between two calls: no global variable, and no table without the depth.",
)
CREDITS_BY_LEVEL = _search(
    "credits-by-level",
    "mostly gives the moves of a search that credits a win to the players in turn, level by level",
    "Credit a value by the player who has made the move, also after an extra turn.",
)
TURNS_OVER = _search(
    "turns-over-each-level",
    "mostly gives the moves of a search that turns the result over at each level, also after an "
    "extra turn",
    "Turn the result over only where the turn has passed to the other player.",
)
CREDITS_NEXT = _search(
    "credits-who-moves-next",
    "mostly gives the moves of a search that credits a win to the opponent of the player who "
    "moves next, also after an extra turn",
    "Credit a value by the player who has made the move, which the parent of the node knows.",
)
PASSES_ALWAYS = _search(
    "extra-turn-ignored",
    "mostly gives the moves of a search that passes the turn also after a last stone in the own "
    "store",
    _EXTRA,
)
CHANGED = _search(
    "argument-changed",
    "changes the board that it is given",
    "Copy the board before a move, or take the move back.",
)
CUT_FLAWS = (
    "window",
    "passed_window",
    "returned",
    "wrong_bound",
    "reversed_cut",
    "last_of_equals",
)
"""Fields of `Search` that do nothing unless the search cuts."""


def list_variants(mistake: KnownMistake, program: Flawed) -> Iterator[Flawed]:
    """Yield programs with a mistake, with each order of moves if the order matters for a value."""
    changed = mistake.apply(program)
    if changed is None:
        return
    search = changed.search
    has_order = any(getattr(search, name) != getattr(RIGHT_SEARCH, name) for name in CUT_FLAWS)
    if has_order and search.cut == "never":
        search = replace(search, cut="at")
    if not has_order and search.cut == "never" and search.children == "all":
        yield Flawed(changed.game, search)
        return
    for order in ("ring", "reversed", "columns"):
        for hard in (False, True):
            yield Flawed(changed.game, replace(search, order=order, hard=hard))


def list_pairs(mistakes: tuple[KnownMistake, ...]) -> Iterator[tuple[KnownMistake, KnownMistake]]:
    """Yield each two mistakes that a program can have at once."""
    for first, second in combinations(mistakes, 2):
        if first.part != second.part or not first.switches.keys() & second.switches.keys():
            yield first, second
