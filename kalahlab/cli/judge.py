"""The command `kalahlab judge`."""

import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import click

from kalahlab.cli import options
from kalahlab.cli.growth import is_typed
from kalahlab.cli.options import FILE, PLAYER, Answer, json_command
from kalahlab.cli.output import format_interval, print_note, split_player_spec
from kalahlab.files import write_atomic
from kalahlab.formatting import format_grid
from kalahlab.games.notation import format_board
from kalahlab.games.rules import Rules, format_rules
from kalahlab.games.supported import STORED


@json_command()
@click.argument("player", type=PLAYER)
@click.option(
    "--set",
    "part",
    type=click.Choice(["train", "validation", "test", "all"]),
    default="test",
    help="The set of positions. train, validation and test are for training, choosing and testing "
    "evaluators.",
)
@click.option(
    "--board",
    metavar="PITS,STONES",
    help="Only positions of games that began on this board.  [default: all boards]",
)
@click.option(
    "--starts",
    type=click.Choice(["fairkalah"]),
    help="Judge the first move from each fair start of FairKalah, instead of a --set.",
)
@click.option(
    "--positions",
    "number",
    type=options.at_least(1, "positions"),
    help="Judge only so many of the positions, drawn at random; the same number draws the same "
    "ones.  [default: all]",
)
@options.rules(default="standard")
@options.players_backend
@click.option(
    "--csv",
    type=FILE,
    help="Also write the move in each position as CSV. start is the board on which its game began.",
)
def judge(player: str, rules: Rules, backend: str, csv: Path | None, **selection: Any) -> Answer:
    """Compare the moves of PLAYER with perfect play, in solved positions of Kalah.

    PLAYER is a player of `kalahlab match`, or the import path of a function that takes a game and
    a state and returns a move, a pit from 0. Where PLAYER makes no legal move in time, the worst
    move counts. Only the move that PLAYER plays is judged, even if PLAYER values several moves
    equally. Prints for all positions, and for the positions of each
    phase:

    \b
    optimal   share of the moves that have the highest value
    kept      share of the moves that keep the outcome: a win, a draw or a loss
    regret    stones that a move gives up, on average

    Each number has a 95% interval, for which the positions of one game count as one observation.
    The opening has more than two thirds of the stones in play, the middle more than one third, and
    the end no more than that. The positions come from data/benchmark.csv.gz, the starts from
    data/fairkalah.csv.

    \b
    kalahlab judge alpha_beta:fitted:4 --board 6,4
    kalahlab judge uct:random:2000p --positions 100
    kalahlab judge alpha_beta:e3:6 --starts fairkalah
    """
    import numpy as np
    from tqdm import tqdm

    from kalahlab.judging.regret import judge_player, summarize
    from kalahlab.players.model import closing_players
    from kalahlab.players.parse import make_player

    late_states = list[Any]()
    judged_player = make_player(player, "kalah", backend, strict=True, on_late=late_states.append)
    part, boards, positions = select_positions(rules=rules, **selection)
    shown_positions = tqdm(positions, unit="position", disable=not sys.stderr.isatty())
    with closing_players([judged_player]):
        judged = judge_player(judged_player, shown_positions, player)
    if csv is not None:
        write_moves(csv, judged, positions)
    summary = summarize(judged)
    data = describe_player(player) | {"board": boards, "rules": format_rules(rules), "set": part}
    # JSON has no infinite interval, that of a single game. Only an object column can contain None.
    finite_summary = summary.astype(object).replace([np.inf, -np.inf], None)
    faults = [*judged["fault"].dropna()] if "fault" in judged else []
    data |= {"late": len(late_states), "faults": faults}
    data |= {"results": finite_summary.to_dict("records")}
    note_late_moves(len(late_states), len(positions), player)
    note_faults(faults, len(positions), player)
    table = format_regrets(summary.to_dict("records"))
    return Answer(data, f"{player}\n{part} positions, {format_rules(rules)} rules\n\n{table}")


def describe_player(player: str) -> dict[str, Any]:
    """Return the parts of a player's text by their names in JSON."""
    algorithm, limit = split_player_spec(player)
    # In the JSON of all commands, "depth" is the limit of a search, even if that is nodes or time.
    return {"game": "kalah", "player": player, "algorithm": algorithm, "depth": limit}


def draw_sample(positions: list[Any], number: int | None) -> list[Any]:
    """Return so many of the positions in their order, drawn with seed 0; all without a number.

    Raises:
        ValueError: There are fewer positions.
    """
    if number is None:
        return positions
    if number > len(positions):
        raise ValueError(f"positions is {number}; use {len(positions)} or less, or leave it out")
    indices = Random(0).sample(range(len(positions)), number)
    return [positions[index] for index in sorted(indices)]


def note_late_moves(late: int, number: int, player: str) -> None:
    """Print a note if moves of a player took longer than its time limit."""
    if late:
        print_note(f"note: {late} of {number} moves took longer than the time limit of {player}")


def note_faults(faults: Sequence[str], number: int, player: str) -> None:
    """Print a note if a player made no legal move in some of the positions."""
    if faults:
        print_note(
            f"note: {player} made no legal move in {len(faults)} of {number} positions, where the "
            f"worst move counts; the first: {faults[0]}"
        )


def format_regrets(rows: Sequence[dict[Any, Any]]) -> str:
    """Return the results of a judged player, each with its interval, as a table.

    Args:
        rows: The rows of `summarize`: for all positions, and for those of each phase.
    """
    lines = []
    for row in rows:
        line = {"": row["of"], "n": row["positions"]}
        line |= {name: format_interval(row, name, ".2f") for name in ("optimal", "kept", "regret")}
        lines.append(line)
    return format_grid(lines)


def write_moves(file: Path, judged: Any, positions: Sequence[Any]) -> None:
    """Write the judged moves as CSV, with the position of each move.

    Args:
        file: The file to write.
        judged: The result of `judge_player`.
        positions: The positions, in the order of the rows of `judged`.
    """
    # The column `board` of `judged` has the board on which the game began. In the CSV this column
    # is called `start`, and `board` has the position itself.
    table = judged.rename(columns={"board": "start"})
    table.insert(1, "board", [format_board(position.state) for position in positions])
    write_atomic(file, table.to_csv(index=False, lineterminator="\n"))


def select_positions(
    part: str, board: str | None, starts: str | None, number: int | None, rules: Rules
) -> tuple[str, list[str], list[Any]]:
    """Return the name of a set, the boards on which games began, such as `6,4`, and its positions.

    Args:
        part: The set of positions, or "all".
        board: The starting board `PITS,STONES` of the positions; None for all boards.
        starts: The name of starts to take instead of a set, if any.
        number: How many positions to draw; None for all.
        rules: The rules.

    Raises:
        ValueError: No positions have these rules, or come from a game that began on this board, or
            there are fewer.
        click.UsageError: There are starts and options of a set.
    """
    name = format_rules(rules)
    if name not in STORED:
        raise ValueError(
            f"solved positions are known for the rules {' and '.join(STORED)}, not for {name}"
        )
    if starts is None:
        boards, positions = load_benchmark(part, board, name)
        return part, boards, draw_sample(positions, number)
    for option in ("part", "board"):
        if is_typed(option):
            raise click.UsageError("--starts goes without --set and --board; leave them out")
    return starts, ["6,4"], draw_sample(load_starts(name), number)


def load_starts(rules: str) -> list[Any]:
    """Return the fair starts of FairKalah by the rules of this name."""
    from kalahlab.judging.solved_positions import load_positions

    return [position for position in load_positions("fairkalah.csv") if position.rules == rules]


def load_benchmark(part: str, board: str | None, rules: str) -> tuple[list[str], list[Any]]:
    """Return the boards on which games began, such as `6,4`, and the positions of these games.

    Args:
        part: The set of positions, or "all".
        board: The starting board `PITS,STONES` of the positions; None for all boards.
        rules: The name of the rules.

    Raises:
        ValueError: No position comes from a game that began on this board.
    """
    from kalahlab.judging.solved_positions import load_positions

    by_board: dict[str, list[Any]] = {}
    positions = list[Any]()
    for position in load_positions("benchmark.csv.gz"):
        # The interval of a result needs the game of each position.
        if position.game and position.rules == rules and part in (position.part, "all"):
            pits, stones = position.start
            by_board.setdefault(f"{pits},{stones}", []).append(position)
            positions.append(position)
    if board is None:
        return sorted(by_board), positions
    if board not in by_board:
        raise ValueError(
            f"no positions for board {board!r}; use one of {' '.join(sorted(by_board))}"
        )
    return [board], by_board[board]
