"""The browser that prints the report and runs the tests: the machine's, or one that is fetched.

`python -m kalahlab.report.browser` fetches a Chromium without windows where the path has none.
"""

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib
from playwright.sync_api import Browser, sync_playwright

from kalahlab import npm
from kalahlab.report.rendering import render

# The first costs a page a quarter of the processor time.
NAMES = (
    *("chromium-headless-shell", "chromium", "chromium-browser"),
    *("google-chrome", "google-chrome-stable", "chrome"),
)
VERSION = "153.0.0"
SHA256 = "20e5656fcdcf4118ede85edfb9d6bb9cc1bbb7ffb8b75622fffbcf36a835c3c0"
FOLDER = Path(sys.prefix) / "share" / f"chromium-{VERSION}"
START = Path(__file__).with_name("headless-shell.sh")


def find_browser() -> str:
    """What KALAHLAB_BROWSER names, else the path's, else what was fetched; or a `ValueError`."""
    given = os.environ.get("KALAHLAB_BROWSER")
    fetched = map(str, FOLDER.rglob("*headless?shell*"))
    found = map(shutil.which, [given] if given else [*NAMES, *fetched])
    if browser := next(filter(None, found), None):
        return browser
    missing = f"there is no browser {given!r}" if given else "there is no Chromium or Chrome"
    raise ValueError(
        f"{missing}; fetch one with `{sys.executable} -m kalahlab.report.browser`, or name one in "
        "the variable KALAHLAB_BROWSER"
    )


@contextmanager
def driven(**options: Any) -> Iterator[Browser]:
    # The node that playwright brings needs a library that Debian need not have.
    os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", npm.node() or "node")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), **options)
        yield browser
        browser.close()


def fetch() -> None:
    """Fetch a Chromium; `OSError` or `CalledProcessError` if it cannot be had or does not start."""
    if (platform.system(), platform.machine()) == ("Linux", "x86_64"):
        packed = npm.fetch(f"@sparticuz/chromium@{VERSION}", SHA256)
        chromium, *archives = (
            npm.unbrotli(packed[f"package/bin/{name}.br"])
            for name in ("chromium", "al2023.tar", "fonts.tar")
        )
        files = {"chromium": chromium, "headless-shell": START.read_bytes()}
        for archive in archives:
            files |= npm.untar(archive)
        folders = FOLDER / "fonts", Path(matplotlib.get_data_path(), "fonts", "ttf")
        fonts = render("fonts.conf.j2", folders=folders, cache=FOLDER / "cache")
        files["fonts.conf"] = fonts.encode()  # the archive's is for another machine
        npm.keep(FOLDER, files, programs=("chromium", "headless-shell"))
    else:
        env = os.environ | {"PLAYWRIGHT_BROWSERS_PATH": str(FOLDER)}
        words = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
        subprocess.run(words, env=env, check=True)
    subprocess.run([find_browser(), "--version"], check=True)


def main() -> None:
    try:
        find_browser()
    except ValueError:
        print(f"no Chromium on the path: fetching one into {FOLDER}, once", file=sys.stderr)
        try:
            fetch()
        except (OSError, subprocess.CalledProcessError) as error:
            sys.exit(f"no Chromium could be fetched: {error}; install Chromium or Chrome")


if __name__ == "__main__":
    main()
