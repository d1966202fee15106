"""The Python of a page: models that answer in a web worker, where there is no kernel.

    answer = open_model(recipe, send, should_stop)
    answer(message)

The page contains the recipe that `Model.to_recipe` returned. The recipe, the messages and the
answers are JSON. Only the standard library is needed.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from kalahlab.formatting import to_json
from kalahlab.games.notation import format_board
from kalahlab.widgets.models.board import BoardModel
from kalahlab.widgets.models.explorer import ExplorerModel
from kalahlab.widgets.models.model import Model, as_base64, make_stopped

Send = Callable[[str], object]  # called with changed traits as JSON
ShouldStop = Callable[[int], bool]  # called with the number of nodes visited; True ends the search


class PageModel(Model):
    """A model whose traits are plain attributes, which are sent to the page."""

    def __init__(self, send: Send, should_stop: ShouldStop) -> None:
        self._send = send
        self._should_stop = should_stop

    def publish(self, **traits: Any) -> None:
        self.__dict__.update(traits)
        self._send(to_json(traits, default=as_base64))

    def check_stopped(self, nodes: int) -> None:
        if self._should_stop(nodes):
            raise make_stopped(nodes)


class PageBoard(BoardModel, PageModel):
    """The board of a page."""

    at = 0  # the default of the trait of `Board`


class PageExplorer(ExplorerModel, PageModel):
    """The explorer of a page."""


MODEL_KINDS: dict[str, Callable[[Send, ShouldStop], Model]] = {
    "board": PageBoard,
    "explorer": PageExplorer,
}


def open_model(recipe: str, send: Send, should_stop: ShouldStop) -> Callable[[str], str]:
    """Make the model of a view, and return the function that answers the view's messages.

    If the recipe of a board contains `opens`, the board sends each position that a reader opens, as
    the trait `opened`, so that an explorer on the same page can search it. Each answer contains the
    current recipe, so that a reader can save the page as it is.
    """
    settings: Mapping[str, Any] = json.loads(recipe)
    model = MODEL_KINDS[settings["kind"]](send, should_stop)
    model.resume(settings)
    if isinstance(model, PageBoard) and settings.get("opens"):
        model.on_open(lambda game, state: send(to_json({"opened": format_board(state)})))

    def answer(text: str) -> str:
        message = json.loads(text)
        try:
            answer = model.answer(message) | {"recipe": model.to_recipe()}
        except ImportError as error:  # numpy, for example: a page has only the standard library
            reason = f"this needs {error.name}, which pages do not have; use a notebook"
            answer = {"id": message.get("id"), "error": reason}
        return to_json(answer, default=as_base64)

    return answer
