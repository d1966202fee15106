"""The command `kalahlab search` for searches that grow a tree, and the options of its limit."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kalahlab import engine
from kalahlab.cli import options
from kalahlab.cli.options import Answer
from kalahlab.cli.output import describe_run, name_moves
from kalahlab.draw.growth_svg import growth_svg
from kalahlab.evaluators.registry import EVALUATORS
from kalahlab.files import write_atomic
from kalahlab.formatting import format_columns, format_grid
from kalahlab.games import Game
from kalahlab.games.registry import GameType
from kalahlab.names import import_named, lookup, parse_float
from kalahlab.players.growth_spec import GrowthSpec, find_growing_search, parse_option
from kalahlab.players.parse import has_choose
from kalahlab.search import SEARCHES
from kalahlab.search.df_pn import df_pn
from kalahlab.search.growing import GROWING, PLAYOUTS, Growth
from kalahlab.search.limits import Depth, Limit, Nodes, Playouts, Seconds, check_kind
from kalahlab.search.model import Result
from kalahlab.trace import Trace, to_writable
from kalahlab.trace.growth import GrowthRecorder, GrowthTrace

if TYPE_CHECKING:
    from kalahlab.widgets.growth import GrowthExplorer

KINDS: dict[str, Callable[..., Limit]] = {
    "depth": Depth,
    "nodes": Nodes,
    "seconds": Seconds,
    "playouts": Playouts,
}
WINDOW_OPTIONS = ("evaluator", "leaf", "order", "ties", "beside", "beside_order")

limits = options.compose_options(
    options.number("--nodes", 1, help="Search as deep as so many nodes allow."),
    click.option(
        "--seconds",
        type=options.at_least(0, "seconds", parse=parse_float),
        help="Search as deep as the time allows.",
    ),
    options.number("--playouts", 1, help="For uct and others: so many playouts."),
)

growing = options.compose_options(
    click.option(
        "--leaf-value",
        default="random",
        show_default=True,
        help=(
            f"What values a leaf of a tree that grows: {', '.join(PLAYOUTS)} or an evaluator "
            "(best_first and dynamic_ordering take only an evaluator)."
        ),
    ),
    click.option(
        "--option",
        "settings",
        multiple=True,
        metavar="NAME=VALUE",
        help="An option of a search that grows a tree, such as c=5 or seed=7. May be repeated.",
    ),
)


def take_limit(arguments: dict[str, Any]) -> Limit | None:
    """Take the options of the limit out of the arguments of a command.

    Returns:
        The limit, or None if there is none.

    Raises:
        click.UsageError: There are several.
    """
    values = {name: arguments.pop(name) for name in KINDS}
    names = [name for name, value in values.items() if value is not None]
    if len(names) > 1:
        raise click.UsageError(f"--{names[0]} and --{names[1]} both limit the search; use one")
    if not names:
        return None
    [name] = names
    return KINDS[name](values[name])


def is_growing_search(algorithm: str) -> bool:
    """Return whether an algorithm is a search that grows a tree, and not one with a window.

    Raises:
        ValueError: It is neither: its name is unknown, or it is a user's player.
    """
    if find_growing_search(algorithm) is not None or is_df_pn(algorithm):
        return True
    if has_choose(algorithm):
        raise ValueError(
            f"{algorithm} has choose, so it is a player and no search; give {algorithm}:LIMIT to "
            "kalahlab match, play or judge"
        )
    choices = {**SEARCHES, **GROWING, "df_pn": df_pn}
    lookup("algorithm", algorithm, choices)  # only checks the name
    return False


def is_df_pn(algorithm: str) -> bool:
    """Return whether an algorithm is df-pn, which proves like proof_number, but keeps no tree."""
    return algorithm.replace("-", "_") == "df_pn"


def search_growing(
    kind: GameType,
    game: Game,
    state: Any,
    limit: Limit | None,
    algorithm: str,
    leaf_value: str,
    settings: Sequence[str],
    tree: Path | None,
    **others: Any,
) -> Answer:
    """Search a position by a search that grows a tree.

    Args:
        kind: The type of the game.
        game: The game.
        state: The position.
        limit: How long to search.
        algorithm: The name or import path of the search.
        leaf_value: The name of what values a leaf.
        settings: The options of the search, as texts.
        tree: The file for the tree; see `write_tree`.
        **others: The other options of the command; those of searches with a window are refused.
    """
    refuse_window_options(algorithm)
    if tree is not None:
        check_tree_file(tree, algorithm)
    if limit is None:
        raise click.UsageError(f"Missing option {' or '.join(find_limit_options(algorithm))}.")
    if is_df_pn(algorithm):
        leaf_value, moves = "", list[Mapping[str, Any]]()
        result = search_by_df_pn(game, state, limit, settings, others["backend"])
    else:
        if not is_typed("leaf_value"):
            leaf_value = find_usual_leaf(algorithm, kind.name)
        import_named("evaluator", leaf_value)
        spec = GrowthSpec.parse(algorithm, leaf_value, settings, kind.name, others["backend"])
        spec.check_limit(limit)
        result = growth = grow_tree(spec, kind, game, state, limit, tree)
        moves = describe_children(game, growth.tree.root)
    line = name_moves(game, state, result.line)
    data: dict[str, Any] = {"value": to_writable(result.value), "claim": result.claim}
    data |= {"move": line[0] if line else None, "pv": line}
    counts = asdict(result.counts)
    about = describe_run(game, state, algorithm, f"{limit}")
    about |= {"leaf_value": leaf_value, "options": list(settings)}
    text = [kind.draw(state), format_columns(data | counts)]
    if moves:
        text.append(format_grid(moves))
    return Answer(about | data | {"moves": moves} | counts, "\n\n".join(text))


def find_limit_options(algorithm: str) -> list[str]:
    """Return the options of the limits that a search takes, in quotes."""
    search = find_growing_search(algorithm)
    limits = (Nodes, Seconds) if search is None else search.policy.limits  # None for df_pn
    return [f"'--{name}'" for name, kind in KINDS.items() if kind in limits]


def grow_tree(
    spec: GrowthSpec, kind: GameType, game: Game, state: Any, limit: Limit, tree: Path | None
) -> Growth:
    """Search a position, and write the tree to a file if there is one."""
    if tree is None:
        return spec.search(game, state, limit)
    recorder = GrowthRecorder(game)
    growth = spec.search(game, state, limit, recorder)
    recorder.trace.result = growth
    title = f"{spec.name}, {limit}, of {kind.format(state)}"
    write_tree(tree, recorder.trace, lambda: growth_svg(recorder.trace, title=title))
    return growth


def check_tree_file(tree: Path, algorithm: str) -> None:
    """Raise `click.UsageError` unless a search has a tree, and the file is a picture or JSON."""
    if is_df_pn(algorithm):
        raise click.UsageError("df_pn keeps no tree to draw; use proof_number")
    if tree.suffix.lower() not in (".svg", ".pdf", ".html", ".json"):
        raise click.UsageError(f"--tree {str(tree)!r} must end in .svg, .pdf, .html or .json")


def write_tree(
    file: Path,
    trace: Trace | GrowthTrace,
    draw: Callable[[], str],
    tasks: Sequence[str] = (),
    reasons: Sequence[str] = (),
) -> None:
    """Write a recorded search to a file: a picture as SVG, PDF or HTML, or all of it as JSON.

    Args:
        file: The file; the end of its name says which.
        trace: The recorded search.
        draw: Draws the tree as SVG.
        tasks: For HTML, what students are to do.
        reasons: For HTML, the reasons of the cuts, or of values that do not follow by minimax.
    """
    suffix = file.suffix.lower()
    if suffix == ".json":
        write_atomic(file, trace.to_json())
        return
    picture = draw()
    if suffix == ".svg":
        write_atomic(file, picture)
        return
    if suffix == ".html":
        from kalahlab.report.rendering import render  # here, as only a page needs it

        heading = "The cuts"
        if isinstance(trace, Trace) and trace.has_own_backup:
            heading = "How the values follow"
        page = render(
            "tree.html.j2",
            command="search",
            title="Exercise: a search tree" if tasks else "A search tree",
            picture=picture,
            tasks=tasks,
            heading=heading,
            reasons=reasons,
        )
        write_atomic(file, page)
        return
    from kalahlab.draw.pdf import svg_to_pdf  # here, as only a PDF needs it

    write_atomic(file, svg_to_pdf(picture))


def search_by_df_pn(
    game: Game, state: Any, limit: Limit, settings: Sequence[str], backend: str
) -> Result:
    """Search a position by df-pn, by the engine if it can and is asked to.

    Raises:
        ValueError: The limit is of another type, or an option is not `at_least`.
    """
    if is_typed("leaf_value"):
        raise click.UsageError("df_pn values no leaf, so it has no --leaf-value")
    options = dict(parse_option(GROWING["proof_number"], text, "") for text in settings)
    if "seed" in options:
        raise click.UsageError("df_pn has no random numbers, so it has no seed")
    check_kind("df_pn", limit, (Nodes, Seconds))
    is_compiled = backend == "engine" and engine.uct.can_grow(game, state, PLAYOUTS["random"])
    search: Any = engine.df_pn if is_compiled else df_pn
    result: Result = search(game, state, limit, **options)
    return result


def find_usual_leaf(algorithm: str, game: str) -> str:
    """Return the name of what values a leaf by default.

    These are random playouts, and the game's first evaluator for a search that takes no playouts.
    """
    search = find_growing_search(algorithm)
    if search in (GROWING["best_first"], GROWING["dynamic_ordering"]):
        return next(iter(EVALUATORS[game]))
    return "random"


def refuse_window_options(algorithm: str) -> None:
    """Raise `click.UsageError` for an option that only a search with a window has."""
    for name in WINDOW_OPTIONS:
        if is_typed(name):
            option = name.replace("_", "-")
            raise click.UsageError(
                f"{algorithm} has no --{option}; it has --leaf-value and --option"
            )


def refuse_growing_options(algorithm: str) -> None:
    """Raise `click.UsageError` for an option that only a search that grows a tree has."""
    for name, option in (("leaf_value", "--leaf-value"), ("settings", "--option")):
        if is_typed(name):
            raise click.UsageError(f"{algorithm} grows no tree, so it has no {option}")


def is_typed(name: str) -> bool:
    """Return whether an option was typed on the command line."""
    source = click.get_current_context().get_parameter_source(name)
    return source is click.core.ParameterSource.COMMANDLINE


def explore_growing(
    kind: GameType,
    game: Game,
    state: Any,
    limit: Limit | None,
    algorithm: str,
    leaf_value: str,
    settings: Sequence[str],
    live: bool,
    **_: Any,
) -> "GrowthExplorer":
    """Search a position by a search that grows a tree, and return the explorer that shows it.

    Args:
        kind: The type of the game.
        game: The game.
        state: The position.
        limit: How long to search; None for the default of the search.
        algorithm: The name or import path of the search.
        leaf_value: The name of what values a leaf.
        settings: The options of the search, as texts.
        live: Whether the page is to search by itself, which it cannot.
        **_: The options of searches with a window, which are refused.
    """
    from kalahlab.widgets.growth import explore_growth

    refuse_window_options(algorithm)
    if is_df_pn(algorithm):
        raise click.UsageError("df_pn keeps no tree to show; use proof_number")
    if live:
        raise click.UsageError(f"a page cannot search by {algorithm}; leave out --live")
    leaf = import_named("evaluator", leaf_value) if is_typed("leaf_value") else None
    return explore_growth(
        state,
        game=game,
        game_type=kind,
        algorithm=algorithm,
        evaluator=leaf,
        limit=limit,
        settings=settings,
    )


def describe_page(explorer: "GrowthExplorer", game: Game, algorithm: str, out: Path) -> Answer:
    """Describe the page of an explorer that was written to a file."""
    trace = explorer.trace
    data = describe_run(game, trace.nodes[0].state, algorithm, f"{explorer.limit}")
    data |= {"page": str(out), "nodes": len(trace.nodes), "iterations": trace.steps}
    text = f"open {out} ({trace.steps:,} iterations, {len(trace.nodes):,} nodes)"
    return Answer(data, text)


def describe_children(game: Game, root: Any) -> list[Mapping[str, Any]]:
    """Return the moves of the root, each with the numbers of its child by their names."""
    names = [name_moves(game, root.state, [child.move])[0] for child in root.children]
    if not all(isinstance(name, int) for name in names):
        names = [str(name) for name in names]
    rows = list[Mapping[str, Any]]()
    for name, child in zip(names, root.children, strict=True):
        rows.append({"move": name} | describe_numbers(child.numbers))
    return rows


def describe_numbers(numbers: Any) -> dict[str, Any]:
    """Return what a search knows of a node by name, for JSON."""
    row = dict[str, Any]()
    for name, value in numbers._asdict().items():
        is_whole = isinstance(value, float) and value.is_integer()
        row[name] = int(value) if is_whole else to_writable(value)
    if hasattr(type(numbers), "mean"):  # that of a child without visits cannot be computed
        row["mean"] = round(numbers.mean, 3) if numbers.n else None
    return row
