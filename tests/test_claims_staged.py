"""The claims of the staged report are judged, and other sentences otherwise."""

from pathlib import Path

import nbformat
import pytest

from kalahlab.claims import staged
from kalahlab.claims.ledger import claims
from kalahlab.claims.model import JUDGES, Claim

CLAIMS = {claim.id: claim for claim in claims(["staged"])}
NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"


def judged(name: str, **changed: str) -> str:
    return JUDGES[name](CLAIMS[name]._replace(**changed)).verdict


def test_each_claim_has_a_judge_and_a_cell_that_there_is() -> None:
    cells = {
        name: {cell.id for cell in nbformat.read(NOTEBOOKS / f"{name}.ipynb", 4).cells}
        for name in ("06_heuristics", "99_claims")
    }
    for claim in CLAIMS.values():
        assert claim.id in JUDGES
        assert claim.cell in cells[claim.notebook], claim.id


@pytest.mark.parametrize(
    ("name", "quote", "verdict"),
    [
        ("staged-rule-start", "k = 5", "refuted"),
        ("staged-defensive-stage", "value = state.a_fin * 0.75 - state.b_fin * 2", "refuted"),
        ("staged-offensive-stage", "value = state.a_fin * 1 - state.b_fin * 0.7", "refuted"),
        ("staged-simple-difference", "could be just 2: state.a_fin - state.b_fin * 2", "refuted"),
        ("staged-threshold-12", "until 13 (13 since 13 = 39/3)", "refuted"),
        ("staged-at-exactly-12", "once > 11", "reproduced"),
        ("staged-own-empty", "if state.a.count(0) > 3:", "refuted"),
        ("staged-opp-empty", "if state.b.count(0) > 4:", "refuted"),
        ("staged-five-games", "Out of 6 games", "refuted"),
        ("staged-min-is-alpha", "chosen is -1.25", "refuted"),
        ("staged-depth-3", "a depth of 2", "reproduced"),
        ("staged-one-second", "t to 500 ms", "refuted"),
        ("staged-rule-capture", "if the opposite hole is not empty", "reproduced"),
        ("staged-opponent", "I let it play against the simple heuristic", "reproduced"),
        ("staged-result-line-3", "AI won (4 times Win, 1 Lose)", "refuted"),
        ("staged-result-line-7", "AI won (5 times Win)", "reproduced"),
    ],
)
def test_another_sentence_is_judged_otherwise(name: str, quote: str, verdict: str) -> None:
    assert judged(name) != verdict
    assert judged(name, quote=quote) == verdict


@pytest.mark.parametrize("name", ["staged-worked-b0", "staged-leaf-b0-a3", "staged-leaf-b1-a1"])
def test_a_node_that_is_not_as_printed_is_refuted(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert judged(name) == "reproduced"
    rows = [row | {"board": (0,) * 14} for row in staged.printed_tree()]
    monkeypatch.setattr(staged, "printed_tree", lambda: rows)
    assert judged(name) == "refuted"


def test_a_match_of_the_stages_is_judged_by_its_points(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "staged-defensive-first"
    for points, verdict in (
        ((0.25, 0.25, 0.25), "refuted"),
        ((0.75, 0.75, 0.75), "reproduced"),
        ((0.75, 0.25, 0.25), "not decided by what is printed"),
    ):
        found = {
            ties: [each, each + 0.25] * 20
            for ties, each in zip(("at random", "pit order", "store first"), points, strict=True)
        }
        monkeypatch.setattr(staged, "without_stages", lambda found=found: found)
        assert judged(name) == verdict


def test_records_that_chance_does_not_explain_are_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"depth": 3, "wins": 50, "losses": 5, "draws": 0}]
    monkeypatch.setattr(staged.paper, "records", lambda name: rows)
    assert judged("staged-record-complex-3") == "reproduced"
    monkeypatch.setattr(staged.paper, "p_of_records", lambda: 0.01)
    assert judged("staged-complex-beats-simple") == "refuted", "as many points as the other"


def test_a_claim_is_a_row_of_the_file() -> None:
    assert len(CLAIMS) == 52
    assert all(isinstance(claim, Claim) for claim in CLAIMS.values())
