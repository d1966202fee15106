"""The board: play Kalah by hand, against a person, a player of ours or perfect play.

    board = Board(6, 4, north="alpha_beta:store_difference:6", values="search")
    board                       # in a notebook
    board.state, board.history      # what is shown, and how it came about

Python knows the rules and tells each move as the ring indices that its stones visit; what
draws it knows none. The trait `record` holds the whole game, so that a page without a kernel
can step through it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from kalahlab.games.kalah import (
    NAMES,
    NORTH,
    STANDARD,
    Kalah,
    Rules,
    State,
    drops,
    pits_of,
    sow,
    swap_sides,
)
from kalahlab.games.notation import format_board, parse_board
from kalahlab.judging.worth import exact_values, perfect_player, search_values
from kalahlab.names import parse_int
from kalahlab.play import GameLog, Played, Player, make_move, parse_player
from kalahlab.search import ALGORITHMS
from kalahlab.trace import number
from kalahlab.widgets import modules
from kalahlab.widgets.page import Part, page

FOLDER = Path(__file__).with_suffix("")
MOST_PITS, MOST_STONES = 12, 9999
"""What fits a screen: pits a side, and stones on the whole board."""

VALUES = ("off", "search", "exact")
PERSON, PERFECT = "person", "perfect"
SUGGESTED = (PERSON, PERFECT, *(f"{name}:store_difference:4" for name in ALGORITHMS), "random:1")
"""Players that are offered; any other can be typed."""

Opener = Callable[[Kalah, State], object]
Said = dict[str, Any]
"""What JavaScript is told: JSON."""


class Board(anywidget.AnyWidget):
    """A game that can be played, taken back and looked at.

    pits, stones, rules: the start, or start: a state, or a board in Kalah Game Protocol's
    notation. moves: pits (from 0) that have been played from there. south, north: `person`,
    `perfect`, or a player as `kalahlab.play.parse_player` reads it. values: what the bars show
    for each move, nothing (`off`), a search `depth` sows deep, or the `exact` margin under
    perfect play. animate: whether stones move one by one. theme: `light`, `dark`, or '' for
    that of the page. Raises `ValueError` for what is none of these.

    Traits for observers: `at`, how many moves of the record are on the board; `position`, the
    board's text with the mover as South. The rest is between Python and JavaScript.
    """

    _esm = modules.join(FOLDER / "board.js")
    _css = (FOLDER / "board.css").read_text(encoding="utf-8")
    record = traitlets.Dict().tag(sync=True)
    at = traitlets.Int(0).tag(sync=True)
    position = traitlets.Unicode().tag(sync=True)
    thinking = traitlets.Unicode().tag(sync=True)
    animate = traitlets.Bool(True).tag(sync=True)
    theme = traitlets.Enum(("", "light", "dark"), "").tag(sync=True)
    live = traitlets.Bool(True).tag(sync=True)

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
        self._known: dict[State, Said] = {}
        self._log = GameLog(Kalah(), Kalah().start(), ())
        self._values, self._depth = _checked(values), depth
        self._names, self._players = _players(south, north)
        self.on_msg(self._hear)
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
            if PERSON in self._names:
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
        _check_size(state)
        game = Kalah(pits_of(state.board), 0, self._rules)
        played: list[Played] = []
        for pit in moves:
            played.append(make_move(game, played[-1].state if played else state, pit))
        with self._change():
            self._games += 1
            self._players = _players(*self._names)[1]  # a script begins again, too
            self._show(GameLog(game, state, tuple(played)), len(played))
            if PERSON in self._names:
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

    def on_open(self, opener: Opener) -> None:
        """Call `opener` with the game and the state when a reader asks to open a position."""
        self._openers.append(opener)
        self._show(self._log, self.at)

    def open_position(self) -> None:
        """Hand the position shown to whoever is to open it."""
        for opener in self._openers:
            opener(self._log.game, self.state)

    def page(self, title: str = "Kalah") -> str:
        """The game so far as a page of HTML that needs neither kernel nor network."""
        return page(title, [self.part()])

    def part(self) -> Part:
        """What a page needs of this board."""
        kept = ("record", "at", "position", "thinking", "animate", "theme")
        state = {name: getattr(self, name) for name in kept}
        return self._esm, self._css, state | {"live": False}

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

    def _find_values(self, state: State) -> Said:
        game = self._log.game
        try:
            if self._values == "exact":
                return {"bars": _bars(state, exact_values(game, state))}
            return {"bars": _bars(state, search_values(game, state, self._depth))}
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

    def _told(self) -> Said:
        """The game, as `record` tells it."""
        game, moves = self._log.game, self._log.moves
        states = [self._log.start, *(played.state for played in moves)]
        steps = [_position(game, state) | self._known.get(state, {}) for state in states]
        for step, before, played in zip(steps[1:], states, moves, strict=False):
            step["move"] = _move(game, before, played)
        stops = [
            place
            for place, state in enumerate(states)
            if place in (0, len(moves)) or self._awaits_reader(state)
        ]
        for place, step in enumerate(steps):
            step["back"] = max((stop for stop in stops if stop < place), default=0)
            step["on"] = min((stop for stop in stops if stop > place), default=len(moves))
            step["ours"] = bool(self._players[states[place].player]) and not step["over"]
        return {
            "game": self._games,
            "steps": steps,
            "players": list(self._names),
            "suggested": list(SUGGESTED),
            "values": self._values,
            "depth": self._depth,
            "opens": bool(self._openers),
        }

    def _awaits_reader(self, state: State) -> bool:
        return not self._players[state.player] or PERSON not in self._names

    @traitlets.validate("at")
    def _within(self, proposal: Mapping[str, Any]) -> int:
        return min(max(0, int(proposal["value"])), len(self._log.moves))

    @traitlets.observe("at")
    def _stepped(self, change: object) -> None:
        if not self._changing:
            self._value()

    def _hear(self, widget: object, asked: Mapping[str, Any], buffers: object) -> None:
        """Do what a reader asks for, and answer: with what is wrong, or with nothing."""
        fault = "the kernel could not do that; its log says why"
        try:
            with self._change():
                self._obey(asked)
            fault = ""
        except ValueError as error:
            fault = str(error)
        except KeyboardInterrupt:
            fault = "interrupted"
        finally:
            self.send({"answers": asked.get("id"), "fault": fault})

    def _obey(self, asked: Mapping[str, Any]) -> None:
        match asked:
            case {"ask": "hello"}:
                pass
            case {"ask": "show", "at": int(at)}:
                self.at = at
            case {"ask": "play", "at": int(at), "index": int(index)}:
                self.at = at
                self.play(self._pit(index))
            case {"ask": "reply", "at": int(at)}:
                self.at = at
                self.reply()
            case {"ask": "open", "at": int(at)}:
                self.at = at
                self.open_position()
            case {"ask": "set up", "text": str(text), "mover": int(mover)}:
                state = parse_board(text)
                self.set_up(swap_sides(state) if mover == NORTH else state)
            case {"ask": "new", "pits": str(pits), "stones": str(stones)}:
                self.set_up(_start(parse_int(pits, "pits"), parse_int(stones, "stones")))
            case {"ask": "players", "south": str(south), "north": str(north)}:
                self.set_players(south, north)
            case {"ask": "values", "values": str(values), "depth": str(depth)}:
                self.show_values(values, parse_int(depth, "depth"))
            case _:
                raise ValueError(f"{asked.get('ask')!r} is nothing that the board can be asked for")

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


def _position(game: Kalah, state: State) -> Said:
    """What is to be drawn of a position: places as ring indices."""
    over, base = game.over(state), state.player * (len(state.board) // 2)
    return {
        "board": list(state.board),
        "player": state.player,
        "over": over,
        "legal": [base + pit for pit in game.moves(state)],
        "turn": _turn(game, state),
        "text": format_board(state),
        "move": None,
    }


def _turn(game: Kalah, state: State) -> str:
    """Who moves, or how the game ended, as a sentence begins."""
    if not game.over(state):
        return f"{NAMES[state.player]} to move"
    outcome = GameLog(game, state, ()).outcome
    return outcome[0].upper() + outcome[1:]


def _move(game: Kalah, before: State, played: Played) -> Said:
    """A move as its stones travel: into `drops` one by one, from `emptied` into `store`."""
    board, player = before
    half = len(board) // 2
    sown = sow(board, player, played.pit, game.rules.capture_empty)
    return {
        "mover": player,
        "from": player * half + played.pit,
        "drops": list(drops(board, player, played.pit)),
        "emptied": list(sown.emptied),
        "store": player * half + half - 1,
        "again": played.extra_turn,
        "words": str(played),
    }


def _bars(state: State, values: Mapping[int, float]) -> list[Said]:
    """A bar for each pit that can be played: its value, and its part of the greatest."""
    base, best = state.player * (len(state.board) // 2), max(values.values(), default=0)
    most = max([1.0, *map(abs, values.values())])
    return [
        {
            "index": base + pit,
            "text": f"{'+' * (value > 0)}{number(value)}",
            "part": value / most,
            "best": value == best,
        }
        for pit, value in values.items()
    ]


def _checked(values: str) -> str:
    if values not in VALUES:
        raise ValueError(f"values are {values!r}; use one of {', '.join(VALUES)}")
    return values


def _players(*texts: str) -> tuple[tuple[str, ...], tuple[Player | None, ...]]:
    """What South and North are called, and who they are."""
    return texts, tuple(_player(text) for text in texts)


def _player(text: str) -> Player | None:
    """Who plays, None for a person."""
    if text == PERSON:
        return None
    if text == PERFECT:
        return perfect_player
    try:
        return parse_player(text)
    except ValueError as error:
        raise ValueError(f"{error}; or {PERSON}, or {PERFECT}") from None


def _start(pits: int, stones: int) -> State:
    """The start of a game that fits a screen."""
    if not 1 <= pits <= MOST_PITS:
        raise ValueError(f"pits is {pits}; the board shows 1 to {MOST_PITS} a side")
    return Kalah(pits, stones).start()


def _check_size(state: State) -> None:
    if pits_of(state.board) > MOST_PITS:
        raise ValueError(f"pits is {pits_of(state.board)}; the board shows 1 to {MOST_PITS} a side")
    if sum(state.board) > MOST_STONES:
        raise ValueError(f"there are {sum(state.board)} stones; the board shows {MOST_STONES}")
