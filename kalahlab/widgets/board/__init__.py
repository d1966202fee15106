"""The board: play Kalah by hand, against a person, a player of ours or perfect play.

    board = Board(6, 4, north="alpha_beta:store_difference:6", values="search")
    board                       # in a notebook
    board.state, board.history      # what is shown, and how it came about

Python knows the rules and tells each move as the ring indices that its stones visit. The trait
`record` holds the whole game, so that a page without a kernel can step through it.
"""

from kalahlab.widgets.board.widget import Board

__all__ = ["Board"]
