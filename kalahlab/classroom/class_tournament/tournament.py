"""A tournament of agents: its games, played in rounds and kept, and its standings."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

from kalahlab.classroom.class_tournament import schedule
from kalahlab.classroom.class_tournament.agents import Absentee, Agent
from kalahlab.classroom.class_tournament.games import SEATS, Meeting, play_meeting
from kalahlab.classroom.class_tournament.isolation import Confinement
from kalahlab.classroom.class_tournament.schedule import Pairing
from kalahlab.games.notation import format_board
from kalahlab.matches.rating import score_interval
from kalahlab.parallel import Row, run_all
from kalahlab.players.game_loop import random_position

ROWS = "rows"  # the folder of the rows of games
OPENING_PLIES = 4  # the random moves before an opening
DRAWS = 100  # the most positions that are drawn to find an opening


@dataclass(frozen=True)
class Format:
    """What is played.

    Attributes:
        boards: The boards, such as `6,4`. Two players play each board twice.
        openings: The number of positions on each board from which they play twice; None for its
            usual start only. See `draw_openings`.
        rules: The rules as text.
        seconds: The most time for a move.
        game_seconds: The most time for a program's moves of a game; None for no limit.
        rounds: The rounds of a Swiss tournament; None for a round robin.
        seed: Decides the pairings, the order of the games, and the openings.
    """

    boards: Sequence[str]
    openings: int | None = None
    rules: str = "standard"
    seconds: float = 1.0
    game_seconds: float | None = None
    rounds: int | None = None
    seed: int = 1


@dataclass(frozen=True)
class Tournament:
    """A finished tournament.

    Attributes:
        agents: The agents by key.
        absentees: The students who do not take part.
        format: What was played.
        rows: A row of `play_meeting` for each game.
        rests: How often each agent rested in a Swiss tournament.
        standings: A row of `rank` for each agent, the best first.
    """

    agents: Mapping[str, Agent]
    absentees: Sequence[Absentee]
    format: Format
    rows: Sequence[Row]
    rests: Mapping[str, int]
    standings: Sequence[Row]

    @property
    def names(self) -> dict[str, str]:
        return {key: agent.name for key, agent in self.agents.items()}


def play_tournament(
    agents: Sequence[Agent],
    absentees: Sequence[Absentee],
    form: Format,
    confinement: Confinement,
    out: Path,
    workers: int = 1,
    progress: bool = False,
    tell: Callable[[str], object] = lambda text: None,
) -> Tournament:
    """Play a tournament; games that `out` has already are not played again.

    Args:
        agents: The agents, two or more.
        absentees: The students who do not take part, for the result.
        form: What is played.
        confinement: How programs are confined.
        out: The folder of the tournament.
        workers: The number of games at a time, each in a process.
        progress: Show a bar with the remaining time.
        tell: Called with a line at the beginning of each round of a Swiss tournament.

    Raises:
        ValueError: There are fewer than two agents, too many rounds or openings, or an agent that
            is told no board cannot play openings.
    """
    if len(agents) < 2:
        reasons = "".join(f"\n{absentee.name}: {absentee.reason}" for absentee in absentees)
        raise ValueError(f"{len(agents)} of the players can play; a tournament needs two{reasons}")
    boards = _find_starts(form, agents)
    by_key = {agent.key: agent for agent in agents}
    work = partial(play_meeting, by_key, confinement)

    def play(pairings: Sequence[Pairing]) -> list[Row]:
        meetings = _make_meetings(pairings, boards, form, by_key)
        return run_all(work, meetings, workers, None, out / ROWS, progress=progress, unit="game")

    rests: dict[str, int] = defaultdict(int)
    if form.rounds is None:
        rows = play(schedule.round_robin([*by_key], form.seed))
        return Tournament(by_key, absentees, form, rows, rests, rank(by_key, rows, rests))
    rows = _play_rounds(by_key, form, play, rests, tell)
    return Tournament(by_key, absentees, form, rows, rests, rank(by_key, rows, rests))


def _play_rounds(
    agents: Mapping[str, Agent],
    form: Format,
    play: Callable[[Sequence[Pairing]], list[Row]],
    rests: dict[str, int],
    tell: Callable[[str], object],
) -> list[Row]:
    """Play the rounds of a Swiss tournament, and count who rests; return the rows of all games."""
    assert form.rounds is not None
    schedule.check_rounds(form.rounds, len(agents))
    pairings, rows = list[Pairing](), list[Row]()
    for number in range(1, form.rounds + 1):
        tell(f"round {number} of {form.rounds}")
        points = {row["key"]: row["points"] for row in rank(agents, rows, rests)}
        paired, resting = schedule.pair_round(points, pairings, rests, form.seed)
        if resting is not None:
            rests[resting] += 1
        pairings += paired
        rows = play(pairings)  # those of earlier rounds are only read
    return rows


def _find_starts(form: Format, agents: Sequence[Agent]) -> list[tuple[str, str]]:
    """Return each board with each of its openings; "" is the usual start."""
    if form.openings is None:
        return [(board, "") for board in form.boards]
    for agent in agents:
        if agent.dialect == "nmsu":
            raise ValueError(
                f"{agent.name} has the dialect nmsu, which is told no board and plays from the "
                "usual start only; leave --openings out"
            )
    return [
        (board, opening)
        for board in form.boards
        for opening in draw_openings(board, form.rules, form.openings, form.seed)
    ]


def draw_openings(board: str, rules: str, number: int, seed: int) -> list[str]:
    """Return different positions after `OPENING_PLIES` random moves, with South to move.

    Raises:
        ValueError: There are too few such positions.
    """
    game = Meeting("", "", board, rules).game
    rng = Random(seed)
    openings = dict[str, None]()  # a dictionary, as a set has no order
    for _ in range(DRAWS * number):
        state = random_position(game, rng, OPENING_PLIES)
        if not game.is_over(state):
            openings[format_board(state)] = None
        if len(openings) == number:
            return [*openings]
    raise ValueError(f"the board {board} has fewer than {number} openings; use a smaller number")


def _make_meetings(
    pairings: Sequence[Pairing],
    boards: Sequence[tuple[str, str]],
    form: Format,
    agents: Mapping[str, Agent],
) -> list[Meeting]:
    """Return the games of pairings: on each board, with each of the two as South."""
    meetings = []
    for one, other in pairings:
        for board, opening in boards:
            for south, north in ((one, other), (other, one)):
                limits = form.rules, form.seconds, form.game_seconds
                codes = agents[south].version, agents[north].version
                meetings.append(Meeting(south, north, board, *limits, *codes, opening))
    return meetings


def rank(agents: Mapping[str, Agent], rows: Sequence[Row], rests: Mapping[str, int]) -> list[Row]:
    """Return a row for each agent, the best first.

    Agents are ranked by their points, and then by the points of their opponents. In a round robin
    these are the same for the same points.

    Columns:
        place: The place. Agents that cannot be told apart have the same one.
        key, name: Those of the agent.
        points: 1 for a win, 1/2 for a draw; a rest counts as a win of each game of a round.
        share: The points of a played game on average; None before the first game.
        low, high: The ends of its interval, see `rating.score_interval`; the games against one
            opponent are one unit.
        games, wins, draws, losses: The numbers of games.
        faults: The number of losses by a fault of the agent.
        opponents: The sum of the opponents' points.
        seconds: The time of all its moves.
    """
    results = results_by_opponent(rows)
    table = []
    for key, agent in agents.items():
        own = [row for row in rows if key in (row["south"], row["north"])]
        scores = [points_of(row, key) for row in own]
        rest_games = rests.get(key, 0) * _games_a_pairing(rows)
        row: Row = {"key": key, "name": agent.name, "points": sum(scores) + rest_games}
        row |= dict.fromkeys(("share", "low", "high"))
        if own:
            interval = score_interval([fmean(points) for points in results[key].values()])
            row |= zip(("share", "low", "high"), interval, strict=True)
            row["share"] = fmean(scores)
        row["games"] = len(own)
        row |= {"wins": scores.count(1), "draws": scores.count(0.5), "losses": scores.count(0)}
        row["faults"] = len([game for game in own if is_fault_of(game, key)])
        row["seconds"] = round(sum(game[f"seconds_{seat_of(game, key)}"] for game in own), 1)
        table.append(row)
    points = {row["key"]: row["points"] for row in table}
    for row in table:
        row["opponents"] = sum(points[opponent] for opponent in results[row["key"]])
    table.sort(key=lambda row: (-row["points"], -row["opponents"], row["key"]))
    ranks = [(row["points"], row["opponents"]) for row in table]
    return [{"place": ranks.index(rank) + 1, **row} for rank, row in zip(ranks, table, strict=True)]


def _games_a_pairing(rows: Sequence[Row]) -> int:
    """Return the number of games that two players play against each other."""
    return len(SEATS) * len({(row["board"], row["opening"]) for row in rows})


def results_by_opponent(rows: Sequence[Row]) -> dict[str, dict[str, list[float]]]:
    """Return the points of the games, by the agent and its opponent."""
    results: dict[str, Any] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        for one, other in ((row["south"], row["north"]), (row["north"], row["south"])):
            results[one][other].append(points_of(row, one))
    return results


def seat_of(row: Row, key: str) -> str:
    """Return "south" or "north", the seat of an agent in a game."""
    return "south" if row["south"] == key else "north"


def opponent_of(row: Row, key: str) -> str:
    """Return the key of an agent's opponent in a game."""
    opponent: str = row["north"] if row["south"] == key else row["south"]
    return opponent


def points_of(row: Row, key: str) -> float:
    """Return the points of an agent in a game."""
    points: float = row["points"]
    return points if row["south"] == key else 1 - points


def is_fault_of(row: Row, key: str) -> bool:
    """Return whether a fault of the agent ended a game."""
    return bool(row["loser"]) and row[row["loser"]] == key
