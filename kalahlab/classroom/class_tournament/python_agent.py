"""A student's function or class in a process of its own: `python_agent.py FILE NAME`.

It answers the questions of the dialect `json` (see `players.programs.dialects`). What the student's
code prints goes to stderr. It imports little of this package, so that it starts quickly.
"""

import importlib.util
import inspect
import json
import os
import sys
import traceback
from numbers import Integral
from pathlib import Path
from typing import Any

from kalahlab.formatting import to_json
from kalahlab.games.registry import game_type
from kalahlab.games.rules import parse_rules
from kalahlab.search.limits import Seconds

SHARE = 0.9  # of the time for a move that `choose` of a class is told


def load_player(file: Path, name: str) -> Any:
    """Import a student's file, and return its function, or a new object of its class."""
    sys.path.insert(0, str(file.parent.absolute()))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    player: Any = getattr(module, name)
    return player() if inspect.isclass(player) else player


def answer(player: Any, question: dict[str, Any], is_first: bool = False) -> dict[str, Any]:
    """Return the answer to a question of the dialect `json`.

    A process plays one game, which begins for its player with the first question.
    """
    rules = parse_rules(question["rules"])
    game, state = game_type(question["game"]).read(question["board"], rules=rules)
    if is_first and hasattr(player, "new_game"):
        player.new_game(game, state)
    if hasattr(player, "choose"):
        move = player.choose(game, state, Seconds(SHARE * question["milliseconds"] / 1000))
    else:
        move = player(game, state)
    if not isinstance(move, bool) and isinstance(move, Integral):  # also a number of NumPy
        return {"move": int(move) + 1}
    return {"move": repr(move)}


def main() -> None:
    """Answer the lines of stdin on stdout, until stdin ends."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    file, name = Path(sys.argv[1]), sys.argv[2]
    try:
        player = load_player(file, name)
        for number, line in enumerate(sys.stdin):
            move = answer(player, json.loads(line), is_first=number == 0)
            print(to_json(move), file=answers, flush=True)
    except Exception as error:
        traceback.print_exc()
        print(describe(error, file), file=sys.stderr)
        sys.exit(1)


def describe(error: Exception, file: Path) -> str:
    """Return an error in one line, with the innermost line of the student's file."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).name == file.name
    ]
    place = f"{file.name}, line {lines[-1]}: " if lines else ""
    return f"{place}{type(error).__name__}: {error}".replace("\n", " ")


if __name__ == "__main__":
    main()
