"""Layout of a recorded search: the nodes to draw, and their texts. Lengths are in pixels."""

from math import inf, isinf, isnan

from kalahlab.draw import svg
from kalahlab.draw.mini_board import mini_board
from kalahlab.draw.svg import DRAWING
from kalahlab.draw.tidy_tree import CUT, WINDOW, Item, Sizes, TidyTree, name_beside
from kalahlab.formatting import format_brief, format_chance, format_number
from kalahlab.search.perft import count_full_tree
from kalahlab.trace import Cut, Trace, Visit

MAX_NODES = 400  # the most nodes that are drawn
SKIPPED = "never visited"  # because of a cut
BLANK_WINDOW = "[____, ____]"  # to be filled in by hand


def max_drawn_depth(trace: Trace) -> int:
    """Return the greatest `depth` at which `tree_svg` draws at most `MAX_NODES` nodes, or 0."""
    levels = sorted(trace.levels)  # the level of each node
    if len(levels) <= MAX_NODES:
        return levels[-1]
    level_of_first_too_many = levels[MAX_NODES]
    return max(0, level_of_first_too_many - 1)


def value_text(visit: Visit, unit: str = "value") -> str:
    """Return the value, with ≤ or ≥ in front if it is only a bound.

    A value is a bound if it is outside the window on entry. `unit` is that of the trace.
    """
    if visit.value is None:
        return ""
    if unit == "probability":
        return format_chance(visit.value)
    return visit.inequality + format_brief(visit.value)


def window_text(visit: Visit) -> str:
    """Return the window on entry; for a null window, a question such as "> 3?".

    A window that is to be found (see `clear_results`) is a blank.
    """
    if isnan(visit.alpha):
        return BLANK_WINDOW
    if visit.question:
        return f"{visit.question}?"
    return f"[{format_brief(visit.alpha)}, {format_brief(visit.beta)}]"


def cut_text(trace: Trace, cut: Cut) -> str:
    """Return the bound that a cut reached, such as "β=3"; with a null window, such as "β>3".

    The ends of a null window are neighbouring floats, and its question names only one of them. The
    other end is described by that one: for "> 3?" beta is the next number above 3, so β>3; for
    "≥ 4?" alpha is the next number below 4, so α<4.
    """
    visit = trace.nodes[cut.node]
    if visit.is_cut_above:
        if ">" in visit.question:
            return f"β>{format_brief(visit.alpha)}"
        return f"β={format_brief(visit.beta)}"
    if "≥" in visit.question:
        return f"α<{format_brief(visit.beta)}"
    return f"α={format_brief(visit.alpha)}"


def name_text(visit: Visit) -> str:
    """Return the name of the move to a node that is no leaf."""
    return name_beside(visit.label, visit.is_extra_turn)


def name_width(visit: Visit) -> float:
    return svg.width_of(name_text(visit), DRAWING["name"]["size"])


def place_of_name(trace: Trace, visit: Visit) -> Sizes:
    """Return the place of the name of the move to a node that is no leaf."""
    place: Sizes = DRAWING["name"]
    if visit.kind == "unvisited" and describe_unvisited(trace, visit) == SKIPPED:
        place = DRAWING["ghostName"]["max" if visit.node.maximizing else "min"]
    return place


def describe_unvisited(trace: Trace, visit: Visit) -> str:
    """Return "never visited" if a cut at the parent excludes a visit, else "not visited"."""
    # The root has no parent, but it is always visited, so it is no argument here.
    is_cut = trace.nodes[visit.parent or 0].kind == "cut"
    return SKIPPED if is_cut else "not visited"


def describe_visit(trace: Trace, visit: Visit) -> str:
    """Describe a node: its place, its kind or the player to move, its value and its window.

    The value and the window are left out if they are to be found; see `clear_results`.
    """
    place = trace.place(visit.id)
    if visit.kind == "unvisited":
        return f"{place}: {describe_unvisited(trace, visit)}"
    sign = {"≤": "at most ", "≥": "at least ", "": ""}[visit.inequality]
    kinds = {
        "leaf": "leaf",
        "finished": "leaf" if trace.game == "tree" else "finished game",
        "table": "known from the table",
    }
    mover = "chance moves" if visit.is_chance else f"{visit.player} to move"
    parts = [f"{place}: {kinds.get(visit.kind, mover)}"]
    if visit.value is not None:
        parts.append(f"value {sign}{format_number(visit.value)}")
    if visit.question:
        parts.append(f"asked whether {visit.question}")
    elif not isnan(visit.alpha):
        parts.append(f"window [{format_number(visit.alpha)}, {format_number(visit.beta)}]")
    return ", ".join(parts)


class Layout(TidyTree[Visit]):
    """The levels of a trace down to `depth`, laid out.

    Attributes:
        trace: The search.
        boards: True if boards are drawn.
        best: The ids of the best line; empty if the line has no move.
        span: The greatest distance from 0 of a finite number in the search, for bars of windows.
        costs: The number of nodes that a cut skipped, by the id of the move never tried; empty if
            they are not known.
        cuts: The cuts that are drawn, by the ids of their nodes.
    """

    def __init__(self, trace: Trace, depth: int | None, boards: bool) -> None:
        self.trace, self.boards = trace, boards
        visits, last = self._choose(depth)
        visited = [visit for visit in trace.nodes if visit.kind != "unvisited"]
        # Windows are left out if no node was entered with a bound, as in a search without pruning.
        windows = any(not isinf(visit.alpha) or not isinf(visit.beta) for visit in visited)
        ends = [(visit.value or 0, visit.alpha, visit.beta) for visit in visited]
        self.span = max([1.0, *(abs(end) for row in ends for end in row if abs(end) < inf)])
        self.best = {*trace.principal}
        if len(trace.principal) <= 1:
            self.best = set()
        self.costs = self._count_skipped() if len(visits) == len(trace.nodes) else {}
        self.cuts: dict[int, Cut] = {}
        super().__init__(self._make_items(visits, last, windows), windows)

    def _choose(self, depth: int | None) -> tuple[list[Visit], int]:
        """Return the visits to draw, and the level of the last ones."""
        if depth is not None and depth < 0:
            raise ValueError(f"depth is {depth}; use 0 or more")
        levels = self.trace.levels
        last = max(levels)
        if depth is not None:
            last = min(depth, last)
        visits = [visit for visit in self.trace.nodes if levels[visit.id] <= last]
        if len(visits) > MAX_NODES:
            fitting = max_drawn_depth(self.trace)
            fitting_nodes = [level for level in levels if level <= fitting]
            raise ValueError(
                f"the tree has {len(visits)} nodes to draw, more than {MAX_NODES}; use "
                f"depth={fitting} ({len(fitting_nodes)} nodes)"
            )
        return visits, last

    def _make_items(self, visits: list[Visit], last: int, windows: bool) -> list[Item[Visit]]:
        trace, levels = self.trace, self.trace.levels
        counts = [0] * len(trace.nodes)  # of the nodes visited below each node
        for visit in reversed(trace.nodes):  # children come before their parents
            if visit.parent is not None and visit.kind != "unvisited":
                counts[visit.parent] += 1 + counts[visit.id]
        cuts = {cut.node: cut for cut in trace.cuts if cut.untried}
        items = {visit.id: self._make_item(visit, windows) for visit in visits}
        for id, item in items.items():
            if levels[id] == last:
                item.hidden = counts[id]
                continue
            item.take_children([items[child] for child in item.node.children])
            if id in cuts:
                self.cuts[id] = cuts[id]
                text = cut_text(trace, cuts[id])
                item.width_of_bound = CUT["gap"] + svg.width_of(text, CUT["size"], bold=True)
        return [*items.values()]

    def _make_item(self, visit: Visit, windows: bool) -> Item[Visit]:
        is_ghost, is_table = visit.kind == "unvisited", visit.kind == "table"
        is_leafy = not visit.children and not is_table
        if is_ghost:
            is_leafy = self.costs.get(visit.id) == 1
        is_cut_off = is_ghost and describe_unvisited(self.trace, visit) == SKIPPED
        item = Item(visit, is_leafy, visit.node.maximizing, is_ghost, is_boxed=is_table)
        item.is_double = visit.is_extra_turn and not is_cut_off
        if not is_leafy:
            item.start_of_name = place_of_name(self.trace, visit)["x"] - name_width(visit)
        if windows and not is_leafy and not is_ghost:
            item.half = max(item.half, svg.width_of(window_text(visit), WINDOW["size"]) / 2)
        if self.boards and not is_ghost:
            item.board = mini_board(visit.node.state)
        return item

    def _count_skipped(self) -> dict[int, int]:
        """Return for each move that a cut skipped the number of nodes of its full subtree."""
        if self.trace.searched is None:
            return {}
        count = count_full_tree(*self.trace.searched)
        untried = [id for cut in self.trace.cuts for id in cut.untried]
        return {id: count(self.trace.nodes[id].node) for id in untried}
