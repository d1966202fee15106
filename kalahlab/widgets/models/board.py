"""Model of the board: a game that readers and notebooks play, and the data of the game's view."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

from kalahlab.evaluators.registry import EVALUATORS
from kalahlab.games.game_log import GameLog, make_move, replay
from kalahlab.games.game_text import LONGEST, GameRecord, format_game, parse_game
from kalahlab.games.kalah import NAMES, Kalah, State, pits_of, swap_sides
from kalahlab.games.notation import format_board, parse_board
from kalahlab.games.rules import PRESETS, Rules, format_rules, parse_rules
from kalahlab.games.supported import unknown_part
from kalahlab.judging.move_review import Row, quick_move, to_view
from kalahlab.names import parse_int
from kalahlab.players.levels import REGRETS
from kalahlab.players.model import AnyPlayer, as_player
from kalahlab.players.parse import make_player
from kalahlab.search.observer import Stopped
from kalahlab.solver.move_values import describe_moves, exact_values, search_values
from kalahlab.widgets.models.game_view import (
    Record,
    format_review,
    format_steps,
    move_bars,
    playable_words,
)
from kalahlab.widgets.models.model import Model, check_depth, check_stones

MAX_PITS = 12  # on a side; more do not fit a screen
VALUE_CHOICES = ("off", "search", "exact")
PERSON, PERFECT = "person", "perfect"


def suggest_players() -> list[tuple[str, str]]:
    """Return the names and descriptions of the players in the form's list.

    Searches are not in the list, as the form has other fields for them.
    """
    levels = []
    for name, regret in REGRETS.items():
        if name != PERFECT:
            label = name.replace("level", "level ")
            levels.append((name, f"{label}: gives up {regret:.1f} stones a move"))
    return [
        (PERSON, "a person"),
        *levels,
        (PERFECT, "perfect play, where it is known or soon proved"),
        ("uct:random:800p", "UCT: 800 random playouts a move"),
        ("random:1", "random moves"),
    ]


def suggest_rules(current: Rules) -> list[str]:
    """Return the rules of the form's list: a name for each preset, and the current rules."""
    return [*dict.fromkeys(map(format_rules, (*PRESETS.values(), current)))]


Opener = Callable[[Kalah, State], object]


class BoardModel(Model):
    """A game that can be played, taken back and stepped through; see `Board`.

    Attributes:
        record: The whole game and the state of the forms, for the view; see `_show`.
        at: The number of moves that have been played on the board; later moves are taken back.
        position: The text of the board, with the mover as South.
        thinking: A description of the computation in progress, or "".
    """

    record: Any
    at: Any
    position: Any
    thinking: Any

    def begin(
        self,
        state: State,
        rules: Rules,
        moves: Sequence[int],
        players: Sequence[str],
        values: str,
        depth: int,
    ) -> None:
        """Set the whole state of a new board; the arguments are those of `Board`."""
        self._rules = rules
        self._changing = False  # True inside a group of changes; see `_change`
        self._games = 0  # the number of games begun
        self._openers: list[Opener] = []
        self._known: dict[State, Record] = {}  # by position: the bars, or why there are none
        self._rows: dict[tuple[State, int], Row] = {}  # the review, by position and pit
        self._log = GameLog(Kalah(), Kalah().start(), ())  # until set_up has made the game
        self._before: tuple[GameLog, int] | None = None  # the previous game, and its `at`
        self._values = _check_values(values)
        self._depth = depth
        self._names = tuple(players)
        self._players = self._parse_players(*players)
        self.set_up(state, moves)

    def to_recipe(self) -> dict[str, Any] | None:
        """Return the state for `resume`; None if a player comes from an import path."""
        if any("." in name for name in self._names):
            return None
        return {
            "kind": "board",
            "text": self.record["text"],
            "values": self._values,
            "depth": self._depth,
            "at": self.at,
            "rows": [row and to_view(row) for row in self._rows_so_far()],
        }

    def resume(self, recipe: Mapping[str, Any]) -> None:
        record = parse_game(recipe["text"])
        self.begin(
            record.start,
            record.game.rules,
            record.moves,
            record.players,
            recipe["values"],
            recipe["depth"],
        )
        # In `begin` a program may have played on, so there can be more moves than rows.
        rows = zip(self._log.choices, recipe["rows"], strict=False)
        self._rows = {choice: row for choice, row in rows if row}  # None: not yet reviewed
        self._show(self._log, self._within(recipe["at"]))

    @property
    def history(self) -> GameLog:
        """The game up to the position on the board, without the moves that were taken back."""
        return GameLog(self._log.game, self._log.start, self._log.moves[: self.at])

    @property
    def state(self) -> State:
        """The position on the board."""
        return self.history.final

    def play(self, pit: int) -> None:
        """Play the mover's pit (from 0). If the opponent is a program, it replies.

        Moves that were taken back are dropped.

        Raises:
            ValueError: The move is illegal, or the program cannot find a reply.
        """
        with self._change():
            self._append(pit)
            if not all(self._players):  # two programs wait for `reply`
                self._take_turn()

    def reply(self) -> None:
        """Let the program to move play until the turn passes."""
        with self._change():
            self._take_turn()

    def undo(self) -> None:
        """Take moves back to the last position before this one in which a person was to move."""
        self.publish(at=self.record["steps"][self.at]["back"])

    def redo(self) -> None:
        """Repeat moves that were taken back, up to the next position where a person moves."""
        self.publish(at=self.record["steps"][self.at]["on"])

    def set_up(self, state: State, moves: Sequence[int] = (), rules: Rules | None = None) -> None:
        """Begin a game from a position, and play the given pits (from 0).

        Args:
            state: The position.
            moves: The pits that are played from there.
            rules: The rules; None for those of the previous game.

        Raises:
            ValueError: The board does not fit a screen, or a move is illegal.
        """
        _check_size(pits_of(state.board))
        check_stones(state)
        game = Kalah(pits_of(state.board), state.board[0], rules or self._rules)
        if state != game.start():  # not the start of any game
            game = replace(game, stones=0)
        log = replay(GameRecord(game, state, tuple(moves)))
        self._begin_game(log, len(log.moves))

    def load(self, text: str, step: int | None = None) -> None:
        """Show a game that was saved as text; no program moves by itself.

        If this model cannot make a player that the text names, a person plays instead.

        Args:
            text: The game, as `format_game` writes it.
            step: The number of its moves that are on the board; None for all.

        Raises:
            ValueError: The text is not a game, or the game does not fit a screen.
        """
        if len(text) > LONGEST:
            raise ValueError(f"it is too long; at most {LONGEST:,} characters are read")
        record = parse_game(text)
        _check_size(record.game.pits)
        check_stones(record.start)
        self._names = tuple(self._player_or_person(name) for name in record.players)
        last = len(record.moves)
        if step is None:
            step = last
        self._begin_game(replay(record), min(max(0, step), last), replies=False)

    def review(self) -> None:
        """Review the moves that have no row yet by quick searches, from the last to the first."""
        record = self._log.record()
        margin_after = None  # South's, after the move that is reviewed
        for index, choice in reversed([*enumerate(self._log.choices)]):
            if choice not in self._rows:
                with self._think(f"Move {index + 1} of {len(record.moves)} is being reviewed"):
                    self._rows[choice] = quick_move(record, index, margin_after, self.watch())
            # The move before this one leads to the position before this move.
            margin_after = self._rows[choice]["before"]
        self._show(self._log, self.at)

    def take_review(self, rows: Sequence[Row]) -> None:
        """Show a review that `judging.review` made; each row is about a move."""
        self._rows |= {(row["state"], row["pit"]): row for row in rows}
        self._show(self._log, self.at)

    def restore_previous_game(self) -> None:
        """Go back to the game before this one; raise `ValueError` if there is none."""
        if self._before is None:
            raise ValueError("there is no previous game")
        self._begin_game(*self._before)

    def _begin_game(self, log: GameLog, at: int, replies: bool = True) -> None:
        """Show another game, and keep the game before it for `restore_previous_game`.

        Args:
            log: The game.
            at: The number of moves on the board.
            replies: Whether a program whose turn it is moves at once.
        """
        if unknown := unknown_part(log.game, log.start):
            raise ValueError(f"the board can show moves of Kalah, but not of {unknown}")
        with self._change():
            self._before = None
            # The empty first game of a page is not kept if a link replaces it.
            is_first_game = self._games == 1 and not self._log.moves
            is_replaced_by_link = is_first_game and not replies
            if self._games and not is_replaced_by_link:
                self._before = (self._log, self.at)
            self._games += 1
            if log.game.rules != self._rules:
                self._rules = log.game.rules
                self._known, self._rows = {}, {}
            # Players are made anew, as the player of a script has to begin again.
            self._replace_players(*self._names)
            self._show(log, at)
            if replies and not all(self._players) and at == len(log.moves):
                self._take_turn()

    def set_players(self, south: str, north: str) -> None:
        """Change the players. Raise `ValueError` if a text does not name a player."""
        with self._change():
            self._replace_players(south, north)

    def show_values(self, values: str, depth: int = 6) -> None:
        """Change the values that the bars show; raise `ValueError` if there are no such values."""
        with self._change():
            self._values = _check_values(values)
            self._depth = depth
            self._known = {}

    def value_all(self) -> None:
        """Compute the move values of all positions of the game, for a page without Python."""
        with self._change():
            for state in self._log.states:
                self._compute_values(state)

    def on_open(self, opener: Opener) -> None:
        """Register a function to be called with the game and the state that a reader opens."""
        self._openers.append(opener)
        self._show(self._log, self.at)

    def handle(self, message: Mapping[str, Any]) -> dict[str, Any]:
        self._changing = (
            False  # the answer to the previous message may have been abandoned half-way
        )
        game = self._log.game
        match message:
            case {"ask": "check", "board": list(board), "mover": "0" | "1" as mover}:
                description, playable = playable_words(game, _state(board, int(mover)))
                return {"message": description, "playable": playable}
            case {"ask": "hint", "at": int(index)}:
                state = self._log.states[self._within(index)]
                with self._think("The moves are being valued"):
                    return {"hints": describe_moves(game, state, self.watch())}
        with self._change():
            step = message.get("at")
            if isinstance(step, int):
                self.publish(at=self._within(step))
            self._handle_change(message)
        return {}

    def _handle_change(self, message: Mapping[str, Any]) -> None:
        """Do what a message asks for, if that changes the game or the settings."""
        match message:
            case {"ask": "hello"} | {"ask": "show", "at": int()}:
                pass  # the moves are valued at the end of the group of changes
            case {"ask": "play", "at": int(), "index": int(index)}:
                self.play(self._pit(index))
            case {"ask": "reply", "at": int()}:
                self.reply()
            case {"ask": "open", "at": int()}:
                for opener in self._openers:
                    opener(self._log.game, self.state)
            case {"ask": "review"}:
                self.review()
            case {"ask": "before"}:
                self.restore_previous_game()
            case {"ask": "players", "south": str(south), "north": str(north)}:
                self._set_names(south, north)
            case {"ask": "values", "values": str(values), "depth": str(depth)}:
                sows = parse_int(depth, "depth")
                check_depth(sows)
                self.show_values(values, sows)
            case {"ask": "set up", "text": str(text), "mover": "0" | "1" as mover}:
                state = parse_board(text)
                self.set_up(swap_sides(state) if mover == "1" else state)
            case {"ask": "set up board", "board": list(board), "mover": "0" | "1" as mover}:
                state = _state(board, int(mover))
                description, playable = playable_words(self._log.game, state)
                if not playable:
                    raise ValueError(description)
                self.set_up(state)
            case {"ask": "new", "pits": str(pits), "stones": str(stones)}:
                start = parse_start(parse_int(pits, "pits"), parse_int(stones, "stones"))
                self._set_names(str(message.get("south", "")), str(message.get("north", "")))
                rules_text = message.get("rules")
                self.set_up(start, rules=parse_rules(str(rules_text)) if rules_text else None)
            case {"ask": "game", "text": str(text)}:
                self.load(text, message.get("place"))
            case _:
                raise ValueError(f"{message.get('ask')!r} is not a request to the board")

    def _set_names(self, south: str, north: str) -> None:
        """Change the players for a reader; an empty name does not change the player."""
        south = south or self._names[0]
        north = north or self._names[1]
        if (south, north) == self._names:
            return
        if "." in south + north:
            raise ValueError("set a player with an import path in Python, with set_players")
        BoardModel.set_players(self, south, north)  # that of `Board` would import code

    @contextmanager
    def _change(self) -> Iterator[None]:
        """Group changes, after which the moves of the final position are valued once.

        Groups can be nested; only the outermost one values moves. If the reader stops a change, no
        moves are valued.
        """
        is_nested = self._changing
        self._changing = True
        is_stopped = False
        try:
            yield
        except Stopped:
            is_stopped = True
            raise
        finally:
            self._changing = is_nested
            if not is_nested and not is_stopped:
                self._value()

    def _append(self, pit: int) -> None:
        """Play a move after the step on the board, in place of the moves that follow there."""
        moves = (*self.history.moves, make_move(self._log.game, self.state, pit))
        self._show(replace(self._log, moves=moves), len(moves))

    def _take_turn(self) -> None:
        """Let the program to move play until the turn passes; do nothing if a person is to move."""
        mover, game = self.state.player, self._log.game
        player = self._players[mover]
        while player and self.state.player == mover and not game.is_over(self.state):
            with self._think(f"{NAMES[mover]} is thinking"):
                pit = as_player(player).choose(game, self.state, None)
                self.check_stopped(0)  # a compiled search does not check by itself
            self._append(pit)

    def _value(self) -> None:
        """Value the moves of the position on the board, and show their bars."""
        self._compute_values(self.state)
        self._show(self._log, self.at)

    def _compute_values(self, state: State) -> None:
        """Value the moves of a position, unless the bars are off or the values are known."""
        if self._values == "off" or state in self._known:
            return
        game, watch = self._log.game, self.watch()
        with self._think("The moves are being valued"):
            try:
                if self._values == "exact":
                    values = exact_values(game, state, watch=watch)
                else:
                    values = search_values(game, state, depth=self._depth, watch=watch)
                self._known[state] = {"bars": move_bars(state, values)}
            except ValueError as error:
                self._known[state] = {"why_not": str(error)}

    @contextmanager
    def _think(self, description: str) -> Iterator[None]:
        """Let the view show a description while a computation is in progress."""
        self.publish(thinking=description)
        try:
            yield
        finally:
            self.publish(thinking="")

    def _show(self, log: GameLog, at: int) -> None:
        """Send a game to the view, as the trait `record`, and the step to show.

        Keys of the record:
            game: The number of the game, by which the view notices a new one.
            steps, review: The positions, and the review; see `game_view`.
            text: The game as text.
            players: The texts of the players.
            suggested: The players of the form's list, with descriptions.
            evaluators: The names of evaluators for the form.
            values, depth: The arguments of `show_values`.
            rules: The rules as text.
            rule_sets: The texts of rules for the form's list.
            opens: Whether a function was registered by `on_open`.
            before: Whether there is a previous game.
        """
        self._log = log
        rows = self._rows_so_far()
        record = {
            "game": self._games,
            "steps": format_steps(log, self._known, self._players, rows),
            "review": format_review(log, rows),
            "text": format_game(log.record(*self._names)),
            "players": [*self._names],
            "suggested": suggest_players(),
            "evaluators": [*EVALUATORS["kalah"]],
            "values": self._values,
            "depth": self._depth,
            "rules": format_rules(self._rules),
            "rule_sets": suggest_rules(self._rules),
            "opens": bool(self._openers),
            "before": self._before is not None,
        }
        self.publish(record=record, at=at, position=format_board(log.states[at]))

    def _rows_so_far(self) -> list[Row | None]:
        """Return the review's row of each move of the game, None for a move without a row."""
        return [self._rows.get(choice) for choice in self._log.choices]

    def _within(self, at: int) -> int:
        """Return the number of moves nearest to `at` that the game has."""
        return min(max(0, at), len(self._log.moves))

    def _parse_players(self, *texts: str) -> tuple[AnyPlayer | None, ...]:
        """Return the players that texts name, None for a person."""
        return tuple(None if text == PERSON else self._player(text) for text in texts)

    def _replace_players(self, *names: str) -> None:
        """Make the players that texts name for a new game, and close the previous ones."""
        players = self._parse_players(*names)
        for player in self._players:
            if player is not None:
                as_player(player).close()
        self._names, self._players = names, players
        for player in players:
            if player is not None:
                as_player(player).new_game(self._log.game, self._log.start)

    def _player(self, text: str) -> AnyPlayer:
        """Return the program that a text names; its searches can be stopped."""
        watch = self.watch()
        try:
            return make_player(text, observer=watch)
        except ValueError as error:
            raise ValueError(f"{error}; or {PERSON}") from None

    def _player_or_person(self, name: str) -> str:
        """Return a player's name, or `person` if the name is unknown or an import path."""
        with suppress(ValueError):
            if "." not in name and self._parse_players(name):
                return name
        return PERSON

    def _pit(self, index: int) -> int:
        """Return the mover's pit, from 0, at an index of `State.board`.

        Raises:
            ValueError: The pit must not be played by the reader.
        """
        board, player = self.state
        if not 0 <= index < len(board):
            raise ValueError(f"place {index} is not on the board; use 0 to {len(board) - 1}")
        owner, pit = divmod(index, len(board) // 2)
        if self._players[player]:
            raise ValueError(f"{self._names[player]} plays {NAMES[player]}, whose turn it is")
        if owner != player and not self._log.game.is_over(self.state):
            raise ValueError(f"the pit is {NAMES[owner]}'s, and it is {NAMES[player]}'s turn")
        return pit


def _check_values(values: str) -> str:
    if values not in VALUE_CHOICES:
        raise ValueError(f"values are {values!r}; use one of {', '.join(VALUE_CHOICES)}")
    return values


def _state(board: Sequence[Any], mover: int) -> State:
    """Convert a view's board, a list of stones, to a state.

    Raises:
        ValueError: The board is invalid or too large.
    """
    are_counts = all(isinstance(count, int) and count >= 0 for count in board)
    if not are_counts or len(board) < 4 or len(board) % 2:
        raise ValueError("this is not a board")
    _check_size(len(board) // 2 - 1)
    state = State(tuple(board), mover)
    check_stones(state)
    return state


def parse_start(pits: int, stones: int) -> State:
    """Return the start of a game; raise `ValueError` if its board does not fit a screen."""
    _check_size(pits)
    return Kalah(pits, stones).start()


def _check_size(pits: int) -> None:
    if not 1 <= pits <= MAX_PITS:
        raise ValueError(f"pits is {pits}; the board shows 1 to {MAX_PITS} a side")
