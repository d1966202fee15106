"""Judging of moves, players and games by the values of perfect play."""
