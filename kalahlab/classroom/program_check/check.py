"""The check of a program: what it is, what it does, and which known mistakes it has.

    print(check_program("mine.alphabeta"))

An expected value is computed from the program's own values of leaves and of finished games, so
that any evaluator, any scale and any value of a win is right. What these values mean is told, and
checked apart.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from kalahlab.classroom.pit_offset import PitAnswer, explain_offset, read_pit
from kalahlab.classroom.program_check.calls import CALL_SECONDS, LATE, Caller
from kalahlab.classroom.program_check.choosers import (
    ChooserForm,
    CreditToNext,
    Model,
    compare_moves,
    list_sharp_trials,
    recognise_chooser,
)
from kalahlab.classroom.program_check.diagnosis import (
    Comparison,
    ProgramLeaf,
    find_mistakes,
    is_telling,
    tell_apart,
)
from kalahlab.classroom.program_check.external import PREFIX
from kalahlab.classroom.program_check.flawed import (
    RIGHT_SEARCH,
    Answer,
    Flawed,
    FlawedGame,
    NoLeaf,
    TooLong,
    View,
)
from kalahlab.classroom.program_check.layouts import LAYOUTS, NUMBERINGS, Layout, Players
from kalahlab.classroom.program_check.mistakes import (
    CHANGED,
    CRASH,
    CREDITS_BY_LEVEL,
    CREDITS_NEXT,
    DEPENDENT,
    ENDLESS,
    KNOWN_MISTAKES,
    PASSES_ALWAYS,
    PLIES,
    TURNS,
    TURNS_OVER,
    KnownMistake,
)
from kalahlab.classroom.program_check.positions import (
    INF,
    SMALL_SIZES,
    USUAL_SIZE,
    Trial,
    list_probes,
    list_trials,
)
from kalahlab.classroom.program_check.recognise import (
    CLEAR,
    DEPTH_ROLES,
    ITERATIONS,
    Choices,
    Program,
    Recognition,
    first_problem,
    is_natural,
    iter_forms,
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
    check_evaluator,
    check_values,
    describe_evaluator,
    does_count_rest,
)
from kalahlab.classroom.program_check.windows import compare_windows, has_window
from kalahlab.formatting import StableRepr, format_number
from kalahlab.games.kalah import NAMES, State
from kalahlab.games.notation import format_board
from kalahlab.games.rules import STANDARD, Rules

TRIALS = 300
DEPTHS = 1, 2, 3, 4, 4
MORE_TRIALS = 400  # that tell apart mistakes with the same answers
HINTED = 0.4  # the share of probes that agree if players are written as in the sowing function
ANEW = 20  # leaves of which a program is asked again, in a new process
AT_ONCE = 50  # trials whose calls are made together
MODELS = 30  # the likeliest models of a program that gives only a move
PLAYOUT_TRIALS = 60  # positions for a search by playouts, which takes long
LIKE = 0.15  # the share of a known mistake's moves that such a program may miss
WINNING = "Winning moves near the end"
MISSED = 0.1  # the share of moves that such a program may miss, as a search by playouts does
UNKNOWN_MOVES = (
    "Its moves are not those of a search with an evaluator that is known here, so they are not "
    "judged. Check the function that gives the value of a position instead."
)
SHALLOW = (
    "A right search that looks some plies ahead misses wins, too, and no known mistake explains "
    "the moves, so they are not judged."
)
VIEWS: tuple[View, ...] = ("south", "mover", "north")
LATER = "The search can be compared when it gives a finished game a value, also at depth 0."
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


@dataclass(frozen=True, repr=False)
class Setup(StableRepr):
    """What a check is about: the rules, what the user has said, and how much is tried."""

    game: FlawedGame
    choices: Choices
    counts: str | None
    number: int


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

    Raises:
        ValueError: The program is not understood; the message says which option helps.
    """
    target = make_target(program)
    if target.is_external:
        board = "state"
    choices = Choices(
        board if isinstance(board, str) else None,
        Players(*players) if players else None,
        maximizing,  # type: ignore[arg-type]
        pits,
        make_layout(board) if callable(board) else None,
    )
    if choices.board and choices.board not in LAYOUTS:
        raise ValueError(f"board is {board!r}; use one of {', '.join(LAYOUTS)}, or a function")
    setup = Setup(FlawedGame(rules), choices, counts, number)
    return report_target(target, setup, seconds)


def report_target(target: Target, setup: Setup, seconds: float) -> ProgramReport:
    """Check a function as what it is."""
    neighbors = [other for other in iter_neighbors(target) if is_sowing(other.parameters)]
    has_own_board = setup.choices.own_layout is not None
    with Caller([target, *neighbors], seconds, calls_again=has_own_board) as caller:
        if is_sowing(target.parameters):
            return report_sowing(target, caller, setup)
        if is_player(target, caller, setup):
            raise ValueError(
                f"{target.name} is a player (game, state): use kalahlab judge {target.name} or "
                "kalahlab tournament; --board state compares its moves"
            )
        sowing = find_sowing(neighbors, caller, setup)
        if returns_move(target, caller, setup):
            return report_chooser(target, caller, sowing, setup)
        if not any(parameter.roles[0] in DEPTH_ROLES for parameter in target.parameters):
            report = report_evaluator(target, caller, setup)
            if report is not None:
                return report
        return report_search(target, caller, sowing, setup)


def make_layout(function: Callable[..., Any]) -> Layout:
    """Return the layout of a user's function that makes its board of a `State`."""
    name = getattr(function, "__name__", "your function")
    name = f"{function.__module__}.{name}"
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
            "how a board looks with --board, and a player with --players. If it is no sowing "
            "function, rename its parameters: depth or iterations, and player or maximizing"
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


def check_beside(
    sowing: tuple[Target, SowingForm] | None, setup: Setup
) -> tuple[list[Part], Setup]:
    """Check the sowing function beside a search, if there is one.

    Return the parts of the report on it, and the setup for the search: if the function is wrong,
    the search is compared over it.
    """
    if sowing is None:
        return [], setup
    target, form = sowing
    part = compare_sowing(target.name, form, setup)
    if not part.is_right:
        setup = replace(setup, game=OwnGame(setup.game.rules, form=form))
    return [part], setup


def compare_sowing(name: str, form: SowingForm, setup: Setup) -> Part:
    """Compare a sowing function with ours."""
    pits = setup.choices.pits or USUAL_SIZE
    checks = check_sowing(form, [pits], setup.game, setup.number)
    wrong = [check for check in checks if not check.is_right]
    title = f"Sowing, {name}"
    if not wrong:
        return Part(title, len(checks), len(checks))
    explanations = find_sowing_mistakes(checks, form, setup.game, KNOWN_MISTAKES)
    first = wrong[0]
    output = first.sown.problem or first.sown.shown
    expected = repr(form.program.form.write_board(State(first.expected.board, first.state.player)))
    if first.sown.board == first.expected.board:
        output = f"the turn is {describe_turn(first.sown.player)}"
        expected = f"the turn is {describe_turn(first.expected.player)}"
    call = f"{name}{form.program.format_call(first.state, 0, first.pit)}"
    example = Counterexample(first.state, None, call, output, expected)
    return Part(title, len(checks), len(checks) - len(wrong), example, tuple(explanations))


def describe_turn(player: int | None) -> str:
    return "unknown" if player is None else f"{NAMES[player]}'s"


# --- search


def report_search(
    target: Target, caller: Caller, sowing: tuple[Target, SowingForm] | None, setup: Setup
) -> ProgramReport:
    """Check a search, with the sowing function beside it if there is one."""
    parts, setup = check_beside(sowing, setup)
    recognition = recognise_beside(target, caller, sowing, setup)
    program = recognition.program
    sizes = find_sizes(program, recognition.score, setup)
    findings = check_values(program, sizes[-1], setup.game)
    search_parts, counts = compare_search(target.name, program, sizes, setup)
    if not findings.has_end:
        search_parts = [Part("Search", 0, 0, notes=(LATER,))]
    understood = describe_call(target, program)
    understood |= describe_values(program, findings, counts, sizes)
    parts += [*make_value_parts(target.name, program, findings), *search_parts]
    parts += find_changed_arguments(target.name, program)
    leaf = "turn" if counts == "turns" else "sow"
    return ProgramReport(target.name, "search", understood, tuple(parts), setup.game.rules, leaf)


def recognise_beside(
    target: Target, caller: Caller, sowing: tuple[Target, SowingForm] | None, setup: Setup
) -> Recognition:
    """Return the form of a search; first try the players of the sowing function beside it."""
    choices = setup.choices
    players = sowing[1].program.form.players if sowing else None
    if players and not choices.players:
        with suppress(ValueError):
            recognition = recognise(
                caller, target.parameters, setup.game, replace(choices, players=players)
            )
            if recognition.score > HINTED:
                return recognition
    return recognise(caller, target.parameters, setup.game, choices)


def describe_call(target: Target, program: Program) -> dict[str, str]:
    """Return how a function is called, by what is described."""
    form = program.form
    kinds = {"list": "a list", "tuple": "a tuple", "array": "an array of numpy"}
    if target.is_external:
        return {"program": "asked for one move at a time"}
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
    return [*sizes, USUAL_SIZE]


def compare_search(
    name: str, program: Program, sizes: Sequence[int], setup: Setup
) -> tuple[list[Part], str]:
    """Compare a search with ours; return the parts, and what its depth counts."""
    depths = DEPTHS if program.form.has_depth else (INF,)
    trials = list_trials(sizes[-1:], depths, setup.number)
    counts = setup.counts or "plies"
    comparisons = compare_trials(program, trials, counts, setup)
    if count_wrong(comparisons) and not setup.counts and program.form.has_depth:
        in_turns = compare_trials(program, trials, "turns", setup, until_wrong=True)
        if not count_wrong(in_turns):
            comparisons, counts = in_turns, "turns"
    if len(sizes) > 1:
        smaller = list_trials(sizes[:-1], depths, setup.number // 2)
        others = compare_trials(program, smaller, counts, setup)
        if count_wrong(comparisons) or not count_wrong(others):
            comparisons = sorted(others + comparisons, key=lambda one: one.trial.size)
    wrong = [comparison for comparison in comparisons if not comparison.is_right]
    number = len(comparisons)
    title = "Search" if not program.form.has_depth else f"Search, depths 1 to {max(depths)}"
    if isinstance(setup.game, OwnGame):
        title += ", over your own sowing"
    base = make_right(counts, setup.game)
    if not wrong:
        parts = [Part(title, number, number)]
        if has_window(program):
            parts.append(compare_windows(name, program, comparisons, base))
        return parts, counts
    example = make_example(name, program, wrong[0])
    if fault := find_fault(program, wrong[0], base):
        return [Part(title, number, number - len(wrong), example, ((fault,),))], counts
    sets = explain_search(program, comparisons, sizes, counts, setup)
    return [Part(title, number, number - len(wrong), example, sets)], counts


def explain_search(
    program: Program,
    comparisons: Sequence[Comparison],
    sizes: Sequence[int],
    counts: str,
    setup: Setup,
) -> tuple[tuple[KnownMistake, ...], ...]:
    """Return the sets of known mistakes that each explain all answers of a search."""
    mistakes: tuple[KnownMistake, ...] = (*KNOWN_MISTAKES, PLIES if counts == "turns" else TURNS)
    if isinstance(setup.game, OwnGame):
        mistakes = tuple(one for one in mistakes if one.part == "search" or one.name in OWN_RULES)
    leaf = ProgramLeaf(program)
    depths = DEPTHS if program.form.has_depth else (INF,)
    explanations = find_mistakes(
        comparisons,
        make_right(counts, setup.game),
        program.form.view,
        leaf,
        mistakes,
    )
    more = list_trials(sizes, depths[-2:], MORE_TRIALS, seed=2)
    explanations = tell_apart(explanations, program, more, leaf)
    by_names = {explanation.names: explanation.mistakes for explanation in explanations}
    sets = [*by_names.values()]
    if any(one.name == "finished-at-depth-0" for one, *_ in sets):
        counts_rest = does_count_rest(program, sizes[-1])
        hidden = "rest-not-counted" if counts_rest else "finished-at-depth-0"
        sets = [own for own in sets if own[0].name != hidden]
    return tuple(sets)


def find_changed_arguments(name: str, program: Program) -> list[Part]:
    """Return a part on the smallest call that has changed its arguments, if there is one."""
    changed = [
        (key.state, key.depth, outcome.after)
        for calls in program.kept.values()
        for key, outcome in calls.items()
        if outcome.after is not None
    ]
    if not changed:
        return []
    state, depth, after = min(changed, key=lambda call: Trial(call[0], call[1]).size)
    board = after[program.form.roles.index("board")]
    call = f"{name}{program.format_call(state, depth - program.form.leaf_depth)}"
    example = Counterexample(state, None, call, f"the board is then {board!r}", "no change")
    return [Part("Arguments", 0, 0, example, ((CHANGED,),))]


def find_fault(program: Program, wrong: Comparison, right: Flawed) -> KnownMistake | None:
    """Return a fault that no search explains: a crash, or an answer that depends on others."""
    (state, depth), reply = wrong.trial, wrong.reply
    if reply.problem:
        return ENDLESS if reply.problem.startswith(LATE) else CRASH
    leaves = list_leaves(program, wrong.trial, right)[:ANEW]
    # First the leaves: what is kept of them does not change the answer of a right search.
    calls = [*leaves, (state, depth)]
    answers = [program.ask(*call) for call in calls]
    return None if program.ask_anew(calls) == answers else DEPENDENT


def list_leaves(program: Program, trial: Trial, right: Flawed) -> list[tuple[State, float]]:
    """Return the leaves of the right search of a trial, with the depth that is left there."""
    leaves = list[tuple[State, float]]()

    def note(state: State, depth: int) -> float:
        leaves.append((state, depth if program.form.has_depth else 0))
        return 0

    with suppress(NoLeaf, TooLong):  # a sowing function may be wrong
        right.visit_leaves(*trial, program.form.view, note)
    return leaves


def make_right(counts: str, game: FlawedGame) -> Flawed:
    """Return the program without mistakes."""
    depth: Any = counts
    return Flawed(game, replace(RIGHT_SEARCH, depth=depth))


def count_wrong(comparisons: Sequence[Comparison]) -> int:
    return sum(not comparison.is_right for comparison in comparisons)


def compare_trials(
    program: Program, trials: Sequence[Trial], counts: str, setup: Setup, until_wrong: bool = False
) -> list[Comparison]:
    """Return the answers of a program, and the right ones, perhaps only until one is wrong."""
    right, leaf = make_right(counts, setup.game), ProgramLeaf(program)
    comparisons = []
    failed = 0
    for index, (state, depth) in enumerate(trials):
        if index % AT_ONCE == 0:
            call_ahead(program, trials[index : index + AT_ONCE], right)
        reply = program.ask(state, depth)
        if reply.problem:
            failed += 3 if reply.problem.startswith(LATE) else 1
        if failed > MOST_FAILED:
            break
        try:
            expected = right.answer(state, depth, program.form.view, leaf)
        except (NoLeaf, TooLong):
            if not reply.problem:
                continue  # the problem is that of another trial
            expected = Answer(0, (), None)
        comparisons.append(Comparison(Trial(state, depth), reply, expected))
        if until_wrong and not comparisons[-1].is_right:
            break
    return comparisons


def call_ahead(program: Program, trials: Sequence[Trial], right: Flawed) -> None:
    """Make the calls that the comparison of some trials needs, all at once."""
    calls = list[tuple[State, float]]([*trials])
    if program.ask(*trials[0]).problem:  # more calls may fail, which takes long
        return

    if isinstance(right.game, OwnGame):
        right.game.play_ahead(trials)
    for trial in trials:
        calls += list_leaves(program, trial, right)
    program.call_ahead(calls)


def make_example(name: str, program: Program, comparison: Comparison) -> Counterexample:
    """Return a wrong answer for a reader."""
    (state, depth), reply, expected = comparison.trial, comparison.reply, comparison.expected
    call = f"{name}{program.format_call(state, depth)}"
    if name.startswith(PREFIX):
        call = f"{name}, asked at {format_board(state)}"
    moves = [describe_move(program, state, move) for move in expected.best]
    parts = []
    if reply.value is not None:
        parts.append(format_number(expected.value))
    if moves:
        move_text = f"move {' or '.join(moves)}"
        parts.append(f"with {move_text}" if parts else move_text)
    output = reply.problem or reply.shown
    text = " ".join(parts)
    if name.startswith(PREFIX) and reply.move is not None:  # programs count pits from 1
        output = f"move {reply.move + 1}"
        text = f"move {' or '.join(str(move + 1) for move in expected.best)}"
    if reply.problem:
        text = "an answer"
    return Counterexample(state, depth, call, output, text)


def describe_move(program: Program, state: State, move: int) -> str:
    """Return a move in the program's numbers with its pit, or from 1 if it gives none."""
    form = program.form
    if form.numbering is None:
        return f"{move + 1}"
    player = 0 if form.is_turned else state.player
    number = form.numbering.write(move, player, len(state.board) // 2 - 1)
    return f"{number}" if number == move + 1 else f"{number} (pit {move + 1})"


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


# --- programs that choose a move


def returns_move(target: Target, caller: Caller, setup: Setup) -> bool:
    """Return whether a program gives a legal move, and nothing else, wherever it is asked."""
    names = {parameter.roles[0] for parameter in target.parameters}
    if "iterations" in names:
        return True
    if target.is_external:
        return True
    probes = list_probes(setup.choices.pits or USUAL_SIZE)[:10]
    for form in iter_forms(target.parameters, setup.choices):
        program = Program(caller, form)
        if first_problem(program, probes):
            continue
        depths = (1, 2) if form.has_depth else (0,)
        trials = [*product(probes, depths)]
        program.call_ahead(trials)
        for numbering in NUMBERINGS:
            read = program.with_form(reading="move", numbering=numbering)
            replies = [(state, read.ask(state, depth)) for state, depth in trials]
            if all(reply.move in setup.game.moves(state) for state, reply in replies):
                return True
        return False
    return False


def is_player(target: Target, caller: Caller, setup: Setup) -> bool:
    """Return whether a function of a game and a state, of which no board is told, plays legally."""
    roles = [parameter.roles[0] for parameter in target.parameters]
    if roles != ["game", "board"] or setup.choices.board or setup.choices.own_layout:
        return False
    choices = replace(setup.choices, board="state")
    return returns_move(target, caller, replace(setup, choices=choices))


def explain_illegal(target: Target, caller: Caller, setup: Setup) -> str:
    """Return why a program in another process makes no legal moves, or "" if that is unknown."""
    [form] = iter_forms(target.parameters, setup.choices)
    program = Program(caller, form)
    answers = []
    first = 1
    for state in list_probes(setup.choices.pits or USUAL_SIZE):
        outcome = program.call(state)
        pit = read_pit(outcome.problem) if outcome.problem else outcome.value
        if not isinstance(pit, int):
            return outcome.problem.partition(": ")[2]  # without the type of the error
        if "which is pit" in outcome.problem:  # the program's numbers are not those of pits
            first = 0
        answers.append(PitAnswer(state, pit))
    return explain_offset(answers, first)


def report_chooser(
    target: Target, caller: Caller, sowing: tuple[Target, SowingForm] | None, setup: Setup
) -> ProgramReport:
    """Check a program that gives only a move."""
    parts, setup = check_beside(sowing, setup)
    forms = recognise_chooser(caller, target.parameters, setup.game, setup.choices)
    if not forms and target.is_external:
        reason = explain_illegal(target, caller, setup)
        if reason:
            raise ValueError(f"{target.name}: {reason[0].lower()}{reason[1:]}")
    if not forms:
        raise ValueError(
            f"{target.name} gives no legal move in any way that was tried. Say how a board looks "
            "with --board, and a player with --players"
        )
    best = forms[0]
    understood = describe_call(target, best.program)
    assert best.program.form.numbering is not None
    numbering = best.program.form.numbering.name
    understood |= {"answer": "move", "moves": "from 1" if target.is_external else numbering}
    depths = DEPTHS[:-1] if best.program.form.has_depth else (INF,)
    sizes = [setup.choices.pits or USUAL_SIZE]
    has_playouts = "iterations" in best.program.form.roles or target.is_external
    number = min(setup.number // 2, PLAYOUT_TRIALS if has_playouts else setup.number)
    trials = list_trials(sizes, depths, number)
    if has_playouts:
        trials = list_sharp_trials(setup.game, sizes[0], number)
    judge = judge_playouts if has_playouts else judge_moves
    part, model = judge(target.name, forms, trials, setup)
    if not (part.is_open and target.is_external):
        understood |= describe_model(model)
    return ProgramReport(target.name, "player", understood, (*parts, part), setup.game.rules)


def describe_model(model: Model) -> dict[str, str]:
    """Return what a program that chooses a move seems to look at, by topic."""
    description = {"leaves": f"{model}"}
    if model.fixed_depth is not None:
        depth = "to the end" if model.fixed_depth == INF else f"{model.fixed_depth:g} plies"
        description["depth"] = f"it seems to look {depth}"
    elif model.deeper:
        description["depth"] = f"it looks {abs(model.deeper)} ply "
        description["depth"] += "further than its depth" if model.deeper > 0 else "less"
    return description


def judge_moves(
    name: str, forms: Sequence[ChooserForm], trials: Sequence[Trial], setup: Setup
) -> tuple[Part, Model]:
    """Compare moves with those of the likeliest models, right ones and with mistakes."""
    base = Flawed(setup.game)
    results = []
    for form in forms[:MODELS]:
        comparisons = compare_moves(form.program, form.model, trials, base)
        results.append((count_wrong(comparisons), form, comparisons))
        if not count_wrong(comparisons):
            return Part("Moves", len(comparisons), len(comparisons)), form.model
    for _, form, comparisons in results:
        model = form.model
        as_asked = [
            replace(one, trial=Trial(one.trial.state, model.depth(one.trial.depth)))
            for one in comparisons
        ]
        explanations = find_mistakes(
            as_asked, base, "south", model.leaf, KNOWN_MISTAKES, pairs=False
        )
        explanations = [
            one for one in explanations if is_telling(one.program, as_asked, model.leaf)
        ]
        if explanations:
            sets = [*{one.names: one.mistakes for one in explanations}.values()]
            return make_moves_part(name, form, comparisons, sets), model
    wrong, form, comparisons = min(results, key=lambda result: result[0])
    number = len(comparisons)
    if wrong <= MISSED * number:
        note = f"{wrong} are not the best by this evaluator. No known mistake explains them: the "
        note += "program may have another evaluator, or a search that is not exact."
        return Part("Moves", number, number - wrong, notes=(note,), is_open=True), form.model
    return Part("Moves", 0, 0, notes=(UNKNOWN_MOVES,)), form.model


def judge_playouts(
    name: str, forms: Sequence[ChooserForm], trials: Sequence[Trial], setup: Setup
) -> tuple[Part, Model]:
    """Count the winning moves that a search by playouts finds near the end of the game."""
    program = forms[0].program
    model = Model("store difference", "win", 0, INF)
    comparisons = compare_moves(program, model, trials, Flawed(setup.game))
    number, missed = len(comparisons), count_wrong(comparisons)
    if missed <= MISSED * number:
        notes = []
        if "iterations" in program.form.roles:
            notes.append(f"It was asked for {ITERATIONS} iterations at each position.")
        return Part(WINNING, number, number - missed, notes=tuple(notes)), model
    shallow = find_depth_limited(forms, trials, setup)
    if shallow:
        return Part("Moves", number, number), shallow
    passing = replace(setup.game, rules=replace(setup.game.rules, again_on_store=False))
    suspects: list[tuple[KnownMistake, Flawed | CreditToNext]] = [
        (PASSES_ALWAYS, Flawed(passing)),
        (CREDITS_BY_LEVEL, Flawed(setup.game, replace(RIGHT_SEARCH, by_level=True))),
        (TURNS_OVER, Flawed(setup.game, replace(RIGHT_SEARCH, negated=True))),
    ]
    if not isinstance(setup.game, OwnGame):  # which might never end
        suspects.append((CREDITS_NEXT, CreditToNext(setup.game)))
    sets, fewest = [], LIKE * number
    for mistake, suspect in suspects:
        is_negamax = mistake is TURNS_OVER
        unlike = count_wrong(compare_moves(program, model, trials, suspect, is_negamax))
        if unlike < min(missed, fewest):
            sets, fewest = [(mistake,)], unlike
    if not sets and "iterations" not in program.form.roles:
        return Part(WINNING, number, number - missed, notes=(SHALLOW,), is_open=True), model
    part = make_moves_part(name, forms[0], comparisons, sets)
    return replace(part, title=WINNING), model


def find_depth_limited(
    forms: Sequence[ChooserForm], trials: Sequence[Trial], setup: Setup
) -> Model | None:
    """Return the model of a right search to a fixed depth that gives all moves of a program.

    Such a search does not see all wins near the end.
    """
    for form in forms[:MODELS]:
        if form.model.fixed_depth not in (None, INF):
            comparisons = compare_moves(form.program, form.model, trials, Flawed(setup.game))
            if not count_wrong(comparisons):
                return form.model
    return None


def make_moves_part(
    name: str, form: ChooserForm, comparisons: Sequence[Comparison], sets: Sequence[Any]
) -> Part:
    """Return the part of a report on wrong moves."""
    wrong = [comparison for comparison in comparisons if not comparison.is_right]
    example = make_example(name, form.program, wrong[0])
    number = len(comparisons)
    return Part("Moves", number, number - len(wrong), example, tuple(sets))


# --- evaluators


def report_evaluator(target: Target, caller: Caller, setup: Setup) -> ProgramReport | None:
    """Check an evaluator; return None if the function gives no numbers, or searches."""
    pits = setup.choices.pits or USUAL_SIZE
    probes = list_probes(pits)
    first: Program | None = None
    for form in iter_forms(target.parameters, setup.choices):
        for view in ("mover",) if form.is_turned else VIEWS:
            program = Program(caller, form).with_form(view=setup.choices.view or view)
            if any(program.ask(state).value is None for state in probes[:4]):
                break
            if score_form(program, probes, setup.game) > CLEAR:
                return None
            is_own = is_natural(program, probes)
            if is_own and describe_evaluator(program, pits):
                return make_evaluator_report(target, program, pits, setup)
            first = first or (program if is_own else None)
    return None if first is None else make_evaluator_report(target, first, pits, setup)


def make_evaluator_report(
    target: Target, program: Program, pits: int, setup: Setup
) -> ProgramReport:
    """Return the report on an evaluator in a form of call."""
    findings = check_evaluator(program, pits)
    understood = describe_call(target, program)
    sides = {"south": "South's", "north": "North's", "mover": "those of the player that is given"}
    understood["values"] = sides[program.form.view]
    understood["formula"] = findings.leaves
    understood["finished"] = findings.finished
    parts = make_value_parts(target.name, program, findings)
    return ProgramReport(target.name, "evaluator", understood, tuple(parts), setup.game.rules)
