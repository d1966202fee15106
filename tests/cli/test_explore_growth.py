"""`kalahlab explore` with a search that grows a tree."""

import json

import pytest

from kalahlab.games.kalah import Kalah
from kalahlab.search.growing import PLAYOUTS, uct
from kalahlab.search.limits import Playouts

SMALL = ("explore", "--pits", "3", "--stones", "2")


@pytest.mark.parametrize("algorithm", ["uct", "proof-number", "best_first"])
def test_a_page_of_a_search_that_grows_a_tree_is_written(run, tmp_path, algorithm):
    page = tmp_path / "page.html"
    status, out, _ = run(*SMALL, "--algorithm", algorithm, "--out", str(page))
    assert status == 0
    assert out.startswith(f"open {page} (")
    assert "<noscript>" in page.read_text(encoding="utf-8")


def test_the_limit_and_the_seed_are_those_of_the_search(run, tmp_path):
    words = ("--algorithm", "uct", "--playouts", "90", "--seed", "7", "--json")
    answer = json.loads(run(*SMALL, *words, "--out", str(tmp_path / "page.html"))[1])
    game = Kalah(3, 2)
    result = uct(game, game.start(), PLAYOUTS["random"], Playouts(90), seed=7)
    assert answer["nodes"] == result.counts.generated + 1
    assert answer["iterations"] == 90
    assert (answer["algorithm"], answer["depth"]) == ("uct", "90p")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--algorithm uct --depth 3", "uct has no --depth; leave it out"),
        ("--algorithm uct --beside minimax", "uct has no --beside; leave it out"),
        ("--algorithm uct --live", "a page cannot search by uct; omit --live"),
        ("--algorithm uct --nodes 5", "UCT cannot keep the limit 5n; it takes playouts or seconds"),
        ("--algorithm uct --playouts 50000", "playouts is 50000; use 20000 or less"),
        ("--algorithm uct --playouts 5 --nodes 5", "--playouts and --nodes both set the limit"),
        ("--algorithm uct --evaluator guess", "unknown evaluator 'guess'; use one of random"),
        ("--playouts 5", "alpha_beta has no --playouts; leave it out"),
        ("--seed 5", "alpha_beta has no --seed; leave it out"),
    ],
)
def test_an_option_that_the_search_does_not_have_is_refused(run, tmp_path, words, message):
    status, _, error = run(*SMALL, *words.split(), "--out", str(tmp_path / "page.html"))
    assert status == 2
    assert message in error
