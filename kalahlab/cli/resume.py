"""The folders in which `match`, `tournament` and `grid` keep finished games to resume a run."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kalahlab.cli.output import print_note
from kalahlab.formatting import WIDTH
from kalahlab.untrusted import prefix_errors

REPLAY_NOTE = "Games that use a module of yours are played again if its file has changed."


def check_same_run(folder: Path, settings: Sequence[Any]) -> None:
    """Raise `ValueError` if a folder has rows of another run; the error names what differs.

    Print a note if the folder has results that this run does not use.

    Args:
        folder: The folder that keeps finished games.
        settings: The settings of this run, all of one dataclass: one for each game or, in a match,
            for each pair of games.
    """
    from kalahlab.parallel import read_rows, setting_key

    # `backend` is not compared: in a row it is the backend that was used, which may be another.
    names = [name for name in asdict(settings[0]) if name != "backend"]
    rows = list[dict[str, Any]]()
    path = folder / "rows.jsonl"
    if path.exists():
        with prefix_errors(path):
            rows = read_rows(path)
    existing = [tuple(map(row.get, names)) for row in rows]
    requested = [tuple(map(asdict(setting).get, names)) for setting in settings]
    if not {*existing} <= {*requested}:  # a run may be extended by more settings
        differences = _describe_differences(names, existing, requested)
        reason = "; ".join(differences) or "the same settings in other combinations"
        raise ValueError(f"{folder} holds rows of another run ({reason}); give another folder")
    # A key is a hash of a setting and of the code that it uses; see `setting_key`.
    stored_keys = {file.stem for file in (folder / "points").glob("*.json")}
    unused = len(stored_keys - {*map(setting_key, settings)})
    if unused:
        print_note(
            f"note: {unused:,} results in {folder} are not used, because they belong to other "
            "settings or other code"
        )


def _describe_differences(
    names: Sequence[str], existing: Sequence[Sequence[Any]], requested: Sequence[Sequence[Any]]
) -> list[str]:
    """Describe the fields of which the folder has a value that is not requested.

    Args:
        names: The names of the fields of a setting.
        existing: The values of these fields in each row of the folder.
        requested: The values of these fields in each setting that is to be run.
    """
    differences = []
    for index, name in enumerate(names):
        # Dicts in place of sets, as they keep the order.
        old_values = dict.fromkeys(str(values[index]) for values in existing)
        new_values = dict.fromkeys(str(values[index]) for values in requested)
        missing = [value for value in old_values if value not in new_values]
        if not missing:
            continue
        description = f"{name} there {', '.join(old_values)}, here {', '.join(new_values)}"
        if len(description) > WIDTH:  # too many values to list
            counts = f"{len(old_values)} there, {len(new_values)} here"
            description = f"{name}: {counts}; only there {missing[0]}"
        differences.append(description)
    return differences
