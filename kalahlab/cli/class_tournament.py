"""The tournament of a class: `kalahlab tournament class/ --out cup`."""

import re
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from textwrap import fill
from typing import Any

import click

from kalahlab.cli import options
from kalahlab.cli.options import Answer, ParsedParam, at_least, parse_board_size
from kalahlab.cli.output import print_note
from kalahlab.formatting import WIDTH, format_grid, format_number
from kalahlab.games.rules import Rules, format_rules
from kalahlab.names import parse_float
from kalahlab.players.levels import LEVELS
from kalahlab.players.parse import FACTORIES, import_player_parts

NOT_OF_A_CLASS = ("starts", "game", "games_folder")
USUAL_SECONDS = 1.0  # for a move
LONGEST_NAME = 24  # characters of a name in the table


def is_class(text: str) -> bool:
    """Return whether a text is the folder of a class, and no name of a player."""
    return Path(text).is_dir() and text not in {*FACTORIES, *LEVELS}


def import_player(text: str) -> str:
    """Import what the text of a player names; the folder of a class names nothing."""
    return text if is_class(text) else import_player_parts(text)


PLAYER_OR_CLASS = ParsedParam("player", import_player)


@dataclass(frozen=True)
class ClassSettings:
    """The options of a tournament that are for a class; see `class_options`."""

    board: tuple[tuple[int, int], ...]
    game_seconds: float | None
    swiss: int | None
    seed: int
    memory: int
    review: float
    unsafe: bool


CLASS_OPTIONS = options.compose_options(
    click.option(
        "--board",
        type=ParsedParam("PITS,STONES", parse_board_size),
        multiple=True,
        show_default="6,6",
        help="Class: a board on which each two players play twice. Give several, such as those of "
        "FAU: 6,6 and 8,8 and 10,10 and 12,12.",
    ),
    click.option(
        "--game-seconds",
        type=at_least(0.001, "game seconds", 10**6, parse_float),
        show_default="none",
        help="Class: the time for all moves of a program in a game.",
    ),
    options.number(
        "--swiss",
        1,
        help="Class: the number of rounds of a Swiss tournament, in place of a round robin.",
    ),
    options.number("--seed", 0, default="1", help="Class: decides pairings, order and openings."),
    options.number(
        "--memory",
        64,
        10**6,
        default="2048",
        help="Class: the memory of a program, in megabytes.",
    ),
    click.option(
        "--review",
        type=at_least(0, "review", 86400, parse_float),
        default="3",
        help="Class: the seconds for exact values of a game of each student; 0 for no worst moves.",
    ),
    click.option(
        "--unsafe",
        is_flag=True,
        help="Class: if there is no bubblewrap to isolate the programs, run them with your rights: "
        "they could then read and change your files.",
    ),
)


def class_options(command: Callable[..., Answer]) -> Any:
    """Add the options of a class, and pass them as `class_settings`, or None without a class.

    An option that is for the other kind of tournament is refused.
    """

    @CLASS_OPTIONS
    @wraps(command)
    def call(players: tuple[str, ...], **arguments: Any) -> Answer:
        names = ClassSettings.__dataclass_fields__
        settings = ClassSettings(**{name: arguments.pop(name) for name in names})
        context = click.get_current_context()
        has_class = any(map(is_class, players))
        for name in NOT_OF_A_CLASS if has_class else names:
            if context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
                option = name.removesuffix("_folder").replace("_", "-")
                which = "without the folder of a class" if has_class else "of a class"
                raise click.UsageError(f"--{option} is for a tournament {which}; leave it out")
        return command(players, class_settings=settings if has_class else None, **arguments)

    return call


def play_class(
    players: Sequence[str],
    settings: ClassSettings,
    rules: Rules,
    workers: int,
    out: Path | None,
    seconds: float | None,
    openings: int | None,
    **_: Any,
) -> Answer:
    """Play a tournament of the students in folders, and of other players; see `tournament`."""
    from kalahlab.classroom.class_tournament.agents import Agent, find_agents
    from kalahlab.classroom.class_tournament.isolation import choose_confinement
    from kalahlab.classroom.class_tournament.pages import write_pages
    from kalahlab.classroom.class_tournament.tournament import Format, play_tournament
    from kalahlab.classroom.class_tournament.worst_moves import find_worst_moves

    if out is None:
        raise click.UsageError("a tournament of a class needs --out FOLDER, such as --out cup")
    seconds = seconds or USUAL_SECONDS
    longest = int(settings.game_seconds or 1000 * seconds) + 60
    confinement, note = choose_confinement(settings.unsafe, settings.memory, longest)
    if note:
        print_note(note)
    agents, absentees = list[Agent](), []
    for player in players:
        taken = [agent.key for agent in agents]
        if is_class(player):
            students, missing = find_agents(Path(player), out, confinement, taken)
            agents += students
            absentees += missing
        else:
            agents.append(text_agent(player, taken))
    for absentee in absentees:
        print_note(f"{absentee.name} does not take part: {absentee.reason}")
    form = Format(
        [f"{pits},{stones}" for pits, stones in settings.board] or ["6,6"],
        openings,
        format_rules(rules),
        seconds,
        settings.game_seconds,
        settings.swiss,
        settings.seed,
    )
    shows = sys.stderr.isatty()
    result = play_tournament(agents, absentees, form, confinement, out, workers, shows, print_note)
    worst = find_worst_moves(result, out, settings.review, workers, shows)
    files = write_pages(result, worst, out, format_command(sys.argv[1:]))
    return Answer(to_json(result), format_result(result, files))


def format_command(words: Sequence[str]) -> str:
    """Return the words of a command line as text for a page."""
    return shlex.join(words).encode(errors="replace").decode()


def text_agent(player: str, taken: Sequence[str]) -> Any:
    """Return the agent of a player that is given as text."""
    from kalahlab.classroom.class_tournament.agents import Agent
    from kalahlab.players.model import as_player
    from kalahlab.players.parse import make_player

    as_player(make_player(player, backend="textbook")).close()  # a check of the text
    stem = re.sub(r"[^\w.+-]+", "-", player).strip("-.")[:60]
    key, number = stem, 1
    while key.casefold() in {other.casefold() for other in taken}:
        number += 1
        key = f"{stem}-{number}"
    return Agent(key=key, name=player, player=player)


def to_json(result: Any) -> dict[str, Any]:
    """Return the result of a tournament as values for JSON."""
    from kalahlab.classroom.class_tournament.mending import list_faults
    from kalahlab.classroom.class_tournament.pages import standings_rows

    faults = []
    for fault in list_faults(result):
        faults.append({name: value for name, value in fault.items() if name != "state"})
    absentees = [
        {"name": absentee.name, "reason": absentee.reason} for absentee in result.absentees
    ]
    return {
        "boards": list(result.format.boards),
        "rules": result.format.rules,
        "games": len(result.rows),
        "standings": standings_rows(result),
        "faults": faults,
        "absentees": absentees,
    }


def format_result(result: Any, files: Sequence[Path]) -> str:
    """Return the standings, who beat whom, and the faults, as text."""
    from kalahlab.classroom.class_tournament.mending import list_faults
    from kalahlab.classroom.class_tournament.pages import cross_rows, standings_rows

    places = standings_rows(result)
    width = max(len(shorten_name(row["name"])) for row in places)
    parts = [format_grid([format_place(row, width) for row in places])]
    cross = format_cross(cross_rows(result), width)
    if max(map(len, cross.splitlines())) <= WIDTH:
        parts.append(f"Who beat whom\n{cross}")
    lines = []
    for fault in list_faults(result):
        games = "game" if fault["count"] == 1 else "games"
        text = f"{fault['name']}, {fault['fault']} in {fault['count']} {games}: {fault['reason']}"
        lines.append(fill(text, WIDTH, subsequent_indent="  "))
    parts.append("\n".join(["Faults:", *lines]) if lines else "No player made a fault.")
    if result.absentees:
        absent = [
            fill(f"{absentee.name}: {absentee.reason}", WIDTH, subsequent_indent="  ")
            for absentee in result.absentees
        ]
        parts.append("\n".join(["Not taking part:", *absent]))
    parts.append(f"open {files[0]}")
    return "\n\n".join(parts)


def format_cross(cross: Sequence[Mapping[str, Any]], width: int) -> str:
    """Return who beat whom as a table with a column for each player's number."""
    rows = []
    for row in cross:
        name = f"{row['number']:>2} {shorten_name(row['name']).ljust(width)}"
        rows.append({"": name, **row["scores"]})
    return format_grid(rows)


def shorten_name(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def format_place(row: Mapping[str, Any], width: int) -> dict[str, str]:
    """Return a row of the standings as texts; names are padded to a width."""
    share = "-"
    if row["share"] is not None:
        share = f"{row['share']:.2f} ({row['low']:.2f} to {row['high']:.2f})"
    return {
        "": f"{row['place']}.",
        "name": shorten_name(row["name"]).ljust(width),
        "points": format_number(row["points"]),
        "share": share,
        "w-d-l": f"{row['wins']}-{row['draws']}-{row['losses']}",
        "faults": str(row["faults"]),
        "seconds": f"{row['seconds']:.1f}",
    }
