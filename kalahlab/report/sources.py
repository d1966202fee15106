"""The notebooks as they are committed, and what each is to be run with, by which profile."""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat

from kalahlab.evaluators.registry import EVALUATORS
from kalahlab.files import checksum
from kalahlab.formatting import to_json
from kalahlab.games.kalah import PRESETS
from kalahlab.names import files_used, meant, named
from kalahlab.outside import decode
from kalahlab.report import manifest
from kalahlab.report.manifest import Parameters
from kalahlab.search import ALGORITHMS

PACKAGE = Path(__file__).resolve().parents[1]
PROFILES = ("tiny", "smoke", "default", "full")
NUMBERED = "[0-9]*.ipynb"  # the pages; others beside them are a user's own
PROFILES_FILE = "profiles.toml"
LONGEST = "longest"  # the key, beside the profiles, of the notebooks that take longest
ONLY = "only"  # the key, in a profile, of the only notebooks that it builds
OUT = "out"  # the parameter that every notebook has: the folder for its files, or None
# The parameter of a notebook that is run after the others: the folder with those executed.
EXECUTED = "executed"
IMPORTED = ("evaluator", "evaluators", "own", "algorithms")  # may name functions by import path
NAMED: Mapping[str, Mapping[str, object]] = {
    "rules": PRESETS,
    "algorithms": ALGORITHMS,
    **dict.fromkeys(("evaluator", "evaluators", "own"), EVALUATORS["kalah"]),
}
LEAST = re.compile(r"^(\w+)(?: *:.*?)? *= .*#.*\b(\d+) or more", re.MULTILINE)
IMPORT_PATH = re.compile(r'"([A-Za-z_]\w*)((?:\.\w+)+)"')  # in JSON

# The types of parameters, in words; None may be anything.
KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
KINDS |= {list: "a list", tuple: "a list", dict: "a table"}

Settings = Mapping[str, Parameters]  # notebook -> parameter -> value


@dataclass(frozen=True)
class Source:
    """A committed notebook. defaults: what its cell tagged `parameters` assigns to which names.
    least: for some of them the least value, or length, as a comment there says. error: why it
    cannot be run; then it has no cells and no parameters."""

    stem: str
    notebook: nbformat.NotebookNode
    defaults: Parameters
    least: Mapping[str, int]
    error: str = ""

    def without_outputs(self) -> nbformat.NotebookNode:
        """Return a copy as it is before its first run."""
        notebook = deepcopy(self.notebook)
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
        return notebook


@dataclass(frozen=True)
class Plan:
    """A notebook and what it is to be run with. changes: what differs from its own parameters.
    changed: what differs from those of the default profile."""

    source: Source
    profile: str
    changes: Parameters
    parameters: Parameters
    changed: Parameters
    key: str

    @property
    def cells(self) -> int:
        return sum(cell.cell_type == "code" for cell in self.source.notebook.cells)


def plan(
    folder: Path, profile: str, only: Iterable[str] | None, parameters: Iterable[str]
) -> list[Plan]:
    """What is to be run, in this order. A notebook that cannot be read costs its own page only.
    `ValueError` names anything unknown, and what is wrong if none can be read."""
    sources = [*map(read_source, sorted(folder.glob(NUMBERED)))]
    if not sources:
        raise ValueError(f"no notebooks in {str(folder)!r}")
    chosen, built, ordered = read_profile(profile, folder, sources)
    usual, *_ = read_profile("default", folder, sources)
    stems = [source.stem for source in sources]
    overrides = parse_overrides(parameters, stems)
    check_settings(overrides, sources, "parameters")
    wanted = [begun("notebook", stem, stems) for stem in only or ()] or built
    environment, plans = manifest.environment_hash(PACKAGE), []
    for source in (each for each in ordered if each.stem in wanted):
        changes = {**chosen.get(source.stem, {}), **overrides.get(source.stem, {})}
        if source.error:
            changes = {}
        check_imports(source.stem, changes)
        values = {name: to for name, to in {**source.defaults, **changes}.items() if name != OUT}
        default = {**source.defaults, **usual.get(source.stem, {})}
        changed = {name: value for name, value in values.items() if value != default[name]}
        cells = [
            [c.cell_type, c.source, c.id, c.metadata.get("tags"), c.get("attachments")]
            for c in source.notebook.cells
        ]
        # files of this folder that parameters name by an import path, as `mine.evaluator`
        named = IMPORT_PATH.findall(to_json(values))
        own = {f"{module}.py" for module, _ in named if Path(f"{module}.py").is_file()}
        own |= {os.path.relpath(file) for file in files_used([*own])}  # what these import
        code = manifest.digests(Path.cwd(), sorted(own))
        changed |= {f"SHA-256 of {file}": digest[:12] for file, digest in code.items()}
        key = checksum([cells, values, environment, code])
        plans.append(Plan(source, profile, changes, values, changed, key))
    if all(each.source.error for each in plans):
        raise ValueError("; ".join(each.source.error for each in plans))
    return plans


def read_source(path: Path) -> Source:
    """Read a notebook; what is wrong with it is in its `error`."""
    try:
        notebook = read_notebook(path)
        defaults, least = read_parameters(notebook)
    except OSError as error:
        message = f"{path.name} cannot be read: {error.strerror}"
    except ValueError as error:
        message = f"{path.name} {error}"
    else:
        return Source(path.stem, notebook, defaults, least)
    return Source(path.stem, nbformat.v4.new_notebook(), {}, {}, message)


def read_notebook(path: Path) -> nbformat.NotebookNode:
    """Return a notebook in which each cell has an id of its own: its number, if an editor has
    dropped the id or doubled it. `ValueError` if it is not a notebook."""
    text = decode(path.read_bytes(), path.name)
    try:
        data = json.loads(text, parse_constant=str)
        cells = data["cells"] if data["nbformat"] == 4 else []  # older ones have no ids
        known = {None}
        for number, cell in enumerate(cells, 1):
            if not cell.keys() >= {"source", "metadata"}:
                raise ValueError(f"cell {number} has no source or no metadata")
            if cell.get("id") in known:
                cell["id"] = f"{number}"
                data["nbformat_minor"] = max(5, data["nbformat_minor"])  # the first with ids
            known.add(cell["id"])
        notebook: nbformat.NotebookNode = nbformat.reads(to_json(data), as_version=4)
    except Exception as error:  # of nbformat, too, which raises many kinds
        message = str(error).partition("\n")[0]
        raise ValueError(f"is not a notebook: {type(error).__name__}: {message}") from None
    return notebook


def read_parameters(
    notebook: nbformat.NotebookNode,
) -> tuple[dict[str, object], Mapping[str, int]]:
    """Return what the cell tagged `parameters` assigns to each name, with or without a type, and
    the least values that its comments name. `ValueError` if it cannot be read."""
    cells = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", [])]
    defaults: dict[str, object] = {}
    try:
        for statement in ast.parse(cells[0].source).body if cells else ():
            match statement:  # one name each, as papermill reads them
                case ast.Assign(targets=[target, *_], value=value):
                    defaults[ast.unparse(target)] = parse_literal(value)
                case ast.AnnAssign(target=ast.Name(name), value=ast.expr() as value):
                    defaults[name] = parse_literal(value)
    except (SyntaxError, ValueError) as error:
        said = "is no literal, as a number, a text such as 'mine.f', a list or None"
        raise ValueError(f"has a parameter that {said}: {error}") from None
    if OUT not in defaults:
        raise ValueError("has no cell tagged 'parameters' that sets 'out = None'")
    return defaults, {name: int(count) for name, count in LEAST.findall(cells[0].source)}


def parse_literal(expression: ast.expr) -> object:
    """Return the value of a literal that a manifest can hold; else a `ValueError`."""
    try:
        value: object = ast.literal_eval(expression)
        to_json(value)
    except (TypeError, ValueError):
        raise ValueError(ast.unparse(expression)) from None
    return value


def read_profile(
    name: str, folder: Path, sources: Sequence[Source]
) -> tuple[Settings, Sequence[str], list[Source]]:
    """What a profile sets, which notebooks it builds, and all of them, those that take longest
    first, so that all processors are busy to the end. From `profiles.toml` beside the notebooks;
    `ValueError` names what is wrong, in any of its profiles."""
    file = folder / PROFILES_FILE
    profiles: dict[str, Any] = {key: {} for key in PROFILES}
    try:
        profiles |= tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{file.name} is not TOML: {error}") from None
    stems = [source.stem for source in sources]
    longest = [one_of(LONGEST, stem, stems) for stem in profiles.pop(LONGEST, ())]
    built = {
        profile: [one_of(f"{profile}: {ONLY}", stem, stems) for stem in settings.pop(ONLY, stems)]
        for profile, settings in profiles.items()
    }
    for profile, settings in profiles.items():
        check_settings(settings, sources, f"{PROFILES_FILE}, profile {profile}")
    one_of("profile", name, profiles)
    ordered = sorted(sources, key=lambda each: [*longest, each.stem].index(each.stem))
    return profiles[name], built[name], ordered


def parse_overrides(texts: Iterable[str], stems: Collection[str]) -> Settings:
    """Settings from `NOTEBOOK.NAME=VALUE`; VALUE is JSON, a Python literal, or just text. The
    beginning of one of the `stems` is enough for a notebook."""
    settings: dict[str, dict[str, object]] = {}
    for text in texts:
        place, equals, said = text.partition("=")
        notebook, dot, name = place.strip().partition(".")
        if not (equals and dot and notebook and name):
            raise ValueError(f"parameter is {text!r}; write NOTEBOOK.NAME=VALUE")
        value: object = said.strip()
        for read in (ast.literal_eval, json.loads):
            with suppress(ValueError, SyntaxError):
                value = read(said.strip())
        settings.setdefault(begun("parameters: notebook", notebook, stems), {})[name] = value
    return settings


def check_settings(settings: Settings, sources: Sequence[Source], where: str) -> None:
    """`ValueError` if a notebook or a parameter is unknown, or of another kind of value."""
    known = {source.stem: source for source in sources}
    for stem, values in settings.items():
        source = known[one_of(f"{where}: notebook", stem, known)]
        if source.error:
            continue
        allowed = [name for name in source.defaults if name not in (OUT, EXECUTED)]
        for name, value in values.items():
            default = source.defaults[one_of(f"{where}: {stem}'s parameter", name, allowed)]
            if not is_like(value, default):
                of = " of parts" if isinstance(default, list) else ","
                like = f"{KINDS[type(default)]}{of} such as its default {default!r}"
                raise ValueError(f"{where}: {stem}.{name} is {value!r}; give {like}")
            parts = value if isinstance(value, list) else []
            for part in [value, *parts]:
                if name in NAMED and isinstance(part, str) and "." not in part:
                    named(f"{stem}.{name}", part, NAMED[name])
            if any(isinstance(part, int) and part < 1 for part in parts):
                raise ValueError(f"{where}: {stem}.{name} is {value!r}; give numbers from 1 on")
            if isinstance(value, int | list) and name != "seed":
                few = source.least.get(name, int(bool(default)))  # what is not 0 or [] stays so
                if (value if isinstance(value, int) else len(value)) < few and default is not True:
                    raise ValueError(f"{where}: {stem}.{name} is {value!r}; give {few} or more")


def is_like(value: Any, default: Any) -> bool:
    """Whether a value is of a default's kind; each part of a list, of that of one of its parts."""
    wanted, given = (KINDS.get(type(each)) for each in (default, value))
    if wanted not in (None, given) and (type(default), type(value)) != (float, int):
        return False
    if not isinstance(default, list | tuple) or not default:
        return True
    return all(any(is_like(part, one) for one in default) for part in value)


# Import what is at a path, and ask it as what a parameter names: both are in the arguments.
TRY_IMPORT = """
import pkgutil, sys
from kalahlab import backends, evaluators, names, user_code
from kalahlab.games import kalah
name, path = sys.argv[1:]
user_code.guard_os_exit()
try:
    with user_code.importing(path), user_code.refusing_exits():
        found = pkgutil.resolve_name(path)
        if name == "algorithms":
            names.check_parameters("algorithm", path, found)
        else:
            backends.check_evaluator(path, found, backends.GAMES["kalah"])
            evaluators.evaluate(found, kalah.Kalah().start().board, 0, path)
except Exception as error:
    place = user_code.user_line(error)
    message = " ".join(f"{type(error).__name__}: {error}".split())
    sys.exit(f"{place}: {message}" if place else message)
print(path)
"""


def check_imports(stem: str, values: Parameters) -> None:
    """`ValueError` if a parameter names by import path what cannot be used; its notes are printed.
    A new process tries, as the notebook's will: a file may have changed since it was imported."""
    place = {"PYTHONPATH": os.pathsep.join(sys.path)}
    for name in (each for each in IMPORTED if each in values):
        for path in map("".join, IMPORT_PATH.findall(to_json(values[name]))):
            words = [sys.executable, "-P", "-c", TRY_IMPORT, name, path]
            tried = subprocess.run(words, env=os.environ | place, capture_output=True, text=True)
            if tried.returncode or not tried.stdout.endswith(f"{path}\n"):
                lines = tried.stderr.splitlines() if tried.returncode else []
                error = [f"it ends Python, with status {tried.returncode}", *lines][-1]
                error = error.removeprefix("BadEvaluator: ")
                raise ValueError(f"{stem}.{name}: {path} cannot be used: {error}")
            sys.stderr.write(tried.stderr)


def begun(what: str, name: str, allowed: Collection[str]) -> str:
    """The only one that begins so; else as `one_of`."""
    found = [each for each in allowed if each.startswith(name)]
    return found[0] if len(found) == 1 else one_of(what, name, allowed)


def one_of(what: str, name: str, allowed: Iterable[str]) -> str:
    """The name, if it is allowed; else a `ValueError` that lists those that are."""
    if name not in (names := [*allowed]):
        listed = " or ".join(names) or "none, it has none"
        raise ValueError(f"{what} {name!r} is unknown; use {listed}{meant(name, names)}")
    return name
