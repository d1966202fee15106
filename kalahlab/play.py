"""Players and games. A player is a function that takes a game and a state and returns a move."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial, wraps
from random import Random
from reprlib import repr as short
from typing import Any, NamedTuple

from kalahlab.backends import Clock, Limit, SearchSpec, check_limit, parse_limit, search_within
from kalahlab.data import data_rows
from kalahlab.engine.supported import unknown_part
from kalahlab.evaluators import Evaluator
from kalahlab.formatting import name_of
from kalahlab.games import Game
from kalahlab.games.game_text import GameRecord
from kalahlab.games.kalah import NAMES, NORTH, SOUTH, Kalah, State, pits_of, sow, stores
from kalahlab.games.notation import draw_board
from kalahlab.games.registry import game_type
from kalahlab.names import check_parameters, import_path, meant, named, parse_int
from kalahlab.search import ALGORITHMS
from kalahlab.search.arguments import check_state, describe_position, find_move, is_evaluator
from kalahlab.search.model import DeepEnough
from kalahlab.search.observer import Observer
from kalahlab.search.tree import Order, Searcher, pit_order
from kalahlab.user_code import ENDS, exit_error

Player = Callable[[Any, Any], Any]  # (game, state) -> a legal move, in any game
GRAMMAR = (
    "ALGORITHM:EVALUATOR:LIMIT[:LEAF[:ORDER]][:ties=SEED][@BACKEND], script:MOVE,MOVE,.. or the "
    "import path of a function"
)
EXAMPLE = "alpha_beta:store_difference:6"


class Level(NamedTuple):
    """An opponent for people: alpha-beta to `depth` sows, and a random move instead by `chance`."""

    depth: int
    chance: float  # a probability


# The levels from easy to hard. Above them is perfect play, whose row has no depth.
_ROWS = data_rows("levels.csv")
LEVELS = {
    row["level"]: Level(int(row["depth"]), float(row["chance"])) for row in _ROWS if row["depth"]
}
# The mean regret of a move of each level, in stones; `perfect` is the last.
REGRETS = {row["level"]: float(row["regret"]) for row in _ROWS}


@dataclass(frozen=True, slots=True)
class Played:
    """One sow of a game and its effects.

    Attributes:
        mover: The player who sows.
        pit: The pit that is sown, from 0.
        state: The state after the sow.
        extra_turn: True if the mover moves again.
        captured: The captured stones, including the capturing one.
        swept: The stones that went into the stores because the sow ended the game.
        ends: True if the sow ended the game.

    `captured` and `swept` are None in a game that derives from Kalah, or with rules that are
    unknown here, as such a game may sow in another way.
    """

    mover: int
    pit: int
    state: State
    extra_turn: bool
    captured: int | None
    swept: int | None
    ends: bool

    def __str__(self) -> str:
        notes = [f"{NAMES[self.mover]} sows pit {self.pit + 1}"]
        if self.captured:
            notes.append(f"captures {self.captured}")
        if self.extra_turn:
            notes.append("moves again")
        if self.ends:
            notes.append("ends the game")
        if self.swept:
            unit = "stone" if self.swept == 1 else "stones"
            notes.append(f"{self.swept} {unit} swept")
        return ", ".join(notes)


@dataclass(frozen=True, slots=True)
class GameLog:
    game: Kalah
    start: State
    moves: tuple[Played, ...]

    @property
    def states(self) -> list[State]:
        return [self.start, *(move.state for move in self.moves)]

    @property
    def final(self) -> State:
        return self.moves[-1].state if self.moves else self.start

    @property
    def stores(self) -> tuple[int, int]:
        """The stones of South and of North at the end."""
        return self.game.outcome(self.final)

    @property
    def choices(self) -> list[tuple[State, int]]:
        """Each position in which a move was made, with the pit (from 0) that was sown."""
        return [(state, move.pit) for state, move in zip(self.states, self.moves, strict=False)]

    @property
    def margin(self) -> int:
        """The margin of South over North at the end, as the game itself defines it."""
        return self.game.margin(self.final, SOUTH)

    @property
    def winner(self) -> str:
        if self.margin == 0:
            return "draw"
        return NAMES[SOUTH if self.margin > 0 else NORTH]

    @property
    def outcome(self) -> str:
        """The winner in words: `South wins, 20 to 4`.

        It is `South wins by 3` if the margin of the game is not the difference of the stores.
        """
        south, north = self.stores
        result = "a draw" if self.winner == "draw" else f"{self.winner} wins"
        if south - north == self.margin:
            return f"{result}, {south} to {north}"
        if self.margin:
            return f"{result} by {abs(self.margin)}"
        return result

    def record(self, south: str = "", north: str = "") -> GameRecord:
        """Return the record of the game, without effects of moves, by players of these names."""
        moves = tuple(move.pit for move in self.moves)
        return GameRecord(self.game, self.start, moves, (south, north))

    def __str__(self) -> str:
        parts = [draw_board(self.start, self.game.rules)]
        for number, move in enumerate(self.moves, start=1):
            parts.append(f"{number}. {move}\n{draw_board(move.state, self.game.rules)}")
        parts.append(self.outcome)
        return "\n\n".join(parts)


def play_game(game: Kalah, south: Player, north: Player, start: State | None = None) -> GameLog:
    """Play a game from a state, by default the start, to its end.

    Raises:
        TypeError: A player is not callable, or is an evaluator.
        ValueError: A player does not accept a game and a state, or makes an illegal move.
    """
    for player in (south, north):
        if not callable(player) or is_evaluator(player):
            raise TypeError(f"write parse_player({EXAMPLE!r}) for a player, not {player!r}")
        check_parameters("player", getattr(player, "__name__", ""), player)
    first = game.start() if start is None else start
    check_state(first)
    return GameLog(game, first, tuple(played_on(game, (south, north), first)))


def played_on(game: Kalah, players: Sequence[Player], state: State) -> Iterator[Played]:
    """Yield each move of two players, from a state to the end of the game."""
    while not game.over(state):
        pit = legal_move(players[state.player], game, state)
        move = make_move(game, state, pit)
        state = move.state
        yield move


def replay(record: GameRecord) -> GameLog:
    """Play the moves of a record and return the game with the effects of each move.

    Raises:
        ValueError: A move is illegal.
    """
    pairs = zip(record.states, record.moves, strict=False)
    moves = (make_move(record.game, state, move) for state, move in pairs)
    return GameLog(record.game, record.start, tuple(moves))


def play_out(
    game: Game, players: Sequence[Player], state: Any, names: Sequence[str] = ("", "")
) -> Any:
    """Play any game from a state to its end, and return the final state.

    Args:
        game: The game.
        players: Who moves, in the order of `state.player`.
        state: The first state.
        names: The names of the players in errors, in the same order.
    """
    while not game.over(state):
        player, name = players[state.player], names[state.player]
        state = game.play(state, legal_move(player, game, state, name))
    return state


def player_name(player: str | Player) -> str:
    """Return the name of a player in errors and tables: its text, or that of its function."""
    return player if isinstance(player, str) else getattr(player, "__qualname__", "given")


def legal_move(player: Player, game: Game, state: Any, name: str = "") -> Any:
    """Ask a player for a move and return it in the form of the game's own list of moves.

    Each error names the player and the position. One that the player itself raises gets a note
    about them, and `sys.exit()` becomes an error.

    Raises:
        ValueError: The move is illegal.
    """
    name = name or player_name(player)
    try:
        move = player(game, state)
    except ENDS as error:
        raise exit_error(f"player {name} in {describe_position(game, state)}", error) from None
    except Exception as error:
        note = f"player {name} was asked"
        position = f" in {describe_position(game, state)}"
        if position not in str(error):
            note += position
        error.add_note(note)
        raise
    return find_move(f"player {name} gives {short(move)}", game, state, move)


def make_move(game: Kalah, state: State, pit: int) -> Played:
    """Sow a pit (from 0) and return the move with its effects; raise `ValueError` if illegal."""
    after = game.play(state, pit)
    captured, swept = None, None
    if not unknown_part(game, state):
        before_sweep = sow(state.board, state.player, pit, game.rules.capture_empty)
        captured = before_sweep.captured
        swept = sum(stores(after.board)) - sum(stores(before_sweep.board))
    ends = game.over(after)
    extra_turn = after.player == state.player and not ends
    return Played(state.player, pit, after, extra_turn, captured, swept, ends)


def search_player(
    search: Searcher, evaluator: Evaluator, deep_enough: DeepEnough, order: Order = pit_order
) -> Player:
    """Return a player that makes the move of a search.

    It raises `ValueError` if the search finds no move, because it has depth 0.
    """
    return SearchPlayer(_searched, search, evaluator, deep_enough, order)


class SearchPlayer(partial[Any]):
    """A player whose text lists the arguments of its search, without addresses."""

    def __repr__(self) -> str:
        return f"<player: {', '.join(map(name_of, self.args))}>"


def _searched(
    search: Searcher,
    evaluator: Evaluator,
    deep_enough: DeepEnough,
    order: Order,
    game: Game,
    state: Any,
) -> Any:
    move = search(game, state, evaluator, deep_enough, order).move
    if move is None:
        raise ValueError("a search of depth 0 finds no move to play; use depth 1 or more")
    return move


def limited_player(
    spec: SearchSpec,
    limit: Limit,
    clock: Clock = time.monotonic,
    observer: Observer | None = None,
) -> Player:
    """Return a player that makes the best move that a search finds within a limit.

    If it finds none, the player makes the first legal move. Code that a search with a limit of time
    needs is compiled here, so that no move waits for the compiler.

    Raises:
        ValueError: The search cannot keep the limit.
    """
    if limit.unit and spec.algorithm == "greedy":
        raise ValueError("greedy looks one ply ahead; give it the depth 1")
    if limit.unit and spec.leaf == "quiescence":
        raise ValueError("with quiescence give a depth; under nodes or a clock use sow or turn")
    check_limit(spec, limit)
    if limit.unit == "ms" and spec.compiled:
        for depth in (1, 4):
            spec.search(Kalah(), Kalah().start(), depth)
    if spec.compiled and limit.unit != "ms":
        return SearchPlayer(_engine_move, spec, limit)

    def player(game: Game, state: Any) -> Any:
        results = [*search_within(spec, limit, game, state, clock, observer)]
        if not results and limit.unit == "n" and spec.algorithm.replace("-", "_") not in ALGORITHMS:
            raise ValueError(
                f"algorithm {spec.algorithm} finds no move within {limit.number} nodes"
            )
        return results[-1].move if results else game.moves(state)[0]

    return player


def _engine_move(spec: SearchSpec, limit: Limit, game: Any, state: Any) -> Any:
    """Return the move of the engine, or of the textbook in a game that the engine cannot play.

    Moves of the engine are cached. The mark of the compiled evaluator is a part of their key, as
    the name of an evaluator may be given to another one later. Moves of the textbook are not
    cached, as games may compare equal and differ.
    """
    if spec.is_compiled_for(game, state):
        from kalahlab.engine.twin.leaf_value import compiled_mark  # a page that plays has no numba

        evaluator = spec.search_args(game, 1)[0]
        mark = compiled_mark(evaluator, pits_of(state.board))
        if mark:
            return _cached_move(spec, limit, game, state, mark)
    return _find_move(spec, limit, game, state)


def _find_move(spec: SearchSpec, limit: Limit, game: Any, state: Any, mark: str = "") -> Any:
    moves = [result.move for result in search_within(spec, limit, game, state)]
    if not moves:
        return game.moves(state)[0]
    return moves[-1]


_cached_move = lru_cache(1 << 14)(_find_move)  # players of a tournament meet the same positions


class OutOfTime(Exception):
    """Raised when a player takes too long for a move; the argument is its seat."""


def lose_on_time(state: Any) -> None:
    """Raise `OutOfTime` for the player to move."""
    raise OutOfTime(state.player)


def on_clock(
    player: Player,
    seconds: float,
    clock: Clock = time.monotonic,
    late: Callable[[Any], object] = lose_on_time,
) -> Player:
    """Return a player that calls `late` with each state in which it takes longer than `seconds`.

    By default this raises `OutOfTime`.
    """

    @wraps(player)
    def timed(game: Game, state: Any) -> Any:
        start = clock()
        move = player(game, state)
        if clock() - start > seconds:
            late(state)
        return move

    return timed


def random_player(seed: int) -> Player:
    """Return a player of random legal moves."""
    rng = Random(seed)
    return lambda game, state: rng.choice(game.moves(state))


def level_player(
    level: Level, seed: int = 0, backend: str = "textbook", observer: Observer | None = None
) -> Player:
    """Return a player of a level; the seed is that of its random moves."""
    spec = SearchSpec("alpha_beta", "store_difference", order="store_first", backend=backend)
    search = limited_player(spec, Limit(level.depth), observer=observer)
    rng = Random(seed)

    def player(game: Game, state: Any) -> Any:
        if rng.random() < level.chance:
            return rng.choice(game.moves(state))
        return search(game, state)

    return player


def random_line(game: Game, chance: Random, plies: int) -> tuple[list[Any], Any]:
    """Make random moves from the start, and return them and the final state.

    There are `plies` moves, or fewer if the game ends.
    """
    line: list[Any] = []
    state = game.start()
    for _ in range(plies):
        moves = game.moves(state)
        if not moves:
            break
        line.append(chance.choice(moves))
        state = game.play(state, line[-1])
    return line, state


def random_position(game: Game, chance: Random, plies: int) -> Any:
    """Return the state after `plies` random moves from the start, or fewer if the game ends."""
    return random_line(game, chance, plies)[1]


def scripted_player(moves: Sequence[Any], game: str | None = None) -> Player:
    """Return a player of these moves, which raises `ValueError` when they end before the game.

    Args:
        moves: The moves of this player in their order.
        game: The name of the game if the moves are texts to parse.
    """
    script = iter(moves)

    def player(rules: Game, state: Any) -> Any:
        for move in script:
            if not game:
                return move
            return game_type(game).parse_move(move, rules, state)
        raise ValueError(f"the script of {len(moves)} moves ends before the game does")

    return player


def parse_player(
    text: str,
    game: str = "kalah",
    backend: str = "textbook",
    others: Mapping[str, Player] | None = None,
    clock: Clock = time.monotonic,
    strict: bool = False,
    observer: Observer | None = None,
) -> Player:
    """Return the player that a text describes, like `named_player`, but import user code first.

        play_game(Kalah(6, 4), parse_player("alpha_beta:mine.mobility:4"), parse_player("random:1"))

    Each import path in the text is imported, which runs code: pass text from a file, a link or a
    message to `named_player` instead.
    """
    return named_player(import_player(text), game, backend, others, clock, strict, observer)


def named_player(
    text: str,
    game: str = "kalah",
    backend: str = "textbook",
    others: Mapping[str, Player] | None = None,
    clock: Clock = time.monotonic,
    strict: bool = False,
    observer: Observer | None = None,
    late: Callable[[Any], object] | None = None,
) -> Player:
    """Return the player that a text describes; nothing is imported.

    alpha_beta:e3:6               searches to depth 6
    alpha_beta:e3:5000n:turn      searches up to 5,000 nodes a move, its depth counted in turns
    alpha_beta:e3:1000ms@engine   searches up to a second a move, by this backend
    alpha_beta:e3:6:ties=7        breaks ties between best moves at random, by this seed
    random:7                      makes random moves, by this seed
    level3:7                      plays at a level of `LEVELS`, with random moves by this seed
    script:6,2,1                  makes these moves, in the notation of the game
    mypackage.bots.greedy         is the function that `import_path` imported from there

    The names in a search are those of `SearchSpec`, its limit is that of `parse_limit`, and its
    seed that of `RandomTies`.

    Args:
        text: The description.
        game: The name of the game.
        backend: The backend of a search that names none.
        others: Further players by their texts, such as `person`.
        clock: The clock of a limit of time.
        strict: Raise `OutOfTime` when a search takes longer than its limit.
        observer: The observer of searches by the textbook.
        late: A function that is called with the state instead, unless `strict`.

    Raises:
        ValueError: The text describes no player, or a player that cannot keep its limit.
    """
    if others and text in others:
        return others[text]
    name, *rest = text.split(":")
    if "." in name and not rest:
        player: Any = named("player", name, dict[str, Player]())
        if is_evaluator(player):
            raise ValueError(f"{name} is an evaluator? then write alpha_beta:{name}:4")
        return player  # type: ignore[no-any-return]
    if name == "script" and len(rest) == 1:
        return scripted_player(rest[0].split(","), game)
    if name == "random" and len(rest) <= 1:
        return random_player(parse_int(rest[0] if rest else "0", "seed"))
    if name in LEVELS and game == "kalah" and len(rest) <= 1:
        seed = parse_int(rest[0] if rest else "0", "seed")
        return level_player(LEVELS[name], seed, backend, observer)
    known = [*(others or ()), *(LEVELS if game == "kalah" else ()), "random"]
    spec, limit = _parse_search(text, game, backend, known)
    player = limited_player(spec, limit, clock, observer)
    watch = lose_on_time if strict else late
    return player if watch is None else on_clock(player, limit.seconds, clock, watch)


def import_player(text: str) -> str:
    """Import the import paths in the text of a player, and return the text unchanged.

    The text must come from a person; see `names.import_path`.
    """
    if not isinstance(text, str):
        raise TypeError(f"write parse_player({EXAMPLE!r}) for a player, not {text!r}")
    name, *rest = text.partition("@")[0].split(":")
    if not rest:
        return import_path("player", text)
    if name != "script":
        parts = {"algorithm": name, "evaluator": rest[0]}
        if len(rest) > 3:
            parts["order"] = rest[3]
        for kind, part in parts.items():
            import_path(kind, part)
    return text


def _parse_search(
    text: str, game: str, backend: str, others: Sequence[str]
) -> tuple[SearchSpec, Limit]:
    """Parse the text of a search, see `named_player`; `others` are the other players there are."""
    search, _, backend_in_text = text.partition("@")
    name, *rest = search.split(":")
    ties = None
    if rest and rest[-1].startswith("ties="):
        ties = parse_int(rest.pop().removeprefix("ties="), "ties")
    if len(rest) == 1 and (name in ALGORITHMS or "." in name):
        raise ValueError(f"player {text!r} has no LIMIT, such as {name}:{rest[0]}:6")
    if not 2 <= len(rest) <= 4:
        raise ValueError(
            f"player {text!r} is none of {', '.join(others)}, and not {GRAMMAR}; for example "
            f"{EXAMPLE}{meant(text, others)}"
        )
    evaluator, limit = rest[:2]
    leaf = rest[2] if len(rest) > 2 else "sow"
    order = rest[3] if len(rest) > 3 else "pit"
    spec = SearchSpec(name, evaluator, leaf, order, backend_in_text or backend, game, ties)
    return spec, parse_limit(limit)
