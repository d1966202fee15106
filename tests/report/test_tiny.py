"""The whole report at its smallest size: each page runs, each link leads somewhere, tables hold.

What must hold of a page's tables, whatever its parameters, is in `properties/`: of one table in
`rows.csv`, else in `NN_name.py`, functions of a function that reads a table by its name.
"""

import json
import runpy
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup

from kalahlab.data import notebooks_folder
from kalahlab.matches.rating import CERTAINTY
from kalahlab.report.build import build

FOLDER = Path(__file__).parent / "properties"
ROWS = [*pd.read_csv(FOLDER / "rows.csv").itertuples(index=False, name=None)]
PROPERTIES = []
for file in sorted(FOLDER.glob("*.py")):
    for name, check in runpy.run_path(str(file)).items():
        code = getattr(check, "__code__", None)
        if code and code.co_filename == str(file) and code.co_varnames[:1] == ("table",):
            PROPERTIES.append(pytest.param(file.stem, check, id=f"{file.stem}-{name}"))


# Slow, because each notebook has a kernel of its own; all tests of this module share the report.
@pytest.fixture(scope="module")
def report(tmp_path_factory):
    out = tmp_path_factory.mktemp("tiny") / "report"
    result = build("tiny", out, progress=lambda line: None)
    assert not [f"{record.notebook}: {record.error}" for record in result.failures]
    assert not any(record.notes for record in result.notebooks)
    return out


class Places(HTMLParser):
    """The ids and the links of a page. A parse into a tree would take six times as long."""

    def __init__(self, file):
        super().__init__()
        self.ids, self.links = set(), []
        self.feed(file.read_text("utf-8"))
        self.close()

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if "id" in attributes:
            self.ids.add(attributes["id"])
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])


def test_every_link_leads_to_an_id_or_a_file(report):
    pages = {file.name: Places(file) for file in sorted(report.glob("*.html"))}
    ids = {name: page.ids for name, page in pages.items()}
    dead = []
    for name, page in pages.items():
        for link in page.links:
            file, fragment = urldefrag(unquote(link))
            if not file.startswith(("https:", "mailto:")):
                exists = (report / (file or name)).is_file()
                if not exists or (fragment and fragment not in ids.get(file or name, [])):
                    dead.append(f"{name}: {link}")
    search = BeautifulSoup((report / "search.html").read_text("utf-8"), "html.parser")
    parts = json.loads(search.select("#parts")[0].text)
    places = [urldefrag(unquote(part["href"])) for part in parts]
    dead += [f"search: {file}#{id}" for file, id in places if id and id not in ids[file]]
    assert not dead
    of_notebooks = {name for name in pages if name[0].isdecimal()}
    assert {file for file, _ in places} == of_notebooks | {"index.html", "references.html"}


def test_the_front_page_offers_a_search_and_a_game_at_once(report):
    guide = tomllib.loads((notebooks_folder() / "guide.toml").read_text("utf-8"))
    index = BeautifulSoup((report / "index.html").read_text("utf-8"), "html.parser")
    doors = {words: file.removeprefix("index.html") for words, file in guide["doors"].items()}
    assert {button.text: button["href"] for button in index.select(".hero a.button")} == doors
    marked = [entry.h3.a["href"] for entry in index.select(".entry:has(.badge)")]
    assert marked == [f"{stem}.html" for stem in guide["appendix"]]
    assert len(index.select(".findings li")) == len(guide["abstract"]) == 3
    assert len(index.select(".starts li")) == sum(map(len, guide["ways"].values())) > 3


def test_every_estimate_lies_in_its_interval(report):
    for file in sorted(report.glob("*/tables/*.csv")):
        frame = pd.read_csv(file)
        for name in (name for name in frame if f"{name} low" in frame):
            columns = frame[[name, f"{name} low", f"{name} high"]].dropna().to_numpy().T
            assert (columns[1] - 1e-9 <= columns[0]).all(), f"{file}: {name}"
            assert (columns[0] <= columns[2] + 1e-9).all(), f"{file}: {name}"


def test_columns_of_the_same_names_hold_to_each_other_in_every_table(report):
    for file in sorted(report.glob("*/tables/*.csv")):
        frame = pd.read_csv(file)
        has, place = frame.columns.__contains__, file.relative_to(report).as_posix()
        if all(map(has, ("wins", "draws", "losses", "score"))):
            games = frame[["wins", "draws", "losses"]].sum(axis=1)
            points = frame["wins"] + frame["draws"] / 2
            assert frame["score"].tolist() == pytest.approx((points / games).tolist()), place
        if all(map(has, ("regret", "best moves"))):
            without = frame["best moves"] > 1 - 1e-9
            assert (frame["regret"] >= 0).all(), place
            assert ((frame["regret"] < 1e-9) == without).all(), place
        if all(map(has, ("evaluator", "depth", "nodes"))):
            for _, curve in frame.groupby("evaluator"):
                assert curve.sort_values("depth")["nodes"].is_monotonic_increasing, place
        if all(map(has, ("verdict", "p", "pairs"))):
            significant, share = (
                frame["p"] < 1 - CERTAINTY,
                frame["share" if has("share") else "score"],
            )
            assert (significant == frame["verdict"].isin(["better", "worse"])).all(), place
            assert (share[significant] > 0.5).eq(frame["verdict"][significant] == "better").all(), (
                place
            )
        for name in {"p", "Holm's p"} & {*frame}:
            assert frame[name].dropna().between(0, 1).all(), place


@pytest.mark.parametrize(("page", "check"), PROPERTIES)
def test_a_table_holds(report, page, check):
    check(lambda name: pd.read_csv(report / page / "tables" / f"{name}.csv"))


@pytest.mark.parametrize(("page", "table", "law"), ROWS)
def test_a_law_holds_in_each_row(report, page, table, law):
    assert np.all(pd.read_csv(report / page / "tables" / f"{table}.csv").eval(law))
