"""The search explorer: a game-tree search, step by step, with the reason of every cut.

    explore("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>", depth=4)
    explore("x........o x 20", game="betsy", depth=4)
    explore(AIMA_5_2, depth=9, beside="minimax")
    Explorer(trace)

All stepping is in JavaScript over the finished log of the search. Python is asked only for
another search, and a page without a kernel does all the rest.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kalahlab.widgets.explorer.widget import Explorer, explore

__all__ = ["Explorer", "explore"]


def __getattr__(name: str) -> Any:
    """The widget, which needs a notebook's packages; a page's Python has none, only the model."""
    if name not in __all__:
        raise AttributeError(name)
    from kalahlab.widgets.explorer import widget

    return getattr(widget, name)
