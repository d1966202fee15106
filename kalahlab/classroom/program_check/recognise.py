"""How a program is called and how its answers are read, found by trying.

The names of parameters say what to try first. What decides is a comparison of the program with
itself: the value of a position at depth 1 must be the best of its own values at depth 0 after each
move. That holds for any evaluator, and for most wrong programs nearly always.
"""

import inspect
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

from kalahlab.classroom.program_check.calls import LATE, MOST_LATE, Caller, Outcome, format_argument
from kalahlab.classroom.program_check.flawed import FULL_WINDOW, FlawedGame, NoLeaf, View, Window
from kalahlab.classroom.program_check.layouts import (
    CONTAINERS,
    LAYOUTS,
    NUMBERINGS,
    Layout,
    Numbering,
    Players,
    iter_players,
)
from kalahlab.classroom.program_check.positions import list_probes
from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import State, swap_sides

INF = float("inf")
ITERATIONS = 400
ROLE_NAMES = {
    "board": "board state b node position pos gamestate boardstate currentstate brd pits grid s "
    "gameboard currentboard config mancala",
    "depth": "depth d ply plies maxdepth depthleft remaining depthremaining level lookahead "
    "depthlimit cutoff maxply searchdepth",
    "alpha": "alpha a lower lo low",
    "beta": "beta upper hi high",
    "flag": "maximizing maximizingplayer ismax ismaximizing maxi maximize maximise maximising "
    "ismaximizingplayer maxplayer maxturn myturn isai aiturn ismaxplayer isplayermax maxnode "
    "ismaximising maximisingplayer maximizer",
    "who": "player turn currentplayer side tomove who playerturn p color colour mover current "
    "playernum whoseturn sign playerid",
    "me": "me myplayer ai aiplayer rootplayer maximizerid own agent mynum perspective",
    "pit": "pit move action index i hole house choice cup bin pitindex pocket selected bucket slot",
    "iterations": "iterations iters numsimulations simulations playouts rollouts budget niter "
    "samples itermax nsims numiterations numrollouts",
    "game": "game",
    "evaluator": "evaluator evaluate heuristic evalfn evaluation evalfunction",
    "deep_enough": "deepenough limit",
}
PLACES = {name: role for role, names in ROLE_NAMES.items() for name in names.split()}
OPTIONAL_ROLES = "depth", "flag", "who", "iterations"  # given even if there is a default
DEPTH_ROLES = "depth", "deep_enough"
# Shares of probes that agree in a form, which is natural if large values are good for who takes
# them.
SURE = 0.98  # a form that is not natural is believed, and no natural one has to be looked for
CLEAR = 0.5  # a natural form is believed, and one that tests depth == 1 needs not to be looked for
BELIEVED = 0.15  # a natural form is believed if there is no other
BETTER = 0.05  # by how much a form must agree more than a likelier one
ACCEPTED = ((False, 0, SURE), (False, 1, SURE), (True, 0, BELIEVED), (True, 1, CLEAR))


class Parameter(NamedTuple):
    """A parameter of a function, and the roles that it may have, the likeliest first.

    The default is that of an alpha or a beta, None without one.
    """

    name: str
    roles: tuple[str, ...]
    default: float | None = None


def list_parameters(function: Callable[..., Any], is_method: bool = False) -> list[Parameter]:
    """Return the parameters of a function that are to be given, without the `self` of a method.

    Raises:
        ValueError: Python does not know the parameters.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        raise ValueError(
            "its parameters are unknown to Python; write a function around it"
        ) from None
    parameters = []
    listed = [*signature.parameters.values()][1 if is_method else 0 :]
    for index, parameter in enumerate(listed):
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        is_required = parameter.default is parameter.empty
        roles = _guess_roles(parameter.name, index)
        default = None
        if roles[0] in ("alpha", "beta") and is_number(parameter.default):
            default = parameter.default
        is_known = parameter.name.replace("_", "").lower() in PLACES
        is_asked = is_known and roles[0] in OPTIONAL_ROLES
        if is_required or is_asked or default is not None:
            parameters.append(Parameter(parameter.name, roles, default))
    return parameters


def _guess_roles(name: str, index: int) -> tuple[str, ...]:
    """Return the roles that a parameter of this name may have, the likeliest first."""
    role = PLACES.get(name.replace("_", "").lower())
    if index == 0 and role in (None, "alpha", "beta"):
        return ("board",)
    if name.lower() == "b":  # beside a
        return ("board",) if index == 0 else ("beta",)
    if role == "who":
        return ("who", "me", "flag")
    if role == "flag":
        return ("flag", "who", "me")
    if role == "me":
        return ("me", "who")
    if role is None:
        return ("depth", "who", "pit")
    return (role,)


@dataclass(frozen=True, repr=False)
class CallForm(StableRepr):
    """How a program is called, and how its answers are read.

    Attributes:
        names: The parameters that are given, by name.
        roles: What each of them is.
        layout: How a board is written.
        container: What a board is made of: a key of `CONTAINERS`.
        players: How the player to move is written; None if no parameter tells it.
        flag_for: The player for whom the flag is True.
        reading: What is returned: `value`, `value, move`, `move, value`, or `move`.
        view: Whose side the values are on.
        numbering: How moves are numbered; None without moves.
        leaf_depth: The depth at which a node is a leaf: 0, or 1 for a program that tests that.
        pit_tells_mover: True if the number of a pit tells whose it is.
        window: The alpha and beta that are given.
    """

    names: tuple[str, ...]
    roles: tuple[str, ...]
    layout: Layout
    container: str = "list"
    players: Players | None = None
    flag_for: int = 0
    reading: str = "value"
    view: View = "south"
    numbering: Numbering | None = None
    leaf_depth: int = 0
    pit_tells_mover: bool = False
    window: Window = FULL_WINDOW

    @cached_property
    def has_depth(self) -> bool:
        return any(role in self.roles for role in DEPTH_ROLES)

    @cached_property
    def is_turned(self) -> bool:
        """Whether the board is turned so that the player to move is South."""
        is_told = self.pit_tells_mover or self.layout.has_mover
        return not is_told and not {"who", "flag"} & {*self.roles}

    @cached_property
    def manner(self) -> tuple[Any, ...]:
        """What tells calls in this form from those in others about the same position."""
        board = (self.roles, self.layout.name, self.container, self.players, self.flag_for)
        numbering = self.numbering if "pit" in self.roles else None
        return (board, self.is_turned, numbering, self.window)

    def write_board(self, state: State) -> Any:
        if self.is_turned and state.player == 1:
            state = swap_sides(state)
        return CONTAINERS[self.container](self.layout.write(state))

    def list_arguments(self, state: State, depth: float, pit: int = 0) -> list[Any]:
        """Return the arguments of a call."""
        return [self._argument(role, state, depth, pit) for role in self.roles]

    def _argument(self, role: str, state: State, depth: float, pit: int) -> Any:
        if role == "board":
            return self.write_board(state)
        if role in DEPTH_ROLES:
            return _write_depth(role, depth + self.leaf_depth)
        if role == "flag":
            return state.player == self.flag_for
        if role in ("who", "me") and self.players:
            return self.players.write(state.player if role == "who" else self.flag_for)
        if role == "pit" and self.numbering:
            player = 0 if self.is_turned else state.player
            return self.numbering.write(pit, player, len(state.board) // 2 - 1)
        return _write_other(role, state, self.window)


def _write_depth(role: str, depth: float) -> Any:
    if role == "depth":
        return int(depth)
    from kalahlab.search import Depth

    return Depth(int(depth))


def _write_other(role: str, state: State, window: Window) -> Any:
    others = {"alpha": window[0], "beta": window[1], "iterations": ITERATIONS}
    if role in others:
        return others[role]
    from kalahlab.evaluators.kalah import store_difference
    from kalahlab.games.kalah import Kalah

    if role == "game":
        return Kalah(len(state.board) // 2 - 1, 4)
    return store_difference if role == "evaluator" else None


class Reply(NamedTuple):
    """The answer of a program: its value, its move, and why there is none.

    The move is -1 if it is no pit's number.
    """

    value: float | None = None
    move: int | None = None
    problem: str = ""
    shown: str = ""


Call = tuple[State, float] | tuple[State, float, int]
"""What a program is asked: a position, a depth, and perhaps a pit."""


class CallKey(NamedTuple):
    """What tells a call from others of the same manner."""

    state: State
    depth: float
    pit: int


KeptCalls = dict[tuple[Any, ...], dict[CallKey, Outcome]]
"""What calls have led to, by their manner."""


@dataclass(repr=False)
class Program(StableRepr):
    """A program that is asked for its answers; each answer is kept."""

    caller: Caller
    form: CallForm
    function: int = 0
    answers: dict[tuple[State, float], Reply] = field(default_factory=dict)
    kept: KeptCalls = field(default_factory=dict)

    @cached_property
    def raw(self) -> dict[CallKey, Outcome]:
        """What calls in this form have led to."""
        return self.kept.setdefault(self.form.manner, {})

    def with_form(self, **changes: Any) -> "Program":
        """Return the program with another form, and the same kept calls."""
        return Program(self.caller, replace(self.form, **changes), self.function, {}, self.kept)

    def ask(self, state: State, depth: float = 0) -> Reply:
        """Return the answer for a position and a depth."""
        key = state, depth
        if key not in self.answers:
            self.answers[key] = read_reply(self.form, self.call(state, depth), state)
        return self.answers[key]

    def has_called(self, state: State, depth: float = 0) -> bool:
        """Return whether the program was called for a position and a depth."""
        return self.find_key(state, depth) in self.raw

    def call(self, state: State, depth: float = 0, pit: int = 0) -> Outcome:
        """Call the program, or return what an earlier call has led to."""
        key = self.find_key(state, depth, pit)
        if key not in self.raw:
            arguments = self.form.list_arguments(state, depth, pit)
            self.raw[key] = self.caller.call(self.function, arguments)
        return self.raw[key]

    def call_ahead(self, calls: Iterable[Call]) -> None:
        """Make many calls at once, with a position, a depth, and a pit each; they are kept."""
        missing = {}
        for call in calls:
            key = self.find_key(*call)
            if key not in self.raw:
                missing[key] = self.form.list_arguments(*call)
        if missing:
            outcomes = self.caller.call_all(self.function, [*missing.values()])
            # Not strict: a call that fails badly ends the calls.
            self.raw |= dict(zip(missing, outcomes, strict=False))

    def ask_anew(self, calls: Sequence[tuple[State, float]]) -> list[Reply]:
        """Return the answers in a new process, in which no call was made before."""
        self.caller.stop()
        arguments = [self.form.list_arguments(*call) for call in calls]
        outcomes = self.caller.call_all(self.function, arguments)
        pairs = zip(calls, outcomes, strict=False)  # a call that fails badly ends the calls
        return [read_reply(self.form, outcome, state) for (state, _), outcome in pairs]

    def find_key(self, state: State, depth: float, pit: int = 0) -> CallKey:
        """Return the key of a call among those that are kept."""
        return CallKey(state, depth + self.form.leaf_depth, pit)

    def format_call(self, state: State, depth: float = 0, pit: int = 0) -> str:
        """Return a call as it is written in Python, without the name of the function."""
        arguments = self.form.list_arguments(state, depth, pit)
        return f"({', '.join(map(format_argument, arguments))})".replace("array(", "np.array(")


def call_together(programs: Sequence[Program], calls: Sequence[Call]) -> None:
    """Make the same calls of one function in some forms, all at once; they are kept."""
    missing = {}
    for program in programs:
        for call in calls:
            arguments = program.form.list_arguments(*call)
            missing[program.form.manner, program.find_key(*call)] = program.raw, arguments
    caller, function = programs[0].caller, programs[0].function
    outcomes = caller.call_all(function, [arguments for _, arguments in missing.values()])
    for ((_, key), (raw, _)), outcome in zip(missing.items(), outcomes, strict=False):
        raw[key] = outcome


def is_number(value: Any) -> bool:
    """Return whether a value is a number that can be compared."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return not math.isnan(value)


def read_reply(form: CallForm, outcome: Outcome, state: State) -> Reply:
    """Return the answer that a call has led to, in the reading of the form."""
    if outcome.problem:
        return Reply(problem=outcome.problem)
    value, move = _split_answer(form.reading, outcome.value)
    text = repr(outcome.value)
    if isinstance(move, list | tuple):
        move = move[0] if move else None
    pit = None
    if form.numbering is not None and isinstance(move, int):
        turned = State(state.board, 0) if form.is_turned else state
        pit = form.numbering.read(move, turned)
        pit = -1 if pit is None else pit
    if form.reading == "move":
        return Reply(None, pit, "", text)
    if not is_number(value):
        return Reply(problem=f"returns {text}, which has no value", shown=text)
    return Reply(value, pit, "", text)


def _split_answer(reading: str, answer: Any) -> tuple[Any, Any]:
    """Return the value and the move of an answer."""
    if isinstance(answer, dict):
        lower = {name.lower(): part for name, part in answer.items()}
        value = next((lower[name] for name in ("value", "score", "eval") if name in lower), None)
        move = next(
            (lower[name] for name in ("move", "best", "action", "pit") if name in lower), None
        )
        return value, move
    if reading == "move":
        return None, answer
    if is_number(answer) or reading == "value":  # a leaf may be a value alone
        return answer, None
    if not isinstance(answer, list | tuple) or len(answer) < 2:
        return None, None
    return (answer[0], answer[1]) if reading == "value, move" else (answer[1], answer[0])


@dataclass(frozen=True, repr=False)
class Choices(StableRepr):
    """What a user has said about a program; None is for what is to be found out."""

    board: str | None = None
    players: Players | None = None
    view: View | None = None
    pits: int | None = None
    own_layout: Layout | None = None


@dataclass(frozen=True, repr=False)
class Recognition(StableRepr):
    """The form in which a program was understood.

    Attributes:
        program: The program with this form.
        score: The share of probes at which it agrees with itself.
        tried: The number of forms that were tried.
    """

    program: Program
    score: float
    tried: int


def recognise(
    caller: Caller, parameters: Sequence[Parameter], game: FlawedGame, choices: Choices
) -> Recognition:
    """Find the form in which a search answers best.

    Raises:
        ValueError: In no form are enough answers right.
    """
    probes = list_probes(choices.pits or 6)
    best = dict[tuple[bool, int], Recognition]()  # by whether it is natural, and its leaf depth
    problems = Counter[str]()
    tried = 0
    has_depth = any(parameter.roles[0] in DEPTH_ROLES for parameter in parameters)
    # A program that tests depth == 1 is recognized only if no other one is.
    for leaf_depth in (0, 1) if has_depth else (0,):
        for form in iter_forms(parameters, choices):
            tried += 1
            program = Program(caller, replace(form, leaf_depth=leaf_depth))
            if problem := first_problem(program, probes):
                problems[problem] += 1
                continue
            for read in _iter_readings(program, probes, choices):
                score, natural = score_form(read, probes, game), is_natural(read, probes)
                if read.form.has_depth and score > BELIEVED:  # some codes differ only deeper
                    score = (3 * score + 2 * score_form(read, probes, game, 2)) / 5
                key = natural, leaf_depth
                if key not in best or score > best[key].score + BETTER:
                    best[key] = Recognition(read, score, tried)
                is_late = caller.late > 0 and best[key].score > CLEAR
                if natural and (score > SURE or is_late):
                    return best[key]
        if (True, 0) in best and best[True, 0].score > CLEAR:
            return best[True, 0]
    for natural, leaf_depth, least in ACCEPTED:
        if (natural, leaf_depth) in best and best[natural, leaf_depth].score > least:
            return best[natural, leaf_depth]
    raise ValueError(explain_unknown(parameters, tried, problems if not best else Counter()))


def is_natural(program: Program, probes: Sequence[State]) -> bool:
    """Return whether values grow with the store of the player who chooses the largest ones."""
    better = 0
    richer = [enrich(state, 3) for state in probes[:4]]
    program.call_ahead((state, 0) for pair in zip(probes, richer, strict=False) for state in pair)
    for state, other_state in zip(probes, richer, strict=False):
        one, other = program.ask(state, 0).value, program.ask(other_state, 0).value
        if one is not None and other is not None and one != other:
            is_souths = _is_value_of(program.form.view, state.player)
            better += 1 if (other > one) == is_souths else -1
    return better > 0


def enrich(state: State, stones: int) -> State:
    """Return a position with more stones in South's store."""
    half = len(state.board) // 2
    board = (*state.board[: half - 1], state.board[half - 1] + stones, *state.board[half:])
    return State(board, state.player)


def _is_value_of(view: View, mover: int) -> bool:
    """Return whether a value is South's, where this player is to move."""
    return view == "south" or (view == "mover" and mover == 0)


_SAY_BOARD = (
    "Say how a board looks with --board (for a board of your own: mine.make, where make(state) "
    "makes it of state.board, South's pits and store, then North's)"
)


def explain_unknown(parameters: Sequence[Parameter], tried: int, problems: Counter[str]) -> str:
    """Return the message on a function that was not understood."""
    names = ", ".join(parameter.name for parameter in parameters)
    message = f"not understood: {tried} ways to call it with ({names}) were tried. "
    if problems:
        [(problem, _)] = problems.most_common(1)
        return f"{message}Mostly it {problem}. {_SAY_BOARD}"
    return (
        f"{message}In none are most answers at depth 1 the best of its answers at depth 0. "
        f"{_SAY_BOARD}, a player with --players, and whose values they are with --maximizing"
    )


def iter_forms(parameters: Sequence[Parameter], choices: Choices) -> Iterator[CallForm]:
    """Yield the forms of a call to try, the likeliest first."""
    names = tuple(parameter.name for parameter in parameters)
    layouts = [choices.own_layout] if choices.own_layout else [*LAYOUTS.values()]
    if choices.board:
        layouts = [LAYOUTS[choices.board]]
    defaults = {parameter.roles[0]: parameter.default for parameter in parameters}
    alpha, beta = defaults.get("alpha"), defaults.get("beta")
    window = (-INF if alpha is None else alpha, INF if beta is None else beta)
    options = [parameter.roles for parameter in parameters]
    if choices.players:  # then a player is no flag
        options = [("who", "me") if roles[0] == "who" else roles for roles in options]
    for roles in product(*options):
        if roles.count("board") != 1 or len({*roles}) < len(roles):
            continue
        if "me" in roles and not {"who", "flag"} & {*roles}:
            continue
        hint = "flag" if "flag" in roles else "number"
        coded = "who" in roles or "me" in roles
        codes: list[Players | None] = [None]
        if coded:
            codes = [choices.players] if choices.players else [*iter_players(hint)]
        for layout, container, players in product(layouts, CONTAINERS, codes):
            if container not in layout.containers:
                continue
            for flag_for in (0, 1) if {"flag", "me"} & {*roles} else (0,):
                form = CallForm(names, roles, layout, container, players, flag_for)
                yield replace(form, window=window)


def first_problem(program: Program, probes: Sequence[State]) -> str:
    """Return the problem of the first probes, "" if one of them has none.

    Raises:
        ValueError: Too many calls have not returned in time.
    """
    program.call_ahead((state, 1) for state in probes[:2])
    problems = [program.call(state, 1).problem for state in probes[:2]]
    is_late = all(problem.startswith(LATE) for problem in problems)
    if is_late and program.caller.late >= MOST_LATE:
        raise ValueError(f"{program.format_call(probes[0], 1)} {problems[0]}; see --seconds")
    return problems[0] if all(problems) else ""


def _iter_readings(
    program: Program, probes: Sequence[State], choices: Choices
) -> Iterator[Program]:
    """Yield the program with each reading of its answers."""
    program.call_ahead((state, 1) for state in probes)
    answers = [program.call(state, 1).value for state in probes]
    is_pair = any(isinstance(answer, list | tuple | dict) for answer in answers)
    sides: tuple[View, View] = ("south", "north")
    views: list[View] = [*sides, "mover"]
    if program.form.is_turned:
        views = ["mover"]
    if "flag" in program.form.roles:  # it is True for MAX
        views = [sides[program.form.flag_for], "mover"]
    if choices.view:
        views = [choices.view]
    for reading in ("value, move", "move, value") if is_pair else ("value",):
        numberings: list[Numbering | None] = [None]
        if is_pair:
            numberings = [*NUMBERINGS]
        for view, numbering in product(views, numberings):
            yield program.with_form(reading=reading, view=view, numbering=numbering)


def score_form(
    program: Program, probes: Sequence[State], game: FlawedGame, depth: int = 1
) -> float:
    """Return the share of probes whose value is the best of the values one ply less deep.

    Probes whose moves have all the same value are left out.
    """
    form = program.form
    agreed, number = 0.0, 0
    children = [list_children(game, state) for state in probes]
    calls = list[Call]()
    for state, after in zip(probes, children, strict=True):
        calls += [(child, depth - 1) for child in after.values()]
        calls.append((state, depth))
    program.call_ahead(calls)
    for state, after in zip(probes, children, strict=True):
        values = _values_of_moves(program, state, after, depth - 1)
        if values is None or len({*values.values()}) < 2:
            continue
        number += 1
        best = max(values.values())
        reply = program.ask(state, depth)
        own = None if reply.value is None else best_of(form.view, state.player, [reply.value])
        agreed += 1 if own == best else 0
        if form.numbering and reply.move in values:
            agreed += 0.5 if values[reply.move or 0] == best else 0.25
    most = 1.5 if form.numbering else 1.0
    return agreed / number / most if number > 1 else 0.0


def list_children(game: FlawedGame, state: State) -> dict[int, State]:
    """Return the positions after each move, swept at the end; none if a sowing function fails."""
    children = {}
    for move in game.moves(state):
        try:
            child = game.play(state, move)
        except NoLeaf:
            return {}
        if game.is_over(child):
            child = State(game.final_board(child.board), child.player)
        children[move] = child
    return children


def _values_of_moves(
    program: Program, state: State, children: dict[int, State], depth: int
) -> dict[int, float] | None:
    """Return the program's own values after each move, good for the player to move if large."""
    values = {}
    for move, child in children.items():
        value = program.ask(child, depth).value
        if value is None:
            return None
        is_negated = program.form.view == "mover" and child.player != state.player
        values[move] = best_of(program.form.view, state.player, [-value if is_negated else value])
    return values


def best_of(view: View, player: int, values: Sequence[float]) -> float:
    """Return the best of values for a player, with a sign that makes it large if it is good."""
    is_large = view == "mover" or view == ("south", "north")[player]
    return max(values) if is_large else -min(values)
