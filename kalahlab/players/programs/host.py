"""Run a user's function or class as a player, for `players.user_player.HostedPlayer`.

    python -m kalahlab.players.programs.host mine.agent
    python -P -m kalahlab.players.programs.host agent.py move

With two arguments they are a file and a name in it; its folder is the first in which modules are
searched for, as if Python ran the file. The first line of output is `ready`, after the import of
the user's code. Each line of input is a question, pickled by the process that started this one.
Each further line of output is a JSON object: the `index` of the move among the legal moves, or the
`kind` and the `reason` of a fault.
"""

import base64
import importlib.util
import os
import pickle
import sys
from pathlib import Path
from typing import Any

from kalahlab.formatting import to_json
from kalahlab.names import IMPORTED, import_named
from kalahlab.players.model import Fault, Player, as_player
from kalahlab.players.user_player import UserPlayer, describe_crash
from kalahlab.user_code import guard_os_exit, refusing_exits


def main(path: str, name: str = "") -> None:
    """Answer questions until the input ends.

    Args:
        path: The import path of the player, or the file with the player.
        name: The name of the player in the file.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the user's code prints goes to stderr
    guard_os_exit()
    failure: dict[str, Any] = {}
    try:
        with refusing_exits():
            player = make_player(load_file(Path(path), name) if name else load_named(path))
    except Exception as error:
        failure = describe_failure(error)
    print("ready", file=answers, flush=True)
    for line in sys.stdin.buffer:
        # The question comes from the process that started this one.
        question = pickle.loads(base64.b64decode(line))
        answer = failure or answer_question(player, *question)
        if name and "reason" in answer:  # files of the player's folder have short names
            answer["reason"] = answer["reason"].replace(f"{Path(path).parent.absolute()}/", "")
        print(to_json(answer), file=answers, flush=True)


def answer_question(
    player: Player, start: Any, game: Any, state: Any, limit: Any
) -> dict[str, Any]:
    """Return the answer to a question.

    Args:
        player: The player.
        start: The game and the position of a game that begins now; None if none begins.
        game: The game.
        state: The position in which the player is to move.
        limit: The time for the move.
    """
    try:
        with refusing_exits():
            if start is not None:
                player.new_game(*start)
            move = player.choose(game, state, limit)
        return {"index": [*game.moves(state)].index(move)}
    except Exception as error:
        return describe_failure(error)


def describe_failure(error: Exception) -> dict[str, Any]:
    """Return the answer that tells an error of the user's code."""
    if isinstance(error, Fault):
        return {"kind": error.kind, "reason": error.reason}
    return {"kind": "crashed", "reason": describe_crash(error)}


def load_named(path: str) -> Any:
    """Import the function or the class at an import path."""
    import_named("player", path)
    return IMPORTED["player", path]


def load_file(file: Path, name: str) -> Any:
    """Import a file, whatever its name, and return its function or class."""
    sys.path.insert(0, str(file.parent.absolute()))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return getattr(module, name)


def make_player(value: Any) -> Player:
    """Return the player of a function, or of an object of a class."""
    return UserPlayer(as_player(value() if isinstance(value, type) else value))


if __name__ == "__main__":
    main(*sys.argv[1:])
