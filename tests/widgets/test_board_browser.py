"""The board in a real browser: its page talks with the Python that a notebook would use."""

import re
from math import inf

import pytest
from playwright.sync_api import expect
from ui import NARROW, WIDE, press, violations

from kalahlab.games.game_log import make_move
from kalahlab.games.game_text import GameRecord, format_game
from kalahlab.games.kalah import NAMES, Kalah, State, list_drops
from kalahlab.games.rules import EMPTY_CAPTURE
from kalahlab.judging.move_review import (
    choose_sign,
    describe_regret,
    most_expensive,
    quick_move,
)
from kalahlab.judging.review import review_game
from kalahlab.players.factories import random_player
from kalahlab.players.game_loop import play_game
from kalahlab.search.observer import NodeCounter
from kalahlab.solver import move_values
from kalahlab.widgets.board import Board
from kalahlab.widgets.explorer import explore
from kalahlab.widgets.review import SEARCH_DEPTH, review_page

CAPTURE = "<4,2,2,3,1,0,2,3,1,4,2>"
SETTINGS = "Players, values, another position"


def pit(page, name):
    return page.get_by_role("button", name=f"pit {name},")


def status(page):
    return page.get_by_role("status").first


def read_position(page):
    """Return the position as a reader sees it."""
    spots = page.locator(".kb-pit, .kb-store").evaluate_all(
        "spots => spots.map((spot) => [spot.getAttribute('aria-label'), spot.innerText])"
    )
    rows = {"South": [], "North": []}
    for label, text in spots:
        owner, number = re.search("South|North", label), re.search(r"^pit (\d+)", label)
        place = int(number[1]) if number else 99  # a store comes last
        rows[owner[0]].append((place, int(text)))
    spots_in_order = sorted(rows["South"]) + sorted(rows["North"])
    turn = page.locator(".kb-side-1.kb-turn").count()
    return State(tuple(count for _, count in spots_in_order), turn)


WATCH = """() => {
  const counts = () => [...document.querySelectorAll(".kb-table b")].map((b) => b.textContent);
  const options = { subtree: true, childList: true, characterData: true };
  window.seen = new Set();
  new MutationObserver(() => seen.add(String(counts()))).observe(document.body, options);
}"""
MOTION = [("no-preference", True), ("no-preference", False), ("reduce", True)]


def test_stones_move_if_motion_is_wanted(show):
    board = Board(start=CAPTURE)
    page = show(board, live=True)
    page.evaluate(WATCH)
    for motion, wanted in MOTION:
        page.emulate_media(reduced_motion=motion)
        page.get_by_label("Moving stones").set_checked(wanted)
        page.evaluate("window.seen.clear()")
        pit(page, "2 of South").click()
        expect(status(page)).to_contain_text("South sows pit 2, captures 2.")
        expect(page.locator(".kb-moving")).to_have_count(0)
        assert read_position(page) == board.state
        seen = page.evaluate("window.seen.size")
        assert seen > 2 if wanted and motion != "reduce" else seen == 1
        press(page, "Undo")
        expect(status(page)).to_have_text("South to move.")


def test_each_pit_has_a_label(show):
    board = Board(start=CAPTURE, values="search", depth=3)
    page = show(board, live=True)
    bar = next(bar for bar in board.record["steps"][0]["bars"] if bar["index"] == 1)
    names = ["pit 3 of South, 0 stones", f"pit 2 of South, 1 stone, legal, value {bar['text']}"]
    for name in names:
        assert page.get_by_role("button", name=name, exact=True).count() == 1
    pit(page, "2 of South").click()
    expect(status(page)).to_contain_text("South sows pit 2, captures 2.")
    for name in (
        "pit 2 of South, 0 stones, sown last",
        "pit 3 of South, 0 stones, last stone fell here, captured",
        "pit 2 of North, 0 stones, captured",
    ):
        assert page.get_by_role("button", name=name).count() == 1
    assert page.get_by_role("img", name="South's store, 4 stones").count() == 1


def test_the_board_works_by_keyboard_alone(show):
    board = Board(4, 2)
    page = show(board, live=True)
    page.keyboard.press("Tab")
    outline = "button => getComputedStyle(button).outlineStyle"
    assert pit(page, "1 of South").evaluate(outline) == "solid"
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
    expect(status(page)).to_have_text("South sows pit 2. North to move.")
    expect(pit(page, "2 of South")).to_be_focused()
    page.keyboard.press("u")
    expect(status(page)).to_have_text("South to move.")
    page.keyboard.press("r")
    expect(status(page)).to_contain_text("North to move.")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    page.keyboard.press("u")  # takes back the move that Python is still making
    page.wait_for_function("() => window.model.get('record').steps.length === 3")
    expect(status(page)).to_have_text("South sows pit 2. North to move.")
    page.keyboard.press("r")
    expect(status(page)).to_contain_text("North sows pit 3, moves again")
    assert board.at == 2
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Undo")).to_be_focused()


def test_position_players_and_values_are_changed_and_invalid_ones_reported(show):
    board = Board()
    open_page = []
    board.on_open(lambda game, state: open_page.append(state))
    page = show(board, live=True)
    fault = page.get_by_role("alert")
    pit(page, "1 of North").click(force=True)
    expect(fault).to_contain_text("North's")
    page.get_by_text(SETTINGS).click()
    names = ("Another position", "Values", "Players", "New game", "A game as text")
    form, values, players, new, game = (page.get_by_role("form", name=name) for name in names)
    bad = "<img src=x onerror=document.title='bad'>"
    for place, box, text in (
        (form, form.get_by_role("textbox"), bad),
        (game, game.get_by_role("textbox"), bad),
        (values, values.get_by_label("depth"), ""),
    ):
        box.fill(text)
        place.get_by_role("button").click()
        expect(fault).to_contain_text(repr(text))
        assert box.input_value() == text
    assert page.locator("img, .kb-fault b").count() == 0
    values.get_by_label("depth").fill("6")
    form.get_by_role("textbox").fill("<2,1,0,2,1,0,2>")
    form.get_by_label("to move").select_option("North")
    form.get_by_role("button").click()
    expect(status(page)).to_have_text("North to move.")
    expect(fault).to_have_count(0)
    assert read_position(page) == board.state == State((0, 2, 0, 2, 1, 1), 1)
    values.get_by_label("Values by").select_option("perfect play")
    values.get_by_role("button").click()
    expect(page.locator(".kb-value").filter(has_text="+")).not_to_have_count(0)
    expect(page.locator(".kb-why")).to_contain_text(
        "value of each move for North, under perfect play"
    )
    players.get_by_label("North").select_option("perfect")
    players.get_by_role("button").click()
    press(page, "Let North move")
    expect(status(page)).to_contain_text("North sows")
    press(page, "Open in the explorer")
    page.evaluate("python(JSON.stringify({ ask: 'hello', id: 0 }))")  # is answered last
    assert open_page == [board.state]
    new.get_by_label("Pits").fill("12")
    new.get_by_label("stones in each").fill("30")
    players.get_by_label("North").select_option("search")
    players.locator("[data-side=North]").get_by_label("depth").fill("3")
    new.get_by_role("button").click()
    expect(page.locator(".kb-pit")).to_have_count(24)
    assert read_position(page) == board.state
    assert board.record["players"] == ["person", "alpha_beta:store_difference:3"]
    page.locator(".kb-pit.kb-legal").last.click()
    expect(status(page)).to_contain_text("North sows")
    press(page, "Back to the previous game")
    expect(page.locator(".kb-pit")).to_have_count(4)
    press(page, "Back to the previous game")
    expect(page.locator(".kb-pit")).to_have_count(24)


def test_a_position_is_set_up_by_mouse_and_keys(show):
    board = Board(3, 2, values="search", depth=2)
    page = show(board, live=True)
    press(page, "Hint")
    expect(page.locator(".kb-hints li")).to_have_count(4)
    press(page, "Set up a position")
    expect(page.locator(".kb-hints")).to_be_hidden()
    verdict = page.locator(".kb-verdict")
    expect(verdict).to_have_text("12 stones, 12 of them in pits. South can play: 1, 2, 3.")
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
    expect(verdict).to_have_text("20 stones, 16 of them in pits. North can play: 1, 2, 3.")
    assert board.state == Kalah(3, 2).start()
    press(page, "Play from here")
    expect(page.locator(".kb-set-up")).to_be_hidden()
    assert board.state == read_position(page) == State((4, 1, 1, 1, 1, 8, 1, 3), 1)
    page.get_by_text(SETTINGS).click()
    page.get_by_role("form", name="Another position").get_by_role("button").click()
    expect(page.locator(".kb-moves li")).to_have_count(1)
    assert read_position(page) == board.state == State((4, 1, 1, 1, 1, 8, 1, 3), 1), "as it was"
    press(page, "Set up a position")
    press(page, "Empty the board")
    expect(verdict).to_contain_text("This cannot be played")
    expect(page.get_by_role("button", name="Play from here")).to_be_disabled()
    press(page, "Cancel")
    assert read_position(page) == board.state
    expect(page.get_by_role("button", name="South's store")).to_have_count(0)


def test_a_silent_or_dead_kernel_is_reported(show):
    board = Board()
    page = show(board, live=True)
    fault = page.get_by_role("alert")
    page.clock.install()
    page.evaluate("window.deaf = true")
    pit(page, "1 of South").click()
    page.clock.run_for(11_000)
    expect(fault).to_contain_text("Python has not answered for 10 s")
    page.evaluate("kernel.status = 'busy', window.model.set('thinking', 'North is thinking')")
    page.clock.run_for(61_000)
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    page.evaluate("window.kernel.status = 'dead'")
    page.clock.run_for(1_000)
    expect(fault).to_contain_text("The kernel has died")
    expect(page.locator(".kb-head")).not_to_contain_text("thinking")
    assert board.at == 0
    page.evaluate("window.model.set('thinking', ''), (window.kernel.status = 'idle')")
    page.evaluate("window.deaf = false")
    pit(page, "1 of South").click()
    expect(status(page)).to_contain_text("South sows pit 1")
    expect(fault).to_have_count(0)


def test_a_page_without_a_kernel_steps_through_the_game_and_copies_its_moves(show):
    board = Board(4, 3, EMPTY_CAPTURE, moves=[0, 3, 2], north="perfect", values="search", depth=3)
    page = show(board)
    states = [State(tuple(step["board"]), step["player"]) for step in board.record["steps"]]
    assert read_position(page) == states[board.at]
    for count in reversed(range(board.at)):
        press(page, "Back")
        assert read_position(page) == states[count]
    press(page, "Forward")
    assert read_position(page) == states[1]
    page.locator(".kb-moves button").nth(2).click()
    assert read_position(page) == states[2]
    assert page.locator("[aria-disabled=false]").count() == 0, "no pit looks playable"
    assert page.get_by_text("can be played", exact=True).is_hidden()
    pit(page, "2 of South").click(force=True)
    expect(page.get_by_role("alert")).to_contain_text("You cannot make moves here.")
    assert read_position(page) == states[2]
    assert page.get_by_text(SETTINGS).is_hidden()
    page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    press(page, "Copy")
    expect(page.get_by_text("Copied, in the format of kalahlab review.")).to_be_visible()
    copied = format_game(board.history.record("person", "perfect"))
    assert page.evaluate("window.copied") == copied


LEGAL, BARS = ".kb-pit.kb-legal", ".kb-bar:not([hidden])"
MIDDLES = """all => all.map((each) => {
  const { left, width } = each.getBoundingClientRect();
  return left + width / 2;
})"""


def test_every_board_fits_every_screen(show):
    sizes = [(1, 3), (6, 4), (12, 400)]
    page = show(*(Board(*size, values="search", depth=2) for size in sizes), live=True)
    wide = "(element) => element.getBoundingClientRect().width"
    for width in (376, 800, 1600):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function("() => document.documentElement.scrollWidth <= window.innerWidth")
        for board, (pits, _) in zip(page.locator(".kalah-board").all(), sizes, strict=True):
            spots = board.locator(".kb-pit, .kb-store").evaluate_all(
                f"spots => spots.map((spot) => [spot, spot.querySelector('b')].map({wide}))"
            )
            assert len(spots) == 2 * pits + 2
            assert all(22 <= box >= words - 2 for box, words in spots)
            legal = board.locator(LEGAL).evaluate_all(MIDDLES)
            bars = board.locator(BARS).evaluate_all(MIDDLES)
            assert legal == pytest.approx(bars, abs=2), "each bar is beside its pit"


def test_a_game_is_pasted_and_reviewed(show, axe, monkeypatch):
    # whether a value is exact must not depend on the machine's speed or memory
    monkeypatch.setattr(move_values, "TIMEOUT", inf)
    monkeypatch.setattr(move_values, "memory_budget", lambda: move_values.BYTES)
    log = play_game(Kalah(4, 3), random_player(3), random_player(4))
    board = Board(6, 4)
    page = show(board, live=True, viewport=NARROW, color_scheme="dark", has_touch=True)
    expect(page.get_by_text("Arrows move")).to_have_css("display", "none")  # there are no keys
    page.get_by_text(SETTINGS).click()
    form = page.get_by_role("form", name="A game as text")
    form.get_by_role("textbox").fill(format_game(log.record("South's name", "random:4")))
    form.get_by_role("button").click()
    expect(status(page)).to_contain_text(log.outcome)
    assert page.locator(".kb-pit.kb-legal").count() == 0
    assert page.get_by_role("button", name="Open in the explorer").count() == 0, "no explorer"
    assert board.history.moves == log.moves
    assert board.record["players"] == ["person", "random:4"]
    press(page, "Review")
    rows, after = [], None
    for index in reversed(range(board.at)):
        rows.insert(0, quick_move(log.record(), index, after, NodeCounter(lambda nodes: None)))
        after = rows[0]["before"]
    moves = page.get_by_role("region", name="Moves")
    expect(moves).to_contain_text(" ".join(most_expensive(rows)))
    comments = [describe_regret(row) for row in rows]
    assert moves.locator("li small").all_inner_texts() == [*filter(None, comments)]
    marked = [row["number"] for row in rows if row["mark"] and row["regret"]]
    places = moves.locator("li[data-marked]").evaluate_all("rows => rows.map((row) => row.value)")
    assert places == marked != []
    press(page, "Go to it")
    worst = max(rows, key=lambda row: row["regret"])["number"]
    expect(moves.locator("[aria-current=step]")).to_contain_text(str(log.moves[worst - 1]))
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    moves.locator("[aria-current=step]").focus()
    page.keyboard.press("ArrowUp")
    expect(moves.locator("[aria-current=step]")).to_be_focused()
    expect(moves.locator("[aria-current=step]")).to_contain_text(str(log.moves[worst - 2]))


def test_the_address_leads_to_a_game_and_its_step(show):
    board = Board(4, 3, moves=[0, 3, 2])
    page = show(board, viewport=NARROW)
    press(page, "Back")
    page.wait_for_function("() => location.hash.endsWith('step=2')")
    link = page.evaluate("location.hash")
    expect(status(show(board, link=link))).to_contain_text(str(board.history.moves[1]))
    elsewhere = Board(6, 4, north="level3")
    page = show(elsewhere, live=True, link=link)
    expect(status(page)).to_contain_text(str(board.history.moves[1]))
    assert elsewhere.history.moves == board.history.moves[:2]
    assert len(elsewhere.record["steps"]) == 4
    page = show(Board(6, 4), link=link)
    expect(page.get_by_role("alert")).to_contain_text("because it has no Python")
    page = show(Board(6, 4), live=True, link="#play=%FF")
    expect(page.get_by_role("alert")).to_contain_text("This link is damaged")


LAB = """import ipywidgets
from kalahlab.widgets.board import Board
from kalahlab.widgets.explorer import explore
board = Board(animate=False)
explorer = explore("<3,0,0,2,2,2,2,2,2>", depth=3)
heard = ipywidgets.Label()  # shows the step that the kernel knows
explorer.observe(lambda change: setattr(heard, "value", f"Python is at {change.new}"), "step")
ipywidgets.VBox([board, explorer, heard])"""


# Slow, because a JupyterLab and a kernel start.
def test_in_jupyterlab_clicks_reach_python_and_a_player_is_stopped(lab):
    with lab(LAB, "print('shown:', board.at, board.position)") as page:
        pit(page, "3 of South").click()
        sown = page.get_by_role("status").filter(has_text="South sows")
        expect(sown).to_have_text("South sows pit 3, moves again. South to move.")
        rounded = "pit => getComputedStyle(pit).borderRadius"
        assert pit(page, "3 of South").evaluate(rounded) == "50%", "not JupyterLab's style"
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
        expect(sown).to_contain_text("South sows pit 2")
        page.keyboard.press("u")
        expect(pit(page, "2 of South")).to_have_accessible_name("pit 2 of South, 4 stones, legal")
        run_cell(page)
        expect(page.get_by_text("shown: 1 <6,1,0,4,4,0,5,5,5,4,4,4,4,4,4>")).to_be_visible()
        stop_a_thinking_player(page)
        view = page.locator(".kx[data-ready]")
        view.get_by_role("button", name="Next cut").click()
        step = int(view.get_by_role("slider", name="Step").input_value())
        assert step > 0
        page.get_by_text(f"Python is at {step}").wait_for()
        page.get_by_text("Change the search").click()
        view.get_by_label("Algorithm").first.select_option("minimax")
        view.get_by_role("button", name="Search", exact=True).click()
        page.get_by_text("Minimax, depth 3").wait_for()


def run_cell(page):
    page.get_by_text("print('shown:'").click()
    page.keyboard.press("Control+Enter")


def stop_a_thinking_player(page):
    """Stop a search of a player in a notebook, while another of its cells runs."""
    page.get_by_text(SETTINGS).click()
    players = page.get_by_role("form", name="Players")
    players.get_by_label("North").select_option("search")
    players.locator("[data-side=North]").get_by_label("depth").fill("30")
    players.get_by_role("button").click()
    pit(page, "1 of South").click()
    searching = page.locator(".kalah-board p.busy")
    expect(searching).to_contain_text(re.compile(r"Searching: [\d,]+ nodes so far"))
    run_cell(page)
    expect(page.get_by_text("shown: 2 ")).to_be_visible()
    expect(page.get_by_role("alert").filter(has_text="kernel")).to_have_count(0)
    press(searching, "Stop")
    expect(page.get_by_role("alert").filter(has_text="Stopped after")).to_be_visible()
    expect(searching).to_be_hidden()
    expect(page.get_by_role("button", name="Let North move")).to_be_visible()


@pytest.fixture(scope="module")
def review():
    return review_game(
        play_game(Kalah(4, 3), random_player(7), random_player(8)).record(), workers=1
    )


@pytest.mark.parametrize(("size", "scheme"), [(WIDE, "light"), (NARROW, "dark")])
def test_a_reader_steps_through_a_review_to_the_search_of_a_move(
    review, open_page, axe, size, scheme
):
    rows = [*review.moves.itertuples()]
    worst = sorted(review.find_marked_moves().itertuples(), key=lambda row: -row.regret)
    settings = {"viewport": size, "color_scheme": scheme, "reduced_motion": "reduce"}
    with open_page(review_page(review), **settings) as page:
        page.wait_for_selector(".kx[data-ready]")
        current = page.locator("[aria-current=step]")
        for text in ("Start: ", f"sows pit {rows[0].pit + 1}", f"sows pit {rows[1].pit + 1}"):
            expect(current).to_contain_text(text)
            page.keyboard.press("ArrowRight")
        value = f"{rows[3].before:+g}".replace("-", "−") if rows[3].before else "0"
        about = "" if rows[3].exact else "about "
        expect(page.locator(".kb-why")).to_contain_text(f"Value for South: {about}{value}.")
        page.get_by_role("button", name="Go to it").click()
        expect(current).to_contain_text(f"gives up {worst[0].regret:g} stones")
        marked = page.locator("li[data-marked]")
        numbers = [*review.find_marked_moves()["number"]]
        assert marked.evaluate_all("rows => rows.map((row) => row.value)") == numbers
        assert len(worst) > 3
        for row in worst[::-1]:
            page.get_by_role("button", name=f"Search before move {row.number}", exact=True).click()
            expected = explore(row.state, rules=review.record.game.rules, depth=SEARCH_DEPTH)
            full = f"A full search visits {expected.traces[0]['full']} nodes"
            expect(page.get_by_text(full)).to_be_visible()
            title = f"The search of move {row.number}: Alpha-beta"
            expect(page.locator(".kx-title")).to_contain_text(title)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        assert violations(page, axe) == []


LAPTOP = {"width": 1280, "height": 720}
MIDDLE = """(element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}"""


def test_a_review_fits_one_screen_and_shows_what_a_mistake_costs(review, open_page):
    rows = [*review.moves.itertuples()]
    game = review.record.game
    index = max(range(len(rows) - 1), key=lambda index: rows[index].regret)
    row, reply = rows[index], rows[index + 1]
    with open_page(review_page(review), viewport=LAPTOP, reduced_motion="reduce") as page:
        expect(page.locator("h1")).to_have_text("Game of South against North")
        page.keyboard.press("End")
        moves = page.locator(".kb-moves li button:first-child")
        parts = [*moves.all(), *page.locator(".kb-scene, .kb-graph, .kb-main > .kb-buttons").all()]
        for part in parts:
            box = part.bounding_box()
            assert box["y"] + box["height"] <= LAPTOP["height"]
        shorts = page.locator(".kb-moves .kb-short").all_inner_texts()[1:]
        expected = []
        for move in rows:
            regret = f" −{move.regret:g}" if move.regret else ""
            expected.append(f"{move.pit + 1}{choose_sign(move._asdict())}{regret}")
        assert shorts == expected
        assert any("??" in short for short in shorts)
        page.locator(".kb-moves li").nth(index + 1).get_by_role("button").first.click()
        answer = make_move(game, reply.state, reply.line[0])
        mistake = page.locator(".kb-mistake")
        expect(mistake).to_contain_text(f"gives up {row.regret:g} stones")
        expect(mistake).to_contain_text(f"{answer}. Better for {NAMES[row.mover]}: pit")
        drawn = page.locator(".kb-better").get_attribute("d")
        x1, y1, _, _, x2, y2, *_ = map(float, re.findall(r"-?[\d.]+", drawn))
        table = page.locator(".kb-table").bounding_box()
        best = row.line[0]
        start = pit(page, f"{best + 1} of {NAMES[row.mover]}").evaluate(MIDDLE)
        assert [x1 + table["x"], y1 + table["y"]] == pytest.approx(start, abs=1)
        last = list_drops(row.state.board, row.mover, best, game.rules)[-1]
        owner, number = divmod(last, game.pits + 1)
        ends = (
            f"{number + 1} of {NAMES[owner]}" if number < game.pits else f"{NAMES[owner]}'s store"
        )
        end = page.locator(f'[aria-label^="{ends},"], [aria-label^="pit {ends},"]').evaluate(MIDDLE)
        assert [x2 + table["x"], y2 + table["y"]] == pytest.approx(end, abs=1)
        values = page.locator(".kb-value:not(:empty)")
        expect(values).to_have_count(len(reply.margins))
        graph = page.locator(".kb-drawing").bounding_box()
        page.mouse.click(graph["x"] + graph["width"] - 2, graph["y"] + 20)
        slider = page.get_by_role("slider", name="Moves played")
        expect(slider).to_have_value(str(len(rows)))
        page.keyboard.press("Home")
        expect(slider).to_have_value("0")
        share = "bar => bar.firstChild.offsetHeight / bar.clientHeight - 0.5"
        most = max(abs(value) for value, _ in review.values())
        expected_share = rows[0].before / most / 2
        assert page.locator(".kb-worth").evaluate(share) == pytest.approx(expected_share, abs=0.02)


def test_a_game_without_moves_has_a_page():
    game = Kalah(2, 1)
    page = review_page(review_game(GameRecord(game, game.start(), ())))
    assert "Kalah(2, 1)" in page
    assert "All moves" not in page
