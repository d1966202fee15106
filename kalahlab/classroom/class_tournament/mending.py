"""What a student can mend: the faults of an agent, each with its position, input and advice."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kalahlab.classroom.class_tournament.agents import Agent
from kalahlab.classroom.class_tournament.games import record_of
from kalahlab.classroom.class_tournament.tournament import Tournament, is_fault_of
from kalahlab.classroom.pit_offset import PitAnswer, explain_offset, read_pit
from kalahlab.games.game_text import GameRecord
from kalahlab.games.kalah import NORTH, SOUTH, State
from kalahlab.games.notation import format_board
from kalahlab.parallel import Row
from kalahlab.players.programs.dialects import DIALECTS, Talk

CLOCK = (
    "Look at the clock in the search: search depth 1, then 2 and so on, and answer with the best "
    "move so far before the time is over"
)
FLUSH = (
    "Either it finds no move in time: it searches too deep, or a loop does not end. Or it finds "
    "one and keeps the text back: flush the output after each line, as by print(move, flush=True) "
    "in Python, fflush(stdout) in C, System.out.flush() in Java"
)
STUCK = (
    "It was still running when it was stopped, at every such move: look for a loop that does not "
    "end, or for output that is not flushed"
)
JUST_LATE = "Keep a reserve, such as a tenth of the time"
ADVICE = {
    "late": CLOCK,
    "silent": f"{FLUSH}. {CLOCK}",
    "crashed": "Start your program by hand, give it the input below, and read what it writes to "
    "stderr",
    "unreadable": "Print only the move, on a line of its own, as UTF-8; what else you print "
    "belongs to stderr",
    "illegal": "Choose among the pits of the player to move that have stones",
}
ENDED = "Do not end the program before the game is over: read the next position in a loop"
PYTHON_QUESTION = """\
from kalahlab.games.kalah import Kalah
from kalahlab.games.notation import parse_board
from {module} import {name}

game, state = Kalah({board}), parse_board("{state}")
"""
MOST_KINDS = 5  # the most different faults on a page


def collect_faults(tournament: Tournament, key: str) -> list[Row]:
    """Return a row for each kind of fault of an agent, the most frequent first.

    Columns:
        fault: The kind.
        count: The number of games.
        reason: What the agent did in the first of them.
        advice: What to mend.
        game: The index of the first game in the rows of the tournament.
        state: The position.
        input: What the program was asked, "" if that is not one text.
    """
    agent = tournament.agents[key]
    faults = [row for row in tournament.rows if is_fault_of(row, key)]
    counts = Counter(row["fault"] for row in faults)
    table = []
    for kind, count in counts.most_common(MOST_KINDS):
        own = [row for row in faults if row["fault"] == kind]
        first = own[0]
        state = record_of(first, tournament.names).states[-1]
        advice = advise(agent, first, state)
        advice += advise_on_numbers(tournament, key, kind) + advise_on_time(own)
        table.append(
            {
                "fault": kind,
                "count": count,
                "reason": first["reason"],
                "advice": advice,
                "game": tournament.rows.index(first),
                "state": state,
                "board": format_board(state),
                "input": _question(agent, first, state),
            }
        )
    return table


def advise(agent: Agent, row: Row, state: State) -> str:
    """Return what to mend, in sentences."""
    advice = ADVICE[row["fault"]]
    if row["fault"] == "crashed" and "status 0" in row["reason"]:
        advice = ENDED
    if row["fault"] == "illegal" and agent.command:
        advice = f"{_explain_numbers(agent, row, state)}. {advice}"
    return f"{advice}."


def advise_on_numbers(tournament: Tournament, key: str, kind: str) -> str:
    """Return that an agent seems to count pits from another number, "" if it does not."""
    agent = tournament.agents[key]
    if kind != "illegal" or not agent.command:
        return ""
    answers = []
    for _, row in find_games(tournament, key):
        record = record_of(row, tournament.names)
        seat = NORTH if row["north"] == key else SOUTH
        for state, move in zip(record.states, record.moves, strict=False):
            if state.player == seat:
                answers.append(PitAnswer(state, move))
        pit = read_pit(row["reason"]) if is_fault_of(row, key) and row["fault"] == kind else None
        if pit is not None:
            answers.append(PitAnswer(record.states[-1], pit))
    explanation = explain_offset(answers, _find_first_pit(agent, record, record.states[-1]))
    return explanation and f" {explanation}."


def advise_on_time(rows: Sequence[Row]) -> str:
    """Return whether late moves of an agent were never answered or just too late, "" otherwise."""
    if rows[0]["fault"] != "late":
        return ""
    answered = [row for row in rows if row["reason"].startswith("answers ")]
    if answered:
        return f" {JUST_LATE}."
    is_over = any(row["reason"].startswith("has used up") for row in rows)
    return "" if is_over else f" {STUCK}."


def _find_first_pit(agent: Agent, record: GameRecord, state: State) -> int:
    """Return the number of the first pit in the answers of an agent."""
    if agent.function:
        return 0
    return DIALECTS[agent.dialect]().first_pit(Talk(record.game, record.start, state))


def _explain_numbers(agent: Agent, row: Row, state: State) -> str:
    """Return how the agent has to number the pits, and which number it has given."""
    pits = len(state.board) // 2 - 1
    if agent.function:
        return f"Your function {row['reason'].partition(';')[0]}; pits are 0 to {pits - 1}"
    record = record_of(row, {row["south"]: "", row["north"]: ""})
    first = _find_first_pit(agent, record, state)
    pit = read_pit(row["reason"])
    start = "" if pit is None else f"Your program printed {pit + first}; "
    text = f"{start}pits are {first} to {pits - 1 + first} in the dialect {agent.dialect}"
    return text[0].upper() + text[1:]


def _question(agent: Agent, row: Row, state: State) -> str:
    """Return the input with which a fault can be repeated; "" if it is not one text."""
    if agent.function:
        *_, file, name = agent.command
        return PYTHON_QUESTION.format(
            board=row["board"], state=format_board(state), module=Path(file).stem, name=name
        )
    if agent.player or agent.dialect not in ("kgpc", "buet", "json", "homework"):
        return ""
    record = record_of(row, {row["south"]: "", row["north"]: ""})
    milliseconds = round(1000 * row["seconds"])
    talk = Talk(record.game, record.start, state, milliseconds, agent.depth)
    dialect = DIALECTS[agent.dialect]()
    return dialect.ask(talk)


def list_faults(tournament: Tournament) -> list[dict[str, Any]]:
    """Return the faults of all agents, in the order of the standings."""
    table = []
    for place in tournament.standings:
        for fault in collect_faults(tournament, place["key"]):
            table.append({"key": place["key"], "name": place["name"], **fault})
    return table


def find_games(tournament: Tournament, key: str) -> Sequence[tuple[int, Row]]:
    """Return the games of an agent, with their indices in the rows."""
    return [
        (index, row)
        for index, row in enumerate(tournament.rows)
        if key in (row["south"], row["north"])
    ]
