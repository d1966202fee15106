"""Hand-written trees: the game of walking down one, its text, and the textbooks' examples.

    ((3 12 8) (2 4 6) (14 5 2))     a number is a leaf; parentheses contain the children of a node
    (8(9 -6 0) 3(0 -2))             a number right before a bracket: the value of an inner node
    ([1 2] 3)                       square brackets: the same player moves as in the node above
    ({1/4*3 3/4*-1} 2)              braces: chance moves, to a branch with this probability
    (win:(3 draw:12) 5)             a name and a colon before the node that has the name
    aima-5.2                        a tree of the textbooks, by its name in `EXAMPLES`
    uniform:3x4:7                   3 branches at each node, 4 plies deep, values by the seed 7

At a root in parentheses MAX moves, at a root in square brackets MIN. Below the root, a leaf and a
node in parentheses belong to the other player than the node above; below braces, the players go on
as if chance had not moved. Values are MAX's; an inner node without a number has 0. Nodes without a
name are named after their parent and their place in it: 2.1, or B.1 below B.
"""

import ast
import math
import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from kalahlab.names import did_you_mean

MAX, MIN, CHANCE = 0, 1, 2
EXAMPLE = "((3 12 8) (2 4 6) (14 5 2))"
CUT_SHORT = "inner nodes have no value of their own; at the depth they count as 0"
MAX_LEVELS = 100  # the deepest nesting of brackets
MAX_LEAVES = 100_000  # the most leaves of a uniform tree

# An opening bracket with the text right before it, a closing bracket, or a leaf: the tokens of
# `(A:8(x:1 2))` are `(`, `A:8(`, `x:1`, `2`, `)` and `)`.
_TOKEN = re.compile(r"[^\s()\[\]{}]*[(\[{]|[)\]}]|[^\s()\[\]{}]+")
# A name before a colon. Default names are excluded: digits and dots alone, such as 2.1.
_NAME = re.compile(r"(?![\d.]+\Z)[^\s()\[\]{}:*]{1,20}")
# Such as `uniform:3x4:7`. The groups are the branches at each node, the depth and the seed.
_UNIFORM = re.compile(r"uniform:(\d{1,3})x(\d{1,3}):(\d+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Branch:
    """A node of a tree, with all that is below it; a move selects one of its branches.

    Attributes:
        name: The name of the node, unique among the branches of a node.
        player: The player to move, MAX or MIN, or CHANCE.
        value: The value for MAX: the outcome at a leaf, the static value at an inner node.
        children: The branches, empty at a leaf.
        probability: The probability that chance takes this branch; 1 below MAX and MIN.
    """

    name: str
    player: int = MAX
    value: float = 0
    children: tuple["Branch", ...] = ()
    probability: float = 1

    @property
    def board(self) -> tuple[float, ...]:
        """The numbers that an evaluator gets: the value alone."""
        return (self.value,)

    def __hash__(self) -> int:
        """Return a hash of the node without its children, whose nodes may be thousands."""
        return hash((self.name, self.player, self.value))


@dataclass(frozen=True, slots=True)
class HandTree:
    """The game of walking down a hand-written tree. A move is the index of a child."""

    root: Branch
    max_player: ClassVar[int] = MAX  # a search maximizes for MAX even if MIN moves at the root

    def start(self) -> Branch:
        return self.root

    def moves(self, state: Branch) -> Sequence[int]:
        return range(len(state.children))

    def play(self, state: Branch, move: int) -> Branch:
        return child_of(state, move)

    def is_over(self, state: Branch) -> bool:
        return not state.children

    def move_name(self, state: Branch, move: int) -> str:
        child = state.children[move]
        if state.player == CHANCE:
            return f"{child.name}·{format_probability(child.probability)}"
        return child.name

    @property
    def has_chance(self) -> bool:
        """True if chance moves in a node of the tree."""
        return has_chance(self.root)

    def probability(self, state: Branch, move: int) -> float:
        """Return the probability of a move of chance."""
        return state.children[move].probability

    def value_range(self) -> tuple[float, float]:
        """Return the least and the greatest value of a node; a search may stop at any of them."""
        values = node_values(self.root)
        return min(values), max(values)

    def margin(self, state: Branch, player: int) -> float:
        return state.value if player == MAX else -state.value


def has_chance(node: Branch) -> bool:
    """Return whether chance moves in a node or below it."""
    return node.player == CHANCE or any(map(has_chance, node.children))


def node_values(node: Branch) -> list[float]:
    """Return the values of a node and of all nodes below it."""
    values = [node.value]
    for child in node.children:
        values += node_values(child)
    return values


def child_of(node: Branch, index: int) -> Branch:
    if not 0 <= index < len(node.children):
        raise ValueError(f"{node.name} has no branch {index}; it has {len(node.children)}")
    return node.children[index]


def tree_depth(tree: Branch) -> int:
    """Return the number of moves to the deepest leaf."""
    return max((1 + tree_depth(child) for child in tree.children), default=0)


def depth_warning(node: Branch, depth: int, leaf: str = "sow") -> str:
    """Return a warning if a search of this depth stops at a node without a value, else "".

    Args:
        node: The root.
        depth: The depth of the search.
        leaf: The unit of the depth: `sow` counts every move, `turn` only moves that pass the turn.
    """

    def has_stop_without_value(node: Branch, remaining: int) -> bool:
        if not node.children:
            return False
        if remaining <= 0:
            return node.value == 0  # the value of a node for which the text has none
        for child in node.children:
            is_deeper = leaf == "sow" or child.player != node.player
            if has_stop_without_value(child, remaining - 1 if is_deeper else remaining):
                return True
        return False

    return CUT_SHORT if has_stop_without_value(node, depth) else ""


def uniform_tree(arity: int, depth: int, seed: int, max_value: int = 99) -> Branch:
    """Make a tree of two players in turn, with `arity` branches at each node and random leaves."""
    rng = Random(seed)

    def grow(name: str, level: int) -> Branch:
        player = MAX if level % 2 == 0 else MIN
        if level == depth:
            return Branch(name, player, rng.randint(0, max_value))
        children = [grow(_default_name(name, index), level + 1) for index in range(arity)]
        return Branch(name, player, 0, tuple(children))

    return grow("", 0)


def parse_tree(text: str) -> Branch:
    """Parse a tree and return its root; raise a one-line ValueError if the text is not a tree."""
    text = text.strip()
    if text in EXAMPLES:
        return EXAMPLES[text].root
    match = _UNIFORM.fullmatch(text)
    if match:
        arity, depth, seed = map(int, match.groups())
        if depth > MAX_LEVELS or not 0 < arity**depth <= MAX_LEAVES:
            sizes = f"1 to {MAX_LEAVES:,} leaves and {MAX_LEVELS} levels"
            raise ValueError(f"tree {text!r}: use {sizes}")
        return uniform_tree(arity, depth, seed)
    try:
        return _parse_brackets(text).root
    except ValueError as error:
        brackets = _to_parentheses(text)
        if brackets:
            raise ValueError(
                f"tree {text!r} is a list of Python; write it in parentheses and without commas: "
                f"{brackets!r} (in square brackets moves the same player as in the node above)"
            ) from None
        names = ", ".join([*EXAMPLES, "uniform:3x4:7"])
        hint = did_you_mean(text, EXAMPLES)
        message = f"tree {text!r}: {error}; write as {EXAMPLE!r}, or {names}{hint}"
        raise ValueError(message) from None


def _to_parentheses(text: str) -> str:
    """Convert a nested list, such as `[[9, 5], [-3, -2]]`, to the text of a tree.

    Return "" if the text is not such a list. A text at the beginning of a list is the name of its
    node, as in `["A", ["B", 5], ["C", 10]]`.
    """

    def write(node: Any) -> str:
        if not isinstance(node, list | tuple):
            return str(node)
        if not node or not isinstance(node[0], str):
            return f"({' '.join(map(write, node))})"
        name, *children = node
        if len(children) == 1 and not isinstance(children[0], list | tuple):
            return f"{name}:{write(children[0])}"  # a leaf, such as `["B", 5]`
        return f"{name}:({' '.join(map(write, children))})"

    try:
        nested = ast.literal_eval(text)
        if not isinstance(nested, list | tuple):
            return ""
        brackets = write(nested)
        _parse_brackets(brackets)  # only to see whether it fails
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return ""
    return brackets


def is_min_only(root: Branch) -> bool:
    """Return whether MIN moves in every inner node, as in a text with square brackets only."""
    inner = [child for child in root.children if child.children]
    return root.player == MIN and bool(root.children) and all(map(is_min_only, inner))


def _parse_brackets(text: str) -> HandTree:
    tokens = _TOKEN.findall(text)[::-1]  # reversed, because pop() removes the last token
    # As if MIN moved above the root: then MAX moves at a root in parentheses.
    root = _parse_node(tokens, above=MIN, place="", level=0)
    [root] = _set_probabilities([root], is_chance=False)
    if tokens:
        raise ValueError(f"{tokens[-1]!r} comes after the end of the tree")
    return HandTree(root)


def _parse_node(tokens: list[str], above: int, place: str, level: int) -> Branch:
    """Parse the next node and remove its tokens.

    Args:
        tokens: The tokens in reverse order: the next one is the last.
        above: The player of the node above.
        place: The default name of the node.
        level: The number of brackets around the node.
    """
    if not tokens:
        raise ValueError("it ends too early")
    weight, _, text = tokens.pop().rpartition("*")
    probability = parse_probability(weight) if weight else 0.0  # 0: not given
    written_name, colon, token = text.rpartition(":")
    name = parse_name(written_name) if colon else place
    if token[-1:] not in ("(", "[", "{"):  # a leaf; `token` may be empty, as in `B:`
        return Branch(name, 1 - above, parse_value(token), (), probability)
    if level >= MAX_LEVELS:
        raise ValueError(f"brackets are nested more than {MAX_LEVELS} deep")
    player, closing = _read_bracket(token[-1], above)
    # Below a node of chance, the players go on as if chance had not moved.
    above_children = above if player == CHANCE else player
    children: list[Branch] = []
    while tokens[-1:] != [closing]:  # without a closing bracket, `_parse_node` raises at the end
        default_name = _default_name(name, len(children))
        children.append(_parse_node(tokens, above_children, default_name, level + 1))
    tokens.pop()
    if not children:
        raise ValueError("two brackets have nothing between them")
    if len({child.name for child in children}) < len(children):
        raise ValueError("two branches of a node have the same name")
    children = _set_probabilities(children, is_chance=player == CHANCE)
    value = parse_value(token[:-1] or "0")  # the text before the bracket
    return Branch(name, player, value, tuple(children), probability)


def _read_bracket(bracket: str, above: int) -> tuple[int, str]:
    """Return the player to move in brackets that begin with this one, and the closing bracket."""
    if bracket == "{":
        return CHANCE, "}"
    if bracket == "(":
        return 1 - above, ")"
    return above, "]"


def _set_probabilities(children: list[Branch], is_chance: bool) -> list[Branch]:
    """Return the branches with their probabilities: the given ones, or equal ones if none is given.

    Raises:
        ValueError: The probabilities do not add up to 1, only some are given, or no chance moves.
    """
    probabilities = [child.probability for child in children if child.probability]
    if not is_chance:
        if probabilities:
            raise ValueError("only a branch in braces {} has a probability")
        return [replace(child, probability=1) for child in children]
    if not probabilities:
        return [replace(child, probability=1 / len(children)) for child in children]
    if len(probabilities) < len(children):
        raise ValueError("give each branch in a pair of braces {} a probability, or none")
    total = math.fsum(probabilities)
    if not math.isclose(total, 1, abs_tol=1e-9):
        terms = " + ".join(f"{probability:g}" for probability in probabilities)
        raise ValueError(f"the probabilities {terms} add up to {total:g}, not to 1")
    return children


def parse_probability(text: str) -> float:
    """Parse a probability such as `0.25` or `1/4`; raise ValueError if it is not above 0."""
    try:
        probability = float(Fraction(text))
    except (ValueError, ZeroDivisionError, OverflowError):
        probability = 0.0
    if not 0 < probability <= 1:
        raise ValueError(f"{text!r} is no probability; use a number such as 0.25 or 1/4")
    return probability


def _default_name(parent: str, index: int) -> str:
    """Return the default name of a branch: 2.1 below 2, and 2 below a root without a name."""
    return f"{parent}.{index + 1}".lstrip(".")


def parse_name(text: str) -> str:
    """Return the name of a node; raise ValueError if no text of a tree could contain it."""
    name = text.strip()
    if not _NAME.fullmatch(name):
        raise ValueError(
            f"{name[:40]!r} is not a name: use up to 20 characters, not digits alone, "
            "and no spaces, brackets or colons"
        )
    return name


def parse_value(text: str) -> float:
    """Parse a finite number; its minus sign may be the typographic one, U+2212."""
    try:
        value = float(text.replace("\N{MINUS SIGN}", "-"))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        hint = "; write spaces, not commas" if "," in text else ""
        raise ValueError(f"{text!r} is not a number{hint}")
    return int(value) if value.is_integer() else value


def format_tree(root: Branch) -> str:
    """Return the text of a tree: its name if it is one of `EXAMPLES`, else brackets."""
    for name, tree in EXAMPLES.items():
        if tree.root == root:
            return name
    return _format_brackets(root, MIN, "")


def _format_brackets(node: Branch, above: int, place: str) -> str:
    """Return the text of a node; `above` and `place` are as in `_parse_node`."""
    name = ""
    # A default name is left out, and so is a name that the text of a tree cannot contain.
    if node.name != place and _NAME.fullmatch(node.name):
        name = f"{node.name}:"
    if not node.children:
        return f"{name}{node.value}"
    brackets = "[]" if node.player == above else "()"
    above_children = node.player
    if node.player == CHANCE:
        brackets, above_children = "{}", above
    texts = list[str]()
    for index, child in enumerate(node.children):
        text = _format_brackets(child, above_children, _default_name(node.name, index))
        if node.player == CHANCE:
            text = f"{format_probability(child.probability)}*{text}"
        texts.append(text)
    value = node.value or ""  # 0 is left out
    return f"{name}{value}{brackets[0]}{' '.join(texts)}{brackets[1]}"


def format_probability(probability: float) -> str:
    """Return a probability as a fraction if that is short and exact, else as a decimal number."""
    fraction = Fraction(probability).limit_denominator(100)
    if float(fraction) == probability:
        return str(fraction)
    return repr(probability)


def format_outline(node: Branch, level: int = 0) -> str:
    """Return a line for each node, indented by its level; used where other games draw a board."""
    name = f"{node.name} " if node.name else ""
    if not node.children:
        return f"{'  ' * level}{name}{node.value}"
    player = ("MAX", "MIN", "chance")[node.player]
    value = f" {node.value}" if node.value else ""
    lines = [f"{'  ' * level}{name}{player}{value}"]
    lines += [format_outline(child, level + 1) for child in node.children]
    return "\n".join(lines)


# Edits: each returns a new node, and leaves the old one as it is.


def edit_at(root: Branch, path: Sequence[int], edit: Callable[[Branch], Branch]) -> Branch:
    """Return a tree with the node at a path edited.

    Args:
        root: The root.
        path: The index of a branch at each node on the way; empty for the root itself.
        edit: Returns the new node for the old one.

    Raises:
        ValueError: The path leaves the tree, or a sibling already has the name of the new node.
    """
    if not path:
        return edit(root)
    first, *rest = path
    old = child_of(root, first)
    new = edit_at(old, rest, edit)
    others = _other_branches(root, first)
    # The old name is always allowed: in a tree made in Python two branches may have it already.
    if new.name != old.name and any(sibling.name == new.name for sibling in others):
        raise ValueError(f"another branch here is called {new.name!r}")
    return replace(root, children=(*others[:first], new, *others[first:]))


def with_value(leaf: Branch, value: float) -> Branch:
    """Return a leaf with another value; raise ValueError for an inner node."""
    if leaf.children:
        raise ValueError(f"{leaf.name} is not a leaf; its value follows from the nodes below it")
    return replace(leaf, value=value)


def move_branch(node: Branch, index: int, to: int) -> Branch:
    """Move a branch of the node from one index to another."""
    child = child_of(node, index)
    if not 0 <= to < len(node.children):
        raise ValueError(f"{node.name} has no place {to}; it has {len(node.children)} branches")
    others = _other_branches(node, index)
    return replace(node, children=(*others[:to], child, *others[to:]))


def _other_branches(node: Branch, index: int) -> tuple[Branch, ...]:
    return (*node.children[:index], *node.children[index + 1 :])


def _check_no_chance(node: Branch) -> None:
    """Raise ValueError where chance moves, as all probabilities would change."""
    if node.player == CHANCE:
        place = node.name or "the root"
        raise ValueError(f"chance moves at {place}; change its branches in the text of the tree")


def with_new_leaf(node: Branch) -> Branch:
    """Append a leaf to the branches of a node.

    The value of the new leaf is 0. But if the node was a leaf, its value moves to the new leaf, so
    that the value of the tree does not change.
    """
    _check_no_chance(node)
    if not node.children:
        leaf = Branch(_default_name(node.name, 0), 1 - node.player, node.value)
        return replace(node, value=0, children=(leaf,))
    existing = {child.name for child in node.children}
    for index in count(len(node.children)):  # until a default name is free
        name = _default_name(node.name, index)
        if name not in existing:
            break
    return replace(node, children=(*node.children, Branch(name, 1 - node.player)))


def without_branch(node: Branch, index: int) -> Branch:
    """Remove a branch; a node without branches becomes a leaf with the node's static value."""
    child_of(node, index)  # raises if there is no such branch
    _check_no_chance(node)
    return replace(node, children=_other_branches(node, index))


_TREES = tomllib.loads(Path(__file__).with_name("trees.toml").read_text(encoding="utf-8"))
EXAMPLES = {name: _parse_brackets(text) for name, text in _TREES.items()}
AIMA_5_2 = EXAMPLES["aima-5.2"]
RICH_KNIGHT_12_3 = EXAMPLES["rich-knight-12.3"]
RICH_KNIGHT_12_5 = EXAMPLES["rich-knight-12.5"]
SEVEN_STEPS = EXAMPLES["cs5329-5.7"]
# The tree of exercises 3.1 to 3.3.
EXERCISE_3 = _parse_brackets("A:(B:(b1:4 b2:6 b3:9) C:(c1:7 c2:4 c3:5) D:(d1:3 d2:8 d3:6))")
