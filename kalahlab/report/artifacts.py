"""Artifacts of a notebook: figures, tables, listings and pages with numbered captions, as files.

    artifacts = Artifacts(5, out)  # notebook 05; out: a folder, or None to write nothing
    artifacts.table("costs", frame, "Nodes of a game.")
    artifacts.figure("costs", chart, "The same nodes against depth.")

Each call returns the value that the last line of a cell shows. The folder contains

    figures/NAME.svg, NAME.pdf    tables/NAME.csv, NAME.tex, NAME.html    pages/NAME.html, NAME.svg
    listings/NAME.py    artifacts.json: the list of artifacts, in the order in which they were made

The same content gives the same bytes.

Each caption is written twice: to the output of the cell, for readers of the notebook, and to
artifacts.json, for the pages of the report. `cells.attach_labels` finds the output of an artifact
by the name in its metadata. It replaces the caption there by that of artifacts.json, which also has
links to the files.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from html import escape
from inspect import getsource
from io import BytesIO
from pathlib import Path
from string import Template
from textwrap import dedent
from typing import Any
from unittest.mock import patch
from xml.etree import ElementTree

import matplotlib as mpl
import matplotlib.pyplot as plt
import pandas as pd
from fontTools.subset import Options
from IPython.display import Markdown, display

from kalahlab.draw import style
from kalahlab.draw.labels import replace_identifiers, replace_identifiers_in_prose
from kalahlab.formatting import to_json
from kalahlab.report.items import CONTENTS, WORDS, Item, Kind, format_label
from kalahlab.report.tables import escape_formulas, format_frame, table_html, table_latex

# Tables of a font by which a program places glyphs. No PDF needs them, as its glyphs have places;
# fpdf2 drops them, too. To make them smaller took two thirds of the time that a PDF took.
TABLES_OF_LAYOUT = ("GDEF", "GPOS", "GSUB", "MATH")
NAME = re.compile(r"[a-z0-9]+([-_][a-z0-9]+)*")
SVG_ROOT = "{http://www.w3.org/2000/svg}svg"
# A coordinate of matplotlib, whose last digits differ between processors. Scales of glyphs do not
# differ, and rounding would change them.
LONG_NUMBER = re.compile(r"(?<!scale\()-?\b\d+\.\d{4,}")
# An id that matplotlib derives from coordinates, so that it differs, too; group 1 is its prefix.
HASHED_ID = re.compile(r"(?<=[\"#])([A-Za-z]\w*)?[0-9a-f]{10}(?=[\")])")
# A finding is one sentence that a reader can repeat.
MOST_WORDS = 25
BRACKETS = re.compile(r"(?<!\w)[(\[][^)\]]*[)\]]?")
LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")  # of Markdown; group 1 is its text
TABLE_PAGE = Template(Path(__file__).with_name("table.html").read_text(encoding="utf-8"))


class Listing(Markdown):
    """The source of a function or class below its caption."""

    def __init__(self, source: str, caption: str, name: str) -> None:
        text = f"{caption}\n\n```python\n{source}```"
        super().__init__(text, metadata={"name": name})  # type: ignore[no-untyped-call]
        self.caption = caption

    def __repr__(self) -> str:
        return f"<listing: {self.caption}>"


@dataclass(frozen=True)
class Captioned:
    """A picture or a widget above its caption.

    Attributes:
        data: The content by MIME type.
        metadata: Metadata for the page, by MIME type or by name.
    """

    data: dict[str, Any]
    metadata: dict[str, Any]
    caption: str

    def _ipython_display_(self) -> None:
        display(self.data, metadata=self.metadata, raw=True)
        display(Markdown(self.caption, metadata={"caption": True}))


class Artifacts:
    """The artifacts of a notebook.

    Names are lower-case words joined by `-` or `_`, unique among artifacts of a kind.
    """

    def __init__(self, notebook: int, out: str | None = None) -> None:
        self._notebook = notebook
        self._folder = None if out is None else Path(out)
        self._items: list[Item] = []
        # By word and by name, the number of each artifact. Figures and pages have one word.
        self._numbers: dict[str, dict[str, int]] = {word: {} for word in WORDS.values()}

    def __repr__(self) -> str:
        return f"<artifacts of notebook {self._notebook}>"

    def figure(self, name: str, picture: Any, caption: str, alt: str = "") -> Captioned:
        """Show a picture above its caption, and save it as SVG and PDF.

        Args:
            name: The name of the files.
            picture: A figure of matplotlib, its axes, a grid of seaborn, or one `<svg xmlns=…>`
                element as text.
            caption: A sentence.
            alt: A description for those who cannot see the picture; by default that in the
                picture, or else the caption.

        Raises:
            ValueError: The caption is empty, the name is not allowed or used twice, or the text is
                not SVG.
        """
        self._check("figure", name, caption)
        if isinstance(picture, str):
            svg, description = _label_svg(name, picture, alt, caption)
            pdf = b""  # not written without a folder
            if self._folder:
                from kalahlab.draw.pdf import svg_to_pdf  # its library takes time to load

                pdf = svg_to_pdf(svg)
        else:  # a chart, which has no description of its own
            chart, pdf = self._save_chart(name, picture)
            svg, description = _label_svg(name, chart, replace_identifiers(alt or caption), caption)
        self._save("figure", name, description, {"svg": svg, "pdf": pdf}, caption=caption)
        return Captioned(
            {"image/svg+xml": svg, "text/plain": f"<picture: {description}>"},
            {"image/svg+xml": {"alt": description, "name": name}},
            self._make_caption("figure", name, caption),
        )

    def _save_chart(self, name: str, picture: Any) -> tuple[str, bytes]:
        """Return a chart as SVG and, if there is a folder, as PDF, and close the chart.

        The cell would show a chart that is not closed a second time.
        """
        figure = getattr(picture, "figure", picture).get_figure(root=True)
        style.make_readable(figure)
        svg, pdf = BytesIO(), BytesIO()
        with mpl.rc_context(style.STABLE_SETTINGS):
            # The layout is computed once for both files, which saves time.
            figure.draw_without_rendering()
            figure.set_layout_engine("none")
            box = figure.get_tightbbox().padded(mpl.rcParams["savefig.pad_inches"])
            # None leaves an entry out: the date, and matplotlib's version, would change the bytes.
            metadata = dict.fromkeys(("Date", "Creator", "Format", "Type"))
            figure.savefig(svg, format="svg", bbox_inches=box, metadata=metadata)
            if self._folder:
                options: Any = Options  # matplotlib makes them, and has no way to change them
                dropped = [*options._drop_tables_default, *TABLES_OF_LAYOUT]
                with patch.object(options, "_drop_tables_default", dropped):
                    figure.savefig(
                        pdf, format="pdf", bbox_inches=box, metadata={"CreationDate": None}
                    )
        plt.close(figure)
        return stabilize_svg(svg.getvalue().decode(), f"{self._notebook} {name}"), pdf.getvalue()

    def table(
        self, name: str, frame: pd.DataFrame, caption: str, head: int = 10**9, **digits: int | str
    ) -> pd.DataFrame:
        """Show a table below its caption; save it as CSV, and as LaTeX and HTML for reading.

        The index is saved unless it only counts the rows, as a `RangeIndex` does.

        Args:
            name: The name of the files.
            frame: The table. The CSV has all rows.
            caption: A sentence.
            head: The largest number of rows to show.
            digits: By column, the number of decimals or the format; see `format_frame`.
        """
        self._check("table", name, caption)
        formatted = format_frame(frame[:head], digits)
        if more := len(frame) - len(formatted):
            rows = "row" if more == 1 else "rows"
            caption += f" … {more:,} more {rows} in the CSV."
        # The output of the cell gets both: `tables.table_html` writes the caption above the table,
        # and `style.use_style` puts the name into the metadata.
        formatted.attrs = {
            "caption": self._make_caption("table", name, caption, bold=""),
            "name": name,
        }
        if self._folder:  # `_save` would check this, too, but the texts take time
            index = not isinstance(frame.index, pd.RangeIndex)
            csv = escape_formulas(frame).to_csv(index=index, lineterminator="\n")
            html = TABLE_PAGE.substitute(caption=escape(caption), table=table_html(formatted))
            latex = table_latex(formatted, f"{self._notebook:02}-{name}", caption)
            files = {"csv": csv, "tex": latex, "html": html}
            size = {"rows": len(formatted), "columns": len(formatted.columns)}
            self._save("table", name, caption, files, **size)
        return formatted

    def page(self, name: str, widget: Any, title: str, caption: str, height: int = 70) -> Captioned:
        """Show a widget above its caption, and save it as a page that needs no kernel.

        Args:
            name: The name of the files.
            widget: The widget. Print shows the result of its method `still`, a picture as SVG.
            title: The title of the page.
            caption: A sentence.
            height: The height of the page, in lines of text.
        """
        self._check("page", name, caption)
        bundle = widget._repr_mimebundle_()  # a dict of data, or a tuple of this and the metadata
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        page = still = ""
        if self._folder:
            files = {"html": widget.page(title), "svg": widget.still()}
            page, still = self._save("page", name, title, files, caption=caption)
        metadata = {"page": page, "title": title, "height": height, "still": still}
        plain = {"text/plain": f"<{title}: run all cells to move it by hand>"}
        return Captioned({**data, **plain}, metadata, self._make_caption("page", name, caption))

    def listing(self, name: str, source: Callable[..., object], caption: str) -> Listing:
        """Show the source of a function or class below its caption, and save it as a file."""
        self._check("listing", name, caption)
        text = dedent(getsource(source))
        self._save("listing", name, caption, {"py": text})
        return Listing(text, self._make_caption("listing", name, caption), name)

    def finding(self, cell: str, sentence: str, picture: str = "", basis: str = "") -> Markdown:
        """Show the finding of the notebook, and save it for the front page.

        Args:
            cell: The id of the cell whose numbers show the finding.
            sentence: The finding, in at most 25 words without brackets.
            picture: The name of the figure whose title is the finding, "" for none.
            basis: What the finding rests on: numbers of games, rules, ties, intervals.

        Raises:
            ValueError: The sentence is empty, too long or has brackets, the name is not allowed, or
                the cell has a finding.
        """
        self._check("finding", cell, sentence)
        _check_finding(sentence)
        pictures = []
        if picture:
            pictures.append(f"figures/{picture}.svg")
        # A finding has no files of its own. The item lists that of its picture.
        self._save("finding", cell, sentence, {}, files=pictures, caption=basis)
        return Markdown(sentence, metadata={"finding": cell})

    def _check(self, kind: Kind, name: str, text: str) -> None:
        """Raise ValueError for an empty text, or for a name that is not allowed or used before."""
        if not NAME.fullmatch(name):
            raise ValueError(
                f"{kind} name {name!r} is not allowed; use lower-case letters and digits, "
                "joined by - or _"
            )
        if not text.strip():
            raise ValueError(f"{kind} {name!r} has no caption; say in a sentence what it shows")
        if (kind, name) in {(item.kind, item.name) for item in self._items}:
            raise ValueError(f"{kind} name {name!r} is used twice; names are unique in a run")

    def _number(self, kind: Kind, name: str) -> int:
        """Return the number of an artifact; a new name gets the next number of its word."""
        numbers = self._numbers[WORDS[kind]]
        return numbers.setdefault(name, len(numbers) + 1)

    def _make_caption(self, kind: Kind, name: str, caption: str, bold: str = "**") -> str:
        """Return the caption for the notebook: the label between `bold`, and the caption."""
        label = format_label(kind, self._notebook, self._number(kind, name))
        return f"{bold}{label}.{bold} {replace_identifiers_in_prose(caption)}"

    def _save(
        self, kind: Kind, name: str, text: str, contents: Mapping[str, str | bytes], **more: Any
    ) -> list[str]:
        """Write the files of an artifact, add it to the list, and return the paths of the files.

        Without a folder do nothing.

        Args:
            kind: The kind of the artifact.
            name: Its name.
            text: The `text` of its item.
            contents: The content of each file, by suffix.
            more: Further attributes of its item. `files` replaces the paths of the files.
        """
        if self._folder is None:
            return []
        paths = []
        for suffix, content in contents.items():
            path = f"{kind}s/{name}.{suffix}"
            (self._folder / path).parent.mkdir(parents=True, exist_ok=True)
            data = content.encode() if isinstance(content, str) else content
            (self._folder / path).write_bytes(data)
            paths.append(path)
        number = 0
        if kind in WORDS:
            number = self._number(kind, name)
        fields: dict[str, Any] = {"files": paths, "number": number} | more
        self._items.append(Item(kind, name, text, **fields))
        # The list is written after each artifact, so that a notebook that fails later has one, too.
        rows = to_json([asdict(item) for item in self._items], ensure_ascii=False, indent=1)
        (self._folder / CONTENTS).write_text(rows + "\n", encoding="utf-8")
        return paths


def _check_finding(sentence: str) -> None:
    """Raise ValueError for a sentence of more than 25 words, or with brackets.

    `Kalah(6,4)` has no brackets in this sense, and of a link the text counts.
    """
    text = LINK.sub(r"\1", sentence)
    words = len(text.split())
    if words > MOST_WORDS:
        raise ValueError(
            f"the finding has {words} words: {text!r}; use {MOST_WORDS} at most, and give numbers "
            "of games, rules and intervals as the basis"
        )
    if bracket := BRACKETS.search(text):
        raise ValueError(
            f"the finding has brackets: {bracket[0]!r}; give what stands in them as the basis"
        )


def stabilize_svg(svg: str, name: str) -> str:
    """Return a chart with coordinates rounded to thousandths, and ids made from `name`.

    `name` is unique in the report, so that charts on one page do not share an id.
    """
    # Adding 0.0 makes -0.0 positive.
    rounded = LONG_NUMBER.sub(lambda match: f"{round(float(match[0]), 3) + 0.0}", svg)
    ids: dict[str, str] = {}
    for match in HASHED_ID.finditer(rounded):
        digest = sha256(f"{name} {len(ids)}".encode()).hexdigest()
        ids.setdefault(match[0], f"{match[1] or 'i'}{digest[:10]}")
    return HASHED_ID.sub(lambda match: ids[match[0]], rounded)


def _label_svg(name: str, svg: str, alt: str, caption: str) -> tuple[str, str]:
    """Return the SVG with a role and a label on its root, and the description of the picture.

    The description is `alt`, or else that in the picture, or else the caption.

    Raises:
        ValueError: The text is not SVG.
    """
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as error:
        raise ValueError(f"picture {name!r} is not well-formed SVG: {error}") from None
    if root.tag != SVG_ROOT:
        raise ValueError(f"picture {name!r} is a {root.tag!r}; use an <svg> with its namespace")
    namespace = SVG_ROOT.removesuffix("svg")
    label = alt or root.get("aria-label") or root.findtext(f"{namespace}title") or caption
    description = alt or root.findtext(f"{namespace}desc") or label
    attributes = ""
    for key, value in (("role", "img"), ("aria-label", escape(label))):
        if root.get(key) is None:  # the picture keeps its own role and label
            attributes += f' {key}="{value}"'
    labelled = re.sub(r"<svg\b", lambda match: match[0] + attributes, svg, count=1)
    return labelled, description
