"""The board in a real browser: its page talks with the Python half that a notebook would use."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Lab
from playwright.sync_api import Browser, Locator, Page, Route, expect

from kalahlab.games.kalah import EMPTY_CAPTURE, Kalah, State, drops, pits_of, side, sow
from kalahlab.games.notation import parse_board
from kalahlab.widgets.board import Board

LIVE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Board</title>
<link rel="icon" href="data:,"><style>:root {{ color-scheme: light dark }} {css}</style></head>
<body><main id="el"></main><script type="module">
const state = {state}, heard = {{}};
const tell = (event, ...news) => (heard[event] ?? []).slice().forEach((hear) => hear(...news));
window.hear = (messages) => {{
  for (const {{ method, state: news, content }} of messages) {{
    if (method === "custom") tell("msg:custom", content);
    Object.assign(state, news);
    for (const name of Object.keys(news ?? {{}})) tell(`change:${{name}}`);
  }}
}};
window.model = {{
  get: (name) => state[name],
  set(name, value) {{ state[name] = value; tell(`change:${{name}}`); }},
  on: (event, hear) => (heard[event] ??= []).push(hear),
  off: (event, hear) => (heard[event] = (heard[event] ?? []).filter((other) => other !== hear)),
  save_changes() {{}},
  send: async (content) => window.deaf || window.hear(await window.python(content)),
  widget_manager: {{ kernel: (window.kernel = {{ status: "idle" }}) }},
}};
const module = new Blob([{esm}], {{ type: "text/javascript" }});
const {{ default: widget }} = await import(URL.createObjectURL(module));
widget.render({{ model: window.model, el: document.getElementById("el") }});
window.ready = true;
</script></body></html>"""


class Wire:
    """A comm that keeps what the Python half sends."""

    comm_id = "board"

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []

    def send(self, data: dict[str, Any], buffers: object = None) -> None:
        self.sent.append(json.loads(json.dumps(data)))

    def on_msg(self, hear: object) -> None: ...
    def close(self) -> None: ...


def open_live(page: Page, board: Board) -> None:
    """A page whose board is the Python object's, as in a notebook."""
    wire = board.comm = Wire()

    def python(content: dict[str, Any]) -> list[dict[str, Any]]:
        wire.sent.clear()
        board._handle_custom_msg(content, [])
        board.settle()
        return list(wire.sent)

    esm, css, state = board.part()
    text = LIVE.format(css=css, state=json.dumps({**state, "live": True}), esm=json.dumps(esm))
    page.expose_function("python", python)
    page.route(
        "http://board.test/", lambda route: route.fulfill(body=text, content_type="text/html")
    )
    page.goto("http://board.test/")
    page.wait_for_function("window.ready")


def open_exported(page: Page, board: Board, folder: Path) -> None:
    """The page of a game that has been played, from its file."""
    file = folder / "board.html"
    file.write_text(board.page(), encoding="utf-8")
    page.goto(file.as_uri())
    page.wait_for_selector(".kalah-board")


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Pages that may load nothing from elsewhere, and must neither try to nor complain."""
    elsewhere: list[str] = []
    complaints: list[str] = []
    contexts = []

    def local(route: Route) -> None:
        if route.request.url.startswith(("file:", "data:", "blob:")):
            return route.continue_()
        elsewhere.append(route.request.url)
        return route.abort()

    def new_page(**context: Any) -> Page:
        given = {"reduced_motion": "reduce", "viewport": {"width": 900, "height": 800}} | context
        contexts.append(browser.new_context(**given))
        opened = contexts[-1].new_page()
        opened.route("**/*", local)
        opened.on("console", lambda message: complaints.append(message.text))
        opened.on("pageerror", lambda error: complaints.append(str(error)))
        return opened

    yield new_page
    for context in contexts:
        context.close()
    assert elsewhere == []
    assert complaints == []


@pytest.fixture
def page(visit: Callable[..., Page]) -> Page:
    return visit()


def pit(page: Page, name: str) -> Locator:
    """A pit by its label: `1 of South`."""
    return page.get_by_role("button", name=f"pit {name},")


def shown(page: Page) -> State:
    """The position as a reader sees it."""
    spots = page.locator(".kb-pit, .kb-store").evaluate_all(
        "spots => spots.map((spot) => [spot.getAttribute('aria-label'), spot.innerText])"
    )
    said = {label: int(text) for label, text in spots}
    rows: dict[str, list[int]] = {"South": [], "North": []}
    for owner, row in rows.items():
        row += [count for name, count in sorted(said.items(), key=_place) if f" of {owner}" in name]
        row += [count for name, count in said.items() if name.startswith(f"{owner}'s store")]
    turn = page.locator(".kb-side-1.kb-turn").count()
    return State((*rows["South"], *rows["North"]), turn)


def _place(spot: tuple[str, int]) -> int:
    name = spot[0]
    return int(name.split()[1]) if name.startswith("pit") else 99


def seen_while(page: Page, board: Board, act: Callable[[], None]) -> list[tuple[int, ...]]:
    """All boards that were to be seen from an action until the position is that of `board`."""
    page.evaluate(
        """() => {
          const counts = () => [...document.querySelectorAll(".kb-pit b, .kb-store b")];
          window.seen = [];
          const look = () => window.seen.push(counts().map((count) => Number(count.textContent)));
          const options = { subtree: true, childList: true, characterData: true };
          new MutationObserver(look).observe(document.querySelector(".kb-table"), options);
        }"""
    )
    act()
    expect(page.locator(".kb-moving")).to_have_count(0)
    expect(page.get_by_role("status").first).to_contain_text(board.record["steps"][-1]["turn"])
    pits = len(board.state.board) // 2 - 1
    # the page's order: North's store, North's pits from the right, South's pits, South's store
    order = [2 * pits + 1, *range(2 * pits, pits, -1), *range(pits + 1)]
    boards = []
    for counts in page.evaluate("window.seen"):
        by_place = dict(zip(order, counts, strict=True))
        boards.append(tuple(by_place[index] for index in range(2 * pits + 2)))
    return boards


def frames(state: State, move: int, rules_capture_empty: bool = False) -> list[tuple[int, ...]]:
    """The boards on the way of a sow, from emptying the pit to banking what is captured."""
    board, player = state
    half = len(board) // 2
    counts = list(board)
    counts[player * half + move] = 0
    boards = [tuple(counts)]
    for index in drops(pits_of(board), player, move, side(board, player)[move]):
        counts[index] += 1
        boards.append(tuple(counts))
    for index in sow(board, player, move, rules_capture_empty).emptied:
        taken, counts[index] = counts[index], 0
        boards.append(tuple(counts))
        counts[player * half + half - 1] += taken
        boards.append(tuple(counts))
    return boards


@pytest.mark.parametrize("text", ["<4,2,2,3,1,0,2,3,1,4,2>", "<3,4,0,9,0,0,1,2,3>"])
def test_stones_move_pit_by_pit(visit: Callable[..., Page], text: str) -> None:
    """A capture, and a lap past the opponent's store."""
    page, board = visit(reduced_motion="no-preference"), Board(start=text)
    move = 1 if "<4" in text else 0
    expected = frames(board.state, move)
    open_live(page, board)
    seen = seen_while(page, board, pit(page, f"{move + 1} of South").click)
    # a reader sees each of them in turn, but what the same moment changes twice
    remaining = iter(expected)
    assert all(each in remaining for each in dict.fromkeys(seen))
    assert len(set(seen)) > parse_board(text).board[move]
    assert shown(page) == board.state


def test_stones_stay_where_motion_is_not_wanted(visit: Callable[..., Page]) -> None:
    board = Board()
    page = visit(reduced_motion="reduce")
    open_live(page, board)
    seen = seen_while(page, board, pit(page, "1 of South").click)
    assert set(seen) == {board.state.board}
    board = Board()
    page = visit(reduced_motion="no-preference")
    open_live(page, board)
    page.get_by_label("Moving stones").uncheck()
    assert set(seen_while(page, board, pit(page, "1 of South").click)) == {board.state.board}


def test_a_game_by_mouse_against_a_player_of_ours(page: Page) -> None:
    board = Board(4, 3, north="alpha_beta:store_difference:3")
    open_live(page, board)
    while not board.record["steps"][-1]["over"]:
        before = board.at
        page.locator(".kb-pit.kb-legal").last.click()
        page.wait_for_function("at => window.model.get('at') > at", arg=before)
        assert shown(page).board == board.state.board
    assert (
        page.get_by_role("status")
        .first.inner_text()
        .endswith(f" {board.history.outcome.replace('a draw', 'A draw')}.")
    )
    assert page.locator(".kb-moves li").count() == board.at + 1
    assert page.locator(".kb-legal.kb-pit").count() == 0


def test_by_keyboard_alone(page: Page) -> None:
    board = Board(4, 2)
    open_live(page, board)
    page.keyboard.press("Tab")
    expect(pit(page, "1 of South")).to_be_focused()
    outline = "button => getComputedStyle(button).outlineWidth"
    assert pit(page, "1 of South").evaluate(outline) == "3px"
    walk = {
        "ArrowRight": "2 of South",
        "End": "4 of South",
        "ArrowUp": "1 of North",
        "ArrowLeft": "2 of North",
        "Home": "4 of North",
        "ArrowDown": "1 of South",
    }
    for key, where in walk.items():
        page.keyboard.press(key)
        expect(pit(page, where)).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").first).to_have_text("South sows pit 2. North to move.")
    expect(pit(page, "2 of South")).to_be_focused()
    page.keyboard.press("u")
    expect(page.get_by_role("status").first).to_have_text("South to move.")
    page.keyboard.press("r")
    expect(page.get_by_role("status").first).to_contain_text("North to move.")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    page.keyboard.press("u")  # takes back the move that is only being made
    page.wait_for_function("window.model.get('record').steps.length === 3")
    expect(page.get_by_role("status").first).to_have_text("South sows pit 2. North to move.")
    page.keyboard.press("r")
    expect(page.get_by_role("status").first).to_contain_text("North sows pit 3, moves again")
    assert board.at == 2
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Undo")).to_be_focused()


def test_what_a_pit_is_called_says_all_that_is_drawn(page: Page) -> None:
    board = Board(start="<4,2,2,3,1,0,2,3,1,4,2>", values="search", depth=3)
    open_live(page, board)
    assert pit(page, "3 of South").get_attribute("aria-label") == "pit 3 of South, 0 stones"
    bar = next(bar for bar in board.record["steps"][0]["bars"] if bar["index"] == 1)
    label = pit(page, "2 of South").get_attribute("aria-label")
    assert label == f"pit 2 of South, 1 stone, legal, value {bar['text']}"
    pit(page, "2 of South").click()
    expect(page.get_by_role("status").first).to_contain_text("South sows pit 2, captures 2.")
    for name in (
        "pit 2 of South, 0 stones, sown last",
        "pit 3 of South, 0 stones, last stone fell here, captured",
        "pit 2 of North, 0 stones, captured",
    ):
        assert page.get_by_role("button", name=name).count() == 1
    assert page.get_by_role("img", name="South's store, 4 stones").count() == 1


def test_bars_stand_by_their_pits_and_are_as_long_as_they_are_worth(page: Page) -> None:
    board = Board(6, 4, moves=[5, 4, 3], values="search", depth=5)
    open_live(page, board)
    bars = board.record["steps"][-1]["bars"]
    assert {bar["text"][0] for bar in bars} == {"\N{MINUS SIGN}", "+"}
    drawn = page.locator(".kb-bar:not([hidden])")
    assert drawn.count() == len(bars)
    unit = set()
    for bar in bars:
        number = bar["index"] % 7 + 1
        place = pit(page, f"{number} of {('South', 'North')[bar['index'] // 7]}").bounding_box()
        middle = place["x"] + place["width"] / 2
        boxes = [box for box in drawn.locator("i").all() if _covers(box.bounding_box(), middle)]
        assert len(boxes) == 1
        height = boxes[0].bounding_box()["height"]
        if abs(bar["part"]) > 0.2:
            unit.add(round(height / abs(bar["part"])))
    assert max(unit) - min(unit) <= 2


def _covers(box: dict[str, float], x: float) -> bool:
    return box["x"] < x < box["x"] + box["width"]


def test_what_cannot_be_is_said_and_the_board_goes_on(page: Page) -> None:
    board = Board(start="<3,0,0,2,0,2,2,2,2>")
    open_live(page, board)
    pit(page, "2 of South").click(force=True)
    expect(page.get_by_role("alert")).to_contain_text("pit 2 cannot be played by South")
    pit(page, "1 of North").click(force=True)
    expect(page.get_by_role("alert")).to_contain_text("the pit is North's")
    page.get_by_text("Players, values, another position").click()
    form = page.get_by_role("form", name="Another position")
    bad = "<img src=x onerror=document.title='bad'>"
    form.get_by_role("textbox").fill(bad)
    form.get_by_role("button").click()
    expect(page.get_by_role("alert")).to_contain_text(f"board {bad!r} is not of the form")
    assert form.get_by_role("textbox").input_value() == bad
    players = page.get_by_role("form", name="Players")
    players.get_by_label("North").fill("<b>me</b>:1")
    players.get_by_role("button").click()
    expect(page.get_by_role("alert")).to_contain_text("player '<b>me</b>:1' is not")
    assert page.locator("img, .kb-fault b").count() == 0
    assert page.title() == "Board"
    pit(page, "3 of South").click()
    expect(page.get_by_role("status").first).to_have_text("South sows pit 3. North to move.")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_another_position_other_players_other_values(page: Page) -> None:
    board = Board()
    opened: list[State] = []
    board.on_open(lambda game, state: opened.append(state))
    open_live(page, board)
    page.get_by_text("Players, values, another position").click()
    form = page.get_by_role("form", name="Another position")
    form.get_by_role("textbox").fill("<2,1,0,2,1,0,2>")
    form.get_by_label("to move").select_option("North")
    form.get_by_role("button").click()
    expect(page.get_by_role("status").first).to_have_text("North to move.")
    assert shown(page) == board.state == State((0, 2, 0, 2, 1, 1), 1)
    values = page.get_by_role("form", name="Values")
    values.get_by_label("Values by").select_option("perfect play")
    values.get_by_role("button").click()
    expect(page.locator(".kb-value").filter(has_text="+")).not_to_have_count(0)
    worth = "Bars: what each move is worth to North, under perfect play."
    expect(page.locator(".kb-why")).to_have_text(worth)
    players = page.get_by_role("form", name="Players")
    players.get_by_label("North").fill("perfect")
    players.get_by_role("button").click()
    page.get_by_role("button", name="Let North move").click()
    expect(page.get_by_role("status").first).to_contain_text("North sows")
    page.get_by_role("button", name="Open in the explorer").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.evaluate("window.python({ ask: 'hello', id: 0 })")  # heard after what was asked before
    assert opened == [board.state]
    new = page.get_by_role("form", name="New game")
    new.get_by_label("Pits").fill("12")
    new.get_by_label("stones in each").fill("30")
    players.get_by_label("North").fill("random:5")
    new.get_by_role("button").click()
    expect(page.locator(".kb-pit")).to_have_count(24)
    assert shown(page) == board.state
    assert board.record["players"] == ["person", "random:5"], "as they were typed"


def test_a_position_is_set_up_by_mouse_and_keys(page: Page) -> None:
    board = Board(3, 2, values="search", depth=2)
    open_live(page, board)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".kb-hints li")).to_have_count(4)
    page.get_by_role("button", name="Set up a position").click()
    expect(page.locator(".kb-hints")).to_be_hidden()
    said = page.locator(".kb-said")
    expect(said).to_have_text("12 stones, 12 of them in pits. South can play: 1, 2, 3.")
    pit(page, "1 of South").click()
    pit(page, "1 of South").click()
    pit(page, "2 of South").click(modifiers=["Shift"])
    pit(page, "1 of North").click(button="right")
    page.get_by_role("button", name="South's store").click()
    page.get_by_role("checkbox", name="Take stones").check()
    pit(page, "3 of South").click()
    pit(page, "2 of North").press("7")
    pit(page, "2 of North").press("+")
    pit(page, "3 of North").press("Delete")
    page.get_by_role("button", name="North's store").press("3")
    page.get_by_label("to move").first.select_option("North")
    expect(said).to_have_text("20 stones, 16 of them in pits. North can play: 1, 2, 3.")
    assert board.state == Kalah(3, 2).start()
    page.get_by_role("button", name="Play from here").click()
    expect(page.locator(".kb-set-up")).to_be_hidden()
    assert board.state == shown(page) == State((4, 1, 1, 1, 1, 8, 1, 3), 1)
    page.get_by_role("button", name="Set up a position").click()
    page.get_by_role("button", name="Empty the board").click()
    expect(said).to_contain_text("This cannot be played")
    expect(page.get_by_role("button", name="Play from here")).to_be_disabled()
    page.get_by_role("button", name="Cancel").click()
    assert shown(page) == board.state
    expect(page.get_by_role("button", name="South's store")).to_have_count(0)


def test_setting_up_what_is_shown_changes_nothing_and_a_game_left_comes_back(page: Page) -> None:
    board = Board(4, 3, moves=[0])
    open_live(page, board)
    state = board.state
    assert state.player == 1
    page.get_by_text("Players, values, another position").click()
    form = page.get_by_role("form", name="Another position")
    form.get_by_role("button").click()
    expect(page.locator(".kb-moves li")).to_have_count(1)
    assert shown(page) == board.state == state, "as it was, with North to move"
    page.get_by_role("form", name="New game").get_by_role("button").click()
    expect(page.locator(".kb-pit")).to_have_count(12)
    page.get_by_role("button", name="Back to the game before").click()
    expect(page.locator(".kb-pit")).to_have_count(8)
    assert shown(page) == state
    page.get_by_role("button", name="Back to the game before").click()
    expect(page.locator(".kb-pit")).to_have_count(12)


def test_players_by_nodes_an_empty_depth_and_whose_stores_they_are(page: Page) -> None:
    board = Board(start="<4,0,0,0,3,3,3,3,3,3,3>")
    open_live(page, board)
    pit(page, "1 of South").click(force=True)
    expect(page.get_by_role("alert")).to_contain_text("pits with stones: 2, 3, 4")
    page.get_by_text("Players, values, another position").click()
    players = page.get_by_role("form", name="Players")
    players.get_by_label("North").fill("alpha_beta:store_difference:200n")
    players.get_by_role("button").click()
    pit(page, "3 of South").click()
    expect(page.get_by_role("status").first).to_contain_text("North sows")
    values = page.get_by_role("form", name="Values")
    values.get_by_label("depth").fill("")
    values.get_by_role("button").click()
    expect(page.get_by_role("alert")).to_contain_text("depth")
    names = page.locator(".kb-number", has_text="th")
    assert names.all_inner_texts() == ["North", "South"]


def test_a_kernel_that_falls_silent_is_said(page: Page) -> None:
    board = Board()
    page.clock.install()
    open_live(page, board)
    page.evaluate("window.deaf = true")
    pit(page, "1 of South").click()
    page.clock.run_for(9_000)
    expect(page.get_by_role("alert")).to_have_count(0)
    page.clock.run_for(2_000)
    expect(page.get_by_role("alert")).to_contain_text("Python has not answered for 10 s")
    page.evaluate("window.kernel.status = 'busy'")
    pit(page, "1 of South").click()
    page.clock.run_for(11_000)
    expect(page.get_by_role("alert")).to_contain_text("The kernel is busy with something else")
    page.evaluate("window.model.set('thinking', 'North is thinking')")
    page.clock.run_for(61_000)
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    page.evaluate("window.kernel.status = 'dead'")
    page.clock.run_for(1_000)
    expect(page.get_by_role("alert")).to_contain_text("The kernel has died")
    expect(page.locator(".kb-head")).not_to_contain_text("thinking")
    assert board.at == 0
    page.evaluate("window.model.set('thinking', ''), (window.kernel.status = 'idle')")
    page.evaluate("window.deaf = false")
    pit(page, "1 of South").click()
    expect(page.get_by_role("status").first).to_contain_text("South sows pit 1")
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_without_a_kernel_steps_through_the_game(
    visit: Callable[..., Page], tmp_path: Path, scheme: str
) -> None:
    board = Board(4, 3, EMPTY_CAPTURE, moves=[0, 3, 2], north="perfect", values="search", depth=3)
    page = visit(color_scheme=scheme)
    open_exported(page, board, tmp_path)
    ground = page.locator(".kalah-board").evaluate("box => getComputedStyle(box).backgroundColor")
    assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(21, 25, 30)"}[scheme]
    expect(page.get_by_text("This is the record of a game")).to_be_visible()
    states = [State(tuple(step["board"]), step["player"]) for step in board.record["steps"]]
    assert shown(page) == states[board.at]
    for at in reversed(range(board.at)):
        page.get_by_role("button", name="Undo").click()
        assert shown(page) == states[at]
    page.get_by_role("button", name="Redo").click()
    assert shown(page) == states[1]
    page.locator(".kb-moves button").nth(2).click()
    assert shown(page) == states[2]
    legal = page.locator(".kb-pit.kb-legal").first
    assert legal.evaluate("pit => getComputedStyle(pit).cursor") == "default"
    assert legal.get_attribute("aria-disabled") == "true"
    legal.click(force=True)
    told = re.compile("No move can be made here|press “Play in this page”")
    expect(page.get_by_role("alert")).to_contain_text(told)
    assert shown(page) == states[2]
    assert page.get_by_text("Players, values, another position").is_hidden()


def test_the_theme_can_be_set_against_the_page(visit: Callable[..., Page]) -> None:
    page, board = visit(color_scheme="dark"), Board(theme="light")
    open_live(page, board)
    colour = "box => getComputedStyle(box).backgroundColor"
    assert page.locator(".kalah-board").evaluate(colour) == "rgb(255, 255, 255)"
    page.evaluate("window.model.set('theme', 'dark')")
    assert page.locator(".kalah-board").evaluate(colour) == "rgb(21, 25, 30)"
    for theme, kind, expected in (
        ("", "vscode-light", "rgb(255, 255, 255)"),
        ("", "vscode-dark", "rgb(21, 25, 30)"),
        ("", "vscode-high-contrast", "rgb(21, 25, 30)"),
        ("light", "vscode-high-contrast", "rgb(255, 255, 255)"),
    ):
        page.evaluate(
            "([theme, kind]) => { window.model.set('theme', theme);"
            "document.body.className = kind; }",
            [theme, kind],
        )
        assert page.locator(".kalah-board").evaluate(colour) == expected


@pytest.mark.parametrize("width", [360, 800, 1600])
def test_every_board_fits_every_screen(visit: Callable[..., Page], width: int) -> None:
    for pits, stones in (1, 3), (6, 4), (12, 400):
        page = visit(viewport={"width": width, "height": 800})
        open_live(page, Board(pits, stones, values="search", depth=2))
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        wide = "(element) => element.getBoundingClientRect().width"
        spots = page.locator(".kb-pit, .kb-store").evaluate_all(
            f"spots => spots.map((spot) => [spot, spot.querySelector('b')].map({wide}))"
        )
        assert len(spots) == 2 * pits + 2
        for box, words in spots:
            assert box >= 22
            assert words <= box + 2
        page.close()


def test_the_list_of_moves_is_copied(visit: Callable[..., Page]) -> None:
    page = visit(permissions=["clipboard-read", "clipboard-write"])
    board = Board(3, 2, moves=[1, 0])
    page.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', "
        "{ value: { writeText: async (text) => { window.copied = text; } } })"
    )
    open_live(page, board)
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    lines = page.evaluate("window.copied").splitlines()
    assert lines[0] == "<3,0,0,2,2,2,2,2,2>"
    assert lines[1:3] == [f"{at}. {each}" for at, each in enumerate(board.history.moves, start=1)]


@pytest.mark.parametrize(("width", "scheme"), [(320, "dark"), (400, "dark"), (1200, "light")])
def test_axe_finds_no_violation(
    visit: Callable[..., Page], axe: str, tmp_path: Path, width: int, scheme: str
) -> None:
    viewport = {"width": width, "height": 900}
    boards = [
        Board(6, 4, moves=[5, 4, 3], values="search", depth=4),
        Board(start="<4,2,2,3,1,0,2,3,1,4,2>", moves=[1], north="perfect"),
    ]
    for board in boards:
        page = visit(color_scheme=scheme, viewport=viewport)
        open_exported(page, board, tmp_path)
        page.locator(".kb-settings").evaluate("box => { box.hidden = false; box.open = true; }")
        page.evaluate(axe)
        found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert [(each["id"], each["nodes"][0]["html"]) for each in found["violations"]] == []


LAB = (
    "from kalahlab.widgets.board import Board\nboard = Board(4, 2, animate=False)\nboard",
    "print('shown:', board.at, board.position)",
)


def stop_a_thinking_player(page: Page) -> None:
    """In a notebook, while another of its cells runs."""
    page.get_by_text("Players, values, another position").click()
    players = page.get_by_role("form", name="Players")
    players.get_by_label("North").fill("minimax:store_difference:30")
    players.get_by_role("button").click()
    pit(page, "1 of South").click()
    searching = page.locator("p.busy")
    expect(searching).to_contain_text(re.compile(r"Searching: [\d,]+ nodes so far"), timeout=60_000)
    page.get_by_text("print('shown:'").click()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("shown: 2 ")).to_be_visible(timeout=60_000)
    expect(page.get_by_role("alert").filter(has_text="kernel")).to_have_count(0)
    searching.get_by_role("button", name="Stop").click()
    alert = page.get_by_role("alert").filter(has_text="Stopped after")
    expect(alert).to_be_visible(timeout=60_000)
    expect(searching).to_be_hidden()
    expect(page.get_by_role("button", name="Let North move")).to_be_visible()


def test_in_jupyterlab_from_running_all_to_a_move(browser: Browser, lab: Lab) -> None:
    elsewhere, complaints = [], []
    page = browser.new_context(viewport={"width": 1200, "height": 900}).new_page()
    page.on("request", lambda request: elsewhere.append(request.url))
    page.on("console", lambda each: each.type == "error" and complaints.append(each.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(lab(*LAB))
    page.get_by_text("| Idle").wait_for(timeout=60_000)  # before, cells run into the void
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.locator(".lm-Menu-item[data-command='runmenu:run-all']").click()
    pit(page, "3 of South").click(timeout=60_000)
    expect(page.get_by_role("status").filter(has_text="South sows")).to_have_text(
        "South sows pit 3, moves again. South to move."
    )
    assert pit(page, "3 of South").evaluate("pit => getComputedStyle(pit).borderRadius") == "50%"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="South sows pit 2")).to_be_visible()
    page.keyboard.press("u")
    expect(pit(page, "2 of South")).to_have_attribute(
        "aria-label", "pit 2 of South, 2 stones, legal"
    )
    page.get_by_text("print('shown:'").click()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("shown: 1 <4,1,0,2,2,0,3,2,2,2,2>")).to_be_visible()
    stop_a_thinking_player(page)
    home = ("http://127.0.0.1", "data:", "blob:")
    assert [url for url in elsewhere if not url.startswith(home)] == []
    assert complaints == []
    assert page.get_by_text("Jupyter news").count() == 0
    page.context.close()
