"""The games by name, each with functions that parse, format and draw its positions.

    kind = game_type("kalah")
    game, state = kind.read("<2,0,0,3,3,3,3>")
    kind.draw(state), kind.format(state), kind.parse_move("2", game, state)

A game that is not in the package adds a `GameType` to `GAMES`, and its evaluators to
`kalahlab.evaluators.registry.EVALUATORS`, when its module is imported.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from kalahlab.games import Game, betsy, cards, hand_tree, kalah, notation, pie
from kalahlab.names import lookup


def move_by_name(text: str, game: Game, state: Any) -> Any:
    """Return the legal move with this name; the ValueError for another name lists all names."""
    moves = {game.move_name(state, move): move for move in game.moves(state)}
    if text.strip() not in moves:
        hint = f"use one of {', '.join(moves)}" if moves else "the game is over"
        raise ValueError(f"move {text.strip()!r} cannot be played; {hint}")
    return moves[text.strip()]


@dataclass(frozen=True, slots=True)
class GameType:
    """The functions of a game that the commands and the pages use.

    Attributes:
        name: The name of the game.
        players: The names of players 0 and 1.
        new: Makes a game from options, all of which have a default.
        parse: (text, game) -> (game, state). The game in the result is a copy of the argument with
            what the text determines, such as the size of the board. Raises a one-line ValueError.
        format: Returns the text of a state, which `parse` reads.
        draw: Draws a state in characters, in several lines.
        example: The text of a position, for messages.
        parse_move: (text, game, state) -> move. Raises a one-line ValueError for a text that is no
            move and, if it checks that, for an illegal move.
    """

    name: str
    players: tuple[str, ...]
    new: Callable[..., Any]
    parse: Callable[[str, Any], tuple[Any, Any]]
    format: Callable[[Any], str]
    draw: Callable[[Any], str]
    example: str
    parse_move: Callable[[str, Any, Any], Any] = move_by_name

    def __repr__(self) -> str:
        return f"<game type {self.name}>"

    def read(self, text: str, **options: Any) -> tuple[Any, Any]:
        return self.parse(text, self.new(**options))


def _parse_kalah(text: str, game: kalah.Kalah) -> tuple[kalah.Kalah, kalah.State]:
    # A tree begins with a bracket or a name. But so does a list of the counts of a board, which
    # numpy prints without commas, as [3 3 0 3 3 0]. `board_hint` says how such a list is "written";
    # `parse_board` raises an error with this hint.
    has_counts = "," in text or re.match(r"\s*\[(\s*\d+){6}", text)
    is_list_of_counts = has_counts and "written" in notation.board_hint(text)
    is_like_tree = re.match(r"\s*[(\[a-z]", text, re.IGNORECASE)
    if is_like_tree and not is_list_of_counts:
        hint = "for a tree, add --game tree, or game='tree' in Python"
        raise ValueError(f"{text!r} is not a board of Kalah, such as '<2,0,0,3,3,3,3>'; {hint}")
    state = notation.parse_board(text)
    return replace(game, pits=kalah.pits_of(state.board), stones=0), state


def _parse_cards(text: str, game: cards.Cards) -> tuple[cards.Cards, cards.State]:
    state = cards.parse_position(text)
    return replace(game, size=cards.size_of(state.board)), state


def _parse_tree(text: str, game: object) -> tuple[hand_tree.HandTree, hand_tree.Branch]:
    root = hand_tree.parse_tree(text)
    return hand_tree.HandTree(root), root


GAMES: dict[str, GameType] = {
    kind.name: kind
    for kind in (
        GameType(
            name="kalah",
            players=kalah.NAMES,
            new=kalah.Kalah,
            parse=_parse_kalah,
            format=notation.format_board,
            draw=notation.draw_board,
            example="<2,0,0,3,3,3,3>",
        ),
        GameType(
            name="pie",
            players=pie.NAMES,
            new=pie.new_game,
            parse=pie.parse_position,
            format=pie.format_position,
            draw=pie.draw_position,
            example=pie.EXAMPLE,
        ),
        GameType(
            name="betsy",
            players=betsy.NAMES,
            new=lambda size=5, limit=200: betsy.Betsy(size, limit),
            parse=betsy.parse_position,
            format=betsy.format_position,
            draw=betsy.draw_position,
            example=betsy.EXAMPLE,
        ),
        GameType(
            name="cards",
            players=cards.NAMES,
            new=cards.Cards,
            parse=_parse_cards,
            format=cards.format_position,
            draw=cards.draw_position,
            example=cards.EXAMPLE,
            parse_move=lambda text, game, state: cards.parse_move(text, state),
        ),
        GameType(
            name="tree",
            players=("MAX", "MIN", "chance"),
            new=lambda: hand_tree.AIMA_5_2,
            parse=_parse_tree,
            format=hand_tree.format_tree,
            draw=hand_tree.format_outline,
            example=hand_tree.EXAMPLE,
        ),
    )
}


def game_type(name: str) -> GameType:
    """Look up a game by its name, or by the import path of a `GameType` imported before."""
    return lookup("game", name, GAMES)


def game_type_of_game(game: Game) -> GameType:
    """Return the type of a game, or of the game that it derives from.

    Raises:
        ValueError: Neither is in `GAMES`.
    """
    for kind in GAMES.values():
        if type(kind.new()) is type(game):
            return kind
    # Base classes come second, as a game of `GAMES` may itself derive from another one.
    for kind in GAMES.values():
        if isinstance(game, type(kind.new())):
            return kind
    name = type(game).__name__
    raise ValueError(
        f"no GameType in GAMES has the game {name}; its `parse` must return (game, state)"
    )


def game_name(game: Game) -> str:
    """Return the name in `GAMES` of exactly this game, or else the name of its class."""
    for name, kind in GAMES.items():
        if type(kind.new()) is type(game):
            return name
    return type(game).__name__


def game_type_of_state(state: Any) -> GameType:
    """Return the type of the game that has such states; raise ValueError if none in `GAMES` has."""
    for kind in GAMES.values():
        if type(kind.read(kind.example)[1]) is type(state):
            return kind
    raise ValueError(f"no GameType in GAMES has states of the type {type(state).__name__}")
