"""`kalahlab match`, `tournament`, `judge` and `grid`."""

import sys
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from textwrap import fill
from typing import Any

import click

from kalahlab.backends import SearchSpec
from kalahlab.cli import options
from kalahlab.cli.options import FILE, FOLDER, INPUT, PLAYER, Answer, Read, command
from kalahlab.cli.text import WIDTH, grid_text, naming, of_players, say, setting
from kalahlab.files import write
from kalahlab.games.kalah import PRESETS, Kalah
from kalahlab.games.notation import format_board

SELF_PLAY = (
    "Each game is played by one search for both sides, so the margin says how well South starts, "
    "not how strong the search is."
)
AGAIN = "What names a module of yours is played again when its file changes."
DIGITS = {"nodes": 0, "nodes_sd": 0, "margin": 1, "margin_sd": 1}

match_options = options.together(
    options.number(
        "--openings",
        1,
        help="How many fair openings, each played twice with sides exchanged.  [default: 16]",
    ),
    options.preset,
    options.players_backend,
    options.workers(default="1"),
    click.option(
        "--out",
        type=FOLDER,
        help="A folder to keep what is finished in; a run of the same goes on from it. rows.csv "
        "has a row a pair of games: margin_1 and margin_2 are ONE's in stones, who is South in the "
        f"first; late_1 and late_2 say who lost on time; seconds differ from run to run. {AGAIN}",
    ),
)


def bounds(text: str) -> tuple[float, float]:
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise ValueError(f"{text!r} is not LOW,HIGH; use two numbers, such as 0,20") from None
    if not -200 <= low < high <= 200:  # beyond, the fit of a hypothesis may not converge
        raise ValueError(f"{text!r}; the first must be the lower one, both from -200 to 200")
    return low, high


@command()
@click.argument("one", type=PLAYER)
@click.argument("other", type=PLAYER)
@match_options
@click.option(
    "--sprt",
    type=Read("LOW,HIGH", bounds),
    help="Stop when a test decides between two hypotheses: ONE is LOW, or HIGH, points of "
    "normalized Elo stronger: 347 are one standard deviation of a game's score. The test is made "
    "after every 16 pairs. --openings is then the most openings, 2000 unless given.",
)
def match(one: str, other: str, sprt: tuple[float, float] | None, **settings: Any) -> Answer:
    """Play a match of two players from fair openings of Kalah(6,4).

    A player is ALGORITHM:EVALUATOR:LIMIT[:LEAF[:ORDER]][:ties=SEED][@BACKEND] or random:SEED; LIMIT
    is a depth, nodes a move (5000n) or milliseconds a move (1000ms). The score has Wilson's 95 %
    interval, with Student's t; its unit is an opening, both games together. Page 07 of the report
    computes one step by step. The Elo of ONE above OTHER is that of the score, and its interval
    that of the score's; for both a tenth of a drawn pair is added to the pairs first (16 pairs
    become 16.1; spread and degrees of freedom stay those of 16), as a score of 0 or 1 has no finite
    Elo. p is how likely equals would score so far from 1/2, by the t test that makes the interval:
    it is below 0.05 exactly if the interval leaves 1/2 out.

    With --sprt the match ends with the batch of 16 pairs of games that decides a sequential test;
    it errs in about 5 % of the matches. From the 65th on, a shallow search calls openings even.

    \b
    kalahlab match alpha_beta:e3:3 alpha_beta:e1:3 --openings 4
    kalahlab match alpha_beta:e3:3 alpha_beta:e1:3 --sprt 0,50
    """
    from kalahlab.matches.tournament import matches

    games, about, test = played((one, other), sprt, **settings)
    (row,) = matches(games)
    text = f"{one}\nagainst {other}\n\n{tallies([row])}\n\nElo above the other: {elo_above(row)}"
    said = sequential(test) if test else too_few([row])
    lost = {one: row["lost_on_time"], other: row["won_on_time"]}
    about["decided_on_time"] = note = time_note(lost, 2 * row["pairs"])
    return about | row | test, f"{text}\n\n{said}\n\n{note or ''}".strip()


def time_note(lost: dict[str, int], games: int) -> str | None:
    """Say how many games the clock decided, and who lost them; None if it decided none."""
    if not any(lost.values()):
        return None
    losers = ", ".join(f"{count} by {player}" for player, count in lost.items() if count)
    return fill(
        f"The clock decided {sum(lost.values())} of {games} games: lost on time {losers}. This "
        "depends on how fast and how busy the machine is, and differs from run to run. Give a "
        "longer time, nodes (5000n) or a depth.",
        WIDTH,
    )


def elo_above(row: dict[str, Any]) -> str:
    """The Elo of a match; of a score of 0 or 1, which has none, the finite end of its interval."""
    if 0 < row["score"] < 1:
        return interval(row, "elo", "+.0f")
    end = f"above {row['elo_low']:+.0f}" if row["score"] else f"below {row['elo_high']:+.0f}"
    return f"{end} (a score of {row['score']:.0f} has no finite Elo)"


def sequential(test: dict[str, Any]) -> str:
    said = [f"In normalized Elo {test['verdict']}."]
    if "undecided" not in test["verdict"]:
        said.append(
            "Score, Elo, their intervals and p are those of a match of a fixed length. This one "
            "stopped after the openings that decided the test; on average that makes them too "
            "extreme."
        )
    return (
        f"pairs by points 0, 1/2, 1, 3/2, 2: {', '.join(map(str, test['outcomes']))}\n"
        "LLR {llr:+.2f} of {sprt[0]:g} against {sprt[1]:g}, decided at {llr_bound:.2f} or "
        "-{llr_bound:.2f}\n\n".format(**test)
    ) + "\n\n".join(fill(each, WIDTH) for each in said)


@command()
@click.argument("players", nargs=-1, required=True, type=PLAYER)
@match_options
def tournament(players: tuple[str, ...], **settings: Any) -> Answer:
    """Play a round robin of PLAYERS, as `kalahlab match` plays two.

    Prints the standings, with Elo about a mean of 0, and the cross table; 95 % intervals are those
    of `kalahlab match`. For the Elo a tenth of a drawn pair is added between any two players, as a
    score of 0 or 1 has no finite one.

    p is that of `kalahlab match`: in the standings of a player against the others together, below
    them of two players in their direct games. There it is corrected by Holm's method for the
    number of pairs of players: two differ if it is below 0.05. Page 05 of the report uses a
    sign-flip test, which needs fewer openings.

    \b
    kalahlab tournament level1 level3 random:1 --openings 4
    """
    from kalahlab.matches.pairs import split_failures
    from kalahlab.matches.tournament import cross_table, matches, standings

    games, about, _ = played(players, None, keep_errors=True, **settings)
    games, failures = split_failures(games)
    if games.empty:
        raise click.ClickException(f"no two players met: {describe_failure(failures[0])}")
    ranked = standings(games)
    met = matches(games)
    lost = {row["player"]: row["lost_on_time"] for row in ranked}
    about["decided_on_time"] = time_note(lost, 2 * len(games))
    answer = about | {"standings": ranked, "matches": met, "failures": failures}
    places = [f"{place}." for place in range(1, len(ranked) + 1)]
    names = "\n".join(f"{at} {row['player']}" for at, row in zip(places, ranked, strict=True))
    cross = cross_table(games).map("{:.3f}".format).replace("nan", "-").set_axis(places, axis=1)
    cross.insert(0, "", places)
    parts = [names, tallies(ranked, places), about["decided_on_time"], told_apart(ranked, met)]
    if any(row["score"] in (0, 1) for row in ranked):
        parts.append("A score of 0 or 1 has no finite Elo; --help says what is printed for it.")
    parts.append(f"Score against\n{grid_text(cross.to_dict('records'))}")
    if failures:
        said = "\n".join(fill(describe_failure(each), WIDTH) for each in failures)
        parts.append(f"Left out, as games of theirs could not be played:\n{said}")
    return answer, "\n\n".join(filter(None, parts)), int(bool(failures))


def describe_failure(failure: dict[str, Any]) -> str:
    """Say in words which pairing failed and why; see `split_failures`."""
    met = "{one} against {other}, {failed} of {pairs} pairs, the first with {error}"
    return met.format(**failure)


def told_apart(ranked: Sequence[dict[str, Any]], met: Sequence[dict[str, Any]]) -> str:
    at = {row["player"]: place for place, row in enumerate(ranked, start=1)}
    found = {True: list[str](), False: list[str]()}
    pairs = ((sorted((at[row["one"]], at[row["other"]])), row) for row in met)
    for (better, worse), row in sorted(pairs, key=lambda pair: pair[0]):
        found[row["differ"]].append(f"{better} and {worse} (p {p_text(row['holm_p'])})")
    differ, rest = (", ".join(found[which]) or "none" for which in (True, False))
    said = f"Places that differ by their direct games: {differ}. Not shown to differ: {rest}."
    corrected = f"Each p is corrected for the number of pairs of players ({len(met)})."
    return fill(f"{said} {corrected} {too_few(met)}", WIDTH)


def too_few(met: Sequence[dict[str, Any]]) -> str:
    """What there is to say where no result could show a difference."""
    from kalahlab.matches.rating import CERTAINTY, units

    least = len(met) * units([1.0] * met[0]["pairs"]).p_value()
    few = f"With all games won p would be {p_text(min(1.0, least))}: use more --openings."
    return few if least >= 1 - CERTAINTY else ""


def played(
    players: Sequence[str],
    sprt: tuple[float, float] | None,
    rules: str,
    openings: int | None,
    backend: str,
    workers: int,
    out: Path | None,
    keep_errors: bool = False,
) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """The pairs of games, up to the batch that decides a test; their setting; what it found."""
    from tqdm import tqdm

    from kalahlab.grid import processes
    from kalahlab.matches.openings import even_openings, fair_openings
    from kalahlab.matches.pairs import play_pairs
    from kalahlab.matches.sequential import Sequential, play_until_decided
    from kalahlab.matches.tournament import round_robin

    shown, find = sys.stderr.isatty(), even_openings if sprt else fair_openings
    openings = openings or (2000 if sprt else 16)
    pairs = round_robin(players, rules, openings, backend, find)
    if out is not None:
        refuse_another(out, pairs)
    game = Kalah(6, 4, PRESETS[rules])
    about = setting(game, game.start(), *of_players(players))
    if sprt is None:
        how: Any = {"folder": out, "progress": shown, "keep_errors": keep_errors}
        return play_pairs(pairs, workers, **how), about, {}
    test = Sequential(*sprt)
    with (
        processes(workers) if workers > 1 else nullcontext() as executor,
        tqdm(total=len(pairs), unit="pair", disable=not shown, leave=False) as bar,
    ):

        def play_batch(pairs: Sequence[Any]) -> Any:
            bar.set_postfix_str(f"LLR {test.llr:+.2f} of {test.bound:.2f}")
            found = play_pairs(pairs, workers, executor=executor, folder=out, progress=shown)
            bar.update(len(pairs))
            return found

        found = play_until_decided(test, pairs, play_batch)
    if out is not None:  # the last batch wrote its rows only
        play_pairs(pairs[: len(found)], folder=out)
    return found, about, test.row()


def tallies(rows: Sequence[dict[str, Any]], places: Sequence[str] = ()) -> str:
    """Tallies for a person, within 80 columns: no names, each interval behind its estimate."""
    table: list[dict[str, Any]] = []
    for nth, row in enumerate(rows):
        shown = {"": places[nth]} if places else {}
        shown |= {
            "pairs": row["pairs"],
            "w-d-l": f"{row['wins']}-{row['draws']}-{row['losses']}",
            "margin": "-" if row["margin"] is None else f"{row['margin']:+.1f}",
            "score": interval(row, "score", ".3f"),
            "p": p_text(row["p"]),
        }
        if places:
            shown["elo"] = interval(row, "elo", "+.0f")
        table.append(shown)
    return grid_text(table)


def p_text(p: float) -> str:
    return f"{p:.3f}" if p >= 0.001 else "<0.001"


def interval(row: dict[Any, Any], name: str, form: str) -> str:
    ends = ("low", "high") if name == "score" else (f"{name}_low", f"{name}_high")
    mean, low, high = (row[each] for each in (name, *ends))
    return f"{mean:{form}} ({low:{form}} to {high:{form}})"


@command()
@click.argument("player", type=PLAYER)
@click.option(
    "--set",
    "part",
    type=click.Choice(["train", "validation", "test", "all"]),
    default="test",
    help="Which games' positions: those to train, to choose and to test evaluators with.",
)
@click.option(
    "--board",
    metavar="PITS,STONES",
    help="Only games that began on it.  [default: all boards]",
)
@options.preset
@options.players_backend
@click.option(
    "--csv",
    type=FILE,
    help="Write the move in each position as CSV, too: start is the board that its game began on.",
)
def judge(
    player: str, part: str, board: str | None, rules: str, backend: str, csv: Path | None
) -> Answer:
    """Judge the moves of PLAYER by perfect play, on solved positions of Kalah.

    PLAYER is as in `kalahlab match`, or the import path of a function of a game and a state whose
    value is a move, a pit from 0. Of equally good moves counts the one that it plays.

    optimal: the share of moves that are worth most; kept: of those after which the same side wins,
    or nobody does; regret: the stones that a move gives up. Each has a 95 % interval, for which the
    positions of one game count as one piece. Opening, middle and end: more than two thirds of the
    stones are in play, more than a third, or fewer. The positions are those of
    data/benchmark.csv.gz.

    \b
    kalahlab judge alpha_beta:fitted:4 --board 6,4
    """
    import numpy as np
    from tqdm import tqdm

    from kalahlab.judging.regret import judge_player, summarize
    from kalahlab.play import named_player

    late = list[Any]()
    moves = named_player(player, backend=backend, late=late.append)
    boards, rows = benchmark(part, board, rules)
    bar = tqdm(rows, unit="position", disable=not sys.stderr.isatty())
    judged = judge_player(moves, bar, player)
    if csv is not None:
        write_moves(csv, judged, rows)
    found = summarize(judged)
    (algorithm,), (limit,) = of_players([player])
    answer: dict[str, Any] = {"game": "kalah", "player": player, "board": boards, "rules": rules}
    answer |= {"algorithm": algorithm, "depth": limit, "set": part, "late": len(late)}
    # JSON has no infinity, which ends the interval of a single game
    answer["results"] = found.astype(object).replace([np.inf, -np.inf], None).to_dict("records")
    if late:
        say(f"note: {len(late)} of {len(rows)} moves took longer than {player} has for one")
    table = grid_text([
        {"": row["of"], "n": row["positions"]}
        | {name: interval(row, name, ".2f") for name in ("optimal", "kept", "regret")}
        for row in found.to_dict("records")
    ])  # fmt: skip
    return answer, f"{player}\n{part} positions, {rules} rules\n\n{table}"


def write_moves(file: Path, judged: Any, rows: Sequence[Any]) -> None:
    """Write the judged moves as CSV, with the position of each."""
    table = judged.rename(columns={"board": "start"})
    table.insert(1, "board", [format_board(row.state) for row in rows])
    write(file, table.to_csv(index=False, lineterminator="\n"))


def benchmark(part: str, board: str | None, rules: str) -> tuple[list[str], list[Any]]:
    """The boards that the games began on, and their positions, or those of one board."""
    from kalahlab.judging.judged import read

    size = "{},{}".format
    rows = [row for row in read("benchmark.csv.gz") if row.rules == rules and row.game]
    rows = [row for row in rows if part in (row.part, "all")]
    boards = sorted({size(*row.start) for row in rows})
    if board is None:
        return boards, rows
    if board not in boards:
        raise ValueError(f"no positions of board {board!r}; use one of {' '.join(boards)}")
    return [board], [row for row in rows if size(*row.start) == board]


@command()
@click.argument("file", type=INPUT)
@click.option(
    "--out",
    type=FOLDER,
    required=True,
    help=f"The folder to keep what is finished in; a run of the same grid goes on from it. {AGAIN}",
)
@click.option(
    "--algorithm",
    "algorithms",
    type=options.by_name("algorithm"),
    multiple=True,
    help="One more than in the file, by name or import path.",
)
@click.option(
    "--evaluator", "evaluators", type=options.by_name("evaluator"), multiple=True, help="As well."
)
@options.workers(default="1")
@options.scheduler(help="A dask.distributed cluster to run on.")
def grid(file: Path, out: Path, workers: int, scheduler: str | None, **more: Any) -> Answer:
    """Play every game of a grid FILE, and keep a row of each.

    The file is TOML: lists of algorithms, evaluators, depths and rules; openings, the number of
    fair openings (0: the start alone); and backend, leaf, order, pits, stones, and ties, the seed
    by which ties at the root are broken at random (without, the first best move is played).
    It may get more values later, and more openings: in the same folder only the games that are not
    kept there yet are played. For fewer or other values give another folder.

    Each game is played by one search for both sides. Prints the means by algorithm, evaluator and
    depth, of a game's nodes and of the margin of South, who moves first; nodes_sd and margin_sd are
    standard deviations. --out gets the means as means.csv and means.tex, the games as rows.csv and
    rows.parquet. A row has the settings of a game, then path: its sows; generated to recalled:
    counts over all its searches; nodes: those visited (expanded + evaluated + recalled); winner;
    margin, south, north: in stones; moves: pits from 1; seconds, other ones in each run; peak_kib:
    of memory; error: why a game could not be played; code: how the SHA-256 of your files begins.

    \b
    kalahlab grid games.toml --out games --workers 2
    """
    from kalahlab.experiments import cost_estimate, means, run_point
    from kalahlab.grid import Store, key, read_rows, resume

    points = points_of(file, **more)
    refuse_another(out, points)
    try:
        with options.cluster(scheduler, out) as executor:
            shown, how = sys.stderr.isatty(), (out, workers, executor, cost_estimate)
            path = resume(run_point, points, *how, progress=shown, unit="game")
    except (KeyboardInterrupt, BrokenExecutor, OSError) as error:
        ctrl_c, row_of = isinstance(error, KeyboardInterrupt), Store(out).row
        done = sum(row_of(key(point)) is not None for point in points)
        ended: Any = click.ClickException(
            f"{'interrupted' if ctrl_c else f'stopped: {error}'}; {done} of {len(points)} games "
            f"are kept in {out}; run the same command again to go on and to get the tables"
        )
        ended.exit_code = 130 if ctrl_c else 1
        raise ended from None
    found = means(rows := read_rows(path))
    errors = [row["error"] for row in rows if row["error"]]
    answer = {"rows": str(path), "points": len(points), "errors": len(errors)}
    answer["first_error"] = next(iter(errors), None)
    # JSON has no number for the deviation of a single game
    answer["means"] = found.astype(object).where(found.notna(), None).to_dict("records")
    failed = f", {len(errors)} of them failed: the first with {errors[0]}" if errors else ""
    readable = f"{len(points)} games in {path}{failed}"
    if not found.empty:
        table = write_tables(out, found)
        readable = f"{table}\n\n{readable}\nbeside it: rows.csv, means.csv, means.tex"
    return answer, readable, int(bool(errors))


def points_of(file: Path, algorithms: Sequence[str], evaluators: Sequence[str]) -> list[Any]:
    """The points of a grid file and of names from the command line, for which it is not blamed."""
    from kalahlab.experiments import read_grid

    for name in algorithms:
        SearchSpec(name, None)
    for name in evaluators:
        SearchSpec("minimax", name)
    with naming(file):
        return [*read_grid(file, algorithms=algorithms, evaluators=evaluators)]


def refuse_another(folder: Path, points: Sequence[Any]) -> None:
    """`ValueError` if a folder has rows of other points, by what differs; kept ones are noted."""
    from kalahlab.grid import key, read_rows

    names, rows = [name for name in asdict(points[0]) if name != "backend"], list[Any]()
    if (path := folder / "rows.parquet").exists():  # its backend is which it came to be
        with naming(path):
            rows = read_rows(path)
    there = [tuple(map(row.get, names)) for row in rows]
    here = [tuple(map(asdict(point).get, names)) for point in points]
    if {*there} - {*here}:
        said = []
        for at, name in enumerate(names):
            then, now = (dict.fromkeys(str(row[at]) for row in each) for each in (there, here))
            if only := [each for each in then if each not in now]:
                lists = "{} there {}, here {}".format(name, *map(", ".join, (then, now)))
                numbers = f"{name}: {len(then)} there, {len(now)} here; only there {only[0]}"
                said.append(lists if len(lists) <= WIDTH else numbers)
        what = "; ".join(said) or "the same settings in other combinations"
        raise ValueError(f"{folder} holds rows of another run ({what}); give another folder")
    kept = {file.stem for file in (folder / "points").glob("*.json")}
    if unused := len(kept - {*map(key, points)}):
        say(f"note: {unused:,} results kept in {folder} are not used: other settings or code")


def write_tables(folder: Path, found: Any) -> str:
    """The means for a person and what they are of; with the deviations, if 80 columns hold them."""
    from kalahlab.draw.tables import for_reading, table_latex

    write(folder / "means.csv", found.to_csv(index=False, lineterminator="\n"))
    caption = (
        "Means and standard deviations (sd) of the games of a grid. "
        "nodes: visited (expanded + evaluated + recalled), in all searches of a game. "
        f"margin: South's, in stones. {SELF_PLAY}"
    )
    shown = for_reading(found, DIGITS)
    write(folder / "means.tex", table_latex(shown, "means", caption))
    table = grid_text(shown.to_dict("records"), spare=["nodes_sd", "margin_sd"])
    return table.translate({0x2212: "-", 0x2013: "-"}) + f"\n\n{fill(SELF_PLAY, WIDTH)}"
