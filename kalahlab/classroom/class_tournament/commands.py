"""The command of a program, found from the files in its folder."""

import ast
import shutil
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

from kalahlab.classroom.submissions import PACKED_SUFFIX
from kalahlab.players.user_player import HOST
from kalahlab.untrusted import read_text

PROGRAM_DIALECT = "kgpc"
USUAL_NAMES = ("agent", "main", "player")  # of a program among several
PYTHON_NAMES = ("move", "choose", "play", "player", "agent")  # of a function among several
MACHINE_CODE = (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")  # Linux, and twice macOS
LIBRARY_SUFFIXES = (".so", ".o", ".a", ".dylib", ".class", ".pyc")
SOURCE_SUFFIXES = (".c", ".cc", ".cpp", ".rs", ".go", ".java")
JAVA_MAIN = (b"main", b"([Ljava/lang/String;)V")  # in the file of a class that can be started
LONGEST_SOURCE = 2_000_000  # bytes of a Python file
Command = tuple[str, ...]


def find_command(folder: Path, function: str = "") -> tuple[Command, str]:
    """Return the command of the only program in a folder, and its dialect; "" for a function.

    Args:
        folder: The folder.
        function: The name of the function or the class of a Python file, if it is known.

    Raises:
        ValueError: There is no program, or there are several; the message says what to do.
    """
    files = sorted(path for path in folder.iterdir() if path.is_file())
    kinds: list[tuple[Callable[[Path], bool], Callable[[Path], tuple[Command, str]]]] = [
        (_is_program, _program_command),
        (lambda file: file.suffix == ".py", lambda file: _python_command(file, function)),
        (lambda file: file.suffix == ".jar", lambda file: _java_command("-jar", file.name)),
        (_is_java_main, lambda file: _java_command("-cp", ".", file.stem)),
    ]
    for belongs, make_command in kinds:
        programs = [file for file in files if belongs(file)]
        if function and programs and programs[0].suffix != ".py":
            continue
        if programs:
            return make_command(_choose(programs))
    raise ValueError(_explain_nothing([file.name for file in files]))


def _choose(programs: Sequence[Path]) -> Path:
    """Return the only program, or the only one with a usual name."""
    if len(programs) == 1:
        return programs[0]
    for name in USUAL_NAMES:
        matches = [program for program in programs if program.stem.lower() == name]
        if len(matches) == 1:
            return matches[0]
    names = ", ".join(program.name for program in programs[:5])
    raise ValueError(
        f"there are {len(programs)} programs ({names}); write into agent.toml which one: "
        f'command = "./{programs[0].name}"'
    )


def _is_program(file: Path) -> bool:
    """Return whether a file is machine code or begins with #!; its mode may have been lost."""
    if file.suffix in (*LIBRARY_SUFFIXES, ".py"):
        return False
    with file.open("rb") as stream:
        start = stream.read(18)
    if start.startswith(MACHINE_CODE[0]):
        return start[16:17] in (b"\2", b"\3")  # a program; 1 is an object file
    return start.startswith((b"#!", *MACHINE_CODE))


def make_executable(file: Path, folder: Path) -> None:
    """Let a program in a folder run; a path or a link that leads out of the folder stays as it is.

    Programs of students name the files, and their builds may make links to any file of ours.
    """
    if file.resolve().is_relative_to(folder.resolve()):
        file.chmod(0o755)


def _program_command(file: Path) -> tuple[Command, str]:
    make_executable(file, file.parent)
    return (f"./{file.name}",), PROGRAM_DIALECT


def _python_command(file: Path, function: str) -> tuple[Command, str]:
    """Return the command of a Python file: of its player if it has one, else of the program."""
    try:
        with warnings.catch_warnings(action="ignore"):  # such as those of invalid escapes
            tree = ast.parse(read_text(file, LONGEST_SOURCE))
    except (SyntaxError, RecursionError, MemoryError) as error:
        where = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
        raise ValueError(f"{file.name}{where}: {str(error).partition(' (')[0]}") from None
    name = function or _find_player(tree)
    if name:
        return function_command(file.name, name), ""
    return (sys.executable, file.name), PROGRAM_DIALECT


def function_command(file: str, name: str) -> Command:
    """Return the command that runs a function or a class of a Python file as an agent."""
    return (sys.executable, "-P", "-m", HOST, file, name)


def _find_player(tree: ast.Module) -> str:
    """Return the name of the player in a module: `f(game, state)`, or a class with `choose`.

    Return "" if there is none.

    Raises:
        ValueError: There are several.
    """
    names = list[str]()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            arguments = [argument.arg for argument in node.args.args]
            optional = len(node.args.defaults)
            if arguments[:2] == ["game", "state"] and len(arguments) - optional <= 2:
                names.append(node.name)
        elif isinstance(node, ast.ClassDef):
            methods = [part.name for part in node.body if isinstance(part, ast.FunctionDef)]
            if "choose" in methods:
                names.append(node.name)
    for name in PYTHON_NAMES:
        if name in names:
            return name
    if len(names) > 1:
        raise ValueError(
            f"there are {len(names)} players ({', '.join(names[:5])}); write into agent.toml "
            f'which one: function = "{names[0]}"'
        )
    return names[0] if names else ""


def _is_java_main(file: Path) -> bool:
    if file.suffix != ".class":
        return False
    code = file.read_bytes()
    return all(part in code for part in JAVA_MAIN)


def _java_command(*words: str) -> tuple[Command, str]:
    if shutil.which("java") is None:
        raise ValueError("it needs java, which is not installed here")
    return ("java", "-XX:+UseSerialGC", *words), PROGRAM_DIALECT


def _explain_nothing(names: Sequence[str]) -> str:
    """Return why there is no program among some files, and what to do."""
    packed = [name for name in names if PACKED_SUFFIX.search(name)]
    if packed:
        return f"{packed[0]} is packed; unpack it"
    sources = [name for name in names if name.endswith(SOURCE_SUFFIXES)]
    if sources:
        return f"{sources[0]} is not built; add a Makefile that makes the program"
    return "there is no program; add one, or a .py file, a .jar file or an agent.toml"
