"""How much memory there is, and how to say a number of bytes."""

import os
from pathlib import Path

import psutil

_CGROUP = Path("/sys/fs/cgroup")


def resident_bytes() -> int:
    """What this process holds now."""
    return int(psutil.Process().memory_info().rss)


def available_bytes() -> int:
    """What can be taken without swapping, the limit of a container respected."""
    free = int(psutil.virtual_memory().available)
    try:
        limit = int((_CGROUP / "memory.max").read_text())
        used = int((_CGROUP / "memory.current").read_text())
        stat = (_CGROUP / "memory.stat").read_text()
        cached = int(dict(line.split() for line in stat.splitlines())["inactive_file"])
    except (KeyError, OSError, ValueError):  # no such system, or no limit: "max"
        return free
    return min(free, max(0, limit - used + cached))


def cores() -> int:
    """The processors that this process may use."""
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
    return f"{size} bytes"
