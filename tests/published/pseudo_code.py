"""A program of the Mancala homework's pseudo-code, and how students get it wrong.

Written over named cells, stone by stone; nothing of it is the package's.
"""

from math import inf


def other(row: str) -> str:
    """The other player's row."""
    return {"A": "B", "B": "A"}[row]


class PseudoCode:
    """The homework's pseudo-code. `log` are the lines, `after` is the board after our turn."""

    def __init__(self, text: str, mark: bool = False) -> None:
        rows = [line.split() for line in text.splitlines()]
        (self.task,), (us,), (cutoff,), north, south, (store2,), (store1,) = rows
        n = len(south)
        names = [f"B{c}" for c in range(2, n + 3)] + [f"A{c}" for c in range(n + 1, 0, -1)]
        cells = dict(zip(names, map(int, [*south, store1, *north[::-1], store2]), strict=True))
        self.ring, self.columns = names, range(2, n + 2)
        self.homes = {"A": "A1", "B": f"B{n + 2}"}
        self.us, self.mark = {"1": "B", "2": "A"}[us], mark
        self.log = ["Node,Depth,Value" + ",Alpha,Beta" * (self.task == "3")]
        self.cutoff = 1 if self.task == "1" else int(cutoff)
        _, ended = self.visit(cells, self.us, "root", 0, False, -inf, inf)
        rows = [[ended[f"{row}{c}"] for c in self.columns] for row in "AB"]
        rows += [[ended[self.homes[row]]] for row in "AB"]
        self.after = "".join(" ".join(map(str, row)) + "\n" for row in rows)

    # What a student may get wrong.

    def keeper(self, row):
        """Who gets the rest of a row."""
        return row

    def passes_over(self, cell, pit):
        """Whether no stone from a pit falls into a cell."""
        return cell == self.homes[other(pit[0])]

    def captures(self, last, pit):
        return last[0] == pit[0]

    def order(self, mover):
        return self.columns

    def better(self, v, best):
        return v > best

    def cuts(self, best, bound):
        return best >= bound

    def tell_cut(self, tell, best):
        tell(best)

    # The program.

    def swept(self, cells):
        """Whether the game is over, and the rest then in the stores."""
        left = {row: sum(cells[f"{row}{c}"] for c in self.columns) for row in "AB"}
        over = not all(left.values())
        banked = {self.homes[row]: cells[self.homes[row]] + left[self.keeper(row)] for row in "AB"}
        return (dict.fromkeys(cells, 0) | banked if over else cells), over

    def sown(self, cells, pit):
        cells, mover, at = dict(cells), pit[0], self.ring.index(pit)
        hand, cells[pit] = cells[pit], 0
        while hand:
            at = (at + 1) % len(self.ring)
            if not self.passes_over(self.ring[at], pit):
                last = self.ring[at]
                cells[last], hand = cells[last] + 1, hand - 1
        if last not in self.homes.values() and cells[last] == 1 and self.captures(last, pit):
            facing = other(last[0]) + last[1:]
            cells[self.homes[mover]] += 1 + cells[facing]
            cells[last] = cells[facing] = 0
        return self.swept(cells)[0], last == self.homes[mover]

    def tell(self, name, depth, window, value, remark=""):
        shown = [value, *window] if self.task == "3" else [value]
        words = [str(x).replace("inf", "Infinity") for x in [name, depth, *shown]]
        self.log.append(",".join(words) + remark)

    def leaf(self, cells, over, *at):
        """The value of a leaf."""
        if over and self.mark:
            self.tell(*at, "+/-Infinity", "\tOPTIONAL")
        value = cells[self.homes[self.us]] - cells[self.homes[other(self.us)]]
        self.tell(*at, value)
        return value, cells

    def visit(self, cells, mover, name, depth, again, alpha, beta):
        """The value, and the board after the turn that starts here."""

        def tell(value):
            self.tell(name, depth, (alpha, beta), value)

        cells, over = self.swept(cells)
        if over or (depth >= self.cutoff and not again):
            return self.leaf(cells, over, name, depth, (alpha, beta))
        sign, best, turn = (1 if mover == self.us else -1), None, cells
        tell(-sign * inf)
        for pit in (p for c in self.order(mover) if cells[p := f"{mover}{c}"]):
            child, more = self.sown(cells, pit)
            then = mover if more else other(mover)
            below = depth if again else depth + 1
            v, end = self.visit(child, then, pit, below, more, alpha, beta)
            if best is None or self.better(sign * v, sign * best):
                best, turn = v, end if more else child
            bound = beta if sign > 0 else alpha
            if self.task == "3" and self.cuts(sign * best, sign * bound):
                self.tell_cut(tell, best)
                break
            alpha, beta = (max(alpha, best), beta) if sign > 0 else (alpha, min(beta, best))
            tell(best)
        return best, turn


# Programs with one defect each, and the two ways to cut wrongly.


class DepthInMoves(PseudoCode):
    def visit(self, cells, mover, name, depth, again, alpha, beta):
        return super().visit(cells, mover, name, depth, False, alpha, beta)


class WindowExchanged(PseudoCode):
    def visit(self, cells, mover, name, depth, again, alpha, beta):
        window = (beta, alpha) if again else (alpha, beta)
        return super().visit(cells, mover, name, depth, again, *window)


class NoCutAtEquality(PseudoCode):
    def cuts(self, best, bound):
        return best > bound


class WindowShared(PseudoCode):
    """Alpha and beta are variables of the whole program."""

    alpha, beta = -inf, inf

    def visit(self, cells, mover, name, depth, again, alpha, beta):
        def tell(value):
            self.tell(name, depth, (self.alpha, self.beta), value)

        cells, over = self.swept(cells)
        if over or (depth >= self.cutoff and not again):
            return self.leaf(cells, over, name, depth, (self.alpha, self.beta))
        ours, turn = mover == self.us, cells
        best = -inf if ours else inf
        tell(best)
        for pit in (p for c in self.columns if cells[p := f"{mover}{c}"]):
            child, more = self.sown(cells, pit)
            then = mover if more else other(mover)
            v, end = self.visit(child, then, pit, depth + (not again), more, None, None)
            if v > best if ours else v < best:
                best, turn = v, end if more else child
            if best >= self.beta if ours else best <= self.alpha:
                tell(best)
                break
            if ours:
                self.alpha = max(self.alpha, best)
            else:
                self.beta = min(self.beta, best)
            tell(best)
        return best, turn


class LastOfEquals(PseudoCode):
    def better(self, v, best):
        return v >= best


class OriginSkipped(PseudoCode):
    def passes_over(self, cell, pit):
        return cell == pit or super().passes_over(cell, pit)


class CaptureOtherSide(PseudoCode):
    def captures(self, last, pit):
        return last[0] != pit[0]


class ExactLapCapturesNothing(PseudoCode):
    def captures(self, last, pit):
        return last != pit and super().captures(last, pit)


class RestToTheOther(PseudoCode):
    def keeper(self, row):
        return other(row)


class RestNotSwept(PseudoCode):
    def swept(self, cells):
        return cells, super().swept(cells)[1]


class ValueNegated(PseudoCode):
    def visit(self, cells, mover, name, depth, again, alpha, beta):
        v, end = super().visit(cells, mover, name, depth, again, alpha, beta)
        return (-v if again else v), end


class PitOrder(PseudoCode):
    def order(self, mover):
        return self.columns if mover == "B" else self.columns[::-1]


class NoLineAfterACut(PseudoCode):
    def tell_cut(self, tell, best):
        pass


DEFECTIVE = {
    "depth-in-moves": DepthInMoves,
    "window-exchanged": WindowExchanged,
    "no-cut-at-equality": NoCutAtEquality,
    "window-kept": WindowShared,
    "last-of-equals": LastOfEquals,
    "origin-skipped": OriginSkipped,
    "exact-lap-captures-nothing": ExactLapCapturesNothing,
    "capture-other-side": CaptureOtherSide,
    "rest-to-the-other": RestToTheOther,
    "rest-not-swept": RestNotSwept,
    "value-negated": ValueNegated,
    "player-2-in-pit-order": PitOrder,
    "no-line-after-a-cut": NoLineAfterACut,
}
"""The programs by the name that the grader has for their defect."""
