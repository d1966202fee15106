"""Sowing functions: how one is called, what it returns, and with which mistakes it sows."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import islice, product
from typing import Any

from kalahlab.classroom.program_check.calls import Caller, Outcome
from kalahlab.classroom.program_check.flawed import Flawed, FlawedGame, Node, NoLeaf, play_move
from kalahlab.classroom.program_check.layouts import (
    CONTAINERS,
    FLAGS,
    LAYOUTS,
    NUMBERINGS,
    NUMBERS,
    Players,
    iter_players,
)
from kalahlab.classroom.program_check.mistakes import KNOWN_MISTAKES, KnownMistake, list_pairs
from kalahlab.classroom.program_check.positions import Trial, list_sowing_states
from kalahlab.classroom.program_check.recognise import (
    CallForm,
    Choices,
    KeptCalls,
    Parameter,
    Program,
    call_together,
)
from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import Board, State, swap_sides

Sow = tuple[State, int]  # a position and a pit
BELIEVED = 0.6  # the share of sows that must be right for a form to be believed
PROBES = 24
MOST_PLIES = 4  # of a search whose sows are made at once
TELLING = 5  # sows at least, if there are as many, that each known mistake changes
AT_ONCE = 12  # sows that are tried together, of which a wrong form needs only some


@dataclass(frozen=True)
class Sown:
    """What a sowing function has made of a board: the board, who moves next, and why nothing."""

    board: Board | None
    player: int | None = None
    problem: str = ""
    shown: str = ""


@dataclass(frozen=True, repr=False)
class SowingForm(StableRepr):
    """How a sowing function is called and read.

    Attributes:
        program: The function, with the form of a call.
        place: Where the board is: `changed` for one that is changed in place, else the number of
            the part of what is returned, -1 for all of it.
        next_place: The part that tells who moves next; None if nothing does.
        next_as: The values of the two players; None for whether the player moves again.
        sweeps: Whether the rest is swept at the end of the game.
        sown: What the function has made of the boards of which it was asked.
    """

    program: Program
    place: int | str
    next_place: int | None = None
    next_as: Players | None = None
    sweeps: bool = False
    sown: dict[Sow, Sown] = field(default_factory=dict, compare=False)

    def sow_ahead(self, sows: Iterable[Sow]) -> None:
        """Make many sows at once; they are kept."""
        self.program.call_ahead((state, 0, pit) for state, pit in sows)

    def sow(self, state: State, pit: int) -> Sown:
        """Return what the function makes of a pit."""
        if (state, pit) not in self.sown:
            self.sown[state, pit] = self._sow(state, pit)
        return self.sown[state, pit]

    def _sow(self, state: State, pit: int) -> Sown:
        outcome = self.program.call(state, 0, pit)
        if outcome.problem:
            return Sown(None, problem=outcome.problem)
        form = self.program.form
        value = outcome.value
        if self.place == "changed":
            where = form.roles.index("board")
            after = outcome.after or tuple(form.list_arguments(state, 0, pit))
            result: Any = after[where]
        else:
            result = value if self.place == -1 else _part(value, self.place)
        board = form.layout.read(result)
        if board is not None and form.is_turned and state.player == 1:
            board = swap_sides(State(board, 0)).board
        return Sown(board, self._next_player(value, state), shown=repr(result))

    def _next_player(self, value: Any, state: State) -> int | None:
        if self.next_place is None:
            return None
        part = value if self.next_place == -1 else _part(value, self.next_place)
        if self.next_as is None:
            return state.player if part else 1 - state.player
        return self.next_as.read(part)


def _part(value: Any, place: int | str) -> Any:
    if isinstance(value, dict):
        value = [*value.values()]
    if isinstance(value, list | tuple) and isinstance(place, int) and place < len(value):
        return value[place]
    return None


def is_sowing(parameters: Sequence[Parameter]) -> bool:
    """Return whether parameters may be those of a sowing function: a board and a pit."""
    likeliest = [parameter.roles[0] for parameter in parameters]
    places = [parameter.roles for parameter in parameters]
    has_pit = any("pit" in roles for roles in places)
    return "board" in likeliest and has_pit and not {"alpha", "beta"} & {*likeliest}


def recognise_sowing(
    caller: Caller,
    function: int,
    parameters: Sequence[Parameter],
    game: FlawedGame,
    choices: Choices,
) -> SowingForm | None:
    """Return the form in which a sowing function sows best; None if it seems to be none."""
    states = list_sowing_states([choices.pits or 6], PROBES)
    # Without captures of empty pits a form with the wrong player may seem to sow better.
    games = [game, replace(game, rules=replace(game.rules, capture="always"))]
    sows = list_sows(states, game)
    expected = {
        sweeps: [list_sown(rules_game, sows, sweeps) for rules_game in games]
        for sweeps in (False, True)
    }
    best: tuple[float, SowingForm] | None = None
    memory: KeptCalls = {}
    forms = _iter_sowing_forms(parameters, choices)
    programs = [Program(caller, form, function, {}, memory) for form in forms]
    first = [(state, 0, game.moves(state)[0]) for state in states[:3]]
    for index, program in enumerate(programs):
        if index & (index - 1) == 0:  # 1, 1, 2, 4, 8 … forms together: one of the first may do
            call_together(programs[index : max(1, 2 * index)], first)
        outcomes = [program.call(*call) for call in first]
        if all(outcome.problem for outcome in outcomes):
            continue
        for read in _iter_sowing_readings(program, outcomes):
            score = score_sowing(read, sows, expected[read.sweeps], best[0] if best else 0)
            if best is None or score > best[0]:
                best = score, read
        if best and best[0] >= 1:
            break
    if best is None or best[0] < BELIEVED:
        return None
    return best[1]


def _iter_sowing_forms(parameters: Sequence[Parameter], choices: Choices) -> Iterator[CallForm]:
    """Yield the forms of a call of a sowing function."""
    names = tuple(parameter.name for parameter in parameters)
    layouts = [choices.own_layout] if choices.own_layout else [*LAYOUTS.values()]
    if choices.board:
        layouts = [LAYOUTS[choices.board]]
    for roles in product(*(parameter.roles for parameter in parameters)):
        if not {"board", "pit"} <= {*roles} or len({*roles}) < len(roles) or "me" in roles:
            continue
        codes: list[Players | None] = [None]
        if "who" in roles:
            codes = [choices.players] if choices.players else [*iter_players("number")]
        pit_tells = (False,) if {"who", "flag"} & {*roles} else (True, False)
        for layout, container, players, tells, numbering in product(
            layouts, CONTAINERS, codes, pit_tells, NUMBERINGS
        ):
            if container not in layout.containers or (tells and not numbering.tells_mover):
                continue
            yield CallForm(
                names,
                roles,
                layout,
                container,
                players,
                numbering=numbering,
                pit_tells_mover=tells,
            )


def _iter_sowing_readings(program: Program, outcomes: Sequence[Outcome]) -> Iterator[SowingForm]:
    """Yield the readings of what a sowing function returns and changes."""
    layout = program.form.layout
    value = next(outcome.value for outcome in outcomes if not outcome.problem)
    codes = [None, program.form.players] if program.form.players else [None, *NUMBERS, *FLAGS]
    for sweeps in (False, True):
        if any(outcome.after for outcome in outcomes):
            if isinstance(value, bool | int):
                for next_as in codes:
                    yield SowingForm(program, "changed", -1, next_as, sweeps)
            yield SowingForm(program, "changed", sweeps=sweeps)
        if layout.read(value) is not None:
            yield SowingForm(program, -1, sweeps=sweeps)
            if layout.has_mover:
                yield SowingForm(program, -1, 1, Players(0, 1), sweeps)
        parts = [*value.values()] if isinstance(value, dict) else value
        if not isinstance(parts, list | tuple):
            continue
        for place, part in enumerate(parts):
            if layout.read(part) is None:
                continue
            for other in range(len(parts)):
                if other != place:
                    for next_as in codes:
                        yield SowingForm(program, place, other, next_as, sweeps)
            yield SowingForm(program, place, sweeps=sweeps)


def score_sowing(
    form: SowingForm, sows: Sequence[Sow], expected: Sequence[Sequence[State]], least: float
) -> float:
    """Return the share of sows that are right; one that also tells who moves next counts more.

    Args:
        form: The sowing function in a form.
        sows: The sows to try.
        expected: What they lead to by each of some rules; the best share counts.
        least: A share that matters. As soon as none can be larger, the function is asked no more.
    """
    boards, turns = [0] * len(expected), [0] * len(expected)
    best = 0.0
    for index, (state, pit) in enumerate(sows):
        if index % AT_ONCE == 0:
            form.sow_ahead(sows[index : index + AT_ONCE])
        sown = form.sow(state, pit)
        for rules, states in enumerate(expected):
            boards[rules] += 1 if sown.board == states[index].board else 0
            turns[rules] += 1 if sown.player == states[index].player else 0
        remaining = len(sows) - index - 1
        best = max(
            (right + remaining + 0.01 * (right_turns + remaining)) / (len(sows) * 1.01)
            for right, right_turns in zip(boards, turns, strict=True)
        )
        if best <= least:
            break
    return best


def list_sows(states: Sequence[State], game: FlawedGame) -> list[Sow]:
    """Return all moves in the states, in order."""
    sows = []
    for state in states:
        sows += [(state, pit) for pit in game.moves(state)]
    return sows


def list_sown(game: FlawedGame, sows: Sequence[Sow], sweeps: bool) -> list[State]:
    """Return the states after each of some moves."""
    return [play(game, state, pit, sweeps) for state, pit in sows]


def play(game: FlawedGame, state: State, pit: int, sweeps: bool) -> State:
    """Return the state after a move, swept if the function that is checked does that."""
    after = game.play(state, pit)
    if sweeps and game.is_over(after):
        return State(game.final_board(after.board), after.player)
    return after


@dataclass(frozen=True, repr=False)
class SowingCheck(StableRepr):
    """A sow that a function has made, and the right one."""

    state: State
    pit: int
    sown: Sown
    expected: State

    @property
    def is_right(self) -> bool:
        return matches(self.sown, self.expected)


def matches(sown: Sown, expected: State) -> bool:
    """Return whether a sow is right, with who moves next if the function tells it.

    After the end of the game nobody does.
    """
    if sown.board != expected.board:
        return False
    half = len(expected.board) // 2
    goes_on = any(expected.board[: half - 1]) and any(expected.board[half:-1])
    return sown.player in (None, expected.player) or not goes_on


def check_sowing(
    form: SowingForm, sizes: Sequence[int], game: FlawedGame, number: int
) -> list[SowingCheck]:
    """Return the sows of a function on positions from small to large."""
    checks = []
    tried = choose_sows(tuple(sizes), number, game, form.sweeps)
    form.sow_ahead(tried)
    for state, pit in tried:
        expected = play(game, state, pit, form.sweeps)
        checks.append(SowingCheck(state, pit, form.sow(state, pit), expected))
    return checks


@lru_cache(64)
def choose_sows(
    sizes: tuple[int, ...], number: int, game: FlawedGame, sweeps: bool
) -> tuple[Sow, ...]:
    """Return about so many sows, and further ones for known mistakes that change few of them."""
    sows = list_sows(list_sowing_states(sizes, number // 2), game)
    tried = sows[:: max(1, len(sows) // number)]
    more = list_sows(list_sowing_states(sizes, 4 * number), game)
    chosen = dict.fromkeys(tried)
    for mistake in KNOWN_MISTAKES:
        flawed = None if mistake.part == "search" else mistake.apply(Flawed(game))
        if flawed is None:
            continue

        def is_telling(sow: Sow, wrong: FlawedGame = flawed.game) -> bool:
            return play(wrong, *sow, sweeps) != play(game, *sow, sweeps)

        if len([*islice(filter(is_telling, tried), TELLING)]) < TELLING:
            chosen |= dict.fromkeys(islice(filter(is_telling, more), TELLING))
    return tuple(chosen)


def find_sowing_mistakes(
    checks: Sequence[SowingCheck],
    form: SowingForm,
    game: FlawedGame,
    mistakes: Sequence[KnownMistake],
) -> list[tuple[KnownMistake, ...]]:
    """Return the mistakes, one or two at once, with which a right function makes all these sows."""
    own = tuple(mistake for mistake in mistakes if mistake.part != "search")
    ordered = sorted(checks, key=lambda check: check.is_right)

    def explains(flawed: Flawed | None) -> bool:
        if flawed is None:
            return False
        return all(
            matches(check.sown, play(flawed.game, check.state, check.pit, form.sweeps))
            for check in ordered
        )

    base = Flawed(game)
    singles = [(one,) for one in own if explains(one.apply(base))]
    if singles:
        return [*singles]
    pairs = []
    for first, second in list_pairs(own):
        with_first = first.apply(base)
        if with_first is not None and explains(second.apply(with_first)):
            pairs.append((first, second))
    return [*pairs]


@dataclass(frozen=True)
class OwnGame(FlawedGame):
    """Kalah as a user's sowing function plays it, to compare a search apart from its sowing."""

    form: SowingForm | None = None

    @cached_property
    def _nodes(self) -> dict[State, Node]:
        return {}

    def play_ahead(self, trials: Iterable[Trial]) -> None:
        """Make the sows that searches of some trials need, those of each ply at once."""
        assert self.form is not None
        remaining = dict(trials)
        for _ in range(MOST_PLIES):
            sows = [(state, pit) for state in remaining for pit in self.moves(state)]
            self.form.sow_ahead(sows)
            below = dict[State, float]()
            for state, pit in sows:
                with suppress(NoLeaf):
                    child, depth = self.play(state, pit), remaining[state] - 1
                    if depth > 0 and not self.is_over(child):
                        below[child] = max(depth, below.get(child, 0))
            remaining = below

    def play(self, state: State, pit: int) -> State:
        """Return the state after a move of the user's function.

        Raises:
            NoLeaf: The function fails.
        """
        assert self.form is not None
        if (state, pit) not in self.form.sown:
            self.form.sow_ahead((state, move) for move in self.moves(state))
        sown = self.form.sow(state, pit)
        if sown.board is None:
            raise NoLeaf
        player = sown.player
        if player is None:
            player = play_move(FlawedGame(self.rules, self.sowing), state, pit).player
        return State(sown.board, player if self.rules.again_on_store else 1 - state.player)
