"""The homework's grader: compare a student's files with ours, and find the mistakes behind them.

A mistake is found by trial. Our program runs with known mistakes, one or two at a time, until it
writes the same files as the student's program. Each line is compared while the program runs, and
the run ends at the first line with another meaning.

The last part of the module makes inputs for the homework that tell the known mistakes apart.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from io import StringIO
from itertools import count, islice, repeat
from math import copysign
from pathlib import Path
from random import Random
from typing import NamedTuple

from kalahlab.formatting import StableRepr, capitalize_first
from kalahlab.published import homework
from kalahlab.published.homework import (
    Defects,
    KnownMistake,
    OpenNode,
    Problem,
    Program,
    format_value,
)
from kalahlab.search.model import INF
from kalahlab.search.observer import Stopped
from kalahlab.trace.explain import HOLD, SO, WHY
from kalahlab.untrusted import UTF_16

NEXT_STATE, LOG = "next_state.txt", "traverse_log.txt"


def describe_place(path: Sequence[OpenNode]) -> str:
    """Return the place of the last node of a path: `at the root`, or `after` and the moves."""
    if len(path) <= 1:
        return "at the root"
    return f"after {', '.join(node.name for node in path[1:])}"


def describe_action(program: Program) -> str:
    """Explain what a program does when it writes a line, in sentences of `homework.toml`."""
    node, child, action = program.path[-1], program.child, program.action
    words = homework.TEXTS["MAX" if node.maximizing else "MIN"]
    bound = getattr(node, words["limit"])  # beta at a node of MAX, alpha at one of MIN
    child_name, child_value = "", ""
    # The keys of the texts to join. A line that is written after a child says first that the node
    # takes the child's value. If the search has windows, it says then whether there is a cut.
    keys: list[str] = [action]
    if child is not None:
        keys = ["takes"]
        child_name, child_value = child.name, format_value(child.best)
    if child is not None and program.windows:
        if action == "cut":
            keys.append("cut")
        elif abs(bound) == INF:  # no value reaches an infinite bound
            keys.append("open")
        else:
            keys.append("within")
    template = "".join(homework.TEXTS[key] for key in keys)
    return template.format(
        **words,
        player=node.state.player + 1,
        again=" has an extra turn and" if node.extra else "",
        value=format_value(node.best),
        untried=_format_untried(program),
        cutoff=program.cutoff,
        child=child_name,
        led=child_value,
        bound=format_value(bound),
        ends="so there is a cut" if node.untried else "but no move is left to be cut off",
        why=_explain_cut(program, bound) if action == "cut" else "",
    )


def _explain_cut(program: Program, bound: float) -> str:
    """Explain a cut in the words of `kalahlab.trace.explain`.

    Args:
        program: The program, which has just cut off the last node of its path.
        bound: The alpha or beta that the value of the node has reached.
    """
    assert program.child is not None  # for mypy: a cut comes after a child
    path, node = program.path, program.path[-1]
    # The bound is the value of one of the opponent's nodes above. If several have this value, the
    # one nearest the root has set the bound.
    owner_index = next(
        index
        for index, above in enumerate(path)
        if above.maximizing != node.maximizing and above.best == bound
    )
    owner = path[owner_index]
    owner_move = owner.line[0]  # the best move so far: the first of the line of best play
    untried = _format_untried(program)
    player, opponent = ("MAX", "MIN") if node.maximizing else ("MIN", "MAX")
    # Without untried moves nothing is cut off: the end of the sentence about them is left out.
    template = WHY if untried else WHY.replace(SO, ".")
    return template.format(
        Where=capitalize_first(describe_place(path)),
        player=player,
        hold=HOLD[player],
        value=format_value(node.best),
        by=program.child.name,
        owner=opponent,
        bound=format_value(bound),
        holds=program.game.move_name(owner.state, owner_move),
        place=describe_place(path[: owner_index + 1]),
        untried=untried,
    )


def _format_untried(program: Program) -> str:
    """Return the names of the moves that the last node of the path has not tried; "" if none."""
    node = program.path[-1]
    return ", ".join(program.game.move_name(node.state, move) for move in node.untried)


def _describe_columns(yours: str, ours: str, action: str, stones: int) -> str:
    """Return sentences on the columns that differ, "" if the lines are about different nodes.

    Args:
        yours: The student's line of a log.
        ours: Our line.
        action: What our program does when it writes the line; an `Action`.
        stones: The number of stones on the board.
    """
    your_words, our_words = tokenize_line(yours, stones), tokenize_line(ours, stones)
    # The first word is the node's name. The slices allow for lines without words.
    same_node = your_words[:1] == our_words[:1]
    if len(your_words) != len(our_words) or not same_node:
        return ""
    names = ("name", "depth", "value", "alpha", "beta")
    # Not strict: only the log of task 3 has alpha and beta.
    columns = zip(names, your_words, our_words, strict=False)
    differing = [name for name, your_word, our_word in columns if your_word != our_word]
    sentences = f" Columns that differ: {', '.join(differing)}."
    if "depth" in differing:
        sentences += " The depth counts turns: moves of one turn have the same depth."
    if "alpha" in differing or "beta" in differing:
        if action == "takes":
            sentences += " MAX raises alpha to its value, MIN lowers beta to its value."
        elif action != "cut":  # the text of `describe_action` on a cut explains the window
            sentences += " A node starts with the alpha and beta of the node above it."
    return sentences


# A word of a line: `A2`, `1` and `-Infinity` in `(A2, 1; -Infinity)`.
WORD = re.compile(r"[^\s,;()\[\]]+")
FIRST_VALUE_COLUMN = 2  # the column of a log after the name and the depth
# Java's Double.MIN_VALUE is the least positive number, about 5e-324. A student who takes it for the
# least of all numbers writes it in place of -Infinity. Values below this limit are read so.
TINY = 1e-30


@lru_cache(1 << 14)
def tokenize_line(line: str, stones: int) -> tuple[str | float, ...]:
    """Return the meanings of the words of a line; see `word_meaning`."""
    words = enumerate(WORD.findall(line))
    return tuple(word_meaning(word, column, stones) for column, word in words)


def word_meaning(word: str, column: int, stones: int) -> str | float:
    """Return a number for a word that can be read as one, else the word in small letters.

    Some programs have no infinity and use another number in its place. A value beyond the number of
    stones on the board is therefore read as infinity with the same sign. A value that is not 0 but
    nearer to 0 than `TINY` is read as infinity with the opposite sign.

    Args:
        word: The word.
        column: The index of the word in the line. Values are the words from `FIRST_VALUE_COLUMN`
            on.
        stones: The number of stones on the board.
    """
    word = word.casefold().replace("\N{MINUS SIGN}", "-").replace("\N{INFINITY}", "inf")
    # The grading cases have "+/-Infinity"; older C libraries print infinity as "1.#inf".
    word_of_number = word.removeprefix("+/-").replace("1.#inf", "inf")
    try:
        number = float(word_of_number)
    except ValueError:
        return word
    if column < FIRST_VALUE_COLUMN:
        return number
    if 0 < abs(number) < TINY:
        return copysign(INF, -number)
    if abs(number) > stones:
        return copysign(INF, number)
    return number


def count_stones(problem: Problem) -> int:
    return sum(problem.state.board)


class Files(NamedTuple):
    """A student's files for one input; None for a file that is not compared."""

    board: Path | None = None
    log: Path | None = None


class Difference(NamedTuple):
    """The first line of a file that differs.

    Attributes:
        file: `NEXT_STATE` or `LOG`.
        line: The number of the line in the student's file, from 1.
        yours, ours: The student's line and our line; "" at the end of a file.
        why: An explanation of what our program does when it writes its line.
        place, board: The place and the board of the node that our line is about; "" if our line is
            not about a node.
        step: How often the search has entered or left a node up to this line. If the line is the
            last one of its node, the node counts as left. 0 if the lines are not about a node.
        spelling: Whether the lines mean the same and only their spelling differs.
        truncated: Whether the student's file stops in this line or before it.
        slip: A text on a single line that is missing or too many, if the rest of the log is like
            ours; "" otherwise.
    """

    file: str
    line: int
    yours: str
    ours: str
    why: str
    place: str = ""
    board: str = ""
    step: int = 0
    spelling: bool = False
    truncated: bool = False
    slip: str = ""


class Report(NamedTuple):
    """The differences in a student's files, and the known mistakes that explain them.

    Attributes:
        case: The index, from 0, of the input to which `differences` belongs.
        differences: The first difference of each file for that input.
        wrong: The indices of inputs whose files differ by more than their spelling.
        spelling_only: The indices of inputs whose files differ by their spelling alone.
        truncated: The indices of wrong inputs whose files are right as far as they go.
        explanations: Alternatives, each of which explains all files. Each is a single mistake; or,
            if no single mistake explains the files, two in the order in which to fix them.
        all_pairs_tried: False if the trials ended before all pairs of mistakes were tried.
        notes: Peculiarities of the files that are tolerated.
    """

    case: int
    differences: tuple[Difference, ...]
    wrong: tuple[int, ...]
    spelling_only: tuple[int, ...]
    truncated: tuple[int, ...]
    explanations: tuple[tuple[KnownMistake, ...], ...]
    all_pairs_tried: bool
    notes: tuple[str, ...]

    @property
    def fix(self) -> list[list[KnownMistake]]:
        """The alternatives for the mistake to fix first, then those for the mistake to fix second.

        There is one list if a single mistake explains the files, and none if no mistakes do.
        """
        # Either all explanations are single mistakes, or all are pairs.
        return [list(dict.fromkeys(mistakes)) for mistakes in zip(*self.explanations, strict=True)]


class Lines(StableRepr):
    """The lines of a student's file, as `_iter_lines` yields them, for several readers.

    A line is read from the file when the first reader needs it, and kept for the others.
    """

    def __init__(self, path: Path, notes: set[str]) -> None:
        self._unread = _iter_lines(path, notes)
        self._lines: list[tuple[int, str]] = []
        self._error: ValueError | None = None

    def __iter__(self) -> Iterator[tuple[int, str]]:
        for index in count():
            if index == len(self._lines):
                self._read_line()
            yield self._lines[index]

    def _read_line(self) -> None:
        if self._error is not None:
            raise self._error
        try:
            self._lines.append(next(self._unread))
        except ValueError as error:
            self._error = error  # each reader that comes to this line has the error
            raise


class Reader(StableRepr):
    """A student's file, whose lines are compared with ours one by one.

    A call of a reader compares the student's next line with one of ours. It raises `Stopped` if
    they differ by more than their spelling. A `Program` can write its lines to a reader in place of
    a file.

    Unusual line ends, blanks at the end of a line and empty lines are tolerated and noted.

    Attributes:
        number, line: The number (from 1) and the text of the student's next line; the text is "" at
            the end.
        lines: An iterator over the student's lines after the next one.
        ours: Our line that was compared last.
        matching: The number of our lines that matched.
        differs: Whether the student's next line differs from ours.
        truncated: Whether the student's file stops at that difference.
        first_spelling: The first line in another spelling: its number, the line and ours.
    """

    def __init__(self, lines: Lines, notes: set[str], stones: int) -> None:
        self._notes = notes
        self._stones = stones
        self._spellings: dict[str, str] = {}  # a kind of difference -> its first example, in words
        self.ours = ""
        self.matching = 0
        self.differs = False
        self.truncated = False
        self.first_spelling: tuple[int, str, str] | None = None
        self.lines = iter(lines)
        self.number, self.line = next(self.lines)

    def __call__(self, ours: str, optional: bool = False) -> None:
        """Compare the student's next line with our next line.

        Args:
            ours: Our line, "" at the end of our file.
            optional: Whether the student may leave this line out.

        Raises:
            Stopped: The lines differ by more than their spelling.
        """
        if optional:
            if not self._has_optional(ours):
                return
            self._notes.add("lines of finished games that the grading marks as optional")
        else:
            self.ours = ours
            # A file that begins with the root lacks our first line, the names of the columns.
            if self.matching == 0 and self.line.lower().startswith("root"):
                self.first_spelling = self.number, self.line, ours
                self._spellings["header"] = "the first line, which names the columns, is missing"
                self.matching = 1
                return
            self._compare(ours)
            self.matching += 1
        self.number, self.line = next(self.lines)

    def compare_board(self, after: str) -> None:
        """Compare all lines with those of the next state; raise `Stopped` if they differ."""
        for line in (*after.splitlines(), ""):
            self(line)

    def _has_optional(self, ours: str) -> bool:
        """Return whether the student's next line is our optional one.

        An infinite value may have any sign, as our line has +/-Infinity.
        """
        # The grading cases have the word OPTIONAL at the end of such a line.
        line = re.sub(r"(?i)\s*optional$", "", self.line)
        words = [*tokenize_line(line, self._stones)]
        # `tokenize_line` gives our +/-Infinity as plus infinity.
        if len(words) > FIRST_VALUE_COLUMN and words[FIRST_VALUE_COLUMN] == -INF:
            words[FIRST_VALUE_COLUMN] = INF
        return tuple(words) == tokenize_line(ours, self._stones)

    def _compare(self, ours: str) -> None:
        """Compare the next lines; raise `Stopped` if they differ by more than their spelling."""
        if self.line == ours:
            return
        if not ours or tokenize_line(self.line, self._stones) != tokenize_line(ours, self._stones):
            self.differs = True
            if ours.casefold().startswith(self.line.casefold()):  # only the beginning of our line
                _, following = next(self.lines)
                self.truncated = not following
            raise Stopped
        self._note_spelling(ours)

    def _note_spelling(self, ours: str) -> None:
        """Note how the spelling of the next line differs from ours."""
        if self.first_spelling is None:
            self.first_spelling = self.number, self.line, ours
        # Lines with the same meaning have the same number of words.
        for their_word, our_word in zip(WORD.findall(self.line), WORD.findall(ours), strict=True):
            if their_word == our_word:
                continue
            if their_word.lower() == our_word.lower():
                kind = "letters"
            elif "Inf" in our_word:
                kind = "infinity"
            else:
                kind = "number"
            self._spellings.setdefault(kind, f"{their_word:.20} for {our_word}")
        if WORD.sub("", self.line) != WORD.sub("", ours):
            self._spellings["between"] = "blanks, commas or brackets"

    def spelling_differences(self, file: str) -> list[Difference]:
        """Return the first difference in spelling, in a list; [] if there is none.

        Its explanation has an example of each kind of such differences in the file.
        """
        if self.first_spelling is None:
            return []
        examples = ", ".join(self._spellings.values())
        why = f"The values are right here, but the spelling differs: {examples}."
        return [Difference(file, *self.first_spelling, why, spelling=True)]


LONGEST_FILE = 20_000_000  # bytes
LONGEST_LINE = 1000  # characters


def _iter_lines(path: Path, notes: set[str]) -> Iterator[tuple[int, str]]:
    """Yield the number, from 1, and the text of each line that is not empty, then "" for ever.

    The "" at the end has the number after the last line.

    Args:
        path: A text file in UTF-8 or UTF-16.
        notes: A set; peculiarities of the file that are tolerated are added to it.

    Raises:
        ValueError: The file is empty, too long or not a text.
    """
    size = path.stat().st_size
    if size > LONGEST_FILE:
        raise ValueError(f"{path} has {size:,} bytes; at most {LONGEST_FILE:,} are read")
    with path.open("rb") as file:
        content = file.read(LONGEST_FILE)
    encoding = "utf-8"
    if content[:2] in UTF_16:
        encoding = "utf-16"
        notes.add("UTF-16 instead of UTF-8")
    number = 0
    is_empty = True
    # `newline=""` keeps the line ends, for `_unusual_layout`.
    with StringIO(content.decode(encoding, errors="replace"), newline="") as file:
        # The limit keeps one long line from filling the memory; a line end has up to 2 characters.
        limited_lines = iter(lambda: file.readline(LONGEST_LINE + 2), "")
        for number, text in enumerate(limited_lines, start=1):
            # Python reads bytes that are not UTF-8 as U+FFFD. Files that are not text start so.
            if "\0" in text or (number == 1 and text.startswith("\ufffd")):
                raise ValueError(f"{path}, line {number} is not text; save the file as UTF-8")
            body = text.rstrip("\r\n")
            if len(body) > LONGEST_LINE:
                raise ValueError(f"{path}, line {number} has more than {LONGEST_LINE:,} characters")
            line = body.rstrip()
            if number == 1:
                line = line.removeprefix("\ufeff")
            notes.update(_unusual_layout(text, line))
            if line:
                is_empty = False
                yield number, line
    if is_empty:
        raise ValueError(f"{path} is empty")
    yield from repeat((number + 1, ""))


def _unusual_layout(text: str, line: str) -> list[str]:
    """Return the peculiarities of a line's layout.

    Args:
        text: The line as it is in the file, with its end.
        line: The same line without its end, without the blanks before the end, and without a
            byte-order mark.
    """
    if line and text == f"{line}\n":
        return []
    body = text.rstrip("\r\n")
    notes = []
    if text.endswith("\r\n"):
        notes.append("Windows line ends (CRLF)")
    if body == text:  # only the last line can have no end
        notes.append("no line end after the last line")
    if body != body.rstrip():
        notes.append("spaces at the end of lines")
    if not line:
        notes.append("empty lines")
    if body.startswith("\ufeff"):
        notes.append("a byte-order mark")
    return notes


def explain_unreadable(path: Path) -> str:
    """Return why a file cannot be compared, "" if it can be."""
    try:
        for _, line in _iter_lines(path, set()):
            if not line:  # the end of the file
                break
    except ValueError as error:
        return str(error)
    except OSError as error:
        return f"{path} cannot be read: {error.strerror}"
    return ""


Case = tuple[Problem, Files]  # an input, and the student's files for it

# The trials of pairs of mistakes end after so many nodes entered and left, which takes seconds.
MAX_TRIAL_STEPS = 250_000


def check(
    cases: Sequence[Case], progress: Callable[[int, int], object] = lambda done, of: None
) -> Report:
    """Compare a student's files with ours, and try the known mistakes if the files are wrong.

    Args:
        cases: The inputs, with the student's files for each.
        progress: Called with the number of pairs of mistakes that have been tried, and the number
            of all pairs. It is not called if a single mistake explains the files.

    Raises:
        ValueError: A file is not text, an input has no file, task 1 has a log, or lines of play are
            too long for `Program.run`.
    """
    for problem, files in cases:
        if problem.task == homework.GREEDY and files.log is not None:
            raise ValueError(f"task 1 asks for no log; check {NEXT_STATE} only, not {files.log}")
        if files == Files():
            raise ValueError(f"nothing to check; give {NEXT_STATE}, {LOG} or both")
    notes = set[str]()
    differences = [tuple(_compare_files(problem, files, notes)) for problem, files in cases]
    wrong, spelling_only, truncated = list[int](), list[int](), list[int]()
    for index, case_differences in enumerate(differences):
        if not case_differences:
            continue
        if all(difference.spelling for difference in case_differences):
            spelling_only.append(index)
            continue
        wrong.append(index)
        if all(difference.truncated or difference.spelling for difference in case_differences):
            truncated.append(index)
    case = [*wrong, *spelling_only, 0][0]  # the case whose differences are reported
    explanations = tuple[tuple[KnownMistake, ...], ...]()
    all_pairs_tried = True
    if wrong:
        others = [index for index in range(len(cases)) if index not in wrong]
        # Wrong cases come first, as they end most trials early.
        ordered_cases = [cases[index] for index in (*wrong, *others)]
        explanations, all_pairs_tried = _find_mistakes(ordered_cases, progress)
    return Report(
        case,
        differences[case],
        tuple(wrong),
        tuple(spelling_only),
        tuple(truncated),
        explanations,
        all_pairs_tried,
        tuple(sorted(notes)),
    )


class LinesOfFiles(NamedTuple):
    """The lines of a student's `Files`."""

    board: Lines | None
    log: Lines | None


def _read_files(files: Files, notes: set[str]) -> LinesOfFiles:
    """Return the lines of files, to whose notes those on their peculiarities are added."""
    return LinesOfFiles(*(None if path is None else Lines(path, notes) for path in files))


def _run(
    problem: Problem, defects: Defects, files: LinesOfFiles, notes: set[str]
) -> tuple[Program, list[Reader]]:
    """Run a program and compare its lines with a student's log and board, until a line differs.

    Returns:
        The program, and the readers of the files that are compared, the log's first.
    """
    stones = count_stones(problem)
    log = None if files.log is None else Reader(files.log, notes, stones)
    board = None if files.board is None else Reader(files.board, notes, stones)
    program = Program(problem, defects, log)
    with suppress(Stopped):
        after = program.run()
        if log is not None:
            log("")  # compares the ends of both logs
        if board is not None:
            board.compare_board(after)
    return program, [reader for reader in (log, board) if reader is not None]


@lru_cache(1 << 10)
def _run_right(problem: Problem) -> tuple[Program, str]:
    """Return our program, which has run without a log, and the text of the next state."""
    program = Program(problem)
    return program, program.run()


def _compare_files(problem: Problem, files: Files, notes: set[str]) -> list[Difference]:
    """Return the differences of the log, then those of the board.

    For each file, these are the first difference in spelling, if any, and then the first one in
    meaning, if any.
    """
    # A run ends at the first difference of either file, so that each file needs a run of its own.
    differences = []
    if files.log is not None:
        log = _read_files(Files(log=files.log), notes)
        program, [reader] = _run(problem, homework.RIGHT, log, notes)
        differences += reader.spelling_differences(LOG)
        if reader.differs:
            differences.append(_describe_difference(LOG, reader, program))
    if files.board is not None:
        reader = Reader(Lines(files.board, notes), notes, count_stones(problem))
        program, after = _run_right(problem)
        with suppress(Stopped):
            reader.compare_board(after)
        differences += reader.spelling_differences(NEXT_STATE)
        if reader.differs:
            differences.append(_describe_difference(NEXT_STATE, reader, program))
    return differences


def _describe_difference(file: str, theirs: Reader, program: Program) -> Difference:
    """Describe the difference at which the reader of the student's file stopped a program."""
    lines = (file, theirs.number, theirs.line, theirs.ours)  # the first fields of a `Difference`
    progress = ""
    if theirs.truncated:
        end = f"after line {theirs.number - 1}"
        if theirs.line:
            end = f"within line {theirs.number}"
        progress = f"Your file stops {end}; everything up to there is right. "
    if file == NEXT_STATE:
        # The lines of the next state are those of the input file from the fourth on.
        parts = [*homework.LINES[3:], "the end of the file"]
        turn = "The game is over: there is no move."
        if program.turn:
            turn = f"Our turn is {', '.join(program.turn)}."
        why = f"{progress}This is {parts[theirs.matching]}. {turn}"
        return Difference(*lines, why, truncated=theirs.truncated)
    if not theirs.ours:
        slip = f"line {theirs.number} is one too many"
        return Difference(*lines, f"The search is over: {slip}.", slip=slip)
    if not program.path:  # no node has been entered yet
        task = program.problem.task
        return Difference(
            *lines, f"The first line must name the columns of the log of task {task}."
        )
    slip_sentence, slip = "", ""
    if not theirs.truncated:
        slip_sentence, slip = _missing_or_extra(theirs, program.problem)
    columns = _describe_columns(
        theirs.line, theirs.ours, program.action, count_stones(program.problem)
    )
    step = program.steps
    if program.action in ("leaf", "over", "cut"):
        step += 1  # the program writes such a line just before it leaves the node
    return Difference(
        *lines,
        f"{progress}{slip_sentence}{describe_action(program)}{columns}",
        describe_place(program.path),
        homework.board_lines(program.game, program.path[-1].state),
        step,
        truncated=theirs.truncated,
        slip=slip,
    )


def _missing_or_extra(theirs: Reader, problem: Problem) -> tuple[str, str]:
    """Find out whether a single line of a log is missing or too many.

    That is so if the student's log has, one line earlier or later, the line of ours that follows.

    Returns:
        A sentence on where the lines are the same again, and the `slip` of a `Difference`; two
        empty texts if the log differs in another way.
    """
    number = theirs.matching + 1  # the number of our line that differs
    ours = list[str]()  # our lines up to and including the next one, `number + 1`

    def write(line: str, optional: bool) -> None:
        if not optional:
            ours.append(line)
        if len(ours) == number + 1:
            raise Stopped

    with suppress(Stopped):
        Program(problem, write=write).run()
    stones = count_stones(problem)
    our_meaning = tokenize_line(theirs.ours, stones)
    next_meaning = tokenize_line(ours[-1], stones)
    if tokenize_line(theirs.line, stones) == next_meaning and next_meaning != our_meaning:
        slip = f"our line {number} is missing"
        return f"Your line {theirs.number} is our line {number + 1}: {slip}. ", slip
    following_number, following = next(theirs.lines)
    if tokenize_line(following, stones) == our_meaning:
        slip = f"line {theirs.number} is one too many"
        return f"Your line {following_number} is our line {number}: {slip}. ", slip
    return "", ""


class Trial(NamedTuple):
    """The result of trying known mistakes: our program with them, compared with a student's files.

    Attributes:
        writes_same: Whether the program writes the same files as the student's.
        lines: The number of lines, in all files together, that match before one differs.
        steps: The number of nodes entered and left.
    """

    writes_same: bool
    lines: int
    steps: int


def _find_mistakes(
    cases: Sequence[Case], progress: Callable[[int, int], object]
) -> tuple[tuple[tuple[KnownMistake, ...], ...], bool]:
    """Find the single mistakes that explain all files; if none does, find pairs that do.

    The mistake of a pair that matches more lines when tried alone is the one to fix first.

    Args:
        cases: The inputs, with the student's files for each.
        progress: Called with the number of pairs that have been tried, and the number of all.

    Returns:
        The fields `explanations` and `all_pairs_tried` of a `Report`.
    """
    # The task of a mistake is "" if the files of every task can show it.
    tasks = {"", *(str(problem.task) for problem, _ in cases)}
    # The notes go into a set that is dropped: `check` has those of `_compare_files`.
    read_cases = [(problem, _read_files(files, set())) for problem, files in cases]
    trials = {
        mistake: _try_mistakes(mistake.defects, read_cases)
        for mistake in homework.KNOWN_MISTAKES
        if mistake.task in tasks
    }
    singles = [(mistake,) for mistake, trial in trials.items() if trial.writes_same]
    if singles:
        return tuple(singles), True
    lines = {mistake: trial.lines for mistake, trial in trials.items()}
    # Pairs with a mistake of another task are left out.
    pairs = [
        (both, defects)
        for both, defects in homework.pairs_of_mistakes()
        if all(mistake in trials for mistake in both)
    ]
    # The pairs whose mistakes match the most lines when tried alone come first.
    pairs.sort(key=lambda pair: -sum(lines[mistake] for mistake in pair[0]))
    explanations = list[tuple[KnownMistake, ...]]()
    steps = 0
    for index, (both, defects) in enumerate(pairs):
        if steps > MAX_TRIAL_STEPS:
            return tuple(explanations), False
        progress(index, len(pairs))
        trial = _try_mistakes(defects, read_cases)
        steps += trial.steps
        if trial.writes_same:
            explanations.append(tuple(sorted(both, key=lambda mistake: -lines[mistake])))
    return tuple(explanations), True


def _try_mistakes(defects: Defects, cases: Sequence[tuple[Problem, LinesOfFiles]]) -> Trial:
    """Run a program with these defects on each case, until a student's file differs."""
    lines, steps = 0, 0
    for problem, files in cases:
        try:
            program, readers = _run(problem, defects, files, set())
        except ValueError:  # the program's lines of play are too long to be followed
            return Trial(False, lines, steps)
        steps += program.steps
        lines += sum(reader.matching for reader in readers)
        if any(reader.differs for reader in readers):
            return Trial(False, lines, steps)
    return Trial(True, lines, steps)


# --- make inputs

CANDIDATE_COUNT = 150  # the number of random inputs from which inputs are chosen
LOG_LENGTHS = range(5, 61)  # lines: a log should show something, and be short enough to follow

Names = tuple[str, ...]  # the names of a program's mistakes; () for the right program


class InputSet(NamedTuple):
    """Inputs, and the programs that they do not tell apart.

    Attributes:
        texts: The input files.
        alike: Groups of programs with at most one mistake. The programs of a group write the same
            files for all of the inputs.
        alike_by_two: The same kind of groups, of programs with at most two mistakes.
    """

    texts: list[str]
    alike: list[list[Names]]
    alike_by_two: list[list[Names]]


def make_inputs(
    number: int, seed: int, progress: Callable[[int], object] = lambda chosen: None
) -> InputSet:
    """Make inputs that tell the known mistakes apart.

    The candidates are small random inputs, which are chosen one by one. The best candidate leaves
    the fewest pairs of programs that write the same files. At first, only programs with at most one
    mistake are compared. When no candidate tells more of them apart, programs with two mistakes are
    added. At last, random inputs fill up the number.

    Args:
        number: The number of inputs to make.
        seed: The seed of the random inputs.
        progress: Called with the number of inputs that are chosen.

    Returns:
        The inputs in the order of choosing, and the programs that they do not tell apart.
    """
    alone: dict[Names, Defects] = {(): homework.RIGHT}  # programs with at most one mistake
    alone |= {(mistake.name,): mistake.defects for mistake in homework.KNOWN_MISTAKES}
    by_two = dict(alone)  # programs with at most two mistakes
    for (one, other), defects in homework.pairs_of_mistakes():
        by_two[one.name, other.name] = defects
    candidates = list(islice(_random_inputs(seed), CANDIDATE_COUNT))
    chosen = list[str]()
    for programs in (alone, by_two):
        # In the second turn, the inputs chosen in the first turn already split the programs.
        groups = _split_groups([list(programs)], programs, chosen)
        while groups and len(chosen) < number:
            # Of equally good candidates `min` takes the first.
            best = min(
                candidates,
                key=lambda text: _count_confusable_pairs(_split_groups(groups, programs, [text])),
            )
            after = _split_groups(groups, programs, [best])
            if _count_confusable_pairs(after) == _count_confusable_pairs(groups):
                break  # no candidate tells any more programs apart
            chosen.append(best)
            groups = after
            progress(len(chosen))
    # `_random_inputs` yields the candidates again, and then new inputs.
    others = (text for text in _random_inputs(seed) if text not in chosen)
    chosen += islice(others, number - len(chosen))
    return InputSet(
        chosen,
        _split_groups([list(alone)], alone, chosen),
        _split_groups([list(by_two)], by_two, chosen),
    )


def _random_inputs(seed: int) -> Iterable[str]:
    """Yield different small inputs without end, for tasks 2 and 3 in turn."""
    seen = set[str]()
    for index in count():
        rng = Random(f"{seed} {index}")
        pits = rng.randint(3, 4)
        lap = 2 * pits + 1  # the stones that reach the pit they were sown from
        stones = (0, 0, 1, 2, 3, 4, 5, lap)
        row_a = [rng.choice(stones) for _ in range(pits)]
        row_b = [rng.choice(stones) for _ in range(pits)]
        task = homework.MINIMAX if index % 2 == 0 else homework.ALPHA_BETA
        # The lines of an input file: task, player, cutoff, both rows, and two empty stores.
        lines = [[task], [rng.randint(1, 2)], [rng.randint(1, 3)], row_a, row_b, [0], [0]]
        text = "".join(" ".join(map(str, line)) + "\n" for line in lines)
        _, log = homework.render_files(homework.read_problem(text))
        length = log.count("\n")
        if text not in seen and length in LOG_LENGTHS:
            seen.add(text)
            yield text


def _split_groups(
    groups: Sequence[Sequence[Names]], programs: dict[Names, Defects], texts: Sequence[str]
) -> list[list[Names]]:
    """Split groups of programs by the files that they write for these inputs.

    Returns:
        The groups whose programs write the same files, without groups of a single program.
    """
    for problem in map(homework.read_problem, texts):
        parts = list[list[Names]]()
        for group in groups:
            by_files = defaultdict[tuple[str, str], list[Names]](list)
            for names in group:
                by_files[homework.render_files(problem, programs[names])].append(names)
            parts += by_files.values()
        groups = [part for part in parts if len(part) > 1]
    return [list(group) for group in groups]


def _count_confusable_pairs(groups: Sequence[Sequence[Names]]) -> int:
    """Return the number of ordered pairs of programs that are in the same group."""
    return sum(len(group) * (len(group) - 1) for group in groups)
