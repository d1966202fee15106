"""The list of the documents' claims, `data/claims.csv`, and the ledger of their verdicts."""

import json
from collections import Counter
from pathlib import Path
from typing import get_args

import nbformat
import pytest

from kalahlab.claims import tables
from kalahlab.claims.ledger import FINDINGS, SOURCES, claims, judge, ledger
from kalahlab.claims.model import JUDGES, Claim, Finding, Verdict, holds, judges

ROOT = Path(__file__).resolve().parents[1]
CLAIMS = claims()


@pytest.fixture(scope="module")
def judged() -> list[tuple[Claim, Verdict]]:
    return [*ledger()]


def test_each_claim_has_a_name_a_place_and_a_cell_that_there_is() -> None:
    books = {
        path.stem: {cell.id for cell in nbformat.read(path, as_version=4).cells}
        for path in (ROOT / "notebooks").glob("*.ipynb")
    }
    assert len({claim.id for claim in CLAIMS}) == len(CLAIMS) >= 300
    for claim in CLAIMS:
        assert claim.id.startswith(claim.source + "-")
        assert all(claim), claim.id
        assert len(claim.quote.split()) <= 25, claim.id
        assert claim.cell in books[claim.notebook], claim.id


def test_each_claim_has_a_judge_and_each_judge_a_claim(
    judged: list[tuple[Claim, Verdict]],
) -> None:
    assert {claim.id for claim in CLAIMS} == {*JUDGES}
    assert all(judge.__doc__ or judge.__name__ for judge in JUDGES.values())
    for claim, verdict in judged:
        assert verdict.verdict in FINDINGS
        assert 20 < len(verdict.why) < 250, claim.id
        assert "\n" not in verdict.why
        assert "nan" not in verdict.why.split(), claim.id


def test_verdicts_are_the_same_each_time_in_any_order(judged: list[tuple[Claim, Verdict]]) -> None:
    assert [judge(claim) for claim, _ in reversed(judged)] == [v for _, v in reversed(judged)]


def test_every_verdict_is_that_of_the_page(judged: list[tuple[Claim, Verdict]]) -> None:
    page = nbformat.read(ROOT / "notebooks" / "99_claims.ipynb", as_version=4)
    html = "".join(
        output.data.get("text/html", "")
        for cell in page.cells
        for output in cell.get("outputs", [])
    )
    for claim, _ in judged:
        assert f'href="{claim.notebook}.ipynb#cell-id={claim.cell}"' in html, claim.id
    shown = Counter({name: html.count(f"<b>{name}</b>") for name in FINDINGS})
    assert shown == Counter(verdict.verdict for _, verdict in judged)


def test_a_claim_has_one_judge() -> None:
    with pytest.raises(ValueError, match="'staged-cpu-clock' has two judges"):
        judges("staged-cpu-clock")(lambda claim: holds(True, "It is."))


def test_a_claim_without_a_judge_is_named() -> None:
    with pytest.raises(LookupError, match="'staged-nothing' has no judge"):
        judge(CLAIMS[0]._replace(id="staged-nothing", source="staged"))


def test_the_answer_names_the_best_and_the_worst_document(
    judged: list[tuple[Claim, Verdict]],
) -> None:
    table = tables.ledger_table(["homework", "cards"])
    assert len(table) == sum(claim.source in ("homework", "cards") for claim in CLAIMS)
    wrong = table.assign(verdict="refuted")
    assert "refuted" in tables.answer(wrong)
    assert "largest share" not in tables.answer(wrong)
    assert f"0 (0%) are reproduced, 0 of them with a slip; {len(wrong)} (100%)" in tables.finding(
        wrong
    )
    half = table.assign(verdict=["not defined", *["reproduced with a slip"] * (len(table) - 1)])
    assert tables.finding(half).endswith("0 (0%) are refuted, and 1 cannot be decided.")
    right = wrong.assign(verdict=wrong["verdict"].mask(wrong["source"] == "cards", "reproduced"))
    told = tables.answer(right)
    assert "that of `cards` (100%), and the smallest that of `homework` (0%)" in told
    assert tables.counts(right).loc["all", "claims"] == len(right)


def test_the_command_prints_them_for_people_and_machines(run, capsys) -> None:
    status, out, _ = run("claims", "--source", "cards", "--json")
    rows = json.loads(out)["claims"]
    assert status == 0
    assert len(rows) == sum(claim.source == "cards" for claim in CLAIMS)
    keys = ["id", "source", "place", "quote", "notebook", "cell", "verdict", "why"]
    assert all(list(row) == keys for row in rows)
    _, out, _ = run("claims", "--source", "cards", "--verdict", "refuted")
    assert out.count(": refuted\n") == sum(row["verdict"] == "refuted" for row in rows) > 0
    assert max(map(len, out.splitlines())) <= 80
    assert set(get_args(Finding)) == set(FINDINGS)
    assert set(SOURCES) == {claim.source for claim in CLAIMS}
