"""A solve on disk, to be gone on with: bounds that are proved, and the table's best entries."""

import json
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kalahlab.files import atomic_write
from kalahlab.games.kalah import State

VERSION = 1

MOST_ENTRIES = 1 << 20
"""Table entries that are saved: 16 MB."""

Bounds = tuple[int, int]


def _no_entries() -> NDArray[np.int64]:
    return np.empty((0, 2), np.int64)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What is known of a position's solve.

    question: position and rules as text; what a checkpoint is for. proved: by position, the
    mover's final margin is at least and at most. entries: see `table.best_entries`.
    """

    question: str
    proved: dict[State, Bounds]
    nodes: int = 0
    seconds: float = 0.0
    entries: NDArray[np.int64] = field(default_factory=_no_entries)


def save(checkpoint: Checkpoint, path: Path) -> None:
    """Write the file whole or not at all."""
    header = {
        "kalahlab checkpoint": VERSION,
        "question": checkpoint.question,
        "proved": [[*state, *bounds] for state, bounds in checkpoint.proved.items()],
        "nodes": checkpoint.nodes,
        "seconds": checkpoint.seconds,
    }
    text = json.dumps(header).encode() + b"\n" + checkpoint.entries.tobytes()
    with atomic_write(path) as file:
        file.write_bytes(text + zlib.crc32(text).to_bytes(4, "little"))


def load(path: Path, question: str) -> Checkpoint:
    """The checkpoint of this question; `ValueError` if the file is another's or damaged."""
    text = path.read_bytes()
    if zlib.crc32(text[:-4]) != int.from_bytes(text[-4:], "little"):
        raise ValueError(f"{path} is not a checkpoint, or a damaged one; remove it to start anew")
    line, _, entries = text[:-4].partition(b"\n")
    header = json.loads(line)
    if header.get("kalahlab checkpoint") != VERSION:
        raise ValueError(f"{path} is a checkpoint of another version; remove it to start anew")
    if header["question"] != question:
        raise ValueError(f"{path} is a checkpoint of {header['question']}, not of {question}")
    return Checkpoint(
        question,
        {State(tuple(board), player): (lo, up) for board, player, lo, up in header["proved"]},
        header["nodes"],
        header["seconds"],
        np.frombuffer(entries, np.int64).reshape(-1, 2),
    )
