"""The claims of the CS5329 report on its own study: each judged in a cell, none by heart."""

import json
from collections import Counter
from pathlib import Path

import pytest

from kalahlab.claims import cs5329_study
from kalahlab.claims.ledger import claims, judge, judged
from kalahlab.published import comparison

NOTEBOOK = Path(__file__).resolve().parents[1] / "notebooks" / "02_published_study.ipynb"
OWN = [claim for claim in claims(["cs5329"]) if claim.notebook == NOTEBOOK.stem]
BY_ID = {claim.id.removeprefix("cs5329-"): claim for claim in OWN}


@pytest.fixture
def fresh():
    """Nothing is remembered of a printed table that a test changed."""
    cs5329_study._table.cache_clear()
    yield
    cs5329_study._table.cache_clear()


def test_each_is_judged_in_a_cell_that_there_is():
    cells = {cell["id"] for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"]}
    assert {claim.cell for claim in OWN} <= cells
    for claim in OWN:
        assert len(judge(claim).why) < 250, claim.id
        assert judge(claim).why.endswith("."), claim.id


def test_what_becomes_of_them():
    found = Counter(judge(claim).verdict for claim in OWN)
    assert found == {
        "reproduced": 39,
        "reproduced with a slip": 9,
        "refuted": 33,
        "not decided by what is printed": 8,
        "not defined": 4,
    }


def test_a_cell_shows_the_claims_that_point_to_it():
    shown = judged("02-61")
    assert [row["quote"] for row in shown] == [c.quote for c in OWN if c.cell == "02-61"]
    assert list(shown[0]) == ["place", "quote", "verdict", "why"]


def test_a_row_that_does_not_come_out_is_refuted(monkeypatch, fresh):
    rows = comparison.printed_table()
    rows[1]["expanded"] += 1
    monkeypatch.setattr(comparison, "printed_table", lambda: rows)
    assert judge(BY_ID["row-mab-e2-d2"]).verdict == "refuted"
    assert judge(BY_ID["row-mab-e3-d2"]).verdict == "reproduced"
    assert judge(BY_ID["chart-1-nodes-d2"]).verdict == "refuted"
    assert judge(BY_ID["e2-formula"]).verdict == "refuted"


@pytest.mark.parametrize(
    ("name", "column", "claim"),
    [
        ("seconds", "seconds", "e3-time-all-scenarios"),
        ("generated", "generated", "e3-nodes-always-less"),
        ("memory_kb", "memory_kb", "e3-memory-always-less"),
    ],
)
def test_e3_would_be_the_best_if_print_said_so(monkeypatch, name, column, claim):
    rows = [
        row | {column: row[column] / 10 ** (row["evaluation"] == 3)} for row in comparison.rates()
    ]
    monkeypatch.setattr(comparison, "rates", lambda: rows)
    assert judge(BY_ID[claim]).verdict == "reproduced"


def test_81_bytes_would_be_right_if_a_node_had_them(monkeypatch):
    monkeypatch.setattr(comparison, "node_bytes", lambda: {"32 bits": 81})
    assert judge(BY_ID["81-bytes"]).verdict == "reproduced"


def test_the_seconds_would_be_decided_if_a_run_took_them_twice(monkeypatch):
    logs = comparison.transcripts()
    for log in logs:
        log["printed"]["seconds"] = cs5329_study._in_table(log)["seconds"]
    monkeypatch.setattr(cs5329_study, "transcripts", lambda: logs)
    assert judge(BY_ID["seconds"]).verdict == "reproduced"


def test_a_fourth_log_would_be_judged(monkeypatch):
    logs = [*comparison.transcripts(), comparison.transcripts()[0] | {"evaluation": 4}]
    monkeypatch.setattr(cs5329_study, "transcripts", lambda: logs)
    assert judge(BY_ID["output-4"]).verdict == "reproduced"


def test_the_window_would_be_right_if_more_than_one_line_were_read(monkeypatch):
    rows = [row | {"expanded_a_move": 9.0} for row in comparison.rates()]
    monkeypatch.setattr(cs5329_study, "rates", lambda: rows)
    assert judge(BY_ID["window-inverted"]).verdict == "reproduced"
