"""`kalahlab quiz`."""

from pathlib import Path
from textwrap import shorten
from typing import Any

import click

from kalahlab.cli.parameters import INPUT, as_json
from kalahlab.cli.text import grid_text, in_words, print_answer
from kalahlab.outside import read_text


@click.command()
@click.argument("files", nargs=-1, required=True, type=INPUT)
@as_json
def quiz(files: tuple[Path, ...], as_json: bool) -> None:
    """Judge the quiz sets in FILES, which students saved in the explorer.

    Each is searched again, and its answers are judged anew. Beside the score stands the
    one that the file claims. A file that cannot be judged is named below the others with the
    reason, and then the status is 1.
    """
    rows = [{"file": file.name, **_judged(file)} for file in files]
    readable = grid_text([{key: row.get(key, "") for key in KEYS} for row in rows])
    problems = [in_words(f"{row['file']}: {row['problem']}") for row in rows if "problem" in row]
    print_answer({"sets": rows}, as_json, "\n".join([readable, *problems]))
    if problems:
        raise click.exceptions.Exit(1)


KEYS = ("file", "name", "set", "right", "of", "claimed")


def _judged(file: Path) -> dict[str, Any]:
    from kalahlab.widgets.explorer.quiz_set import LONGEST, grade

    try:
        return grade(read_text(file, LONGEST))
    except Exception as error:  # whatever one file does, the others are judged
        return {"problem": shorten(str(error), 200) or type(error).__name__}
