"""Building of the report: run the notebooks that changed, keep the rest, bind the pages.

The folder then contains, for each notebook, STEM.html, STEM.ipynb (executed) and STEM/ with its
figures and tables; next to them index, lists and search, manifest.json and datapackage.json.
"""

import os
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from kalahlab.data import notebooks_folder
from kalahlab.files import checksum, remove_leftovers, temporary_folder, write_atomic
from kalahlab.formatting import StableRepr
from kalahlab.parallel import count_cores
from kalahlab.report import datapackage, manifest, pages, sources
from kalahlab.report.items import CONTENTS
from kalahlab.report.manifest import Manifest, Record
from kalahlab.report.run import run_all
from kalahlab.report.sources import EXECUTED, NUMBERED, PACKAGE, Plan


def build(
    profile: str = "default",
    out: Path | str = Path("report"),
    only: Iterable[str] | None = None,
    parameters: Iterable[str] = (),
    notebooks: Path | str | None = None,
    force: bool = False,
    jobs: int | None = None,
    progress: Callable[[str], object] = lambda line: None,
) -> Manifest:
    """Build the report in the folder `out`, and return its manifest.

    A notebook that fails does not stop the others.

    Args:
        profile: A table of `profiles.toml`.
        out: The folder of the report.
        only: The names of the notebooks to build; all that the profile builds if None.
        parameters: Each `NOTEBOOK.NAME=VALUE`.
        notebooks: The folder of the notebooks, if not the package's.
        force: Whether to run notebooks that have not changed, too.
        jobs: The number of notebooks that run at a time; one per processor if None.
        progress: Called with a line when a notebook ends, and every few seconds with those that
            are running.

    Raises:
        ValueError: A name is unknown or a folder cannot be written; nothing has been run or
            written yet.
    """
    folder = Path(notebooks) if notebooks is not None else notebooks_folder()
    plans = sources.plan(folder, profile, only, parameters)
    guide = _read_guide(folder / "guide.toml")
    with _staging_folder(Path(out), folder, plans) as stage:
        retained = []
        for record in manifest.load_manifest(stage.parent, progress):
            if not record.is_complete(stage.parent):
                progress(f"{record.notebook}: its files are not as they were made")
            # A notebook that was removed from the folder leaves the report, too.
            elif (folder / f"{record.notebook}.ipynb").exists():
                retained.append(record)
        running = Build(stage, retained, profile, force, jobs or count_cores(), progress)
        running.run(plans)
        report = running.manifest()
        unbuilt = len([*folder.glob(NUMBERED)]) - len(report.notebooks)
        return _bind(report, running.read_pages(), stage.parent, guide, unbuilt, progress)


def _read_guide(file: Path) -> pages.Guide:
    """Read the guide; return an empty one if there is no file. Raise ValueError if not TOML."""
    if not file.exists():
        return {}
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{file.name} is not TOML: {error}") from None


@contextmanager
def _staging_folder(out: Path, notebooks: Path, plans: Sequence[Plan]) -> Iterator[Path]:
    """Yield a temporary folder in `out` for unfinished files, which is removed in the end.

    Raises:
        ValueError: `out` cannot be written, or holds files that are not of a report.
    """
    where = f"out is {str(out)!r}"
    if out.resolve() == notebooks.resolve():
        raise ValueError(f"{where}, where the notebooks are; give another folder")
    for plan in plans:
        files = out / plan.source.stem
        if files.exists() and not (files / CONTENTS).exists():
            raise ValueError(f"{where}, and its {files.name!r} is not of a report; give another")
    # The stack keeps the folder open beyond the `try`, which is not to catch errors of the caller.
    with ExitStack() as stack:
        try:
            out.mkdir(parents=True, exist_ok=True)
            remove_leftovers(out.resolve())
            stage = stack.enter_context(temporary_folder(".building-", out.resolve()))
        except OSError as error:
            why = f"cannot be written ({error.strerror}); give a folder that can be made or written"
            raise ValueError(f"{where}, which {why}") from None
        yield stage


class Build(StableRepr):
    """One build: which notebooks it runs, and the records of what has been made so far."""

    def __init__(
        self,
        stage: Path,
        retained: Sequence[Record],
        profile: str,
        force: bool,
        jobs: int,
        progress: Callable[[str], object],
    ) -> None:
        self._stage, self._profile, self._force = stage, profile, force
        self._jobs, self._progress = jobs, progress
        self._records = {record.notebook: record for record in retained}
        self._ran: list[str] = []
        self._pages: dict[str, pages.Page] = {}
        # The state when the build starts: somebody may commit or install while it runs.
        self._commit = manifest.commit(PACKAGE)
        self._versions = manifest.versions()
        self._year = manifest.commit_year(PACKAGE)

    def run(self, plans: Sequence[Plan]) -> None:
        """Run the notebooks that have changed; those that read the executed others run last."""
        readers = [plan for plan in plans if EXECUTED in plan.source.defaults]
        self._run_changed([plan for plan in plans if plan not in readers])
        self._run_changed([self._plan_after_others(plan) for plan in readers])

    def manifest(self) -> Manifest:
        """Return the manifest of what has been made so far."""
        records = sorted(self._records.values(), key=lambda record: record.notebook)
        return Manifest(
            self._profile,
            self._commit,
            self._versions,
            tuple(records),
            tuple(sorted(self._ran)),
            year=self._year,
        )

    def read_pages(self) -> list[pages.Page]:
        """Return the pages of all notebooks, in the order of the manifest."""
        # Reading a page takes a second or two: those of notebooks that ran were read meanwhile.
        return [
            self._pages.get(record.notebook) or pages.read_page(record, self._stage.parent)
            for record in self.manifest().notebooks
        ]

    def _run_changed(self, plans: Iterable[Plan]) -> None:
        changed = []
        for plan in plans:
            if self._is_unchanged(plan):
                self._retain_record(plan)
            else:
                changed.append(plan)
        run_all(changed, self._stage, self._jobs, self._add_record, self._progress)

    def _is_unchanged(self, plan: Plan) -> bool:
        record = self._records.get(plan.source.stem)
        if record is None or self._force:
            return False
        return record.key == plan.key and record.status == "ok"  # a failed one is run again

    def _retain_record(self, plan: Plan) -> None:
        """Keep the record of an earlier build as that of this one.

        Its results are the same, but the earlier build may have had another profile.
        """
        name = plan.source.stem
        record = self._records[name]
        self._records[name] = replace(record, profile=self._profile, changed=plan.changed)
        self._progress(f"{name}: unchanged")

    def _add_record(self, record: Record) -> None:
        """Install the files of a notebook that has run, and add its record to the manifest."""
        self._records[record.notebook] = record
        _install(record.notebook, self._stage)
        self._ran.append(record.notebook)
        self._pages[record.notebook] = pages.read_page(record, self._stage.parent)
        # Written after each notebook: an interrupted build does not lose those that have finished.
        write_atomic(self._stage.parent / manifest.FILE, self.manifest().to_json())
        failure = f", FAILED: {record.error}" if record.error else ""
        self._progress(f"{record.notebook}: {record.cells} cells, {record.seconds:.1f} s{failure}")

    def _plan_after_others(self, plan: Plan) -> Plan:
        """Return the plan of a notebook that reads the others; its key depends on their keys."""
        others = [
            f"{record.key} {record.status}"
            for stem, record in self._records.items()
            if stem != plan.source.stem
        ]
        # A notebook runs in the stage, and the report with the executed ones is around the stage.
        changes = {**plan.changes, EXECUTED: ".."}
        return replace(plan, changes=changes, key=checksum([plan.key, *sorted(others)]))


def _bind(
    report: Manifest,
    notebook_pages: Sequence[pages.Page],
    out: Path,
    guide: pages.Guide,
    unbuilt: int,
    progress: Callable[[str], object],
) -> Manifest:
    """Write all pages, because each shows its neighbours; return the final manifest."""
    bodies = pages.add_link_notes(notebook_pages)
    for record, page in zip(report.notebooks, bodies, strict=True):
        if page.record.error != record.error:
            progress(f"{record.notebook}: FAILED: {page.record.error}")
        for note in page.record.notes:
            progress(f"{record.notebook}: {note}")
    bound = replace(report, notebooks=tuple(page.record for page in bodies))
    html = pages.render_notebook_pages(bound, bodies) | pages.render_other_pages(
        bound, bodies, guide, unbuilt
    )
    for name, text in html.items():
        write_atomic(out / name, text)
    captions = {}
    for record in bound.notebooks:
        for item in record.items_of_kind("table"):
            captions[item.files[0]] = item.text  # the first file is the CSV
    title = "The tables of kalahlab's report on game-tree search in Kalah"
    package = datapackage.data_package(out, "kalahlab-report", title, captions)
    write_atomic(out / datapackage.FILE, package)
    # The manifest is written last: `manifest.pages_are_complete` notices an interrupted build.
    bound = replace(bound, pages=manifest.digests(out, html))
    write_atomic(out / manifest.FILE, bound.to_json())
    return bound


def _install(stem: str, stage: Path) -> None:
    """Move a notebook and its files from the stage to the report, in place of earlier ones."""
    files, out = stage / stem, stage.parent
    if (out / stem).exists():  # moved away, because a folder with files cannot be replaced
        os.replace(out / stem, stage / f"{stem}.before")
    if files.exists():
        # The list marks the folder as one of a report, so an empty list is written, too.
        if not (files / CONTENTS).exists():
            (files / CONTENTS).write_text("[]\n", encoding="utf-8")
        os.replace(files, out / stem)
    os.replace(stage / f"{stem}.ipynb", out / f"{stem}.ipynb")
