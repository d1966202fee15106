"""The board as a widget: what a reader or a notebook may do with it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import traitlets

from kalahlab.games.kalah import NAMES, STANDARD, Kalah, Rules, State, pits_of, swap_sides
from kalahlab.games.notation import format_board, parse_board
from kalahlab.judging.worth import exact_values, perfect_player, search_values
from kalahlab.names import parse_int
from kalahlab.play import GameLog, Played, Player, make_move, parse_player
from kalahlab.report.draw.board_svg import BoardView, board_svg, boards_svg
from kalahlab.search import ALGORITHMS
from kalahlab.widgets import modules
from kalahlab.widgets.board.record import Record, bars, steps_of
from kalahlab.widgets.widget import Widget

FOLDER = Path(__file__).parent
MAX_PITS, MAX_STONES = 12, 9999
"""What fits a screen: pits a side, and stones on the whole board."""

VALUES: dict[str, Callable[[Kalah, State, int], Mapping[int, float]]] = {
    "off": lambda game, state, depth: {},
    "search": search_values,
    "exact": lambda game, state, depth: exact_values(game, state),
}
PERSON, PERFECT = "person", "perfect"
SUGGESTED = (PERSON, PERFECT, *(f"{name}:store_difference:4" for name in ALGORITHMS), "random:1")
"""Players that are offered; any other can be typed."""

STILLS = 6
"""The most positions of a game that are drawn for paper."""

Opener = Callable[[Kalah, State], object]


class Board(Widget):
    """A game that can be played, taken back and looked at.

    pits, stones, rules: the start, or start: a state, or a board in Kalah Game Protocol's
    notation. moves: pits (from 0) that have been played from there. south, north: `person`,
    `perfect`, or a player as `kalahlab.play.parse_player` reads it. values: what the bars show
    for each move, nothing (`off`), a search `depth` sows deep, or the `exact` margin under
    perfect play. animate: whether stones move one by one. Raises `ValueError` for what is none
    of these.

    Traits for observers: `at`, how many moves of the record are on the board; `position`, the
    board's text with the mover as South. The rest is between Python and JavaScript.
    """

    title = "Kalah"
    _esm = modules.join(FOLDER / "board.js")
    _css = (FOLDER / "board.css").read_text(encoding="utf-8")
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
        self._rules, self._changing, self._games = rules, False, 0
        self._openers: list[Opener] = []
        self._known: dict[State, Record] = {}
        self._log = GameLog(Kalah(), Kalah().start(), ())
        self._values, self._depth = _checked(values), depth
        self._names, self._players = _players(south, north)
        state = parse_board(start) if isinstance(start, str) else start
        self.set_up(_start(pits, stones) if state is None else state, moves)

    def __repr__(self) -> str:
        return f"<board: {self.record['steps'][self.at]['turn']}, {self.position}>"

    @property
    def history(self) -> GameLog:
        """The game as far as it is shown."""
        return GameLog(self._log.game, self._log.start, self._log.moves[: self.at])

    @property
    def state(self) -> State:
        """The position that is shown."""
        return self.history.final

    def play(self, pit: int) -> None:
        """Play the mover's pit (from 0) in the position shown, and let a player of ours reply.

        What had been taken back is forgotten. Raises `ValueError` if it is illegal, or if the
        reply cannot be found.
        """
        with self._change():
            self._append(make_move(self._log.game, self.state, pit))
            if not all(self._players):
                self._take_turn()

    def reply(self) -> None:
        """Let the player of ours whose turn it is play until the turn passes."""
        with self._change():
            self._take_turn()

    def undo(self) -> None:
        """Take back to where a person last had the choice."""
        self.at = self.record["steps"][self.at]["back"]

    def redo(self) -> None:
        """Play again what was taken back, to where a person has the choice."""
        self.at = self.record["steps"][self.at]["on"]

    def set_up(self, state: State, moves: Sequence[int] = ()) -> None:
        """Begin a game from any position, with the pits (from 0) that have been played.

        Raises `ValueError` for a board that does not fit a screen, or an illegal move.
        """
        _check_size(pits_of(state.board), sum(state.board))
        game = Kalah(pits_of(state.board), 0, self._rules)
        played: list[Played] = []
        for pit in moves:
            played.append(make_move(game, played[-1].state if played else state, pit))
        with self._change():
            self._games += 1
            self._players = _players(*self._names)[1]  # a script begins again, too
            self._show(GameLog(game, state, tuple(played)), len(played))
            if not all(self._players):
                self._take_turn()

    def set_players(self, south: str, north: str) -> None:
        """Change who plays. Raises `ValueError` for a text that is no player."""
        with self._change():
            self._names, self._players = _players(south, north)

    def show_values(self, values: str, depth: int = 6) -> None:
        """Change what the bars show. Raises `ValueError` for what they cannot."""
        with self._change():
            self._values, self._depth = _checked(values), depth
            self._known = {}

    def value_all(self) -> None:
        """Value the moves of every position of the game, so that a page has them all."""
        with self._change():
            for state in (self._log.start, *(played.state for played in self._log.moves)):
                self._learn(state)

    def still(self) -> str:
        """The position, or, if moves were played, up to six positions of the game."""
        log = self._log
        states = [log.start, *(played.state for played in log.moves)]
        if len(states) == 1:
            return board_svg(log.start, title=self.title)
        gaps = min(STILLS, len(states)) - 1
        places = [round(part * (len(states) - 1) / gaps) for part in range(gaps + 1)]
        return boards_svg([BoardView(states[at], _after(at)) for at in places])

    def on_open(self, opener: Opener) -> None:
        """Call `opener` with the game and the state when a reader asks to open a position."""
        self._openers.append(opener)
        self._show(self._log, self.at)

    def open_position(self) -> None:
        """Hand the position shown to whoever is to open it."""
        for opener in self._openers:
            opener(self._log.game, self.state)

    def handle(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Do what a reader asks for, in the position that the reader sees."""
        with self._change():
            if isinstance(at := request.get("at"), int):
                self.at = at
            self._obey(request)
        return {}

    def _obey(self, request: Mapping[str, Any]) -> None:
        match request:
            case {"ask": "hello"} | {"ask": "show", "at": int()}:
                pass
            case {"ask": "play", "at": int(), "index": int(index)}:
                self.play(self._pit(index))
            case {"ask": "reply", "at": int()}:
                self.reply()
            case {"ask": "open", "at": int()}:
                self.open_position()
            case {"ask": "set up", "text": str(text), "mover": "0" | "1" as mover}:
                state = parse_board(text)
                self.set_up(swap_sides(state) if mover == "1" else state)
            case {"ask": "new", "pits": str(pits), "stones": str(stones)}:
                self.set_up(_start(parse_int(pits, "pits"), parse_int(stones, "stones")))
            case {"ask": "players", "south": str(south), "north": str(north)}:
                if "." in south + north:
                    raise ValueError("players from elsewhere are set in Python, by set_players")
                self.set_players(south, north)
            case {"ask": "values", "values": str(values), "depth": str(depth)}:
                self.show_values(values, parse_int(depth, "depth"))
            case _:
                asked = request.get("ask")
                raise ValueError(f"{asked!r} is nothing that the board can be asked for")

    @contextmanager
    def _change(self) -> Iterator[None]:
        """Value the moves of the position that is shown in the end, and of none on the way."""
        within, self._changing = self._changing, True
        try:
            yield
        finally:
            self._changing = within
            if not within:
                self._value()

    def _append(self, played: Played) -> None:
        moves = (*self.history.moves, played)
        self._show(replace(self._log, moves=moves), len(moves))

    def _take_turn(self) -> None:
        """Play for the mover, if it is a player of ours, until the turn passes."""
        mover, game = self.state.player, self._log.game
        player = self._players[mover]
        while player and self.state.player == mover and not game.over(self.state):
            with self._think(f"{NAMES[mover]} is thinking"):
                pit = player(game, self.state)
            self._append(make_move(game, self.state, pit))

    def _value(self) -> None:
        self._learn(self.state)
        self._show(self._log, self.at)

    def _learn(self, state: State) -> None:
        """Find out what the moves of a position are worth, unless it is known."""
        if self._values != "off" and state not in self._known:
            with self._think("The moves are being valued"):
                self._known[state] = self._find_values(state)

    def _find_values(self, state: State) -> Record:
        try:
            found = VALUES[self._values](self._log.game, state, self._depth)
            return {"bars": bars(state, found)}
        except ValueError as error:
            return {"why_not": str(error)}

    @contextmanager
    def _think(self, of: str) -> Iterator[None]:
        self.thinking = of
        try:
            yield
        finally:
            self.thinking = ""

    def _show(self, log: GameLog, at: int) -> None:
        """Make `log` the game, `at` of its moves shown."""
        self._log = log
        with self.hold_sync():
            self.record = self._told()
            self.at = at
            self.position = format_board(self.state)

    def _told(self) -> Record:
        """The trait `record`: the game, and what the forms show."""
        return {
            "game": self._games,
            "steps": steps_of(self._log, self._known, self._players),
            "players": list(self._names),
            "suggested": list(SUGGESTED),
            "values": self._values,
            "depth": self._depth,
            "opens": bool(self._openers),
        }

    @traitlets.validate("at")
    def _within(self, proposal: Mapping[str, Any]) -> int:
        return min(max(0, int(proposal["value"])), len(self._log.moves))

    @traitlets.observe("at")
    def _stepped(self, change: object) -> None:
        if not self._changing:
            self._value()

    def _pit(self, index: int) -> int:
        """The mover's pit at a ring index, if it is for the reader to play."""
        board, player = self.state
        if not 0 <= index < len(board):
            raise ValueError(f"place {index} is not on the board; use 0 to {len(board) - 1}")
        owner, pit = divmod(index, len(board) // 2)
        if self._players[player]:
            raise ValueError(f"{self._names[player]} plays {NAMES[player]}, whose turn it is")
        if owner != player and not self._log.game.over(self.state):
            raise ValueError(f"the pit is {NAMES[owner]}'s, and it is {NAMES[player]}'s turn")
        return pit


def _after(moves: int) -> str:
    """What stands over the position after so many moves."""
    return f"After {moves} moves" if moves > 1 else ("The start", "After 1 move")[moves]


def _checked(values: str) -> str:
    if values not in VALUES:
        raise ValueError(f"values are {values!r}; use one of {', '.join(VALUES)}")
    return values


def _players(*texts: str) -> tuple[tuple[str, ...], tuple[Player | None, ...]]:
    """What South and North are called, and who they are."""
    return texts, tuple(_player(text) for text in texts)


def _player(text: str) -> Player | None:
    """Who plays, None for a person."""
    try:
        return None if text == PERSON else parse_player(text, others={PERFECT: perfect_player})
    except ValueError as error:
        raise ValueError(f"{error}; or {PERSON}, or {PERFECT}") from None


def _start(pits: int, stones: int) -> State:
    _check_size(pits)
    return Kalah(pits, stones).start()


def _check_size(pits: int, stones: int = 0) -> None:
    """Whether a board fits a screen: its pits a side, and the stones on it."""
    if not 1 <= pits <= MAX_PITS:
        raise ValueError(f"pits is {pits}; the board shows 1 to {MAX_PITS} a side")
    if stones > MAX_STONES:
        raise ValueError(f"there are {stones} stones; the board shows {MAX_STONES}")
