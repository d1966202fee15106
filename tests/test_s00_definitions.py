"""The page of definitions: what its formulas, counts and sentences are taken from."""

import re
from pathlib import Path

import nbformat
import pytest

from kalahlab.data import data_rows
from kalahlab.games.kalah import Kalah
from kalahlab.search import ORDERS
from kalahlab.studies import s00_definitions as study

GAME = Kalah(4, 3)
NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))


def test_each_formula_is_its_evaluator_on_boards_of_all_sizes() -> None:
    for pits in (1, 3, 6):
        found = study.agreement(study.boards_of(Kalah(pits, 4), 60, seed=pits))
        assert (found["equal"] == found["values compared"]).all()
        assert "All 8" in study.finding(found)
        assert study.finding(found) in study.answer(found)


@pytest.mark.parametrize("name", study.FORMULAS)
def test_a_formula_that_is_wrong_is_found_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(study.FORMULAS, name, f"({study.FORMULAS[name]}) + (m > 3)")
    found = study.agreement(study.boards_of(GAME, 5, seed=1))
    assert found.index[found["equal"] < found["values compared"]].to_list() == [name]
    assert f"1 of the 8 formulas on this page ({name}) do not always" in study.finding(found)
    assert "**Not all formulas say what the program computes.**" in study.answer(found)


def test_the_counts_of_a_search_add_up() -> None:
    counts = study.counts_table(GAME, 4, ["minimax", "alpha_beta"])
    assert set(counts.index) >= {"generated", "expanded", "visited", "evaluated", "cutoffs"}
    assert counts["what it counts"].str.len().min() > 20
    minimax, alpha_beta = counts["minimax"], counts["alpha_beta"]
    assert minimax["generated"] + 1 == minimax["visited"]
    assert alpha_beta["generated"] + 1 > alpha_beta["visited"]
    assert minimax["cutoffs"] == 0 < alpha_beta["cutoffs"]


def test_the_order_decides_which_of_equal_moves_is_played() -> None:
    orders = study.orders_table(GAME, 2)
    assert [*orders.index] == [*ORDERS]
    assert orders["value"].nunique() == 1
    assert orders.loc["pit", "pit played"] == 1
    assert orders.loc["store_first", "pit played"] == GAME.pits
    assert orders["what is tried first"].str.endswith(".").all()


def test_what_was_printed_and_changed_is_told_of_each_corrected_evaluator() -> None:
    table = study.corrections()
    assert [*table.index] == ["e1", "e2", "e3", "e4", "staged"]
    assert table["as printed"].str.len().min() > 20
    assert [*study.formulas_table().index] == [*study.FORMULAS]


def test_each_term_of_the_glossary_has_one_sentence_and_an_anchor_of_its_own() -> None:
    rows = data_rows("glossary.csv")
    shown = study.glossary()
    assert re.findall(r'<dt id="([a-z0-9-]+)">', shown) == [study.anchor(r["term"]) for r in rows]
    assert len({study.anchor(row["term"]) for row in rows}) == len(rows) == shown.count("<dd>")
    for row in rows:
        assert re.fullmatch(r"[A-Z][^.]*\.", row["meaning"]), row["term"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_links_to_the_glossary_lead_to_its_terms(path: Path) -> None:
    anchors = {study.anchor(row["term"]) for row in data_rows("glossary.csv")}
    cells = nbformat.read(path, as_version=4).cells
    shown = [str(output.get("data", "")) for cell in cells for output in cell.get("outputs", [])]
    texts = "\n".join([*(cell.source for cell in cells), *shown])
    links = re.findall(r"\[([^\[\]]*)\]\(00_definitions\.ipynb#([a-z0-9-]+)\)", texts)
    terms = {name for text, name in links if text not in ("Figure", "Table", "Listing")}
    assert terms <= anchors
