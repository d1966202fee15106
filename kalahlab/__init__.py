"""kalahlab: an executable report on game-tree search in the game of Kalah."""

__version__ = "0.1.0"
