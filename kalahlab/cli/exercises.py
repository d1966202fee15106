"""`kalahlab exercises`: a sheet for a class, and what the class hands in, marked."""

from pathlib import Path
from typing import Any

import click

from kalahlab.cli.options import FILE, FOLDER, Answer, as_json
from kalahlab.cli.text import WIDTH, marks, write


@click.command()
@click.option("--out", type=FILE, help="The sheet to write, a page to print.")
@click.option("--only", multiple=True, metavar="NOTEBOOK", help="The exercises of this one alone.")
@click.option("--solutions", is_flag=True, help="With the solutions at the back.")
@click.option(
    "--mark", type=FOLDER, metavar="FOLDER", help="Mark the files of a folder, one a student."
)
@click.option("--csv", type=FILE, help="With --mark, write the marks as CSV, too.")
@as_json
def exercises(
    out: Path | None, only: tuple[str, ...], solutions: bool, mark: Path | None, csv: Path | None
) -> Answer:
    """Write a sheet of the notebooks' exercises, or mark what students hand in.

    A student's file is TOML, or CSV, with a line for each answer and one for the name: 3.2 = 4 and
    name = "Ada", or 3.2,4 and name,Ada. A list is ["b2", "b3"]. The table has a 1 for a right
    answer, a 0 for a wrong one, and a dash for none. A file that cannot be read, or that answers an
    exercise that there is not, is named below the others with the reason, and then the status is 1.

    \b
    kalahlab exercises --out sheet.html --only 03_pruning --solutions
    kalahlab exercises --mark answers --csv marks.csv
    """
    if (out is None) == (mark is None):
        raise click.UsageError("give --out and a page to write, or --mark and a folder")
    if mark is not None:
        return marked(mark, csv)
    from kalahlab.report.sheet import sheet

    assert out is not None
    html, number = sheet(only, solutions)
    write(out, html)
    return {"page": str(out), "exercises": number}, f"open {out}: {number} exercises"


def marked(folder: Path, csv: Path | None) -> Answer:
    """A row a student, of the exercises that any of them answered."""
    if not folder.is_dir():
        raise ValueError(f"{folder} is no folder; put the students' files into one")
    files = sorted(each for each in folder.iterdir() if each.suffix.lower() in (".toml", ".csv"))
    if not files:
        raise ValueError(f"{folder} has no file that ends in .toml or .csv")
    found = [row_of(file) for file in files]
    answered = {number for row in found for number in row["marks"]}
    numbers = sorted(answered, key=lambda number: [*map(int, number.split("."))])
    rows = [
        {name: row[name] for name in ("file", "name", "right")}
        | {"of": len(numbers), **{number: row["marks"].get(number) for number in numbers}}
        | {"problem": row["problem"]}
        for row in found
    ]
    columns = [*rows[0]][:-1]
    text = marks(rows, csv, columns)
    if text.index("\n") > WIDTH:
        text = marks(rows, None, columns[:4])
    return {"students": rows}, text, int(any(row["problem"] for row in rows))


def row_of(file: Path) -> dict[str, Any]:
    """A student's marks, 1 or 0 by number; `problem` says what could not be marked, and why."""
    from kalahlab.exercises import mark

    try:
        student = mark(file)
    except (ValueError, OSError) as error:
        return {"file": file.name, "name": "", "right": 0, "marks": {}, "problem": str(error)}
    marks = {
        number: int(each.verdict == "right")
        for number, each in student["answers"].items()
        if each.verdict != "not answered yet"
    }
    unknown = [f"there is no exercise {number[:20]!r}" for number in student["unknown"]]
    problem = f"{', '.join(unknown[:3])}; the rest is marked" if unknown else ""
    row = {"file": file.name, "name": student["name"], "right": sum(marks.values())}
    return row | {"marks": marks, "problem": problem}
