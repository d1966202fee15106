"""The rules as the compiled code of the database and the solver reads them.

The tables of sowing hold most fields of `Rules`. The direction is in none of them: with the pit
next to the store in byte 6, clockwise sowing has the same tables; see
`kalahlab.solver.endgame.layout.places`.
"""

from functools import cache
from typing import NamedTuple

from kalahlab.engine.compiled import inlined
from kalahlab.engine.packed import Sowings, is_extra_turn, sowings, step, step_by_rules
from kalahlab.games.rules import Rules
from kalahlab.games.supported import FAST, unknown_rule
from kalahlab.solver.endgame.layout import places


class CompiledRules(NamedTuple):
    """The rules beside the tables of sowing.

    This tuple has no array, as numba would count the references to it in each call.

    Attributes:
        other_rules: None if the rules are among `FAST`, else True. The type of None has no other
            value, so numba leaves all code for other rules out of the kernels that it compiles for
            it. The search of the solver takes 0.93 of the time then.
        captures_empty: True if a last stone opposite an empty pit is banked, too.
        stays: 1 if the stone that captures stays in its pit, else 0.
        again: True if a player who captures moves again.
        mover_ends: True if the game goes on while only the opponent of the mover has no stones.
        rest: At the end of the game, the factor of the mover's stones minus the opponent's: 1 if
            owners get the rest, -1 if the finisher gets it, 0 if nobody does. One side is empty, so
            the finisher gets the stones of the other player.
    """

    other_rules: bool | None
    captures_empty: bool
    stays: int
    again: bool
    mover_ends: bool
    rest: int


def make_sowings(pits: int, rules: Rules) -> Sowings:
    """Return the tables of sowing of boards of a size, with the pit next to the store in byte 6."""
    return sowings(pits, places(pits, rules.direction), rules)


@cache
def compile_rules(rules: Rules) -> CompiledRules:
    """Return the rules as compiled code reads them."""
    stays = rules.capturing_stone == "stays"
    return CompiledRules(
        other_rules=True if unknown_rule(rules, FAST) else None,
        # A stone that stays banks nothing, so it can be ignored that it captures an empty pit.
        captures_empty=rules.capture == "always" and not stays,
        stays=1 if stays else 0,
        again=rules.again_on_capture,
        mover_ends=rules.end == "mover",
        rest={"owner": 1, "finisher": -1, "nobody": 0}[rules.rest_to],
    )


@inlined
def sow_pit(
    own: int, opp: int, own_sown: int, opp_sown: int, effect: int, rules: CompiledRules
) -> tuple[int, int, int, int, bool]:
    """Sow and capture like `step_by_rules`."""
    if rules.other_rules is None:
        own, opp, gained = step(own, opp, own_sown, opp_sown, effect, rules.captures_empty)
        return own, opp, gained, 0, is_extra_turn(effect)
    return step_by_rules(own, opp, own_sown, opp_sown, effect)


@inlined
def is_over(own: int, opp: int, rules: CompiledRules) -> bool:
    """Return whether the game is over, given the words of both sides, or their stones."""
    if rules.other_rules is None:
        return own == 0 or opp == 0
    return own == 0 or (opp == 0 and not rules.mover_ends)


@inlined
def is_over_after(own: int, opp: int, again: bool, rules: CompiledRules) -> bool:
    """Return whether a move ends the game, given both words after it and if its mover goes on."""
    if rules.other_rules is None:
        return own == 0 or opp == 0
    if again:
        return is_over(own, opp, rules)
    return is_over(opp, own, rules)


@inlined
def final_value(mine: int, theirs: int, rules: CompiledRules) -> int:
    """Return the value of a finished game, given the stones in the pits of both sides."""
    if rules.other_rules is None:
        return mine - theirs
    return rules.rest * (mine - theirs)
