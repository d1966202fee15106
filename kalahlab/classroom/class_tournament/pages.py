"""The pages of a tournament: the standings, and a page for each student.

All texts of students, such as names and what a program writes, are escaped by the templates.
"""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kalahlab.classroom.class_tournament.games import format_record, record_of
from kalahlab.classroom.class_tournament.mending import collect_faults, find_games, list_faults
from kalahlab.classroom.class_tournament.tournament import (
    Tournament,
    is_fault_of,
    opponent_of,
    points_of,
    results_by_opponent,
    seat_of,
)
from kalahlab.draw.board_svg import BoardView, board_svg, describe
from kalahlab.files import write_atomic
from kalahlab.formatting import format_number
from kalahlab.games.kalah import NAMES
from kalahlab.parallel import Row
from kalahlab.report.rendering import render
from kalahlab.untrusted import escape_control_characters, escape_formula

STANDINGS_COLUMNS = (
    "place", "name", "members", "points", "share", "low", "high", "games", "wins", "draws",
    "losses", "faults", "opponents", "seconds",
)  # fmt: skip
FAULTS_COLUMNS = ("name", "fault", "count", "reason", "advice", "file", "board")
COMMAND = "tournament"
GAME_FILE = re.compile(r"\d{4,}-.*\.txt")


def write_pages(
    tournament: Tournament,
    worst: Mapping[str, Sequence[Row]],
    out: Path,
    command: str = COMMAND,
) -> list[Path]:
    """Write all files of a tournament to a folder, and return the standings' files.

    Args:
        tournament: The tournament.
        worst: The worst moves of agents; see `find_worst_moves`.
        out: The folder.
        command: The command of kalahlab that the tournament can be played again with.
    """
    for name in ("games", "students"):
        (out / name).mkdir(parents=True, exist_ok=True)
    files = game_files(tournament)
    names = tournament.names
    for path in (out / "games").iterdir():  # of an earlier run with other agents
        if GAME_FILE.fullmatch(path.name) and path.name not in files:
            path.unlink()
    for file, row in zip(files, tournament.rows, strict=True):
        write_atomic(out / "games" / file, format_record(row, names))
    for place in tournament.standings:
        page = render_student(tournament, place, worst.get(place["key"], ()), files)
        write_atomic(out / "students" / f"{place['key']}.html", page)
    faults = list_faults(tournament)
    for fault in faults:
        fault["file"] = f"games/{files[fault['game']]}"
    index = out / "index.html"
    write_atomic(index, render_index(tournament, faults, command))
    standings = out / "standings.csv"
    write_atomic(standings, to_csv(standings_rows(tournament), STANDINGS_COLUMNS))
    write_atomic(out / "faults.csv", to_csv(faults, FAULTS_COLUMNS))
    table = []
    for row in cross_rows(tournament):
        # A spreadsheet would read 2:0 as a time, and 2-0 as a date.
        scores = {number: score.replace(":", " to ") for number, score in row["scores"].items()}
        table.append({"": row["name"], **scores})
    write_atomic(out / "cross_table.csv", to_csv(table, [*table[0]]))
    for absentee in tournament.absentees:
        page = render(
            "class_absentee.html.j2", command=COMMAND, title=absentee.name, absentee=absentee
        )
        write_atomic(out / "students" / f"{absentee.key}.html", page)
    return [index, standings]


def game_files(tournament: Tournament) -> list[str]:
    """Return the name of the file of each game."""
    return [
        f"{number:04d}-{row['south']}-{row['north']}-{row['board'].replace(',', 'x')}.txt"
        for number, row in enumerate(tournament.rows, start=1)
    ]


def standings_rows(tournament: Tournament) -> list[Row]:
    """Return the rows of the standings with the members of teams."""
    rows = []
    for row in tournament.standings:
        members = ", ".join(tournament.agents[row["key"]].members)
        rows.append({**row, "members": members})
    return rows


def cross_rows(tournament: Tournament) -> list[dict[str, Any]]:
    """Return who beat whom: the points of each agent (row) against each other one, best first.

    The agents have numbers from 1, as several may have the same place.
    """
    results = results_by_opponent(tournament.rows)
    keys = [row["key"] for row in tournament.standings]
    names = tournament.names
    table = []
    for number, key in enumerate(keys, start=1):
        scores = {}
        for column, other in enumerate(keys, start=1):
            points = results[key].get(other, [])
            own = sum(points)
            scores[f"{column}"] = f"{own:g}:{len(points) - own:g}" if points else ""
        table.append({"number": number, "key": key, "name": names[key], "scores": scores})
    return table


def to_csv(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> str:
    """Return rows as CSV whose texts cannot act as formulas or control a terminal."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow(_to_cell(row[name]) for name in columns)
    # Without a byte-order mark, Excel misreads names such as Éva.
    return text.getvalue() if text.getvalue().isascii() else f"\ufeff{text.getvalue()}"


def _to_cell(value: Any) -> Any:
    if isinstance(value, str):
        value = escape_control_characters(value, allowed="")
    if isinstance(value, float):
        value = round(value, 4)
    return escape_formula(value)


def render_index(tournament: Tournament, faults: Sequence[Mapping[str, Any]], command: str) -> str:
    """Return the page with the standings."""
    return render(
        "class_tournament.html.j2",
        command=command,
        title="The tournament",
        form=tournament.format,
        rests=tournament.rests,
        games=len(tournament.rows),
        standings=standings_rows(tournament),
        cross=cross_rows(tournament),
        faults=faults,
        absentees=tournament.absentees,
        number=format_number,
    )


def render_student(
    tournament: Tournament, place: Row, worst: Sequence[Row], files: Sequence[str]
) -> str:
    """Return the page of a student.

    Args:
        tournament: The tournament.
        place: The student's row of the standings.
        worst: The worst moves of the student.
        files: The files of the games.
    """
    key = place["key"]
    return render(
        "class_student.html.j2",
        command=COMMAND,
        title=place["name"],
        agent=tournament.agents[key],
        place=place,
        of=len(tournament.standings),
        games=_game_views(tournament, key, files),
        faults=[_fault_view(fault, files) for fault in collect_faults(tournament, key)],
        moves=[_move_view(tournament, move, files) for move in worst],
        number=format_number,
    )


def _game_views(tournament: Tournament, key: str, files: Sequence[str]) -> list[dict[str, Any]]:
    """Return the games of an agent, lost ones first."""
    names = tournament.names
    views = []
    for index, row in find_games(tournament, key):
        points = points_of(row, key)
        margin = row["margin"]
        if margin is not None and row["south"] != key:
            margin = -margin
        ending = "" if margin is None else format_margin(margin)
        if row["loser"]:
            who = "own fault" if is_fault_of(row, key) else "fault of the other"
            ending = f"{who}: {row['fault']}"
        views.append(
            {
                "file": files[index],
                "number": index + 1,
                "opponent": opponent_of(row, key),
                "opponent_name": names[opponent_of(row, key)],
                "board": row["board"],
                "side": seat_of(row, key).capitalize(),
                "result": {1.0: "won", 0.5: "drawn", 0.0: "lost"}[points],
                "ending": ending,
                "points": points,
            }
        )
    return sorted(views, key=lambda view: (view["points"], view["number"]))


def format_margin(margin: int) -> str:
    """Return a margin with its sign; 0 has none."""
    return f"{margin:+d}".replace("-", "\N{MINUS SIGN}") if margin else "0"


def _move_view(tournament: Tournament, move: Row, files: Sequence[str]) -> dict[str, Any]:
    """Return what a page shows of a move."""
    row = tournament.rows[move["game"]]
    record = record_of(row, tournament.names)
    state = record.states[move["number"] - 1]
    margins = {int(pit): margin for pit, margin in move["margins"].items()}
    last = state.player, move["pit"]
    picture = board_svg(state, values=margins, last=last)
    return {
        **move,
        "seat": NAMES[state.player],
        "file": files[move["game"]],
        "game_number": move["game"] + 1,
        "picture": (picture, describe(BoardView(state, last=last, values=margins))),
    }


def _fault_view(fault: Row, files: Sequence[str]) -> dict[str, Any]:
    """Return what a page shows of a fault."""
    state = fault["state"]
    picture = board_svg(state), describe(BoardView(state))
    return {**fault, "file": files[fault["game"]], "picture": picture}
