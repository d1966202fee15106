"""The page of a reviewed game: a board, the searches of the worst moves, and the review."""

from typing import Any

from kalahlab.draw.labels import replace_identifiers
from kalahlab.games.kalah import NAMES
from kalahlab.games.notation import format_board
from kalahlab.judging.review import Review
from kalahlab.report.review_page import review_body, turning_points
from kalahlab.widgets.board import Board
from kalahlab.widgets.explorer import explore
from kalahlab.widgets.page import PAGES, Live, page

SEARCH_DEPTH = 4  # in sows
# The traits of each search that the page holds: its view shows another search without Python.
SEARCH_TRAITS = ("traces", "link", "form", "exercise")


def review_page(review: Review, live: bool = False) -> str:
    """Render a review as a page.

    Args:
        review: The reviewed game.
        live: Whether the page contains Python, by which a reader can search all positions and play
            on.
    """
    record, rules = review.record, review.record.game.rules
    board = Board(rules=rules, start=record.start, moves=record.moves)
    rows: list[Any] = review.moves.to_dict("records")
    board.take_review(rows)
    board.at = 0  # the page opens at the start, not after the last move
    worst = turning_points(review).sort_values("regret", ascending=False, kind="stable")
    states = [*worst["state"]] or [record.start]
    titles = [f"The search of move {move}" for move in worst["number"]]
    if not titles:
        titles = ["The search of the start"]
    explorers = [explore(state, rules=rules, depth=SEARCH_DEPTH) for state in states]
    for explorer, title in zip(explorers, titles, strict=True):
        explorer.traces[0]["title"] = f"{title}: {explorer.traces[0]['title']}"
    searches = {}
    for state, explorer in zip(states, explorers, strict=True):
        searches[format_board(state)] = {name: getattr(explorer, name) for name in SEARCH_TRAITS}
    opened = titles[0].replace("The", "the")  # the title is in the middle of a sentence
    players = [describe_player(name) or NAMES[side] for side, name in enumerate(record.players)]
    place: Live = "no"
    if live:
        place = "inside"
    return page(
        f"Game of {' against '.join(players)}",
        [board.page_part(openable=[*searches]), explorers[0].page_part(carried=searches)],
        place,
        above=PAGES.get_template("review.html.j2").render(
            title=review.title(), opened=opened, live=live
        ),
        below=review_body(review),
    )


def describe_player(spec: str) -> str:
    """Return the first part of a player spec in words: `alpha-beta` for `alpha_beta:e3:4`."""
    return replace_identifiers(spec.split(":")[0])
