"""The homework's grader: where a student's files differ from ours, and which defects explain it;
and inputs for the homework that tell the known mistakes apart.

A cause is found by trying it: a program with that one defect, or with two, writes the same files.
Lines are compared by what they mean, as the programs run: each ends at its first difference.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import count, islice, repeat
from math import copysign
from pathlib import Path
from random import Random
from typing import NamedTuple

from kalahlab.formatting import StableRepr
from kalahlab.outside import UTF_16
from kalahlab.published import homework
from kalahlab.published.homework import Cause, Defects, Open, Problem, Program, spelled
from kalahlab.search.model import INF
from kalahlab.search.observer import Stopped
from kalahlab.trace.explain import HOLD, SO, WHY, capital

NEXT_STATE, LOG = "next_state.txt", "traverse_log.txt"


def place(path: Sequence[Open]) -> str:
    moves = ", ".join(node.name for node in path[1:])
    return f"after {moves}" if moves else "at the root"


def reason(program: Program) -> str:
    """What a program does as it writes a line."""
    node, child, doing = program.path[-1], program.child, program.doing
    words = homework.TEXTS["MAX" if node.maximizing else "MIN"]
    bound = getattr(node, words["limit"])
    said = homework.TEXTS["takes" if child else doing]
    if child and program.windows:
        no_cut = "open" if abs(bound) == INF else "within"
        said += homework.TEXTS["cut" if doing == "cut" else no_cut]
    return str(said).format(
        **words,
        player=node.state.player + 1,
        again=" has an extra turn and" if node.extra else "",
        value=spelled(node.best),
        untried=_untried(program),
        cutoff=program.cutoff,
        child=child and child.name,
        led=child and spelled(child.best),
        bound=spelled(bound),
        ends="a cut" if node.untried else "no move is left here that could be cut",
        why=_cut(program, bound) if doing == "cut" else "",
    )


def _cut(program: Program, bound: float) -> str:
    """As `Trace.why` explains it."""
    path, node = program.path, program.path[-1]
    at, owner = next(
        (at, above)
        for at, above in enumerate(path)
        if above.maximizing != node.maximizing and above.best == bound
    )
    assert program.child is not None
    rest, (who, other) = _untried(program), ("MAX", "MIN")[:: 1 if node.maximizing else -1]
    return (WHY if rest else WHY.replace(SO, ".")).format(
        Where=capital(place(path)),
        player=who,
        hold=HOLD[who],
        value=spelled(node.best),
        by=program.child.name,
        owner=other,
        bound=spelled(bound),
        holds=program.game.move_name(owner.state, owner.line[0]),
        place=place(path[: at + 1]),
        untried=rest,
    )


def _untried(program: Program) -> str:
    node = program.path[-1]
    return ", ".join(program.game.move_name(node.state, move) for move in node.untried)


def _columns(yours: str, ours: str, doing: str, stones: int) -> str:
    """Which columns differ, if the lines are of one node."""
    one, two = meaning(yours, stones), meaning(ours, stones)
    if len(one) != len(two) or one[:1] != two[:1]:
        return ""
    names = ("name", "depth", "value", "alpha", "beta")
    differ = [name for name, a, b in zip(names, one, two, strict=False) if a != b]
    said = f" What differs: {' and '.join(differ)}."
    if "depth" in differ:
        said += " The depth counts turns: moves of one turn have the same depth."
    if {"alpha", "beta"} & {*differ} and doing == "takes":
        said += " MAX raises alpha to its value, MIN lowers beta to its value."
    elif {"alpha", "beta"} & {*differ} and doing != "cut":
        said += " A node starts with alpha and beta of the node above it."
    return said


WORD = re.compile(r"[^\s,;()\[\]]+")
VALUES = 2  # the column of a log from which on there are values, which may be infinite
TINY = 1e-30  # the smallest positive numbers of Java and C are taken for the least there are


def meaning(line: str, stones: int) -> tuple[str | float, ...]:
    """Return the words of a line, numbers as numbers; see `word_meaning`."""
    words = enumerate(WORD.findall(line))
    return tuple(word_meaning(word, column, stones) for column, word in words)


def word_meaning(word: str, column: int, stones: int) -> str | float:
    """Return a word of a line without what does not matter, a number as a number.

    A value beyond the number of stones on the board is infinite: a program that has no infinity
    uses such a number instead. So is Java's `Double.MIN_VALUE`, for minus infinity.
    """
    word = word.casefold().replace("\N{MINUS SIGN}", "-").replace("\N{INFINITY}", "inf")
    try:
        number = float(word.removeprefix("+/-").replace("1.#inf", "inf"))
    except ValueError:
        return word
    if column < VALUES:
        return number
    if 0 < abs(number) < TINY:
        return copysign(INF, -number)
    return copysign(INF, number) if abs(number) > stones else number


def stones_of(problem: Problem) -> int:
    return sum(problem.state.board)


class Files(NamedTuple):
    board: Path | None = None
    log: Path | None = None


class Difference(NamedTuple):
    """The first line of a file that differs, from 1. yours, ours: '' where one file has ended. why:
    what our program does there. place, board: of the node that our line is about. step: how many
    nodes are entered or left until then, that of a leaf or a cut included. spelling: the lines mean
    the same. ended: the student's file stops in this line or before it. slip: which line is missing
    or one too many, if the rest is right for a line."""

    file: str
    line: int
    yours: str
    ours: str
    why: str
    place: str = ""
    board: str = ""
    step: int = 0
    spelling: bool = False
    ended: bool = False
    slip: str = ""


class Report(NamedTuple):
    """What is wrong with a student's files, and why.

    case: the number of the input, from 0, that the differences are of. wrong: the inputs whose
    files differ by more than their spelling. spelled: those that differ by it alone. ended: those
    whose files are right as far as they go. explained: each of these explains all files: one
    mistake, or if none does, two in the order in which to mend them. all_tried: whether all pairs
    of mistakes were tried. notes: what is tolerated.
    """

    case: int
    differences: tuple[Difference, ...]
    wrong: tuple[int, ...]
    spelled: tuple[int, ...]
    ended: tuple[int, ...]
    explained: tuple[tuple[Cause, ...], ...]
    all_tried: bool
    notes: tuple[str, ...]

    @property
    def mend(self) -> list[list[Cause]]:
        """What to mend first and then, each time one of these; nothing if that is unknown."""
        return [list(dict.fromkeys(each)) for each in zip(*self.explained, strict=True)]


class Reader(StableRepr):
    """Compares a student's file with our lines, one by one; `Stopped` if they differ. Line ends,
    blanks at the end of a line and empty lines mean nothing, and are noted.

    number, line: the student's next, '' at the end. read: how many of ours are the same. ended:
    whether the file stops where it differs. spelled: the first line in another spelling.
    """

    def __init__(self, path: Path, notes: set[str], stones: int) -> None:
        self._notes, self.ours, self.read, self.differs = notes, "", 0, False
        self._stones = stones
        self.spelled: tuple[int, str, str] | None = None
        self._spellings: dict[str, str] = {}
        self.lines = _lines_of(path, notes)
        self.number, self.line = next(self.lines)

    def __call__(self, ours: str, optional: bool = False) -> None:
        if optional:
            words = [*meaning(re.sub(r"(?i)\s*optional$", "", self.line), self._stones)]
            words[2:3] = [INF if word == -INF else word for word in words[2:3]]  # any sign
            if tuple(words) != meaning(ours, self._stones):
                return
            self._notes.add("lines of finished games that the grading marks as optional")
        else:
            self.ours = ours
            if not self.read and self.line.lower().startswith("root"):
                self.spelled = self.number, self.line, ours
                self._spellings["header"] = "the first line, which names the columns, is missing"
                self.read = 1
                return
            if self.line != ours:
                ours_means = meaning(ours, self._stones)
                self.differs = not ours or meaning(self.line, self._stones) != ours_means
                if self.differs:
                    begins = ours.casefold().startswith(self.line.casefold())
                    self.ended = begins and not next(self.lines)[1]
                    raise Stopped
                self._respelled(ours)
            self.read += 1
        self.number, self.line = next(self.lines)

    def _respelled(self, ours: str) -> None:
        self.spelled = self.spelled or (self.number, self.line, ours)
        for theirs, word in zip(WORD.findall(self.line), WORD.findall(ours), strict=True):
            if theirs != word:
                letters = theirs.lower() == word.lower()
                kind = "letters" if letters else "infinity" if "Inf" in word else "number"
                self._spellings.setdefault(kind, f"{theirs:.20} for {word}")
        if WORD.sub("", self.line) != WORD.sub("", ours):
            self._spellings["between"] = "blanks, commas or brackets"

    def spelling(self, file: str) -> Iterator[Difference]:
        if self.spelled is not None:
            kinds = ", ".join(self._spellings.values())
            why = f"Here the values are right, the spelling differs: {kinds}."
            yield Difference(file, *self.spelled, why, spelling=True)


LONGEST_FILE, LONGEST_LINE = 20_000_000, 1000  # bytes, and characters


def _lines_of(path: Path, notes: set[str]) -> Iterator[tuple[int, str]]:
    """The lines that say something, by number, then `""` for ever; `ValueError` without any."""
    if (size := path.stat().st_size) > LONGEST_FILE:
        raise ValueError(f"{path} has {size:,} bytes; at most {LONGEST_FILE:,} are read")
    number, some = 0, False
    with path.open("rb") as file:
        encoding = "utf-16" if file.read(2) in UTF_16 else "utf-8"
    if encoding == "utf-16":
        notes.add("UTF-16 in place of UTF-8")
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        for number, text in enumerate(iter(lambda: file.readline(LONGEST_LINE + 2), ""), start=1):
            if "\0" in text or (number == 1 and text.startswith("\ufffd")):
                raise ValueError(f"{path}, line {number} is not text; save the file as UTF-8")
            body = text.rstrip("\r\n")
            if len(body) > LONGEST_LINE:
                raise ValueError(f"{path}, line {number} has more than {LONGEST_LINE:,} characters")
            line = body.rstrip().removeprefix("\ufeff" if number == 1 else "")
            if not line or text != f"{line}\n":
                found = {
                    "line ends of Windows (CRLF)": text.endswith("\r\n"),
                    "no line end after the last line": body == text,
                    "blanks at the end of lines": body != body.rstrip(),
                    "empty lines": not line,
                    "a byte-order mark": body.startswith("\ufeff"),
                }
                notes.update(note for note, there in found.items() if there)
            if line:
                some = True
                yield number, line
    if not some:
        raise ValueError(f"{path} is empty")
    yield from repeat((number + 1, ""))


def unreadable(path: Path) -> str:
    """Return why a file cannot be compared, "" if it can."""
    try:
        any(not line for _, line in _lines_of(path, set()))  # to the end
    except ValueError as error:
        return str(error)
    except OSError as error:
        return f"{path} cannot be read: {error.strerror}"
    return ""


Checked = tuple[Problem, Files]  # an input, and the student's files for it

PATIENCE = 250_000  # nodes entered and left while two mistakes at once are tried: a few seconds


def check(
    cases: Sequence[Checked], tried: Callable[[int, int], object] = lambda done, of: None
) -> Report:
    """Compare a student's files with ours, and try the known mistakes if what they mean differs.

    tried: called with how many programs have been tried, of how many. `ValueError` for a
    file that is not text, and as `Program.run`.
    """
    for problem, files in cases:
        if problem.task == homework.GREEDY and files.log is not None:
            raise ValueError(f"task 1 asks for no log; check {NEXT_STATE} only, not {files.log}")
        if files == Files():
            raise ValueError(f"nothing to check; give {NEXT_STATE}, {LOG} or both")
    notes = set[str]()
    found = [tuple(_differences(*case, notes)) for case in cases]
    differ = [at for at, each in enumerate(found) if each]
    spelled = tuple(at for at in differ if all(each.spelling for each in found[at]))
    wrong = tuple(at for at in differ if at not in spelled)
    ended = tuple(at for at in wrong if all(e.ended or e.spelling for e in found[at]))
    case = next(iter((*wrong, *spelled)), 0)
    ordered = sorted(range(len(cases)), key=lambda at: at not in wrong)
    causes = _causes([cases[at] for at in ordered], tried) if wrong else ((), True)
    return Report(case, found[case], wrong, spelled, ended, *causes, tuple(sorted(notes)))


def _run(
    problem: Problem, defects: Defects, files: Files, notes: set[str]
) -> tuple[Program, list[Reader]]:
    """A program run beside a student's log and board, until one differs; what reads the files."""
    stones = stones_of(problem)
    log, board = (
        Reader(path, notes, stones) if path else None for path in (files.log, files.board)
    )
    program = Program(problem, defects, log)
    with suppress(Stopped):
        after = program.run()
        if log:
            log("")
        if board:
            for line in (*after.splitlines(), ""):
                board(line)
    return program, [each for each in (log, board) if each]


def _differences(problem: Problem, files: Files, notes: set[str]) -> Iterator[Difference]:
    for file, part in ((LOG, Files(log=files.log)), (NEXT_STATE, Files(files.board))):
        if part != Files():
            program, [theirs] = _run(problem, homework.RIGHT, part, notes)
            yield from theirs.spelling(file)
            if theirs.differs:
                yield _difference(file, theirs, program)


def _difference(file: str, theirs: Reader, program: Program) -> Difference:
    """The line at which a program was stopped."""
    lines = (file, theirs.number, theirs.line, theirs.ours)
    after = f"within line {theirs.number}" if theirs.line else f"after line {theirs.number - 1}"
    ended = f"Your file stops {after}; all that is there is right. " * theirs.ended
    if file == NEXT_STATE:
        what = (*homework.LINES[3:], "the end of the file")[theirs.read]
        turn = f"Our turn is {', '.join(program.turn)}."
        ours = turn if program.turn else "The game is over: there is no move."
        return Difference(*lines, f"{ended}This is {what}. {ours}", ended=theirs.ended)
    if not theirs.ours:
        slip = f"line {theirs.number} is one too many"
        return Difference(*lines, f"The search is over: {slip}.", slip=slip)
    if not program.path:
        task = program.problem.task
        return Difference(*lines, f"The first line names the columns of the log of task {task}.")
    goes_on, slip = ("", "") if theirs.ended else _missing_or_extra(theirs, program.problem)
    columns = _columns(theirs.line, theirs.ours, program.doing, stones_of(program.problem))
    why = f"{ended}{goes_on}{reason(program)}{columns}"
    step = program.steps + (program.doing in ("leaf", "over", "cut"))
    board = homework.board_lines(program.game, program.path[-1].state)
    at = place(program.path)
    return Difference(*lines, why, at, board, step, ended=theirs.ended, slip=slip)


def _missing_or_extra(theirs: Reader, problem: Problem) -> tuple[str, str]:
    """How a log goes on as ours, once a line is added or left out where it differs, and which."""
    ours, at = list[str](), theirs.read + 1

    def write(line: str, optional: bool) -> None:
        ours.extend([line] * (not optional))
        if len(ours) > at:
            raise Stopped

    with suppress(Stopped):
        Program(problem, write=write).run()
    stones = stones_of(problem)
    right = meaning(theirs.ours, stones)
    if meaning(theirs.line, stones) == meaning(ours[-1], stones) != right:
        slip = f"our line {at} is missing"
        return f"Your line {theirs.number} is our line {at + 1}: {slip}. ", slip
    number, line = next(theirs.lines)
    if meaning(line, stones) == right:
        slip = f"line {theirs.number} is one too many"
        return f"Your line {number} is our line {at}: {slip}. ", slip
    return "", ""


def _causes(
    cases: Sequence[Checked], progress: Callable[[int, int], object]
) -> tuple[tuple[tuple[Cause, ...], ...], bool]:
    """The fields explained and all_tried of a `Report`. Of two mistakes, that one is to be mended
    first which alone leads further."""
    tasks = {"", *(str(problem.task) for problem, _ in cases)}
    alone = {cause: _try(cause.defects, cases) for cause in homework.CAUSES if cause.task in tasks}
    if found := [(cause,) for cause, (right, _, _) in alone.items() if right]:
        return tuple(found), True
    lines = {cause: read for cause, (_, read, _) in alone.items()}
    pairs = [pair for pair in homework.pairs_of_causes() if lines.keys() >= {*pair[0]}]
    pairs.sort(key=lambda pair: -sum(lines[cause] for cause in pair[0]))
    two, steps = list[tuple[Cause, ...]](), 0
    for at, (both, defects) in enumerate(pairs):
        if steps > PATIENCE:
            return tuple(two), False
        progress(at, len(pairs))
        right, _, taken = _try(defects, cases)
        steps += taken
        if right:
            two.append(tuple(sorted(both, key=lambda cause: -lines[cause])))
    return tuple(two), True


def _try(defects: Defects, cases: Sequence[Checked]) -> tuple[bool, int, int]:
    """Whether a program with these defects writes a student's files; how many lines are right
    before one differs; how many nodes are entered and left."""
    lines, steps = 0, 0
    for problem, files in cases:
        try:
            program, readers = _run(problem, defects, files, set())
        except ValueError:  # its lines of play are too long to be followed
            return False, lines, steps
        steps += program.steps
        lines += sum(each.read for each in readers)
        if any(each.differs for each in readers):
            return False, lines, steps
    return True, lines, steps


TRIED = 150  # how many random inputs each choice is made from
LONGEST = 60  # the most lines of a log, so that it can be followed by hand

Names = tuple[str, ...]  # of a program's mistakes; () for the right one


def make_inputs(
    number: int, seed: int, progress: Callable[[int], object] = lambda chosen: None
) -> tuple[list[str], list[list[Names]], list[list[Names]]]:
    """Inputs that tell the known mistakes apart; the groups of programs with at most one mistake
    that write the same files for all of these; those with at most two. progress: called with how
    many are chosen.

    Each is chosen from random small ones: the one after which the fewest programs are left that
    write the same files as another. Programs with one mistake come first, then those with two.
    """
    alone: dict[Names, Defects] = {(): homework.RIGHT}
    alone |= {(cause.name,): cause.defects for cause in homework.CAUSES}
    by_two: dict[Names, Defects] = alone | {
        (a.name, b.name): both for (a, b), both in homework.pairs_of_causes()
    }
    tried = list(islice(_random_inputs(seed), TRIED))
    chosen = list[str]()
    for programs in (alone, by_two):
        groups = _apart([list(programs)], programs, chosen)
        while groups and len(chosen) < number:
            best = min(tried, key=lambda text: _left(_apart(groups, programs, [text])))
            after = _apart(groups, programs, [best])
            if _left(after) == _left(groups):
                break
            chosen, groups = [*chosen, best], after
            progress(len(chosen))
    others = (text for text in _random_inputs(seed) if text not in chosen)
    chosen += islice(others, number - len(chosen))
    alike, alike_by_two = (_apart([list(each)], each, chosen) for each in (alone, by_two))
    return chosen, alike, alike_by_two


def _random_inputs(seed: int) -> Iterable[str]:
    """Different small inputs without end, by turns for tasks 2 and 3."""
    seen = set[str]()
    for at in count():
        chance = Random(f"{seed} {at}")
        pits = chance.randint(3, 4)
        held = (0, 0, 1, 2, 3, 4, 5, 2 * pits + 1)  # often nothing, or a lap of stones
        rows = [[chance.choice(held) for _ in range(pits)] for _ in "AB"]
        task = (homework.MINIMAX, homework.ALPHA_BETA)[at % 2]
        head = (task, chance.randint(1, 2), chance.randint(1, 3))
        lines = [*([number] for number in head), *rows, [0], [0]]
        text = "".join(" ".join(map(str, line)) + "\n" for line in lines)
        length = homework.written(homework.read_problem(text))[1].count("\n")
        if text not in seen and 4 < length <= LONGEST:
            seen.add(text)
            yield text


def _apart(
    groups: Sequence[Sequence[Names]], programs: dict[Names, Defects], texts: Sequence[str]
) -> list[list[Names]]:
    """The groups of programs that write the same files for these inputs, too; no group of one."""
    for problem in map(homework.read_problem, texts):
        parts = list[list[Names]]()
        for group in groups:
            files = defaultdict[tuple[str, str], list[Names]](list)
            for names in group:
                files[homework.written(problem, programs[names])].append(names)
            parts += files.values()
        groups = [part for part in parts if len(part) > 1]
    return [list(group) for group in groups]


def _left(groups: Sequence[Sequence[Names]]) -> int:
    """How many pairs of programs are in the same group."""
    return sum(len(group) * (len(group) - 1) for group in groups)
