"""A game of two agents, with the fault that ended it, if one did."""

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import ClassVar, NamedTuple

from kalahlab.classroom.class_tournament.agents import Agent
from kalahlab.classroom.class_tournament.isolation import Confinement
from kalahlab.games.game_text import GameRecord, format_fault, format_game
from kalahlab.games.kalah import RULES_VERSION, SOUTH, Kalah, State
from kalahlab.games.notation import parse_board
from kalahlab.games.rules import parse_rules
from kalahlab.matches.pairs import count_points
from kalahlab.names import message_with_notes
from kalahlab.parallel import Row
from kalahlab.players.game_loop import legal_move
from kalahlab.players.model import AnyPlayer, Fault, Player, closing_players
from kalahlab.players.parse import PlayerSpec, make_player
from kalahlab.players.programs.dialects import DIALECTS
from kalahlab.players.programs.program_player import Limits, ProgramPlayer, ProgramSpec
from kalahlab.players.user_player import HostedPlayer
from kalahlab.search.limits import Seconds

IMPORT_SECONDS = 10.0  # in which a student's file in Python is imported
SEATS = ("south", "north")


@dataclass(frozen=True, slots=True)
class Meeting:
    """A game that is to be played.

    Attributes:
        south, north: The keys of the agents.
        board: The pits a side and the stones in each, such as `6,4`.
        rules: The rules as text; see `parse_rules`.
        seconds: The most time for a move of a program, or of code of a user.
        game_seconds: The most time for all moves of a program in the game; None for no limit.
        south_code, north_code: The hashes of the agents' files, so that a changed agent plays
            again. For the text of a player, the text.
        opening: The position in which the game begins, with South to move; "" for the usual start.
    """

    south: str
    north: str
    board: str
    rules: str = "standard"
    seconds: float = 1.0
    game_seconds: float | None = None
    south_code: str = ""
    north_code: str = ""
    opening: str = ""

    VERSION: ClassVar[int] = RULES_VERSION

    @property
    def game(self) -> Kalah:
        pits, stones = map(int, self.board.split(","))
        return Kalah(pits, stones, parse_rules(self.rules))

    @property
    def start(self) -> State:
        return parse_board(self.opening) if self.opening else self.game.start()


class Course(NamedTuple):
    """The course of a game.

    Attributes:
        moves: The pits, from 0.
        state: The last position.
        seconds: The time of each seat's moves.
        fault: The fault that ended the game in this position, with its player; None without one.
    """

    moves: list[int]
    state: State
    seconds: tuple[float, float]
    fault: Fault | None


def play_meeting(agents: Mapping[str, Agent], confinement: Confinement, meeting: Meeting) -> Row:
    """Play a game and return a row.

    Columns, besides the attributes of the meeting:
        points: The points of South: 1 for a win, 1/2 for a draw, 0 for a loss.
        margin: South's margin in stones; None if a fault ended the game.
        loser: "south" or "north", whose fault ended the game; else None.
        fault, reason: The kind of the fault and what the agent did; else None.
        moves: The moves that were made, as pits from 1.
        seconds_south, seconds_north: The time of each agent's moves.

    Args:
        agents: The agents by their keys.
        confinement: How programs are confined.
        meeting: The game.
    """
    game = meeting.game
    players = (_open_player(agents[key], meeting, confinement) for key in _keys(meeting))
    with closing_players(players) as opened:
        course = _play(game, meeting.start, opened, _keys(meeting))
    row: Row = asdict(meeting)
    row |= dict.fromkeys(("margin", "loser", "fault", "reason"))
    if course.fault is None:
        margin = game.margin(course.state, SOUTH)
        row |= {"margin": margin, "points": count_points(margin)}
    else:
        loser = course.fault.player
        row |= {"loser": SEATS[loser], "points": float(loser != SOUTH)}
        row |= {"fault": course.fault.kind, "reason": course.fault.reason}
    row["moves"] = " ".join(str(move + 1) for move in course.moves)
    for seat, seconds in zip(SEATS, course.seconds, strict=True):
        row[f"seconds_{seat}"] = round(seconds, 3)
    return row


def _keys(meeting: Meeting) -> tuple[str, str]:
    return meeting.south, meeting.north


def _open_player(agent: Agent, meeting: Meeting, confinement: Confinement) -> AnyPlayer:
    if agent.player:
        # A search of this package has a limit of its own. Its first move may compile the engine.
        spec = PlayerSpec.parse(agent.player)
        is_foreign = "." in spec.name or spec.name in ("exec", "kgp")
        seconds = meeting.seconds if is_foreign else None
        return make_player(agent.player, backend="engine", strict=True, seconds=seconds)
    limits = Limits(Seconds(meeting.seconds), game=meeting.game_seconds)
    if agent.function:
        command = confinement.command(agent.command, agent.folder)
        return HostedPlayer(agent.function, limits, command=command, import_seconds=IMPORT_SECONDS)
    stays = bool(DIALECTS[agent.dialect]().input_file)
    command = confinement.command(agent.command, agent.folder, stays=stays)
    return ProgramPlayer(ProgramSpec(command, agent.dialect, limits, agent.depth))


def _play(game: Kalah, start: State, players: list[Player], names: tuple[str, str]) -> Course:
    """Play a game from `start` to its end, or to the first fault."""
    state, moves, seconds = start, list[int](), [0.0, 0.0]
    fault = _begin(game, players, state)
    while fault is None and not game.is_over(state):
        mover = state.player
        begin = time.monotonic()
        try:
            move = legal_move(players[mover], game, state, names[mover])
        except Exception as error:
            fault = _to_fault(error, mover)
        else:
            moves.append(move)
            state = game.play(state, move)
        seconds[mover] += time.monotonic() - begin
    return Course(moves, state, (seconds[0], seconds[1]), fault)


def _begin(game: Kalah, players: list[Player], state: State) -> Fault | None:
    """Tell the players that a game begins; return the fault of the one that fails, if one does."""
    for seat, player in enumerate(players):
        try:
            player.new_game(game, state)
        except Exception as error:
            return _to_fault(error, seat)
    return None


def _to_fault(error: Exception, seat: int) -> Fault:
    """Return the fault of the player at a seat that raised an error."""
    fault = error
    if not isinstance(fault, Fault):
        fault = Fault("crashed", f"raises {type(error).__name__}: {message_with_notes(error)}")
    fault.player = seat
    return fault


def record_of(row: Row, names: Mapping[str, str]) -> GameRecord:
    """Return the game of a row, with the names of its players and the fault that ended it."""
    meeting = _meeting_of(row)
    moves = tuple(int(move) - 1 for move in row["moves"].split())
    players = tuple(" ".join(names[row[seat]].split()) for seat in SEATS)
    fault = ""
    if row["fault"]:
        loser = SEATS.index(row["loser"])
        fault = format_fault(loser, players[loser], f"{row['fault']}: it {row['reason']}")
    return GameRecord(meeting.game, meeting.start, moves, (players[0], players[1]), fault)


def _meeting_of(row: Row) -> Meeting:
    return Meeting(row["south"], row["north"], row["board"], row["rules"], opening=row["opening"])


def format_record(row: Row, names: Mapping[str, str]) -> str:
    """Return the file of a game, which `kalahlab review` reads."""
    return format_game(record_of(row, names))
