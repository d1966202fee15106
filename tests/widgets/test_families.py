"""Three searches of one position on one page, of which one is shown at a time."""

import pytest
from playwright.sync_api import expect
from ui import NARROW, press, violations

from kalahlab.games.hand_tree import AIMA_5_2
from kalahlab.games.kalah import Kalah
from kalahlab.search.model import Result
from kalahlab.widgets.families import NAMES, explore_families


@pytest.fixture(scope="module")
def families():
    return explore_families(AIMA_5_2, at_least=3)


def test_each_family_searches_the_same_position(families):
    prune, sample, prove = families.explorers
    root = AIMA_5_2.start()
    assert prune.traces[0]["title"] == "Alpha-beta, depth 2"
    for explorer in (sample, prove):
        assert explorer.trace.nodes[0].state == root
    result: Result = prove.trace.result
    assert (result.claim, result.value) == ("at least", 3)


def test_a_question_is_answered_with_no_if_it_is_too_much():
    _, _, prove = explore_families(Kalah(2, 1).start(), at_least=4).explorers
    assert prove.trace.result.claim == "less than"


def test_a_page_shows_one_search_at_a_time(families, open_page, axe):
    with open_page(families.page("Three searches", "no"), viewport=NARROW) as page:
        explorer = page.locator(".kx:visible")
        expect(explorer).to_have_count(1)
        for name, title in zip(NAMES, ("Alpha-beta", "uct", "proof_number"), strict=True):
            press(page, name)
            expect(explorer).to_have_count(1)
            expect(explorer.locator(".kx-title")).to_contain_text(title)
            expect(page.get_by_role("button", pressed=True)).to_have_text(name)
            assert violations(page, axe) == []
            assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]


def test_keys_act_on_the_search_that_is_shown(families, open_page):
    with open_page(families.page("Three searches", "no")) as page:
        for name in NAMES:
            press(page, name)
        press(page, NAMES[1])
        expect(page.locator(".kg[data-ready]")).to_have_count(2)
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("n")
        numbers = "[...document.querySelectorAll('.kg')].map((root) => root.explorer.state.k)"
        sample, prove = page.evaluate(numbers)
        assert sample > 0
        assert prove == 0


def test_a_saved_page_offers_all_searches_again(families, open_page):
    with open_page(families.page("Three searches", "no")) as page:
        press(page, NAMES[2])
        expect(page.locator(".kg[data-ready]:visible")).to_have_count(1)
        html = page.evaluate("document.querySelector('.kg').explorer.model.page()")
    with open_page(html) as page:
        expect(page.get_by_role("group", name="Search").get_by_role("button")).to_have_count(3)
        press(page, NAMES[1])
        expect(page.locator(".kx:visible .kx-title")).to_contain_text("uct")
