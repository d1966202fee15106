"""Check a proof of the value of Kalah(6,6), with nothing but Python's standard library.

    python check.py kalah-6-standard.txt              # does the claim follow from the pieces?
    python check.py kalah-6-standard.txt --prove 2    # and prove 2 of the pieces, small ones first

The file is a list of bounds, one a line:

    <6,0,0,9,0,0,9,9,13,10,0,9,8,2,0> >= 3 132674 8ca58817

A position with empty stores: pits a side, the two stores, the pits of the player to move, the pits
of the other player. What the player to move gets from here on, minus what the other one gets, is at
least (>=) or at most (<=) the number. Then the nodes of the search that proved the bound: this is a
piece. Or `moves`: the bound follows from those of the positions that the moves lead to. Last the
CRC-32 of all that stands before. A line with `?` proves nothing.

The check has two halves. Here the claim about the start is derived from the pieces, move by move.
That each piece is true is the other half: this file can prove a piece from the rules alone, but it
takes long. `kalahlab solve --verify --all` proves all of them with compiled code.
"""

import argparse
import os
import re
import sys
import time
from zlib import crc32

ONLY = "Kalah(6,6), whose ledgers are the only ones that this program checks"
LINE = re.compile(r"<6,0,0,([\d,]+)> (>=|<=|\?) (-?\d+) (\d+|moves)")


def play(board, pit, empty_capture):
    """Sow a pit: the stones that the mover banks, the board after it, whether the mover goes on.

    A board is the pits of the player to move, then those of the other player: 12 numbers. The board
    that is given back is seen by the player who moves there. At the end of the game the stones that
    are left count as banked, and the board is empty.
    """
    pits = list(board)
    stones, pits[pit] = pits[pit], 0
    gain, at = 0, pit
    for _ in range(stones):  # 12 is the mover's store, between the mover's pits and the other's
        at = 12 if at == 5 else 6 if at == 12 else (at + 1) % 12
        if at == 12:
            gain += 1
        else:
            pits[at] += 1
    if at < 6 and pits[at] == 1 and (empty_capture or pits[11 - at]):
        gain += 1 + pits[11 - at]
        pits[at] = pits[11 - at] = 0
    own, other = pits[:6], pits[6:]
    if not any(own) or not any(other):  # the game is over
        return gain + sum(own) - sum(other), (0,) * 12, True
    if at == 12:
        return gain, (*own, *other), True
    return gain, (*other, *own), False


def children(board, empty_capture):
    return [play(board, pit, empty_capture) for pit in range(6) if board[pit]]


def read(path):
    """The bounds of a file: {board: [(relation, margin, nodes)]}, nodes 0 for `moves`."""
    bounds = {}
    with open(path, encoding="ascii") as file:
        for number, text in enumerate(file, start=1):
            line, _, check = text.rstrip("\n").rpartition(" ")
            found = LINE.fullmatch(line)
            if not found:
                sys.exit(f"line {number} is no bound on a position of {ONLY}: {text[:80]!r}")
            if check != f"{crc32(line.encode()):08x}":
                sys.exit(f"line {number} is not as it was written, by its checksum: {text[:80]!r}")
            board = tuple(map(int, found[1].split(",")))
            if len(board) != 12:
                sys.exit(f"line {number} is not a board of 6 pits a side: {text[:80]!r}")
            nodes = 0 if found[4] == "moves" else int(found[4])
            if found[2] != "?":
                bounds.setdefault(board, []).append((found[2], int(found[3]), nodes))
    return bounds


class Checker:
    """Derives bounds from pieces, move by move."""

    def __init__(self, lines, empty_capture):
        self.lines, self.empty_capture = lines, empty_capture
        self.known = {}

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
    """For each pit of the start the least and the most that sowing it is worth to who does."""
    for pit in range(6):
        gain, after, again = play(start, pit, checker.empty_capture)
        least, most = checker.bounds(after)
        yield pit, after, *((gain + least, gain + most) if again else (gain - most, gain - least))


def proved(board, margin, empty_capture, table):
    """Whether a position is worth at least `margin`, from the rules alone: a null-window search.

    table: the least and the most that each position met so far can be worth.
    """
    total = sum(board)
    low, high = table.get(board, (-total, total))
    if not low < margin <= high:
        return margin <= low
    after = children(board, empty_capture)
    for gain, position, again in sorted(after, key=lambda move: (move[2], move[0]), reverse=True):
        if again:
            good = proved(position, margin - gain, empty_capture, table)
        else:
            good = not proved(position, gain - margin + 1, empty_capture, table)
        if good:
            break
    low, high = table.get(board, (-total, total))
    table[board] = (max(low, margin), high) if good else (low, min(high, margin - 1))
    return good


def main():
    parser = argparse.ArgumentParser(description="Check a proof of the value of Kalah(6,6).")
    parser.add_argument("file", help="kalah-6-standard.txt or kalah-6-empty-capture.txt")
    parser.add_argument("--prove", type=int, default=0, help="pieces to prove, the smallest first")
    given = parser.parse_args()
    if not os.path.isfile(given.file):
        parser.error(f"there is no file {given.file!r}")
    if given.prove < 0:
        parser.error(f"--prove is {given.prove}; use 0 or more")
    sys.setrecursionlimit(10_000)
    empty_capture, start = "empty-capture" in given.file, (6,) * 12
    checker = Checker(read(given.file), empty_capture)
    if start not in checker.lines:
        sys.exit(f"the value does not follow: no line is a bound on the start of {ONLY}")
    least, most = checker.bounds(start)
    if least != most:
        sys.exit(f"the value does not follow: at least {least:+d} and at most {most:+d}")
    pieces = [line for line in checker.basis(start) if line[3]]
    print(f"Kalah(6,6) is worth {least:+d} to the first player if {len(pieces):,} pieces are true")
    for pit, _, least, most in first_moves(checker, start):
        print(f"sowing pit {pit + 1} first is worth {least:+d} to {most:+d}")
    pieces.sort(key=lambda piece: (piece[3], sum(piece[0]), piece))  # of equal nodes, fewest stones
    for board, relation, bound, _ in pieces[: given.prove]:
        asked = bound if relation == ">=" else bound + 1
        print(f"<6,0,0,{','.join(map(str, board))}> {relation} {bound}:", end=" ", flush=True)
        began, table = time.perf_counter(), {}
        right = proved(board, asked, empty_capture, table) == (relation == ">=")
        print(f"{len(table):,} positions, {time.perf_counter() - began:.1f} s", flush=True)
        if not right:
            sys.exit("this piece is false")


if __name__ == "__main__":
    main()
