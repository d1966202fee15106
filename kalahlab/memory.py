"""The memory that this process occupies and may still take."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil

from kalahlab.formatting import format_bytes

# Bytes of address space that the compiler and its threads take before any search.
COMPILER_ADDRESS_SPACE = 7 * 10**8
UNLIMITED = 1 << 62  # more bytes than any limit


def resident_bytes() -> int:
    """Return the bytes of memory that this process occupies."""
    return int(psutil.Process().memory_info().rss)


def available_bytes(root: Path = Path("/")) -> int:
    """Return the bytes that can be allocated without swapping.

    This is the least of three: the free memory, what `ulimit -v` leaves, and what the control
    groups leave.

    Args:
        root: The folder that contains `proc` and `sys`; tests replace it.
    """
    free = int(psutil.virtual_memory().available)
    return max(0, min([free, _remaining_address_space(), *_remaining_in_groups(root)]))


def check_address_space() -> None:
    """Raise MemoryError if `ulimit -v` leaves too little to load the compiler.

    Without this check, the compiler may hang instead of failing.
    """
    remaining = _remaining_address_space()
    if remaining < COMPILER_ADDRESS_SPACE:
        raise MemoryError(
            f"`ulimit -v` leaves {format_bytes(max(0, remaining))} of address space; compiled "
            f"searches need {format_bytes(COMPILER_ADDRESS_SPACE)}: raise it, or use --backend "
            "textbook where there is one"
        )


def _remaining_address_space() -> int:
    """Return the bytes of address space that this process may still take."""
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return UNLIMITED
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return UNLIMITED
    return int(limit - psutil.Process().memory_info().vms)


def _remaining_in_groups(root: Path) -> Iterator[int]:
    """Yield the bytes that each control group (v2) that contains this process leaves.

    Inactive cached files do not count as used, as the system drops them when memory is needed.
    """
    top = root / "sys/fs/cgroup"
    groups: list[Path] = []
    with suppress(OSError):  # a system without control groups
        for line in (root / "proc/self/cgroup").read_text().splitlines():
            if line.startswith("0::/"):  # the line of version 2
                group = top / line.removeprefix("0::/")
                groups += [group, *group.parents]  # those above `top` have no such files
    for group in groups:
        with suppress(OSError, ValueError):  # no such group, or no limit: "max"
            remaining = int((group / "memory.max").read_text())
            remaining -= int((group / "memory.current").read_text())
            stat_lines = (group / "memory.stat").read_text().splitlines()
            stat = dict(line.split() for line in stat_lines)
            yield remaining + int(stat.get("inactive_file", 0))
