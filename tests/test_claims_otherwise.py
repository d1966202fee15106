"""Judges are told something else, and find something else: no verdict is known by heart."""

import pandas as pd
import pytest

from kalahlab.claims import cards, cs5329_study, homework, staged
from kalahlab.claims import cs5329_rules as rules
from kalahlab.claims import cs5329_search as search
from kalahlab.claims.ledger import claims, judge
from kalahlab.evaluators.tree import written_value
from kalahlab.games.hand_tree import SEVEN_STEPS, HandTree, with_leaf
from kalahlab.published import comparison
from kalahlab.search import Depth, alpha_beta
from kalahlab.trace import record

CLAIMS = {claim.id: claim for claim in claims()}


def judged(name: str, **changed: str) -> str:
    return judge(CLAIMS[name]._replace(**changed)).verdict


@pytest.fixture
def fresh():
    """Nothing is remembered of a printed table that a test changed."""
    cs5329_study.table.cache_clear()
    yield
    cs5329_study.table.cache_clear()


@pytest.mark.parametrize(
    ("name", "quote", "verdict"),
    [
        ("cs5329-solved-1", "1 D L W L W W", "refuted"),
        ("cs5329-minimax-time", "is O(b^m)", "reproduced"),
        ("cs5329-minimax-steps", "Set NEW-VALUE to -VALUE(RESULT-SUCC).", "reproduced"),
        ("cs5329-minmax-ab-step-4a", "OPPOSITE (Player)", "reproduced"),
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
        ("betsy-leaf-weights", "with weights 1, 0, 0", "reproduced"),
        ("betsy-minvalue-betas", "values of alpha.", "reproduced"),
        ("cards-max-node", "max_node is 500", "reproduced"),
        ("cards-16-times-5", "15*5 branch factors", "refuted"),
        ("homework-depth-unit", "depth is always 1 turn", "reproduced"),
        ("homework-ties-list", "B2, B3, B4, B5, B6, B7", "reproduced"),
    ],
)
def test_another_sentence_is_judged_otherwise(name: str, quote: str, verdict: str) -> None:
    assert judged(name) != verdict
    assert judged(name, quote=quote) == verdict


@pytest.mark.parametrize(
    ("name", "of", "verdict"),
    [
        ("cs5329-alpha-6", "MAX", "reproduced"),
        ("cs5329-one-more-ply-cures", "", "reproduced"),
        ("cs5329-e3-time-all-scenarios", "generated", "refuted"),
        ("cs5329-follows-textbook-ab", "AlphaBetaSearch pit-in-value-field", "reproduced"),
        ("homework-rule-capture", "as on this page / as on this page", "refuted"),
        ("homework-alpha-beta-figure", "minimax 7", "refuted"),
        ("staged-offensive-stage", "defensive", "refuted"),
        ("cards-worse-move", "", "reproduced"),
    ],
)
def test_a_judge_looks_at_what_the_file_says(name: str, of: str, verdict: str) -> None:
    assert judged(name, of=of) == verdict


# --- the CS5329 report ------------------------------------------------------------------


def test_solved_games_are_judged_by_their_letters(monkeypatch) -> None:
    assert judged("cs5329-solved-1") == "reproduced"
    table = rules.solved()
    turned = table.assign(**{"empty-capture": table["standard"]})
    monkeypatch.setattr(rules, "solved", lambda: turned)
    assert judged("cs5329-solved-5") == "refuted"
    assert judged("cs5329-solved-which-rules") == "refuted"
    proved = rules.s04_solved.largest()
    for bounds, verdict in (
        ((2, 72), "reproduced"), ((2, 2), "reproduced"), ((-2, -2), "refuted"),
        ((-72, 4), "open"),
    ):  # fmt: skip
        known = proved | {"empty-capture": rules.s04_solved.Proved(*bounds, 1, 1)}
        monkeypatch.setattr(rules.s04_solved, "largest", lambda known=known: known)
        assert judged("cs5329-solved-6-6") == verdict


def test_the_first_player_would_always_win_in_a_table_of_wins(monkeypatch) -> None:
    rows = [{"cs5329": "W"}] * 36
    monkeypatch.setattr(rules, "solved_published", lambda: rows)
    assert judged("cs5329-first-player-always-wins") == "reproduced"


def test_depth_is_judged_by_what_it_saves(monkeypatch) -> None:
    frame = rules.depths()
    turned = frame.assign(depth=5 - frame["depth"])
    monkeypatch.setattr(rules, "depths", lambda: turned)
    assert judged("cs5329-further-the-better") == "refuted"
    assert judged("cs5329-more-plies-better") == "refuted"
    monkeypatch.setattr(rules, "depths", lambda: frame.assign(regret=frame["position"]))
    assert judged("cs5329-further-the-better") == "open"


def test_a_step_that_is_not_so_is_refuted(monkeypatch) -> None:
    tree = with_leaf(SEVEN_STEPS.root, (1, 0, 0), 9)  # D is worth more than 0
    trace = record(alpha_beta, HandTree(tree), tree, written_value, Depth(9))
    monkeypatch.setattr(search, "by_hand", lambda tree: trace)
    assert judged("cs5329-step-5") == "refuted"
    assert judged("cs5329-step-1") == "reproduced"


def test_orders_and_leaves_are_judged_by_their_numbers(monkeypatch) -> None:
    every = {"minimax": [4, 16, 64, 256], "anti_oracle": [4, 15, 60, 200]}
    monkeypatch.setattr(search, "leaves", lambda: every | {"oracle": [4, 16, 64, 256]})
    assert judged("cs5329-worst-order") == judged("cs5329-ideal-order") == "refuted"
    assert judged("cs5329-exponent-half") == judged("cs5329-exponential-savings") == "refuted"
    assert judged("cs5329-bd-nodes") == "reproduced with a slip"
    flat = pd.DataFrame({"algorithm": "alpha_beta", "order": ["a", "b"], "depth": 5, "visited": 9})
    monkeypatch.setattr(search, "kalah", lambda: flat)
    assert judged("cs5329-order-matters") == "refuted"


def test_a_row_that_does_not_come_out_is_refuted(monkeypatch, fresh) -> None:
    rows = comparison.printed_table()
    rows[1]["expanded"] += 1
    monkeypatch.setattr(comparison, "printed_table", lambda: rows)
    for name in ("row-mab-e2-d2", "chart-1-nodes-d2", "e2-formula"):
        assert judged(f"cs5329-{name}") == "refuted"
    assert judged("cs5329-row-mab-e3-d2") == "reproduced"


@pytest.mark.parametrize(
    ("column", "name"),
    [
        ("seconds", "e3-time-all-scenarios"),
        ("generated", "e3-nodes-always-less"),
        ("memory_kb", "e3-memory-always-less"),
    ],
)
def test_e3_would_be_the_best_if_print_said_so(monkeypatch, column, name) -> None:
    rows = [
        row | {column: row[column] / 10 ** (row["evaluation"] == 3)} for row in comparison.rates()
    ]
    monkeypatch.setattr(comparison, "rates", lambda: rows)
    assert judged(f"cs5329-{name}") == "reproduced"


def test_81_bytes_would_be_right_if_a_node_had_them(monkeypatch) -> None:
    monkeypatch.setattr(comparison, "node_bytes", lambda: {"32 bits": 81})
    assert judged("cs5329-81-bytes") == "reproduced"


def test_the_seconds_would_be_decided_if_a_run_took_them_twice(monkeypatch) -> None:
    logs = comparison.transcripts()
    for log in logs:
        log["printed"]["seconds"] = cs5329_study._in_print(log)["seconds"]
    monkeypatch.setattr(cs5329_study, "transcripts", lambda: logs)
    assert judged("cs5329-seconds") == "reproduced"


def test_a_fourth_log_would_be_judged(monkeypatch) -> None:
    logs = [*comparison.transcripts(), comparison.transcripts()[0] | {"evaluation": 4}]
    monkeypatch.setattr(cs5329_study, "transcripts", lambda: logs)
    assert judged("cs5329-output-4") == "reproduced"


def test_the_window_would_be_right_if_more_than_one_line_were_read(monkeypatch) -> None:
    rows = [row | {"expanded_a_move": 9.0} for row in comparison.rates()]
    monkeypatch.setattr(cs5329_study, "rates", lambda: rows)
    assert judged("cs5329-window-inverted") == "reproduced"


# --- the staged evaluator ---------------------------------------------------------------


@pytest.mark.parametrize("name", ["staged-worked-b0", "staged-leaf-b0-a3", "staged-leaf-b1-a1"])
def test_a_node_that_is_not_as_printed_is_refuted(name: str, monkeypatch) -> None:
    assert judged(name) == "reproduced"
    rows = [row | {"board": (0,) * 14} for row in staged.printed_tree()]
    monkeypatch.setattr(staged, "printed_tree", lambda: rows)
    assert judged(name) == "refuted"


@pytest.mark.parametrize(
    ("points", "verdict"),
    [
        ((0.25, 0.25, 0.25), "refuted"),
        ((0.75, 0.75, 0.75), "reproduced"),
        ((0.75, 0.25, 0.25), "open"),
    ],
)
def test_a_match_of_the_stages_is_judged_by_its_points(points, verdict, monkeypatch) -> None:
    ways = zip(("at random", "pit order", "store first"), points, strict=True)
    found = {ties: [each, each + 0.25] * 20 for ties, each in ways}
    monkeypatch.setattr(staged, "without_stages", lambda: found)
    assert judged("staged-defensive-first") == verdict


def test_records_that_chance_does_not_explain_are_decided(monkeypatch) -> None:
    rows = [{"depth": 3, "wins": 50, "losses": 5, "draws": 0}]
    monkeypatch.setattr(staged.paper, "records", lambda name: rows)
    assert judged("staged-record-complex-3") == "reproduced"
    monkeypatch.setattr(staged.paper, "p_of_records", lambda: 0.01)
    assert judged("staged-complex-beats-simple") == "refuted", "as many points as the other"


# --- the homework and the cards ---------------------------------------------------------


def test_where_a_rule_of_the_game_is_changed_its_judge_says_so(monkeypatch) -> None:
    assert judged("homework-ties") == judged("cards-root-window") == "reproduced"
    tied = homework.study.ties().replace("B2", "B4")
    monkeypatch.setattr(homework.study, "ties", lambda: tied)
    assert judged("homework-ties") == "refuted"
    monkeypatch.setattr(cards, "INFINITE", 10)
    assert judged("cards-root-window") == "refuted"
