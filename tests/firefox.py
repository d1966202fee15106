"""The smoke tests of the widgets in Firefox, where Playwright has one. CI has none and does not run
this.

    python -m playwright install firefox
    python tests/firefox.py
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from kalahlab.report import browser

SMOKE = ("test_explorer_browser.py", "test_board_browser.py", "test_quiz_set.py")
NONE = "there is no Firefox that Playwright can drive; `python -m playwright install firefox`"


@contextmanager
def driven(args: list[str] | None = None, **options: Any) -> Iterator[Browser]:
    """Firefox in place of Chromium, whose arguments it does not know."""
    with sync_playwright() as playwright:
        launched = playwright.firefox.launch(**options)
        yield launched
        launched.close()


def main() -> int:
    with sync_playwright() as playwright:
        if not Path(playwright.firefox.executable_path).is_file():
            print(f"{NONE} fetches one", file=sys.stderr)
            return 2
    browser.driven = driven
    folder = Path(__file__).parent / "widgets"
    return pytest.main(["-q", "-n", "0", *(str(folder / name) for name in SMOKE), *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
