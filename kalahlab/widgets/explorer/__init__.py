"""The search explorer: a game-tree search, step by step, with the reason of every cut.

    explore("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>", depth=4)
    explore("x........o x 20", game="betsy", depth=4)
    explore(AIMA_5_2, depth=9, beside="minimax")
    Explorer(trace)

All stepping is in JavaScript over the finished log of the search. Python is asked only for
another search, and a page without a kernel does all the rest.
"""

from kalahlab.widgets.explorer.widget import Explorer, explore

__all__ = ["Explorer", "explore"]
