"""Plans of solves: the sizes of the database and the table, which many solves may share.

One stone more makes the database some 1.5 times larger and the search some 1.45 times smaller. A
position of the database takes a thirtieth of the time of a node of the search. A solve is fastest
if database and search take about the same time. The figures below were fitted to the openings of 3
to 6 pits.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from kalahlab.formatting import format_bytes
from kalahlab.memory import available_bytes
from kalahlab.solver.endgame.database import build_bytes, check_stones, largest_stones
from kalahlab.solver.endgame.layout import count_positions
from kalahlab.solver.kernel import ENTRY_BYTES

SHARE = 0.9  # the part of the available memory that a solve may take
# Seconds on one core: to build a position of the database, to read and check one, to search a node.
POSITION_SECONDS, STORED_SECONDS, NODE_SECONDS = 5e-9, 1e-9, 1.6e-7
# For 1 to 7 pits, the factor in `estimate_nodes`.
NODES_BY_PITS = (0.02, 0.02, 0.14, 7.0, 30.0, 65.0, 100.0)
# A proof of at least MANY_NODES is made in pieces of SMALL_PIECE nodes. In pieces the proof takes
# half the nodes on (6,5), but 1.1 times the nodes on (6,4).
MANY_NODES, SMALL_PIECE = 2e7, 10_000
ENDLESS = 1 << 62  # nodes of a piece that is the whole proof; all threads search it
ALL_MOVES = 8  # to value all moves takes so many times the nodes of the value alone
LEAST_ENTRIES, MOST_ENTRIES = 1 << 14, 1 << 30
LEAST_TABLE = LEAST_ENTRIES * ENTRY_BYTES  # bytes
CACHED_ENTRIES = 1 << 22  # 64 MB; a larger table does not fit into caches, so it is slower
HOPELESS_NODES = 1e15  # some years on a large machine; boards that need more are refused


@dataclass(frozen=True, slots=True)
class Plan:
    """The sizes that a solve uses; see `make_plan`.

    Attributes:
        pits: The pits of a side.
        database_stones: The stones of the database.
        entries: The entries of the table, a power of two.
        piece_nodes: The nodes of a piece, unless a ledger is kept or an executor is used.
    """

    pits: int
    database_stones: int
    entries: int
    piece_nodes: int = ENDLESS

    @property
    def table_bytes(self) -> int:
        return self.entries * ENTRY_BYTES

    @property
    def bytes(self) -> int:
        return build_bytes(self.pits, self.database_stones) + self.table_bytes


def estimate_nodes(pits: int, stones: int, database_stones: int) -> float:
    """Estimate the nodes of the proof of a value, to within a factor of ten."""
    if stones <= database_stones:
        return 0.0
    return NODES_BY_PITS[pits - 1] * 1.5**stones / 1.45**database_stones


def estimate_seconds(
    pits: int, stones: Sequence[int], database_stones: int, moves: bool, stored: bool = False
) -> float:
    """Estimate the seconds that database and search take on one core.

    Args:
        pits: The pits of a side.
        stones: The stones in play of each position.
        database_stones: The stones of the database.
        moves: Each move is valued, too.
        stored: The database is on disk.
    """
    position_seconds = STORED_SECONDS if stored else POSITION_SECONDS
    database = count_positions(pits, database_stones) * position_seconds
    all_nodes = 0.0
    for count, positions in Counter(stones).items():
        nodes = estimate_nodes(pits, count, database_stones)
        if nodes > MANY_NODES:  # a long proof is made in pieces, which halves what lies beyond
            nodes -= (nodes - MANY_NODES) / 2
        all_nodes += positions * nodes
    if moves:
        all_nodes *= ALL_MOVES
    return database + all_nodes * NODE_SECONDS


def make_plan(
    pits: int,
    stones: Sequence[int],
    moves: bool = False,
    database_stones: int | None = None,
    table_bytes: int | None = None,
    memory_bytes: int | None = None,
    stored: tuple[int, ...] = (),
) -> Plan:
    """Plan the solves of one position or of several, with one database and one table.

    Args:
        pits: The pits of a side.
        stones: The stones in play of each position.
        moves: Each move is valued, too.
        database_stones: The stones of the database; default the best for the memory.
        table_bytes: The size of the table; default as large as is useful.
        memory_bytes: The memory that may be used; default `SHARE` of what is available.
        stored: The stones of the databases that are on disk.

    Raises:
        ValueError: The solves do not fit into memory, or one would take too long.
    """
    memory = int(SHARE * available_bytes()) if memory_bytes is None else memory_bytes
    if table_bytes is not None and table_bytes < LEAST_TABLE:
        raise ValueError(f"the table has {table_bytes} bytes; it needs at least {LEAST_TABLE}")
    database_memory = memory - (table_bytes or LEAST_TABLE)
    if database_stones is None:
        size = format_bytes(max(memory, 0))
        choice = f"the best for {size} of memory"
        most = min(max(stones), largest_stones(pits, database_memory))
        if most < 0:
            raise ValueError(f"{size} of memory is not enough to solve a board; allow more")
        database_stones = fastest_database(pits, stones, moves, most, stored)
    else:
        choice = "as given"
        check_stones(pits, database_stones, database_memory)
    estimates = [estimate_nodes(pits, count, database_stones) for count in stones]
    nodes = max(estimates)
    if nodes > HOPELESS_NODES:
        raise ValueError(
            f"{max(stones)} stones on {pits} pits a side are out of reach: "
            f"some {nodes:.0e} positions to search with an endgame database of "
            f"{database_stones} stones, {choice}"
        )
    entries = useful_entries(sum(estimates), memory - build_bytes(pits, database_stones))
    entries = table_bytes // ENTRY_BYTES if table_bytes else entries
    entries = 1 << (min(entries, MOST_ENTRIES).bit_length() - 1)  # rounded down to a power of two
    piece_nodes = SMALL_PIECE if nodes >= MANY_NODES else ENDLESS
    return Plan(pits, database_stones, entries, piece_nodes)


def fastest_database(
    pits: int, stones: Sequence[int], moves: bool, most: int, stored: tuple[int, ...]
) -> int:
    """Return the stones of the database, up to `most`, with which the solves are fastest."""

    def seconds(count: int) -> float:
        return estimate_seconds(pits, stones, count, moves, count in stored)

    return min(range(most + 1), key=seconds)


def useful_entries(nodes: float, memory: int) -> int:
    """Return the number of entries, within the memory, that speed up a search of `nodes` nodes."""
    # A small table has an entry for every 2 nodes, a large one for every 32 nodes.
    small_table = min(int(nodes) // 2, CACHED_ENTRIES)
    large_table = int(nodes) // 32
    entries = max(LEAST_ENTRIES, small_table, large_table)
    return min(entries, memory // ENTRY_BYTES)


def check_free(plan: Plan) -> None:
    """Raise ValueError if too little memory is free for a plan."""
    free = available_bytes()
    if plan.bytes > free:
        raise ValueError(
            f"database and table need {format_bytes(plan.bytes)}, but only {format_bytes(free)} "
            f"are free; use --memory {int(SHARE * free) // 10**6}MB or less"
        )
