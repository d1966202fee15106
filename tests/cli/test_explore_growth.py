"""`kalahlab explore` with a search that grows a tree."""

import json

import pytest

from kalahlab.games.kalah import Kalah
from kalahlab.search.growing import PLAYOUTS, uct
from kalahlab.search.limits import Playouts

SMALL = ("explore", "--pits", "3", "--stones", "2")


@pytest.mark.parametrize("algorithm", ["uct", "proof-number", "best_first", "dynamic_ordering"])
def test_a_page_of_a_search_that_grows_a_tree_is_written(run, tmp_path, algorithm):
    page = tmp_path / "page.html"
    status, out, _ = run(*SMALL, "--algorithm", algorithm, "--out", str(page))
    assert status == 0
    assert out.startswith(f"open {page} (")
    assert "<noscript>" in page.read_text(encoding="utf-8")


def test_the_limit_and_the_seed_are_those_of_the_search(run, tmp_path):
    words = ("--algorithm", "uct", "--playouts", "90", "--option", "seed=7", "--json")
    answer = json.loads(run(*SMALL, *words, "--out", str(tmp_path / "page.html"))[1])
    game = Kalah(3, 2)
    result = uct(game, game.start(), PLAYOUTS["random"], Playouts(90), seed=7)
    assert answer["nodes"] == result.counts.generated + 1
    assert answer["iterations"] == 90
    assert (answer["algorithm"], answer["depth"]) == ("uct", "90p")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--algorithm uct --depth 3", "UCT cannot keep the limit 3; it takes"),
        ("--algorithm uct --beside minimax", "uct has no --beside; it has --leaf-value"),
        ("--algorithm uct --evaluator e1", "uct has no --evaluator; it has --leaf-value"),
        ("--algorithm uct --live", "a page cannot search by uct; leave out --live"),
        ("--algorithm uct --playouts 50000", "playouts is 50000; use 20000 or less"),
        ("--algorithm dynamic_ordering --depth 8", "depth is 8; use 7 or less"),
        ("--algorithm uct --playouts 5 --nodes 5", "both limit the search; use one"),
        ("--algorithm uct --leaf-value guess", "unknown leaf 'guess'; use a playout or"),
        ("--algorithm uct --option d=5", "unknown option 'd=5'; write NAME=VALUE"),
        ("--playouts 5", "a page shows alpha_beta to a depth; use --depth"),
    ],
)
def test_an_option_that_the_search_does_not_have_is_refused(run, tmp_path, words, message):
    status, _, error = run(*SMALL, *words.split(), "--out", str(tmp_path / "page.html"))
    assert status == 2
    assert message in error


POLICY = """
from kalahlab.search.growing.uct import UCT

class Greedy(UCT):
    def appeal(self, maximizing, parent, child):
        return super().appeal(maximizing, parent, child)[:1]
"""


def test_a_users_policy_is_shown_by_its_import_path(run, tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(POLICY, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    words = ("--algorithm", "mine.Greedy", "--playouts", "40", "--leaf-value", "extra_turn")
    status, out, _ = run(*SMALL, *words, "--option", "c=2", "--out", "page.html")
    assert status == 0
    assert out.startswith("open page.html (40 iterations, ")
