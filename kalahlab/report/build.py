"""Building of the report: run the notebooks that changed, keep the others, write all pages.

The folder then contains, for each notebook, STEM.html, STEM.ipynb (executed) and STEM/ with its
figures and tables. Besides, it contains the front page, the lists of figures and references, the
full-text search, manifest.json and datapackage.json.
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
        only: The names of the notebooks to build; None for all notebooks of the profile.
        parameters: Texts `NOTEBOOK.NAME=VALUE`.
        notebooks: The folder of the notebooks; None for that of the package.
        force: Whether to run notebooks that have not changed, too.
        jobs: The number of notebooks that run at a time; None for one per processor.
        progress: Called with a line when a notebook ends, and every few seconds with a line about
            the notebooks that are running.

    Raises:
        ValueError: A name is unknown, or a folder cannot be written. In both cases no notebook has
            been run, and no file has been written.
    """
    folder = Path(notebooks) if notebooks is not None else notebooks_folder()
    plans = sources.plan(folder, profile, only, parameters)
    guide = _read_guide(folder / "guide.toml")
    with _staging_folder(Path(out), folder, plans) as stage:
        retained = []
        for record in manifest.load_manifest(stage.parent, progress):
            if not record.is_complete(stage.parent):
                progress(f"{record.notebook}: its files have changed since they were made")
            # A notebook that was removed from the folder leaves the report, too.
            elif (folder / f"{record.notebook}.ipynb").exists():
                retained.append(record)
        running = Build(stage, retained, profile, force, jobs or count_cores(), progress)
        running.run(plans)
        report = running.manifest()
        unbuilt = len([*folder.glob(NUMBERED)]) - len(report.notebooks)
        return _write_pages(report, running.read_pages(), stage.parent, guide, unbuilt, progress)


def _read_guide(file: Path) -> pages.Guide:
    """Read the guide, or return an empty one if there is no file.

    Raises:
        ValueError: The file is not TOML.
    """
    if not file.exists():
        return {}
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{file.name} is not TOML: {error}") from None


@contextmanager
def _staging_folder(out: Path, notebooks: Path, plans: Sequence[Plan]) -> Iterator[Path]:
    """Make a temporary folder in `out` for unfinished files, which is removed at the end.

    Raises:
        ValueError: `out` cannot be written, or holds files that are not of a report.
    """
    where = f"out is {str(out)!r}"
    if out.resolve() == notebooks.resolve():
        raise ValueError(f"{where}, where the notebooks are; give another folder")
    for plan in plans:
        files = out / plan.source.stem
        if files.exists() and not (files / CONTENTS).exists():
            raise ValueError(
                f"{where}, whose {files.name!r} is not part of a report; give another folder"
            )
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
    """One build: the notebooks that it has run, and the records of all notebooks so far."""

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
        """Run the notebooks that have changed; those that read executed notebooks run last."""
        readers = [plan for plan in plans if EXECUTED in plan.source.defaults]
        self._run_changed([plan for plan in plans if plan not in readers])
        self._run_changed([self._plan_after_others(plan) for plan in readers])

    def manifest(self) -> Manifest:
        """Return the manifest of all notebooks so far."""
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
        # Reading a page takes a second or two. The pages of notebooks that ran have been read
        # already, while other notebooks were running.
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
        """Use the record of an earlier build, whose results are the same, for this build.

        Its profile and its changed parameters are those of this build, as the earlier build may
        have had others.
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
        # The manifest is written after each notebook, so that an interrupted build does not lose
        # the notebooks that have finished.
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
        # A notebook runs in the stage. The report, with the executed notebooks, is its parent.
        changes = {**plan.changes, EXECUTED: ".."}
        return replace(plan, changes=changes, key=checksum([plan.key, *sorted(others)]))


def _write_pages(
    report: Manifest,
    notebook_pages: Sequence[pages.Page],
    out: Path,
    guide: pages.Guide,
    unbuilt: int,
    progress: Callable[[str], object],
) -> Manifest:
    """Write all pages, because each shows its neighbors; return the final manifest."""
    built = pages.add_link_notes(notebook_pages)
    for record, page in zip(report.notebooks, built, strict=True):
        # Reading the page may have found an error that running the notebook did not.
        if page.record.error != record.error:
            progress(f"{record.notebook}: FAILED: {page.record.error}")
        for note in page.record.notes:
            progress(f"{record.notebook}: {note}")
    final = replace(report, notebooks=tuple(page.record for page in built))
    html = pages.render_notebook_pages(final, built)
    html |= pages.render_other_pages(final, built, guide, unbuilt)
    for name, text in html.items():
        write_atomic(out / name, text)
    captions = {}
    for record in final.notebooks:
        for item in record.items_of_kind("table"):
            captions[item.files[0]] = item.text  # the first file is the CSV
    title = "The tables of kalahlab's report on game-tree search in Kalah"
    package = datapackage.data_package(out, "kalahlab-report", title, captions)
    write_atomic(out / datapackage.FILE, package)
    # The manifest is written last: `manifest.pages_are_complete` notices an interrupted build.
    final = replace(final, pages=manifest.digests(out, html))
    write_atomic(out / manifest.FILE, final.to_json())
    return final


def _install(stem: str, stage: Path) -> None:
    """Move a notebook and its files from the stage to the report, and replace earlier ones."""
    files, out = stage / stem, stage.parent
    # `os.replace` cannot replace a folder with files, so an earlier folder is moved away first.
    if (out / stem).exists():
        os.replace(out / stem, stage / f"{stem}.before")
    if files.exists():
        # The list marks the folder as one of a report, so an empty list is written, too.
        if not (files / CONTENTS).exists():
            (files / CONTENTS).write_text("[]\n", encoding="utf-8")
        os.replace(files, out / stem)
    os.replace(stage / f"{stem}.ipynb", out / f"{stem}.ipynb")
