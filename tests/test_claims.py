"""The list of the documents' claims, `data/claims.csv`, and the ledger of their verdicts."""

import json
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import get_args

import nbformat
import pytest

from kalahlab.claims import tables as pages
from kalahlab.claims.ledger import FINDINGS, SOURCES, claims, judge, judged, ledger
from kalahlab.claims.model import Claim, Finding, Verdict, every, holds
from kalahlab.words import tables

ROOT = Path(__file__).resolve().parents[1]
CLAIMS = claims()
JUDGED = {module: names for module, names in tables("claims").items() if module != "tables"}


@pytest.fixture(scope="module")
def found() -> list[tuple[Claim, Verdict]]:
    return [*ledger()]


def test_each_claim_has_a_name_a_place_and_a_cell_that_there_is() -> None:
    books = {
        path.stem: {cell.id for cell in nbformat.read(path, as_version=4).cells}
        for path in (ROOT / "notebooks").glob("*.ipynb")
    }
    assert len({claim.id for claim in CLAIMS}) == len(CLAIMS) >= 300
    for claim in CLAIMS:
        assert claim.id.startswith(claim.source + "-")
        assert all(claim._replace(of="none", reviewed="none")), claim.id
        assert len(claim.quote.split()) <= 25, claim.id
        assert claim.cell in books[claim.notebook], claim.id


def test_each_judge_has_a_claim_and_a_sentence_that_is_filled(
    found: list[tuple[Claim, Verdict]],
) -> None:
    named = {f"{module}.{name}" for module, names in JUDGED.items() for name in names}
    assert {claim.judge for claim in CLAIMS} == named
    for claim, (verdict, why) in found:
        module = claim.judge.partition(".")[0]
        assert module.partition("_")[0] == claim.source
        assert getattr(import_module(f"kalahlab.claims.{module}"), claim.judge[len(module) + 1 :])
        assert verdict in FINDINGS
        assert 20 < len(why) < 250, claim.id
        assert why.endswith("."), claim.id
        assert "\n" not in why
        assert "nan" not in why.split(), claim.id
        assert any(map(str.isdigit, why)) or set(why) & {*"∞βBM"}, claim.id


def test_what_becomes_of_the_claims(found: list[tuple[Claim, Verdict]]) -> None:
    of_study = Counter(
        verdict.verdict for claim, verdict in found if claim.notebook == "02_published_study"
    )
    assert of_study == {
        "reproduced": 39,
        "reproduced with a slip": 9,
        "refuted": 33,
        "open": 8,
        "not defined": 4,
    }


@pytest.mark.parametrize(
    ("true", "how", "verdict"),
    [
        (True, {}, "reproduced"),
        (True, {"slip": True}, "reproduced with a slip"),
        (False, {"slip": True}, "refuted"),
        (True, {"slip": True, "decided": False}, "open"),
        (False, {"decided": False, "defined": False}, "not defined"),
    ],
)
def test_a_finding_follows_from_what_is_so(true: bool, how: dict[str, bool], verdict: str) -> None:
    assert holds(true, **how, nodes=7) == (verdict, {"nodes": 7})


def test_every_case_must_be_so_and_there_must_be_one() -> None:
    assert every([1, True], more=3) == ("reproduced", {"true": 2, "cases": 2, "more": 3})
    assert every([True, False]) == ("refuted", {"true": 1, "cases": 2})
    assert every([]).verdict == every([True], also=False).verdict == "refuted"
    assert every([True], slip=True).verdict == "reproduced with a slip"


def test_a_cell_shows_the_claims_that_point_to_it() -> None:
    shown = judged("table-planned")
    assert [row["quote"] for row in shown] == [c.quote for c in CLAIMS if c.cell == "table-planned"]
    assert list(shown[0]) == ["place", "quote", "verdict", "why"]


def test_verdicts_are_the_same_each_time_in_any_order(found: list[tuple[Claim, Verdict]]) -> None:
    assert [judge(claim) for claim, _ in reversed(found)] == [v for _, v in reversed(found)]


def test_every_verdict_is_that_of_the_page(found: list[tuple[Claim, Verdict]]) -> None:
    page = nbformat.read(ROOT / "notebooks" / "99_claims.ipynb", as_version=4)
    html = "".join(
        output.data.get("text/html", "")
        for cell in page.cells
        for output in cell.get("outputs", [])
    )
    for claim, _ in found:
        assert f'href="{claim.notebook}.ipynb#cell-id={claim.cell}"' in html, claim.id
    shown = Counter({name: html.count(f"<b>{name}</b>") for name in FINDINGS})
    assert shown == Counter(verdict.verdict for _, verdict in found)


def test_a_claim_without_a_judge_is_named() -> None:
    for name in ("staged.nothing", "nowhere.clock", ""):
        with pytest.raises(LookupError, match=f"'staged-nothing' has no judge '{name}'"):
            judge(CLAIMS[0]._replace(id="staged-nothing", judge=name))


def test_the_answer_names_the_best_and_the_worst_document() -> None:
    table = pages.ledger_table(["homework", "cards"])
    assert len(table) == sum(claim.source in ("homework", "cards") for claim in CLAIMS)
    wrong = table.assign(verdict="refuted")
    assert "refuted" in pages.answer(wrong)
    assert "largest share" not in pages.answer(wrong)
    assert f"0 (0%) are reproduced, 0 of them with a slip; {len(wrong)} (100%)" in pages.finding(
        wrong
    )
    half = table.assign(verdict=["not defined", *["reproduced with a slip"] * (len(table) - 1)])
    assert pages.finding(half).endswith("0 (0%) are refuted, and 1 cannot be decided.")
    right = wrong.assign(verdict=wrong["verdict"].mask(wrong["source"] == "cards", "reproduced"))
    told = pages.answer(right)
    assert "that of `cards` (100%), and the smallest that of `homework` (0%)" in told
    assert pages.counts(right).loc["all", "claims"] == len(right)


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
