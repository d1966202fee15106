"""The command `kalahlab search` for searches that grow a tree, and the options of its limit."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kalahlab.cli import options
from kalahlab.cli.options import Answer
from kalahlab.cli.output import describe_run, name_moves
from kalahlab.formatting import format_columns, format_grid
from kalahlab.games import Game
from kalahlab.games.registry import GameType
from kalahlab.names import import_named, lookup, parse_float
from kalahlab.players.growth_spec import GrowthSpec, find_growing_search
from kalahlab.players.parse import has_choose
from kalahlab.search import ALGORITHMS
from kalahlab.search.growing import GROWING, PLAYOUTS
from kalahlab.search.limits import Depth, Limit, Nodes, Playouts, Seconds
from kalahlab.trace import to_writable

if TYPE_CHECKING:
    from kalahlab.widgets.growth import GrowthExplorer

KINDS: dict[str, Callable[..., Limit]] = {
    "depth": Depth,
    "nodes": Nodes,
    "seconds": Seconds,
    "playouts": Playouts,
}
WINDOW_OPTIONS = ("evaluator", "leaf", "order", "ties", "tree", "beside", "beside_order")

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
        help=f"What values a leaf of a tree that grows: {', '.join(PLAYOUTS)} or an evaluator.",
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
    if find_growing_search(algorithm) is not None:
        return True
    if has_choose(algorithm):
        raise ValueError(
            f"{algorithm} has choose, so it is a player and no search; give {algorithm}:LIMIT to "
            "kalahlab match, play or judge"
        )
    lookup("algorithm", algorithm, {**ALGORITHMS, **GROWING})  # only checks the name
    return False


def search_growing(
    kind: GameType,
    game: Game,
    state: Any,
    limit: Limit | None,
    algorithm: str,
    leaf_value: str,
    settings: Sequence[str],
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
        **others: The other options of the command; those of searches with a window are refused.
    """
    refuse_window_options(algorithm)
    import_named("evaluator", leaf_value)
    spec = GrowthSpec.parse(algorithm, leaf_value, settings, kind.name, others["backend"])
    if limit is None:
        raise click.UsageError("Missing option '--playouts', '--nodes' or '--seconds'.")
    spec.check_limit(limit)
    result = spec.search(game, state, limit)
    line = name_moves(game, state, result.line)
    data: dict[str, Any] = {"value": to_writable(result.value), "claim": result.claim}
    data |= {"move": line[0] if line else None, "pv": line}
    moves = [describe_child(game, state, child) for child in result.tree.root.children]
    counts = asdict(result.counts)
    about = describe_run(game, state, algorithm, f"{limit}")
    about |= {"leaf_value": leaf_value, "options": list(settings)}
    text = [kind.draw(state), format_columns(data | counts)]
    if moves:
        text.append(format_grid(moves))
    return Answer(about | data | {"moves": moves} | counts, "\n\n".join(text))


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


def describe_page(explorer: "GrowthExplorer", algorithm: str, out: Path) -> Answer:
    """Describe the page of an explorer that was written to a file."""
    trace = explorer.trace
    data = describe_run(trace.game, trace.nodes[0].state, algorithm, f"{explorer.limit}")
    data |= {"page": str(out), "nodes": len(trace.nodes), "iterations": trace.steps}
    text = f"open {out} ({trace.steps:,} iterations, {len(trace.nodes):,} nodes)"
    return Answer(data, text)


def describe_child(game: Game, state: Any, child: Any) -> Mapping[str, Any]:
    """Return the numbers of a child of the root by their names."""
    numbers = child.numbers
    row: dict[str, Any] = {"move": game.move_name(state, child.move)}
    for name, value in numbers._asdict().items():
        is_whole = isinstance(value, float) and value.is_integer()
        row[name] = int(value) if is_whole else to_writable(value)
    if hasattr(type(numbers), "mean"):  # that of a child without visits cannot be computed
        row["mean"] = round(numbers.mean, 3) if numbers.n else None
    return row
