"""Programs of the homework's pseudo-code with mistakes that the grader does not know.

Each is `PseudoCode` with one place of its text changed; nothing of it is the package's.
"""

import inspect

import pseudo_code
from pseudo_code import PseudoCode

CHANGES = {
    "MIN's turn does not pass": (
        "then = mover if more else other(mover)",
        "then = mover if more else self.us",
    ),
    "MIN is searched one turn less deep": (
        "depth >= self.cutoff and not again",
        "depth >= self.cutoff - (mover != self.us) and not again",
    ),
    "sows into the opponent's store": ("return cell == self.homes[other(pit[0])]", "return False"),
    "the capturing stone stays": (
        "+= 1 + cells[facing]\n            cells[last] = cells[facing] = 0",
        "+= cells[facing]\n            cells[facing] = 0",
    ),
    "the capturing stone is lost": ("+= 1 + cells[facing]", "+= cells[facing]"),
    "an extra turn for MAX only": (
        "last == self.homes[mover]",
        "last == self.homes[mover] == self.homes[self.us]",
    ),
    "MAX is cut off beyond beta only": (
        "self.cuts(sign * best, sign * bound)",
        "self.cuts(sign * best, sign * bound + (sign > 0))",
    ),
    "a finished game is valued for the opponent": (
        "        self.tell(*at, value)",
        "        value = -value if over else value\n        self.tell(*at, value)",
    ),
    "the value is our store alone": (" - cells[self.homes[other(self.us)]]\n", "\n"),
    "the window is narrowed before a cut": (
        "            bound = beta if sign > 0 else alpha\n",
        "            bound = beta if sign > 0 else alpha\n"
        "            alpha, beta = (max(alpha, best), beta) if sign > 0 else "
        "(alpha, min(beta, best))\n",
    ),
    "a line is written before the update": (
        "            alpha, beta = (max(alpha, best), beta) if sign > 0 else "
        "(alpha, min(beta, best))\n            tell(best)\n",
        "            tell(best)\n"
        "            alpha, beta = (max(alpha, best), beta) if sign > 0 else "
        "(alpha, min(beta, best))\n",
    ),
    "the next state is of the last move tried": (
        "                best, turn = v, end if more else child\n",
        "                best = v\n            turn = end if more else child\n",
    ),
    "the rest always goes to MAX": (
        "left[self.keeper(row)]",
        "(row == self.us) * sum(left.values())",
    ),
}
"""What is in the text, and what the program has in its place."""


def changed(old: str, new: str) -> type[PseudoCode]:
    """The program with its one such place changed."""
    text = inspect.getsource(PseudoCode)
    assert text.count(old) == 1, old
    space = dict(vars(pseudo_code))
    exec(text.replace(old, new), space)
    return space["PseudoCode"]


STRANGE = {name: changed(*change) for name, change in CHANGES.items()}
