"""Static evaluators: plain functions (board, player) -> number.

`board` is the state's numbers and the answer is how good they look for `player`. An
evaluator loops, indexes and sums, nothing more, so that the same function object can be compiled.
"""

from collections.abc import Callable, Sequence

Evaluator = Callable[[Sequence[float], int], float]
