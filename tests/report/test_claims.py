"""Claims that a notebook's cells judge: how they are shown, and how they are collected."""

import nbformat
import pandas as pd
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from kalahlab.claims import KINDS, MIME, VERDICTS, claim, claims, ledger, printed

FIRST, SECOND, THIRD = printed().index[:3]


@pytest.fixture
def executed(tmp_path):
    """A notebook with these things shown, a cell each."""

    def write(stem, *things):
        cells = [
            new_code_cell(id=f"cell-{n}", outputs=[new_output("display_data", data)])
            for n, data in enumerate(thing._repr_mimebundle_() for thing in things)
        ]
        path = tmp_path / f"{stem}.ipynb"
        nbformat.write(new_notebook(cells=cells), path)
        return path

    return write


def test_a_verdict_is_found_where_it_is_shown(executed):
    both = claims([claim(SECOND, False, "9 of 10."), claim(THIRD, "open", "No seconds.")])
    paths = [executed("01_one", claim(FIRST, True, "All 3.")), executed("02_two", both)]
    found = ledger(paths).set_index("id")
    columns = ["verdict", "why", "notebook", "cell"]
    assert found.loc[FIRST, columns].tolist() == ["reproduced", "All 3.", "01_one", "cell-0"]
    assert found.loc[SECOND, columns].tolist() == ["refuted", "9 of 10.", "02_two", "cell-0"]
    assert found.loc[THIRD, "verdict"] == "open"
    rest = found.drop([FIRST, SECOND, THIRD])
    assert set(rest["verdict"]) <= {"not judged", "reviewed"}
    assert list(found.index) == list(printed().index)


def test_a_claim_is_judged_once(executed):
    twice = [executed(stem, claim(FIRST, True, "So.")) for stem in ("01_one", "02_two")]
    with pytest.raises(ValueError, match=f"judged twice: {FIRST}"):
        ledger(twice)


def test_what_is_shown_quotes_the_document():
    shown = claim(FIRST, True, "All 3.")._repr_mimebundle_()
    assert printed().loc[FIRST, "quote"] in shown["text/markdown"]
    assert shown[MIME] == [{"id": FIRST, "verdict": "reproduced", "why": "All 3."}]


def test_unknown_claims_and_verdicts_are_named():
    with pytest.raises(ValueError, match="'no-such' is not in data"):
        claim("no-such", True, "")
    with pytest.raises(ValueError, match="'perhaps' is unknown; use one of reproduced, "):
        claim(FIRST, "perhaps", "")


def test_each_claim_has_a_source_a_place_and_a_kind():
    table = printed()
    assert table.index.is_unique
    assert set(table["kind"]) <= set(KINDS)
    assert (table[["source", "place", "quote", "claim"]] != "").all(axis=None)
    assert (table["quote"].str.split().str.len() <= 25).all()
    assert pd.Series(table.index).str.partition("-")[0].eq(table["source"].to_numpy()).all()
    assert len(set(VERDICTS)) == 6
