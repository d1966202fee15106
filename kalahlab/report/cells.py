"""The cells of an executed notebook as HTML: captions, tables and interactive pages in place."""

import re
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from textwrap import indent
from typing import Any

from bs4 import Tag
from nbconvert.exporters import HTMLExporter, TemplateExporter
from nbconvert.filters import Highlight2HTML
from nbconvert.filters.markdown_mistune import InvalidNotebook
from nbconvert.preprocessors import CoalesceStreamsPreprocessor
from nbformat import NotebookNode
from nbformat.v4 import new_notebook

from kalahlab.draw.items import WORDS, Item
from kalahlab.draw.labels import NAME, QUOTED, readable, readable_prose
from kalahlab.exercises import exercises
from kalahlab.formatting import to_json
from kalahlab.report.manifest import Record
from kalahlab.report.rendering import TEMPLATES, base64, in_code, parse, render

WIDGET = "application/vnd.jupyter.widget-view+json"
MARKDOWN, SCRIPT = "text/markdown", "application/javascript"
PICTURES = "image/svg+xml", "image/png", "image/jpeg"
# A citation: `[Knuth & Moore 1975, page 300](references.md#knuth1975)`.
CITED = re.compile(r"\]\(references\.md#([\w-]+)\)")
GOALS = re.compile(r"<p><strong>After this page you can.*?</ul>", re.DOTALL)
FOLLOWS = re.compile(r"<p>(?=<strong>What follows)")
# What an output shows that carries a name, by the type of its data.
KINDS = {"image/svg+xml": "figure", "text/html": "table", "text/markdown": "listing"}
MISSING = re.compile("missing attachment: (.*)")  # as nbconvert says it
FORMATS = {"csv": "CSV", "html": "HTML", "pdf": "PDF", "py": "Python", "svg": "SVG", "tex": "LaTeX"}
# What a page shows of an output. Its policy runs no script of an output.
SHOWN = {"text/html", MARKDOWN, "text/latex", "text/plain", *PICTURES}
UNSHOWN = (
    "<p><em>Here the notebook shows {}, which needs a running kernel; run it to see it.</em></p>"
)
EMPTY = "Output()"  # of ipywidgets, before anything is shown in it
UNANSWERED = re.compile(r'(<div class="exercise) not-answered-yet"><p>Exercise ([\d.]+):.*?</p>')


@dataclass(frozen=True)
class Label:
    """An artifact. shown: whether its page has it, or only the list of all artifacts."""

    item: Item
    notebook: str
    shown: bool

    @property
    def text(self) -> str:
        return f"{WORDS[self.item.kind]} {number_of(self.notebook)}.{self.item.number}"

    @property
    def anchor(self) -> str:
        return f"{self.item.kind}-{self.item.name}"

    @property
    def caption(self) -> str:
        return readable_prose(self.item.caption or self.item.text)

    @property
    def description(self) -> str:
        return readable(self.item.text)

    @property
    def alt(self) -> str:
        """What stands for the picture above its caption, which is not said twice."""
        return self.description if self.description != self.caption else self.text

    @property
    def files(self) -> list[tuple[str, str]]:
        return [(FORMATS[file.rpartition(".")[2]], file) for file in self.item.files]

    @property
    def folded(self) -> bool:
        """Whether a table shows its first 15 rows (see `style.css`) until it is opened."""
        return (self.item.rows or 0) > 20

    @property
    def href(self) -> str:
        page = f"{self.notebook}.html#{self.anchor}"
        return page if self.shown else f"figures.html#{self.list_anchor}"

    @property
    def list_anchor(self) -> str:
        return f"{self.notebook}-{self.anchor}"


def labelled(notebook: NotebookNode, record: Record) -> list[Label]:
    """All artifacts, each attached to the output that shows it, or to the cell that names it."""
    shown: dict[Any, NotebookNode] = {}
    for output in (output for cell in notebook.cells for output in cell.get("outputs", ())):
        shown.setdefault(_artifact(output), output)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    labels = []
    for item in (item for item in record.items if item.kind in WORDS):
        output, named = shown.get((item.kind, item.name)), re.compile(f"[\"']{item.name}[\"']")
        cell = next((cell for cell in cells if named.search(cell.source)), None)
        labels.append(Label(item, record.notebook, bool(output or cell)))
        if output:
            output.metadata["label"] = labels[-1]
        elif cell:
            cell.metadata.setdefault("kept", []).append(labels[-1])
    return labels


def number_of(notebook: str) -> int:
    """The number of a notebook, 7 for `07_perfect_play`; 0 if its name has none."""
    found = re.match(r"\d+", notebook)
    return int(found[0]) if found else 0


def _artifact(output: NotebookNode) -> tuple[str, str] | None:
    metadata = output.get("metadata", {})
    if page := metadata.get("page"):
        return "page", Path(page).stem
    named = ((kind, metadata[mime].get("name")) for mime, kind in KINDS.items() if mime in metadata)
    return next(named, None)


def prose(notebook: NotebookNode) -> list[tuple[NotebookNode, str]]:
    """Where a notebook's Markdown is, written or computed: the node, and its key there."""
    places = [(cell, "source") for cell in notebook.cells if cell.cell_type == "markdown"]
    outputs = (output for cell in notebook.cells for output in cell.get("outputs", ()))
    return places + [(each.data, MARKDOWN) for each in outputs if MARKDOWN in each.get("data", {})]


def cited(notebook: NotebookNode) -> tuple[str, ...]:
    keys = (key for node, at in prose(notebook) for key in CITED.findall(node[at]))
    return tuple(dict.fromkeys(keys))


def prepare(notebook: NotebookNode, folder: Path, as_code: bool) -> None:
    """Make all labelled outputs fit for a page. folder: of the artifacts."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [each for each in cell.outputs if _is_shown(each)]
            for output in cell.outputs:
                _fit(output, folder, as_code)


def _is_shown(output: NotebookNode) -> bool:
    """Not a caption or a finding, which the page writes itself, nor a widget that is empty."""
    said = {"finding", "caption"} & {*output.get("metadata", {}).get(MARKDOWN, ())}
    return not said and output.get("data", {}).get("text/plain") != EMPTY


def _fit(output: NotebookNode, folder: Path, as_code: bool) -> None:
    """Put a widget's page and its still where it stood; write tables and sentences for readers. A
    word stands for what a page cannot show: another widget, a script."""
    data, metadata = output.get("data", {}), output.get("metadata", {})
    if file := metadata.get("page"):
        html = escape((folder / file).read_text(encoding="utf-8"))
        title, height = escape(metadata["title"]), metadata["height"]
        frame = f'<iframe class="moving" style="height: {height}rem" title="{title}"'
        still = base64((folder / metadata["still"]).read_text(encoding="utf-8"))
        drawn = f'<img class="still" src="data:image/svg+xml;base64,{still}" alt="{title}">'
        output.data = {"text/html": f'{frame} srcdoc="{html}"></iframe>{drawn}'}
    elif data and ({WIDGET, SCRIPT} & {*data} or not SHOWN & {*data}):
        named = re.match(r"<?([A-Za-z_][\w.]*)", data.get("text/plain", ""))
        name = named[1].rpartition(".")[2] if named else "an output"
        output.data = {"text/html": UNSHOWN.format(escape(name))}
    elif "<script" in data.get("text/html", ""):
        data["text/html"] += UNSHOWN.format("a script")
    elif 'class="dataframe"' in data.get("text/html", ""):
        data["text/html"] = for_page(data["text/html"], "label" in metadata, as_code)
    elif MARKDOWN in data:
        said = data[MARKDOWN]
        if "label" in metadata:  # a listing, whose caption the page writes
            said = said.partition("\n\n")[2]
        data[MARKDOWN] = readable_prose(said)


def find_unshowable(notebook: NotebookNode, folder: Path) -> dict[str, str]:
    """Return the id of each cell that no page can show, and a message that says why."""
    messages = {}
    for cell in notebook.cells:
        alone = new_notebook(cells=[deepcopy(cell)])
        try:
            prepare(alone, folder, False)
            parse(to_html(alone))
        except Exception as error:  # cells come from anybody
            messages[cell.id] = f"cell {cell.id} {_why_unshowable(error)}"
    return messages


def _why_unshowable(error: Exception) -> str:
    if isinstance(error, InvalidNotebook) and (missing := MISSING.fullmatch(str(error))):
        return f"shows attachment:{missing[1]}, which the cell does not have"
    if isinstance(error, FileNotFoundError):
        return f"shows the page {Path(error.filename).name}, which is gone"
    return f"cannot be shown: {type(error).__name__}: {str(error)[:200]}"


def hide(cell: NotebookNode) -> None:
    """Take out what no page can show; of prose, the source is left to be read."""
    if cell.cell_type == "code":
        cell.outputs = []
    else:
        cell.source = indent(cell.source, "    ")  # a block of code, in Markdown


def for_page(html: str, captioned: bool, as_code: bool = False) -> str:
    """The table as it stands on a page; what is not one table stays as it is. captioned: whether
    the page has a caption for it. as_code: whether names that have a label are shown as code."""
    page = parse(html)
    tables = page.select("table")
    if len(tables) != 1:
        return html
    [table] = tables
    if captioned and table.caption:
        table.caption.decompose()
    for header in table.select("thead th"):
        if not header.get_text(strip=True):
            header.name, header.attrs = "td", {}
    # a row header stands for all rows below it that repeat it, and so are written empty
    last: dict[int, Tag] = {}
    for row in table.select("tbody tr"):
        for level, header in enumerate(row.find_all("th", recursive=False)):
            if header.get_text(strip=True) or level not in last:
                last[level] = header
                continue
            rows = int(str(last[level].get("rowspan", "1"))) + 1
            last[level].attrs |= {"rowspan": str(rows), "scope": "rowgroup"}
            header.decompose()
    for text in table.find_all(string=re.compile(f"`|{NAME.pattern}")):
        if not text.find_parent("code"):
            coded = "".join(_coded(part, as_code) for part in QUOTED.split(str(text)))
            text.replace_with(parse(coded))
    return str(page)


def _coded(part: str, as_code: bool) -> str:
    if len(part) > 2 and part.startswith("`"):
        return f"<code>{escape(part[1:-1])}</code>"
    said = escape(part if as_code else readable(part), quote=False)
    return NAME.sub(lambda name: f"<code>{name[0]}</code>", said)


def to_html(notebook: NotebookNode, outputs: bool = True) -> str:
    # Not HTMLExporter's own, which takes the page to pieces twice, for a theme that is not ours.
    body = TemplateExporter.from_notebook_node(_exporter(outputs), notebook)[0]
    # On a phone, code and tables in prose scroll in their box: by the keyboard, too.
    for element in ("pre", "table"):
        body = body.replace(f"<{element}>", f'<{element} tabindex="0">')
    body = body.replace("<th></th>", "<td></td>")
    body = GOALS.sub(r'<div class="goals">\g<0></div>', body)
    body = FOLLOWS.sub('<p class="follows">', body)
    return UNANSWERED.sub(lambda found: f'{found[1]}">{_form(found[2])}', body)


def _form(number: str) -> str:
    """Where a reader answers an exercise, with what `exercises.js` needs to check it."""

    def texts(answer: Any) -> list[str]:
        return [*map(str, answer if isinstance(answer, list) else [answer])]

    exercise = exercises()[number]
    checks = {
        "answer": texts(exercise.answer),
        "several": isinstance(exercise.answer, list),
        "set": exercise.same == "set",
        "form": exercise.form,
        "hint": exercise.hint,
        "mistakes": [{**each, "answer": texts(each["answer"])} for each in exercise.mistakes],
    }
    return render("exercise.html.j2", number=number, checks=to_json(checks, ensure_ascii=False))


@cache
def _exporter(outputs: bool) -> HTMLExporter:
    """One for all notebooks: each new one compiles its templates again."""
    exporter = HTMLExporter(
        template_name="basic",
        template_file=str(TEMPLATES / "cells.html.j2"),
        exclude_input_prompt=True,
        exclude_output_prompt=True,
        exclude_output=not outputs,
    )
    exporter.register_filter("in_code", in_code)
    highlight = Highlight2HTML(pygments_lexer="ipython3", parent=exporter)
    exporter.register_filter("highlight_code", highlight)
    # What one cell printed comes in pieces, as the kernel happened to send it.
    exporter.register_preprocessor(CoalesceStreamsPreprocessor, enabled=True)
    return exporter
