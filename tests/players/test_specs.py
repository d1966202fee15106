"""Texts of players and descriptions of searches: their parts, and names that are looked up once."""

import pickle
from dataclasses import replace

import pytest

from kalahlab.evaluators.kalah import EVALUATORS, e1, e3
from kalahlab.games.kalah import Kalah
from kalahlab.names import IMPORTED
from kalahlab.players.parse import PlayerSpec, make_player
from kalahlab.players.search_spec import SearchSpec
from kalahlab.search import ALGORITHMS

PARTS = {
    "random": PlayerSpec("random", "random"),
    "level3:7": PlayerSpec("level3:7", "level3", ("7",)),
    "script:6,2": PlayerSpec("script:6,2", "script", ("6,2",)),
    "mine.first": PlayerSpec("mine.first", "mine.first"),
    "scout:e3:9n:turn:static:ties=7@engine": PlayerSpec(
        "scout:e3:9n:turn:static:ties=7@engine",
        "scout",
        ("e3", "9n", "turn", "static"),
        ties="7",
        backend="engine",
    ),
    "scout:e3:6@": PlayerSpec("scout:e3:6@", "scout", ("e3", "6")),
}


@pytest.mark.parametrize("text", PARTS)
def test_the_text_of_a_player_is_split_into_its_parts(text):
    spec = PlayerSpec.parse(text)
    assert spec == PARTS[text]
    assert spec.is_import_path == (text == "mine.first")
    assert spec.has_search_options == ("ties" in text)


@pytest.mark.parametrize("text", ["random:1:2", "random:1@engine", "level3:1:ties=2", "script"])
def test_players_without_a_search_have_no_parts_of_one(text):
    name = text.partition(":")[0]
    with pytest.raises(ValueError, match=f"^player '{text}' is not {name}"):
        make_player(text)


def test_a_search_has_the_functions_that_its_names_had_first(monkeypatch):
    monkeypatch.setitem(EVALUATORS, "mine", e1)
    spec = SearchSpec("alpha_beta", "mine", backend="textbook")
    monkeypatch.setitem(EVALUATORS, "mine", e3)
    assert spec.search_args(Kalah(), 1)[0] is e1
    assert replace(spec).search_args(Kalah(), 1)[0] is e3


def test_a_pickled_search_has_names_only_and_finds_its_functions_when_it_is_used(monkeypatch):
    monkeypatch.setitem(IMPORTED, ("evaluator", "absent.f"), lambda board, player: board[0])
    spec = SearchSpec("scout", "absent.f", order="static", backend="textbook", ties=3)
    data = pickle.dumps(spec)
    monkeypatch.delitem(IMPORTED, ("evaluator", "absent.f"))
    copy = pickle.loads(data)
    assert copy == spec
    with pytest.raises(ValueError, match=r"unknown evaluator 'absent\.f'"):
        copy.search_args(Kalah(), 1)
    monkeypatch.setitem(IMPORTED, ("evaluator", "absent.f"), e3)
    assert copy.search_args(Kalah(), 1)[0] is e3
    assert copy.searcher is ALGORITHMS["scout"]
