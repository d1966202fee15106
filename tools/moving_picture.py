"""Make the moving picture of README.md: a stepped search and a game, from the real pages.

    .venv/bin/python tools/moving_picture.py

It needs a Chromium, which `make test` fetches if none is on the path.
"""

import io
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Page

from kalahlab.report.browser import launch_browser
from kalahlab.widgets.board import Board
from kalahlab.widgets.explorer import explore

FILE = Path(__file__).parents[1] / "docs" / "step-through.gif"
SIZE = {"width": 860, "height": 900}
COLOURS = 64
GAME = [2, 5, 0, 4, 1, 3, 5, 0]
"""Moves of Kalah(6,4), as pits from 0."""


def search(page: Page) -> Iterator[tuple[bytes, int]]:
    """Yield pictures of the explorer at the cuts, each with its duration in milliseconds."""
    yield page.screenshot(), 1500
    for _ in range(3):
        for _ in range(3):
            page.get_by_role("button", name="Step", exact=True).click()
            yield page.screenshot(), 500
        page.get_by_role("button", name="Next cut").click()
        yield page.screenshot(), 3500


def game(page: Page) -> Iterator[tuple[bytes, int]]:
    """Yield pictures of the board after each move of a game, with their durations."""
    for _ in GAME[1:]:
        yield page.screenshot(), 900
        page.get_by_role("button", name="Redo").click()


def main() -> None:
    """Write the moving picture."""
    explorer = explore("<3,0,0,2,2,2,2,2,2>", depth=3)
    board = Board(6, 4, moves=GAME, values="search", depth=6, animate=False)
    board.value_all()
    board.at = 0
    frames: list[tuple[bytes, int]] = []
    with TemporaryDirectory() as folder, launch_browser(args=["--no-sandbox"]) as browser:
        page = browser.new_page(viewport=SIZE, reduced_motion="reduce")
        for widget, pictures in ((explorer, search), (board, game)):
            file = Path(folder, "page.html")
            file.write_text(widget.page(), encoding="utf-8")
            page.goto(file.as_uri())
            page.wait_for_selector(".kx-say, .kb-log")
            frames += pictures(page)
    first, *rest = [
        Image.open(io.BytesIO(png)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        for png, _ in frames
    ]
    times = [milliseconds for _, milliseconds in frames]
    first.save(FILE, save_all=True, append_images=rest, duration=times, loop=0, optimize=True)
    print(f"{FILE.name}: {len(frames)} pictures, {FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
