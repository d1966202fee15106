"""The endgame database: built once, stored as a file, and checked whenever it is opened.

The database holds the exact value of every position with at most K stones in play: the stones that
the mover banks from the position to the end, minus those that the opponent banks. A value is one
byte. `kalahlab.solver.endgame.layout` defines the place of a position's byte.

The file has these bytes and then the CRC-32 of each `CHUNK` of the bytes. The checksums also cover
the pits, the rules, the version of the rules, and K. So `load` notices a change of any byte, and
the file of another board.
"""

import shutil
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from math import ceil
from pathlib import Path
from threading import Event
from typing import overload

import numpy as np
import platformdirs
from numpy.typing import NDArray

from kalahlab.engine.packed import MAX_PITS, MAX_STONES, pack
from kalahlab.files import atomic_write, remove_leftovers
from kalahlab.formatting import format_bytes
from kalahlab.games.kalah import RULES_VERSION, Kalah, State, stones_in_play
from kalahlab.games.rules import STANDARD, Rules
from kalahlab.games.supported import to_file_name
from kalahlab.memory import available_bytes
from kalahlab.parallel import count_cores
from kalahlab.solver.endgame.compiled_rules import compile_rules, make_sowings
from kalahlab.solver.endgame.layout import Layout, count_positions, layout, look_up, places
from kalahlab.solver.endgame.positions import (
    Boards,
    Positions,
    Values,
    look_up_moves,
    look_up_rows,
    mirror_sides,
    to_array,
)
from kalahlab.solver.endgame.retrograde import (
    Sources,
    build_bytes,
    fill_blocks,
    make_half_tables,
    square_bytes,
)

# Change the suffix whenever the layout, or a value, changes: then no older file is found.
SUFFIX = ".values"
CHUNK = 1 << 24  # bytes that one checksum covers
SPARE_DISK = 1 << 28  # bytes of the disk that `save` leaves free


class DatabaseError(ValueError):
    """Raised for a file that is not the database of its name; no value of the file is used."""


@dataclass(frozen=True, slots=True, eq=False)
class Database:
    """The values of all positions of a board with few stones, in memory or mapped from a file."""

    game: Kalah
    layout: Layout
    values: NDArray[np.int8]

    @property
    def stones(self) -> int:
        return self.layout.stones

    @overload
    def probe(self, positions: State) -> int | None: ...

    @overload
    def probe(self, positions: Positions) -> Values: ...

    def probe(self, positions: "State | Positions") -> int | Values | None:
        """Return the mover's final margin under perfect play, of one position or of many.

        The margin includes the stores. The margin of a finished game is known for any number of
        stones.

        Args:
            positions: A state, or many positions: an array with a row for each, a data frame with
                the column `board`, or a sequence of states; see
                `kalahlab.solver.endgame.positions`.

        Returns:
            The margin of a state, None if it takes a search; or an array with the margin of each
            position, NaN if it takes a search.

        Raises:
            ValueError: A row is not a position of this board; the message has its number.
        """
        address = self.values.ctypes.data
        if not isinstance(positions, State):
            rules = compile_rules(self.game.rules)
            return look_up_rows(self._to_boards(positions), address, self.layout, rules)[:, 0]
        if stones_in_play(positions.board) <= self.stones:
            packed = pack(positions, places(self.game.pits, self.game.rules.direction))
            return packed.difference + look_up(address, packed.own, packed.opp, self.layout)
        if self.game.is_over(positions):
            return self.game.margin(positions, positions.player)
        return None

    def probe_moves(self, positions: Positions) -> Values:
        """Return the mover's final margin after each move, for many positions.

        Args:
            positions: The positions, like those of `probe`.

        Returns:
            An array with a row for each position and a column for each of the mover's pits, from
            the left. The margin of an empty pit is NaN. A whole row is NaN if one of the margins
            takes a search, or if the game is over.

        Raises:
            ValueError: A row is not a position of this board; the message has its number.
        """
        rules, address = self.game.rules, self.values.ctypes.data
        sowing = make_sowings(self.game.pits, rules)
        boards = self._to_boards(positions)
        values = look_up_moves(boards, address, self.layout, sowing, compile_rules(rules))
        if self._is_mirrored():
            return values[:, ::-1]
        return values

    def _to_boards(self, positions: Positions) -> Boards:
        """Convert positions to an array in which the pits next to the stores come last."""
        boards = to_array(positions, self.game.pits)
        if self._is_mirrored():
            return mirror_sides(boards)
        return boards

    def _is_mirrored(self) -> bool:
        return self.game.rules.direction == "clockwise"


def largest_stones(pits: int, memory: int) -> int:
    """Return the most stones whose database can be built in `memory` bytes; -1 if none can."""
    stone_counts = range(MAX_STONES + 1)  # ascending, also by the bytes of the database
    databases_that_fit = bisect_right(stone_counts, memory, key=partial(build_bytes, pits))
    return databases_that_fit - 1  # the first database has 0 stones


def check_stones(pits: int, count: int, memory: int | None = None) -> None:
    """Raise ValueError if a database of `count` stones cannot be built.

    Args:
        pits: The pits of a side.
        count: The stones of the database.
        memory: The bytes that building may take; default what is available.
    """
    if not 1 <= pits <= MAX_PITS:
        raise ValueError(f"the endgame database is for 1 to {MAX_PITS} pits a side, not {pits}")
    if not 0 <= count <= MAX_STONES:
        raise ValueError(f"database stones are {count}; use 0 to {MAX_STONES}")
    memory = available_bytes() if memory is None else memory
    if build_bytes(pits, count) > memory:
        raise ValueError(
            f"an endgame database of {count} stones on {pits} pits a side needs "
            f"{format_bytes(build_bytes(pits, count))}, but {format_bytes(memory)} are available; "
            f"the largest that fits has {largest_stones(pits, memory)} stones"
        )


def build(
    pits: int,
    count: int,
    rules: Rules = STANDARD,
    workers: int | None = None,
    on_progress: Callable[[int, int], object] = lambda done, total: None,
) -> Database:
    """Compute a database in memory.

    Args:
        pits: The pits of a side.
        count: The stones of the database.
        rules: The rules; `kalahlab.games.supported.SOLVED` lists them.
        workers: The threads; default all cores.
        on_progress: Called with the number of positions computed so far, and of all positions.

    Raises:
        ValueError: There is no database of this size or for these rules, or too little memory.
    """
    check_stones(pits, count)
    to_file_name(rules)  # raises ValueError for other rules
    database_layout, sowing = layout(pits, count), make_sowings(pits, rules)
    values = np.empty(count_positions(pits, count), np.int8)
    sources = Sources(
        values=values,
        square=np.empty(square_bytes(pits, count), np.int8),
        layout=database_layout,
        tables=make_half_tables(database_layout, sowing, compile_rules(rules)),
        sowing=sowing,
        rules=compile_rules(rules),
    )
    with ThreadPoolExecutor(workers or count_cores()) as pool:
        for total in range(count + 1):
            # The pairs of blocks of one total do not depend on each other. The largest comes first,
            # so that all threads end at about the same time.
            fewer_stones = range(total // 2, -1, -1)
            blocks = pool.map(fill_blocks, repeat(total), fewer_stones, repeat(sources))
            list(blocks)  # waits for all blocks, and raises the error of a thread
            on_progress(count_positions(pits, total), values.size)
    # The game has no stones, as a database is for the positions of all openings.
    return Database(Kalah(pits, 0, rules), database_layout, values)


def open_database(
    pits: int,
    count: int,
    rules: Rules = STANDARD,
    *,
    folder: Path | None = None,
    workers: int | None = None,
) -> Database:
    """Load a database from its file, or build it and store it there.

    Raises:
        DatabaseError: The file is damaged, or of another board.
    """
    path = database_path(pits, count, rules, folder)
    if path.exists():
        return load(path, pits, count, rules)
    database = build(pits, count, rules, workers)
    save(database, path)
    return database


def database_path(pits: int, count: int, rules: Rules, folder: Path | None = None) -> Path:
    """Return the path of a database's file; the default folder is the user's cache."""
    # Without `appauthor=False` the path on Windows also has a folder for the author.
    folder = folder or Path(platformdirs.user_cache_dir("kalahlab", appauthor=False))
    return folder / f"endgame-{pits}-{to_file_name(rules)}-{count}{SUFFIX}"


def find_stored_databases(pits: int, rules: Rules, folder: Path | None = None) -> tuple[int, ...]:
    """Return the stones of the databases of a board that are in a folder, in ascending order."""
    example = database_path(pits, 0, rules, folder)
    pattern = example.name.replace("-0.", "-*.")  # such as endgame-6-standard-*.values
    counts: list[int] = []
    for path in example.parent.glob(pattern):
        count = path.stem.rpartition("-")[2]
        if count.isdigit():  # the pattern also matches names that are not a database's
            counts.append(int(count))
    return tuple(sorted(counts))


def save(database: Database, path: Path, stop: Event | None = None) -> None:
    """Write a database to its file; if `stop` is set or writing fails, `path` is left as it was.

    Raises:
        OSError: The file cannot be written, or `stop` was set.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(path.parent)
    free = shutil.disk_usage(path.parent).free
    if free < database.values.size + SPARE_DISK:
        raise OSError(
            f"{path.parent} has only {format_bytes(free)} free, not enough to keep a database"
        )
    with atomic_write(path) as part, part.open("wb") as file:
        for chunk in _chunks(database.values):
            if stop is not None and stop.is_set():
                # A kind of OSError: callers treat it like a file that cannot be written.
                raise InterruptedError("the database was not kept")
            file.write(chunk)
        file.write(checksums(database))


def load(path: Path, pits: int, count: int, rules: Rules) -> Database:
    """Map a file into memory, check each byte, and return the database.

    Raises:
        DatabaseError: The file is damaged, or of another board.
    """
    game = Kalah(pits, 0, rules)
    size = count_positions(pits, count)
    chunks = ceil(size / CHUNK)
    if path.stat().st_size == size + 4 * chunks:  # a checksum has 4 bytes
        values, stored_checksums = np.split(np.memmap(path, np.int8, "r"), [size])
        database = Database(game, layout(pits, count), values)
        if checksums(database) == stored_checksums.tobytes():
            return database
    raise DatabaseError(
        f"{path} is damaged, or is not for (pits, rules, stones) = "
        f"{(pits, to_file_name(rules), count)}; it was not used; rebuild it"
    )


def checksums(database: Database) -> bytes:
    """Return the CRC-32 of each chunk, as four bytes, the lowest first.

    Each CRC continues the CRC of a text that names the board, so another board has other checksums.
    """
    game = database.game
    name = f"endgame {game.pits} {to_file_name(game.rules)} {database.stones}"
    # A CRC usually starts from 0, and so do the checksums of version 1.
    seed = zlib.crc32(name.encode(), RULES_VERSION - 1)
    with ThreadPoolExecutor(count_cores()) as pool:
        sums = pool.map(zlib.crc32, _chunks(database.values), repeat(seed))
        return np.array([*sums], "<u4").tobytes()


def _chunks(values: NDArray[np.int8]) -> Iterator[memoryview]:
    return (values[start : start + CHUNK].data for start in range(0, values.size, CHUNK))
