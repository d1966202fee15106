"""Pages that search by themselves: in a real browser, from a file, without a network."""

import base64
import gzip
import json
import random
import re
import shutil
import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event

import pytest
from conftest import jsonl
from playwright.sync_api import expect
from ui import START, ask, is_csp_error, press, send_message

from kalahlab import cli
from kalahlab.games.cards import EXAMPLE
from kalahlab.games.hand_tree import AIMA_5_2
from kalahlab.games.kalah import NAMES, NORTH, SOUTH, Kalah, State
from kalahlab.games.registry import GAMES
from kalahlab.games.rules import EMPTY_CAPTURE, Rules
from kalahlab.players.game_loop import random_position
from kalahlab.search import ALGORITHMS, ORDERS
from kalahlab.solver.exact_solver import open_solver
from kalahlab.widgets import runtime, widget
from kalahlab.widgets.board import Board
from kalahlab.widgets.explorer import Explorer, explore
from kalahlab.widgets.live import open_model
from kalahlab.widgets.models.search_request import SearchRequest
from kalahlab.widgets.page import RUNTIME
from kalahlab.widgets.runtime import MISSING, write_runtime


def traces_match(some, others):
    """Compare packed traces; their columns may be compressed by two versions of zlib."""
    return [*map(unpack, some)] == [*map(unpack, others)]


def unpack(trace):
    facts = {name: value for name, value in trace.items() if name not in ("data", "positions")}
    columns = decompress(trace["data"])
    return json.loads(json.dumps(facts)), columns, decompress(trace["positions"]["data"])


def decompress(data):
    if isinstance(data, dict):
        data = base64.b64decode(data["base64"])
    return gzip.decompress(data)


class PageModel:
    """The model of a view in the Python of a page, with the traits that it has published."""

    def __init__(self, view, stops=False):
        self.published = []
        self._answer = open_model(json.dumps(view.to_recipe()), self._publish, lambda nodes: stops)

    def _publish(self, traits):
        self.published.append(json.loads(traits))

    def ask(self, **request):
        answer = json.loads(self._answer(json.dumps({"id": 1, **request})))
        assert answer["id"] == 1
        return answer


SEARCHES = [
    *({"root": kind.example, "game": name, "beside": "scout"} for name, kind in GAMES.items()),
    {"root": "<6,1,2,4,0,3,1,4,4,0,5,4,4,4,1>", "rules": EMPTY_CAPTURE, "order": "store_first"},
    {"root": "((3 12 8) (2 4 6) ([14 5] 2))", "game": "tree", "algorithm": "scout"},
    {"root": GAMES["betsy"].example, "game": "betsy", "leaf": "turn", "beside": "minimax"},
    {"root": EXAMPLE, "game": "cards"},
    {"root": State((1, 2, 0, 3, 0, 4, 1, 2), 1), "game": Kalah(3, 0)},
]


@pytest.mark.parametrize("search", SEARCHES)
def test_a_search_goes_on_from_its_recipe_and_from_its_link(search):
    request = explore(**search, depth=2).request
    again = SearchRequest.from_link(request.link())
    assert again.query() == request.query()
    assert again.state == request.state
    assert again.traits() == request.traits()
    model = PageModel(explore(START, depth=1))
    assert model.ask(link=request.link())["recipe"] == explore(**search, depth=2).to_recipe()
    assert traces_match(model.published[-1]["traces"], request.traits()["traces"])


def test_a_search_too_long_for_an_address_has_no_link_but_a_recipe():
    assert explore("uniform:9x3:1", game="tree", depth=1).link != ""
    large = explore("uniform:9x4:1", game="tree", algorithm="greedy", depth=150)
    assert large.link == ""
    assert PageModel(large).ask(edit={"path": [0], "name": "x"})["error"] == ""


def test_a_view_with_user_functions_has_no_recipe():
    assert explore(START, evaluator="kalahlab.evaluators.kalah.e3", depth=1).to_recipe() is None
    assert Explorer().to_recipe() is None
    assert Board(north="kalahlab.search.minimax.minimax:e3:1").to_recipe() is None


def test_a_board_is_restored_with_its_review_and_its_step():
    board = Board(4, 3, moves=[0, 3, 2, 1])
    board.review()
    board.at = 2
    traits = {}
    for published in PageModel(board).published:
        traits |= published
    assert traits["record"]["review"] == board.record["review"]
    assert traits["record"]["steps"] == json.loads(json.dumps(board.record["steps"]))
    assert traits["at"] == 2


def test_a_search_that_is_stopped_leaves_a_shallower_one():
    model = PageModel(explore(START, depth=1), stops=True)
    error = model.ask(search={**explore(START, depth=1).form, "depth": "9"})["error"]
    assert error == "Stopped after 512 nodes. This is the search to depth 4."
    assert traces_match(model.published[-1]["traces"], explore(START, depth=4).traces)
    assert model.published[-1]["form"]["depth"] == 4


def begin_request(view, **request):
    """Send a request, and return an event that is set once its search has begun."""
    event = Event()
    view.observe(lambda change: event.set(), "progress")
    event.answers = send_message(view, {"id": 7, **request}, wait=False)
    return event


def test_a_kernel_stops_a_search_and_keeps_a_shallower_one(monkeypatch):
    monkeypatch.setattr(widget, "STOPS_WITHIN", 60)  # however busy the machine is
    explorer = explore(START, depth=1)
    assert begin_request(explorer, search={**explorer.form, "depth": "30"}).wait(60)
    [answer] = send_message(explorer, {"stop": True})
    assert answer["error"].startswith("Stopped after ")
    depth = explorer.form["depth"]
    assert 1 <= depth < 30
    assert traces_match(explorer.traces, explore(START, depth=depth).traces)


@pytest.mark.parametrize("options", [{"north": "minimax:e3:30"}, {"stones": 6, "values": "exact"}])
def test_a_kernel_stops_a_player_and_the_solver(options, monkeypatch):
    monkeypatch.setattr(widget, "STOPS_WITHIN", 60)
    board = Board(**options)
    searching = begin_request(board, ask="play", at=0, index=0)
    assert "values" in options or searching.wait(60)
    stopped = send_message(
        board, {"stop": True}
    )  # on a busy machine the answer may have come before
    assert [answer["id"] for answer in [*searching.answers, *stopped]] == [7]
    assert board.at == 1
    assert board.thinking == ""


def test_a_search_that_cannot_be_stopped_is_abandoned(monkeypatch):
    monkeypatch.setattr(widget, "STOPS_WITHIN", 0.01)
    free, board = Event(), Board(north="random:1")
    board._players = (None, lambda game, state: free.wait(60) and 0)
    begin_request(board, ask="play", at=0, index=0)
    answers = send_message(board, {"stop": True}, wait=False)
    assert answers == [{"id": 7, "error": "Stopped. The engine finishes in the background."}]
    assert len(board.record["steps"]) == 2
    board._players = (None, None)
    send_message(board, {"id": 8, "ask": "play", "at": 1, "index": 7})
    after = board.record
    free.set()
    assert len(after["steps"]) == 3
    assert board.record == after


@contextmanager
def open_alone(open_page, text, folder, name="page.html", link=""):
    """Open a page from a file in a folder; it may load only the runtime in that folder.

    link: the part of the address after `#`.
    """
    file, beside = folder / name, folder / RUNTIME
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    if '"digest":""' not in text:
        write_runtime(beside)
    allowed = (file.as_uri(), beside.as_uri(), "blob:", "data:")
    with open_page(allowed=allowed) as page:
        page.goto(f"{file.as_uri()}#{link}")
        page.wait_for_selector(".kx[data-ready], .kb-pit")
        yield page


WAKE = "Start Python in this page"


@pytest.fixture(scope="module")
def playground(open_page, tmp_path_factory):
    """Open a playground by the link to a game, so that its Python starts.

    It starts twice in this page of 13 megabytes, which takes seconds.
    """
    folder = tmp_path_factory.mktemp("playground")
    file = folder / "playground.html"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["kalahlab", "playground", "--out", str(file)])
        with pytest.raises(SystemExit, match="0"):
            cli.main()
    link, text = "play=pits:4;stones:3;1.%202,4%202&step=2", file.read_text(encoding="utf-8")
    with open_alone(open_page, text, folder, link=link) as page:
        page.wait_for_selector("text=This link leads to a game.")
        expect(page.get_by_role("button", name=WAKE)).to_have_count(0)
        expect(page.get_by_role("alert")).to_have_count(0)
        yield page


def read_visited(page):
    return int(re.sub(r"\D", "", page.locator(".kx-count.visited b").inner_text()))


def test_without_a_runtime_no_page_is_written(run, tmp_path, monkeypatch):
    monkeypatch.setattr(runtime, "FOLDER", tmp_path)
    monkeypatch.setattr(runtime, "load_runtime", runtime.load_runtime.__wrapped__)
    with pytest.raises(ValueError, match=MISSING):
        write_runtime(tmp_path / RUNTIME)
    status, _, err = run("playground", "--out", str(tmp_path / "playground.html"))
    assert (status, err) == (2, f"kalahlab: {MISSING}\n")
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("name", runtime.CHECKSUMS)
def test_a_changed_file_of_the_runtime_is_not_packed(name, tmp_path, monkeypatch):
    for file in runtime.CHECKSUMS:
        shutil.copy(runtime.FOLDER / file, tmp_path)
    data = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(data[: len(data) // 2])
    monkeypatch.setattr(runtime, "FOLDER", tmp_path)
    monkeypatch.setattr(runtime, "load_runtime", runtime.load_runtime.__wrapped__)
    with pytest.raises(ValueError, match=f"{name} is damaged; fetch it with .*runtime`"):
        write_runtime(tmp_path / RUNTIME)
    monkeypatch.setattr("kalahlab.npm.fetch", lambda *args: {f"package/{name}": data})
    monkeypatch.setattr(runtime, "CHECKSUMS", {name: runtime.CHECKSUMS[name]})
    monkeypatch.setattr(runtime, "compile_library", lambda: None)
    runtime.main()
    assert (tmp_path / name).read_bytes() == data


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: b"x" + data[1:]])
def test_a_damaged_compiled_library_is_not_packed(damage, tmp_path, monkeypatch):
    whole = runtime.load_compiled_library()
    assert whole != b"", "node compiled it"
    names = [file.name for file in runtime.FOLDER.glob("compiled-*") if file.read_bytes() == whole]
    file = tmp_path / names[0]
    file.write_bytes(whole)
    monkeypatch.setattr(runtime, "FOLDER", tmp_path)
    assert runtime.load_compiled_library() == whole
    file.write_bytes(damage(whole))
    assert runtime.load_compiled_library() == b""


def stop_a_search(view):
    view.locator(".kx-form summary").click()
    view.locator("[name=position]").fill(START)
    view.locator("[name=depth]").fill("4")
    press(view, "Search")
    expect(view.locator(".kx-title")).to_contain_text("depth 4")
    view.locator("[name=depth]").fill("14")
    press(view, "Search")
    view.locator(r"text=/Searching: \d+,\d+ nodes/").wait_for()
    press(view, "Stop")


def test_a_page_runs_nothing_that_is_beside_it_except_its_runtime(open_page, tmp_path):
    folder, evil = tmp_path / "01_report" / "pages", "document.title = 'evil'"
    folder.mkdir(parents=True)
    file = folder / "explorer.html"
    text = explore(START, depth=2).page(live="beside")
    file.write_text(text, encoding="utf-8")
    packed = json.dumps(dict.fromkeys(("lock", "worker", "asm", "loader", "wasm"), evil))
    (folder / "live.js").write_text(evil)
    style = '#live{--r0:"' + packed.replace('"', "%22") + '"}'
    for place in (folder, tmp_path):
        (place / RUNTIME).write_text(style)
    with open_page(ignored=is_csp_error) as page:
        page.goto(file.as_uri())
        page.wait_for_selector(".kx[data-ready]")
        press(page, WAKE)
        page.wait_for_selector(
            ".wake.failed >> text=made with this page, must be in the same folder"
        )
        page.evaluate("""() => new Promise((done) => {
          const script = Object.assign(document.createElement("script"), { src: "live.js" });
          script.onload = script.onerror = done;
          document.head.append(script);
        })""")
        assert page.title() == "Search explorer"


def test_the_page_of_an_artifact_loads_its_reports_runtime_follows_a_link_and_edits_its_tree(
    open_page, tmp_path
):
    linked, more = (
        explore(f"((3 12 8) (2 4 6){leaf})", game="tree", depth=5) for leaf in ("", " 0")
    )
    text, name = explore(START, depth=2).page(live="beside"), "12_play/pages/page.html"
    with open_alone(open_page, text, tmp_path, name, f"{linked.link}&step=4") as page:
        page.wait_for_selector("[data-wanted] >> text=This link asks for another search.")
        expect(page.get_by_role("progressbar")).to_be_visible()
        expect(page.locator(".kx-stage")).to_be_hidden()  # another search is never shown first
        expect(page.get_by_role("slider", name="Step")).to_have_value("4")
        press(page, "More")
        press(page, "End")
        assert read_visited(page) == linked.traces[0]["nodes"]
        for button, view in (("Add a branch", more), ("Undo", linked)):
            press(page, button)
            address = "link => location.hash.startsWith(`#${link}&`)"
            page.wait_for_function(address, arg=view.link)
            assert read_visited(page) == view.traces[0]["nodes"]


def test_the_playground_is_one_file_that_follows_a_link_plays_and_solves_an_ending(playground):
    """Use more stones than a page searches to the end, or than the solver's database here has."""
    board = Board(4, 3, moves=[1, 3, 1], north="alpha_beta:store_difference:4")
    endings = [
        State((1, 0, 2, 0, 3, 1, 9, 0, 1, 2, 0, 1, 1, 4), SOUTH),
        State((0, 2, 1, 0, 1, 0, 3, 2, 0, 0, 1, 3, 0, 8), NORTH),
    ]
    page = playground
    step = page.locator("[aria-current=step]")
    expect(step).to_contain_text("South sows pit 4")
    press(page, "Redo")
    expect(step).to_contain_text("North sows pit 2")
    page.get_by_role("link", name="To the board").click()
    expect(page.locator(".kalah-board")).to_be_in_viewport()
    press(page, "Sample: UCT")  # in place of the explorer that searches
    page.locator(".kb-pit[aria-disabled=false]").first.click()
    board.play(0)
    for played in board.history.moves:
        expect(page.locator(".kb-moves")).to_contain_text(str(played))
    page.locator(".kb-settings summary").click()
    names = ("Players", "Values", "Another position")
    forms = {name: page.get_by_role("form", name=name) for name in names}
    forms["Players"].get_by_label("North").select_option("person")
    forms["Players"].get_by_role("button").click()
    forms["Values"].get_by_label("Values by").select_option("perfect play")
    forms["Values"].get_by_role("button").click()
    with open_solver(6, Rules(), database_stones=6) as solver:
        for state in endings:
            form = forms["Another position"]
            form.get_by_label("Position").fill(GAMES["kalah"].format(state))
            form.get_by_label("to move").select_option(NAMES[state.player])
            form.get_by_role("button").click()
            values = [*dict(solver.move_values(state)).values()]
            if state.player == NORTH:  # whose pits are shown from right to left
                values.reverse()
            worth = [f"{value:+}".replace("-", "−") if value else "0" for value in values]
            expect(page.locator(".kb-value:not(:empty)")).to_have_text(worth)
    press(page, "Open in the explorer")
    position = f"[name=position][value='{GAMES['kalah'].format(endings[-1])}']"
    page.wait_for_selector(f".kx-form {position}", state="attached")
    expect(page.locator("#widget-0 .kx")).to_be_in_viewport()


def iter_random_forms(number):
    rng = random.Random(15)
    for _ in range(number):
        game = Kalah(rng.randint(2, 6), rng.randint(1, 5), EMPTY_CAPTURE)
        state = random_position(game, rng, rng.randint(0, 20))
        yield {
            "position": GAMES["kalah"].format(state),
            "algorithm": rng.choice([*ALGORITHMS]),
            "order": rng.choice([*ORDERS]),
            "evaluator": rng.choice(["store_difference", "e1", "e3", "e4", "fitted"]),
            "leaf": rng.choice(["sow", "turn"]),
            "depth": str(rng.randint(0, 3)),
        }


ASKED = """async (requests) => {
  const encode = (key, value) =>
    (value instanceof DataView ? { base64: new Uint8Array(value.buffer).toBase64() } : value);
  const { model } = document.querySelector("#widget-0 .kx").explorer;
  const take = model.take;
  const held = {};
  model.take = (traits) => Object.assign(held, traits); // the view need not draw them
  const answers = [];
  const nextAnswer = () => new Promise((done) => {
    const hear = (answer) => {
      model.off("msg:custom", hear);
      done({ ...answer, traces: held.traces });
    };
    model.on("msg:custom", hear);
  });
  for (const request of requests) {
    const answer = nextAnswer();
    model.send(request);
    answers.push(await answer);
  }
  model.take = take;
  return JSON.stringify(answers, encode);
}"""


def test_a_search_is_stopped_in_a_browser_and_others_equal_those_of_cpython(playground):
    base = explore(START, depth=1)
    forms = [base.form | form for form in iter_random_forms(100)]
    press(playground, "Prune: alpha-beta")
    explorer = playground.locator("#widget-0")
    stop_a_search(explorer)
    expect(explorer.get_by_role("alert")).to_contain_text("Stopped after ")
    requests = [{"id": id, "search": form} for id, form in enumerate(forms)]
    answers = json.loads(playground.evaluate(ASKED, requests))
    for form, answer in zip(forms, answers, strict=True):
        assert answer["error"] == "", form
        assert traces_match(answer["traces"], base.request.with_form(form).traits()["traces"])


EVIL = "<img src=x onerror=alert(1)>"
FORM = {**explore(START, depth=1).form, "position": START}
HOSTILE = (
    *({"search": FORM | {"position": f"<{text}>"}} for text in (f"{10**9},0,0", "9" * 999, EVIL)),
    *({"search": FORM | {"depth": text}} for text in ("", "9" * 5000)),
    *({"search": form} for form in ({}, None, {"position": EVIL})),
    *({"edit": {"path": path, "name": EVIL, "value": "1e999"}} for path in ([10**30], EVIL)),
    *({"trace": text, "name": []} for text in ("[" * 100_000, "{}", '{"nodes": 1e999}', 7)),
    {"ask": "set up", "text": f"<1,0,0,{10**12},0>", "mover": "0"},
    {"ask": "players", "south": "os.system", "north": "x" * 10_000},
    {"ask": "play", "at": 10**30, "index": -1},
    {"page": True},
    {},
)


VIEWS = {
    "board": Board,
    "search": partial(explore, "<2,0,0,1,1,1,1>", depth=2, beside="greedy"),
    "tree": partial(explore, AIMA_5_2, depth=9),
    "tree in another order": partial(explore, AIMA_5_2, depth=9, order="static"),
}
REFUSED = jsonl(Path(__file__).with_name("refused.jsonl"))


@pytest.mark.parametrize(("kind", "question", "message"), REFUSED)
def test_a_refused_request_is_explained_and_changes_nothing(kind, question, message, monkeypatch):
    monkeypatch.setattr("kalahlab.widgets.models.search_request.MAX_NODES", 4000)
    view = VIEWS[kind]()
    before = view.page_part()[2]
    form = {} if kind == "board" else view.form
    if "search" in question:
        question = {"search": form | question["search"]}
    error = ask(view, **question)["error"]
    assert message in error
    assert "\n" not in error
    assert view.page_part()[2] | {"progress": 0} == before
    works = {"ask": "play", "at": 0, "index": 2} if kind == "board" else {"search": form}
    assert ask(view, **works)["error"] == "", "it still works"


def test_an_invalid_request_is_refused_with_a_message():
    for view in (explore(START, depth=1), explore(AIMA_5_2, depth=9), Board(4, 3)):
        model = PageModel(view)
        for request in HOSTILE:
            error = model.ask(**request)["error"]
            assert error, request
            assert "\n" not in error


def test_damaged_trace_files_are_refused_with_a_message():
    whole = explore(START, depth=2)
    text = whole.request.run_first()[0].to_json()
    model, rng = PageModel(whole), random.Random(7)
    is_csp_error = 0
    for _ in range(200):
        start, end = sorted(rng.sample(range(len(text)), 2))
        piece = rng.choice(["", "null", "1e999", "-1", "[]", "{}", '"x"', "9" * 400, "\x00"])
        damaged = text[:start] + piece + text[min(end, start + rng.randint(0, 30)) :]
        error = model.ask(trace=damaged, name=EVIL)["error"]
        assert "\n" not in error
        is_csp_error += bool(error)
    assert is_csp_error > 150, "some damage does no harm"


def test_a_site_is_one_folder(run, tmp_path):
    report, api, out = (tmp_path / name for name in ("report", "api", "site"))
    for folder in (report, api):
        (folder / ".building-of-a-build-that-was-killed").mkdir(parents=True)
        (folder / "index.html").write_text("<nav></nav><nav></nav>", encoding="utf-8")
    words = ("site", "--report", str(report), "--api", str(api), "--out", str(out))
    status, _, error = run(*words)
    assert (status, error) == (0, "")
    assert not [*out.rglob(".*")]
    assert (out / "api" / "index.html").is_file()
    index = (out / "index.html").read_text(encoding="utf-8")
    assert index.count("api/index.html") == 1
    status, _, error = run(*words[:4], "none", "--out", str(tmp_path / "less"))
    assert (status, "the site has no API pages: 'none' is missing" in error) == (0, True)
    assert "api/index.html" not in (tmp_path / "less" / "index.html").read_text("utf-8")
    for name in ("playground.html", "first-moves.html"):
        assert (out / name).is_file()
        assert name in index
    assert (out / RUNTIME).is_file()


PICTURES = [
    (explore(START, depth=4), ["South to move", "Alpha-beta, depth 4", "best line"]),
    (Explorer(explore(AIMA_5_2, depth=9).request.run_first()[0]), ["best line"]),
    (explore(GAMES["betsy"].example, game="betsy", depth=2), ["to move", "best line"]),
    (Board(6, 4, moves=[2]), ["South to move"]),
]


@pytest.fixture(scope="module")
def still_page(open_page):
    """Open a page without JavaScript for all pictures."""
    with open_page(java_script_enabled=False) as page:
        yield page


@pytest.fixture(scope="module")
def moving_page(open_page):
    with open_page() as page:
        yield page


@pytest.mark.parametrize(("view", "seen"), PICTURES, ids=["explorer", "trace", "betsy", "board"])
def test_a_page_shows_a_picture_without_javascript_and_keeps_it_with_javascript(
    view, seen, still_page, moving_page, tmp_path
):
    file = tmp_path / "page.html"
    file.write_text(view.page(live="no"), encoding="utf-8")
    for page in (still_page, moving_page):
        page.goto(file.as_uri())
    for width in (390, 1280):
        still_page.set_viewport_size({"width": width, "height": 800})
        boxes = [svg.bounding_box() for svg in still_page.locator("svg").all()]
        assert boxes
        assert all(0 < box["width"] <= width for box in boxes)
    for words in seen:
        assert still_page.locator("text, pre", has_text=words).first.is_visible()
    moving_page.locator(".kx[data-ready], .kb-pit").first.wait_for()
    assert moving_page.locator("main > noscript").count() == 1
    assert moving_page.locator(".wake").count() == 0, "there is no Python to start"
    most = 9000 if isinstance(view, Board) else 18_500
    assert len(view.fallback()) < most, "every page contains it"


@pytest.fixture
def without_messages(monkeypatch):
    """Take JavaScript Promise Integration away, which some browsers do not have."""
    whole = json.loads(runtime.load_runtime())
    text = json.dumps(whole | {"worker": "delete WebAssembly.Suspending;" + whole["worker"]})
    monkeypatch.setattr(runtime, "load_runtime", lambda: text)
    monkeypatch.setattr(runtime, "runtime_digest", runtime.runtime_digest.__wrapped__)


@pytest.mark.usefixtures("without_messages")
def test_a_reader_moves_before_python_runs_which_answers_and_is_stopped_without_messages(
    open_page, tmp_path
):
    board = Board(6, 4, north="alpha_beta:store_difference:2", animate=False)
    file = tmp_path / "page.html"
    file.write_text(board.page(live="beside"), encoding="utf-8")
    with open_page(ignored=lambda message: True) as page:
        page.goto(file.as_uri())
        page.wait_for_selector(".kb-pit")
        expect(page.locator(".kb-legal")).to_have_count(6 + 1)  # one is in the legend
        for index in (2, 5):  # the first one earns another turn
            page.locator(".kb-pit").nth(6 + index).click()  # North's pits are above
            board.play(index)
        expect(page.locator(".kb-moves")).to_contain_text("South sows pit 6")
        page.wait_for_selector(".wake.failed")
        expect(page.locator(".kb-head")).to_contain_text("South sows pit 6. North to move.")
        write_runtime(tmp_path / RUNTIME)
        press(page, WAKE)
        for move in board.history.moves:
            expect(page.locator(".kb-moves")).to_contain_text(str(move))
        expect(page.locator(".kb-moves li")).to_have_count(board.at + 1)
        expect(page.get_by_role("button", name=WAKE)).to_have_count(0)
        page.locator(".kb-settings summary").click()
        players = page.get_by_role("form", name="Players")
        players.get_by_label("South").select_option("search")
        players.locator("[data-side=South]").get_by_label("depth").fill("30")
        players.get_by_role("button").click()
        press(page, "Let South move")
        page.locator(r"text=/Searching: \d+,\d+ nodes/").wait_for()
        press(page, "Stop")
        message = "Stopped. Reload the page to go on."
        expect(page.get_by_role("alert")).to_contain_text(message)
