"""The commands `kalahlab match` and `kalahlab tournament`."""

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click

from kalahlab.cli import options
from kalahlab.cli.class_tournament import PLAYER_OR_CLASS, class_options, play_class
from kalahlab.cli.options import FOLDER, PLAYER, Answer, ParsedParam, json_command
from kalahlab.cli.output import describe_run, format_interval, print_note, split_player_specs
from kalahlab.cli.resume import REPLAY_NOTE, check_same_run
from kalahlab.files import write_atomic
from kalahlab.formatting import WIDTH, format_grid
from kalahlab.games.kalah import State
from kalahlab.games.registry import game_type
from kalahlab.games.rules import Rules, format_rules
from kalahlab.names import parse_float

if TYPE_CHECKING:
    from kalahlab.matches.sequential import Sequential

DEFAULT_OPENINGS = 16
MOST_LISTED = 10  # pairs of players that are not shown to differ
DEFAULT_MOST_OPENINGS = 2000  # for a match with a sequential test, which may end earlier

match_options = options.compose_options(
    options.number(
        "--openings",
        1,
        help="Number of fair openings, each played twice with sides exchanged. Under rules without "
        "fair openings, a search finds nearly even ones. For the folder of a class: positions of "
        "each board after 4 random moves, in place of its usual start.  [default: 16]",
    ),
    click.option(
        "--starts",
        default="fair",
        help="The openings. fair: fair positions after 5 to 8 sows. fairkalah: the starts of "
        "FairKalah, 323 with standard rules and 254 with empty-capture. random:SEED: the stones "
        "of the usual start in random pits, by any rules.",
    ),
    options.rules(default="standard"),
    click.option(
        "--game",
        type=click.Choice(["kalah", "pie"]),
        default="kalah",
        help="pie: after the first turn, the second player may exchange sides instead of moving.",
    ),
    options.players_backend,
    click.option(
        "--seconds",
        type=options.at_least(0.001, "seconds", 10**6, parse_float),
        help="Most seconds for a move; a player that takes longer loses the game. User functions "
        "and classes run in processes of their own then, which can be stopped. For a class: 1.",
    ),
    click.option(
        "--games",
        "games_folder",
        type=FOLDER,
        help="Also write each game of Kalah to this folder, as a text for kalahlab review.",
    ),
    options.workers(default="1", help="Number of processes."),
    click.option(
        "--out",
        type=FOLDER,
        help="The folder for finished games; run the same command again to resume. rows.csv has a "
        "row for each pair of games. margin_1, margin_2: the margin of ONE in each game, in "
        "stones; ONE is South in the first game. lost_on_time_1, lost_on_time_2: the player who "
        "lost on time. faulty_1, faulty_2: the player who lost by another fault, and reason_1, "
        "reason_2: the fault. moves_1, moves_2: the moves. seconds: the time of both games, and "
        "seconds_one, seconds_other: that of each player, which differ from run to run. "
        "nodes_one, nodes_other: the nodes that its searches visited. "
        f"{REPLAY_NOTE}",
    ),
)


def parse_bounds(text: str) -> tuple[float, float]:
    """Parse `LOW,HIGH`, the two hypotheses of a sequential test, in normalized Elo."""
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise ValueError(f"{text!r} is not LOW,HIGH; use two numbers, such as 0,20") from None
    if not -200 <= low < high <= 200:  # beyond ±200 the fit of a hypothesis may not converge
        raise ValueError(f"{text!r} must have the lower number first, both from -200 to 200")
    return low, high


@json_command()
@click.argument("one", type=PLAYER)
@click.argument("other", type=PLAYER)
@match_options
@click.option(
    "--sprt",
    type=ParsedParam("LOW,HIGH", parse_bounds),
    help="Stop when a sequential test decides between two hypotheses: that ONE is LOW points of "
    "normalized Elo stronger than OTHER, and that ONE is HIGH points stronger. 347 points are one "
    "standard deviation of the score of a game. The test is made after every 16 pairs of games. "
    f"--openings is then a maximum, by default {DEFAULT_MOST_OPENINGS}.",
)
def match(one: str, other: str, sprt: tuple[float, float] | None, **settings: Any) -> Answer:
    """Play a match of two players from fair openings of Kalah(6,4).

    A player is one of `kalahlab play`, such as level3, perfect or uct:random:800p:c=5, or

    \b
    ALGORITHM:EVALUATOR:LIMIT[:LEAF[:ORDER]][:ties=SEED][@BACKEND]

    LIMIT is a depth, nodes a move (5000n) or a time (1000ms), of which a class may use 90%.

    The two games of an opening count as one observation. The score has a 95% interval: Wilson's,
    with Student's t. Page 07 of the report computes one step by step. p is the probability that two
    equally strong players get a score at least this far from 1/2. It comes from the same t test as
    the interval, so p is below 0.05 exactly if 1/2 lies outside the interval.

    The Elo difference between ONE and OTHER and its interval are computed from the score and its
    interval. A score of 0 or 1 has no finite Elo. Therefore a tenth of a drawn pair is added first:
    16 pairs become 16.1, but the spread and the degrees of freedom remain those of 16. For a score
    of 0 or 1, only the finite end of the interval is printed; `kalahlab tournament` also prints the
    Elo.

    With --sprt, a sequential test is made after each batch of 16 pairs of games, and the match ends
    as soon as the test decides. The test is wrong in about 5% of matches. The first 64 openings
    are draws under perfect play; a shallow search finds the others even.

    \b
    kalahlab match alpha_beta:e3:3 alpha_beta:e1:3 --openings 4
    kalahlab match alpha_beta:e3:3 alpha_beta:e1:3 --sprt 0,50
    """
    from kalahlab.matches.tournament import standings, tally_pairings

    options.check_remote_players((one, other), settings["workers"])
    run = play_matches((one, other), sprt, **settings)
    (row,) = tally_pairings(run.games)  # two players make one pairing
    # The columns count from ONE's side: what ONE won on time, OTHER lost.
    lost = {one: row["lost_on_time"], other: row["won_on_time"]}
    note = time_note(lost, 2 * row["pairs"])
    faults = {player["player"]: player["faults"] for player in standings(run.games)}
    parts = [f"{one}\nagainst {other}", format_tallies([row])]
    parts.append(f"Elo difference: {format_elo(row)}")
    data = run.setting | {"decided_on_time": note, "faults": faults} | row
    if run.test is None:
        parts.append(low_power_note([row]))
    else:
        parts.append(format_sequential_test(run.test))
        data |= run.test.row()
    parts += [note or "", faults_note(faults, 2 * row["pairs"])]
    return Answer(data, "\n\n".join(part for part in parts if part))


def time_note(lost: dict[str, int], games: int) -> str | None:
    """Return a note on the games that were lost on time; None if no game was.

    Args:
        lost: The number of games that each player lost on time.
        games: The number of all games.
    """
    if not any(lost.values()):
        return None
    losers = ", ".join(f"{count} by {player}" for player, count in lost.items() if count)
    return fill(
        f"The clock decided {sum(lost.values())} of {games} games: lost on time {losers}. Such a "
        "result depends on the speed and the load of the machine, and differs from run to run. Use "
        "a longer time, nodes (5000n) or a depth.",
        WIDTH,
    )


def faults_note(faults: Mapping[str, Sequence[str]], games: int) -> str:
    """Return a note on the games that were lost by faults, "" if no game was.

    Args:
        faults: The faults by which each player lost games, as texts.
        games: The number of all games.
    """
    count = sum(len(texts) for texts in faults.values())
    if not count:
        return ""
    lines = [f"Faults decided {count} of {games} games. The first of each player:"]
    for player, texts in faults.items():
        if texts:
            line = f"{player}, {len(texts)}: {texts[0]}"
            # Paths are not broken, so that they can be copied.
            lines.append(
                fill(
                    line,
                    WIDTH,
                    subsequent_indent="  ",
                    break_long_words=False,
                    break_on_hyphens=False,
                )
            )
    return "\n".join(lines)


def format_elo(row: dict[str, Any]) -> str:
    """Return the Elo of the first player with its interval, as text.

    A score of 0 or 1 has no finite Elo. For such a score, the text has only the finite end of the
    interval.

    Args:
        row: A row of `tally_pairings`.
    """
    if 0 < row["score"] < 1:
        return format_interval(row, "elo", "+.0f")
    if row["score"] == 0:
        return f"below {row['elo_high']:+.0f} (a score of 0 has no finite Elo)"
    return f"above {row['elo_low']:+.0f} (a score of 1 has no finite Elo)"


def format_sequential_test(test: "Sequential") -> str:
    """Return the counts, the log-likelihood ratio (LLR) and the result of a sequential test."""
    lines = [
        f"pairs by points 0, 1/2, 1, 3/2, 2: {', '.join(map(str, test.counts))}",
        f"LLR {test.llr:+.2f} of {test.high:g} against {test.low:g}; the test decides at "
        f"{test.bound:.2f} or -{test.bound:.2f}",
    ]
    verdict_in_words = test.row()["verdict"]
    paragraphs = ["\n".join(lines), fill(f"In normalized Elo {verdict_in_words}.", WIDTH)]
    if test.verdict != "undecided":
        caution = (
            "Score, Elo, their intervals and p are computed as for a match of a fixed length. This "
            "match stopped as soon as the test decided, so on average these numbers are too "
            "extreme."
        )
        paragraphs.append(fill(caution, WIDTH))
    return "\n\n".join(paragraphs)


@json_command()
@click.argument("players", nargs=-1, required=True, type=PLAYER_OR_CLASS)
@match_options
@class_options
def tournament(players: tuple[str, ...], class_settings: Any, **settings: Any) -> Answer:
    """Play a tournament of PLAYERS, or of the programs that a class has handed in.

    \b
    kalahlab tournament class/ --seconds 1 --out cup
    kalahlab tournament class/ level3 --openings 4 --seconds 1 --out cup
    kalahlab tournament level1 level3 random:1 --openings 4

    The folder of a class has a folder for each student, with the student's program in any language.
    cup/index.html gets the standings and who beat whom, cup/students a page for each student with
    what to mend, and cup/games each game. A program that crashes, is late or makes an illegal move
    loses the game, and the tournament goes on; after Ctrl-C, the same command does. docs/arena.md
    has more, and a page to give to students.

    Without a class, every two PLAYERS play a match as in `kalahlab match`, and the rest of this
    text is about that. Prints the standings, with Elo relative to a mean of 0, and the cross table.
    The 95% intervals are those of `kalahlab match`. For the Elo, a tenth of a drawn pair is added
    between every two players, because a score of 0 or 1 has no finite Elo.

    p comes from the same test as in `kalahlab match`. In the standings, p compares a player with
    all others together. Below the standings, p compares two players by their direct games, and is
    corrected by Holm's method for the number of pairs of players: two players differ if p is below
    0.05. Page 05 of the report uses a sign-flip test, which needs fewer openings.
    """
    options.check_remote_players(players, settings["workers"])
    if class_settings is not None:
        return play_class(players, class_settings, **settings)
    return play_round_robin(players, **settings)


def play_round_robin(players: Sequence[str], **settings: Any) -> Answer:
    """Play a round robin of players; see `tournament`."""
    from kalahlab.matches.pairs import split_failures
    from kalahlab.matches.tournament import standings, tally_pairings

    run = play_matches(players, None, keep_errors=True, **settings)
    games, failures = split_failures(run.games)
    if games.empty:
        raise click.ClickException(f"no match could be played: {describe_failure(failures[0])}")
    ranked = standings(games)
    matches = tally_pairings(games)
    lost = {row["player"]: row["lost_on_time"] for row in ranked}
    note = time_note(lost, 2 * len(games))
    faults = {row["player"]: row.pop("faults") for row in ranked}
    data = run.setting | {"decided_on_time": note, "faults": faults, "standings": ranked}
    data |= {"matches": matches, "failures": failures}
    places = [f"{place}." for place in range(1, len(ranked) + 1)]
    names = [f"{place} {row['player']}" for place, row in zip(places, ranked, strict=True)]
    parts = [
        "\n".join(names),
        format_tallies(ranked, places),
        note,
        faults_note(faults, 2 * len(games)),
        format_pairwise_tests(ranked, matches),
    ]
    if any(row["score"] in (0, 1) for row in ranked):
        parts.append("A score of 0 or 1 has no finite Elo; --help explains the printed Elo.")
    parts.append(f"Score against\n{format_cross_table(games, places)}")
    if failures:
        lines = [fill(describe_failure(failure), WIDTH) for failure in failures]
        heading = "Left out, because some of their games could not be played:"
        parts.append("\n".join([heading, *lines]))
    text = "\n\n".join(part for part in parts if part)
    return Answer(data, text, status=1 if failures else 0)


def format_cross_table(games: Any, places: Sequence[str]) -> str:
    """Return the score of each player against each other one, as a table.

    Args:
        games: The games, as a data frame.
        places: The places of the players, which the table has in place of their names.
    """
    from kalahlab.matches.tournament import cross_table

    # The diagonal is NaN, and so is the score of two players whose games were left out.
    scores = cross_table(games).map("{:.3f}".format).replace("nan", "-")
    scores.columns = [*places]
    scores.insert(0, "", places)
    return format_grid(scores.to_dict("records"))


def describe_failure(failure: dict[str, Any]) -> str:
    """Describe a failed pairing: its players, its failed pairs of games and its first error.

    Args:
        failure: A row of `split_failures`.
    """
    template = "{one} against {other}: {failed} of {pairs} pairs failed, the first with {error}"
    return template.format(**failure)


def format_pairwise_tests(
    ranked: Sequence[dict[str, Any]], matches: Sequence[dict[str, Any]]
) -> str:
    """List the pairs of places that differ in their direct games, and those that do not.

    Args:
        ranked: The rows of the standings, the best player first.
        matches: A row for each two players; see `tally_pairings`.
    """
    place_of = {row["player"]: place for place, row in enumerate(ranked, start=1)}
    pairs = []
    for row in matches:
        better, worse = sorted((place_of[row["one"]], place_of[row["other"]]))
        pairs.append((better, worse, row))
    pairs.sort(key=lambda pair: pair[:2])  # by the two places, as rows cannot be compared
    differing = list[str]()
    not_differing = list[str]()
    for better, worse, row in pairs:
        text = f"{better} and {worse} (p {format_p_value(row['p_holm'])})"
        if row["differ"]:
            differing.append(text)
        else:
            not_differing.append(text)
    others = ", ".join(not_differing) or "none"
    if len(not_differing) > MOST_LISTED:
        others = f"the other {len(not_differing)} of {len(matches)} pairs of players"
    sentences = [
        f"Places that differ by their direct games: {', '.join(differing) or 'none'}.",
        f"Not shown to differ: {others}.",
        f"Each p is corrected for the number of pairs of players ({len(matches)}).",
        low_power_note(matches),
    ]
    return fill(" ".join(sentences), WIDTH)


def low_power_note(matches: Sequence[dict[str, Any]]) -> str:
    """Return a warning if even a player who won all games would not be shown to differ, else "".

    Args:
        matches: A row for each two players; all matches have the same number of pairs of games.
    """
    from kalahlab.matches.rating import CERTAINTY, cluster_by_opening

    p_of_winning_all = cluster_by_opening([1.0] * matches[0]["pairs"]).p_value()
    smallest_p = len(matches) * p_of_winning_all  # Holm's method corrects the smallest p like this
    if smallest_p < 1 - CERTAINTY:
        return ""
    p_value = format_p_value(min(1.0, smallest_p))
    return f"Even if one player won all games, p would be {p_value}: use more --openings."


@dataclass(frozen=True)
class MatchRun:
    """The games of a match or a tournament.

    Attributes:
        games: A row for each pair of games, as a data frame.
        setting: The game, the start and the players, for the beginning of the JSON.
        test: The sequential test, decided or not; None for a match of a fixed length.
    """

    games: Any
    setting: dict[str, Any]
    test: "Sequential | None" = None


def choose_openings(
    openings: int | None, starts: str, rules: Rules, may_end_early: bool
) -> tuple[int, Callable[[str, int], list[State]]]:
    """Return the number of openings, and the function that finds them.

    Args:
        openings: The number, None for the default.
        starts: `fair`, `fairkalah` or `random:SEED`.
        rules: The rules.
        may_end_early: True for a sequential test, which rarely plays all openings.
    """
    from kalahlab.matches.openings import even_openings, fairkalah_starts, parse_starts

    number = openings or (DEFAULT_MOST_OPENINGS if may_end_early else DEFAULT_OPENINGS)
    choose = parse_starts(starts)
    if may_end_early and starts == "fair":
        choose = even_openings
    elif may_end_early and starts == "fairkalah" and openings is None:
        number = len(fairkalah_starts(rules))
    return number, choose


def check_pie(backend: str, games_folder: Path | None) -> None:
    """Print a note if the engine was to play the game pie; refuse to write its games."""
    if backend == "engine":
        print_note("note: the engine does not play the game pie; the textbook searches instead")
    if games_folder is not None:
        raise click.UsageError("--games writes games of Kalah only, without the pie rule")


def play_matches(
    players: Sequence[str],
    sprt: tuple[float, float] | None,
    rules: Rules,
    openings: int | None,
    starts: str,
    game: str,
    backend: str,
    workers: int,
    out: Path | None,
    seconds: float | None = None,
    games_folder: Path | None = None,
    keep_errors: bool = False,
) -> MatchRun:
    """Play a round robin of the players. With `sprt`, stop when a sequential test decides.

    Args:
        players: The players as text.
        sprt: The two hypotheses of a sequential test, in normalized Elo; None to play all games.
        rules: The rules.
        openings: The number of openings; None for the default.
        starts: `fair`, `fairkalah` or `random:SEED`.
        game: `kalah`, or `pie` for Kalah with the pie rule.
        backend: The backend of the players whose text has no `@BACKEND`.
        workers: The number of processes.
        out: The folder that keeps finished games; None to keep no games.
        seconds: The most time for a move; None for no common limit.
        games_folder: The folder for the texts of the games; None to write none.
        keep_errors: Put errors into the rows instead of raising them; not with `sprt`.
    """
    from kalahlab.matches.pairs import play_pairs
    from kalahlab.matches.sequential import Sequential
    from kalahlab.matches.tournament import round_robin

    number, choose = choose_openings(openings, starts, rules, sprt is not None)
    if game == "pie":
        check_pie(backend, games_folder)
    pairs = round_robin(players, format_rules(rules), number, backend, choose, game, seconds)
    if out is not None:
        check_same_run(out, pairs)
    setting = describe_match(players, game, rules, starts)
    test = None if sprt is None else Sequential(*sprt)
    if test is None:
        progress = sys.stderr.isatty()
        games = play_pairs(pairs, workers, folder=out, progress=progress, keep_errors=keep_errors)
    else:
        games = play_tested_pairs(test, pairs, workers, out)
    if games_folder is not None:
        write_games(games, games_folder)
    return MatchRun(games, setting, test)


def describe_match(players: Sequence[str], game: str, rules: Rules, starts: str) -> dict[str, Any]:
    """Return the beginning of the JSON of a match."""
    played_game = game_type(game).new(rules=rules)
    setting = describe_run(played_game, played_game.start(), *split_player_specs(players))
    return setting | {"starts": starts}


def write_games(games: Any, folder: Path) -> None:
    """Write each game as a text, with the fault that ended it as a comment.

    The file of game 2 of the first pair is `0001-2.txt`.

    Args:
        games: The result of `play_pairs`.
        folder: The folder, which is made if it does not exist.
    """
    from kalahlab.matches.game_files import format_games

    folder.mkdir(parents=True, exist_ok=True)
    for name, text in format_games(games.to_dict("records")):
        write_atomic(folder / name, text)


def play_tested_pairs(
    test: "Sequential", pairs: Sequence[Any], workers: int, out: Path | None
) -> Any:
    """Play batches of pairs until the sequential test decides.

    Returns:
        A row for each pair that was played, as a data frame.
    """
    from tqdm import tqdm

    from kalahlab.matches.pairs import play_pairs
    from kalahlab.matches.sequential import play_until_decided
    from kalahlab.parallel import process_pool

    is_terminal = sys.stderr.isatty()
    with (
        # One pool for all batches, as it takes long to start a pool. One worker needs none.
        process_pool(workers) if workers > 1 else nullcontext() as executor,
        tqdm(total=len(pairs), unit="pair", disable=not is_terminal, leave=False) as bar,
    ):

        def play_batch(batch: Sequence[Any]) -> Any:
            bar.set_postfix_str(f"LLR {test.llr:+.2f} of {test.bound:.2f}")
            games = play_pairs(batch, workers, executor=executor, folder=out, progress=is_terminal)
            bar.update(len(batch))
            return games

        games = play_until_decided(test, pairs, play_batch)
    if out is not None:
        # Each batch has overwritten rows.csv. This call only reads the finished games, and writes
        # the rows of all batches.
        play_pairs(pairs[: len(games)], folder=out)
    return games


def format_tallies(rows: Sequence[dict[str, Any]], places: Sequence[str] = ()) -> str:
    """Return results as a table of at most 80 columns, with intervals behind the estimates.

    Args:
        rows: A row for each match, or for each player.
        places: The places of the players; empty for rows of matches. With places, the first column
            has the places, as names would be too wide, and the last column has the Elo.
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
