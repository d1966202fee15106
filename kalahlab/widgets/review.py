"""A reviewed game as a page: the game on a board, searches of what lost most, the review."""

from typing import Any

from kalahlab.games.notation import format_board
from kalahlab.judging.review import Review
from kalahlab.report.review import review_body, turning_points
from kalahlab.widgets.board import Board
from kalahlab.widgets.explorer import explore
from kalahlab.widgets.page import PAGES, page

# Sows of the searches, and what of each a page without Python has.
DEPTH, TRAITS = 4, ("traces", "link", "form", "whole")


def review_page(review: Review, live: bool = False) -> str:
    """live: whether the page carries Python, to search every position and to play on."""
    record, rules = review.record, review.record.game.rules
    board = Board(rules=rules, start=record.start, moves=record.moves)
    rows: list[Any] = review.moves.to_dict("records")
    board.take_review(rows)
    board.at = 0
    worst = turning_points(review).sort_values("regret", ascending=False, kind="stable")
    states = [*worst["state"]] or [record.start]
    titles = [f"The search of move {at}" for at in worst["number"]] or ["The search of the start"]
    shown = [explore(state, rules=rules, depth=DEPTH) for state in states]
    for each, title in zip(shown, titles, strict=True):
        each.traces[0]["title"] = f"{title}: {each.traces[0]['title']}"
    carried = {
        format_board(state): {name: getattr(each, name) for name in TRAITS}
        for state, each in zip(states, shown, strict=True)
    }
    opened = titles[0].replace("The", "the")
    return page(
        review.title(),
        [board.part(openable=[*carried]), shown[0].part(carried=carried)],
        "inside" if live else "no",
        above=PAGES.get_template("review.html.j2").render(opened=opened, live=live),
        below=review_body(review),
    )
