"""The judges of the CS5329 report's rules and searches: they say the opposite where it is so."""

import re
from pathlib import Path

import pandas as pd
import pytest

from kalahlab.claims import cs5329_rules as rules
from kalahlab.claims import cs5329_search as search
from kalahlab.claims.ledger import claims
from kalahlab.claims.model import JUDGES
from kalahlab.evaluators.tree import written_value
from kalahlab.games.hand_tree import SEVEN_STEPS, HandTree, with_leaf
from kalahlab.search import Depth, alpha_beta
from kalahlab.trace import record

ROOT = Path(__file__).resolve().parents[1]
CLAIMS = {claim.id: claim for claim in claims(["cs5329"])}
MODULES = (rules.__name__, search.__name__)
MINE = [name for name, judge in JUDGES.items() if judge.__module__ in MODULES]


def judged(name, **changes):
    claim = CLAIMS[f"cs5329-{name}"]._replace(**changes)
    return JUDGES[claim.id](claim).verdict


def test_every_claim_of_these_pages_has_a_judge_and_a_cell() -> None:
    pages = ("01", "03", "04", "05", "07", "08", "99")
    ids = {claim.id for claim in CLAIMS.values() if claim.notebook.startswith(pages)}
    assert ids == set(MINE)
    for name in MINE:
        claim = CLAIMS[name]
        text = (ROOT / "notebooks" / f"{claim.notebook}.ipynb").read_text(encoding="utf-8")
        assert f'"id": "{claim.cell}"' in text, name


@pytest.mark.parametrize("name", MINE)
def test_a_verdict_says_why_in_one_line_with_numbers(name: str) -> None:
    verdict = JUDGES[name](CLAIMS[name])
    assert len(verdict.why) < 200
    assert "\n" not in verdict.why
    assert verdict.why.endswith(".")
    assert re.search(r"\d|∞|MIN|chooses", verdict.why), verdict.why


def test_solved_games_are_judged_by_their_letters(monkeypatch) -> None:
    assert judged("solved-1") == "reproduced"
    assert judged("solved-1", quote="1 D L W L W W") == "refuted"
    table = rules.solved()
    turned = table.assign(**{"empty-capture": table["standard"]})
    monkeypatch.setattr(rules, "solved", lambda: turned)
    assert judged("solved-5") == "refuted"
    assert judged("solved-which-rules") == "refuted"
    for value, verdict in ((2, "reproduced"), (-2, "refuted")):
        known = pd.concat([table, table.iloc[:1].rename({1: 6}, level=0).rename({1: 6}, level=1)])
        known.loc[(6, 6), "empty-capture"] = value
        monkeypatch.setattr(rules, "solved", lambda known=known: known)
        assert judged("solved-6-6") == verdict


def test_the_first_player_would_always_win_in_a_table_of_wins(monkeypatch) -> None:
    rows = [{"cs5329": "W"}] * 36
    monkeypatch.setattr(rules, "solved_published", lambda: rows)
    assert judged("first-player-always-wins") == "reproduced"


def test_depth_is_judged_by_what_it_saves(monkeypatch) -> None:
    frame = rules.depths()
    turned = frame.assign(depth=5 - frame["depth"])
    monkeypatch.setattr(rules, "depths", lambda: turned)
    assert judged("further-the-better") == "refuted"
    assert judged("more-plies-better") == "refuted"
    monkeypatch.setattr(rules, "depths", lambda: frame.assign(regret=frame["position"]))
    assert judged("further-the-better") == "not decided by what is printed"


def test_a_step_that_is_not_so_is_refuted(monkeypatch) -> None:
    tree = with_leaf(SEVEN_STEPS.root, (1, 0, 0), 9)  # D is worth more than 0
    trace = record(alpha_beta, HandTree(tree), tree, written_value, Depth(9))
    monkeypatch.setattr(search, "by_hand", lambda tree: trace)
    assert judged("step-5") == "refuted"
    assert judged("step-1") == "reproduced"


def test_a_slip_is_in_the_words_quoted() -> None:
    assert judged("minimax-time") == "reproduced with a slip"
    assert judged("minimax-time", quote="is O(b^m)") == "reproduced"
    assert judged("minimax-steps") == "reproduced with a slip"
    assert judged("minimax-steps", quote="Set NEW-VALUE to -VALUE(RESULT-SUCC).") == "reproduced"
    assert judged("minmax-ab-step-4a") == "reproduced with a slip"
    assert judged("minmax-ab-step-4a", quote="OPPOSITE (Player)") == "reproduced"


def test_orders_and_leaves_are_judged_by_their_numbers(monkeypatch) -> None:
    every = {"minimax": [4, 16, 64, 256], "anti_oracle": [4, 15, 60, 200]}
    monkeypatch.setattr(search, "leaves", lambda: every | {"oracle": [4, 16, 64, 256]})
    assert judged("worst-order") == judged("ideal-order") == "refuted"
    assert judged("exponent-half") == judged("exponential-savings") == "refuted"
    assert judged("bd-nodes") == "reproduced with a slip"
    flat = pd.DataFrame({"algorithm": "alpha_beta", "order": ["a", "b"], "depth": 5, "visited": 9})
    monkeypatch.setattr(search, "kalah", lambda: flat)
    assert judged("order-matters") == "refuted"
