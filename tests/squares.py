"""Settings whose rows are their squares. Workers import this module, so it imports little."""

import os
import signal
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Number:
    value: int
    fails: bool = False


def square(setting):
    if setting.fails:
        raise ArithmeticError(f"cannot square {setting.value}")
    return asdict(setting) | {"square": setting.value**2}


def note_and_square(folder, setting):
    with (folder / "worked on").open("a") as file:
        file.write(f"{setting.value}\n")
    return square(setting)


@dataclass(frozen=True)
class Mortal:
    value: int

    @property
    def task(self):
        return f"squaring {'even' if self.value % 2 == 0 else 'odd'} numbers"


def square_or_die(folder, setting):
    """Return a row, or end the worker if a file `even` says so, or raise if `odd` does."""
    if setting.value % 2 == 0 and (folder / "even").exists():
        os.kill(os.getpid(), signal.SIGKILL)
    if setting.value % 2 and (folder / "odd").exists():
        raise ArithmeticError(f"cannot square {setting.value}")
    return asdict(setting) | {"square": setting.value**2}
