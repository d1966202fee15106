"""Check a proof of the value of Kalah(6,6), with nothing but Python's standard library.

    python check.py kalah-6-standard.txt              # does the claim follow from the pieces?
    python check.py kalah-6-standard.txt --prove 2    # and try to prove 2 pieces, drawn by lot

The name of the file gives the pits a side and the rules. The file is a list of bounds, one a line:

    <6,0,0,9,0,0,9,9,13,10,0,9,8,2,0> >= 3 132674 8ca58817

A position with empty stores: pits a side, the two stores, the pits of the player to move, the pits
of the other player. What the player to move gets from here on, minus what the other one gets, is at
least (>=) or at most (<=) the number. Then the nodes of the search that proved the bound: this is a
piece. Or `moves`: the bound follows from those of the positions that the moves lead to. Last the
CRC-32 of all that stands before. A line with `?` proves nothing.

The check has two halves. Here the claim about the start is derived from the pieces, move by move.
That each piece is true is the other half: this file can prove a piece from the rules alone, but it
takes long. `kalahlab solve --verify FILE --all` proves all of them with compiled code.
"""

import argparse
import os
import random
import re
import sys
import time
from zlib import crc32

NAME = re.compile(r"kalah-([1-9]\d?)-(standard|empty-capture)\.txt")
WHOLE = r"(?:0|[1-9]\d{0,8})"
BOARD = rf"<({WHOLE}),0,0,({WHOLE}(?:,{WHOLE})*)>"
LINE = re.compile(BOARD + r" (>=|<=|\?) (0|-?[1-9]\d{0,8}) ([1-9]\d{0,17}|moves)")


def play(board, pit, empty_capture):
    """Sow a pit: the stones that the mover banks, the board after it, whether the mover goes on.

    A board is the pits of the player to move, then those of the other player. The board that is
    given back is seen by the player who moves there. At the end of the game the stones that are
    left count as banked, and the board is empty.
    """
    pits, store = list(board), len(board)  # the mover's store lies between the two sides
    half = store // 2
    stones, pits[pit] = pits[pit], 0
    gain, at = 0, pit
    for _ in range(stones):
        at = store if at == half - 1 else half if at == store else (at + 1) % store
        if at == store:
            gain += 1
        else:
            pits[at] += 1
    if at < half and pits[at] == 1 and (empty_capture or pits[store - 1 - at]):
        gain += 1 + pits[store - 1 - at]
        pits[at] = pits[store - 1 - at] = 0
    own, other = pits[:half], pits[half:]
    if not any(own) or not any(other):  # the game is over
        return gain + sum(own) - sum(other), (0,) * store, True
    if at == store:
        return gain, (*own, *other), True
    return gain, (*other, *own), False


def children(board, empty_capture):
    return [play(board, pit, empty_capture) for pit in range(len(board) // 2) if board[pit]]


def rules_of(path):
    """Return the pits a side and whether empty captures count, as the name of the file says."""
    if not (name := NAME.fullmatch(os.path.basename(path))):
        sys.exit(f"{path} has not the name of a ledger, such as kalah-6-standard.txt")
    return int(name[1]), name[2] == "empty-capture"


def parse(text, pits):
    """Return board, relation, margin and nodes, 0 for `moves`; `ValueError` for a bad line."""
    line, _, check = text.rstrip("\n").rpartition(" ")
    found = LINE.fullmatch(line)
    board = tuple(map(int, found[2].split(","))) if found else ()
    if not found or (int(found[1]), len(board)) != (pits, 2 * pits):
        raise ValueError(f"is no bound on a position of Kalah with {pits} pits a side")
    if check != f"{crc32(line.encode()):08x}":
        raise ValueError("is not as it was written, by its checksum")
    if not any(board[:pits]) or not any(board[pits:]):
        raise ValueError("is on a board on which the game is over")
    if abs(int(found[4])) > sum(board):
        raise ValueError("is on more stones than there are")
    return board, found[3], int(found[4]), 0 if found[5] == "moves" else int(found[5])


def read(path):
    """The bounds of a file: {board: [(relation, margin, nodes)]}, nodes 0 for `moves`."""
    bounds, (pits, _) = {}, rules_of(path)
    with open(path, encoding="ascii", errors="replace") as file:
        for number, text in enumerate(file, start=1):
            try:
                board, relation, margin, nodes = parse(text, pits)
            except ValueError as error:
                sys.exit(f"line {number} {error}: {text[:80]!r}")
            if relation != "?":
                bounds.setdefault(board, []).append((relation, margin, nodes))
    return bounds


class Checker:
    """Derives bounds from pieces, move by move."""

    def __init__(self, lines, empty_capture):
        self.lines, self.empty_capture = lines, empty_capture
        self.known = {}

    def contradiction(self):
        """Return the first board whose lines contradict each other, or those of its moves, or None.

        Children come first: a sow that banks nothing only moves stones on to the right, on the side
        of its mover.
        """

        def progress(board):
            half = len(board) // 2
            return sum(board), -sum(pit % half * stones for pit, stones in enumerate(board))

        found = {}
        for board in sorted(self.lines, key=progress):
            moves = []
            for gain, after, again in children(board, self.empty_capture):
                least, most = found.get(after, (-sum(after), sum(after)))
                moves.append((gain + least, gain + most) if again else (gain - most, gain - least))
            least, most = (max(column) for column in zip(*moves, strict=True))
            for relation, bound, _ in self.lines[board]:
                odd = (bound - sum(board)) % 2  # no value lies between
                if relation == ">=":
                    least = max(least, bound + odd)
                else:
                    most = min(most, bound - odd)
            if least > most:
                return board
            found[board] = least, most
        return None

    def at_least(self, board, margin):
        """Whether a position is worth at least `margin` to its mover; None: it does not follow."""
        total = sum(board)
        if not -total < margin <= total:
            return margin <= -total
        margin += (margin - total) % 2  # a margin is odd if the number of stones is
        if (board, margin) not in self.known:
            piece = self.piece(board, margin)
            answer = self.by_moves(board, margin) if piece is None else piece[0] == ">="
            self.known[board, margin] = answer
        return self.known[board, margin]

    def piece(self, board, margin):
        """The piece that answers by itself, None if there is none."""
        for relation, bound, nodes in self.lines.get(board, ()):
            if nodes and (bound >= margin if relation == ">=" else bound < margin):
                return relation, bound, nodes
        return None

    def questions(self, board, margin):
        """For each move the question about the position after it, and whether its no is our yes."""
        for gain, after, again in children(board, self.empty_capture):
            yield (after, margin - gain, False) if again else (after, gain - margin + 1, True)

    def by_moves(self, board, margin):
        """Yes by one move that is good enough, no by all moves that are not."""
        if all(nodes for _, _, nodes in self.lines.get(board, ())):
            return None  # no line says that its moves are enough
        answers = []
        for after, asked, turned in self.questions(board, margin):
            answer = self.at_least(after, asked)
            answers.append(answer if answer is None else answer != turned)
            if answers[-1]:
                return True
        return None if None in answers else False

    def bounds(self, board):
        """What its lines say that a position is worth to its mover, at least and at most, if that
        follows."""
        least, most = [-sum(board)], [sum(board)]
        for relation, bound, _ in self.lines.get(board, ()):
            odd = (bound - sum(board)) % 2  # no value lies between
            if relation == ">=" and self.at_least(board, bound + odd):
                least.append(bound + odd)
            if relation == "<=" and self.at_least(board, bound - odd + 1) is False:
                most.append(bound - odd)
        return max(least), min(most)

    def basis(self, board):
        """The lines that the bounds of a position rest on."""
        least, most = self.bounds(board)
        return self.rests_on(board, least) | self.rests_on(board, most + 1)

    def rests_on(self, board, margin):
        """The lines that the answer to a question, which follows, rests on; nodes 0 for `moves`."""
        lines, seen, open_questions = set(), set(), [(board, margin)]
        while open_questions:
            board, margin = open_questions.pop()
            margin += (margin - sum(board)) % 2
            if (board, margin) in seen or not -sum(board) < margin <= sum(board):
                continue
            seen.add((board, margin))
            if piece := self.piece(board, margin):
                lines.add((board, *piece))
                continue
            yes = self.at_least(board, margin)
            lines.add((board, ">=", margin, 0) if yes else (board, "<=", margin - 2, 0))
            moves = [*self.questions(board, margin)]
            good = [each for each in moves if self.at_least(*each[:2]) is (not each[2])]
            open_questions += [each[:2] for each in (good[:1] or moves)]
        return lines


def first_moves(checker, start):
    """For each pit of the start: the pit, the position after it, and the least and the most that
    sowing it is worth to who does."""
    for pit in range(len(start) // 2):
        gain, after, again = play(start, pit, checker.empty_capture)
        least, most = checker.bounds(after)
        yield pit, after, *((gain + least, gain + most) if again else (gain - most, gain - least))


class TooLong(Exception):
    """A proof takes more positions than it may."""


def proved(board, margin, empty_capture, table, limit=sys.maxsize):
    """Whether a position is worth at least `margin`, from the rules alone: a null-window search.

    table: the least and the most that each position met so far can be worth. `TooLong` if more
    than `limit` positions are needed.
    """
    total = sum(board)
    low, high = table.get(board, (-total, total))
    if not low < margin <= high:
        return margin <= low
    if len(table) >= limit:
        raise TooLong
    after = children(board, empty_capture)
    for gain, position, again in sorted(after, key=lambda move: (move[2], move[0]), reverse=True):
        if again:
            good = proved(position, margin - gain, empty_capture, table, limit)
        else:
            good = not proved(position, gain - margin + 1, empty_capture, table, limit)
        if good:
            break
    low, high = table.get(board, (-total, total))
    table[board] = (max(low, margin), high) if good else (low, min(high, margin - 1))
    return good


def prove(pieces, empty_capture, limit):
    """Try to prove pieces, and return how many are proved; a false one ends the program."""
    count = 0
    for board, relation, bound, _ in pieces:
        asked = bound if relation == ">=" else bound + 1
        print(f"{board_text(board)} {relation} {bound}:", end=" ", flush=True)
        began, table = time.perf_counter(), {}
        try:
            right = proved(board, asked, empty_capture, table, limit) == (relation == ">=")
            said = "true" if right else "FALSE"
            count += 1
        except TooLong:
            right, said = True, "not proved"
        print(f"{said}, {len(table):,} positions, {time.perf_counter() - began:.1f} s", flush=True)
        if not right:
            sys.exit("this piece is false, so the claim is not proved")
    return count


def board_text(board):
    return f"<{len(board) // 2},0,0,{','.join(map(str, board))}>"


def find_start(lines, pits, stones):
    """Return the start with as many stones a pit, or the only one that lines are about."""
    starts = sorted(board for board in lines if len(set(board)) == 1)
    if stones is None and len(starts) > 1:
        counts = ", ".join(str(board[0]) for board in starts)
        sys.exit(f"there are bounds on several starts: give --stones, one of {counts}")
    wanted = (stones,) * 2 * pits if stones or not starts else starts[0]
    if wanted not in lines:
        name = f"Kalah({pits},{stones})" if stones else f"a game with {pits} pits a side"
        sys.exit(f"the value does not follow: no line is a bound on the start of {name}")
    return wanted


def parse_arguments():
    parser = argparse.ArgumentParser(description="Check a proof of the value of Kalah(6,6).")
    parser.add_argument("file", help="kalah-6-standard.txt or kalah-6-empty-capture.txt")
    parser.add_argument(
        "--stones", type=int, help="stones a pit at the start; default the only one"
    )
    parser.add_argument("--prove", type=int, default=0, help="pieces to prove, drawn by lot")
    parser.add_argument("--seed", type=int, help="of the lot; default another one each time")
    parser.add_argument(
        "--positions", type=int, default=1_000_000, help="to give a piece up after; default 1000000"
    )
    given = parser.parse_args()
    if not os.path.isfile(given.file):
        parser.error(f"there is no file {given.file!r}")
    for name, least in (("prove", 0), ("positions", 1), ("stones", 1)):
        if (value := getattr(given, name)) is not None and value < least:
            parser.error(f"--{name} is {value}; use {least} or more")
    return given


def main():
    given = parse_arguments()
    sys.setrecursionlimit(10_000)
    pits, empty_capture = rules_of(given.file)
    checker = Checker(read(given.file), empty_capture)
    if board := checker.contradiction():
        sys.exit(f"its lines contradict each other: see {board_text(board)} and what follows it")
    start = find_start(checker.lines, pits, given.stones)
    least, most = checker.bounds(start)
    if least != most:
        sys.exit(f"the value does not follow: at least {least:+d} and at most {most:+d}")
    name = f"Kalah({pits},{start[0]})"
    needed = {line for line in checker.basis(start) if line[3]}
    print(f"{name} is worth {least:+d} to the first player if {len(needed):,} pieces are true")
    for pit, after, low, high in first_moves(checker, start):
        pieces = {line for line in checker.basis(after) if line[3]}
        print(f"sowing pit {pit + 1} first is worth {low:+d} to {high:+d} if {len(pieces):,} are")
        needed |= pieces
    seed = random.SystemRandom().randrange(10**6) if given.seed is None else given.seed
    drawn = random.Random(seed).sample(sorted(needed), min(given.prove, len(needed)))
    if drawn:
        print(f"{len(drawn):,} pieces drawn by lot, --seed {seed}:")
    count = prove(drawn, empty_capture, given.positions)
    every = {(board, *line) for board, lines in checker.lines.items() for line in lines if line[2]}
    print(
        f"{count:,} of {len(needed):,} pieces are proved here, {len(needed) - count:,} are not;",
        end=" ",
    )
    print(f"{len(every - needed):,} others are not needed, and not checked")
    if count < len(needed):
        print(f"kalahlab solve --verify {given.file} --all proves all that are needed")
    else:
        print(f"all that it needs is proved: {name} is worth {least:+d} to the first player")


if __name__ == "__main__":
    main()
