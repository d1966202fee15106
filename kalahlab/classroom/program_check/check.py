"""The check of a program: what it is, what it does, and which known mistakes it has.

    print(check_program("mine.alphabeta"))

An expected value is computed from the program's own values of leaves and of finished games, so
that any evaluator, any scale and any value of a win is right. What these values mean is told, and
checked apart.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kalahlab.classroom.program_check.calls import CALL_SECONDS, Caller
from kalahlab.classroom.program_check.diagnosis import (
    Comparison,
    NoLeaf,
    find_mistakes,
    make_leaf,
    tell_apart,
)
from kalahlab.classroom.program_check.flawed import RIGHT_SEARCH, Answer, Flawed, FlawedGame
from kalahlab.classroom.program_check.layouts import LAYOUTS, Layout, Players
from kalahlab.classroom.program_check.mistakes import (
    KNOWN_MISTAKES,
    PLIES,
    TURNS,
    KnownMistake,
)
from kalahlab.classroom.program_check.positions import (
    INF,
    SMALL_SIZES,
    Trial,
    list_probes,
    list_trials,
)
from kalahlab.classroom.program_check.recognise import (
    Choices,
    Program,
    recognise,
    score_form,
)
from kalahlab.classroom.program_check.report import Counterexample, Part, ProgramReport
from kalahlab.classroom.program_check.sowing import (
    OwnGame,
    SowingForm,
    check_sowing,
    find_sowing_mistakes,
    is_sowing,
    recognise_sowing,
)
from kalahlab.classroom.program_check.target import Target, iter_neighbors, make_target
from kalahlab.classroom.program_check.values import (
    ONE_PLY_LESS,
    ONE_PLY_MORE,
    ValueFindings,
    check_values,
    does_count_rest,
)
from kalahlab.formatting import StableRepr, format_number
from kalahlab.games.kalah import NAMES, State
from kalahlab.games.rules import STANDARD, Rules

TRIALS = 300
DEPTHS = 1, 2, 3, 4, 4
MORE_TRIALS = 400  # that tell apart mistakes with the same answers
AT_ONCE = 50  # trials whose calls are made together
LATER = "The search can be compared when finished games have values."
# Mistakes in the rules that a search may make beside a sowing function.
OWN_RULES = (
    "extra-turn-ignored",
    "end-when-mover-is-out",
    "rest-to-the-other",
    "rest-to-the-leader",
    "rest-not-counted",
    "stops-at-majority",
)
MOST_FAILED = 5  # calls with a problem, after which no more are made
Progress = Callable[[str, int, int], object]


@dataclass(frozen=True)
class Setup(StableRepr):
    """What a check is about: the rules, what the user has said, and how much is tried."""

    game: FlawedGame
    choices: Choices
    counts: str | None
    number: int
    progress: Progress


def check_program(
    program: str | Callable[..., Any],
    *,
    rules: Rules = STANDARD,
    board: str | Callable[..., Any] | None = None,
    players: tuple[Any, Any] | None = None,
    maximizing: str | None = None,
    counts: str | None = None,
    pits: int | None = None,
    number: int = TRIALS,
    seconds: float = CALL_SECONDS,
    progress: Progress = lambda what, done, of: None,
) -> ProgramReport:
    """Check a program, and return what is right and wrong with it.

    Args:
        program: A function, or its import path.
        rules: The rules that it should follow.
        board: How it takes a board: a name of `LAYOUTS`, or a function that makes its board of
            ours, called with a `State`. Found out if None, as all that follows.
        players: Its values for South and North.
        maximizing: Whose side its values are on: `south`, `north`, or `mover`.
        counts: What its depth counts: `plies`, or `turns`.
        pits: The pits of a side that it can play.
        number: The number of positions to try.
        seconds: The processor time that a call may take.
        progress: Called with what is done, how much of it, and of how much.

    Raises:
        ValueError: The program is not understood; the message says which option helps.
    """
    target = make_target(program)
    choices = Choices(
        board if isinstance(board, str) else None,
        Players(*players) if players else None,
        maximizing,  # type: ignore[arg-type]
        pits,
        make_layout(board) if callable(board) else None,
    )
    if choices.board and choices.board not in LAYOUTS:
        raise ValueError(f"board is {board!r}; use one of {', '.join(LAYOUTS)}, or a function")
    neighbors = [other for other in iter_neighbors(target) if is_sowing(other.parameters)]
    setup = Setup(FlawedGame(rules), choices, counts, number, progress)
    with Caller([target, *neighbors], seconds) as caller:
        if is_sowing(target.parameters):
            return report_sowing(target, caller, setup)
        sowing = find_sowing(neighbors, caller, setup)
        return report_search(target, caller, sowing, setup)


def make_layout(function: Callable[..., Any]) -> Layout:
    """Return the layout of a user's function that makes its board of a `State`."""
    name = getattr(function, "__name__", "your function")
    return Layout(name, f"what {name}(state) returns", function, lambda _: None, True, ("list",))


# --- sowing


def find_sowing(
    neighbors: Sequence[Target], caller: Caller, setup: Setup
) -> tuple[Target, SowingForm] | None:
    """Return the first function beside a search that sows, with its form."""
    for index, other in enumerate(neighbors, start=1):
        form = recognise_sowing(caller, index, other.parameters, setup.game, setup.choices)
        if form is not None:
            return other, form
    return None


def report_sowing(target: Target, caller: Caller, setup: Setup) -> ProgramReport:
    """Check a sowing function."""
    form = recognise_sowing(caller, 0, target.parameters, setup.game, setup.choices)
    if form is None:
        raise ValueError(
            f"{target.name} takes a board and a pit, but in no way that was tried does it sow. Say "
            "how a board looks with --board, and a player with --players"
        )
    understood = describe_call(target, form.program)
    where = "is changed in place" if form.place == "changed" else "is returned"
    understood["result"] = f"the board {where}"
    if form.next_place is not None:
        understood["result"] += ", and who moves next"
    if not form.sweeps:
        understood["end"] = "the rest stays in the pits; to sweep it is left to other code"
    part = compare_sowing(target.name, form, setup)
    return ProgramReport(target.name, "sowing function", understood, (part,), setup.game.rules)


def compare_sowing(name: str, form: SowingForm, setup: Setup) -> Part:
    """Compare a sowing function with ours."""
    pits = setup.choices.pits or 6
    checks = check_sowing(form, [pits], setup.game, setup.number)
    wrong = [check for check in checks if not check.is_right]
    title = f"Sowing, {name}"
    if not wrong:
        return Part(title, len(checks), len(checks))
    explanations = find_sowing_mistakes(checks, form, setup.game, KNOWN_MISTAKES)
    first = wrong[0]
    given = first.sown.problem or first.sown.shown
    expected = repr(form.program.form.write_board(State(first.expected.board, first.state.player)))
    if first.sown.board == first.expected.board:
        given = f"the turn is {describe_turn(first.sown.player)}"
        expected = f"the turn is {describe_turn(first.expected.player)}"
    call = f"{name}{form.program.format_call(first.state, 0, first.pit)}"
    example = Counterexample(first.state, None, call, given, expected)
    return Part(title, len(checks), len(checks) - len(wrong), example, tuple(explanations))


def describe_turn(player: int | None) -> str:
    return "unknown" if player is None else f"{NAMES[player]}'s"


# --- search


def report_search(
    target: Target, caller: Caller, sowing: tuple[Target, SowingForm] | None, setup: Setup
) -> ProgramReport:
    """Check a search, with the sowing function beside it if there is one."""
    parts = []
    if sowing is not None:
        part = compare_sowing(sowing[0].name, sowing[1], setup)
        parts.append(part)
        if not part.is_right:  # the search is compared apart from it
            setup = replace(setup, game=OwnGame(setup.game.rules, form=sowing[1]))
    recognition = recognise(caller, target.parameters, setup.game, setup.choices)
    program = recognition.program
    sizes = find_sizes(program, recognition.score, setup)
    findings = check_values(program, sizes[-1], setup.game)
    search_part, counts = compare_search(target.name, program, sizes, setup)
    if not findings.has_end:
        search_part = Part("Search", 0, 0, notes=(LATER,))
    understood = describe_call(target, program)
    understood |= describe_values(program, findings, counts, sizes)
    parts += [*make_value_parts(target.name, program, findings), search_part]
    leaf = "turn" if counts == "turns" else "sow"
    return ProgramReport(target.name, "search", understood, tuple(parts), setup.game.rules, leaf)


def describe_call(target: Target, program: Program) -> dict[str, str]:
    """Return how a function is called, by what is described."""
    form = program.form
    kinds = {"list": "a list", "tuple": "a tuple", "array": "an array of numpy"}
    names = ", ".join(form.names)
    understood = {"call": f"{target.name.rpartition('.')[2]}({names})"}
    board = f"{kinds[form.container]}: {form.layout.description}"
    if len(form.layout.containers) == 1:
        board = form.layout.description
    if form.is_turned:
        board += "; the player to move is South"
    for name, role in zip(form.names, form.roles, strict=True):
        if role == "board":
            understood[name] = f"{board} (--board {form.layout.name})"
        elif role == "flag":
            understood[name] = f"True if {NAMES[form.flag_for]} moves"
        elif role == "who":
            understood[name] = f"the player to move: {form.players} (--players)"
        elif role == "me":
            understood[name] = f"MAX, always {NAMES[form.flag_for]}: {form.players}"
        elif role == "pit" and form.numbering:
            understood[name] = form.numbering.name
        elif role == "iterations":
            understood[name] = "iterations"
    return understood


def describe_values(
    program: Program, findings: ValueFindings, counts: str, sizes: Sequence[int]
) -> dict[str, str]:
    """Return what the answers of a search mean, by what is described."""
    form = program.form
    sides = {"south": "South's", "north": "North's", "mover": "those of the player to move"}
    understood = {
        "answer": form.reading,
        "values": f"{sides[form.view]} (--maximizing {form.view})",
    }
    if form.numbering:
        understood["moves"] = form.numbering.name
    understood["leaves"] = findings.leaves
    understood["finished"] = findings.finished
    if form.has_depth:
        understood["depth"] = f"in {counts}"
    understood["boards"] = f"{', '.join(map(str, sizes))} pits a side"
    return understood


def find_sizes(program: Program, score: float, setup: Setup) -> list[int]:
    """Return the pits of a side that a program can play, found by trying."""
    if setup.choices.pits:
        return [setup.choices.pits]
    sizes = []
    for pits in SMALL_SIZES:
        if score_form(program, list_probes(pits), setup.game) > 0.8 * score:
            sizes.append(pits)
    return [*sizes, 6]


def compare_search(
    name: str, program: Program, sizes: Sequence[int], setup: Setup
) -> tuple[Part, str]:
    """Compare a search with ours; return the part, and what its depth counts."""
    depths = DEPTHS if program.form.has_depth else (INF,)
    trials = list_trials(sizes[-1:], depths, setup.number)
    counts = setup.counts or "plies"
    comparisons = compare_trials(program, trials, counts, setup)
    if not setup.counts and program.form.has_depth:
        in_turns = compare_trials(program, trials, "turns", setup)
        if count_wrong(in_turns) == 0 < count_wrong(comparisons):
            comparisons, counts = in_turns, "turns"
    if len(sizes) > 1:
        smaller = list_trials(sizes[:-1], depths, setup.number // 2)
        others = compare_trials(program, smaller, counts, setup)
        if count_wrong(comparisons) or not count_wrong(others):
            comparisons = sorted(others + comparisons, key=lambda one: one.trial.size)
    wrong = [comparison for comparison in comparisons if not comparison.is_right]
    title = "Search" if not program.form.has_depth else f"Search, depths 1 to {max(depths)}"
    if isinstance(setup.game, OwnGame):
        title += ", over your own sowing"
    if not wrong:
        return Part(title, len(comparisons), len(comparisons)), counts
    base = make_right(counts, setup.game)
    mistakes: tuple[KnownMistake, ...] = (*KNOWN_MISTAKES, PLIES if counts == "turns" else TURNS)
    if isinstance(setup.game, OwnGame):
        mistakes = tuple(one for one in mistakes if one.part == "search" or one.name in OWN_RULES)
    leaf = make_leaf(program)
    explanations = find_mistakes(
        comparisons,
        base,
        program.form.view,
        leaf,
        mistakes,
        lambda done, of: setup.progress("pairs of mistakes", done, of),
    )
    more = list_trials(sizes, depths[-2:], MORE_TRIALS, seed=2)
    explanations = tell_apart(explanations, program, more, leaf)
    by_names = {explanation.names: explanation.mistakes for explanation in explanations}
    sets = [*by_names.values()]
    if any(one.name == "finished-at-depth-0" for one, *_ in sets):
        counts_rest = does_count_rest(program, sizes[-1])
        hidden = "rest-not-counted" if counts_rest else "finished-at-depth-0"
        sets = [own for own in sets if own[0].name != hidden]
    example = make_example(name, program, wrong[0])
    right = len(comparisons) - len(wrong)
    return Part(title, len(comparisons), right, example, tuple(sets)), counts


def make_right(counts: str, game: FlawedGame) -> Flawed:
    """Return the program without mistakes."""
    depth: Any = counts
    return Flawed(game, replace(RIGHT_SEARCH, depth=depth))


def count_wrong(comparisons: Sequence[Comparison]) -> int:
    return sum(not comparison.is_right for comparison in comparisons)


def compare_trials(
    program: Program, trials: Sequence[Trial], counts: str, setup: Setup
) -> list[Comparison]:
    """Return the answers of a program, and the right ones."""
    right, leaf = make_right(counts, setup.game), make_leaf(program)
    comparisons = []
    failed = 0
    for index, (state, depth) in enumerate(trials):
        if index % AT_ONCE == 0:
            setup.progress("positions", index, len(trials))
            call_ahead(program, trials[index : index + AT_ONCE], right)
        reply = program.ask(state, depth)
        failed += 1 if reply.problem else 0
        if failed > MOST_FAILED:
            break
        try:
            expected = right.answer(state, depth, program.form.view, leaf)
        except NoLeaf:
            if not reply.problem:
                continue  # the problem is that of another trial
            expected = Answer(0, (), None)
        comparisons.append(Comparison(Trial(state, depth), reply, expected))
    return comparisons


def call_ahead(program: Program, trials: Sequence[Trial], right: Flawed) -> None:
    """Make the calls that the comparison of some trials needs, all at once."""
    calls = list[tuple[State, float]]([*trials])
    if program.ask(*trials[0]).problem:  # more calls may fail, which takes long
        return

    def note(state: State, depth: int) -> float:
        calls.append((state, depth if program.form.has_depth else 0))
        return 0

    for state, depth in trials:
        right.answer(state, depth, program.form.view, note)
    program.call_ahead(calls)


def make_example(name: str, program: Program, comparison: Comparison) -> Counterexample:
    """Return a wrong answer for a reader."""
    (state, depth), reply, expected = comparison.trial, comparison.reply, comparison.expected
    call = f"{name}{program.format_call(state, depth)}"
    moves = [describe_move(program, state, move) for move in expected.best]
    parts = []
    if reply.value is not None:
        parts.append(format_number(expected.value))
    if moves:
        parts.append(f"with move {' or '.join(moves)}")
    given = reply.problem or reply.shown
    text = " ".join(parts)
    if reply.problem:
        text = "an answer"
    return Counterexample(state, depth, call, given, text)


def describe_move(program: Program, state: State, move: int) -> str:
    """Return a move in the program's numbers, or from 1 if it gives none."""
    form = program.form
    if form.numbering is None:
        return f"{move + 1}"
    player = 0 if form.is_turned else state.player
    return f"{form.numbering.write(move, player, len(state.board) // 2 - 1)}"


def make_value_parts(name: str, program: Program, findings: ValueFindings) -> list[Part]:
    """Return what is wrong with the values of a program, as parts of a report."""
    parts = []
    for mistake, example in findings.mistakes:
        depth_mistake = mistake in (ONE_PLY_LESS, ONE_PLY_MORE)
        call = f"{name}{program.format_call(example.state, example.depth)}"
        counterexample = Counterexample(
            example.state,
            None,
            call,
            example.given,
            example.expected,
        )
        title = "Depth" if depth_mistake else "Values"
        parts.append(Part(title, 0, 0, counterexample, ((mistake,),)))
    return parts
