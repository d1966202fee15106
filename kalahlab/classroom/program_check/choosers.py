"""Programs that give only a move: what they look at is found by trying evaluators and depths."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from random import Random
from statistics import fmean

from kalahlab.classroom.program_check.calls import Caller
from kalahlab.classroom.program_check.diagnosis import Comparison
from kalahlab.classroom.program_check.flawed import (
    Answer,
    Flawed,
    FlawedGame,
    Leaf,
    NoLeaf,
    Search,
    TooLong,
    View,
)
from kalahlab.classroom.program_check.layouts import NUMBERINGS
from kalahlab.classroom.program_check.positions import INF, Trial, list_probes, random_state
from kalahlab.classroom.program_check.recognise import (
    Choices,
    Parameter,
    Program,
    first_problem,
    iter_forms,
)
from kalahlab.classroom.program_check.values import FORMULAS
from kalahlab.formatting import StableRepr
from kalahlab.games.kalah import Board, State, stores

WIN = 1000.0  # the value of a won game, where only winning counts
FIXED_DEPTHS = (1, 2, 3, 4, 5, INF)  # of a program without a depth


@dataclass(frozen=True, repr=False)
class Model(StableRepr):
    """What a program that chooses a move may look at.

    Attributes:
        formula: What a leaf is worth: a key of `FORMULAS`.
        finished: What a finished game is worth: `margin`, `win`, or `formula`.
        deeper: By how many plies it looks further than its depth.
        fixed_depth: The depth of a program that takes none; None if it takes one.
    """

    formula: str
    finished: str
    deeper: int = 0
    fixed_depth: float | None = None

    def leaf(self, state: State, depth: int) -> float:
        """Return the value of a leaf for South."""
        half = len(state.board) // 2
        is_over = not any(state.board[: half - 1]) or not any(state.board[half:-1])
        if is_over and self.finished != "formula":
            south, north = stores(state.board)
            if self.finished == "margin":
                return south - north
            if south == north:
                return 0
            return WIN if south > north else -WIN
        return FORMULAS[self.formula](state.board)

    def movers_leaf(self, state: State, depth: int) -> float:
        """Return the value of a leaf for the player to move."""
        value = self.leaf(state, depth)
        return value if state.player == 0 else -value

    def depth(self, depth: float) -> float:
        """Return the depth to which it looks, for the depth that is given."""
        return depth + self.deeper if self.fixed_depth is None else self.fixed_depth

    def __str__(self) -> str:
        words = {"margin": "the margin", "win": "won or lost", "formula": "the same"}
        return f"{self.formula}; of finished games {words[self.finished]}"


@dataclass(frozen=True, repr=False)
class CreditToNext(StableRepr):
    """A search by playouts that credits each result to the opponent of who moves next.

    After an extra turn that is not who has moved, so that the worst such move looks best.
    """

    game: FlawedGame

    def answer(self, state: State, depth: float, view: View, leaf: Leaf) -> Answer:
        """Search to the end of the game; return the moves that look best, and their true value.

        Args:
            state: The position.
            depth: Not used; `Flawed.answer` has the same arguments.
            view: Not used.
            leaf: The value of a finished game for South.
        """
        if self.game.is_over(state):
            final = State(self.game.final_board(state.board), state.player)
            return Answer(leaf(final, 1), (), None)
        sign = 1 if state.player == 0 else -1
        values, looks = dict[int, float](), dict[int, float]()
        for move in self.game.moves(state):
            child = self.game.play(state, move)
            values[move] = self.answer(child, depth, view, leaf).value
            looks[move] = sign * values[move]
            if child.player == state.player:
                looks[move] = -looks[move]
        best = tuple(move for move in looks if looks[move] == max(looks.values()))
        return Answer(fmean(values[move] for move in best), best, best[0])


@dataclass(frozen=True, repr=False)
class ChooserForm(StableRepr):
    """A program that chooses a move, and what it seems to look at."""

    program: Program
    model: Model
    score: float


def list_models(has_depth: bool) -> Iterator[Model]:
    """Yield the models to try, the likeliest first."""
    for formula, finished in product(FORMULAS, ("margin", "win", "formula")):
        if has_depth:
            for deeper in (0, 1, -1):
                yield Model(formula, finished, deeper)
        else:
            for depth in FIXED_DEPTHS:
                if depth < INF or formula == next(iter(FORMULAS)):
                    yield Model(formula, finished, 0, depth)


def recognise_chooser(
    caller: Caller, parameters: Sequence[Parameter], game: FlawedGame, choices: Choices
) -> list[ChooserForm]:
    """Return the forms and models in which a program chooses best, the best first."""
    probes = list_probes(choices.pits or 6)[:10]
    candidates = []
    for form in iter_forms(parameters, choices):
        program = Program(caller, form)
        if first_problem(program, probes):
            continue
        for numbering in NUMBERINGS:
            read = program.with_form(reading="move", numbering=numbering)
            legal = [read.ask(state, 2).move in game.moves(state) for state in probes]
            if all(legal):
                candidates.append(read)
        if candidates:
            break
    depths = (1, 2, 3) if candidates and candidates[0].form.has_depth else (INF,)
    trials = [Trial(state, depth) for state, depth in product(probes, depths)]
    models = [*list_models(depths != (INF,))]
    forms = []
    for program, model in product(candidates, models):
        score = score_model(program, model, trials, game)
        forms.append(ChooserForm(program, model, score))
    return sorted(forms, key=lambda one: -one.score)


def score_model(program: Program, model: Model, trials: Sequence[Trial], game: FlawedGame) -> float:
    """Return the share of trials, of those where moves differ, with a best move of a model."""
    agreed = number = 0
    for comparison in compare_moves(program, model, trials, Flawed(game)):
        if len(comparison.expected.best) < len(game.moves(comparison.trial.state)):
            number += 1
            agreed += 1 if comparison.is_right else 0
    return agreed / number if number else 0.0


def compare_moves(
    program: Program,
    model: Model,
    trials: Sequence[Trial],
    right: Flawed | CreditToNext,
    is_negamax: bool = False,
) -> list[Comparison]:
    """Return the moves of a program, and those that are best for a model, or its negamax."""
    leaf = model.movers_leaf if is_negamax else model.leaf
    comparisons = []
    for state, depth in trials:
        try:
            expected = right.answer(
                state, model.depth(depth), "mover" if is_negamax else "south", leaf
            )
        except (TooLong, NoLeaf):
            continue
        comparisons.append(Comparison(Trial(state, depth), program.ask(state, depth), expected))
    return comparisons


def list_sharp_trials(game: FlawedGame, pits: int, number: int) -> list[Trial]:
    """Return positions near the end in which it matters that an extra turn is one.

    A program that takes the player after an extra turn for the other one loses or draws there, and
    a right one wins.
    """
    rng = Random(3)
    right, flawed = Flawed(game), Flawed(game, Search(by_level=True))
    leaf = Model(next(iter(FORMULAS)), "margin").leaf
    trials: list[Trial] = []
    for _ in range(100 * number):
        if len(trials) == number:
            break
        state = random_state(rng, pits, rng.randint(3, 6))
        state = State(with_stores(state.board, 0), state.player)
        sign = 1 if state.player == 0 else -1
        with suppress(TooLong, NoLeaf):
            best = right.answer(state, INF, "south", leaf)
            other = flawed.answer(state, INF, "south", leaf)
            if {*best.best} & {*other.best}:
                continue
            children = [game.play(state, move) for move in other.best]
            values = [sign * right.answer(child, INF, "south", leaf).value for child in children]
            if max(values) < sign * best.value:
                lead = -sign * int(max(values))  # the best of the other moves draws
                trials.append(Trial(State(with_stores(state.board, lead), state.player), INF))
    return trials


def with_stores(board: Board, lead: int) -> Board:
    """Return a board whose stores differ by the lead of South."""
    half = len(board) // 2
    return (*board[: half - 1], max(lead, 0), *board[half:-1], max(-lead, 0))
