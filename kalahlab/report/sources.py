"""The committed notebooks, and the parameters and the profile with which each is run."""

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
from IPython.core.inputtransformer2 import TransformerManager

from kalahlab.evaluators.registry import EVALUATORS
from kalahlab.extras import describe_missing, is_missing
from kalahlab.files import checksum
from kalahlab.formatting import to_json
from kalahlab.games.rules import format_rules, parse_rules
from kalahlab.names import did_you_mean, find_used_files, iter_imported_files, lookup
from kalahlab.report import manifest
from kalahlab.report.manifest import Parameters
from kalahlab.search import ALGORITHMS
from kalahlab.untrusted import decode_text

PACKAGE = Path(__file__).resolve().parents[1]
PROFILES = ("tiny", "smoke", "default", "full")
NUMBERED = "[0-9]*.ipynb"  # the pages; a user may have other notebooks in the folder
PROFILES_FILE = "profiles.toml"
LONGEST_KEY = "longest"  # next to the profiles: the notebooks that take longest
ONLY_KEY = "only"  # in a profile: the only notebooks that the profile builds
OUT = "out"  # the parameter of every notebook: the folder for its files, or None
# The parameter of a notebook that runs after the others: the folder of the executed ones.
EXECUTED = "executed"
# Parameters that may name functions by import path.
IMPORT_PARAMETERS = ("evaluator", "evaluators", "own", "algorithms")
RULES_PARAMETERS = ("rules", "match_rules")  # Kalah's rules as text
# Parameters whose values are names, with the allowed names as keys.
REGISTRIES: Mapping[str, Mapping[str, object]] = {
    "algorithms": ALGORITHMS,
    **dict.fromkeys(("evaluator", "evaluators", "own"), EVALUATORS["kalah"]),
}
# An assignment to a parameter (group 1) with a comment such as `# 2 or more` (group 2: 2).
LEAST_VALUE = re.compile(r"^(\w+)(?: *:.*?)? *= .*#.*\b(\d+) or more", re.MULTILINE)
# An import path in JSON: group 1 is the module or package before the first dot, group 2 the rest.
IMPORT_PATH = re.compile(r'"([A-Za-z_]\w*)((?:\.\w+)+)"')

# The beginning of an import statement; group 1 is the module, for example `sklearn.metrics`.
IMPORT = re.compile(r"^ *(?:from|import) +([\w.]+)", re.MULTILINE)

# Descriptions of the types of parameters; a default of None allows any value.
KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
KINDS |= {list: "a list", tuple: "a list", dict: "a table"}

Settings = Mapping[str, Parameters]  # notebook -> parameter -> value


@dataclass(frozen=True)
class Source:
    """A committed notebook.

    Attributes:
        stem: The name of its file, without suffix.
        folder: The folder of its file, from which cells can import modules.
        notebook: The notebook.
        defaults: The parameters: the names and values that the cell tagged `parameters` assigns.
        least: The least values, or lengths, of some parameters, from comments in that cell.
        error: Why the notebook cannot be run, or "". A notebook that cannot be run has no cells and
            no parameters here.
    """

    stem: str
    folder: Path
    notebook: nbformat.NotebookNode
    defaults: Parameters
    least: Mapping[str, int]
    error: str = ""

    def without_outputs(self) -> nbformat.NotebookNode:
        """Return a copy without outputs and execution counts."""
        notebook = deepcopy(self.notebook)
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
        return notebook


@dataclass(frozen=True)
class Plan:
    """A notebook and the parameters with which to run it.

    Attributes:
        source: The notebook.
        profile: The name of the profile.
        changes: The parameters that differ from the defaults of the notebook.
        parameters: All parameters but `out`.
        changed: The parameters that differ from those of the default profile, and the hashes of
            the files of user functions.
        key: A hash of all that the results depend on.
    """

    source: Source
    profile: str
    changes: Parameters
    parameters: Parameters
    changed: Parameters
    key: str

    @property
    def cells(self) -> int:
        """The number of code cells."""
        return len([cell for cell in self.source.notebook.cells if cell.cell_type == "code"])


def plan(
    folder: Path, profile: str, only: Iterable[str] | None, parameters: Iterable[str]
) -> list[Plan]:
    """Return the plans of the notebooks to run, in the order of running.

    A notebook that cannot be read has a plan, too: its run fails, and its page shows the error.

    Args:
        folder: The folder of the notebooks.
        profile: The name of the profile.
        only: The names of the notebooks to run; None for all notebooks of the profile.
        parameters: Texts `NOTEBOOK.NAME=VALUE`.

    Raises:
        ValueError: A name is unknown, a value is wrong, or none of the notebooks can be read.
    """
    sources = [*map(read_source, sorted(folder.glob(NUMBERED)))]
    if not sources:
        raise ValueError(_describe_missing_notebooks(folder))
    settings, built, ordered = read_profile(profile, folder, sources)
    usual, *_ = read_profile("default", folder, sources)
    stems = [source.stem for source in sources]
    overrides = parse_overrides(parameters, stems)
    check_settings(overrides, sources, "parameters")
    wanted = [resolve_prefix("notebook", stem, stems) for stem in only or ()] or built
    environment = manifest.environment_hash(PACKAGE)
    plans = []
    for source in ordered:
        if source.stem not in wanted:
            continue
        changes = {**settings.get(source.stem, {}), **overrides.get(source.stem, {})}
        if source.error:  # such a notebook has no parameters to change
            changes = {}
        check_imports(source.stem, changes)
        values = {**source.defaults, **changes}
        values.pop(OUT, None)
        default = {**source.defaults, **usual.get(source.stem, {})}
        changed = {name: value for name, value in values.items() if value != default[name]}
        code = _user_file_digests(values)
        changed |= {f"SHA-256 of {file}": digest[:12] for file, digest in code.items()}
        imported = _hash_imported_files(source)
        key = checksum([_cell_contents(source.notebook), values, environment, code, imported])
        plans.append(Plan(source, profile, changes, values, changed, key))
    if all(plan.source.error for plan in plans):
        raise ValueError("; ".join(plan.source.error for plan in plans))
    check_packages(plans)
    return plans


def _describe_missing_notebooks(folder: Path) -> str:
    """Say why a folder has no pages, and how to mend that."""
    where = f"no notebooks in {str(folder)!r}"
    if not folder.is_dir():
        return f"{where}, which is no folder; give one that has files such as 01_question.ipynb"
    other = min((file.name for file in folder.glob("*.ipynb")), default=None)
    if other is None:
        return f"{where}; put files such as 01_question.ipynb into it"
    return f"{where} begin with a number; rename {other} to 01_{other}, for example"


def check_packages(plans: Iterable[Plan]) -> None:
    """Raise ValueError if a notebook imports an optional package that is not installed."""
    for plan in plans:
        cells = [cell for cell in plan.source.notebook.cells if cell.cell_type == "code"]
        for module in IMPORT.findall("\n".join(cell.source for cell in cells)):
            if is_missing(module):
                raise ValueError(f"{plan.source.stem} needs {describe_missing(module)}")


def _cell_contents(notebook: nbformat.NotebookNode) -> list[list[Any]]:
    """Return the parts of each cell that can change a page."""
    return [
        [cell.cell_type, cell.source, cell.id, cell.metadata.get("tags"), cell.get("attachments")]
        for cell in notebook.cells
    ]


def _user_file_digests(values: Parameters) -> dict[str, str]:
    """Return the SHA-256 of the files in this folder whose functions parameters name, by file.

    The parameter `mine.evaluator` names a function of `mine.py`. The files that such a file imports
    are included.
    """
    modules = [module for module, _ in IMPORT_PATH.findall(to_json(values))]
    files = {f"{module}.py" for module in modules if Path(f"{module}.py").is_file()}
    files |= {os.path.relpath(file) for file in find_used_files([*files])}
    return manifest.digests(Path.cwd(), sorted(files))


def _hash_imported_files(source: Source) -> list[str]:
    """Return the SHA-256 of the user files that cells import, of their folder or of this one."""
    transformer = TransformerManager()  # turns lines such as `%matplotlib inline` into Python
    files: set[str] = set()
    for cell in source.notebook.cells:
        if cell.cell_type == "code":
            code = transformer.transform_cell(cell.source)
            for folder in (source.folder, Path.cwd()):
                files.update(iter_imported_files(code, [folder]))
    files.update(find_used_files([*files]))
    return [checksum(Path(file).read_bytes()) for file in sorted(files)]


def read_source(path: Path) -> Source:
    """Read a notebook; if that fails, set the `error` of the source."""
    try:
        notebook = read_notebook(path)
        defaults, least = read_parameters(notebook)
    except OSError as error:
        message = f"{path.name} cannot be read: {error.strerror}"
    except ValueError as error:
        message = f"{path.name} {error}"
    else:
        return Source(path.stem, path.parent, notebook, defaults, least)
    return Source(path.stem, path.parent, nbformat.v4.new_notebook(), {}, {}, message)


def read_notebook(path: Path) -> nbformat.NotebookNode:
    """Read a notebook without outputs, and give each cell without a unique id its number as id.

    Some editors drop or double ids.

    Raises:
        ValueError: The file is not a notebook.
    """
    text = decode_text(path.read_bytes(), path.name)
    try:
        # `str` makes texts of NaN and Infinity, which JSON does not have.
        data = json.loads(text, parse_constant=str)
        cells = data["cells"] if data["nbformat"] == 4 else []  # older ones have no ids
        ids = {None}  # the id of a cell without one
        for number, cell in enumerate(cells, 1):
            if not cell.keys() >= {"source", "metadata"}:
                raise ValueError(f"cell {number} has no source or no metadata")
            if cell.get("id") in ids:
                cell["id"] = f"{number}"
                data["nbformat_minor"] = max(5, data["nbformat_minor"])  # the first with ids
            ids.add(cell["id"])
            if "outputs" in cell:  # a run makes new ones; these take longer to check than the rest
                cell["outputs"] = []
        notebook: nbformat.NotebookNode = nbformat.reads(to_json(data), as_version=4)
    except Exception as error:  # nbformat raises many types
        message = str(error).partition("\n")[0]
        raise ValueError(f"is not a notebook: {type(error).__name__}: {message}") from None
    return notebook


def read_parameters(
    notebook: nbformat.NotebookNode,
) -> tuple[dict[str, object], Mapping[str, int]]:
    """Return the names and values that the cell tagged `parameters` assigns, and the least values.

    A parameter may have a type. Least values are in comments; see `LEAST_VALUE`.

    Raises:
        ValueError: The cell is missing, or a value is no literal.
    """
    cells = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", [])]
    defaults: dict[str, object] = {}
    try:
        for statement in ast.parse(cells[0].source).body if cells else ():
            match statement:  # papermill, too, reads one name per statement
                case ast.Assign(targets=[target, *_], value=value):
                    defaults[ast.unparse(target)] = parse_literal(value)
                case ast.AnnAssign(target=ast.Name(name), value=ast.expr() as value):
                    defaults[name] = parse_literal(value)
    except (SyntaxError, ValueError) as error:
        kinds = "a number, a text such as 'mine.f', a list or None"
        raise ValueError(
            f"has a parameter that is not a literal, such as {kinds}: {error}"
        ) from None
    if OUT not in defaults:
        raise ValueError("has no cell tagged 'parameters' that sets 'out = None'")
    return defaults, {name: int(count) for name, count in LEAST_VALUE.findall(cells[0].source)}


def parse_literal(expression: ast.expr) -> object:
    """Return the value of a literal; raise ValueError if a manifest cannot contain it."""
    try:
        value: object = ast.literal_eval(expression)
        to_json(value)
    except (TypeError, ValueError):
        raise ValueError(ast.unparse(expression)) from None
    return value


def read_profile(
    name: str, folder: Path, sources: Sequence[Source]
) -> tuple[Settings, Sequence[str], list[Source]]:
    """Read a profile from `profiles.toml`, next to the notebooks.

    Returns:
        The settings of the profile, the stems of the notebooks that the profile builds, and all
        sources. The sources that take longest come first, so that all processors are busy to the
        end.

    Raises:
        ValueError: The profile is unknown, or any of the profiles has an error.
    """
    file = folder / PROFILES_FILE
    profiles: dict[str, Any] = {key: {} for key in PROFILES}
    try:
        if file.exists():
            profiles |= tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{file.name} is not TOML: {error}") from None
    stems = [source.stem for source in sources]
    longest = [check_choice(LONGEST_KEY, stem, stems) for stem in profiles.pop(LONGEST_KEY, ())]
    built = {}
    for profile, settings in profiles.items():
        # This key is removed, so that all other keys are names of notebooks.
        wanted = settings.pop(ONLY_KEY, stems)
        built[profile] = [check_choice(f"{profile}: {ONLY_KEY}", stem, stems) for stem in wanted]
    for profile, settings in profiles.items():
        check_settings(settings, sources, f"{PROFILES_FILE}, profile {profile}")
    check_choice("profile", name, profiles)
    ordered = sorted(sources, key=lambda source: [*longest, source.stem].index(source.stem))
    return profiles[name], built[name], ordered


def parse_overrides(texts: Iterable[str], stems: Collection[str]) -> Settings:
    """Parse settings such as `NOTEBOOK.NAME=VALUE`.

    VALUE is JSON, a Python literal, or else a text. NOTEBOOK may be an unambiguous prefix of one of
    the `stems`. Rules become the text that `format_rules` returns.
    """
    settings: dict[str, dict[str, object]] = {}
    for text in texts:
        place, equals, literal = text.partition("=")
        notebook, dot, name = place.strip().partition(".")
        if not (equals and dot and notebook and name):
            raise ValueError(f"parameter is {text!r}; write NOTEBOOK.NAME=VALUE")
        value: object = literal.strip()
        # If both can parse the text, the value is that of JSON, which comes last.
        for parse in (ast.literal_eval, json.loads):
            with suppress(ValueError, SyntaxError):
                value = parse(literal.strip())
        stem = resolve_prefix("parameters: notebook", notebook, stems)
        if name in RULES_PARAMETERS:
            value = _format_rules(value)
        settings.setdefault(stem, {})[name] = value
    return settings


def _format_rules(value: Any) -> Any:
    """Return rules, or each rules of a list, in the text of `format_rules`; other values as is.

    Raises:
        ValueError: A text is not rules.
    """
    if isinstance(value, list):
        return [_format_rules(part) for part in value]
    return format_rules(parse_rules(value)) if isinstance(value, str) else value


def check_settings(settings: Settings, sources: Sequence[Source], where: str) -> None:
    """Raise ValueError if a notebook or a parameter is unknown, or a value is not allowed."""
    by_stem = {source.stem: source for source in sources}
    for stem, values in settings.items():
        source = by_stem[check_choice(f"{where}: notebook", stem, by_stem)]
        if source.error:
            continue
        allowed = [name for name in source.defaults if name not in (OUT, EXECUTED)]
        for name, value in values.items():
            check_choice(f"{where}: {stem}'s parameter", name, allowed)
            wanted = _describe_allowed(source, name, value)
            if wanted:
                raise ValueError(f"{where}: {stem}.{name} is {value!r}; give {wanted}")


def _describe_allowed(source: Source, name: str, value: Any) -> str:
    """Describe the values that a parameter allows; return "" if this value is allowed.

    Raises:
        ValueError: The value, or a part of it, is an unknown name.
    """
    default = source.defaults[name]
    if not is_like(value, default):
        suffix = " of parts" if isinstance(default, list) else ","
        return f"{KINDS[type(default)]}{suffix} such as its default {default!r}"
    parts: list[Any] = []
    if isinstance(value, list):
        parts = value
    for part in [value, *parts]:
        if name in RULES_PARAMETERS and isinstance(part, str):
            try:
                parse_rules(part)
            except ValueError as error:
                raise ValueError(f"{source.stem}.{name}: {error}") from None
        if name in REGISTRIES and isinstance(part, str) and "." not in part:
            lookup(f"{source.stem}.{name}", part, REGISTRIES[name])
    if any(isinstance(part, int) and part < 1 for part in parts):
        return "numbers from 1 on"
    # A seed may be any whole number. True is an int, but a switch has no least value.
    if not isinstance(value, int | list) or name == "seed" or default is True:
        return ""
    least = source.least.get(name, 1 if default else 0)  # 0 and [] only if the default is
    size = value if isinstance(value, int) else len(value)
    if size < least:
        return f"{least} or more"
    return ""


def is_like(value: Any, default: Any) -> bool:
    """Return True if a value is of the type of a default.

    A whole number is like any number, and each value is like None. Each part of a list must be like
    one of the parts of the default.
    """
    default_kind, kind = KINDS.get(type(default)), KINDS.get(type(value))
    is_whole_number = (type(default), type(value)) == (float, int)
    if default_kind is not None and kind != default_kind and not is_whole_number:
        return False
    if not isinstance(default, list | tuple) or not default:
        return True
    return all(any(is_like(part, example) for example in default) for part in value)


# A program that imports a path and checks that it suits a parameter; its arguments are the name of
# the parameter and the path.
TRY_IMPORT = """
import pkgutil, sys
from functools import partial
from kalahlab import evaluators, names, notes, user_code
from kalahlab.evaluators import validation
from kalahlab.games import kalah
name, path = sys.argv[1:]
user_code.guard_os_exit()
try:
    with user_code.importing(path), user_code.refusing_exits():
        function = pkgutil.resolve_name(path)
        if name == "algorithms":
            names.check_parameters("algorithm", path, function)
        else:
            game = kalah.Kalah()
            with notes.showing_notes(partial(print, file=sys.stderr)):
                validation.check_evaluator(path, function, game, game.start())
            evaluators.evaluate(function, game.start().board, 0, path)
except Exception as error:
    place = user_code.find_user_line(error)
    message = " ".join(f"{type(error).__name__}: {error}".split())
    sys.exit(f"{place}: {message}" if place else message)
print(path)
"""


def check_imports(stem: str, values: Parameters) -> None:
    """Raise ValueError if a parameter names a function by import path that cannot be used.

    Notes on functions are printed. The functions are tried in a new process, as the notebook will
    use them: a file may have changed since this process imported it.
    """
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    for name in IMPORT_PARAMETERS:
        if name not in values:
            continue
        for module, attributes in IMPORT_PATH.findall(to_json(values[name])):
            path = module + attributes
            command = [sys.executable, "-P", "-c", TRY_IMPORT, name, path]
            process = subprocess.run(command, env=env, capture_output=True, text=True)
            # User code can end Python with status 0, so the last line of the output is read, too.
            if process.returncode or not process.stdout.endswith(f"{path}\n"):
                lines = process.stderr.splitlines() if process.returncode else []
                error = [f"it ends Python with status {process.returncode}", *lines][-1]
                error = error.removeprefix("BadEvaluator: ")
                raise ValueError(f"{stem}.{name}: {path} cannot be used: {error}")
            sys.stderr.write(process.stderr)


def resolve_prefix(what: str, name: str, allowed: Collection[str]) -> str:
    """Return the only allowed name that begins with `name`, or `name` itself if it is allowed.

    Raises:
        ValueError: No allowed name begins with `name`, or several do.
    """
    matches = [choice for choice in allowed if choice.startswith(name)]
    if len(matches) == 1:
        return matches[0]
    return check_choice(what, name, allowed)


def check_choice(what: str, name: str, allowed: Iterable[str]) -> str:
    """Return the name if it is allowed; else raise ValueError, which lists the allowed names."""
    names = [*allowed]
    if name not in names:
        choices = " or ".join(names) or "none, it has none"
        raise ValueError(f"{what} {name!r} is unknown; use {choices}{did_you_mean(name, names)}")
    return name
