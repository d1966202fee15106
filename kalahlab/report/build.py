"""Building the report: run what changed, keep the rest, bind the pages.

The folder then holds, for each notebook, STEM.html, STEM.ipynb (executed) and STEM/ with its
figures and tables; beside them index, lists and search, manifest.json and datapackage.json.
"""

import os
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from kalahlab.data import notebooks_folder
from kalahlab.draw.items import CONTENTS
from kalahlab.engine.memory import cores
from kalahlab.files import checksum, remove_leftovers, temporary_folder, write
from kalahlab.report import datapackage, manifest, pages
from kalahlab.report.manifest import Manifest, Record
from kalahlab.report.run import run_all
from kalahlab.report.sources import EXECUTED, NUMBERED, PACKAGE, Plan, plan

say = partial(print, file=sys.stderr, flush=True)


def build(
    profile: str = "default",
    out: Path | str = Path("report"),
    only: Iterable[str] | None = None,
    parameters: Iterable[str] = (),
    notebooks: Path | str | None = None,
    force: bool = False,
    jobs: int | None = None,
    progress: Callable[[str], None] = say,
) -> Manifest:
    """Build the report in the folder `out`, and return what was made.

    profile: a table of `profiles.toml`. only: notebooks by name; None: all that the profile builds.
    parameters: each `NOTEBOOK.NAME=VALUE`. notebooks: their folder, if not the package's own.
    force: run again what has not changed. jobs: how many run at a time; None: one a processor.
    progress: gets a line when one ends, and every few seconds what is running.

    A notebook that fails stops no other. `ValueError`, before anything is run or written, for an
    unknown name and a folder that cannot be written.
    """
    folder = Path(notebooks) if notebooks is not None else notebooks_folder()
    plans, guide = plan(folder, profile, only, parameters), _read_guide(folder / "guide.toml")
    with _staged(Path(out), folder, plans) as stage:
        kept = []
        for record in manifest.read(stage.parent, progress):
            if not record.complete(stage.parent):
                progress(f"{record.notebook}: its files are not as they were made")
            elif (folder / f"{record.notebook}.ipynb").exists():
                kept.append(record)
        made = _run_changed(plans, kept, stage, profile, force, jobs or cores(), progress)
        unbuilt = len([*folder.glob(NUMBERED)]) - len(made.notebooks)
        return _bind(made, stage.parent, guide, unbuilt, progress)


def _read_guide(file: Path) -> pages.Guide:
    """Read the guide, if there is one; `ValueError` if it is not TOML."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{file.name} is not TOML: {error}") from None


@contextmanager
def _staged(out: Path, notebooks: Path, plans: Sequence[Plan]) -> Iterator[Path]:
    """A folder in `out` for what is not whole yet; `ValueError` if `out` is not ours to write."""
    where = f"out is {str(out)!r}"
    if out.resolve() == notebooks.resolve():
        raise ValueError(f"{where}, where the notebooks are; give another folder")
    for files in (out / each.source.stem for each in plans):
        if files.exists() and not (files / CONTENTS).exists():
            raise ValueError(f"{where}, and its {files.name!r} is not of a report; give another")
    with ExitStack() as stack:
        try:
            out.mkdir(parents=True, exist_ok=True)
            remove_leftovers(out.resolve())
            stage = stack.enter_context(temporary_folder(".building-", out.resolve()))
        except OSError as error:
            why = f"cannot be written ({error.strerror}); give a folder that can be made or written"
            raise ValueError(f"{where}, which {why}") from None
        yield stage


def _run_changed(
    plans: Sequence[Plan],
    kept: Sequence[Record],
    stage: Path,
    profile: str,
    force: bool,
    jobs: int,
    progress: Callable[[str], None],
) -> Manifest:
    records, ran = {record.notebook: record for record in kept}, list[str]()
    readers = [each for each in plans if EXECUTED in each.source.defaults]

    def changed(plans: Iterable[Plan]) -> Iterator[Plan]:
        for each in plans:
            before = records.get(each.source.stem)
            if before and before.key == each.key and before.status == "ok" and not force:
                records[before.notebook] = replace(before, profile=profile, changed=each.changed)
                progress(f"{before.notebook}: unchanged")
            else:
                yield each

    commit, versions = manifest.commit(PACKAGE), manifest.versions()  # at the start of the build
    year = manifest.commit_year(PACKAGE)

    def so_far() -> Manifest:
        ordered = sorted(records.values(), key=lambda record: record.notebook)
        return Manifest(profile, commit, versions, tuple(ordered), tuple(sorted(ran)), year=year)

    def keep(made: Record) -> None:
        records[made.notebook] = made
        _install(made.notebook, stage)
        ran.append(made.notebook)
        # Written after each notebook: what an interrupted build has finished is not lost.
        write(stage.parent / manifest.FILE, so_far().to_json())
        failure = f", FAILED: {made.error}" if made.error else ""
        progress(f"{made.notebook}: {made.cells} cells, {made.seconds:.1f} s{failure}")

    def after_others(plan: Plan) -> Plan:
        others = {stem: f"{each.key} {each.status}" for stem, each in records.items()}
        others.pop(plan.source.stem, None)
        changes = {**plan.changes, EXECUTED: ".."}
        return replace(plan, changes=changes, key=checksum([plan.key, *sorted(others.values())]))

    run_all([*changed(each for each in plans if each not in readers)], stage, jobs, keep, progress)
    run_all([*changed([*map(after_others, readers)])], stage, jobs, keep, progress)
    return so_far()


def _bind(
    made: Manifest,
    out: Path,
    guide: pages.Guide,
    unbuilt: int,
    progress: Callable[[str], None],
) -> Manifest:
    """Write all pages anew, for each shows its neighbours."""
    read = pages.noted([pages.read_page(record, out) for record in made.notebooks])
    for record, page in zip(made.notebooks, read, strict=True):
        if page.record.error != record.error:
            progress(f"{record.notebook}: FAILED: {page.record.error}")
        for note in page.record.notes:
            progress(f"{record.notebook}: {note}")
    bound = replace(made, notebooks=tuple(page.record for page in read))
    html = pages.bind(bound, read) | pages.bind_others(bound, read, guide, unbuilt)
    for name, text in html.items():
        write(out / name, text)
    made_tables = [item for record in bound.notebooks for item in record.made("table")]
    tables = {item.files[0]: item.text for item in made_tables}  # the first file is the CSV
    title = "The tables of kalahlab's report on game-tree search in Kalah"
    package = datapackage.data_package(out, "kalahlab-report", title, tables)
    write(out / datapackage.FILE, package)
    bound = replace(bound, pages=manifest.digests(out, html))
    write(out / manifest.FILE, bound.to_json())
    return bound


def _install(stem: str, stage: Path) -> None:
    files, out = stage / stem, stage.parent
    if (out / stem).exists():
        os.replace(out / stem, stage / f"{stem}.before")
    if files.exists():
        # The list also marks the folder as ours, so it is there even if nothing is listed.
        if not (files / CONTENTS).exists():
            (files / CONTENTS).write_text("[]\n", encoding="utf-8")
        os.replace(files, out / stem)
    os.replace(stage / f"{stem}.ipynb", out / f"{stem}.ipynb")
