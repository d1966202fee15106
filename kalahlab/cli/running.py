"""What a search that takes long is doing, said on a terminal.

A thread looks at the stack of the search, which itself does nothing for it and so is no slower.
"""

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Event, Thread, main_thread
from typing import Any, NamedTuple

from kalahlab.cli.text import say

QUIET_S, EACH_S = 2.0, 0.5


class Seen(NamedTuple):
    """nodes: or lines of play, as counted. share: about how much of the tree is done."""

    nodes: int
    share: float


def seen(frame: Any) -> Seen:
    """How far the search, or perft, of this innermost frame is; all 0 if it is none.

    At each level of the tree, all moves are taken to cost as much as each other.
    """
    count, share = 0, 0.0
    while frame is not None:
        if frame.f_code.co_name in ("visit", "walk"):
            here: Mapping[str, Any] = frame.f_locals
            if "counter" in here:
                count = here["counter"].counts().visited
                share = part_done(share, here.get("siblings", ()), here["node"])
            elif "reached" in here:
                count = sum(here["reached"])
                share = part_done(share, here.get("moves", ()), here.get("move"))
        frame = frame.f_back
    return Seen(count, share)


def part_done(below: float, moves: Any, move: Any) -> float:
    """The share that is done of a node, one of whose moves is searched and done by `below`."""
    at = [nth for nth, each in enumerate(moves) if each is move]
    return (at[0] + below) / len(moves) if at else below


def status(what: str, counted: str, took: float, found: Seen, one_pass: bool) -> str:
    from tqdm import tqdm

    parts = [f"{what}: {tqdm.format_interval(took)}"]
    if found.nodes:
        parts.append(f"{found.nodes:,} {counted}, {found.nodes / took:,.0f} a second")
    if one_pass and found.share > 0:
        left = tqdm.format_interval(took / found.share - took)
        parts.append(f"{found.share:.0%}, about {left} left")
    return "; ".join(parts)


@contextmanager
def shown(
    what: str, counted: str = "nodes", one_pass: bool = True, hint: str = ""
) -> Iterator[None]:
    """On a terminal, say what runs and how far it is, from `QUIET_S` seconds on.

    counted: what is counted. one_pass: whether the tree is walked once, so that what is left can
    be estimated. hint: said once, above.
    """
    if not sys.stderr.isatty():
        yield
        return
    ended, began = Event(), time.monotonic()

    def watch() -> None:
        if ended.wait(QUIET_S):
            return
        from tqdm import tqdm

        if hint:
            say(hint, err=True)
        with tqdm(bar_format="{desc}", leave=False) as line:
            while not ended.wait(EACH_S):
                found = seen(sys._current_frames().get(main_thread().ident or 0))
                took = time.monotonic() - began
                line.set_description_str(status(what, counted, took, found, one_pass))

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
