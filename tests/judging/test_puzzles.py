"""Puzzles: one move keeps the outcome, and alpha-beta finds it from the difficulty on."""

from functools import reduce

import pytest
from playwright.sync_api import expect
from ui import NARROW, WIDE, violations

from kalahlab import engine
from kalahlab.evaluators.kalah import store_difference
from kalahlab.games.kalah import Kalah, State, stones_in_play
from kalahlab.games.supported import STORED
from kalahlab.judging.puzzles import DEEPEST, find_only_move, make_puzzles
from kalahlab.judging.solved_positions import Sample, SolvedPosition
from kalahlab.report.review_page import puzzles_page
from kalahlab.search import Depth
from kalahlab.solver.solve import solve

SMALL = Sample(pits=4, stones=3, max_stones=12)


@pytest.fixture(scope="module", params=[*STORED])
def collection(request):
    return make_puzzles(8, 1, SMALL, request.param)


def test_one_move_alone_keeps_the_outcome_and_searches_play_it_from_its_difficulty_on(collection):
    for puzzle in collection:
        row, state = puzzle.position, puzzle.position.state
        game, values = Kalah(4, 3, STORED[row.rules]), row.values
        assert solve(state, game.rules, moves=True, workers=1).moves == row.moves
        best = values.pop(puzzle.move)
        assert best >= 0
        assert all(value < 0 if best == 0 else value <= 0 for value in values.values())
        assert stones_in_play(state.board) <= SMALL.max_stones
        depths = range(1, DEEPEST + 1)
        searches = (engine.alpha_beta(game, state, store_difference, Depth(n)) for n in depths)
        plays = [search.move for search in searches]
        steady = [depth for depth in depths if set(plays[depth - 1 :]) == {puzzle.move}]
        assert puzzle.difficulty == (steady[0] if steady else None)
        last = reduce(game.play, puzzle.line, state)
        assert (game.is_over(last), game.margin(last, 0)) == (True, row.value)


def test_the_same_seed_gives_the_same_puzzles_the_easiest_first():
    once, again, other = (make_puzzles(6, seed, SMALL) for seed in (1, 1, 2))
    assert once == again != other
    levels = [puzzle.difficulty or DEEPEST + 1 for puzzle in once]
    assert levels == sorted(levels)
    with pytest.raises(ValueError, match="found"):
        make_puzzles(2, 1, Sample(pits=1, stones=1, max_stones=2))


ONLY = [((2, 0, -2), 0), ((0, None, -2), 0), ((2, 4, -2), None), ((-2, -4, -6), None)]
ONLY += [((2, None, None), None), ((0, 0, -2), None)]


@pytest.mark.parametrize(("moves", "only"), ONLY)
def test_a_puzzle_has_one_move_that_keeps_the_outcome(moves, only):
    assert find_only_move(SolvedPosition("standard", State((1,) * 8, 0), moves)) == only


def test_the_page_judges_each_move_and_has_no_script(collection):
    page = puzzles_page(collection, 1)
    assert "default-src 'none'" in page
    assert "<script" not in page
    moves = sum(len(puzzle.position.values) for puzzle in collection)
    assert (page.count("<img"), page.count("<input")) == (2 * len(collection), moves)
    assert page.count("<p>Right.") == len(collection)
    assert page.count("<p>Wrong.") == moves - len(collection)


# Puzzles are alike: four are answered, and on the second screen two, whose answers fit it, too.
SCREENS = [(WIDE, "light", 4), (NARROW, "dark", 2)]


def test_a_click_on_a_pit_is_answered(collection, open_page, axe, tmp_path):
    file = tmp_path / "puzzles.html"
    file.write_text(puzzles_page(collection, 1), encoding="utf-8")
    with open_page() as page:
        for size, scheme, count in SCREENS:
            page.set_viewport_size(size)
            page.emulate_media(color_scheme=scheme)
            page.goto(file.as_uri())
            for number, puzzle in enumerate(collection[:count], start=1):
                group = page.get_by_role("group", name=f"Puzzle {number}", exact=True)
                answers = group.get_by_role("status").locator("p:visible")
                for pit in puzzle.position.values:
                    group.get_by_role("radio", name=f"Pit {pit + 1}").click()
                    answer = "Right." if pit == puzzle.move else "Wrong."
                    expect(answers).to_contain_text(answer)
                page.keyboard.press("ArrowLeft")
                expect(answers).to_have_count(1)
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
            assert violations(page, axe) == []
