"""What the check of a program has found, as an object and as text of 80 columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill, indent

from kalahlab.classroom.program_check.mistakes import KnownMistake
from kalahlab.evaluators.kalah import store_difference
from kalahlab.formatting import WIDTH, StableRepr
from kalahlab.games.kalah import Kalah, State
from kalahlab.games.notation import draw_board, format_board
from kalahlab.games.rules import STANDARD, Rules, format_rules
from kalahlab.players.search_spec import LEAVES
from kalahlab.search import alpha_beta
from kalahlab.trace import record


@dataclass(frozen=True, repr=False)
class Counterexample(StableRepr):
    """A call whose answer is wrong.

    Attributes:
        state: The position.
        depth: The depth of the search; None for other functions.
        call: The call, as it is written in Python.
        given: What the function returned, or did.
        expected: What is right, in words.
    """

    state: State
    depth: float | None
    call: str
    given: str
    expected: str


@dataclass(frozen=True, repr=False)
class Part(StableRepr):
    """A part of a check: the sowing, the values, or the search.

    Attributes:
        title: What was tried.
        tried: The number of calls that were compared.
        right: The number of right answers among them.
        counterexample: The smallest wrong one; None if all are right.
        explanations: Sets of known mistakes that each explain all answers.
        notes: What is told, but is no mistake.
        is_open: Whether it is unknown if all answers are right.
    """

    title: str
    tried: int
    right: int
    counterexample: Counterexample | None = None
    explanations: tuple[tuple[KnownMistake, ...], ...] = ()
    notes: tuple[str, ...] = ()
    is_open: bool = False

    @property
    def is_right(self) -> bool:
        return self.counterexample is None

    @property
    def is_judged(self) -> bool:
        """Whether the answers could be compared with the right ones, or one of them is wrong."""
        return not self.is_right or (self.tried > 0 and not self.is_open)


@dataclass(frozen=True, repr=False)
class ProgramReport(StableRepr):
    """What is known of a program.

    Attributes:
        name: The name of the program.
        kind: What it is: `search`, `sowing function`, `evaluator` or `player`.
        understood: How it was called and read, by what is described.
        parts: What was compared.
        rules: The rules that it should follow.
        leaf: How the depth is counted: `sow`, or `turn`.
    """

    name: str
    kind: str
    understood: dict[str, str]
    parts: tuple[Part, ...]
    rules: Rules = STANDARD
    leaf: str = "sow"

    @property
    def is_right(self) -> bool:
        return all(part.is_right for part in self.parts)

    @property
    def is_judged(self) -> bool:
        return all(part.is_judged for part in self.parts)

    @property
    def mistakes(self) -> tuple[str, ...]:
        """The names of the mistakes, of each part the first set that explains it."""
        names = []
        for part in self.parts:
            if part.explanations:
                names += [mistake.name for mistake in part.explanations[0]]
        return tuple(names)

    @property
    def search_example(self) -> Counterexample | None:
        """The first counterexample of a search."""
        for part in self.parts:
            if part.counterexample and part.counterexample.depth:
                return part.counterexample
        return None

    @property
    def explore_command(self) -> str:
        """The command that shows the right search of the smallest counterexample, or ""."""
        example = self.search_example
        if example is None or example.depth == float("inf"):
            return ""
        words = [f"kalahlab explore '{format_board(example.state)}' --depth {example.depth:g}"]
        if self.rules != STANDARD:
            words.append(f"--rules '{format_rules(self.rules)}'")
        if self.leaf != "sow":
            words.append(f"--leaf {self.leaf}")
        return " ".join([*words, "--out search.html"])

    def __str__(self) -> str:
        return format_report(self)


def wrap(text: str, first: str = "", rest: str = "") -> str:
    """Return a paragraph of at most 80 columns."""
    return fill(text, WIDTH, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)


def format_report(report: ProgramReport) -> str:
    """Return a report as text."""
    article = "an" if report.kind[0] in "aeiou" else "a"
    lines = [f"{report.name} is {article} {report.kind}."]
    width = max(map(len, report.understood), default=0) + 4
    for name, text in report.understood.items():
        lines.append(wrap(text, f"  {name:{width - 2}}", " " * width))
    paragraphs = ["\n".join(lines)]
    for part in report.parts:
        paragraphs += format_part(part, report)
    if report.is_right and report.is_judged:
        paragraphs.append("No known mistake was found.")
    if report.explore_command:
        paragraphs.append(f"To step through the right search:\n  {report.explore_command}")
    return "\n\n".join(paragraphs)


def format_part(part: Part, report: ProgramReport) -> list[str]:
    """Return the paragraphs of a part."""
    verdict = f"{part.right:,} of {part.tried:,} are right."
    if part.right == part.tried:
        verdict = f"all {part.tried:,} are right."
    paragraphs = [f"{part.title}: {verdict}"] if part.tried else []
    paragraphs += [wrap(note) for note in part.notes]
    if part.counterexample is not None:
        paragraphs.append(format_counterexample(part.counterexample, report.rules))
        paragraphs += format_explanations(part)
    return paragraphs


def format_counterexample(example: Counterexample, rules: Rules) -> str:
    """Return a wrong answer as text: the board, the call, what it gave, and what is right."""
    title = "The smallest counterexample:"
    if example.depth is not None and example.depth != float("inf"):
        title = f"The smallest counterexample, at depth {example.depth:g}:"
    return "\n".join(
        [
            title,
            "",
            indent(draw_board(example.state, rules), "  "),
            "",
            wrap(example.call, "  ", "    "),
            wrap(example.given, "  gives     ", " " * 12),
            wrap(example.expected, "  expected  ", " " * 12),
        ]
    )


def format_explanations(part: Part) -> list[str]:
    """Return the paragraphs that name the mistakes."""
    if not part.explanations:
        return ["No known mistake, alone or with another one, explains all answers."]
    paragraphs = []
    if part.tried and part.explanations[0][0].switches:
        paragraphs.append(
            wrap(
                f"All {part.tried:,} answers equal those of a program that "
                + join_mistakes(part.explanations[0])
                + "."
            )
        )
    else:
        paragraphs.append(wrap(f"The program {join_mistakes(part.explanations[0])}."))
    remedies = dict.fromkeys(mistake.remedy for mistake in part.explanations[0])
    paragraphs.append("\n".join(wrap(remedy, "  Mend: ", " " * 8) for remedy in remedies))
    for other in part.explanations[1:4]:
        paragraphs.append(wrap(f"So do those of one that {join_mistakes(other)}."))
    return paragraphs


def join_mistakes(mistakes: Sequence[KnownMistake]) -> str:
    """Return the descriptions of mistakes as one clause."""
    return ", and ".join(mistake.description for mistake in mistakes)


def find_step(report: ProgramReport, game: Kalah) -> int:
    """Return the step of the right search of the counterexample that the mistake is about.

    That is the first cut for a mistake with the window, the first extra turn for one with extra
    turns, and else the end.
    """
    example = report.search_example
    if example is None:
        return 0
    deep_enough = LEAVES[report.leaf](game, int(example.depth or 0))
    trace = record(alpha_beta, game, example.state, store_difference, deep_enough)
    words = " ".join(report.mistakes)
    if any(word in words for word in ("cut", "bound", "window", "alpha")) and trace.cuts:
        return trace.step(trace.cuts[0].node, begins=False)
    if any(word in words for word in ("extra", "always", "level")):
        for visit in trace.visits():
            if visit.is_extra_turn:
                return trace.step(visit.id)
    return trace.step(0, begins=False)
