"""`kalahlab quiz`."""

from pathlib import Path
from typing import Any

import click

from kalahlab.cli.parameters import INPUT, as_json
from kalahlab.cli.text import grid_text, print_answer

LARGEST = 1_000_000
"""Bytes of a file that a student hands in; a longer one is none."""


@click.command()
@click.argument("files", nargs=-1, required=True, type=INPUT)
@as_json
def quiz(files: tuple[Path, ...], as_json: bool) -> None:
    """Judge the quiz sets in FILES, which students saved in the explorer.

    Each is searched and asked again, and its answers are judged anew. Beside the score stands the
    one that the file claims. The status is 1 if a file cannot be judged.
    """
    rows = [{"file": file.name, **_judged(file)} for file in files]
    readable = grid_text([{key: row.get(key, "") for key in KEYS} for row in rows])
    problems = [f"{row['file']}: {row['problem']}" for row in rows if "problem" in row]
    print_answer({"sets": rows}, as_json, "\n".join([readable, *problems]))
    if problems:
        raise click.exceptions.Exit(1)


KEYS = ("file", "name", "set", "right", "of", "claimed")


def _judged(file: Path) -> dict[str, Any]:
    from kalahlab.widgets.explorer.quiz_set import fields, grade

    try:
        if file.stat().st_size > LARGEST:
            raise ValueError("it is too large")
        graded = grade(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return {"problem": " ".join(str(error).split())}
    return {**fields(graded), "search": graded.search}
