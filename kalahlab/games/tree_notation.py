"""Trees written by hand, as text: one line to write down, and an outline in characters.

    ((3 12 8) (2 4 6) (14 5 2))     a node in parentheses, its children one after the other
    (8(9 -6 0) 3(0 -2))             right before them what an inner node is worth, if not 0
    ([1 2] 3)                       square brackets: the same player moves as in the node above
    (win:(3 draw:12) 5)             a name and a colon before what it names
    aima-5.2                        a tree of the textbooks, by its name in `EXAMPLES`
    uniform:3x4:7                   3 branches at each node, 4 plies deep, values by the seed 7

MAX moves at the root, unless it stands in square brackets; in parentheses moves the other
player than in the node above, and to a leaf the turn has passed. Values are MAX's. Nodes
without a name are named by the places of the branches that lead to them, as 2.1.
"""

import math
import re

from kalahlab.games.hand_tree import EXAMPLES, MIN, Branch, uniform_tree

EXAMPLE = "((3 12 8) (2 4 6) (14 5 2))"
MAX_LEVELS = 100
"""How deep brackets may be nested."""

MAX_LEAVES = 100_000
"""Of a uniform tree."""

_TOKEN = re.compile(r"[^\s()\[\]]*[(\[]|[)\]]|[^\s()\[\]]+")
"""An opening bracket with what stands right before it, a closing one, or a leaf."""

_NAME = re.compile(r"(?![\d.]+\Z)[^\s()\[\]:]{1,20}")
"""What can be written before a colon; digits alone are a place."""

_UNIFORM = re.compile(r"uniform:(\d{1,3})x(\d{1,3}):(\d+)", re.ASCII)


def parse_tree(text: str) -> Branch:
    """The root of the tree that a text stands for; `ValueError`, in one line, if it is none."""
    text = text.strip()
    if text in EXAMPLES:
        return EXAMPLES[text].root
    if uniform := _UNIFORM.fullmatch(text):
        arity, depth, seed = map(int, uniform.groups())
        if depth > MAX_LEVELS or not 0 < arity**depth <= MAX_LEAVES:
            sizes = f"1 to {MAX_LEAVES:,} leaves and {MAX_LEVELS} levels"
            raise ValueError(f"tree {text!r}: use {sizes}")
        return uniform_tree(arity, depth, seed)
    tokens = _TOKEN.findall(text)[::-1]
    try:
        root = _node(tokens, MIN, ())
        if tokens:
            raise ValueError(f"{tokens[-1]!r} comes after its end")
    except ValueError as error:
        names = ", ".join(EXAMPLES)
        raise ValueError(f"tree {text!r}: {error}; write as {EXAMPLE!r}, or {names}") from None
    return root


def _node(tokens: list[str], above: int, path: tuple[int, ...]) -> Branch:
    """The node at the end of `tokens`, which are in reverse order; takes them away."""
    if not tokens:
        raise ValueError("it ends too early")
    name, colon, token = tokens.pop().rpartition(":")
    name = parse_name(name) if colon else ".".join(map(str, path))
    if token[-1:] not in ("(", "["):
        return Branch(name, 1 - above, _value(token))
    if len(path) >= MAX_LEVELS:
        raise ValueError(f"brackets are nested more than {MAX_LEVELS} deep")
    player, closing = (1 - above, ")") if token[-1] == "(" else (above, "]")
    children: list[Branch] = []
    while tokens[-1:] != [closing]:
        children.append(_node(tokens, player, (*path, len(children) + 1)))
    tokens.pop()
    if not children:
        raise ValueError("there is nothing between brackets")
    if len({child.name for child in children}) < len(children):
        raise ValueError("two branches of a node have the same name")
    return Branch(name, player, _value(token[:-1] or "0"), tuple(children))


def parse_name(text: str) -> str:
    """The name of a node; `ValueError` if it could not be written down with its tree."""
    name = text.strip()
    if not _NAME.fullmatch(name):
        raise ValueError(
            f"{name[:40]!r} is no name: use up to 20 characters, not digits alone, "
            "and no spaces, brackets or colons"
        )
    return name


def _value(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"{text!r} is not a number")
    return int(value) if value.is_integer() else value


def format_tree(root: Branch) -> str:
    """The text of a tree: its name if it is one of the textbooks', else its brackets."""
    for name, tree in EXAMPLES.items():
        if tree.root == root:
            return name
    return _brackets(root, MIN)


def _brackets(node: Branch, above: int) -> str:
    name = f"{node.name}:" if _NAME.fullmatch(node.name) else ""
    if not node.children:
        return f"{name}{node.value}"
    opening, closing = "[]" if node.player == above else "()"
    children = " ".join(_brackets(child, node.player) for child in node.children)
    return f"{name}{node.value or ''}{opening}{children}{closing}"


def draw_tree(node: Branch, level: int = 0) -> str:
    """A line a node, indented by its level: its name, and whose turn it is or its value."""
    name = f"{node.name} " if node.name else ""
    if not node.children:
        return f"{'  ' * level}{name}{node.value}"
    below = (draw_tree(child, level + 1) for child in node.children)
    return "\n".join((f"{'  ' * level}{name}{('MAX', 'MIN')[node.player]}", *below))
