"""The Python of a page: models that answer in a web worker, where there is no kernel.

    open_model(recipe, tell, look)      # recipe: what `Model.again` wrote into the page
    answer(request)

Everything goes in and out as JSON. Needs the standard library only.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from kalahlab.formatting import to_json
from kalahlab.games.notation import format_board
from kalahlab.widgets.models.board import BoardModel
from kalahlab.widgets.models.explorer import ExplorerModel
from kalahlab.widgets.models.model import Model, as_base64, stopped

Tell = Callable[[str], object]  # takes traits that have changed, as JSON
Look = Callable[[int], bool]  # takes how many nodes were entered; whether to stop the search


class PageModel(Model):
    def __init__(self, tell: Tell, look: Look) -> None:
        self._tell, self._look = tell, look

    def publish(self, **traits: Any) -> None:
        self.__dict__.update(traits)
        self._tell(to_json(traits, default=as_base64))

    def look(self, nodes: int) -> None:
        if self._look(nodes):
            raise stopped(nodes)


class PageBoard(BoardModel, PageModel):
    at = 0


class PageExplorer(ExplorerModel, PageModel):
    pass


KINDS: dict[str, Callable[[Tell, Look], Model]] = {"board": PageBoard, "explorer": PageExplorer}


def open_model(recipe: str, tell: Tell, look: Look) -> Callable[[str], str]:
    """Make a view's model; the function answers its requests.

    A board whose recipe says `opens` tells a position that is to be opened as `opened`. Each answer
    has the recipe from which the same model would go on, for a page that is saved.
    """
    read: Mapping[str, Any] = json.loads(recipe)
    model = KINDS[read["kind"]](tell, look)
    model.resume(read)
    if isinstance(model, PageBoard) and read.get("opens"):
        model.on_open(lambda game, state: tell(to_json({"opened": format_board(state)})))

    def answer(request: str) -> str:
        asked = json.loads(request)
        try:
            answer = model.answer(asked) | {"again": model.again()}
        except ImportError as missing:
            error = f"this needs {missing.name}, which is not in a page; a notebook has it"
            answer = {"id": asked.get("id"), "error": error}
        return to_json(answer, default=as_base64)

    return answer
