"""The games by name, each with what is needed to read, write and show its positions.

    kind = game_type("kalah")
    game, state = kind.read("<2,0,0,3,3,3,3>")
    kind.draw(state), kind.format(state), kind.parse_move("2", game, state)

A game from outside of the package adds its own `GameType` to `GAMES`, and its evaluators to
`kalahlab.evaluators.registry.EVALUATORS`, when its module is imported.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from kalahlab.games import Game, betsy, cards, cards_notation, hand_tree, kalah, notation
from kalahlab.games import tree_notation as tree
from kalahlab.names import named


def move_by_name(text: str, game: Game, state: Any) -> Any:
    """The legal move that the game calls so; `ValueError` lists the names of all."""
    moves = {game.move_name(state, move): move for move in game.moves(state)}
    if text.strip() not in moves:
        legal = f"use one of {', '.join(moves)}" if moves else "the game is over"
        raise ValueError(f"move {text.strip()!r} cannot be played; {legal}")
    return moves[text.strip()]


@dataclass(frozen=True, slots=True)
class GameType:
    """A game by name.

    rules: the class of the game's values, a `Game`. new: makes one, from options that all have
    a default. parse: the state that a text stands for, and the game that it belongs to, which
    is the given one but for what the text says (the size of the board); `ValueError`, in one
    line, for a text that is none. format: the text of a state, which `parse` reads. draw: the
    state in characters, of several lines. example: a text to show. parse_move: the move that a
    text stands for; `ValueError`, in one line, for none and, if it knows, for an illegal one.
    """

    name: str
    rules: type[Any]
    new: Callable[..., Any]
    parse: Callable[[str, Any], tuple[Any, Any]]
    format: Callable[[Any], str]
    draw: Callable[[Any], str]
    example: str
    parse_move: Callable[[str, Any, Any], Any] = move_by_name

    def read(self, text: str, **options: Any) -> tuple[Any, Any]:
        """The game with such options, and the state that a text stands for."""
        return self.parse(text, self.new(**options))


def _kalah(text: str, game: kalah.Kalah) -> tuple[kalah.Kalah, kalah.State]:
    state = notation.parse_board(text)
    return replace(game, pits=kalah.pits_of(state.board), stones=0), state


def _betsy(text: str, game: betsy.Betsy) -> tuple[betsy.Betsy, betsy.State]:
    state = betsy.parse_position(text, game.limit)
    return replace(game, n=betsy.columns_of(state.board)), state


def _cards(text: str, game: cards.Cards) -> tuple[cards.Cards, cards.State]:
    state = cards_notation.parse_position(text)
    return replace(game, size=cards.size_of(state.board)), state


def _tree(text: str, game: object = None) -> tuple[hand_tree.HandTree, hand_tree.Branch]:
    root = tree.parse_tree(text)
    return hand_tree.HandTree(root), root


def _new_tree(position: str = "aima-5.2") -> hand_tree.HandTree:
    return hand_tree.HandTree(tree.parse_tree(position))


GAMES: dict[str, GameType] = {
    kind.name: kind
    for kind in (
        GameType(
            *("kalah", kalah.Kalah, kalah.Kalah, _kalah),
            *(notation.format_board, notation.draw_board, "<2,0,0,3,3,3,3>"),
        ),
        GameType(
            *("betsy", betsy.Betsy, betsy.Betsy, _betsy),
            *(betsy.format_position, betsy.draw_position, betsy.EXAMPLE),
        ),
        GameType(
            *("cards", cards.Cards, cards.Cards, _cards, cards_notation.format_position),
            *(cards_notation.draw_position, cards_notation.EXAMPLE),
            parse_move=lambda text, game, state: cards_notation.parse_move(text, state),
        ),
        GameType(
            *("tree", hand_tree.HandTree, _new_tree, _tree),
            *(tree.format_tree, tree.draw_tree, tree.EXAMPLE),
        ),
    )
}


def game_type(name: str) -> GameType:
    """A game by its name or by the import path of its `GameType`; `ValueError` for neither."""
    kind = named("game", name, GAMES)
    if not isinstance(kind, GameType):
        raise ValueError(f"game {name!r} is no GameType but a {type(kind).__name__}")
    return kind


def of(game: Game) -> GameType:
    """The type of a game; `ValueError` if it is not in `GAMES`."""
    for kind in GAMES.values():
        if isinstance(game, kind.rules):
            return kind
    raise ValueError(f"{type(game).__name__} is the game of no GameType in GAMES")
