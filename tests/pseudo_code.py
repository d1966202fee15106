"""The Mancala homework's pseudo-code as a program, and the mistakes of students in it.

It works on named cells, stone by stone, and uses nothing of the package. A wrong program is the
text of the right one with the changes listed in `wrong_programs.toml`.
"""

import inspect
import tomllib
from math import inf
from pathlib import Path


def other(row):
    return {"A": "B", "B": "A"}[row]


class PseudoCode:
    """The homework's pseudo-code: `log` holds the lines, `after` the board after our turn."""

    def __init__(self, text, mark=False):
        rows = [line.split() for line in text.splitlines()]
        (self.task,), (us,), (cutoff,), north, south, (store2,), (store1,) = rows
        n = len(south)
        names = [f"B{c}" for c in range(2, n + 3)] + [f"A{c}" for c in range(n + 1, 0, -1)]
        cells = dict(zip(names, map(int, [*south, store1, *north[::-1], store2]), strict=True))
        self.ring, self.columns = names, range(2, n + 2)
        self.homes = {"A": "A1", "B": f"B{n + 2}"}
        self.us, self.mark = {"1": "B", "2": "A"}[us], mark
        self.log = ["Node,Depth,Value,Alpha,Beta" if self.task == "3" else "Node,Depth,Value"]
        self.cutoff = 1 if self.task == "1" else int(cutoff)
        _, ended = self.visit(cells, self.us, "root", 0, False, [-inf, inf])
        rows = [[ended[f"{row}{c}"] for c in self.columns] for row in "AB"]
        rows += [[ended[self.homes[row]]] for row in "AB"]
        self.after = "".join(" ".join(map(str, row)) + "\n" for row in rows)

    def sweep(self, cells):
        """Return the cells, with the rest in the stores if the game is over, and whether it is."""
        remaining = {row: sum(cells[f"{row}{c}"] for c in self.columns) for row in "AB"}
        over = not all(remaining.values())
        banked = {self.homes[row]: cells[self.homes[row]] + remaining[row] for row in "AB"}
        return (dict.fromkeys(cells, 0) | banked if over else cells), over

    def sow(self, cells, pit):
        cells, mover, index = dict(cells), pit[0], self.ring.index(pit)
        hand, cells[pit] = cells[pit], 0
        while hand:
            index = (index + 1) % len(self.ring)
            if self.ring[index] != self.homes[other(mover)]:
                last = self.ring[index]
                cells[last], hand = cells[last] + 1, hand - 1
        if last not in self.homes.values() and cells[last] == 1 and last[0] == mover:
            facing = other(last[0]) + last[1:]
            cells[self.homes[mover]] += 1 + cells[facing]
            cells[last] = cells[facing] = 0
        return self.sweep(cells)[0], last == self.homes[mover]

    def tell(self, name, depth, window, value, remark=""):
        values = [value, *window] if self.task == "3" else [value]
        words = [str(x).replace("inf", "Infinity") for x in [name, depth, *values]]
        self.log.append(",".join(words) + remark)

    def leaf(self, cells, over, *columns):
        if over and self.mark:
            self.tell(*columns, "+/-Infinity", "\tOPTIONAL")
        value = cells[self.homes[self.us]] - cells[self.homes[other(self.us)]]
        self.tell(*columns, value)
        return value, cells

    def visit(self, cells, mover, name, depth, again, window):
        """Return the value, and the board after the turn that starts here.

        The window is alpha and beta.
        """
        window = list(window)
        cells, over = self.sweep(cells)
        if over or (depth >= self.cutoff and not again):
            return self.leaf(cells, over, name, depth, window)
        sign, side, choose = (1, 0, max) if mover == self.us else (-1, 1, min)
        best, turn = None, cells
        self.tell(name, depth, window, -sign * inf)
        for pit in (p for c in self.columns if cells[p := f"{mover}{c}"]):
            child, more = self.sow(cells, pit)
            then = mover if more else other(mover)
            below = depth if again else depth + 1
            v, end = self.visit(child, then, pit, below, more, window)
            if best is None or sign * v > sign * best:
                best, turn = v, end if more else child
            if self.task == "3" and sign * best >= sign * window[1 - side]:
                self.tell(name, depth, window, best)
                break
            window[side] = choose(window[side], best)
            self.tell(name, depth, window, best)
        return best, turn


def make_wrong_program(changes):
    """Return the program with some places of its text changed; each must occur once."""
    text = inspect.getsource(PseudoCode)
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    space = dict(globals())
    exec(text, space)
    return space["PseudoCode"]


def make_wrong_programs(changes_by_name):
    return {name: make_wrong_program(changes) for name, changes in changes_by_name.items()}


WRONG = tomllib.loads(Path(__file__).with_name("wrong_programs.toml").read_text())
DEFECTIVE, TWO_DEFECTS, STRANGE = map(
    make_wrong_programs, (WRONG["known"], WRONG["two"], WRONG["strange"])
)
