"""The endgame database: built once, kept as a file, and checked whenever it is opened.

It holds the exact value of every position with at most K stones in play: what the mover
banks from there to the end minus what the opponent does, laid out as
`kalahlab.engine.endgame.layout` says: a byte a position, and 4 bits above `WHOLE` stones, see
`kalahlab.engine.endgame.dense`.

A file is a header and the bytes. The header names pits, rules, K and the format's version,
and holds a CRC-32 of each chunk of the bytes and of itself, so that a change of any single
byte is noticed, a missing or an added one too. It is written under another name and moved
into place when it is whole.
"""

import os
import shutil
import struct
import zlib
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import comb
from pathlib import Path
from threading import Event, Thread

import numpy as np
import platformdirs
from numpy.typing import NDArray

from kalahlab.engine.endgame.dense import (
    Values,
    addresses,
    append_others,
    dense_bytes,
    empty_values,
    groups_fit,
    look_up,
)
from kalahlab.engine.endgame.layout import (
    GROUP,
    WHOLE,
    Layout,
    dense_size,
    layout,
    places,
    positions,
)
from kalahlab.engine.endgame.retrograde import (
    Sources,
    fill_blocks,
    half_tables,
    halves_bytes,
)
from kalahlab.engine.memory import available_bytes, cores, in_units
from kalahlab.engine.packed import MAX_PITS, MAX_STONES, pack, sowings
from kalahlab.files import atomic_write, remove_leftovers
from kalahlab.games.kalah import PRESETS, STANDARD, Rules, State

VERSIONS = (1, 2)
"""The format's versions: a byte a position throughout, and with layers of 4 bits. To be raised
whenever the layout, or a value, changes."""

CHUNK = 1 << 24
"""Bytes that one checksum covers."""

SPARE_DISK = 1 << 28
"""Bytes to be left free."""

_MAGIC = b"kalahlab endgame"
_FIELDS = struct.Struct("<16sIIIIQI")
_DENSE_FIELDS = struct.Struct("<IQ")
_PAGE = 4096

OnProgress = Callable[[int, int], object]
"""Called with how many of how many positions are done."""


class DatabaseError(ValueError):
    """A file that is not the database it should be; nothing of it is used."""


@dataclass(frozen=True, slots=True, eq=False)
class Database:
    """The values of all positions of `layout.pits` pits with at most `layout.stones` stones."""

    rules: Rules
    layout: Layout
    values: Values

    @property
    def pits(self) -> int:
        """Pits a side."""
        return self.layout.pits

    @property
    def stones(self) -> int:
        """The most stones in play of a position that it holds."""
        return self.layout.stones

    def value(self, own: int, opp: int) -> int:
        """The value of a position in words (`layout.places`), stores apart."""
        return int(look_up(addresses(self.values), own, opp, self.layout))

    def margin(self, state: State) -> int:
        """The mover's final store minus the opponent's, under perfect play of both."""
        packed = pack(state, places(self.pits))
        return packed.difference + self.value(packed.own, packed.opp)


def build_bytes(pits: int, count: int, whole: int = WHOLE) -> int:
    """Memory that building takes: the values, the tables, and the blocks under way.

    whole: layers of more stones are 4 bits a position.
    """
    square = comb(count // 2 + pits - 1, pits - 1) ** 2
    bytes_ = positions(pits, min(count, whole)) + halves_bytes(pits, count)
    if count <= whole:
        return bytes_ + square
    return bytes_ + dense_bytes(pits, count, whole) + cores() * square


def largest_stones(pits: int, memory: int) -> int:
    """The most stones whose database can be built in so many bytes; -1 if not even of 0."""
    count = -1
    while count < MAX_STONES and build_bytes(pits, count + 1) <= memory:
        count += 1
    return count


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


def preset_name(rules: Rules) -> str:
    """The rules' name; `ValueError` if perfect play is not known for them."""
    for name, preset in PRESETS.items():
        if rules == preset:
            return name
    raise ValueError(f"perfect play is for the rules {' and '.join(PRESETS)}, not {rules}")


def build(
    pits: int,
    count: int,
    rules: Rules = STANDARD,
    workers: int | None = None,
    on_progress: OnProgress = lambda done, of: None,
    whole: int = WHOLE,
) -> Database:
    """Compute a database in memory, on so many threads (default: all cores).

    whole: layers of more stones are 4 bits a position. Raises `ValueError` for other rules than
    the presets, and if it doesn't fit.
    """
    check_wanted(pits, count)
    where, moves = layout(pits, count, whole), sowings(pits, places(pits))
    values, others = empty_values(where), 0
    tables = half_tables(where)

    def fill(task: tuple[int, int]) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        sources = (values, addresses(values), where, tables, moves, rules.capture_empty)
        return fill_blocks(*task, Sources(*sources))

    with ThreadPoolExecutor(workers or cores()) as pool:
        for total in range(count + 1):  # blocks of one total are independent; largest first
            tasks = [(total, fewer) for fewer in range(total // 2, -1, -1)]
            filled = list(pool.map(fill, tasks))
            if total > whole:
                for (_, fewer), found in zip(tasks, filled, strict=True):
                    owns = [fewer, total - fewer] if 2 * fewer < total else [fewer]
                    for own, part in zip(owns, found, strict=False):
                        values = append_others(values, where, total, own, part, others)
                        others += part.size
            on_progress(positions(pits, total), positions(pits, count))
    return Database(rules, where, values._replace(others=values.others[:others]))


def open_database(
    pits: int,
    count: int,
    rules: Rules = STANDARD,
    *,
    folder: Path | None = None,
    rebuild: bool = False,
    workers: int | None = None,
    on_progress: OnProgress = lambda done, of: None,
) -> Database:
    """The database from its file, or built and kept as a file if there is none.

    folder: default the user's cache folder. rebuild: ignore the file and write it anew.
    Raises `DatabaseError` if the file is damaged or not ours, and what `build` raises.
    """
    check_wanted(pits, count)
    path = database_path(pits, count, rules, folder)
    if path.exists() and not rebuild:
        return load(path, pits, count, rules)
    made = build(pits, count, rules, workers, on_progress)
    save(made, path)
    return made


def database_path(pits: int, count: int, rules: Rules, folder: Path | None = None) -> Path:
    """Where a database is kept."""
    folder = folder or Path(platformdirs.user_cache_dir("kalahlab", appauthor=False))
    return folder / f"endgame-{pits}-{preset_name(rules)}-{count}.db"


def stored_stones(pits: int, rules: Rules, folder: Path | None = None) -> tuple[int, ...]:
    """The stones of the databases that are on disk."""
    pattern = database_path(pits, 0, rules, folder)
    names = [path.stem for path in pattern.parent.glob(pattern.name.replace("-0.", "-*."))]
    return tuple(sorted(int(text) for name in names if (text := name.rpartition("-")[2]).isdigit()))


def save(database: Database, path: Path, stop: Event | None = None) -> bool:
    """Write the file whole or, if `stop` is set or it fails, not at all: whether it was.

    Raises `OSError`.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(path.parent)
    lengths = _lengths(database.layout, database.values.others.size)
    free = shutil.disk_usage(path.parent).free
    if free < sum(lengths) + SPARE_DISK:
        raise OSError(f"{path.parent} has {in_units(free)} free, too little to keep a database")
    try:
        with atomic_write(path) as part, part.open("wb") as file:
            sums = []
            file.seek(_header_bytes(database.layout, lengths))
            for chunk in _chunks(_parts(database.values)):
                if stop is not None and stop.is_set():
                    raise _Stopped
                sums.append(zlib.crc32(chunk))
                file.write(chunk)
            file.seek(0)
            file.write(_header(database, sums))
    except _Stopped:
        return False
    return True


class _Stopped(Exception):
    """The file is not wanted any more."""


class BackgroundWriter:
    """Writes a database to its file while it is in use already."""

    def __init__(self, database: Database, path: Path) -> None:
        self.error: str | None = None
        self._stop = Event()
        self._thread = Thread(target=self._run, args=(database, path))
        self._thread.start()

    def wait(self, give_up: bool = False) -> None:
        """Return when the file is there, or at once without it."""
        if give_up:
            self._stop.set()
        self._thread.join()

    def _run(self, database: Database, path: Path) -> None:
        try:
            save(database, path, self._stop)
        except OSError as error:  # a full disk, no permission: the solve can go on
            self.error = str(error)


def load(path: Path, pits: int, count: int, rules: Rules) -> Database:
    """Map a file into memory after checking each byte; `DatabaseError` says what is wrong."""
    header, where, lengths = _checked_header(path, pits, count, rules)
    mapped: NDArray[np.int8] = np.memmap(path, np.int8, "r", offset=len(header))
    parts = np.split(mapped, np.cumsum(lengths)[:-1])
    with ThreadPoolExecutor(cores()) as pool:
        found = list(pool.map(zlib.crc32, _chunks(parts)))
    if found != [sum_ for (sum_,) in struct.iter_unpack("<I", _sums(header, where, lengths))]:
        raise _refused(path, "is damaged")
    codes, before, whole, middles, others = parts
    values = Values(whole, codes.view(np.int64), middles, before.view(np.int64), others)
    if not groups_fit(values):
        raise _refused(path, "is damaged")
    return Database(rules, where, values)


def _parts(values: Values) -> list[NDArray[np.int8]]:
    """The values as they stand in a file: words first, so that all lie where they may."""
    words = [part.view(np.int8) for part in (values.codes, values.before)]
    return [*words, values.whole, values.middles, values.others]


def _lengths(where: Layout, others: int) -> list[int]:
    """The sizes of the parts."""
    codes, rows = dense_size(where.pits, where.stones, where.whole)
    return [codes // 2, codes // GROUP * 8, positions(where.pits, where.whole), rows, others]


def _chunks(parts: list[NDArray[np.int8]]) -> list[memoryview]:
    return [part[at : at + CHUNK].data for part in parts for at in range(0, part.size, CHUNK)]


def _header(database: Database, sums: Iterable[int]) -> bytes:
    where, others = database.layout, database.values.others.size
    lengths = _lengths(where, others)
    fields = _FIELDS.pack(
        _MAGIC,
        VERSIONS[_is_dense(where)],
        database.pits,
        int(database.rules.capture_empty),
        database.stones,
        sum(lengths),
        CHUNK,
    )
    fields += _DENSE_FIELDS.pack(where.whole, others) * _is_dense(where)
    text = fields + b"".join(struct.pack("<I", sum_) for sum_ in sums)
    text = text.ljust(_header_bytes(where, lengths) - 4, b"\0")
    return text + struct.pack("<I", zlib.crc32(text))


def _is_dense(where: Layout) -> bool:
    return where.stones > where.whole


def _fields_bytes(where: Layout) -> int:
    return _FIELDS.size + _DENSE_FIELDS.size * _is_dense(where)


def _sums_bytes(lengths: list[int]) -> int:
    return 4 * sum(-(-length // CHUNK) for length in lengths)


def _header_bytes(where: Layout, lengths: list[int]) -> int:
    """Whole pages, so that the values can be mapped."""
    least = _fields_bytes(where) + _sums_bytes(lengths) + 4
    return -(-least // _PAGE) * _PAGE


def _sums(header: bytes, where: Layout, lengths: list[int]) -> bytes:
    return header[_fields_bytes(where) :][: _sums_bytes(lengths)]


def _checked_header(
    path: Path, pits: int, count: int, rules: Rules
) -> tuple[bytes, Layout, list[int]]:
    """The header, what layout it says, and the sizes of the parts; `DatabaseError` if wrong."""
    with path.open("rb") as file:
        begin = file.read(_FIELDS.size + _DENSE_FIELDS.size)
        version = _checked_fields(path, begin, (pits, int(rules.capture_empty), count))
        whole, others = _DENSE_FIELDS.unpack_from(begin, _FIELDS.size)
        if version == VERSIONS[False]:
            whole, others = count, 0
        where = layout(pits, count, min(whole, count))
        lengths = _lengths(where, others)
        head, length = _header_bytes(where, lengths), os.fstat(file.fileno()).st_size
        if length != head + sum(lengths):
            raise _refused(path, f"is {length} bytes long, {head + sum(lengths)} are due")
        file.seek(0)
        header = file.read(head)
    if zlib.crc32(header[:-4]) != int.from_bytes(header[-4:], "little"):
        raise _refused(path, "is damaged")
    return header, where, lengths


def _checked_fields(path: Path, begin: bytes, wanted: tuple[int, ...]) -> int:
    """The format of a file for what is wanted, by its first bytes."""
    if len(begin) < _FIELDS.size + _DENSE_FIELDS.size or not begin.startswith(_MAGIC):
        raise _refused(path, "is not an endgame database")
    _, version, *found, _size, chunk = _FIELDS.unpack_from(begin)
    if version not in VERSIONS or chunk != CHUNK:
        raise _refused(path, f"has format {version}, not {' or '.join(map(str, VERSIONS))}")
    if tuple(found) != wanted:
        raise _refused(path, f"is for (pits, empty capture, stones) = {tuple(found)}, not {wanted}")
    return int(version)


def _refused(path: Path, why: str) -> DatabaseError:
    return DatabaseError(f"{path} {why}; it was not used, ask for a rebuild to replace it")
