"""Players and games: a player is a function from a game and a state to a move."""

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

Player = Callable[[Any, Any], Any]  # of any game: from a game and a state to a legal move
GRAMMAR = (
    "ALGORITHM:EVALUATOR:LIMIT[:LEAF[:ORDER]][:ties=SEED][@BACKEND], script:MOVE,MOVE,.. or the "
    "import path of a function"
)
EXAMPLE = "alpha_beta:store_difference:6"


class Level(NamedTuple):
    """A player for people: alpha-beta, `depth` sows deep; by `chance` a move is random instead."""

    depth: int
    chance: float


# From easy to hard, with how well each plays. Above them is perfect play, which has no depth.
_ROWS = data_rows("levels.csv")
LEVELS = {
    row["level"]: Level(int(row["depth"]), float(row["chance"])) for row in _ROWS if row["depth"]
}
# The mean regret of each, in stones; `perfect` is the last.
REGRETS = {row["level"]: float(row["regret"]) for row in _ROWS}


@dataclass(frozen=True, slots=True)
class Played:
    """One sow. pit: from 0. state: after it. captured: with the capturing stone. swept: what went
    into the stores because the sow ended the game. Both are None in a game that derives from Kalah,
    or by rules that are not known here, as such a game may sow otherwise."""

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
            notes.append("1 stone swept" if self.swept == 1 else f"{self.swept} stones swept")
        return ", ".join(notes)


@dataclass(frozen=True, slots=True)
class GameLog:
    game: Kalah
    start: State
    moves: tuple[Played, ...]

    @property
    def states(self) -> list[State]:
        return [self.start, *(played.state for played in self.moves)]

    @property
    def final(self) -> State:
        return self.moves[-1].state if self.moves else self.start

    @property
    def stores(self) -> tuple[int, int]:
        """(South's, North's) stones at the end."""
        return self.game.outcome(self.final)

    @property
    def choices(self) -> list[tuple[State, int]]:
        """Each position and the pit (from 0) that was played there."""
        return [(before, made.pit) for before, made in zip(self.states, self.moves, strict=False)]

    @property
    def margin(self) -> int:
        """What the game itself says that South has more than North."""
        return self.game.margin(self.final, SOUTH)

    @property
    def winner(self) -> str:
        return "draw" if self.margin == 0 else NAMES[SOUTH if self.margin > 0 else NORTH]

    @property
    def outcome(self) -> str:
        """`South wins, 20 to 4`, or `South wins by 3` where that is not what the stores say."""
        south, north = self.stores
        won = "a draw" if self.winner == "draw" else f"{self.winner} wins"
        if south - north == self.margin:
            return f"{won}, {south} to {north}"
        return f"{won} by {abs(self.margin)}" if self.margin else won

    def record(self, south: str = "", north: str = "") -> GameRecord:
        moves = tuple(played.pit for played in self.moves)
        return GameRecord(self.game, self.start, moves, (south, north))

    def __str__(self) -> str:
        first, *boards = (draw_board(state, self.game.rules) for state in self.states)
        moves = (
            f"{n}. {made}\n{board}"
            for n, (made, board) in enumerate(zip(self.moves, boards, strict=True), 1)
        )
        return "\n\n".join([first, *moves, self.outcome])


def play_game(game: Kalah, south: Player, north: Player, start: State | None = None) -> GameLog:
    """Play to the end of the game. Raises `ValueError` if a player's move is illegal."""
    for player in (south, north):
        if not callable(player) or is_evaluator(player):
            raise TypeError(f"write parse_player({EXAMPLE!r}) for a player, not {player!r}")
        check_parameters("player", getattr(player, "__name__", ""), player)
    first = game.start() if start is None else start
    check_state(first)
    return GameLog(game, first, tuple(played_on(game, (south, north), first)))


def played_on(game: Kalah, players: Sequence[Player], state: State) -> Iterator[Played]:
    """Each move of two players from a state to the end of the game."""
    while not game.over(state):
        played = make_move(game, state, legal_move(players[state.player], game, state))
        state = played.state
        yield played


def replay(record: GameRecord) -> GameLog:
    """A game that was read, with what each move did. Raises `ValueError` for an illegal move."""
    pairs = zip(record.states, record.moves, strict=False)
    moves = (make_move(record.game, state, move) for state, move in pairs)
    return GameLog(record.game, record.start, tuple(moves))


def play_out(
    game: Game, players: Sequence[Player], state: Any, names: Sequence[str] = ("", "")
) -> Any:
    """Play any game from a state and return its end; players[p], called names[p], moves for p."""
    while not game.over(state):
        player, name = players[state.player], names[state.player]
        state = game.play(state, legal_move(player, game, state, name))
    return state


def player_name(player: str | Player) -> str:
    """Return what errors and tables call a player: its text, or the name of its function."""
    return player if isinstance(player, str) else getattr(player, "__qualname__", "given")


def legal_move(player: Player, game: Game, state: Any, name: str = "") -> Any:
    """Ask a player for a move and return it, as the game itself has it.

    Whatever goes wrong names the player and the position: an illegal move is a `ValueError`, an
    error that the player raises has a note, and `sys.exit()` becomes an error.
    """
    name = name or player_name(player)
    try:
        move = player(game, state)
    except ENDS as error:
        raise exit_error(f"player {name} in {describe_position(game, state)}", error) from None
    except Exception as error:
        where = f" in {describe_position(game, state)}"
        error.add_note(f"player {name} was asked{'' if where in str(error) else where}")
        raise
    return find_move(f"player {name} gives {short(move)}", game, state, move)


def make_move(game: Kalah, state: State, pit: int) -> Played:
    """One sow with what it did. Raises `ValueError` if it is illegal."""
    after = game.play(state, pit)
    captured, swept = None, None
    if not unknown_part(game, state):
        sown = sow(state.board, state.player, pit, game.rules.capture_empty)
        captured, swept = sown.captured, sum(stores(after.board)) - sum(stores(sown.board))
    ends = game.over(after)
    again = after.player == state.player and not ends
    return Played(state.player, pit, after, again, captured, swept, ends)


def search_player(
    search: Searcher, evaluator: Evaluator, deep_enough: DeepEnough, order: Order = pit_order
) -> Player:
    """The player of the move that a search finds; `ValueError` if it finds none, at depth 0."""
    return SearchPlayer(_searched, search, evaluator, deep_enough, order)


class SearchPlayer(partial[Any]):
    """A player with what it searches by, as a text without an address."""

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
    if (move := search(game, state, evaluator, deep_enough, order).move) is None:
        raise ValueError("a search of depth 0 finds no move to play; use depth 1 or more")
    return move


def limited_player(
    spec: SearchSpec,
    limit: Limit,
    clock: Clock = time.monotonic,
    observer: Observer | None = None,
) -> Player:
    """The player of the best move that a search finds within a limit, or else of the first legal.

    What a search on a clock needs compiled is compiled here. Raises `ValueError` for a limit
    that the search cannot keep.
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
    """Return the move of a search, by the textbook in a game that the engine does not know."""
    if spec.is_compiled_for(game, state):
        from kalahlab.engine.twin.leaf_value import compiled_mark  # a page that plays has no numba

        evaluator = spec.search_args(game, 1)[0]  # its name may come to stand for another one
        if mark := compiled_mark(evaluator, pits_of(state.board)):
            return _known_move(spec, limit, game, state, mark)
    return _find_move(spec, limit, game, state)  # which is not kept: games may be equal and differ


def _find_move(spec: SearchSpec, limit: Limit, game: Any, state: Any, mark: str = "") -> Any:
    found = [result.move for result in search_within(spec, limit, game, state)]
    return found[-1] if found else game.moves(state)[0]


_known_move = lru_cache(1 << 14)(_find_move)  # players of a tournament come to the same positions


class OutOfTime(Exception):
    """A player took longer for a move than it has; the argument is its seat."""


def lose_on_time(state: Any) -> None:
    raise OutOfTime(state.player)


def on_clock(
    player: Player,
    seconds: float,
    clock: Clock = time.monotonic,
    late: Callable[[Any], object] = lose_on_time,
) -> Player:
    """Return the player that is watched: `late` is called with each state in which it takes longer.

    By default that raises `OutOfTime`.
    """

    @wraps(player)
    def timed(game: Game, state: Any) -> Any:
        began = clock()
        move = player(game, state)
        if clock() - began > seconds:
            late(state)
        return move

    return timed


def random_player(seed: int) -> Player:
    chance = Random(seed)
    return lambda game, state: chance.choice(game.moves(state))


def level_player(
    level: Level, seed: int = 0, backend: str = "textbook", observer: Observer | None = None
) -> Player:
    spec = SearchSpec("alpha_beta", "store_difference", order="store_first", backend=backend)
    searching, at_random = limited_player(spec, Limit(level.depth), observer=observer), Random(seed)

    def player(game: Game, state: Any) -> Any:
        if at_random.random() < level.chance:
            return at_random.choice(game.moves(state))
        return searching(game, state)

    return player


def random_line(game: Game, chance: Random, plies: int) -> tuple[list[Any], Any]:
    """As many random moves from the start, fewer if the game ends, and what they lead to."""
    line: list[Any] = []
    state = game.start()
    while len(line) < plies and (moves := game.moves(state)):
        line.append(chance.choice(moves))
        state = game.play(state, line[-1])
    return line, state


def random_position(game: Game, chance: Random, plies: int) -> Any:
    return random_line(game, chance, plies)[1]


def scripted_player(moves: Sequence[Any], game: str | None = None) -> Player:
    """The given moves; `ValueError` at their end. game: its name, if they are texts."""
    script = iter(moves)

    def player(rules: Game, state: Any) -> Any:
        for move in script:
            return game_type(game).parse_move(move, rules, state) if game else move
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
    """As `named_player`, after the import of what the text names by an import path.

        play_game(Kalah(6, 4), parse_player("alpha_beta:mine.mobility:4"), parse_player("random:1"))

    This runs code: what a file, a link or a message says goes to `named_player`.
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
    """A player of a game, as it is written.

    alpha_beta:e3:6               searches to a depth
    alpha_beta:e3:5000n:turn      as deep as 5,000 nodes a move go, the depth in turns
    alpha_beta:e3:1000ms@engine   as deep as a second a move goes, by this backend
    alpha_beta:e3:6:ties=7        of equally good moves plays one at random, by a seed
    random:7                      plays at random, by a seed
    level3:7                      plays as well as its `LEVELS` says, at random by a seed
    script:6,2,1                  plays these moves, in the game's notation
    mypackage.bots.greedy         the function at an import path that `import_path` imported

    A search has names of `kalahlab.backends`, a limit of `search_within`, and a seed of
    `RandomTies`. backend: of a search that names none. others: the caller's own players by the text
    that stands for them, as `person`. strict: a search that takes longer than its limit raises
    `OutOfTime`; else `late`, if it is given, is called with the state. observer: of the textbook's
    searches. `ValueError` names what is wrong.
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
    """A player as a person typed it, its import paths imported; see `names.import_path`."""
    if not isinstance(text, str):
        raise TypeError(f"write parse_player({EXAMPLE!r}) for a player, not {text!r}")
    name, *rest = text.partition("@")[0].split(":")
    if not rest:
        return import_path("player", text)
    if name != "script":
        for what, parts in {"algorithm": [name], "evaluator": rest[:1], "order": rest[3:4]}.items():
            for part in parts:
                import_path(what, part)
    return text


def _parse_search(
    text: str, game: str, backend: str, others: Sequence[str]
) -> tuple[SearchSpec, Limit]:
    search, _, at = text.partition("@")
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
    evaluator, limit, leaf, order = (*rest, *("sow", "pit")[len(rest) - 2 :])
    return SearchSpec(name, evaluator, leaf, order, at or backend, game, ties), parse_limit(limit)
