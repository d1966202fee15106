"""The memory that is available, and numbers of bytes as text."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil

from kalahlab.formatting import format_bytes

ADDRESS_SPACE = 7 * 10**8  # bytes that the compiler and its threads take before any search


def resident_bytes() -> int:
    """Return the bytes of memory that this process occupies."""
    return int(psutil.Process().memory_info().rss)


def available_bytes(root: Path = Path("/")) -> int:
    """Return the bytes that can be allocated without swapping.

    The limits of control groups and of `ulimit -v` count.
    """
    free = int(psutil.virtual_memory().available)
    return max(0, min([free, _remaining_address_space(), *_remaining_in_groups(root)]))


def check_address_space() -> None:
    """Raise MemoryError if `ulimit -v` leaves too little to load the compiler, which may hang."""
    remaining = _remaining_address_space()
    if remaining < ADDRESS_SPACE:
        raise MemoryError(
            f"`ulimit -v` leaves {format_bytes(max(0, remaining))} of address space; compiled "
            f"searches need {format_bytes(ADDRESS_SPACE)}: raise it, or use --backend textbook "
            "where there is one"
        )


def _remaining_address_space() -> int:
    """Return the bytes of address space that this process may still take."""
    try:
        import resource
    except ImportError:  # not on Windows
        return 1 << 62
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return 1 << 62
    return int(limit - psutil.Process().memory_info().vms)


def _remaining_in_groups(root: Path) -> Iterator[int]:
    """Yield the bytes that each control group (v2) of this process, or above it, leaves.

    Cached files do not count as used.
    """
    top = root / "sys/fs/cgroup"
    groups: list[Path] = []
    with suppress(OSError):  # no such system
        for line in (root / "proc/self/cgroup").read_text().splitlines():
            if line.startswith("0::/"):
                group = top / line.removeprefix("0::/")
                groups += [group, *group.parents]
    for group in groups:
        with suppress(OSError, ValueError):  # no such group, or no limit: "max"
            remaining = int((group / "memory.max").read_text())
            remaining -= int((group / "memory.current").read_text())
            stat_lines = (group / "memory.stat").read_text().splitlines()
            stat = dict(line.split() for line in stat_lines)
            yield remaining + int(stat.get("inactive_file", 0))
