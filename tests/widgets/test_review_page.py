"""The page of a reviewed game, in a real browser."""

import pytest
from playwright.sync_api import expect
from ui import NARROW, WIDE, violations

from kalahlab.games.game_text import GameRecord
from kalahlab.games.kalah import Kalah
from kalahlab.judging.review import reviewed
from kalahlab.play import play_game, random_player
from kalahlab.widgets.explorer import explore
from kalahlab.widgets.review import CARRIED, DEPTH, review_page


@pytest.fixture(scope="module")
def review():
    return reviewed(play_game(Kalah(4, 3), random_player(3), random_player(4)).record(), workers=1)


@pytest.mark.parametrize(("size", "scheme"), [(WIDE, "light"), (NARROW, "dark")])
def test_a_reader_steps_through_a_review_to_the_search_of_a_move(
    review, opened, axe, tmp_path, size, scheme
):
    file = tmp_path / "review.html"
    file.write_text(review_page(review), encoding="utf-8")
    rows = [*review.moves.itertuples()]
    worst = sorted(rows, key=lambda row: -row.regret)[:CARRIED]
    with opened(viewport=size, color_scheme=scheme, reduced_motion="reduce") as shown:
        shown.goto(file.as_uri())
        shown.wait_for_selector(".kx[data-ready]")
        here = shown.locator("[aria-current=step]")
        for text in ("Start: ", f"sows pit {rows[0].pit + 1}", f"sows pit {rows[1].pit + 1}"):
            expect(here).to_contain_text(text)
            shown.keyboard.press("ArrowRight")
        shown.get_by_role("button", name="Go to it").click()
        expect(here).to_contain_text(f"gives up {worst[0].regret:g} stones")
        marked = shown.locator("li[data-marked]")
        numbers = [*review.marked()["number"]]
        assert marked.evaluate_all("rows => rows.map((row) => row.value)") == numbers
        for row in worst[1], worst[0]:
            shown.get_by_role("button", name=f"Search before move {row.number}", exact=True).click()
            expected = explore(row.state, rules=review.record.game.rules, depth=DEPTH)
            full = f"A full search visits {expected.traces[0]['full']} nodes"
            expect(shown.get_by_text(full)).to_be_visible()
        assert shown.evaluate("document.documentElement.scrollWidth") <= size["width"]
        assert violations(shown, axe) == []


def test_a_game_without_moves_has_a_page():
    game = Kalah(2, 1)
    page = review_page(reviewed(GameRecord(game, game.start(), ())))
    assert "Kalah(2, 1)" in page
    assert "All moves" not in page
