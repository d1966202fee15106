"""`kalahlab search`, `perft` and `explore`, and what they say of a search that takes long."""

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from inspect import unwrap
from pathlib import Path
from textwrap import fill
from threading import Event, Thread, main_thread
from typing import Any

import click

from kalahlab import engine
from kalahlab.backends import DEEPEST, SearchSpec
from kalahlab.cli import options
from kalahlab.cli.options import FILE, Answer, command
from kalahlab.cli.text import WIDTH, columns, say, setting
from kalahlab.evaluators.registry import EVALUATORS
from kalahlab.files import write
from kalahlab.games import Game
from kalahlab.games.hand_tree import Branch, cut_short, plies
from kalahlab.games.kalah import Kalah
from kalahlab.games.registry import GameType
from kalahlab.play import GameLog
from kalahlab.search.model import Result
from kalahlab.search.perft import perft as textbook_perft
from kalahlab.trace import record, writable


@command()
@options.on_position
@options.search
@options.number("--depth", 0, DEEPEST, help="Where to cut off; a tree by hand has its own.")
@click.option("--tree", type=FILE, help="Draw the search tree to an SVG or PDF, as deep as fits.")
@click.option(
    "--ties",
    type=int,
    help="Of equally good moves play one at random, by this seed; not the first.",
)
@options.backend
def search(kind: GameType, game: Game, state: Any, tree: Path | None, **search: Any) -> Answer:
    """Search a BOARD, or the start, for its value and best move.

    Prints the value for the mover (of a tree, for MAX), the principal variation and what the
    search cost. The tree drawn is of the textbook's search, which enters the same nodes.

    \b
    kalahlab search --pits 6 --stones 4 --depth 6
    kalahlab search '<3,0,0,2,2,2,2,2,2>' --depth 3 --tree tree.svg
    kalahlab search --pits 6 --stones 4 --depth 14 --backend engine
    """
    if tree is not None and tree.suffix.lower() not in (".svg", ".pdf"):
        raise click.UsageError(f"--tree {str(tree)!r} must end in .svg or .pdf")
    depth = depth_in(state, search.pop("depth"), search["leaf"])
    depth = min(depth, 1) if search["algorithm"] == "greedy" else depth
    spec = SearchSpec(**search, game=kind.name, start=(game, state))
    name = spec.evaluator or next(iter(EVALUATORS[kind.name]))
    if tree is not None:
        from kalahlab.draw.pdf import svg_to_pdf
        from kalahlab.draw.tree_layout import fitting_depth
        from kalahlab.draw.tree_svg import tree_svg

        textbook = replace(spec, backend="textbook", start=(game, state)).searcher
        trace = record(textbook, game, state, *spec.search_args(game, depth))
        picture = tree_svg(trace, depth=fitting_depth(trace))
        write(tree, svg_to_pdf(picture) if tree.suffix.lower() == ".pdf" else picture)
        result = trace.result
    else:
        with ended_by_ctrl_c(spec.backend), shown(**about_search(spec, game, state)):
            result = spec.search(game, state, depth)
    names, at = list[str](), state
    for move in result.line:
        names.append(game.move_name(at, move))
        at = game.play(at, move)
    line = [int(name) for name in names] if all(map(str.isdigit, names)) else names
    answer = {"value": writable(result.value), "move": line[0] if line else None, "pv": line}
    answer |= asdict(result.counts)
    if "." in spec.algorithm:  # one's own
        right = replace(spec, algorithm="alpha_beta", start=(game, state))
        with ended_by_ctrl_c(right.backend), shown(**about_search(right, game, state)):
            say_difference(spec.algorithm, spec.searcher, result, right.search(game, state, depth))
    over = f"\n{ending(game, state)}" if game.over(state) else ""
    about = setting(game, state, spec.algorithm, depth)
    about |= {"evaluator": name, "leaf": spec.leaf, "order": spec.order}
    return about | answer, f"{kind.draw(state)}{over}\n\n{columns(answer)}"


@command()
@options.on_position
@options.number("--depth", 0, DEEPEST, required=True, help="The greatest depth.")
@options.backend
def perft(kind: GameType, game: Game, state: Any, depth: int, backend: str) -> Answer:
    """Count the lines of play from a BOARD, or from the start.

    One number a depth, from 1: the check of a move generator. A game that ends sooner is one line.

    \b
    kalahlab perft --pits 6 --stones 4 --depth 5
    """
    count = engine.perft if backend == "engine" else textbook_perft
    with ended_by_ctrl_c(backend), shown("counting", "lines"):
        leaves = count(game, state, depth)
    readable = "\n".join(f"{ply:>5} {count:>15,}" for ply, count in enumerate(leaves, start=1))
    answer = setting(game, state, "perft", depth) | {"leaves": leaves}
    return answer, f"depth          leaves\n{readable}"


@command()
@options.on_position
@options.search
@options.number(
    "--depth", 0, DEEPEST, help="Where to cut off.  [default: 4, or all of a tree by hand]"
)
@click.option(
    "--beside",
    type=options.by_name("algorithm"),
    help="Show a second search by this algorithm on the same clock,",
)
@click.option("--beside-order", type=options.by_name("order"), help="or one in this order.")
@click.option("--title", default="Search explorer", help="The page's heading.")
@click.option("--live", is_flag=True, help="Let the page search by itself; it has 12 MB then.")
@click.option("--out", type=FILE, required=True, help="The page to write.")
def explore(
    kind: GameType, game: Game, state: Any, title: str, live: bool, out: Path, **search: Any
) -> Answer:
    """Write the search of a BOARD, or of the start, as a page to step through.

    The page opens without a network; with #step=N after its name, it opens at that step.

    \b
    kalahlab explore --pits 3 --stones 2 --beside minimax --out search.html
    kalahlab explore aima-5.2 --game tree --out tree.html
    """
    from kalahlab.widgets.explorer import explore as searched
    from kalahlab.widgets.models.request import USUAL_DEPTH

    search["depth"] = depth_in(state, search["depth"], search["leaf"], USUAL_DEPTH)
    with shown("searching, and keeping each node"):
        explorer = searched(state, game=game, kind=kind, **search)
    write(out, explorer.page(title, "inside" if live else "no"))
    nodes = [each["visited"] for each in explorer.traces]
    unit = "node" if nodes == [1] else "nodes"
    readable = f"open {out} ({' and '.join(f'{count:,}' for count in nodes)} {unit})"
    if "." in search["algorithm"] and explorer.request:  # one's own
        said, step = explorer.request.beside_alpha_beta()
        readable += f"\n{fill(said + f' Open {out}#step={step}' * (step is not None), WIDTH)}"
    about = setting(game, state, search["algorithm"], search["depth"])
    about |= {"evaluator": explorer.request.evaluator if explorer.request else ""}
    return about | {"page": str(out), "nodes": nodes}, readable


def has_window(algorithm: Any) -> bool:
    """Whether an algorithm calls an observed search that takes alpha and beta."""
    inner = unwrap(algorithm)
    called = [inner.__globals__.get(name) for name in inner.__code__.co_names]
    observed = [unwrap(each) for each in called if hasattr(each, "__wrapped__")]
    return any(each.__code__.co_argcount == 4 for each in observed)


def say_difference(name: str, algorithm: Any, own: Result, right: Result) -> None:
    """What one's own search finds or counts otherwise than alpha-beta."""
    usual, counts = right.counts, own.counts
    if own.value != right.value:
        said = f"alpha_beta finds {writable(right.value)} here, {name} {writable(own.value)}"
    elif counts.cutoffs < usual.cutoffs and counts.visited == usual.visited:
        said = f"{name}: cutoffs are counted where @observable is above what searches a node"
        return say(fill(said, WIDTH))
    elif (counts.cutoffs or has_window(algorithm)) and counts.visited != usual.visited:
        said = f"alpha_beta visits {usual.visited:,} nodes here, {name} {counts.visited:,}"
    elif own.line[:1] != right.line[:1]:
        said = f"alpha_beta plays another move than {name}"
    else:
        return None
    return say(fill(f"{said}; kalahlab explore compares them", WIDTH))


def ending(game: Any, state: Any) -> str:
    """Say how a finished game ended, as far as its margin tells."""
    if isinstance(game, Kalah):
        return f"The game is over. {GameLog(game, state, ()).outcome}."
    return "The game is over."


def depth_in(state: Any, depth: int | None, leaf: str, usual: int | None = None) -> int:
    """The depth as given, or a tree's own, or `usual`, which is None if it must be given."""
    if depth is None:
        depth = plies(state) if isinstance(state, Branch) else usual
    if depth is None:
        raise click.UsageError("Missing option '--depth'.")
    if isinstance(state, Branch) and (short := cut_short(state, depth, leaf)):
        say(f"depth {depth} of a tree of depth {plies(state)}: {short}")
    return depth


def about_search(spec: SearchSpec, game: Game, state: Any) -> dict[str, Any]:
    """Return what `shown` is to say of a search; the engine's has no stack to look at."""
    if spec.is_compiled_for(game, state):
        return {"what": "searching by the compiled engine"}
    hint, compiled = "", replace(spec, backend="engine").is_compiled_for(game, state)
    if compiled and len(state.board) <= 16:  # 7 pits a side
        hint = "--backend engine finds the same some thousand times as fast."
    return {"what": "searching", "one_pass": "mtdf" not in spec.algorithm, "hint": hint}


@contextmanager
def ended_by_ctrl_c(backend: str) -> Iterator[None]:
    """Ctrl-C and SIGTERM end the process: Python handles them only when compiled code returns."""
    both = (signal.SIGINT, signal.SIGTERM) if backend == "engine" else ()
    before = {each: signal.signal(each, signal.SIG_DFL) for each in both}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


# On a terminal a thread looks at the stack of the search, which itself does nothing for it.

QUIET_S, EACH_S = 2.0, 0.5


def seen(frame: Any) -> tuple[int, float]:
    """How far the search or perft of this frame is, 0 if it is none: the nodes, or lines of play,
    and about how much of the tree is done, moves taken to cost alike."""
    count, share = 0, 0.0
    while frame is not None:
        if frame.f_code.co_name in ("visit", "walk"):
            here = frame.f_locals
            if "counter" in here:
                count = here["counter"].counts().visited
                share = part_done(share, here.get("siblings", ()), here["node"])
            elif "reached" in here:
                count = sum(here["reached"])
                share = part_done(share, here.get("moves", ()), here.get("move"))
        frame = frame.f_back
    return count, share


def part_done(below: float, moves: Any, move: Any) -> float:
    """The share that is done of a node, one of whose moves is searched and done by `below`."""
    # by their places, as a loop over the moves would be one of the search's
    at = [nth for nth in range(len(moves)) if moves[nth] is move]
    return (at[0] + below) / len(moves) if at else below


def status(what: str, counted: str, took: float, nodes: int, share: float, one_pass: bool) -> str:
    from tqdm import tqdm

    parts = [f"{what}: {tqdm.format_interval(took)}"]
    if nodes:
        parts.append(f"{nodes:,} {counted}, {nodes / took:,.0f} a second")
    if one_pass and share > 0:
        left = tqdm.format_interval(took / share - took)
        parts.append(f"{share:.0%}, about {left} left")
    return "; ".join(parts)


@contextmanager
def shown(
    what: str, counted: str = "nodes", one_pass: bool = True, hint: str = ""
) -> Iterator[None]:
    """On a terminal, say what runs and how far it is, from `QUIET_S` seconds on.

    counted: what is counted. one_pass: whether the tree is walked once, so that what is left can
    be estimated. hint: said once, above.
    """
    if not sys.stderr.isatty():
        yield
        return
    ended, began = Event(), time.monotonic()

    def watch() -> None:
        if ended.wait(QUIET_S):
            return
        from tqdm import tqdm

        if hint:
            say(hint)
        with tqdm(bar_format="{desc}", leave=False) as line:
            while not ended.wait(EACH_S):
                found = seen(sys._current_frames().get(main_thread().ident or 0))
                took = time.monotonic() - began
                line.set_description_str(status(what, counted, took, *found, one_pass))

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
