"""The board: play Kalah by hand, against a person, a player of ours or perfect play.

    Board(6, 4, north="alpha_beta:store_difference:6", values="search")

The trait `record` holds the whole game, so that a page without a kernel can step through it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import traitlets

from kalahlab.draw.board_svg import BoardView, board_svg, boards_svg
from kalahlab.games.kalah import STANDARD, Rules, State
from kalahlab.games.notation import parse_board
from kalahlab.play import import_player
from kalahlab.widgets.models.board import PERSON, BoardModel, start_of
from kalahlab.widgets.runtime import BUNDLES
from kalahlab.widgets.widget import Widget

STILLS = 6  # the most positions of a game that are drawn for paper


class Board(BoardModel, Widget):
    """A game that can be played, taken back and looked at.

    pits, stones, rules: the start, or start: a state, or a board in Kalah Game Protocol's
    notation. moves: pits (from 0) that have been played from there. south, north: `person`,
    `perfect`, or a player as `kalahlab.play.parse_player` reads it. values: what the bars show
    for each move, nothing (`off`), a search `depth` sows deep, or the `exact` margin under
    perfect play. animate: whether stones move one by one. Raises `ValueError` for what is none
    of these.

    The traits `at` and `position` are for observers, too; `BoardModel` says what they are.
    """

    title = "Kalah"
    _esm = BUNDLES / "board.js"
    _css = BUNDLES / "board.css"
    record = traitlets.Dict().tag(sync=True)
    at = traitlets.Int(0).tag(sync=True)
    position = traitlets.Unicode().tag(sync=True)
    thinking = traitlets.Unicode().tag(sync=True)
    animate = traitlets.Bool(True).tag(sync=True)

    def __init__(
        self,
        pits: int = 6,
        stones: int = 4,
        rules: Rules = STANDARD,
        *,
        start: State | str | None = None,
        moves: Sequence[int] = (),
        south: str = PERSON,
        north: str = PERSON,
        values: str = "off",
        depth: int = 6,
        animate: bool = True,
        theme: str = "",
    ) -> None:
        super().__init__(animate=animate, theme=theme)
        state = parse_board(start) if isinstance(start, str) else start
        state = start_of(pits, stones) if state is None else state
        self.begin(state, rules, moves, [*map(import_player, (south, north))], values, depth)

    def set_players(self, south: str, north: str) -> None:
        """Change who plays, also to what stands at an import path: this is called in Python."""
        super().set_players(import_player(south), import_player(north))

    def __repr__(self) -> str:
        return f"<board: {self.record['steps'][self.at]['turn']}, {self.position}>"

    def still(self) -> str:
        states = self._log.states
        if len(states) == 1:
            return board_svg(states[0], title=self.title, rules=self._log.game.rules)
        gaps = min(STILLS, len(states)) - 1
        places = [round(part * (len(states) - 1) / gaps) for part in range(gaps + 1)]
        titles = {0: "The start", 1: "After 1 move"}
        rules = self._log.game.rules
        views = [
            BoardView(states[at], titles.get(at, f"After {at} moves"), rules=rules) for at in places
        ]
        return boards_svg(views)

    def picture(self) -> str:
        return board_svg(self.state, rules=self._log.game.rules)

    @traitlets.validate("at")
    def _valid_at(self, proposal: Mapping[str, Any]) -> int:
        return self._within(int(proposal["value"]))

    @traitlets.observe("at")
    def _at_changed(self, change: object) -> None:
        if not self._changing:
            self._value()
