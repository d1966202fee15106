"""The browser that prints the report and runs the tests.

It is a Chromium or Chrome on the path. If there is none, `python -m kalahlab.report.browser`
fetches a Chromium without windows.
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
SHARED = Path("/dev/shm")
ROOM = 1 << 30
"""Bytes that must be free for the browser to keep in `SHARED` what its processes share."""


def find_browser() -> str:
    """Return the path of the browser.

    The browser is the one that the variable KALAHLAB_BROWSER names, or else the first of `NAMES`
    that is on the path, or else the one that `fetch` has fetched.

    Raises:
        ValueError: There is no browser, or none with the name in KALAHLAB_BROWSER.
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
    """Launch the browser, and close it at the end of the context."""
    # The node of playwright needs a library that Debian may not have.
    os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", npm.node() or "node")
    if SHARED.exists() and shutil.disk_usage(SHARED).free >= ROOM:
        # Playwright keeps it in files, since a container may have 64 MB of shared memory only.
        options["ignore_default_args"] = ["--disable-dev-shm-usage"]
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
        # The archive has a fonts.conf, too, but for the folders of another system.
        files["fonts.conf"] = fonts.encode()
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
