"""A practice server for programs that speak the Kalah Game Protocol.

Each agent that connects plays every board of the server twice, first as South, then as North, and
is told the result. As in go-kgp, a move that is the only legal one is made without a question, an
agent that makes no move in time gets a random one, and an illegal move loses the game. An opponent
that fails loses the game, and the agent is told why. Differently
from go-kgp, games start at once, and the agent is told what happened by `set` commands:

    set game:id, set game:opponent      before a game
    set kalahlab:result                 after it
    set kalahlab:review, set game:uri   what a review has found, line by line, and its page

In mode `verify` the agent gets problems, and in mode `eval` positions to evaluate.
"""

import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from itertools import combinations, count, cycle
from random import Random
from typing import Any, Protocol

from kalahlab.formatting import StableRepr
from kalahlab.games.game_text import GameRecord, format_fault
from kalahlab.games.kalah import NAMES, NORTH, SOUTH, Kalah, State, swap_sides
from kalahlab.games.notation import format_board
from kalahlab.kgp.agent import Agent
from kalahlab.kgp.connection import Connection, Disconnected
from kalahlab.kgp.problems import check_solution
from kalahlab.kgp.protocol import FIRST_SERVER_ID, Argument

PROBLEMS = 20  # in the modes verify and eval
LONGEST_FAILURE = 200  # characters of an error of the opponent


class Opponent(Protocol):
    """A player; `players.model.Player` explains the methods."""

    def choose(self, game: Any, state: Any, limit: Any) -> Any: ...
    def new_game(self, game: Any, state: Any) -> None: ...
    def close(self) -> None: ...


@dataclass(frozen=True)
class FinishedGame:
    """A game of an agent.

    Attributes:
        record: The game, which may have ended early.
        side: The side of the agent, `SOUTH` or `NORTH`.
        result: The result in words, for the agent: "you win, 30 to 18".
        points: 2 for a win of the agent, 1 for a draw, 0 for a loss; as in FAU's tournament.
        notes: What the agent did wrong, one sentence for each time.
    """

    record: GameRecord
    side: int
    result: str
    points: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Findings:
    """What a review has found.

    Attributes:
        lines: Sentences for the agent.
        uri: The address of a page, or "".
    """

    lines: tuple[str, ...] = ()
    uri: str = ""


@dataclass(frozen=True, repr=False)
class Practice(StableRepr):
    """What a server offers.

    Attributes:
        boards: The starts on which each agent plays, twice each.
        opponent: The name of the opponent.
        make_player: Makes the opponent of an agent, which is closed when the agent leaves.
        seconds: The time of an agent for a move.
        review: Reviews a finished game. It is called in the thread of the agent.
        evaluate: Returns the value of a position for South, to which the mode `eval` compares.
        tell: Called with each event, as one line.
        most_agents: The largest number of agents at once.
    """

    boards: Sequence[Kalah]
    opponent: str
    make_player: Callable[[], Opponent]
    seconds: float
    review: Callable[[FinishedGame], Findings]
    evaluate: Callable[[Kalah, State], float]
    tell: Callable[[str], object]
    most_agents: int = 16


def serve(listener: socket.socket, practice: Practice) -> None:
    """Serve each agent that connects, in a thread of its own, until an error or Ctrl-C."""
    free = threading.BoundedSemaphore(practice.most_agents)
    for number in count(1):
        sock, _ = listener.accept()
        session = Session(Agent(Connection(sock, FIRST_SERVER_ID)), practice, number)
        target = session.run if free.acquire(blocking=False) else session.refuse
        threading.Thread(target=target, args=(free,), daemon=True).start()


class Session(StableRepr):
    """The visit of one agent."""

    def __init__(self, agent: Agent, practice: Practice, number: int) -> None:
        self._agent = agent
        self._practice = practice
        self._number = number  # of the agent, from 1
        self._rng = Random(number)

    def refuse(self, free: threading.Semaphore) -> None:
        """Send the agent away, as there are too many."""
        self._say(f"sent away: there are {self._practice.most_agents} agents already")
        with suppress(Disconnected):
            self._agent.send_version()
            self._agent.send_away("The server is full; try again later")
        self._agent.close()

    def run(self, free: threading.Semaphore) -> None:
        """Serve the agent in the mode that it requests, and release `free` afterwards."""
        modes = {"freeplay": self._play, "verify": self._verify, "eval": self._evaluate}
        try:
            mode = self._agent.greet()
            self._say(f"connected, mode {mode}")
            modes[mode]()
            self._agent.leave()
            self._say("left")
        except Disconnected as error:
            self._say(f"left: {error}")
        except Exception as error:  # such as one of the review: other agents play on
            self._say(f"sent away: {type(error).__name__}: {error}")
            with suppress(Disconnected):
                self._agent.send_away("The server has failed")
        finally:
            self._agent.close()
            free.release()

    def _say(self, event: str) -> None:
        self._practice.tell(f"{self._agent.name} ({self._number}): {event}")

    def _play(self) -> None:
        """Play each board from both sides."""
        practice = self._practice
        self._agent.tell("info:name", "kalahlab")
        self._agent.tell_clock(practice.seconds)
        points = 0
        rounds = [(board, side) for board in practice.boards for side in (SOUTH, NORTH)]
        with closing(practice.make_player()) as opponent:
            for index, (board, side) in enumerate(rounds, start=1):
                self._agent.tell("game:id", f"{self._number}-{index}")
                self._agent.tell("game:opponent", practice.opponent)
                finished = self._play_game(board, side, opponent)
                points += finished.points
                self._say(f"game {index} of {len(rounds)}, {finished.result}")
                self._report(finished)
        self._tell_result(f"{points} of {2 * len(rounds)} points")

    def _report(self, finished: FinishedGame) -> None:
        """Tell the agent the result of a game, and what a review finds."""
        self._agent.tell("kalahlab:result", finished.result)
        for note in finished.notes:
            self._agent.tell("kalahlab:note", note)
            self._say(note)
        findings = self._practice.review(finished)
        for line in findings.lines:
            self._agent.tell("kalahlab:review", line)
            self._say(line)
        if findings.uri:
            self._agent.tell("game:uri", findings.uri)
            self._say(findings.uri)

    def _play_game(self, game: Kalah, side: int, opponent: Opponent) -> FinishedGame:
        state = game.start()
        moves = list[int]()
        notes = list[str]()
        fault = ""
        failure = start_opponent(opponent, game, state)
        while not (game.is_over(state) or fault or failure):
            if state.player == side:
                move, fault = self._ask_agent(game, state, notes)
            else:
                move, failure = ask_opponent(opponent, game, state)
            if not fault and not failure:
                state = game.play(state, move)
                moves.append(move)
        names = (self._agent.name, self._practice.opponent)
        players = names if side == SOUTH else names[::-1]
        reason = ""
        if fault or failure:
            loser = side if fault else 1 - side
            reason = format_fault(loser, players[loser], fault or failure)
        record = GameRecord(game, game.start(), tuple(moves), players, reason)
        points, result = judge_result(game, state, side, fault, failure)
        board = f"{NAMES[side]} on ({game.pits},{game.stones})"
        return FinishedGame(record, side, f"{board}: {result}", points, tuple(notes))

    def _ask_agent(self, game: Kalah, state: State, notes: list[str]) -> tuple[int, str]:
        """Return the move of the agent, and how it has lost the game, or "".

        Args:
            game: The game.
            state: The position, in which the agent is to move.
            notes: Gets a sentence if the agent makes no move, and a random one is made.
        """
        legal = game.moves(state)
        if len(legal) == 1:
            return legal[0], ""
        seen = state if state.player == SOUTH else swap_sides(state)
        reply = self._agent.ask_move(game, seen, self._practice.seconds)
        if reply.problem:
            return 0, f"{reply.problem}, in {format_board(seen)}"
        if reply.args:
            return int(str(reply.args[0])) - 1, ""
        move = self._rng.choice(legal)
        reason = f"no move in {self._practice.seconds:g} s" if reply.is_late else "only yield"
        notes.append(f"{reason} in {format_board(seen)}: the random move {move + 1} was made")
        return move, ""

    def _verify(self) -> None:
        """Send problems, and tell how many were solved."""
        solved = 0
        for game, state in self._draw_positions():
            pit = self._rng.choice(game.moves(state))
            reply = self._agent.ask(
                "problem",
                (state, pit + 1),
                "solution",
                self._practice.seconds,
                partial(check_solution, game, state, pit),
            )
            if reply.args and not reply.problem:
                solved += 1
            else:
                problem = reply.problem or "No solution"
                self._say(f"{problem} for move {pit + 1} in {format_board(state)}")
        self._tell_result(f"{solved} of {PROBLEMS} problems solved")

    def _evaluate(self) -> None:
        """Send positions, and tell how well the agent orders them."""
        pairs = list[tuple[float, float]]()
        for game, state in self._draw_positions():
            reply = self._agent.ask("state", (state,), "eval", self._practice.seconds, check_eval)
            if reply.args and not reply.problem:
                pairs.append((float(str(reply.args[0])), self._practice.evaluate(game, state)))
        share = f"{measure_agreement(pairs):.0%}" if len(pairs) > 1 else "none"
        self._tell_result(
            f"{len(pairs)} of {PROBLEMS} positions evaluated; of their pairs, {share} are in the "
            "order of the server's values"
        )

    def _tell_result(self, message: str) -> None:
        self._say(message)
        self._agent.tell("kalahlab:result", message)

    def _draw_positions(self) -> Iterator[tuple[Kalah, State]]:
        """Yield positions with the stones in random pits, in which South can move."""
        boards = cycle(self._practice.boards)
        drawn = 0
        while drawn < PROBLEMS:
            game = next(boards)
            state = game.random_start(self._rng)
            if game.moves(state):
                drawn += 1
                yield game, state


def start_opponent(opponent: Opponent, game: Kalah, state: State) -> str:
    """Tell the opponent that a game begins; return how it fails, or ""."""
    try:
        opponent.new_game(game, state)
    except Exception as error:
        return describe_failure(error)
    return ""


def ask_opponent(opponent: Opponent, game: Kalah, state: State) -> tuple[int, str]:
    """Return the move of the opponent, and how it fails, or ""."""
    try:
        move = opponent.choose(game, state, None)
    except Exception as error:
        return 0, describe_failure(error)
    if move not in game.moves(state):
        return 0, f"illegal move {move!r:.40}"
    return move, ""


def describe_failure(error: Exception) -> str:
    """Return an error in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:LONGEST_FAILURE]


def judge_result(game: Kalah, state: State, side: int, fault: str, failure: str) -> tuple[int, str]:
    """Return the points of the player of a side, 2 for a win, and the result in words.

    Args:
        game: The game.
        state: The last position.
        side: The side of the player.
        fault: How the player has lost, or "".
        failure: How its opponent has failed, or "".
    """
    if fault:
        return 0, f"you lose: {fault}"
    if failure:
        return 2, f"you win, as the opponent has failed: {failure}"
    own, other = game.outcome(state)[side], game.outcome(state)[1 - side]
    if own > other:
        return 2, f"you win, {own} to {other}"
    if own == other:
        return 1, f"a draw, {own} to {other}"
    return 0, f"you lose, {own} to {other}"


def check_eval(args: tuple[Argument, ...]) -> str:
    """Return what is wrong with an agent's evaluation, or ""."""
    if len(args) == 1 and isinstance(args[0], int | float):
        return ""
    return "Write eval NUMBER"


def measure_agreement(pairs: Sequence[tuple[float, float]]) -> float:
    """Return the share of pairs of positions that an agent's values order as the others do.

    Args:
        pairs: For each position the agent's value and the other one. Two positions with the same
            other value are not compared; two with the same value of the agent count one half.
    """
    agreed = compared = 0.0
    for (value, reference), (value_2, reference_2) in combinations(pairs, 2):
        if reference == reference_2:
            continue
        compared += 1
        if value == value_2:
            agreed += 0.5
        elif (value < value_2) == (reference < reference_2):
            agreed += 1
    return agreed / compared if compared else 1.0
