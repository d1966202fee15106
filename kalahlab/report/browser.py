"""The browser that prints the report and runs the tests: that of the system, or a fetched one.

`python -m kalahlab.report.browser` fetches a Chromium without windows if none is on the path.
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

# Tried in this order: chromium-headless-shell needs a quarter of the processor time of the others.
# The names of Chromium are on the first line, those of Chrome on the second.
NAMES = (
    *("chromium-headless-shell", "chromium", "chromium-browser"),
    *("google-chrome", "google-chrome-stable", "chrome"),
)
VERSION = "153.0.0"
SHA256 = "20e5656fcdcf4118ede85edfb9d6bb9cc1bbb7ffb8b75622fffbcf36a835c3c0"
FOLDER = Path(sys.prefix) / "share" / f"chromium-{VERSION}"
START = Path(__file__).with_name("headless-shell.sh")


def find_browser() -> str:
    """Return the path of the browser: of KALAHLAB_BROWSER, else one on the path, else the fetched.

    Raise ValueError if no browser is found; a wrong KALAHLAB_BROWSER is not replaced by another.
    """
    user_choice = os.environ.get("KALAHLAB_BROWSER")
    fetched = map(str, FOLDER.rglob("*headless?shell*"))
    for name in [user_choice] if user_choice else [*NAMES, *fetched]:
        path = shutil.which(name)  # a path is returned as it is, if it can be executed
        if path:
            return path
    missing = "there is no Chromium or Chrome"
    if user_choice:
        missing = f"there is no browser {user_choice!r}"
    raise ValueError(
        f"{missing}; fetch one with `{sys.executable} -m kalahlab.report.browser`, or name one in "
        "the variable KALAHLAB_BROWSER"
    )


@contextmanager
def launch_browser(**options: Any) -> Iterator[Browser]:
    """Launch the browser of `find_browser`, yield it, and close it."""
    # The node of playwright needs a library that Debian may not have.
    os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", npm.node() or "node")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), **options)
        yield browser
        browser.close()


def fetch() -> None:
    """Fetch a Chromium; raise OSError or CalledProcessError if that fails or it does not start."""
    if (platform.system(), platform.machine()) == ("Linux", "x86_64"):
        # This package contains a Chromium for this kind of system only.
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
        files["fonts.conf"] = fonts.encode()  # the file in the archive is for another system
        npm.replace_folder(FOLDER, files, programs=("chromium", "headless-shell"))
    else:
        env = os.environ | {"PLAYWRIGHT_BROWSERS_PATH": str(FOLDER)}
        command = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
        subprocess.run(command, env=env, check=True)
    subprocess.run([find_browser(), "--version"], check=True)


def main() -> None:
    """Fetch a Chromium if there is no browser."""
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
