"""The confinement of a student's program: bubblewrap where there is one, and limits of the system.

In bubblewrap a program sees the system's programs, its own folder, which it can only read, and an
empty folder for files. It has no network, and sees no process but its own. Everywhere it has no
variable of our environment, and limits on its memory, its processor time and its files.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import kalahlab
from kalahlab.data import data_file

AGENT_FOLDER = "/agent"  # the agent's folder, as the agent sees it in bubblewrap
# What programs need of the system. A folder that does not exist is left out.
SYSTEM_FOLDERS = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix/store",
    "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
)  # fmt: skip
JAVA_SETTINGS = "/etc"  # has the folders of Java's settings, such as java-17-openjdk
LARGEST_FILE = 100  # megabytes
# Sets limits, and becomes the program. A limit that is lower already stays, without a message.
START = """
for limit in "-c 0" "-f $1" "-d $2" "-t $3"; do ulimit $limit 2>&- || true; done
folder=$4; shift 4
[ -z "$folder" ] || cd "$folder" || exit 126
exec env -i "$@"
"""
NOT_ISOLATED = (
    "bubblewrap (the program bwrap) is {reason}, so nothing isolates the students' programs: they "
    "could read and change your files, use the network, and leave processes running. Install "
    "bubblewrap, or add --unsafe to run them like programs of your own"
)


@dataclass(frozen=True)
class Confinement:
    """How programs are confined.

    Attributes:
        bwrap: The path of bubblewrap; "" if there is none.
        memory: The most memory of a process, in megabytes.
        seconds: The most processor time of a process.
    """

    bwrap: str = ""
    memory: int = 2048
    seconds: int = 3600

    def command(
        self, command: Sequence[str], folder: Path, is_build: bool = False, stays: bool = False
    ) -> tuple[str, ...]:
        """Return the command that runs a program confined.

        Args:
            command: The program and its arguments. Files of `folder` are relative to it.
            folder: The folder of the program.
            is_build: Whether the program may write into its folder.
            stays: Whether the program's working folder is that of the caller, not its own.
        """
        place = AGENT_FOLDER if self.bwrap else str(folder.absolute())
        words = [_place_word(word, folder, place) for word in command]
        if Path(command[0]).name == "java":
            words.insert(1, f"-Xmx{self.memory * 3 // 4}m")  # by default a share of all memory
        home = "/tmp" if self.bwrap else place
        variables = {"PATH": _search_path(), "HOME": home, "LANG": "C.UTF-8"}
        cage = self._bwrap_words(folder, is_build, stays) if self.bwrap else []
        enters = not self.bwrap and not stays
        return (
            *("/bin/sh", "-c", START, "sh", str(LARGEST_FILE * 2048), str(self.memory * 1024)),
            *(str(self.seconds), place if enters else ""),
            *(f"{name}={value}" for name, value in variables.items()),
            *cage,
            *words,
        )

    def _bwrap_words(self, folder: Path, is_build: bool, stays: bool) -> list[str]:
        """Return bubblewrap and its arguments, up to the program."""
        words = [self.bwrap, "--unshare-all", "--die-with-parent", "--cap-drop", "ALL"]
        words += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
        for path in _readable_folders():
            words += ["--ro-bind-try", path, path]
        words += ["--bind" if is_build else "--ro-bind", str(folder.absolute()), AGENT_FOLDER]
        working_folder = AGENT_FOLDER
        if stays:
            working_folder = "/game"
            words += ["--bind", "/proc/self/cwd", working_folder]
        return [*words, "--chdir", working_folder, "--"]


def _place_word(word: str, folder: Path, place: str) -> str:
    """Return a word of a command, with its full path if it names a file of the folder."""
    if word and "/" not in word.removeprefix("./") and (folder / word).is_file():
        return f"{place}/{word.removeprefix('./')}"
    return word


def _search_path() -> str:
    """Return the folders in which commands are found, that of this Python first."""
    return os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])


def _readable_folders() -> Iterator[str]:
    """Yield what a program may read: the system, this Python, and this package with its data."""
    yield from SYSTEM_FOLDERS
    yield from map(str, sorted(Path(JAVA_SETTINGS).glob("java*")))
    yield from dict.fromkeys([sys.base_prefix, sys.prefix])
    yield str(Path(kalahlab.__file__).parent)
    yield str(Path(str(data_file("fitted.json"))).parent)  # beside the package in a repository


def find_bwrap() -> tuple[str, str]:
    """Return the path of a bubblewrap that works, or "" and the reason why there is none."""
    path = shutil.which("bwrap")
    if path is None:
        return "", "not installed"
    command = Confinement(path).command(["true"], Path("/"))
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if result.returncode == 0:
        return path, ""
    lines = result.stderr.decode(errors="replace").strip().splitlines() or ["it fails"]
    return "", f"installed but does not work here ({lines[-1][:100]})"


def choose_confinement(is_unsafe: bool, memory: int, seconds: int) -> tuple[Confinement, str]:
    """Return how programs are confined, and a note on what is not isolated, or "".

    Raises:
        ValueError: There is no bubblewrap that works, and `is_unsafe` is false.
    """
    if os.name != "posix":
        raise ValueError("programs of students run on Linux and macOS only")
    bwrap, reason = find_bwrap()
    if bwrap:
        return Confinement(bwrap, memory, seconds), ""
    if not is_unsafe:
        raise ValueError(NOT_ISOLATED.format(reason=reason))
    note = NOT_ISOLATED.format(reason=reason).partition(". ")[0]
    return Confinement("", memory, seconds), f"note: {note}"


def kill_group(process: "subprocess.Popen[bytes]") -> None:
    """Kill a process with its group, and wait for its end."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
