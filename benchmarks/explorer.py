"""Measure the explorer in Chromium: opening, stepping, jumping, panning, and bytes a node.

    python benchmarks/explorer.py [ROUNDS]

If there is a Python for pages, also measure how long it takes to start and to search (6,4) to depth
6. A page is open when its tree is drawn and can be stepped through; "open CPU" continues until the
boards of its positions are drawn, too.

Times are of script, style and layout together, in milliseconds. A busy machine makes them longer:
the table also has the page's CPU time, painting included, a yardstick from the same browser (the
time to make and lay out a thousand SVG groups), and the machine's load. Results are printed and
written to benchmarks/results/explorer.csv.
"""

import os
import sys
import tempfile
from itertools import product
from pathlib import Path
from statistics import median, quantiles
from time import sleep
from typing import Any

import pandas as pd
from playwright.sync_api import Browser, Page

from kalahlab.games.kalah import Kalah
from kalahlab.games.rules import EMPTY_CAPTURE
from kalahlab.report.browser import launch_browser
from kalahlab.search.limits import Playouts
from kalahlab.widgets import runtime
from kalahlab.widgets.explorer import Explorer, explore
from kalahlab.widgets.growth import GrowthExplorer, explore_growth
from kalahlab.widgets.page import RUNTIME

BOARD, DEEP, LARGE = Kalah(6, 4).start(), 9, 8
ITERATIONS = 10_000  # of a search that grows a tree
MOVED = 200
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]

OPENED = "performance.getEntriesByName('explorer-drawn')[0].startTime"

# Moves the clock, forces style and layout, and lets a frame pass before the next.
MOVES = """async ([kind, count]) => {
  const { explorer } = document.querySelector(".kx");
  const { last } = explorer.state;
  const moves = {
    step: () => document.querySelector(".kx-step").click(),
    cut: () => document.querySelector(".kx-cut, .kg-next").click(), // or the next iteration
    jump: (n) => explorer.go((n * 7919 * 31) % last),
  };
  explorer.go(Math.round(last * 0.45));
  const times = [];
  for (let n = 1; n <= count; n++) {
    const began = performance.now();
    moves[kind](n);
    document.querySelector(".kx").getBoundingClientRect();
    times.push(performance.now() - began);
    await new Promise(requestAnimationFrame);
  }
  return times;
}"""

YARDSTICK = """() => {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  document.body.append(svg);
  const began = performance.now();
  for (let n = 0; n < 1000; n++) {
    const group = document.createElementNS(svg.namespaceURI, "g");
    const text = document.createElementNS(svg.namespaceURI, "text");
    text.textContent = n;
    group.append(text);
    group.setAttribute("transform", `translate(${n},${n})`);
    svg.append(group);
  }
  svg.getBoundingClientRect();
  const took = performance.now() - began;
  svg.remove();
  return took;
}"""

# Opens nodes from the root down until a number of items is visible, and sweeps the camera over
# them once they are painted, at `speed` pixels a second: 4000 is a quick drag, a screen in a
# quarter of a second.
PAN = """async ([items, zoom, speed, seconds]) => {
  const { explorer } = document.querySelector(".kx");
  const [pane] = explorer.panes;
  const { t, camera } = pane;
  const byHand = new Map();
  const queue = [0];
  for (let made = 1; queue.length && made < items; ) {
    const i = queue.shift();
    if (t.size[i] === 1) continue;
    byHand.set(i, true);
    for (let c = i + 1; c < i + t.size[i]; c += t.size[c], made++) queue.push(c);
    if (t.flag[i] & 64) made += t.count[t.cutOf[i]]; // a cut
  }
  explorer.act((state) => ({ ...state, k: t.steps, views: [{ ...state.views[0], byHand }] }));
  camera.fit(false);
  camera.zoom(zoom / camera.z);
  for (let n = 0; n < 10; n++) await new Promise(requestAnimationFrame);
  const { x, y } = camera;
  const frames = [];
  let last = await new Promise(requestAnimationFrame);
  for (const began = last; last - began < 1000 * seconds; ) {
    camera.pan(x, y + speed * (seconds / 2 - (last - began) / 1000));
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - last);
    last = now;
  }
  return [pane.layout.items.length, frames];
}"""


# Starts a page's Python and searches: milliseconds until it is up, and from there to the tree.
WAKE = """async (depth) => {
  const until = async (found) => {
    while (!found()) await new Promise((done) => setTimeout(done, 5));
    return performance.now();
  };
  const began = performance.now();
  document.querySelector(".wake button").click();
  const form = () => document.querySelector(".kx[data-ready] .kx-form form");
  const up = await until(form);
  document.querySelector("[name=depth]").value = depth;
  form().requestSubmit();
  const shown = () => document.querySelector(".kx-title").textContent.includes(`depth ${depth} `);
  const done = await until(() => shown() && !document.querySelector(".kx[aria-busy]"));
  return [up - began, done - up];
}"""


def open_page(browser: Browser, file: Path) -> Page:
    page, _ = open_timed(browser, file)
    return page


def open_timed(browser: Browser, file: Path) -> tuple[Page, float]:
    """Open a page; return it once it is ready, and the milliseconds of CPU that this took.

    The page is polled without Playwright's scripts, which would take a tenth of the time.
    """
    page = browser.new_page(viewport={"width": 1600, "height": 900})
    cpu = Cpu(page)
    page.goto(file.as_uri())
    cpu.wait_until("document.querySelector('.kx[data-ready]') !== null")
    return page, cpu.read()


def percentile_95(times: list[float]) -> float:
    return quantiles(times, n=20)[-1]


class Cpu:
    """A clock of the CPU time that a page's main thread has spent."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)
        self._session.send("Performance.enable", {"timeDomain": "threadTicks"})
        self._before = 0.0

    def read(self) -> float:
        """Return the milliseconds since the last call."""
        metrics = self._session.send("Performance.getMetrics")["metrics"]
        [now] = [metric["value"] for metric in metrics if metric["name"] == "TaskDuration"]
        before, self._before = self._before, now
        return 1000 * (now - before)

    def wait_until(self, condition: str) -> None:
        """Wait until a condition in JavaScript holds."""
        params = {"expression": condition}
        while not self._session.send("Runtime.evaluate", params)["result"]["value"]:
            sleep(0.01)


def measure(browser: Browser, file: Path, rounds: int) -> dict[str, float]:
    """Open a page several times, and step through it in three ways."""
    open_times, cpu_times = [], []
    for _ in range(rounds):
        page, cpu_time = open_timed(browser, file)
        open_times.append(page.evaluate(OPENED))
        cpu_times.append(cpu_time)
        page.close()
    page = open_page(browser, file)
    figures: dict[str, float] = {"open": median(open_times), "open CPU": median(cpu_times)}
    figures["yardstick"] = median(page.evaluate(YARDSTICK) for _ in range(9))
    cpu = Cpu(page)
    for kind in ("step", "cut", "jump"):
        cpu.read()
        times = page.evaluate(MOVES, [kind, MOVED])
        figures[f"{kind} median"] = median(times)
        figures[f"{kind} p95"] = percentile_95(times)
        figures[f"{kind} CPU"] = cpu.read() / MOVED
    page.close()
    return figures


def measure_panning(browser: Browser, file: Path) -> dict[str, float]:
    figures: dict[str, float] = {}
    for zoom, speed in product((0.2, 0.3, 0.6, 1.0), (4000, 12000)):
        page = open_page(browser, file)
        figures["items"], frames = page.evaluate(PAN, [8000, zoom, speed, 3])
        name = f"pan at zoom {zoom}, {speed} px/s"
        figures[f"{name}, frames/s"] = 1000 * len(frames) / sum(frames)
        figures[f"{name}, p95"] = percentile_95(frames)
        page.close()
    return figures


def measure_python(browser: Browser, folder: Path) -> dict[str, float]:
    """Start the Python of a page, and search.

    Once only: Chromium continues to compile Pyodide behind the first page, and slows the next.
    """
    if not runtime.is_fetched():
        return {}
    runtime.write_runtime(folder / RUNTIME)
    file = folder / "awake.html"
    asleep = explore(BOARD, depth=2, rules=EMPTY_CAPTURE).page(live="beside")
    file.write_text(asleep, encoding="utf-8")
    page = open_page(browser, file)
    up, traced = page.evaluate(WAKE, 6)
    page.close()
    return {"Python up": up, "trace to depth 6": traced}


def size(explorer: Explorer | GrowthExplorer) -> dict[str, float]:
    [packed] = explorer.traces
    page = len(explorer.page().encode())
    data = 4 / 3 * (len(packed["data"]) + len(packed["positions"]["data"]))
    return {"nodes": packed["nodes"], "bytes a node": data / packed["nodes"], "page kB": page / 1e3}


def main(rounds: int) -> None:
    rows: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder, launch_browser(args=ARGUMENTS) as browser:
        for depth in (LARGE, DEEP):
            explorer = explore(BOARD, depth=depth, rules=EMPTY_CAPTURE)
            file = Path(folder) / f"{depth}.html"
            file.write_text(explorer.page(), encoding="utf-8")
            rows[f"depth {depth}"] = size(explorer) | measure(browser, file, rounds)
        rows[f"depth {DEEP}"] |= measure_panning(browser, file)
        growth = explore_growth(BOARD, limit=Playouts(ITERATIONS))
        file = Path(folder) / "uct.html"
        file.write_text(growth.page(), encoding="utf-8")
        rows[f"uct, {ITERATIONS} playouts"] = size(growth) | measure(browser, file, rounds)
        rows[f"depth {DEEP}"] |= measure_python(browser, Path(folder))
        rows[f"depth {DEEP}"]["load"] = os.getloadavg()[1]
    table = pd.DataFrame(rows).round(2)
    results = Path(__file__).parent / "results"
    results.mkdir(exist_ok=True)
    table.to_csv(results / "explorer.csv", index_label="measure")
    print(table.to_string())


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
