"""What all tests share: the outside oracles, a browser, and hypothesis without chance or clock."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

settings.register_profile("kalahlab", derandomize=True, deadline=None, max_examples=150)
settings.load_profile("kalahlab")

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

ORACLES = Path(__file__).resolve().parents[2] / "shared" / "oracles"


@pytest.fixture(scope="session")
def oracles() -> Path:
    """The folder of cases that others computed. They are read where they lie, never copied."""
    if not ORACLES.is_dir():
        pytest.skip(f"the outside oracles are not at {ORACLES}")
    return ORACLES


QUIET = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]

Opener = Callable[..., AbstractContextManager["Page"]]


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """Debian's Chromium. Tests that want it are skipped where it or playwright is missing."""
    names = ("chromium", "chromium-browser", "google-chrome")
    if not (chromium := next(filter(None, map(shutil.which, names)), None)):
        pytest.skip("no Chromium on the path")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def opened(browser: "Browser") -> Opener:
    """Opens a page that may load files only, and must neither try more nor complain."""

    @contextmanager
    def opened(**options: Any) -> "Iterator[Page]":
        context = browser.new_context(**options)
        page = context.new_page()
        elsewhere: list[str] = []
        complaints: list[str] = []

        def only_files(route: "Route") -> None:
            if route.request.url.startswith(("file:", "data:", "blob:")):
                return route.continue_()
            elsewhere.append(route.request.url)
            return route.abort()

        page.route("**/*", only_files)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        yield page
        context.close()
        assert elsewhere == []
        assert complaints == []

    return opened
