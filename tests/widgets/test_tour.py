"""The tour of the explorer, in a browser: it is offered once, by mouse and by keyboard."""

from pathlib import Path
from typing import TYPE_CHECKING

from conftest import Opener

from kalahlab.games.hand_tree import AIMA_5_2
from kalahlab.widgets.explorer import explore

if TYPE_CHECKING:
    from playwright.sync_api import Page

STEP = "document.querySelector('.kx').explorer.clock.k"


def ready(shown: "Page", file: Path) -> None:
    shown.goto(file.as_uri())
    shown.wait_for_selector(".kx[data-ready]")


def test_the_tour_is_offered_once_shown_by_keyboard_and_taken_again(
    opened: Opener, tmp_path: Path, axe: str
) -> None:
    file = tmp_path / "explorer.html"
    file.write_text(explore(AIMA_5_2, depth=9, step=5).page(), encoding="utf-8")
    with opened(reduced_motion="reduce", viewport={"width": 1280, "height": 900}) as shown:
        ready(shown, file)
        offer, card = shown.locator(".kx-offer"), shown.get_by_role("dialog", name="Tour")
        assert offer.is_visible()
        assert not card.is_visible()
        shown.get_by_role("button", name="Tour of two minutes").click()
        stops = int(card.locator("span").inner_text().removeprefix("1 of "))
        assert stops == 10, "no form without Python, and the rest is there"
        words = []
        for place in range(1, stops + 1):
            assert card.locator("span").inner_text() == f"{place} of {stops}"
            assert shown.locator(".kx .pointed:visible").count() == 1
            words += card.locator("p").inner_text().split()
            if place == 3:
                assert shown.locator(".kx-say").inner_text().startswith("Cut.")
                shown.evaluate(axe)
                found = shown.evaluate("axe.run(document).then((result) => result.violations)")
                assert [each["id"] for each in found] == []
            shown.keyboard.press("Enter")  # the button that goes on has the focus
        assert len(words) < 2 * 130, "what is read slowly in two minutes"
        assert not card.is_visible()
        assert shown.evaluate(STEP) == 5, "where the reader was"
        ready(shown, file)
        assert not offer.is_visible(), "it is remembered"
        shown.get_by_role("button", name="Tour", exact=True).click()
        shown.keyboard.press("Escape")
        assert not card.is_visible()
        assert shown.locator(".pointed").count() == 0


def test_who_declines_is_not_asked_again_and_a_search_without_cuts_has_a_shorter_tour(
    opened: Opener, tmp_path: Path
) -> None:
    file = tmp_path / "explorer.html"
    file.write_text(explore(AIMA_5_2, depth=9, algorithm="minimax").page(), encoding="utf-8")
    with opened(viewport={"width": 390, "height": 900}) as shown:
        ready(shown, file)
        shown.get_by_role("button", name="No, thank you").click()
        ready(shown, file)
        assert not shown.locator(".kx-offer").is_visible()
        shown.get_by_role("button", name="Tour", exact=True).click()
        assert shown.get_by_role("dialog").locator("span").inner_text() == "1 of 6"
        assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
