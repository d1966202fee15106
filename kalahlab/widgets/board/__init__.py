"""The board: play Kalah by hand, against a person, a program or perfect play.

    Board(6, 4, north="alpha_beta:store_difference:6", values="search")

The trait `record` contains the whole game, so that a page without a kernel can step through it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import traitlets

from kalahlab.draw.board_svg import BoardView, board_svg, boards_svg
from kalahlab.games.kalah import State
from kalahlab.games.notation import parse_board
from kalahlab.games.rules import STANDARD, Rules, parse_rules
from kalahlab.players.parse import import_player_parts
from kalahlab.widgets.models.board import PERSON, BoardModel, parse_start
from kalahlab.widgets.models.game_view import format_turn
from kalahlab.widgets.page import Part
from kalahlab.widgets.runtime import BUNDLES
from kalahlab.widgets.widget import Widget

MOST_MOVES = 4  # the most moves of a turn that a page can show before its Python runs
MAX_PICTURES = 6  # the most positions of a game that are drawn for paper


class Board(BoardModel, Widget):
    """A game that can be played, taken back and stepped through.

    The traits `at` and `position` may be observed; `BoardModel` describes the traits.

    Args:
        pits: The pits on each side at the start.
        stones: The stones in each pit at the start.
        rules: The rules, or a text that `parse_rules` reads.
        start: Another start, as a state or a board in Kalah Game Protocol's notation.
        moves: The pits (from 0) that have been played from the start.
        south: `person`, `perfect`, or a text for `kalahlab.players.parse_player`.
        north: The other player.
        values: The values in the bars of the moves: `off`, a `search`, or the `exact` margin under
            perfect play.
        depth: The depth of the search, in sows.
        animate: Whether stones move one by one.
        theme: `light`, `dark`, or "" for that of the page.

    Raises:
        ValueError: One of the arguments is invalid.
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
        rules: str | Rules = STANDARD,
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
        if start is None:
            start = parse_start(pits, stones)
        elif isinstance(start, str):
            start = parse_board(start)
        players = [import_player_parts(south), import_player_parts(north)]
        self.begin(start, parse_rules(rules), moves, players, values, depth)

    def set_players(self, south: str, north: str) -> None:
        """Change the players; import paths are allowed, as the call comes from Python."""
        super().set_players(import_player_parts(south), import_player_parts(north))

    def __repr__(self) -> str:
        return f"<board: {self.record['steps'][self.at]['turn']}, {self.position}>"

    def still(self) -> str:
        """Draw positions of the game for print, evenly spaced from the start to the end."""
        states = self._log.states
        if len(states) == 1:
            return board_svg(states[0], title=self.title, rules=self._log.game.rules)
        gaps = min(MAX_PICTURES, len(states)) - 1  # between the pictures
        titles = {0: "The start", 1: "After 1 move"}
        views = []
        for gap in range(gaps + 1):
            count = round(gap * (len(states) - 1) / gaps)
            title = titles.get(count, f"After {count} moves")
            views.append(BoardView(states[count], title, rules=self._log.game.rules))
        return boards_svg(views)

    def page_part(self, **more: Any) -> Part:
        """Return the part of a page, with the moves that a reader can make without Python."""
        turn = {}
        step = self.record["steps"][self.at]
        if self.at == len(self._log.moves) and not step["ours"]:
            turn = format_turn(self._log.game, self.state, MOST_MOVES)
        return super().page_part(turn=turn, **more)

    def fallback(self) -> str:
        return board_svg(self.state, rules=self._log.game.rules)

    @traitlets.validate("at")
    def _valid_at(self, proposal: Mapping[str, Any]) -> int:
        return self._within(int(proposal["value"]))

    @traitlets.observe("at")
    def _on_at_change(self, change: object) -> None:
        if not self._changing:  # the end of a group of changes values the moves once
            self._value()
