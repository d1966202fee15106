"""A notebook's figures, tables and pages, as files.

A notebook's parameter `out` names the folder; without one nothing is written, so a
notebook reads and runs the same with and without files. The folder holds

    figures/NAME.svg, NAME.pdf    tables/NAME.csv, NAME.tex, NAME.html    pages/NAME.html, NAME.svg
    listings/NAME.py
    artifacts.json    what there is, in the order in which it was made

Files are written byte for byte alike when their content is alike.
"""

import json
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from html import escape
from inspect import getsource
from pathlib import Path
from textwrap import dedent
from typing import Any
from xml.etree import ElementTree

import matplotlib as mpl
import pandas as pd
from IPython.display import Markdown
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from kalahlab.report.draw import style
from kalahlab.report.draw.items import CONTENTS, Item, Kind
from kalahlab.report.draw.labels import readable
from kalahlab.report.draw.latex import table_latex
from kalahlab.report.draw.tables import as_numbers, for_spreadsheets, table_html

NAME = re.compile(r"[a-z0-9]+([-_][a-z0-9]+)*")
SVG_ROOT = "{http://www.w3.org/2000/svg}svg"

TABLE_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{caption}</title>
<style>
:root {{ color-scheme: light dark }}
body {{ font: 15px/1.5 system-ui, sans-serif; margin: 2rem; overflow-x: auto }}
table {{ border-collapse: collapse; border-block: 2px solid; font-variant-numeric: tabular-nums }}
caption {{ text-align: left; padding-bottom: .6rem }}
th, td {{ padding: .25rem .8rem; text-align: right }}
tbody th {{ text-align: left }}
thead {{ border-bottom: 1px solid }}
</style></head>
<body>
{table}
</body></html>
"""


@dataclass(frozen=True)
class Picture:
    """An SVG that shows itself in a notebook, with its description and name in the metadata."""

    svg: str
    alt: str
    name: str = ""
    title: str = ""

    def __repr__(self) -> str:
        return f"<picture: {self.title or self.alt}>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[Any, Any]:
        return {"image/svg+xml": self.svg}, {"image/svg+xml": {"alt": self.alt, "name": self.name}}


@dataclass(frozen=True)
class Listing:
    """Source text that shows itself in a notebook, coloured, below its caption."""

    source: str
    caption: str
    name: str = ""

    def __repr__(self) -> str:
        return f"<listing: {self.caption}>"

    def _repr_markdown_(self) -> tuple[str, dict[str, str]]:
        return f"{self.caption}\n\n```python\n{self.source}```", {"name": self.name}


@dataclass(frozen=True)
class EmbeddedWidget:
    """A widget that shows itself in a notebook, and says what stands for it in the report.

    file: its page; still: the picture of it that is printed.
    """

    widget: Any
    title: str
    file: str = ""
    height: int = 70
    still: str = ""

    def __repr__(self) -> str:
        return f"<{self.title}: run all cells to move it by hand>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> tuple[Any, Any]:
        shown = self.widget._repr_mimebundle_()
        shown = shown[0] if isinstance(shown, tuple) else shown
        names = ("title", "height", "still")
        metadata = {"page": self.file} | {name: getattr(self, name) for name in names}
        return {**shown, "text/plain": repr(self)}, metadata


class Artifacts:
    """Where a notebook puts what it shows.

    out: the folder, or None to write nothing. Names are lower-case words joined by `-`
    or `_`; a name given twice in a run is an error (`ValueError`) once there is a
    folder, because the second file would silently replace the first. Without one,
    rerunning a cell is no error.
    """

    def __init__(self, out: str | None = None) -> None:
        self._folder = None if out is None else Path(out)
        self._items: list[Item] = []

    def figure(self, name: str, figure: Figure | Axes, alt: str = "", caption: str = "") -> None:
        """Keep a figure as SVG and PDF; `plt.show()` then shows it.

        alt: its description, if it does not have one already (`kalahlab.report.draw.style.alt`).
        caption: what is written below it on its page, if not the description. `ValueError` if
        there is no description at all.
        """
        self._check("figure", name)
        alt = readable(alt or str(style.figure_of(figure).get_label()))
        described = style.named(style.alt(figure, alt), name)
        style.make_readable(described)
        if self._folder is None:
            return
        files = self._files("figures", name, "svg", "pdf")
        with mpl.rc_context(style.STABLE):
            box = style.laid_out(described)
            for file, date in zip(files, ("Date", "CreationDate"), strict=True):
                described.savefig(file, bbox_inches=box, metadata={date: None})
        self._keep("figure", name, alt, files, caption=caption)

    def svg(self, name: str, svg: str, alt: str = "", caption: str = "") -> Picture:
        """Keep a picture that is SVG already, and return it for display.

        svg: one `<svg xmlns=…>` element. alt: its description; without one, the picture's own
        `<desc>` serves, or else its name: its `aria-label` or `<title>`. caption: what is written
        below it on its page, if not its name. `ValueError` if there is no description at all or
        the text is not SVG.
        """
        self._check("figure", name)
        root = _parsed(name, svg)
        title = alt or root.get("aria-label") or root.findtext(SVG_ROOT[:-3] + "title") or ""
        if not title.strip():
            raise ValueError(f"picture {name!r} has no description; give alt, in a sentence")
        text = alt or root.findtext(SVG_ROOT[:-3] + "desc") or title
        picture = Picture(_labelled(svg, root, title), text, name, title)
        if self._folder is not None:
            from kalahlab.report.draw.pdf import svg_to_pdf  # its library takes time to load

            files = self._files("figures", name, "svg", "pdf")
            files[0].write_text(picture.svg, encoding="utf-8")
            files[1].write_bytes(svg_to_pdf(picture.svg))
            caption = caption or title * (title != text)
            self._keep("figure", name, text, files, caption=caption)
        return picture

    def table(self, name: str, frame: pd.DataFrame, caption: str) -> pd.DataFrame:
        """Keep a table as CSV, LaTeX (booktabs) and HTML, and return it for display.

        It is shown below its caption, which goes into its `attrs`. CSV has the numbers in full,
        those of a `tables.Shown` in columns of their own, and no text that a spreadsheet takes for
        a formula; the other two are rounded for reading. The index is kept unless it merely counts
        the rows. Leave seconds in the file, and drop them from what is shown: outputs that are
        checked hold no wall-clock numbers.
        """
        self._check("table", name)
        frame.attrs |= {"caption": caption, "name": name}
        if self._folder is None:
            return frame
        index = not isinstance(frame.index, pd.RangeIndex)
        csv, tex, html = files = self._files("tables", name, "csv", "tex", "html")
        for_spreadsheets(as_numbers(frame)).to_csv(csv, index=index, lineterminator="\n")
        tex.write_text(table_latex(frame, name, caption), encoding="utf-8")
        page = TABLE_PAGE.format(caption=escape(caption), table=table_html(frame))
        html.write_text(page, encoding="utf-8")
        self._keep("table", name, caption, files, rows=len(frame), columns=len(frame.columns))
        return frame

    def page(
        self, name: str, html: str, title: str, widget: Any, height: int = 70
    ) -> EmbeddedWidget:
        """Keep an interactive page, and return its widget for display.

        html: the whole page, which must need nothing else. In the report, the page stands
        where the widget stood, `height` lines high; a kernel that could answer it is not
        there any more. On paper stands `widget.still()`, a picture as SVG.
        """
        self._check("page", name)
        if self._folder is None:
            return EmbeddedWidget(widget, title, height=height)
        page, still = self._files("pages", name, "html", "svg")
        page.write_text(html, encoding="utf-8")
        still.write_text(widget.still(), encoding="utf-8")
        item = self._keep("page", name, title, [page, still])
        return EmbeddedWidget(widget, title, item.files[0], height, item.files[1])

    def listing(self, name: str, source: Callable[..., object], caption: str) -> Listing:
        """Keep the source of a function or class of the package, and return it for display."""
        self._check("listing", name)
        listing = Listing(dedent(getsource(source)), caption, name)
        if self._folder is not None:
            [file] = self._files("listings", name, "py")
            file.write_text(listing.source, encoding="utf-8")
            self._keep("listing", name, caption, [file])
        return listing

    def finding(self, cell: str, sentence: str, picture: str = "") -> Markdown:
        """Keep what the notebook found, for the front page, and return it for display.

        cell: the id of the cell that shows it. sentence: with its number and interval. picture:
        the name of the figure that goes with it, if there is one.
        """
        self._check("finding", cell)
        if self._folder is not None:
            files = [self._folder / "figures" / f"{picture}.svg"] if picture else []
            self._keep("finding", cell, sentence, files)
        return Markdown(sentence, metadata={"finding": cell})

    def _check(self, kind: Kind, name: str) -> None:
        if not NAME.fullmatch(name):
            raise ValueError(
                f"{kind} name {name!r} is not allowed; use lower-case letters and digits, "
                "joined by - or _"
            )
        if any((item.kind, item.name) == (kind, name) for item in self._items):
            raise ValueError(f"{kind} name {name!r} is used twice; names are unique in a run")

    def _files(self, room: str, name: str, *endings: str) -> list[Path]:
        assert self._folder is not None
        folder = self._folder / room
        folder.mkdir(parents=True, exist_ok=True)
        return [folder / f"{name}.{ending}" for ending in endings]

    def _keep(self, kind: Kind, name: str, text: str, files: list[Path], **more: Any) -> Item:
        # Written anew each time, so that a notebook that fails later keeps what it made.
        assert self._folder is not None
        places = tuple(file.relative_to(self._folder).as_posix() for file in files)
        self._items.append(Item(kind, name, text, places, **more))
        rows = json.dumps([asdict(each) for each in self._items], ensure_ascii=False, indent=1)
        (self._folder / CONTENTS).write_text(rows + "\n", encoding="utf-8")
        return self._items[-1]


def _parsed(name: str, svg: str) -> ElementTree.Element:
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as error:
        raise ValueError(f"picture {name!r} is not well-formed SVG: {error}") from None
    if root.tag != SVG_ROOT:
        raise ValueError(f"picture {name!r} is a {root.tag!r}; use an <svg> with its namespace")
    return root


def _labelled(svg: str, root: ElementTree.Element, text: str) -> str:
    """The SVG with a role and a label on its root; the rest of the text stays as it is."""
    wanted = {"role": "img", "aria-label": escape(text)}
    added = "".join(f' {key}="{wanted[key]}"' for key in wanted if root.get(key) is None)
    return re.sub(r"<svg\b", lambda found: found[0] + added, svg, count=1)
