"""The commands `kalahlab search`, `perft` and `explore`, and the progress line of long searches."""

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from inspect import unwrap
from math import isclose
from pathlib import Path
from textwrap import fill
from threading import Event, Thread, main_thread
from typing import Any

import click

from kalahlab import engine
from kalahlab.cli import growth, options
from kalahlab.cli.options import FILE, Answer, json_command
from kalahlab.cli.output import describe_run, name_moves, print_note
from kalahlab.evaluators.registry import EVALUATORS
from kalahlab.files import write_atomic
from kalahlab.formatting import WIDTH, format_columns
from kalahlab.games import Game
from kalahlab.games.game_log import GameLog
from kalahlab.games.hand_tree import Branch, depth_warning, tree_depth
from kalahlab.games.kalah import Kalah
from kalahlab.games.registry import GameType, game_type
from kalahlab.games.rules import format_rules
from kalahlab.games.supported import unknown_part
from kalahlab.players.limited_search import check_limit, search_within
from kalahlab.players.search_spec import DEEPEST, SearchSpec
from kalahlab.search import WITH_PASSES
from kalahlab.search.backing_up import BACKUPS
from kalahlab.search.deepening import combine_results
from kalahlab.search.limits import Depth, Limit
from kalahlab.search.model import Result
from kalahlab.search.perft import perft as textbook_perft
from kalahlab.trace import Trace, record, to_writable


@json_command()
@options.on_position
@options.search
@options.number("--depth", 0, DEEPEST, help="The depth; optional for a tree written by hand.")
@growth.limits
@growth.growing
@click.option(
    "--tree",
    type=FILE,
    help="Write the search tree: .svg, .pdf or .html as large as it fits, .json as a whole.",
)
@click.option(
    "--unsolved",
    is_flag=True,
    help="Draw the --tree as an exercise, with blanks for the values, the windows and the cuts.",
)
@click.option(
    "--ties",
    type=int,
    help="Choose between equally good moves at random, with this seed.  [default: the first move]",
)
@options.backend
def search(
    kind: GameType,
    game: Game,
    state: Any,
    tree: Path | None,
    unsolved: bool,
    **arguments: Any,
) -> Answer:
    """Search a BOARD, or the start, for its value and best move.

    Prints the value for the player to move (in a tree, for MAX), the principal variation and the
    cost of the search. --tree has the search of the textbook, which visits the same nodes as the
    engine.

    A search takes one limit. With --nodes or --seconds, a search with a window goes to depth 1, 2,
    3, ..., and the answer is that of the last depth that is complete. A search that grows a tree is
    uct, puct, implicit_minimax, mcts_solver, best_first, proof_number, dynamic_ordering or the
    import path of your policy; its answer has the numbers of each move, too. df_pn proves without
    a tree.

    \b
    kalahlab search --pits 6 --stones 4 --depth 6
    kalahlab search '<3,0,0,2,2,2,2,2,2>' --depth 3 --tree tree.svg
    kalahlab search --pits 6 --stones 4 --nodes 1000000 --backend engine
    kalahlab search --algorithm uct --playouts 800 --leaf-value extra_turn
    kalahlab search --stones 2 --algorithm proof_number --nodes 99 --tree pn.pdf
    kalahlab search '((3 12 8) (2 4 6))' --game tree --tree sheet.pdf --unsolved
    """
    limit = growth.take_limit(arguments)
    if unsolved:
        check_exercise_file(tree, arguments["algorithm"])
    if growth.is_growing_search(arguments["algorithm"]):
        with default_signals(arguments["backend"]), progress_line("growing the tree"):
            return growth.search_growing(kind, game, state, limit, tree=tree, **arguments)
    growth.refuse_growing_options(arguments["algorithm"])
    for name in ("leaf_value", "settings"):
        arguments.pop(name)
    spec = SearchSpec(**arguments, game=kind.name)
    return search_with_window(kind, game, state, spec, limit, tree, unsolved)


def check_exercise_file(tree: Path | None, algorithm: str) -> None:
    """Raise `click.UsageError` unless --unsolved has a picture to draw."""
    if tree is None:
        raise click.UsageError(
            "--unsolved draws an exercise; name its file, as in --tree sheet.pdf"
        )
    if growth.is_growing_search(algorithm):
        raise click.UsageError(f"{algorithm} grows its own tree; --unsolved takes alpha_beta")
    if tree.suffix.lower() == ".json":
        raise click.UsageError(f"--tree {str(tree)!r} has the answers; for --unsolved use .pdf")


def search_with_window(
    kind: GameType,
    game: Game,
    state: Any,
    spec: SearchSpec,
    limit: Limit | None,
    tree: Path | None,
    unsolved: bool,
) -> Answer:
    """Search a position by a search with a window, and perhaps draw its tree.

    Args:
        kind: The type of the game.
        game: The game.
        state: The position.
        spec: The search.
        limit: How long to search; None for the depth of a tree written by hand.
        tree: The file of the picture.
        unsolved: Whether the picture is an exercise.
    """
    if tree is not None:
        growth.check_tree_file(tree, spec.algorithm)
    if limit is None or isinstance(limit, Depth):
        depth = resolve_depth(state, None if limit is None else limit.limit, spec.leaf)
        # greedy looks one move ahead
        limit = Depth(min(depth, 1) if spec.algorithm == "greedy" else depth)
    elif tree is not None:
        raise click.UsageError("--tree draws a search to a depth; use --depth")
    check_limit(spec, limit)
    spec.check_evaluator(game, state)
    if spec.backend == "engine" and (unknown := unknown_part(game, state)):
        print_note(f"note: the engine does not support {unknown}; the textbook searches instead")
    if tree is not None and isinstance(limit, Depth):
        result = _draw_search(tree, spec, game, state, limit.limit, unsolved)
    else:
        result = _run_search(spec, game, state, limit)
    line = name_moves(game, state, result.line)
    data = {"value": to_writable(result.value), "move": line[0] if line else None, "pv": line}
    data |= asdict(result.counts)
    if "." in spec.algorithm and isinstance(limit, Depth):  # a user's algorithm
        compare_user_search(spec, game, state, limit, result)
    board = kind.draw(state)
    if game.is_over(state):
        board += f"\n{describe_ending(game, state)}"
    # In JSON, the limit that is a depth is a number.
    depth_or_limit = limit.limit if isinstance(limit, Depth) else f"{limit}"
    about = describe_run(game, state, spec.algorithm, depth_or_limit)
    evaluator = spec.evaluator or next(iter(EVALUATORS[kind.name]))
    about |= {"evaluator": evaluator, "leaf": spec.leaf, "order": spec.order}
    return Answer(about | data, f"{board}\n\n{format_columns(data)}")


def compare_user_search(
    spec: SearchSpec, game: Game, state: Any, limit: Depth, result: Result
) -> None:
    """Print a note if a user's search differs from alpha-beta, or with chance from expectiminimax.

    Where chance moves, only the values are compared: they are means, so the last digits may differ.
    A search that backs up other values than minimax's is not compared.
    """
    if hasattr(spec.searcher, "backup"):
        return
    if not getattr(game, "has_chance", False):
        expected = _run_search(replace(spec, algorithm="alpha_beta"), game, state, limit)
        print_comparison(spec.algorithm, spec.searcher, result, expected)
        return
    expected = _run_search(replace(spec, algorithm="expectiminimax"), game, state, limit)
    if not isclose(result.value, expected.value, abs_tol=1e-9):
        values = [to_writable(expected.value), to_writable(result.value)]
        note = f"expectiminimax finds {values[0]} here, {spec.algorithm} {values[1]}"
        print_note(fill(note, WIDTH))


def _run_search(spec: SearchSpec, game: Game, state: Any, limit: Limit) -> Result:
    """Search within a limit, with a progress line on a terminal."""
    with default_signals(spec.backend), progress_line(**describe_search(spec, game, state)):
        results = [*search_within(spec, limit, game, state)]
    if not results:
        print_note(f"the limit {limit} is too small for a search to depth 1")
    elif isinstance(state, Branch) and not isinstance(limit, Depth):
        print_depth_warning(state, len(results), spec.leaf)
    return combine_results(results)


def _draw_search(
    file: Path, spec: SearchSpec, game: Game, state: Any, depth: int, unsolved: bool
) -> Result:
    """Search by the textbook, write the tree to a file, and return the result.

    Args:
        file: The file.
        spec: The search.
        game: The game.
        state: The position.
        depth: The depth of the search.
        unsolved: Whether to draw the whole tree as an exercise.
    """
    from kalahlab.draw.tree_layout import max_drawn_depth
    from kalahlab.draw.tree_svg import tree_svg
    from kalahlab.draw.unsolved_tree import clear_results, has_windows

    whole = _record_whole_tree(spec, game, state, depth) if unsolved else None
    trace = record(spec.functions.textbook, game, state, *spec.search_args(game, depth))
    rules = getattr(game, "rules", None)
    title = f"{spec.algorithm}, depth {depth}, of {game_type(spec.game).format(state)}"
    if rules is not None:
        title += f", rules {format_rules(rules)}"
    drawn = trace
    tasks, reasons = list[str](), list[str]()
    if whole is not None:
        drawn = clear_results(whole, has_windows(trace))
        tasks = _describe_tasks(spec.algorithm, has_windows(trace))
    drawn_depth = max_drawn_depth(drawn)
    if file.suffix.lower() == ".html" and not unsolved:
        levels = trace.levels
        reasons = [trace.why(cut) for cut in trace.cuts if levels[cut.node] < drawn_depth]
        for visit in trace.nodes:
            if visit.reason and levels[visit.id] < drawn_depth:
                reasons.append(trace.explain_value(visit.id))

    def draw() -> str:
        return tree_svg(drawn, depth=drawn_depth, title=title)

    growth.write_tree(file, trace, draw, tasks, reasons)
    return trace.result


def _record_whole_tree(spec: SearchSpec, game: Game, state: Any, depth: int) -> Trace:
    """Record a search of the same tree that leaves nothing out.

    Raises:
        click.UsageError: There are too many nodes to draw all of them.
    """
    from kalahlab.draw.tree_layout import MAX_NODES

    name = "expectiminimax" if getattr(game, "has_chance", False) else "minimax"
    if spec.algorithm.replace("-", "_") in BACKUPS:  # the values of its leaves may differ
        name = spec.algorithm
    whole = replace(spec, algorithm=name)
    search = whole.functions.textbook
    trace = record(search, game, state, *whole.search_args(game, 0))
    # Step by step, so that a tree that is much too large is refused at once.
    for limit in range(1, depth + 1):
        shallower = trace
        trace = record(search, game, state, *whole.search_args(game, limit))
        if len(trace.nodes) > MAX_NODES:
            raise click.UsageError(
                f"depth {depth} has more than the {MAX_NODES} nodes that --unsolved draws; use "
                f"--depth {limit - 1}"
            )
        if len(shallower.nodes) == len(trace.nodes):
            break  # each line of play is at its end
    return trace


def _describe_tasks(algorithm: str, windows: bool) -> list[str]:
    """Return what students are to do with the tree of a search, perhaps one with windows."""
    tasks = [
        f"Search the tree by {algorithm}, from left to right. Write the value of each node that "
        "you visit into it.",
        "Draw the best line thick.",
    ]
    if windows:
        tasks[1:1] = [
            "Write the window with which you enter a node below it.",
            "Where the search cuts off, draw a bar across the edges that it never takes, with the "
            "bound that was reached.",
        ]
    return tasks


@json_command()
@options.on_position
@options.number("--depth", 0, DEEPEST, required=True, help="The greatest depth.")
@options.backend
def perft(kind: GameType, game: Game, state: Any, depth: int, backend: str) -> Answer:
    """Count the lines of play from a BOARD, or from the start.

    Prints the number of lines for each depth from 1. Such numbers check a move generator. A game
    that ends earlier counts as one line.

    \b
    kalahlab perft --pits 6 --stones 4 --depth 5
    """
    count = engine.perft if backend == "engine" else textbook_perft
    with default_signals(backend), progress_line("counting", "lines"):
        leaves = count(game, state, depth)
    lines = ["depth          leaves"]
    lines += [f"{ply:>5} {number:>15,}" for ply, number in enumerate(leaves, start=1)]
    data = describe_run(game, state, "perft", depth) | {"leaves": leaves}
    return Answer(data, "\n".join(lines))


@json_command()
@options.on_position
@options.search
@options.number("--depth", 0, DEEPEST, help="The depth.  [default: 4, or a tree's own depth]")
@click.option(
    "--beside",
    type=options.name_param("algorithm"),
    help="Also show a second search of the same position, by this algorithm.",
)
@click.option(
    "--beside-order", type=options.name_param("order"), help="The move order of the second search."
)
@growth.limits
@growth.growing
@click.option("--title", default="Search explorer", help="The heading of the page.")
@click.option("--live", is_flag=True, help="Let the page search by itself, with Python (12 MB).")
@click.option("--out", type=FILE, required=True, help="The page to write.")
def explore(
    kind: GameType, game: Game, state: Any, title: str, live: bool, out: Path, **arguments: Any
) -> Answer:
    """Write a page to step through the search of a BOARD, or of the start.

    The page needs no network. Add #step=N to its address to open it at step N. --algorithm may
    also be a search that grows a tree, as in kalahlab search; by default it has 200 playouts or
    1,000 nodes.

    \b
    kalahlab explore --pits 3 --stones 2 --beside minimax --out search.html
    kalahlab explore aima-5.2 --game tree --out tree.html
    kalahlab explore --pits 3 --stones 2 --algorithm uct --out uct.html
    """
    limit = growth.take_limit(arguments)
    if growth.is_growing_search(arguments["algorithm"]):
        with progress_line("searching and recording each iteration"):
            grown = growth.explore_growing(kind, game, state, limit, live=live, **arguments)
        write_atomic(out, grown.page(title, "no"))
        return growth.describe_page(grown, game, arguments["algorithm"], out)
    growth.refuse_growing_options(arguments["algorithm"])
    for name in ("leaf_value", "settings"):
        arguments.pop(name)
    if limit is not None and not isinstance(limit, Depth):
        raise click.UsageError(f"a page shows {arguments['algorithm']} to a depth; use --depth")
    from kalahlab.widgets.explorer import explore as make_explorer
    from kalahlab.widgets.models.search_request import USUAL_DEPTH

    given_depth = None if limit is None else limit.limit
    depth = resolve_depth(state, given_depth, arguments["leaf"], USUAL_DEPTH)
    arguments["depth"] = depth
    with progress_line("searching and recording each node"):
        explorer = make_explorer(state, game=game, game_type=kind, **arguments)
    write_atomic(out, explorer.page(title, "inside" if live else "no"))
    nodes = [trace["visited"] for trace in explorer.traces]
    numbers = " and ".join(f"{count:,}" for count in nodes)
    unit = "node" if nodes == [1] else "nodes"
    text = f"open {out} ({numbers} {unit})"
    has_chance = getattr(game, "has_chance", False)  # then there is no alpha-beta to compare with
    if "." in arguments["algorithm"] and explorer.request and not has_chance:  # a user's algorithm
        message, step = explorer.request.compare_with_alpha_beta()
        if step is not None:
            message += f" Open {out}#step={step}"
        text += f"\n{fill(message, WIDTH)}"
    data = describe_run(game, state, arguments["algorithm"], depth)
    data["evaluator"] = ""
    if explorer.request:  # None if the searches were recorded before
        data["evaluator"] = explorer.request.evaluator
    data |= {"page": str(out), "nodes": nodes}
    return Answer(data, text)


def has_window(algorithm: Any) -> bool:
    """Return whether an algorithm calls an observed search that takes alpha and beta.

    A search with a window is recognized by its four parameters: tree, node, alpha and beta.
    """
    function = unwrap(algorithm)
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        if hasattr(value, "__wrapped__") and unwrap(value).__code__.co_argcount == 4:
            return True
    return False


def print_comparison(name: str, algorithm: Any, result: Result, expected: Result) -> None:
    """Print a note on the first thing, if any, in which a user's search differs from alpha-beta.

    Args:
        name: The name of the user's algorithm.
        algorithm: The function of the user's algorithm.
        result: The result of the user's algorithm.
        expected: The result of alpha-beta.
    """
    counts, expected_counts = result.counts, expected.counts
    visits_same = counts.visited == expected_counts.visited
    # An algorithm without cutoffs and without a window, such as minimax, may visit more nodes.
    can_prune = counts.cutoffs > 0 or has_window(algorithm)
    if result.value != expected.value:
        value, expected_value = to_writable(result.value), to_writable(expected.value)
        note = f"alpha_beta finds {expected_value} here, {name} {value}"
    elif visits_same and counts.cutoffs < expected_counts.cutoffs:
        note = (
            f"some cutoffs of {name} are not counted: write @observable above the function that "
            "searches a node"
        )
        print_note(fill(note, WIDTH))
        return
    elif can_prune and not visits_same:
        note = (
            f"alpha_beta visits {expected_counts.visited:,} nodes here, {name} {counts.visited:,}"
        )
    elif result.line[:1] != expected.line[:1]:
        note = f"alpha_beta plays a different move than {name}"
    else:
        return
    print_note(fill(f"{note}; kalahlab explore compares them", WIDTH))


def describe_ending(game: Any, state: Any) -> str:
    """Return a sentence on a finished game, for Kalah with the winner."""
    if isinstance(game, Kalah):
        return f"The game is over. {GameLog(game, state, ()).outcome}."
    return "The game is over."


def resolve_depth(state: Any, depth: int | None, leaf: str, usual: int | None = None) -> int:
    """Return the depth to search to, and print a note if it cuts off a part of a tree by hand.

    Args:
        state: The position.
        depth: The depth from the command line; None without one.
        leaf: The leaf rule.
        usual: The default depth, if there is one. A tree by hand has its own depth as the default.

    Raises:
        click.UsageError: There is neither a depth nor a default.
    """
    if depth is None and isinstance(state, Branch):
        depth = tree_depth(state)
    if depth is None:
        depth = usual
    if depth is None:
        raise click.UsageError("Missing option '--depth'.")
    if isinstance(state, Branch):
        print_depth_warning(state, depth, leaf)
    return depth


def print_depth_warning(state: Branch, depth: int, leaf: str) -> None:
    """Print a note if a search of this depth cuts off a part of a tree written by hand."""
    note = depth_warning(state, depth, leaf)
    if note:
        print_note(f"depth {depth} of a tree of depth {tree_depth(state)}: {note}")


def describe_search(spec: SearchSpec, game: Game, state: Any) -> dict[str, Any]:
    """Return the arguments of `progress_line` for a search."""
    if spec.is_compiled_for(game, state):  # compiled code has no frames that show its progress
        return {"what": "searching by the compiled engine"}
    hint = ""
    is_compilable = replace(spec, backend="engine").is_compiled_for(game, state)
    # The engine has room for 15 pits a side, which with the stores are 32 places of a board.
    if is_compilable and len(state.board) <= 32:
        hint = "--backend engine is about a thousand times as fast, with the same answer."
    has_one_pass = spec.algorithm.replace("-", "_") not in WITH_PASSES
    return {"what": "searching", "one_pass": has_one_pass, "hint": hint}


@contextmanager
def default_signals(backend: str) -> Iterator[None]:
    """Let Ctrl-C and SIGTERM end the process while the engine runs.

    Python would only handle them when the compiled code returns.
    """
    handlers = {}
    if backend == "engine":
        for number in (signal.SIGINT, signal.SIGTERM):
            handlers[number] = signal.signal(number, signal.SIG_DFL)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


# The progress line. A thread samples the stack of the search. The search itself has no code for
# its progress.

QUIET_S = 2.0  # seconds before the line appears
EACH_S = 0.5  # seconds between two samples


def read_progress(frame: Any) -> tuple[int, float]:
    """Return the progress of the search or perft that this frame belongs to.

    The frames and their variables are those of `kalahlab.search.tree` and `kalahlab.search.perft`.

    Returns:
        The number of nodes or lines of play so far, and an estimate of the share of the tree that
        is done. The estimate takes the moves of a node for equally costly. Both are 0 if no search
        runs.
    """
    count = 0
    share = 0.0
    while frame is not None:  # from the innermost call to the outermost
        if frame.f_code.co_name in ("visit", "walk"):
            variables = frame.f_locals
            if "counter" in variables:
                count = variables["counter"].counts().visited
                if "frame_above" in variables:  # set a few steps after the visit has begun
                    siblings = variables["frame_above"].children or ()
                    share = compute_share(share, siblings, variables["node"])
            elif "reached" in variables:
                count = sum(variables["reached"])
                share = compute_share(share, variables.get("moves", ()), variables.get("move"))
        frame = frame.f_back
    return count, share


def compute_share(below: float, moves: Any, move: Any) -> float:
    """Return the share of a node that is done.

    Args:
        below: The share of the current move that is done.
        moves: The moves of the node in the order of search.
        move: The current move.
    """
    # By index, as a loop over the moves would advance an iterator that the search uses.
    for index in range(len(moves)):
        if moves[index] is move:
            return (index + below) / len(moves)
    return below


def format_status(
    what: str, unit: str, seconds: float, count: int, share: float, one_pass: bool
) -> str:
    """Return the text of the progress line.

    Args:
        what: What runs.
        unit: The unit of the count.
        seconds: The time that it has taken.
        count: The nodes or lines so far; see `read_progress`.
        share: The share that is done.
        one_pass: True if the remaining time can be estimated from the share.
    """
    from tqdm import tqdm

    parts = [f"{what}: {tqdm.format_interval(seconds)}"]
    if count:
        parts.append(f"{count:,} {unit}, {count / seconds:,.0f} a second")
    if one_pass and share > 0:
        remaining = tqdm.format_interval(seconds / share - seconds)
        parts.append(f"{share:.0%}, about {remaining} left")
    return "; ".join(parts)


@contextmanager
def progress_line(
    what: str, unit: str = "nodes", one_pass: bool = True, hint: str = ""
) -> Iterator[None]:
    """Show the progress of a search on a terminal, once it runs for `QUIET_S` seconds.

    Args:
        what: What runs.
        unit: What is counted.
        one_pass: True if the tree is walked once, so that the remaining time can be estimated.
        hint: A text to print above the line.
    """
    if not sys.stderr.isatty():
        yield
        return
    has_ended = Event()
    start = time.monotonic()

    def watch() -> None:
        if has_ended.wait(QUIET_S):
            return
        from tqdm import tqdm

        if hint:
            print_note(hint)
        with tqdm(bar_format="{desc}", leave=False) as line:
            while not has_ended.wait(EACH_S):
                count, share = read_progress(sys._current_frames().get(main_thread().ident or 0))
                seconds = time.monotonic() - start
                text = format_status(what, unit, seconds, count, share, one_pass)
                line.set_description_str(text)

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        has_ended.set()
        watcher.join()
