"""The commands `kalahlab match`, `tournament`, `judge` and `grid`."""

import sys
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path
from textwrap import fill
from typing import Any

import click

from kalahlab.cli import options
from kalahlab.cli.options import FILE, FOLDER, INPUT, PLAYER, Answer, ParsedParam, json_command
from kalahlab.cli.output import describe_run, print_note, split_player_specs
from kalahlab.files import write_atomic
from kalahlab.formatting import WIDTH, format_grid
from kalahlab.games.kalah import PRESETS, Kalah
from kalahlab.games.notation import format_board
from kalahlab.players.search_spec import SearchSpec
from kalahlab.untrusted import prefix_errors

SELF_PLAY = (
    "Each game is played by one search for both sides, so the margin says how well South starts, "
    "not how strong the search is."
)
AGAIN = "Games that use a module of yours are played again when its file changes."
DIGITS = {"nodes": 0, "nodes_sd": 0, "margin": 1, "margin_sd": 1}

match_options = options.compose_options(
    options.number(
        "--openings",
        1,
        help="Number of fair openings, each played twice with sides exchanged.  [default: 16]",
    ),
    options.preset,
    options.players_backend,
    options.workers(default="1", help="Number of processes."),
    click.option(
        "--out",
        type=FOLDER,
        help="A folder for finished games, from which the same command goes on. rows.csv has a row "
        "for each pair of games. margin_1, margin_2: margins of ONE in stones; ONE is South in the "
        "first game. lost_on_time_1, lost_on_time_2: who lost on time. seconds: differ from run "
        f"to run. {AGAIN}",
    ),
)


def parse_bounds(text: str) -> tuple[float, float]:
    """Parse the two hypotheses of a sequential test, in normalized Elo: `LOW,HIGH`."""
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise ValueError(f"{text!r} is not LOW,HIGH; use two numbers, such as 0,20") from None
    if not -200 <= low < high <= 200:  # beyond them the fit of a hypothesis may not converge
        raise ValueError(f"{text!r}; the first must be the lower one, both from -200 to 200")
    return low, high


@json_command()
@click.argument("one", type=PLAYER)
@click.argument("other", type=PLAYER)
@match_options
@click.option(
    "--sprt",
    type=ParsedParam("LOW,HIGH", parse_bounds),
    help="Stop when a test decides between two hypotheses: ONE is LOW, or HIGH, points of "
    "normalized Elo stronger. 347 points are one standard deviation of the score of a game. The "
    "test is made after every 16 pairs. --openings is then a maximum, by default 2000.",
)
def match(one: str, other: str, sprt: tuple[float, float] | None, **settings: Any) -> Answer:
    """Play a match of two players from fair openings of Kalah(6,4).

    A player is random:SEED, one of level1 to level8, or

    \b
    ALGORITHM:EVALUATOR:LIMIT[:LEAF[:ORDER]][:ties=SEED][@BACKEND]

    LIMIT is a depth, nodes a move (5000n) or milliseconds a move (1000ms).

    The two games of an opening count as one observation. The score has a 95 % interval: Wilson's,
    with Student's t. Page 07 of the report computes one step by step. p is how likely players of
    equal strength score so far from 1/2, by the t test of the interval: it is below 0.05 exactly if
    1/2 is outside of the interval.

    The Elo of ONE above OTHER, and its interval, are computed from the score and its interval. As a
    score of 0 or 1 has no finite Elo, a tenth of a drawn pair is added to the pairs first: 16 pairs
    become 16.1, but spread and degrees of freedom stay those of 16.

    With --sprt the match ends after the batch of 16 pairs of games that decides a sequential test;
    it errs in about 5 % of the matches. The first 64 openings are fair by perfect play; those after
    them are even by a shallow search.

    \b
    kalahlab match alpha_beta:e3:3 alpha_beta:e1:3 --openings 4
    kalahlab match alpha_beta:e3:3 alpha_beta:e1:3 --sprt 0,50
    """
    from kalahlab.matches.tournament import tally_pairings

    run = play_matches((one, other), sprt, **settings)
    (row,) = tally_pairings(run.games)
    lost = {one: row["lost_on_time"], other: row["won_on_time"]}
    note = time_note(lost, 2 * row["pairs"])
    parts = [
        f"{one}\nagainst {other}",
        format_tallies([row]),
        f"Elo above the other: {format_elo(row)}",
        format_sequential_test(run.test) if run.test else low_power_note([row]),
        note or "",
    ]
    data = run.setting | {"decided_on_time": note} | row | run.test
    return Answer(data, "\n\n".join(parts).strip())


def time_note(lost: dict[str, int], games: int) -> str | None:
    """Return a note on games that were lost on time, and by whom; None if there are none."""
    if not any(lost.values()):
        return None
    losers = ", ".join(f"{count} by {player}" for player, count in lost.items() if count)
    return fill(
        f"The clock decided {sum(lost.values())} of {games} games: lost on time {losers}. This "
        "depends on how fast and how busy the machine is, and differs from run to run. Give a "
        "longer time, nodes (5000n) or a depth.",
        WIDTH,
    )


def format_elo(row: dict[str, Any]) -> str:
    """Return the Elo of the first player with its interval.

    A score of 0 or 1 has no Elo; then this is the finite end of the interval.
    """
    if 0 < row["score"] < 1:
        return format_interval(row, "elo", "+.0f")
    if row["score"] == 0:
        return f"below {row['elo_high']:+.0f} (a score of 0 has no finite Elo)"
    return f"above {row['elo_low']:+.0f} (a score of 1 has no finite Elo)"


def format_sequential_test(test: dict[str, Any]) -> str:
    """Return the result of a sequential test in words; see `Sequential.row`."""
    low, high = test["sprt"]
    llr, llr_bound = test["llr"], test["llr_bound"]
    lines = [
        f"pairs by points 0, 1/2, 1, 3/2, 2: {', '.join(map(str, test['outcomes']))}",
        f"LLR {llr:+.2f} of {low:g} against {high:g}, decided at {llr_bound:.2f} or "
        f"-{llr_bound:.2f}",
    ]
    paragraphs = ["\n".join(lines), fill(f"In normalized Elo {test['verdict']}.", WIDTH)]
    if "undecided" not in test["verdict"]:
        caution = (
            "Score, Elo, their intervals and p are those of a match of a fixed length. This one "
            "stopped after the openings that decided the test; on average that makes them too "
            "extreme."
        )
        paragraphs.append(fill(caution, WIDTH))
    return "\n\n".join(paragraphs)


@json_command()
@click.argument("players", nargs=-1, required=True, type=PLAYER)
@match_options
def tournament(players: tuple[str, ...], **settings: Any) -> Answer:
    """Play a round robin of PLAYERS, with a match like `kalahlab match` for each pair of them.

    Prints the standings, with Elo relative to a mean of 0, and the cross table; the 95 % intervals
    are those of `kalahlab match`. For the Elo, a tenth of a drawn pair is added between any two
    players, as a score of 0 or 1 has no finite Elo.

    p is that of `kalahlab match`. In the standings it is of a player against all others together.
    Below them it is of two players in their direct games, corrected by Holm's method for the number
    of pairs of players: two players differ if it is below 0.05. Page 05 of the report uses a
    sign-flip test, which needs fewer openings.

    \b
    kalahlab tournament level1 level3 random:1 --openings 4
    """
    from kalahlab.matches.pairs import split_failures
    from kalahlab.matches.tournament import cross_table, standings, tally_pairings

    run = play_matches(players, None, keep_errors=True, **settings)
    games, failures = split_failures(run.games)
    if games.empty:
        raise click.ClickException(f"no two players met: {describe_failure(failures[0])}")
    ranked = standings(games)
    met = tally_pairings(games)
    lost = {row["player"]: row["lost_on_time"] for row in ranked}
    note = time_note(lost, 2 * len(games))
    data = run.setting | {"decided_on_time": note}
    data |= {"standings": ranked, "matches": met, "failures": failures}
    places = [f"{place}." for place in range(1, len(ranked) + 1)]
    names = [f"{place} {row['player']}" for place, row in zip(places, ranked, strict=True)]
    scores = cross_table(games).map("{:.3f}".format).replace("nan", "-").set_axis(places, axis=1)
    scores.insert(0, "", places)
    parts = [
        "\n".join(names),
        format_tallies(ranked, places),
        note,
        format_pairwise_tests(ranked, met),
    ]
    if any(row["score"] in (0, 1) for row in ranked):
        parts.append("A score of 0 or 1 has no finite Elo; --help says what is printed for it.")
    parts.append(f"Score against\n{format_grid(scores.to_dict('records'))}")
    if failures:
        lines = [fill(describe_failure(failure), WIDTH) for failure in failures]
        parts.append("\n".join(["Left out, as games of theirs could not be played:", *lines]))
    text = "\n\n".join(part for part in parts if part)
    return Answer(data, text, status=1 if failures else 0)


def describe_failure(failure: dict[str, Any]) -> str:
    """Return a sentence on the pairing that failed and its first error; see `split_failures`."""
    template = "{one} against {other}, {failed} of {pairs} pairs, the first with {error}"
    return template.format(**failure)


def format_pairwise_tests(ranked: Sequence[dict[str, Any]], met: Sequence[dict[str, Any]]) -> str:
    """Return which places differ by a corrected test of their direct games, and which do not.

    Args:
        ranked: The rows of the standings, in their order.
        met: The rows of all matches of two players.
    """
    place_of = {row["player"]: place for place, row in enumerate(ranked, start=1)}
    pairs = []
    for row in met:
        better, worse = sorted((place_of[row["one"]], place_of[row["other"]]))
        pairs.append((better, worse, row))
    pairs.sort(key=lambda pair: pair[:2])
    differing = list[str]()
    others = list[str]()
    for better, worse, row in pairs:
        text = f"{better} and {worse} (p {format_p_value(row['p_holm'])})"
        if row["differ"]:
            differing.append(text)
        else:
            others.append(text)
    sentences = [
        f"Places that differ by their direct games: {', '.join(differing) or 'none'}.",
        f"Not shown to differ: {', '.join(others) or 'none'}.",
        f"Each p is corrected for the number of pairs of players ({len(met)}).",
        low_power_note(met),
    ]
    return fill(" ".join(sentences), WIDTH)


def low_power_note(met: Sequence[dict[str, Any]]) -> str:
    """Return a warning if there are too few games for any result to be significant, or ""."""
    from kalahlab.matches.rating import CERTAINTY, cluster_by_opening

    smallest_p = len(met) * cluster_by_opening([1.0] * met[0]["pairs"]).p_value()
    if smallest_p < 1 - CERTAINTY:
        return ""
    p_value = format_p_value(min(1.0, smallest_p))
    return f"With all games won p would be {p_value}: use more --openings."


@dataclass(frozen=True)
class MatchRun:
    """The games of a match or a tournament.

    Attributes:
        games: A row for each pair of games, as a data frame.
        setting: What was played, for the beginning of the JSON.
        test: The result of the sequential test; empty without one.
    """

    games: Any
    setting: dict[str, Any]
    test: dict[str, Any] = field(default_factory=dict)


def play_matches(
    players: Sequence[str],
    sprt: tuple[float, float] | None,
    rules: str,
    openings: int | None,
    backend: str,
    workers: int,
    out: Path | None,
    keep_errors: bool = False,
) -> MatchRun:
    """Play a round robin of the players, with `sprt` until a test decides between its hypotheses.

    Args:
        players: The players as text.
        sprt: The two hypotheses of a sequential test, in normalized Elo; None to play all games.
        rules: The name of the rules.
        openings: The number of openings; None for the default.
        backend: The backend of players that name none.
        workers: The number of processes.
        out: The folder that keeps finished games; None to keep none.
        keep_errors: Keep the errors of games in their rows, and do not raise them.
    """
    from kalahlab.matches.openings import even_openings, fair_openings
    from kalahlab.matches.pairs import play_pairs
    from kalahlab.matches.sequential import Sequential
    from kalahlab.matches.tournament import round_robin

    if sprt is None:
        pairs = round_robin(players, rules, openings or 16, backend, fair_openings)
    else:
        pairs = round_robin(players, rules, openings or 2000, backend, even_openings)
    if out is not None:
        check_same_run(out, pairs)
    game = Kalah(6, 4, PRESETS[rules])
    run_setting = describe_run(game, game.start(), *split_player_specs(players))
    if sprt is None:
        progress = sys.stderr.isatty()
        games = play_pairs(pairs, workers, folder=out, progress=progress, keep_errors=keep_errors)
        return MatchRun(games, run_setting)
    test = Sequential(*sprt)
    games = play_tested_pairs(test, pairs, workers, out)
    return MatchRun(games, run_setting, test.row())


def play_tested_pairs(test: Any, pairs: Sequence[Any], workers: int, out: Path | None) -> Any:
    """Play batches of pairs until the sequential test decides, and return a row for each pair."""
    from tqdm import tqdm

    from kalahlab.matches.pairs import play_pairs
    from kalahlab.matches.sequential import play_until_decided
    from kalahlab.parallel import process_pool

    is_terminal = sys.stderr.isatty()
    with (
        process_pool(workers) if workers > 1 else nullcontext() as executor,
        tqdm(total=len(pairs), unit="pair", disable=not is_terminal, leave=False) as bar,
    ):

        def play_batch(batch: Sequence[Any]) -> Any:
            bar.set_postfix_str(f"LLR {test.llr:+.2f} of {test.bound:.2f}")
            games = play_pairs(batch, workers, executor=executor, folder=out, progress=is_terminal)
            bar.update(len(batch))
            return games

        games = play_until_decided(test, pairs, play_batch)
    if out is not None:  # the last batch wrote only its own rows
        play_pairs(pairs[: len(games)], folder=out)
    return games


def format_tallies(rows: Sequence[dict[str, Any]], places: Sequence[str] = ()) -> str:
    """Return the results as a table of at most 80 columns, with intervals behind the estimates.

    It has no names of players, but their places if these are given, and then their Elo, too.
    """
    table: list[dict[str, Any]] = []
    for index, row in enumerate(rows):
        line = {"": places[index]} if places else {}
        line |= {
            "pairs": row["pairs"],
            "w-d-l": f"{row['wins']}-{row['draws']}-{row['losses']}",
            "margin": format_margin(row["margin"]),
            "score": format_interval(row, "score", ".3f"),
            "p": format_p_value(row["p"]),
        }
        if places:
            line["elo"] = format_interval(row, "elo", "+.0f")
        table.append(line)
    return format_grid(table)


def format_margin(margin: float | None) -> str:
    return "-" if margin is None else f"{margin:+.1f}"


def format_p_value(p: float) -> str:
    if p < 0.001:
        return "<0.001"
    return f"{p:.3f}"


def format_interval(row: dict[Any, Any], name: str, form: str) -> str:
    """Return an estimate of a row with its interval, in a format such as `.2f`."""
    prefix = "" if name == "score" else f"{name}_"
    mean, low, high = row[name], row[f"{prefix}low"], row[f"{prefix}high"]
    return f"{mean:{form}} ({low:{form}} to {high:{form}})"


@json_command()
@click.argument("player", type=PLAYER)
@click.option(
    "--set",
    "part",
    type=click.Choice(["train", "validation", "test", "all"]),
    default="test",
    help="The set of positions: to train, to choose or to test evaluators with.",
)
@click.option(
    "--board",
    metavar="PITS,STONES",
    help="Only positions of games that began on this board.  [default: all boards]",
)
@options.preset
@options.players_backend
@click.option(
    "--csv",
    type=FILE,
    help="Also write the move in each position as CSV; start is the board that its game began on.",
)
def judge(
    player: str, part: str, board: str | None, rules: str, backend: str, csv: Path | None
) -> Answer:
    """Judge the moves of PLAYER by perfect play, on solved positions of Kalah.

    PLAYER is a player of `kalahlab match`, or the import path of a function that takes a game and
    a state and returns a move, a pit from 0. If several moves are equally good to it, the one that
    it plays is judged. Prints for all positions, and for those of each phase:

    \b
    optimal   share of the moves that have the highest value
    kept      share of the moves after which the same side wins, or nobody
    regret    stones that a move gives up, on average

    Each has a 95 % interval, for which the positions of one game count as one observation. In the
    opening more than two thirds of the stones are in play, in the middle more than a third, in the
    end fewer. The positions are those of data/benchmark.csv.gz.

    \b
    kalahlab judge alpha_beta:fitted:4 --board 6,4
    """
    import numpy as np
    from tqdm import tqdm

    from kalahlab.judging.regret import judge_player, summarize
    from kalahlab.players.parse import make_player

    late_states = list[Any]()
    moves = make_player(player, backend=backend, late=late_states.append)
    boards, positions = load_benchmark(part, board, rules)
    bar = tqdm(positions, unit="position", disable=not sys.stderr.isatty())
    judged = judge_player(moves, bar, player)
    if csv is not None:
        write_moves(csv, judged, positions)
    summary = summarize(judged)
    (algorithm,), (limit,) = split_player_specs([player])
    data: dict[str, Any] = {"game": "kalah", "player": player, "board": boards, "rules": rules}
    data |= {"algorithm": algorithm, "depth": limit, "set": part, "late": len(late_states)}
    # The interval of a single game ends in infinity, which JSON has not.
    data["results"] = summary.astype(object).replace([np.inf, -np.inf], None).to_dict("records")
    if late_states:
        print_note(
            f"note: {len(late_states)} of {len(positions)} moves took longer than {player} has "
            "for one"
        )
    table = format_regrets(summary.to_dict("records"))
    return Answer(data, f"{player}\n{part} positions, {rules} rules\n\n{table}")


def format_regrets(rows: Sequence[dict[Any, Any]]) -> str:
    """Return the results of a judged player as a table, with their intervals."""
    lines = []
    for row in rows:
        line = {"": row["of"], "n": row["positions"]}
        line |= {name: format_interval(row, name, ".2f") for name in ("optimal", "kept", "regret")}
        lines.append(line)
    return format_grid(lines)


def write_moves(file: Path, judged: Any, rows: Sequence[Any]) -> None:
    """Write the judged moves as CSV, with the position of each."""
    table = judged.rename(columns={"board": "start"})
    table.insert(1, "board", [format_board(row.state) for row in rows])
    write_atomic(file, table.to_csv(index=False, lineterminator="\n"))


def load_benchmark(part: str, board: str | None, rules: str) -> tuple[list[str], list[Any]]:
    """Return the starting boards of a benchmark's games and its positions, or those of one board.

    Args:
        part: The set of positions, or "all".
        board: The board, `PITS,STONES`; None for all.
        rules: The name of the rules.
    """
    from kalahlab.judging.solved_positions import load_positions

    format_size = "{},{}".format
    rows = [row for row in load_positions("benchmark.csv.gz") if row.rules == rules and row.game]
    rows = [row for row in rows if part in (row.part, "all")]
    boards = sorted({format_size(*row.start) for row in rows})
    if board is None:
        return boards, rows
    if board not in boards:
        raise ValueError(f"no positions of board {board!r}; use one of {' '.join(boards)}")
    return [board], [row for row in rows if format_size(*row.start) == board]


@json_command()
@click.argument("file", type=INPUT)
@click.option(
    "--out",
    type=FOLDER,
    required=True,
    help=f"The folder for finished games, from which the same command goes on. {AGAIN}",
)
@click.option(
    "--algorithm",
    "algorithms",
    type=options.name_param("algorithm"),
    multiple=True,
    help="Add an algorithm to those of the file, by name or import path.",
)
@click.option(
    "--evaluator",
    "evaluators",
    type=options.name_param("evaluator"),
    multiple=True,
    help="Add an evaluator.",
)
@options.workers(default="1", help="Number of processes.")
@options.scheduler(help="The scheduler of a dask.distributed cluster to run on.")
def grid(file: Path, out: Path, workers: int, scheduler: str | None, **more: Any) -> Answer:
    """Play every game of a grid FILE, and keep a row for each.

    FILE is TOML. It lists algorithms, evaluators, depths and rules, and may set backend, leaf,
    order, pits, stones, openings (the number of fair openings; 0 for the start alone) and ties (the
    seed by which ties at the root are broken at random; without it the first best move is played).
    If you add values or openings later, only the new games are played in the same folder. For fewer
    or other values use another folder.

    Each game is played by one search for both sides. Prints means for each algorithm, evaluator and
    depth: of the nodes of a game, and of the margin of South, who moves first; nodes_sd and
    margin_sd are standard deviations. The folder gets the means as means.csv and means.tex, and the
    games as rows.csv and rows.parquet. A row has the settings of a game, and then:

    \b
    path                  number of sows
    generated, ..., recalled
                          counts over all searches of the game
    nodes                 visited nodes: expanded + evaluated + recalled
    winner                South, North or draw
    margin, south, north  in stones
    moves                 pits from 1
    seconds               time, which differs from run to run
    peak_kib              memory
    error                 why the game could not be played
    code                  the beginning of the SHA-256 of your own files

    \b
    kalahlab grid games.toml --out games --workers 2
    """
    points = load_points(file, **more)
    check_same_run(out, points)
    try:
        path = play_games(points, out, workers, scheduler)
    except (KeyboardInterrupt, BrokenExecutor, OSError) as error:
        raise make_unfinished_error(error, out, points) from None
    return summarize_games(path, len(points))


def play_games(points: Sequence[Any], folder: Path, workers: int, scheduler: str | None) -> Path:
    """Play the games that a folder does not have yet, and return the file of all rows."""
    from kalahlab.experiments.points import estimate_cost, run_setting
    from kalahlab.parallel import run_resumable

    progress = sys.stderr.isatty()
    with options.cluster(scheduler, folder) as executor:
        return run_resumable(
            run_setting,
            points,
            folder,
            workers,
            executor,
            estimate_cost,
            progress=progress,
            unit="game",
        )


def summarize_games(path: Path, count: int) -> Answer:
    """Write the tables of means beside the rows of a grid, and return the means as an answer."""
    from kalahlab.experiments.points import mean_rows
    from kalahlab.parallel import read_rows

    rows = read_rows(path)
    table = mean_rows(rows)
    errors = [row["error"] for row in rows if row["error"]]
    data: dict[str, Any] = {
        "rows": str(path),
        "points": count,
        "errors": len(errors),
        "first_error": None,
        # JSON has no number for the deviation of a single game.
        "means": table.astype(object).where(table.notna(), None).to_dict("records"),
    }
    text = f"{count} games in {path}"
    if errors:
        data["first_error"] = errors[0]
        text += f", {len(errors)} of them failed: the first with {errors[0]}"
    if not table.empty:
        means = write_tables(path.parent, table)
        text = f"{means}\n\n{text}\nbeside it: rows.csv, means.csv, means.tex"
    return Answer(data, text, status=1 if errors else 0)


def make_unfinished_error(error: BaseException, folder: Path, points: Sequence[Any]) -> Any:
    """Return the `ClickException` that tells how many games are finished, and how to go on."""
    from kalahlab.parallel import Store, point_key

    store = Store(folder)
    finished = [point for point in points if store.row(point_key(point)) is not None]
    reason, status = f"stopped: {error}", 1
    if isinstance(error, KeyboardInterrupt):
        reason, status = "interrupted", 130
    exception: Any = click.ClickException(
        f"{reason}; {len(finished)} of {len(points)} games "
        f"are kept in {folder}; run the same command again to go on and to get the tables"
    )
    exception.exit_code = status
    return exception


def load_points(file: Path, algorithms: Sequence[str], evaluators: Sequence[str]) -> list[Any]:
    """Return the points of a grid file with more algorithms and evaluators from the command line.

    These are checked first, so that the file is not blamed for them.
    """
    from kalahlab.experiments.grid_file import read_grid

    for name in algorithms:
        SearchSpec(name, None)
    for name in evaluators:
        SearchSpec("minimax", name).check_evaluator()
    with prefix_errors(file):
        return [*read_grid(file, algorithms=algorithms, evaluators=evaluators)]


def check_same_run(folder: Path, points: Sequence[Any]) -> None:
    """Raise `ValueError` if a folder contains rows of other points than these, with differences.

    Print a note if it keeps results that these points do not use.
    """
    from kalahlab.parallel import point_key, read_rows

    # `backend` is left out: in a row it is the one that was used.
    names = [name for name in asdict(points[0]) if name != "backend"]
    rows = list[Any]()
    path = folder / "rows.parquet"
    if path.exists():
        with prefix_errors(path):
            rows = read_rows(path)
    existing = [tuple(map(row.get, names)) for row in rows]
    requested = [tuple(map(asdict(point).get, names)) for point in points]
    if {*existing} - {*requested}:
        differences = _setting_differences(names, existing, requested)
        reason = "; ".join(differences) or "the same settings in other combinations"
        raise ValueError(f"{folder} holds rows of another run ({reason}); give another folder")
    stored = {file.stem for file in (folder / "points").glob("*.json")}
    unused = len(stored - {*map(point_key, points)})
    if unused:
        print_note(
            f"note: {unused:,} results kept in {folder} are not used: other settings or code"
        )


def _setting_differences(
    names: Sequence[str], existing: Sequence[Sequence[Any]], requested: Sequence[Sequence[Any]]
) -> list[str]:
    """Describe each setting of which some existing values are not requested.

    Args:
        names: The names of the settings, in the order of the values.
        existing: The values in each row of a folder.
        requested: Those of each point that is to be run.
    """
    differences = []
    for index, name in enumerate(names):
        old_values = dict.fromkeys(str(values[index]) for values in existing)
        new_values = dict.fromkeys(str(values[index]) for values in requested)
        missing = [value for value in old_values if value not in new_values]
        if not missing:
            continue
        description = f"{name} there {', '.join(old_values)}, here {', '.join(new_values)}"
        if len(description) > WIDTH:
            counts = f"{len(old_values)} there, {len(new_values)} here"
            description = f"{name}: {counts}; only there {missing[0]}"
        differences.append(description)
    return differences


def write_tables(folder: Path, means: Any) -> str:
    """Write means.csv and means.tex, and return the means as a table with an explanation.

    It has the standard deviations if they fit into 80 columns.
    """
    from kalahlab.report.tables import format_frame, table_latex

    write_atomic(folder / "means.csv", means.to_csv(index=False, lineterminator="\n"))
    caption = (
        "Means and standard deviations (sd) of the games of a grid. "
        "nodes: visited (expanded + evaluated + recalled), in all searches of a game. "
        f"margin: South's, in stones. {SELF_PLAY}"
    )
    rounded = format_frame(means, DIGITS)
    write_atomic(folder / "means.tex", table_latex(rounded, "means", caption))
    table = format_grid(rounded.to_dict("records"), optional=["nodes_sd", "margin_sd"])
    return table.translate({0x2212: "-", 0x2013: "-"}) + f"\n\n{fill(SELF_PLAY, WIDTH)}"
