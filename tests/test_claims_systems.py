"""Judges of the homework, Betsy and the cards: told something else, they find something else."""

import pytest

from kalahlab.claims import betsy, cards, homework
from kalahlab.claims.ledger import claims
from kalahlab.claims.model import JUDGES, Claim

MODULES = {"homework": homework, "betsy": betsy, "cards": cards}
OWN = {claim.id: claim for claim in claims(list(MODULES))}


def test_each_claim_has_a_judge_in_its_documents_module() -> None:
    for claim in OWN.values():
        assert JUDGES[claim.id].__module__ == MODULES[claim.source].__name__, claim.id


@pytest.mark.parametrize(
    ("name", "quote", "as_printed", "then"),
    [
        ("betsy-leaf-weights", "with weights 1, 0, 0", "not defined", "reproduced"),
        ("cards-max-node", "max_node is 500", "not defined", "reproduced"),
        ("homework-depth-unit", "depth is always 1 turn", "not defined", "reproduced"),
        ("homework-ties-list", "B2, B3, B4, B5, B6, B7", "reproduced with a slip", "reproduced"),
        ("cards-16-times-5", "15*5 branch factors", "reproduced", "refuted"),
        ("betsy-minvalue-betas", "values of alpha.", "reproduced with a slip", "reproduced"),
    ],
)
def test_the_words_decide_where_the_words_are_the_claim(
    name: str, quote: str, as_printed: str, then: str
) -> None:
    claim: Claim = OWN[name]
    assert JUDGES[name](claim).verdict == as_printed
    assert JUDGES[name](claim._replace(quote=quote)).verdict == then


def test_a_reason_is_short_and_computed_from_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a rule of the game is changed, the judge of that rule says so."""
    claim = OWN["homework-ties"]
    assert JUDGES[claim.id](claim).verdict == "reproduced"
    tied = homework.study.ties().replace("B2", "B4")
    monkeypatch.setattr(homework.study, "ties", lambda: tied)
    assert JUDGES[claim.id](claim).verdict == "refuted"
    claim = OWN["cards-root-window"]
    monkeypatch.setattr(cards, "INFINITE", 10)
    assert JUDGES[claim.id](claim).verdict == "refuted"
