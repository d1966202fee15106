"""The tour of the explorer, in a browser: it is offered once, by mouse and by keyboard."""

from ui import NARROW, press, said, step, violations

from kalahlab.games.hand_tree import AIMA_5_2
from kalahlab.widgets.explorer import explore

READY = "() => globalThis.ready === 1"


def test_the_tour_is_offered_once_shown_by_keyboard_and_taken_again(show, axe):
    shown = show(explore(AIMA_5_2, depth=9, step=5))
    offer, card = shown.locator(".kx-offer"), shown.get_by_role("dialog", name="Tour")
    assert offer.is_visible()
    assert not card.is_visible()
    press(shown, "Tour of two minutes")
    stops = int(card.locator("span").inner_text().removeprefix("1 of "))
    words = []
    for place in range(1, stops + 1):
        assert card.locator("span").inner_text() == f"{place} of {stops}"
        assert shown.locator(".kx .pointed:visible").count() == 1
        words += card.locator("p").inner_text().split()
        if place == 3:
            assert said(shown).startswith("Cut.")
            assert violations(shown, axe) == []
        shown.keyboard.press("Enter")  # the button that goes on has the focus
    assert stops > 6
    assert len(words) < 2 * 130, "what is read slowly in two minutes"
    assert not card.is_visible()
    assert step(shown) == 5, "where the reader was"
    shown.reload()
    shown.wait_for_function(READY)
    assert not offer.is_visible(), "it is remembered"
    press(shown, "Tour")
    shown.keyboard.press("Escape")
    assert not card.is_visible()
    assert shown.locator(".pointed").count() == 0


def test_who_declines_is_not_asked_again_and_a_tour_without_cuts_is_shorter(show):
    shown = show(explore(AIMA_5_2, depth=9, algorithm="minimax"), viewport=NARROW)
    press(shown, "No, thank you")
    shown.reload()
    shown.wait_for_function(READY)
    assert not shown.locator(".kx-offer").is_visible()
    press(shown, "Tour")
    assert shown.get_by_role("dialog").locator("span").inner_text() == "1 of 6"
    assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
