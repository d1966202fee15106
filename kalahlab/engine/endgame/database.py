"""The endgame database: built once, kept as a file, and checked whenever it is opened.

It holds the exact value of every position with at most K stones in play: what the mover
banks from there to the end minus what the opponent does, a byte a position, at the places of
`kalahlab.engine.endgame.layout`.

The file is these bytes and the CRC-32 of each `CHUNK` of them, in which pits, rules, their version
and K are counted in: so a change of any byte is noticed, and a file of another board.
"""

import shutil
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from pathlib import Path
from threading import Event

import numpy as np
import platformdirs
from numpy.typing import NDArray

from kalahlab.engine.endgame.layout import Layout, layout, look_up, places, positions
from kalahlab.engine.endgame.retrograde import (
    Sources,
    build_bytes,
    fill_blocks,
    half_tables,
    square_bytes,
)
from kalahlab.engine.memory import available_bytes, cores, in_units
from kalahlab.engine.packed import MAX_PITS, MAX_STONES, pack, sowings
from kalahlab.engine.supported import preset_name
from kalahlab.files import atomic_write, remove_leftovers
from kalahlab.games.kalah import RULES_VERSION, STANDARD, Kalah, Rules, State, in_play

SUFFIX = ".values"  # to be changed whenever the layout, or a value, changes
CHUNK = 1 << 24  # bytes that one checksum covers
SPARE_DISK = 1 << 28  # bytes to be left free


class DatabaseError(ValueError):
    """A file that is not the database it should be; nothing of it is used."""


@dataclass(frozen=True, slots=True, eq=False)
class Database:
    game: Kalah
    layout: Layout
    values: NDArray[np.int8]

    @property
    def stones(self) -> int:
        return self.layout.stones

    def known(self, state: State) -> int | None:
        """The mover's final margin under perfect play; None if that takes a search."""
        if in_play(state.board) <= self.stones:
            packed = pack(state, places(self.game.pits))
            address = self.values.ctypes.data
            return packed.difference + look_up(address, packed.own, packed.opp, self.layout)
        return self.game.margin(state, state.player) if self.game.over(state) else None


def largest_stones(pits: int, memory: int) -> int:
    """The most stones whose database can be built in `memory` bytes; -1 if not even of 0."""
    return bisect_right(range(MAX_STONES + 1), memory, key=partial(build_bytes, pits)) - 1


def check_wanted(pits: int, count: int, memory: int | None = None) -> None:
    """`ValueError` if there is no such database, or too little memory (bytes)."""
    if not 1 <= pits <= MAX_PITS:
        raise ValueError(f"the endgame database is for 1 to {MAX_PITS} pits a side, not {pits}")
    if not 0 <= count <= MAX_STONES:
        raise ValueError(f"database stones are {count}; use 0 to {MAX_STONES}")
    memory = available_bytes() if memory is None else memory
    if build_bytes(pits, count) > memory:
        raise ValueError(
            f"an endgame database of {count} stones on {pits} pits a side needs "
            f"{in_units(build_bytes(pits, count))}, {in_units(memory)} are available; "
            f"the largest that fits has {largest_stones(pits, memory)} stones"
        )


def build(
    pits: int,
    count: int,
    rules: Rules = STANDARD,
    workers: int | None = None,
    on_progress: Callable[[int, int], object] = lambda done, of: None,
) -> Database:
    """Compute a database in memory; `ValueError` under rules other than a preset that is known.

    on_progress: called with how many of how many positions.
    """
    check_wanted(pits, count)
    preset_name(rules)
    where = layout(pits, count)
    moves, tables = sowings(pits, places(pits)), half_tables(where)
    values = np.empty(positions(pits, count), np.int8)
    square = np.empty(square_bytes(pits, count), np.int8)
    sources = Sources(values, square, where, tables, moves, rules.capture_empty)
    with ThreadPoolExecutor(workers or cores()) as pool:
        for total in range(count + 1):  # blocks of one total are independent; largest first
            list(pool.map(fill_blocks, repeat(total), range(total // 2, -1, -1), repeat(sources)))
            on_progress(positions(pits, total), values.size)
    return Database(Kalah(pits, 0, rules), where, values)


def open_database(
    pits: int,
    count: int,
    rules: Rules = STANDARD,
    *,
    folder: Path | None = None,
    workers: int | None = None,
) -> Database:
    """The database from its file, `DatabaseError` if that is damaged; or built and kept there."""
    if (path := database_path(pits, count, rules, folder)).exists():
        return load(path, pits, count, rules)
    made = build(pits, count, rules, workers)
    save(made, path)
    return made


def database_path(pits: int, count: int, rules: Rules, folder: Path | None = None) -> Path:
    folder = folder or Path(platformdirs.user_cache_dir("kalahlab", appauthor=False))
    return folder / f"endgame-{pits}-{preset_name(rules)}-{count}{SUFFIX}"


def stored_stones(pits: int, rules: Rules, folder: Path | None = None) -> tuple[int, ...]:
    pattern = database_path(pits, 0, rules, folder)
    names = [path.stem for path in pattern.parent.glob(pattern.name.replace("-0.", "-*."))]
    return tuple(sorted(int(text) for name in names if (text := name.rpartition("-")[2]).isdigit()))


def save(database: Database, path: Path, stop: Event | None = None) -> None:
    """Write the file whole or, if `stop` is set or it fails, not at all. Raises `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(path.parent)
    if (free := shutil.disk_usage(path.parent).free) < database.values.size + SPARE_DISK:
        raise OSError(f"{path.parent} has {in_units(free)} free, too little to keep a database")
    with atomic_write(path) as part, part.open("wb") as file:
        for chunk in _chunks(database.values):
            if stop is not None and stop.is_set():
                raise InterruptedError("the database was not kept")
            file.write(chunk)
        file.write(checksums(database))


def load(path: Path, pits: int, count: int, rules: Rules) -> Database:
    """Map a file into memory after checking each byte; `DatabaseError` if it is not what it was."""
    game, size = Kalah(pits, 0, rules), positions(pits, count)
    if path.stat().st_size == size - 4 * (-size // CHUNK):
        values, kept = np.split(np.memmap(path, np.int8, "r"), [size])
        found = Database(game, layout(pits, count), values)
        if checksums(found) == kept.tobytes():
            return found
    raise DatabaseError(
        f"{path} is damaged, or is not for (pits, rules, stones) = "
        f"{(pits, preset_name(rules), count)}; it was not used, ask for a rebuild to replace it"
    )


def checksums(database: Database) -> bytes:
    game, stones = database.game, database.stones
    board = f"endgame {game.pits} {preset_name(game.rules)} {stones}"
    seed = zlib.crc32(board.encode(), RULES_VERSION - 1)
    with ThreadPoolExecutor(cores()) as pool:
        sums = pool.map(zlib.crc32, _chunks(database.values), repeat(seed))
        return np.array([*sums], "<u4").tobytes()


def _chunks(values: NDArray[np.int8]) -> Iterator[memoryview]:
    return (values[at : at + CHUNK].data for at in range(0, values.size, CHUNK))
