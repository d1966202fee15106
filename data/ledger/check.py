"""Check a proof of the value of Kalah(6,6), with nothing but Python's standard library.

    python check.py kalah-6-standard.txt              # does the claim follow from the pieces?
    python check.py kalah-6-standard.txt --prove 2    # and try to prove 2 pieces, drawn by lot

The name of the file gives the pits a side and the rules. Each line of the file is a bound:

    <6,0,0,9,0,0,9,9,13,10,0,9,8,2,0> >= 3 132674 8ca58817

The parts of a line are a position with empty stores (the pits a side, the two stores, the pits of
the player to move, the pits of the other player); the least (>=) or the greatest (<=) number of
stones that the player to move gets from here on, minus those of the other player; the nodes of the
search that proved the bound, which is then a piece, or `moves` if it follows from the bounds of the
positions that the moves lead to; and the CRC-32 of the text before. A line with `?` proves nothing.

The check has two halves. This file derives the claim about the start from the pieces, move by move.
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
    """Sow a pit; return the stones banked, the next board, and whether the mover moves again.

    A board is the pits of the player to move, then those of the other player. The next board is
    seen by the player who moves there. At the end of the game the remaining stones count as banked,
    and the board is empty.
    """
    pits, store = list(board), len(board)  # sown in a circle: the mover's store counts as a place
    half = store // 2
    stones, pits[pit] = pits[pit], 0
    gain, place = 0, pit
    for _ in range(stones):
        if place == half - 1:
            place = store
        elif place == store:
            place = half
        else:
            place = (place + 1) % store
        if place == store:
            gain += 1
        else:
            pits[place] += 1
    if place < half and pits[place] == 1 and (empty_capture or pits[store - 1 - place]):
        gain += 1 + pits[store - 1 - place]
        pits[place] = pits[store - 1 - place] = 0
    mover, other = pits[:half], pits[half:]
    if not any(mover) or not any(other):  # the game is over
        return gain + sum(mover) - sum(other), (0,) * store, True
    if place == store:
        return gain, (*mover, *other), True
    return gain, (*other, *mover), False


def children(board, empty_capture):
    return [play(board, pit, empty_capture) for pit in range(len(board) // 2) if board[pit]]


def parse_file_name(path):
    """Return the pits a side and whether empty captures count."""
    name = NAME.fullmatch(os.path.basename(path))
    if name is None:
        sys.exit(f"{path} has not the name of a ledger, such as kalah-6-standard.txt")
    return int(name[1]), name[2] == "empty-capture"


def parse(text, pits):
    """Return board, relation, margin and nodes, 0 for `moves`; `ValueError` for a bad line."""
    line, _, check = text.rstrip("\n").rpartition(" ")
    match = LINE.fullmatch(line)
    board = tuple(map(int, match[2].split(","))) if match else ()
    if not match or int(match[1]) != pits or len(board) != 2 * pits:
        raise ValueError(f"is no bound on a position of Kalah with {pits} pits a side")
    if check != f"{crc32(line.encode()):08x}":
        raise ValueError("is not as it was written, by its checksum")
    if not any(board[:pits]) or not any(board[pits:]):
        raise ValueError("is on a board on which the game is over")
    if abs(int(match[4])) > sum(board):
        raise ValueError("is on more stones than there are")
    return board, match[3], int(match[4]), 0 if match[5] == "moves" else int(match[5])


def load_bounds(path):
    """Return the bounds of a file: {board: [(relation, margin, nodes)]}, nodes 0 for `moves`."""
    bounds, (pits, _) = {}, parse_file_name(path)
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
        self.answers = {}

    def find_contradiction(self):
        """Return the first board whose lines contradict each other, or those of its moves, or None.

        Children come first: a sow that banks nothing only moves stones to the right, on the side of
        its mover.
        """

        def progress(board):
            return sum(board), -sum(pit % (len(board) // 2) * n for pit, n in enumerate(board))

        bounds = {}
        for board in sorted(self.lines, key=progress):
            moves = []
            for gain, after, again in children(board, self.empty_capture):
                least, most = bounds.get(after, (-sum(after), sum(after)))
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
            bounds[board] = least, most
        return None

    def is_at_least(self, board, margin):
        """Return whether a position is worth a margin to its mover, None if it does not follow."""
        total = sum(board)
        if not -total < margin <= total:
            return margin <= -total
        margin += (margin - total) % 2  # a margin is odd if the number of stones is
        if (board, margin) not in self.answers:
            piece = self.find_piece(board, margin)
            answer = self.decide_by_moves(board, margin) if piece is None else piece[0] == ">="
            self.answers[board, margin] = answer
        return self.answers[board, margin]

    def find_piece(self, board, margin):
        """Return the piece that answers a question by itself, or None."""
        for relation, bound, nodes in self.lines.get(board, ()):
            if nodes and (bound >= margin) == (relation == ">="):
                return relation, bound, nodes
        return None

    def questions(self, board, margin):
        """Yield, for each move, the question about the next position, and True if no means yes."""
        for gain, after, again in children(board, self.empty_capture):
            if again:
                yield after, margin - gain, False
            else:
                yield after, gain - margin + 1, True

    def decide_by_moves(self, board, margin):
        """Answer a question by the moves: yes by one that is good enough, no by all of them."""
        if all(nodes for _, _, nodes in self.lines.get(board, ())):
            return None  # no line says that its moves are enough
        answers = []
        for after, after_margin, inverted in self.questions(board, margin):
            answer = self.is_at_least(after, after_margin)
            if answer is not None and inverted:
                answer = not answer
            if answer:
                return True
            answers.append(answer)
        return None if None in answers else False

    def bounds(self, board):
        """Return the least and the greatest value of a position, by its lines that follow."""
        least, most = [-sum(board)], [sum(board)]
        for relation, bound, _ in self.lines.get(board, ()):
            odd = (bound - sum(board)) % 2  # no value lies between
            if relation == ">=" and self.is_at_least(board, bound + odd):
                least.append(bound + odd)
            if relation == "<=" and self.is_at_least(board, bound - odd + 1) is False:
                most.append(bound - odd)
        return max(least), min(most)

    def lines_for_bounds(self, board):
        """Return the lines from which the bounds of a position follow."""
        least, most = self.bounds(board)
        return self.lines_for_answer(board, least) | self.lines_for_answer(board, most + 1)

    def lines_for_answer(self, board, margin):
        """Return the lines from which the answer to a question follows; nodes 0 for `moves`."""
        lines, seen, open_questions = set(), set(), [(board, margin)]
        while open_questions:
            board, margin = open_questions.pop()
            margin += (margin - sum(board)) % 2
            if (board, margin) in seen or not -sum(board) < margin <= sum(board):
                continue
            seen.add((board, margin))
            piece = self.find_piece(board, margin)
            if piece:
                lines.add((board, *piece))
                continue
            yes = self.is_at_least(board, margin)
            lines.add((board, ">=", margin, 0) if yes else (board, "<=", margin - 2, 0))
            moves = [*self.questions(board, margin)]
            good = [move for move in moves if self.is_at_least(*move[:2]) is (not move[2])]
            open_questions += [move[:2] for move in good[:1] or moves]
        return lines


def first_moves(checker, start):
    """Yield each pit of the start, the next position, and the move's least and greatest value."""
    for pit in range(len(start) // 2):
        gain, after, again = play(start, pit, checker.empty_capture)
        least, most = checker.bounds(after)
        yield pit, after, *((gain + least, gain + most) if again else (gain - most, gain - least))


class TooLong(Exception):
    """Raised when a proof takes more positions than it may."""


def prove_at_least(board, margin, empty_capture, table, limit=sys.maxsize):
    """Return whether a position is worth a margin, from the rules alone: a null-window search.

    `table` holds the least and the greatest value of each position that was visited. Raise TooLong
    if more than `limit` positions are needed.
    """
    total = sum(board)
    low, high = table.get(board, (-total, total))
    if not low < margin <= high:
        return margin <= low
    if len(table) >= limit:
        raise TooLong
    moves = children(board, empty_capture)
    for gain, after, again in sorted(moves, key=lambda move: (move[2], move[0]), reverse=True):
        if again:
            good = prove_at_least(after, margin - gain, empty_capture, table, limit)
        else:
            good = not prove_at_least(after, gain - margin + 1, empty_capture, table, limit)
        if good:
            break
    low, high = table.get(board, (-total, total))
    table[board] = (max(low, margin), high) if good else (low, min(high, margin - 1))
    return good


def prove_pieces(pieces, empty_capture, limit):
    """Try to prove pieces; return the number of those proved. A false one ends the program."""
    count = 0
    for board, relation, bound, _ in pieces:
        margin = bound if relation == ">=" else bound + 1
        print(f"{format_board(board)} {relation} {bound}:", end=" ", flush=True)
        started, table = time.perf_counter(), {}
        try:
            answer = prove_at_least(board, margin, empty_capture, table, limit)
            result = "true" if answer == (relation == ">=") else "FALSE"
            count += 1
        except TooLong:
            result = "not proved"
        seconds = time.perf_counter() - started
        print(f"{result}, {len(table):,} positions, {seconds:.1f} s", flush=True)
        if result == "FALSE":
            sys.exit("this piece is false, so the claim is not proved")
    return count


def format_board(board):
    return f"<{len(board) // 2},0,0,{','.join(map(str, board))}>"


def find_start(lines, pits, stones):
    """Return the start with `stones` a pit; by default the only start that has lines."""
    starts = sorted(board for board in lines if len(set(board)) == 1)
    if stones is None and len(starts) > 1:
        counts = ", ".join(str(board[0]) for board in starts)
        sys.exit(f"there are bounds on several starts: give --stones, one of {counts}")
    start = (stones,) * 2 * pits if stones or not starts else starts[0]
    if start not in lines:
        name = f"Kalah({pits},{stones})" if stones else f"a game with {pits} pits a side"
        sys.exit(f"the value does not follow: no line is a bound on the start of {name}")
    return start


def parse_arguments():
    parser = argparse.ArgumentParser(description="Check a proof of the value of Kalah(6,6).")
    add = parser.add_argument
    add("file", help="kalah-6-standard.txt or kalah-6-empty-capture.txt")
    add("--stones", type=int, help="stones a pit at the start; default the only one")
    add("--prove", type=int, default=0, help="pieces to prove, drawn by lot")
    add("--seed", type=int, help="of the lot; default another one each time")
    add("--positions", type=int, default=10**6, help="to give a piece up after; default 1000000")
    args = parser.parse_args()
    if not os.path.isfile(args.file):
        parser.error(f"there is no file {args.file!r}")
    for name, least in (("prove", 0), ("positions", 1), ("stones", 1)):
        value = getattr(args, name)
        if value is not None and value < least:
            parser.error(f"--{name} is {value}; use {least} or more")
    return args


def main():
    args = parse_arguments()
    sys.setrecursionlimit(10_000)
    pits, empty_capture = parse_file_name(args.file)
    checker = Checker(load_bounds(args.file), empty_capture)
    board = checker.find_contradiction()
    if board:
        sys.exit(f"its lines contradict each other: see {format_board(board)} and what follows it")
    start = find_start(checker.lines, pits, args.stones)
    least, most = checker.bounds(start)
    if least != most:
        sys.exit(f"the value does not follow: at least {least:+d} and at most {most:+d}")
    name = f"Kalah({pits},{start[0]})"
    needed = {line for line in checker.lines_for_bounds(start) if line[3]}
    print(f"{name} is worth {least:+d} to the first player if {len(needed):,} pieces are true")
    for pit, after, low, high in first_moves(checker, start):
        pieces = {line for line in checker.lines_for_bounds(after) if line[3]}
        print(f"sowing pit {pit + 1} first is worth {low:+d} to {high:+d} if {len(pieces):,} are")
        needed |= pieces
    seed = random.SystemRandom().randrange(10**6) if args.seed is None else args.seed
    sample = random.Random(seed).sample(sorted(needed), min(args.prove, len(needed)))
    if sample:
        print(f"{len(sample):,} pieces drawn by lot, --seed {seed}:")
    count = prove_pieces(sample, empty_capture, args.positions)
    rest = len(needed) - count
    pieces = {(board, *line) for board, lines in checker.lines.items() for line in lines if line[2]}
    print(f"{count:,} of {len(needed):,} pieces are proved here, {rest:,} are not;", end=" ")
    print(f"{len(pieces - needed):,} others are not needed, and not checked")
    if rest:
        print(f"kalahlab solve --verify {args.file} --all proves all that are needed")
    else:
        print(f"all that it needs is proved: {name} is worth {least:+d} to the first player")


if __name__ == "__main__":
    main()
