"""How much memory there is, and how to say a number of bytes."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil

ADDRESS_SPACE = 7 * 10**8  # bytes that the compiler and its threads take before any search


def resident_bytes() -> int:
    return int(psutil.Process().memory_info().rss)


def available_bytes(root: Path = Path("/")) -> int:
    """What can be taken without swapping, within the limits of control groups and `ulimit -v`."""
    free = int(psutil.virtual_memory().available)
    return max(0, min([free, _address_space_left(), *_left_in_groups(root)]))


def check_address_space() -> None:
    """`MemoryError` if `ulimit -v` leaves too little to load the compiler, which may then hang."""
    if (left := _address_space_left()) < ADDRESS_SPACE:
        raise MemoryError(
            f"`ulimit -v` leaves {in_units(max(0, left))} of address space; compiled searches need "
            f"{in_units(ADDRESS_SPACE)}: raise it, or use --backend textbook where there is one"
        )


def _address_space_left() -> int:
    try:
        import resource
    except ImportError:  # not on Windows
        return 1 << 62
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    taken = psutil.Process().memory_info().vms
    return 1 << 62 if limit == resource.RLIM_INFINITY else int(limit - taken)


def _left_in_groups(root: Path) -> Iterator[int]:
    """What each control group (v2) of this process, or above it, leaves; caches of files aside."""
    top = root / "sys/fs/cgroup"
    with suppress(OSError):  # no such system
        lines = (root / "proc/self/cgroup").read_text().splitlines()
        paths = [line.removeprefix("0::/") for line in lines if line.startswith("0::/")]
        for group in (each for path in paths for each in (top / path, *(top / path).parents)):
            with suppress(OSError, ValueError):  # no such group, or no limit: "max"
                left = int((group / "memory.max").read_text())
                left -= int((group / "memory.current").read_text())
                stat = (group / "memory.stat").read_text().splitlines()
                yield left + int(dict(line.split() for line in stat).get("inactive_file", 0))


def cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        return os.cpu_count() or 1


def in_units(size: int) -> str:
    """A number of bytes for people: 226 MB, 2.7 GB."""
    for unit, scale in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= scale:
            number = size / scale
            return f"{number:.1f} {unit}" if number < 10 else f"{number:.0f} {unit}"
    return f"{size} byte{'s' * (size != 1)}"
