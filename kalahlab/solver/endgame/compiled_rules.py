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
    """The rules of a board.

    Attributes:
        other_rules: None if the rules are among `FAST`, else True. The type of None has no other
            value, so numba leaves all code for other rules out of the kernels that it compiles for
            it. The search of the solver takes 0.93 of the time then.
        sowing: The sowing tables.
        captures_empty: True if a last stone opposite an empty pit is banked, too.
        stays: 1 if the stone that captures stays in its pit, else 0.
        again: True if a player who captures moves again.
        mover_ends: True if the game goes on while only the opponent of the mover has no stones.
        rest: At the end of the game, the factor of the mover's stones minus the opponent's: 1 if
            owners get the rest, -1 if the finisher gets it, 0 if nobody does. One side is empty, so
            the finisher gets the stones of the other player.
    """

    other_rules: bool | None
    sowing: Sowings
    captures_empty: bool
    stays: int
    again: bool
    mover_ends: bool
    rest: int


@cache
def compile_rules(pits: int, rules: Rules) -> CompiledRules:
    """Return the rules of boards of a size as compiled code reads them."""
    stays = rules.capturing_stone == "stays"
    return CompiledRules(
        other_rules=True if unknown_rule(rules, FAST) else None,
        sowing=sowings(pits, places(pits, rules.direction), rules),
        # A stone that stays banks nothing, so it can be ignored that it captures an empty pit.
        captures_empty=rules.capture == "always" and not stays,
        stays=1 if stays else 0,
        again=rules.again_on_capture,
        mover_ends=rules.end == "mover",
        rest={"owner": 1, "finisher": -1, "nobody": 0}[rules.rest_to],
    )


@inlined
def sow_pit(
    own: int, opp: int, entry: int, rules: CompiledRules
) -> tuple[int, int, int, int, bool]:
    """Sow and capture like `step_by_rules`, given the entry of a pit in the tables."""
    sowing = rules.sowing
    own_sown, opp_sown, effect = sowing.own[entry], sowing.opp[entry], sowing.effect[entry]
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
def final_value(mine: int, theirs: int, rules: CompiledRules) -> int:
    """Return the value of a finished game, given the stones in the pits of both sides."""
    if rules.other_rules is None:
        return mine - theirs
    return rules.rest * (mine - theirs)
