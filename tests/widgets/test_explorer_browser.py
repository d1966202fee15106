"""The explorer in a real browser, cut off from the network: every control, mouse and keyboard."""

import io
import re
from itertools import islice
from xml.etree import ElementTree

import pytest
from PIL import Image
from playwright.sync_api import expect
from ui import (
    MIDDLE,
    NARROW,
    START,
    change,
    in_lab,
    key_of,
    middle,
    node,
    press,
    said,
    saved,
    selected,
    step,
    touch,
    violations,
)

from kalahlab.evaluators.kalah import store_difference
from kalahlab.evaluators.registry import evaluator
from kalahlab.evaluators.tree import written_value
from kalahlab.games.hand_tree import AIMA_5_2, MIN, RICH_KNIGHT_12_5, Branch, HandTree, uniform_tree
from kalahlab.games.kalah import EMPTY_CAPTURE, Kalah
from kalahlab.games.notation import parse_board
from kalahlab.games.registry import GAMES
from kalahlab.search import ALGORITHMS, Depth, alpha_beta
from kalahlab.trace import record
from kalahlab.widgets.board import Board
from kalahlab.widgets.explorer import Explorer, explore
from kalahlab.widgets.page import page

KALAH = (Kalah(rules=EMPTY_CAPTURE), parse_board(MIDDLE), store_difference)
RICH_KNIGHT = (RICH_KNIGHT_12_5, RICH_KNIGHT_12_5.root, written_value, Depth(9))


@pytest.fixture(scope="module")
def trace():
    """The search that `middle` shows."""
    return record(alpha_beta, *KALAH, Depth(2))


# The clock.


def test_the_clock_is_moved_by_every_button(show, trace):
    shown, last = show(middle()), 2 * len(list(trace.visited()))
    press(shown, "Step")
    assert (step(shown), said(shown)[:11]) == (1, "MAX to move")
    for _ in range(3):
        press(shown, "Step")
    assert step(shown) == 6, "a leaf is entered and left in one step"
    press(shown, "Back")
    assert step(shown) == 4
    for button, cuts in (("Next cut", trace.cuts), ("Previous cut", trace.cuts[::-1])):
        for cut in cuts:
            press(shown, button)
            assert said(shown).startswith(f"Cut. {trace.why(cut)}")
        press(shown, button)
        assert step(shown) == {"Next cut": last, "Previous cut": 0}[button], "there is no other"
        press(shown, "End")
    slider = shown.get_by_role("slider", name="Step")
    assert slider.get_attribute("aria-valuetext") == f"step {last} of {last}"
    slider.fill("20")
    assert step(shown) == 20
    strip = shown.locator(".kx-strip-box").bounding_box()
    shown.mouse.click(strip["x"] + strip["width"] / 2, strip["y"] + 5)
    assert step(shown) == last / 2
    press(shown, "Start")
    assert step(shown) == 0


@pytest.mark.parametrize(
    ("speed", "after", "steps"),
    [
        ("100", [300, 2000], range(20, 60)),
        ("a cut every 2 s", [2000, 4000, 6000, 8000, 12_000], None),
        ("all in 10 s", [5000, 10_050], [31]),
        ("all in 60 s", [30_000, 60_050], [31]),
    ],
)
def test_it_plays_at_the_chosen_speed_and_stops_at_the_end(show, trace, speed, after, steps):
    """On a clock of the test's own."""
    shown = show(middle())
    shown.clock.install(time=0)
    shown.clock.pause_at(1000)
    press(shown, "End")  # from where it begins anew
    shown.get_by_label("Speed").select_option(speed)
    press(shown, "Play")
    assert shown.locator(".kx-say").get_attribute("aria-live") == "off"
    now = 0
    for turn, time in enumerate(after[:-1]):
        shown.clock.run_for(time - now)
        now = time
        if steps is None:
            assert said(shown).startswith(f"Cut. {trace.why(trace.cuts[turn])}")
        else:
            assert step(shown) in steps
    shown.clock.run_for(after[-1] - now)
    assert step(shown) == 62
    assert shown.get_by_role("button", name="Play", exact=True).is_visible()
    assert shown.locator(".kx-say").get_attribute("aria-live") == "polite"
    press(shown, "Play")
    press(shown, "Pause")
    paused = step(shown)
    shown.clock.run_for(10_000)
    assert step(shown) == paused


def test_a_link_opens_a_step_and_the_address_follows(show):
    shown, whole = show(middle(), link="#step=39"), f"#{middle().link}&step=62"
    assert step(shown) == 39
    press(shown, "End")
    shown.wait_for_function("whole => location.hash === whole", arg=whole)
    shown.evaluate("location.hash = '#step=5'")
    shown.wait_for_function("() => model.get('step') === 5")
    assert shown.get_by_role("alert").count() == 0
    own = show(middle(), link=whole)
    assert (step(own), own.get_by_role("alert").count()) == (62, 0), "it is the page's own search"
    assert step(show(middle(beside="minimax"), link="#step=70")) == 70, "the second has more steps"


@pytest.mark.parametrize(
    ("link", "at", "complaint"),
    [
        ("#step=999999", 62, "step 999999"),
        ("#elsewhere", 7, "#elsewhere"),
        ("#step=1e9", 7, "“1e9”"),
        ("#step=-5", 7, "“-5”"),
        (f"#step={'9' * 400}", 62, "step 99999999"),
        ("#step=<img src=x onerror=alert(1)>", 7, "its step is “<img"),
        ("#<img src=x onerror=alert(1)>", 7, "not understood"),
        ("#step=NaN&position=%00%ff", 7, "not understood"),
        ("#__proto__[step]=7", 7, "not understood"),
        ("#game=kalah&position=x&step=3", 7, "another search"),
    ],
)
def test_a_link_that_cannot_be_followed_says_so(show, link, at, complaint):
    shown = show(middle(step=7), link=link)
    assert complaint in shown.get_by_role("alert").inner_text()
    assert shown.locator(".kx img, .kx script").count() == 0
    assert step(shown) == at


# The tree.


def test_the_tree_grows_and_nothing_says_what_will_be_cut(show, trace):
    shown, ids = show(middle()), [visit.id for visit in trace.visited()]
    drawn = shown.get_by_role("treeitem")
    expect(drawn).to_have_count(1)
    ticks = shown.locator(".kx-marks")
    for _ in range(4):
        press(shown, "Step")
    made = shown.locator(".tree .node.grey")
    shapes = {each.get_attribute("aria-expanded") for each in made.all()}
    assert shapes == {None}, "what is below a node that is not visited"
    assert {each.get_attribute("class") for each in made.all()} == {"node grey"}
    press(shown, "End")
    assert drawn.count() == len(trace.nodes) > len(ids)
    press(shown, "Start")
    expect(drawn).to_have_count(1)
    clipped = ticks.evaluate("element => element.style.clipPath")
    shown.get_by_label("Show the whole tree").check()
    expect(drawn).to_have_count(len(trace.nodes))
    assert ticks.evaluate("element => element.style.clipPath") != clipped
    shown.wait_for_function("() => location.hash.includes('&tree=whole&step=0')")
    shared = show(middle(), link="#" + shown.url.partition("#")[2])
    expect(shared.get_by_label("Show the whole tree")).to_be_checked()
    expect(shared.get_by_role("treeitem")).to_have_count(len(trace.nodes))


def test_the_whole_tree_is_grey_and_one_press_from_a_cut(show, trace):
    shown = show(middle(ahead=True))
    assert shown.get_by_role("treeitem").count() == len(trace.nodes)
    grey = shown.locator(".tree .node.grey")
    assert grey.count() == len(trace.nodes) - 1, "all but the root"
    assert {*grey.locator(".value").all_text_contents()} == {""}
    press(shown, "Next cut")
    visited = int(shown.locator(".kx-count.visited b").inner_text())
    assert grey.count() == len(trace.nodes) - visited - len(trace.cuts[0].untried)
    press(shown, "End")
    assert grey.count() == 0
    large = explore(START, depth=5, ahead=True)
    below = show(large).locator(".tree .node.grey .fold").all_text_contents()
    sizes = [int(text.strip("▸ ").replace("\u202f", "")) + 1 for text in below]
    assert 1 + sum(sizes) == large.traces[0]["nodes"], "one ply, and how many nodes are below it"


def test_why_links_to_both_nodes_and_lights_them(show, trace):
    shown, [first, *_] = show(middle()), trace.cuts
    press(shown, "Next cut")
    assert shown.locator(".ring.owner").count() == shown.locator(".ring.cutter").count() == 1
    assert shown.locator(".bound").text_content() == "α = −2"
    blamed = shown.locator(".blame .line").get_attribute("d")
    assert str(blamed).count("M") == 1, "one edge leads from the owner to the cut"
    why = shown.locator(".kx-why")
    assert trace.why(first) in why.inner_text()
    links = why.get_by_role("button")
    assert links.count() == 2
    links.nth(1).click()
    assert selected(shown) == first.owner


def test_clicks_select_open_and_close(show):
    shown = show(explore(START, depth=5))
    press(shown, "End")
    key = key_of(shown.locator(".tree .node[aria-expanded=false]").first)
    expanded = []
    for _ in range(3):
        node(shown, key).locator(".shape").click()
        assert selected(shown) == key
        expanded.append(node(shown, key).get_attribute("aria-expanded"))
    assert {*expanded[1:]} == {"true", "false"}


def test_the_tree_opens_by_depth_along_the_best_line_and_whole(show):
    shown, small = show(explore(START, depth=4)), show(middle())
    for each in (shown, small):
        press(each, "End")
    assert small.get_by_role("treeitem").count() == 37
    items = shown.get_by_role("treeitem")
    for plies, option in enumerate(("1 ply", "2 plies"), start=1):
        shown.get_by_role("combobox", name="Show").select_option(option)
        levels = {str(level) for level in range(1, plies + 2)}
        assert {each.get_attribute("aria-level") for each in items.all()} == levels
    shown.get_by_role("combobox", name="Show").select_option("the best line")
    opened = shown.locator(".tree [aria-expanded=true]")
    assert opened.count() == 4, "the root and three moves of the line; its end is a leaf"


def place(shown):
    """Where the root is drawn, and how wide."""
    box = node(shown, 0).locator(".shape").bounding_box()
    return box["x"] + box["width"] / 2, box["y"], box["width"]


def corner(shown, inset):
    """A place of the stage where there is no node."""
    stage = shown.locator(".kx-stage").bounding_box()
    return stage["x"] + inset, stage["y"] + stage["height"] - inset


def test_zoom_pan_and_fit(show):
    shown = show(middle())
    press(shown, "End")
    x, y, wide = place(shown)
    press(shown, "Zoom in")
    assert place(shown)[2] == pytest.approx(1.25 * wide, rel=0.01)
    press(shown, "Zoom out")
    left, top = corner(shown, 20)
    shown.mouse.move(left, top)
    shown.mouse.down()
    shown.mouse.move(left + 60, top - 40, steps=4)
    shown.mouse.up()
    assert place(shown) == pytest.approx([x + 60, y - 40, wide], abs=0.5)
    shown.keyboard.down("Control")
    shown.mouse.wheel(0, -200)
    shown.keyboard.up("Control")
    root = "document.querySelector('.tree .shape').getBoundingClientRect().width"
    shown.wait_for_function(f"() => {root} > {wide} * 1.1")
    press(shown, "Fit")
    assert place(shown) == pytest.approx([x, y, wide], abs=0.5)


def test_fingers_pan_and_pinch(show):
    shown = show(middle(), has_touch=True)
    press(shown, "End")
    x, y, wide = place(shown)
    left, top = corner(shown, 60)
    touch(shown, *([(left + moved, top)] for moved in (0, 10, 30, 50)))
    assert place(shown) == pytest.approx([x + 50, y, wide], abs=0.5)
    touch(shown, *([(left - moved, top), (left + 60 + moved, top)] for moved in (0, 30)))
    assert place(shown)[2] == pytest.approx(2 * wide, rel=0.01)


def test_the_map_shows_the_part_that_is_seen_and_leads_elsewhere(show):
    shown = show(explore(START, depth=5, rules=EMPTY_CAPTURE))
    small = shown.locator(".kx-map")
    expect(small).to_be_hidden()
    press(shown, "End")
    shown.get_by_role("combobox", name="Show").select_option("3")
    picture = small.locator("canvas").bounding_box()
    x, y = 40, picture["height"] - 20

    def framed():
        box = small.locator("i").bounding_box()
        left, top = box["x"] - picture["x"], box["y"] - picture["y"]
        return left <= x <= left + box["width"] and top <= y <= top + box["height"] < y + 20

    assert not framed()
    small.locator("canvas").click(position={"x": x, "y": y})
    assert framed()
    press(shown, "Start")
    shown.get_by_role("combobox", name="Show").select_option("path")
    expect(small).to_be_hidden()


def test_the_board_is_shown_on_hover_and_for_the_selected_node(show, trace):
    shown = show(middle())
    press(shown, "End")
    leaf = next(visit for visit in trace.visited() if visit.kind == "leaf")
    board = leaf.node.state.board
    node(shown, leaf.id).locator(".shape").hover()
    label = f"South, MAX, pits {' '.join(map(str, board[:6]))}, store {board[6]}"
    card = shown.locator(".kx-card").get_by_role("img")
    assert label in str(card.get_attribute("aria-label"))
    shown.keyboard.press("Escape")
    node(shown, leaf.id).locator(".shape").click()
    panel = shown.locator(".kx-panel").get_by_role("img")
    assert label in str(panel.get_attribute("aria-label"))
    assert [*map(int, panel.locator(".seeds").all_text_contents())] == [*board]


@pytest.mark.parametrize("kind", ["betsy", "cards"])
def test_the_position_of_another_game_is_shown_as_it_draws_it(show, kind):
    game, state = GAMES[kind].read(GAMES[kind].example)
    trace = record(alpha_beta, game, state, evaluator(None, kind), Depth(2))
    shown = show(explore(state, game=game, depth=2))
    press(shown, "Next cut")
    cut = trace.cuts[0].node
    drawn = GAMES[kind].draw(trace.nodes[cut].node.state).rstrip()
    text = shown.locator(".kx-panel pre")
    assert text.text_content() == drawn
    node(shown, cut).locator(".shape").hover()
    assert shown.locator(".kx-card pre").text_content() == drawn
    assert text.evaluate("pre => pre.scrollWidth <= pre.clientWidth"), "no line is cut off"


# The keyboard alone.


def test_everything_is_reached_by_keyboard(show):
    shown = show(explore(START, depth=5))
    in_tree = "document.activeElement.matches('.tree')"
    while not shown.evaluate(in_tree):
        shown.keyboard.press("Tab")
        seen = "getComputedStyle(document.activeElement).outlineStyle !== 'none'"
        assert shown.evaluate(f"{seen} || {in_tree}"), "the focus is visible"
    outline = "getComputedStyle(document.querySelector('.kx-stage')).outlineStyle"
    assert shown.evaluate(outline) == "solid"
    steps = []
    for key in ("]", "[", ".", ".", ",", "c", "c", "C"):
        shown.keyboard.press(key)
        steps.append(step(shown))
    last, start, one, two, back, cut, second, first = steps
    assert last > 900
    assert (start, one, two, back, first) == (0, 1, 2, 1, cut)
    assert second > cut > 2
    assert said(shown).startswith("Cut.")
    shown.keyboard.press(" ")
    assert shown.get_by_role("button", name="Pause").is_visible()


def test_the_tree_is_walked_as_a_tree_view(show):
    shown = show(explore(START, depth=5))
    shown.locator(".tree").focus()

    def after(key):
        shown.keyboard.press(key)
        id = shown.locator(".tree").get_attribute("aria-activedescendant")
        active, names = shown.locator(f"[id='{id}']"), ("level", "posinset", "expanded")
        return [active.get_attribute(f"aria-{name}") for name in names]

    assert after("]") == ["1", "1", "true"]
    assert after("ArrowRight")[0] == "2"
    shown.keyboard.press("Home")
    assert after("ArrowDown")[:2] == ["2", "1"]
    assert after("ArrowRight")[2] == "true", "opened, or gone into"
    assert str(after("End")[0]) >= "2"
    assert after("Home") == ["1", "1", "true"]
    shown.keyboard.press("ArrowDown")
    shown.keyboard.press("*")
    assert shown.locator(".tree [aria-level='2'][aria-expanded=true]").count() == 6
    assert after("ArrowLeft")[2] == "false", "closed"
    assert after("ArrowLeft")[0] == "1", "and up"
    shown.keyboard.press("ArrowDown")
    key = selected(shown)
    shown.keyboard.press("Enter")
    trace = explore(START, depth=5).request.first()[0]
    left = 2 * len(below(trace, key)) + key + (key - 1)  # entered before it, and left but the root
    assert step(shown) == left, "all below it is entered and left, and it is left"
    shown.keyboard.press("ArrowUp")
    shown.keyboard.press("Escape")
    assert selected(shown) == key, "back to the current node"


def below(trace, id):
    return [visit.id for begins, visit in trace.events(id) if begins]


# The quiz.


def test_the_quiz_counts_right_answers_missing_and_superfluous_cuts(show, trace):
    shown = show(middle())
    press(shown, "Quiz")
    question = shown.locator(".kx-question")
    right = missed = superfluous = turn = 0
    while "No more questions" not in question.inner_text():
        answer = turn % 3 == 0
        press(shown, "Cut" if answer else "Search on")
        told = question.inner_text()
        cut = any(trace.why(each) in told for each in trace.cuts)
        right += told.startswith("✓")
        missed += cut and not answer
        superfluous += answer and not cut
        assert told.startswith("✓") == (cut == answer)
        turn += 1
        press(shown, "Next question")
    assert min(right, missed, superfluous) > 0
    assert right + missed + superfluous == turn
    score = shown.locator(".kx-score").inner_text()
    assert [int(word) for word in score.split() if word.isdigit()] == [
        *(right, turn, missed, superfluous)
    ]
    press(shown, "Quiz")
    assert shown.locator(".kx-ladder").is_visible()


@pytest.mark.parametrize(("kind", "name"), [("α", "alpha"), ("β", "beta"), ("the value", "value")])
def test_the_quiz_asks_for_numbers(show, kind, name):
    trace = record(alpha_beta, *RICH_KNIGHT)
    inner = [visit for visit in trace.visited() if visit.kind in ("inner", "cut")]
    finite = [visit for visit in inner if abs(getattr(visit, name)) < 1e9]
    if name == "value":
        finite.sort(key=lambda visit: (max(below(trace, visit.id)), -visit.id))
    shown = show(explore(RICH_KNIGHT_12_5, depth=9))
    press(shown, "Quiz")
    shown.get_by_label("Ask for").select_option(kind)
    box, question = shown.get_by_label("Your answer"), shown.locator(".kx-question")
    box.fill("three")
    press(shown, "Check")
    assert shown.locator(".kx-score").inner_text() == "", "what is no number is asked for again"
    assert shown.evaluate("!document.activeElement.validity.valid")
    for turn, visit in enumerate(finite):
        hints = shown.locator(".kx-ladder, .kx-counts, .bar").locator("visible=true")
        assert hints.count() == 0
        box.fill(str(getattr(visit, name) + turn % 2).replace("-", "−"))
        shown.keyboard.press("Enter")
        assert question.inner_text().startswith(("✓", "✗")[turn % 2])
        shown.keyboard.press("Enter")
    assert "No more questions" in question.inner_text()
    score = shown.locator(".kx-score").inner_text()
    assert score.startswith(f"{(len(finite) + 1) // 2} of {len(finite)}")


# What is saved.


def test_the_picture_is_saved_as_svg_and_png(show):
    shown = show(middle())
    press(shown, "Next cut")
    svg = saved(shown, "SVG").decode()
    root = ElementTree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "step 23 of 62" in str(root.findtext("{*}title"))
    texts = {each.text for each in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"≤−2", "≥−2", "α = −2"} <= texts
    assert [each for each in ("var(", "light-dark", "class=", "<script") if each in svg] == []
    picture = Image.open(io.BytesIO(saved(shown, "PNG")))
    assert picture.size == (2 * int(root.attrib["width"]), 2 * int(root.attrib["height"]))
    assert len(picture.convert("RGB").getcolors(1 << 24) or []) > 3, "there is something on it"


def test_the_explorer_is_saved_where_it_is_as_a_page_that_works(show, opened, tmp_path):
    shown, again = show(middle()), tmp_path / "again.html"
    change(shown, traces=explore(START, depth=3).traces)
    shown.get_by_text("Alpha-beta, depth 3").wait_for()
    press(shown, "Next cut")
    at = step(shown)
    shown.wait_for_function("at => location.hash.endsWith(`&step=${at}`)", arg=at)
    again.write_bytes(saved(shown, "HTML"))
    with opened() as page:
        page.goto(again.as_uri())
        page.wait_for_selector(".kx[data-ready]")
        assert page.locator(".kx").count() == 1
        assert page.get_by_text("Alpha-beta, depth 3").count() == 1, "what is shown by now"
        assert page.get_by_role("slider", name="Step").input_value() == str(at)
        assert said(page).startswith("Cut.")
        press(page, "Step")


# Side by side, themes, motion, accessibility.


def test_a_second_search_is_hidden_while_the_quiz_asks(show):
    trees = show(middle(beside="minimax")).get_by_role("tree")
    expect(trees).to_have_count(2)
    press(trees.page, "Quiz")
    expect(trees).to_have_count(1)
    expect(trees).to_have_accessible_name(re.compile("Alpha-beta"))
    press(trees.page, "Quiz")
    expect(trees).to_have_count(2)


@pytest.mark.parametrize("beside", ["minimax", "scout", "scout_table", "mtdf"])
def test_two_searches_run_on_one_clock_and_mark_what_only_one_visits(show, beside):
    """A position is known again by its moves: in a probe, in the search after it, in any pass."""
    traces = [record(ALGORITHMS[name], *RICH_KNIGHT) for name in ("alpha_beta", beside)]

    def moves(trace, id):
        visit = trace.nodes[id]
        above = () if visit.parent is None else moves(trace, visit.parent)
        return above if visit.node.move is None else (*above, visit.node.move)

    paths = [[moves(trace, visit.id) for visit in trace.visited()] for trace in traces]
    shown = show(explore(RICH_KNIGHT_12_5, depth=9, beside=beside))
    press(shown, "End")
    for pane, (own, other) in enumerate([paths, paths[::-1]]):
        expected = [id for id, path in enumerate(own) if path not in other]
        tree = shown.locator(".kx-pane").nth(pane)
        marked = tree.locator("[role=treeitem]:has(.alone)")
        assert [key_of(each) for each in marked.all()] == expected
        labels = tree.locator("[role=treeitem][aria-label$='only in this search']")
        assert labels.count() == len(expected)
    ends, visited = [2 * len(own) for own in paths], shown.locator(".kx-count.visited b")
    shown.get_by_role("slider", name="Step").fill(str(min(ends) + 1))
    for pane, trace in enumerate(traces):
        count = sum(begins for begins, _ in islice(trace.events(), min(ends) + 1))
        assert int(visited.nth(pane).inner_text()) == count, "the shorter search has ended"


LIGHT, DARK = "rgb(255, 255, 255)", "rgb(21, 25, 30)"
THEMES = [
    *[("light", "", "", LIGHT), ("dark", "", "", DARK)],
    *[("light", "dark", "", DARK), ("dark", "light", "", LIGHT), ("dark", "light", "dark", LIGHT)],
    *[(system, "", "dark", DARK) for system in ("light", "dark")],
    *[(system, "", "light", LIGHT) for system in ("light", "dark")],
    *[(system, "", "high-contrast", DARK) for system in ("light", "dark")],
    ("dark", "light", "high-contrast", LIGHT),
    ("dark", "", "high-contrast vscode-high-contrast-light", LIGHT),
]
"""The system's, the trait, what VS Code calls its own; the colour."""


def test_the_theme_is_the_traits_or_that_of_what_is_around(show):
    backgrounds = """[".kx", ".kalah-board"].map((name) =>
      getComputedStyle(document.querySelector(name)).backgroundColor).join(" and ")"""
    marks = "document.querySelector('.kx-marks').toDataURL()"
    shown = show(Board(), middle())
    models = "theme => views.forEach((model) => model.set('theme', theme))"
    press(shown, "Next cut")
    drawn = {}
    for system, theme, around, colour in THEMES:
        shown.emulate_media(color_scheme=system, reduced_motion="reduce")
        shown.evaluate(models, theme)
        name = f"vscode-{around}" if around else ""
        shown.evaluate("name => { document.body.className = name; }", name)
        shown.wait_for_function(
            f"colours => {backgrounds} === colours", arg=f"{colour} and {colour}"
        )
        if colour not in drawn:  # what is drawn follows
            shown.wait_for_function(f"old => !old.includes({marks})", arg=[*drawn.values()])
            drawn[colour] = shown.evaluate(marks)
        shown.wait_for_function(f"own => {marks} === own", arg=drawn[colour])
    shown.evaluate("document.body.className = ''; document.body.dataset.jpThemeLight = 'false'")
    shown.emulate_media(color_scheme="light")
    shown.evaluate(models, "")
    assert shown.evaluate(backgrounds) == f"{DARK} and {DARK}", "JupyterLab's own theme"


def test_motion_is_reduced_where_that_is_asked(show):
    moving = "getComputedStyle(document.querySelector('.camera')).transitionDuration"
    for motion in ("reduce", "no-preference"):
        shown = show(middle(), reduced_motion=motion)
        press(shown, "Fit")
        assert (shown.evaluate(moving) == "0s") == (motion == "reduce")


@pytest.mark.parametrize(("theme", "beside"), [("light", None), ("dark", "minimax")])
def test_axe_finds_no_violation(show, axe, theme, beside):
    states = [("Start", 1280), ("Next cut", 390), ("End", 320), ("Next cut", 800), ("Quiz", 320)]
    board = Board(6, 4, moves=[5, 4, 3], values="search", depth=4)
    if beside:
        board = Board(start="<4,2,2,3,1,0,2,3,1,4,2>", moves=[1], north="perfect")
    shown = show(middle(beside=beside), board, color_scheme=theme)
    shown.locator(".kx-help summary").click()
    shown.locator(".kb-settings").evaluate("box => { box.hidden = false; box.open = true; }")
    for state, width in states:
        shown.set_viewport_size({"width": width, "height": 900})
        press(shown, state)
        assert violations(shown, axe) == [], state
        assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_forced_colours_are_those_of_the_system(show, theme):
    """A drawing keeps its own colours then, and a button's text gets a background of its own."""
    shown = show(middle(), forced_colors="active", color_scheme=theme)
    found = shown.evaluate(
        """() => {
          const probe = document.body.appendChild(document.createElement("p"));
          const system = (name) => ((probe.style.color = name), getComputedStyle(probe).color);
          const style = (where) => getComputedStyle(document.querySelector(where));
          const [step, shape, name] = [".primary", ".node.grey .shape", ".node .move"].map(style);
          return [
            [step.color, system("ButtonText")], [step.backgroundColor, system("ButtonFace")],
            [name.stroke, system("Canvas")], [name.fill, system("CanvasText")],
            [shape.stroke === system("Canvas"), false],
          ];
        }"""
    )
    for drawn, expected in found:
        assert drawn == expected


# What comes from outside.


def test_a_trace_cut_short_is_said_and_the_rest_of_the_page_works(opened, tmp_path):
    esm, css, state = middle().part()
    [packed] = state["traces"]
    short, fewer = packed["data"], [[name, kind, n + 9] for name, kind, n in packed["columns"]]
    boards = {**packed["positions"], "data": packed["positions"]["data"][:-20]}
    changes = [{"data": data} for data in (short[:60], b"", short[:-30] + b"\0" * 30)]
    changes += [{"columns": fewer}, {"positions": boards}, {}]
    parts = [(esm, css, {**state, "traces": [packed | change]}) for change in changes]
    file = tmp_path / "broken.html"
    file.write_text(page("Broken", parts), encoding="utf-8")
    with opened() as shown:
        shown.goto(file.as_uri())
        shown.wait_for_function("() => document.querySelectorAll('.kx[data-ready]').length === 6")
        notices = shown.locator(".kx-notice").all_inner_texts()
        assert ["cut short" in each or "damaged" in each for each in notices] == [True] * 5 + [
            False
        ]
        for place in range(6):
            shown.locator(".kx").nth(place).get_by_text("Step", exact=True).click()
        told = shown.locator(".kx-say").all_inner_texts()[4:]
        assert all(each.startswith("MAX to move") for each in told), "the tree needs no boards"


def test_text_from_a_trace_is_never_taken_for_html(show):
    evil = "<img src=x onerror=alert(1)>"
    tree = HandTree(Branch(evil, children=(
        Branch(f"{evil}&amp;", MIN, children=(Branch(evil, MIN, 2), Branch("</script>", MIN, 1))),
        Branch('"><b>', MIN, 3),
    )))  # fmt: skip
    trace = record(alpha_beta, tree, tree.root, written_value, Depth(9))
    for view in (explore(tree, depth=9), Explorer(trace, titles=[evil])):
        shown = show(view)
        for _ in range(8):
            press(shown, "Step")
        node(shown, 2).locator(".shape").click()
        node(shown, 2).locator(".shape").hover()
        assert shown.locator(".kx img, .kx b:has(b), .kx script").count() == 0
        assert evil in shown.locator(".kx-panel").inner_text()
        ElementTree.fromstring(saved(shown, "SVG").decode())


# With Python behind it: the same messages as in Jupyter, without Jupyter.


def settled(shown):
    shown.wait_for_selector(".kx:not([aria-busy])")


def test_the_search_is_switched_in_place_and_keeps_the_node_in_view(show):
    shown = show(middle(), live=True)
    press(shown, "Next cut")
    node(shown, 0).locator(".shape").click()
    shown.keyboard.press("ArrowDown")
    heading = shown.locator(".kx-panel h2")
    name = heading.inner_text().split("\n")[0]
    shown.get_by_text("Change the search").click()
    shown.get_by_label("Algorithm").first.select_option("minimax")
    shown.get_by_label("Depth", exact=True).fill("3")
    press(shown, "Search")
    shown.get_by_text("Minimax, depth 3").wait_for()
    assert heading.inner_text().split("\n")[0] == name
    assert node(shown, selected(shown)).is_visible()
    shown.get_by_label("Beside it: Algorithm").select_option("alpha_beta")
    shown.get_by_label("Beside it: Order").select_option("worst_first")
    press(shown, "Search")
    shown.get_by_text("Alpha-beta, depth 3, worst first order").wait_for()
    assert shown.locator(".kx-pane").count() == 2


def test_what_cannot_be_searched_or_opened_is_said_and_the_view_goes_on(show, trace, tmp_path):
    whole, half = tmp_path / "whole.json", tmp_path / "half.json"
    whole.write_text(trace.to_json(), encoding="utf-8")
    half.write_text(trace.to_json()[:5000], encoding="utf-8")
    shown = show(middle(), live=True)
    shown.get_by_text("Change the search").click()
    position = shown.get_by_role("textbox", name="Position")
    position.fill("<6,0,0,4>")
    press(shown, "Search")
    expect(shown.get_by_role("alert")).to_contain_text("lists 1 pits")
    press(shown, "Next cut")
    assert said(shown).startswith("Cut.")
    position.fill("<2,0,0,2,2,2,2>")
    press(shown, "Search")
    shown.get_by_role("alert").wait_for(state="hidden")
    expect(shown.locator(".kx-panel .seeds")).to_have_count(6)
    shown.get_by_label("Or open a trace file").set_input_files(half)
    expect(shown.get_by_role("alert")).to_contain_text("cut short")
    press(shown, "Step")
    shown.get_by_label("Or open a trace file").set_input_files(whole)
    expect(shown.locator(".kx-title")).to_have_text("whole.json")
    expect(shown.locator(".kx-panel .seeds")).to_have_count(14)
    press(shown, "Search")
    expect(shown.locator(".kx-panel .seeds")).to_have_count(6)


def test_a_kernel_that_is_silent_is_said_and_a_late_answer_takes_that_back(show):
    shown = show(middle(patience=1), live=True)
    shown.evaluate("model.send = (request) => { globalThis.sent = request; }")
    shown.get_by_text("Change the search").click()
    press(shown, "Search")
    assert shown.locator(".busy").inner_text().startswith("Searching")
    expect(shown.get_by_role("button", name="Stop")).to_be_in_viewport()
    expect(shown.get_by_role("alert")).to_contain_text("Python has not answered for 1 s")
    press(shown, "Next cut")
    assert said(shown).startswith("Cut.")
    shown.evaluate("model.tell('msg:custom', { id: sent.id, error: '' })")
    shown.get_by_role("alert").wait_for(state="hidden")
    assert shown.locator(".busy").is_hidden()
    shown.set_viewport_size(NARROW)
    # With the form open; what is drawn to measure is drawn again a frame later.
    shown.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
    shown.locator(".kx-save").get_by_text("HTML", exact=True).click()
    settled(shown)
    assert saved(shown, "CSV").startswith(b"id,parent")


def test_a_tree_is_edited_and_every_step_is_taken_back(show):
    explorer = explore(AIMA_5_2, depth=9, algorithm="scout")
    shown = show(explorer, live=True)
    undo, trees = shown.get_by_role("button", name="Undo"), ["aima-5.2"]
    b, c, d = "B:(b1:3 b2:12 b3:8)", "C:(c1:2 c2:4 c3:6)", "D:(d1:14 d2:5 d3:2)"

    def becomes(*branches):
        settled(shown)
        trees.append(f"A:({' '.join(branches)})")
        assert explorer.form["position"] == trees[-1]

    def fill(label, text, button):
        shown.get_by_label(label, exact=True).fill(text)
        press(shown, button)

    expect(undo).to_be_disabled()
    press(shown, "Add a branch")  # the root is selected at first
    becomes(b, c, d, "A.4:0")
    press(shown, "End")
    node(shown, "5/0").locator(".shape").click()  # a leaf that was cut
    fill("Value of this leaf", "−1.5", "Set")
    becomes(b, c := c.replace("4", "-1.5"), d, "A.4:0")
    fill("Value of this leaf", "much", "Set")
    expect(shown.get_by_role("alert")).to_contain_text("'much' is not a number")
    node(shown, 5).locator(".shape").click()
    press(shown, "Later")
    becomes(b, d, c, "A.4:0")
    shown.locator(".tree").focus()
    shown.keyboard.press("Shift+ArrowRight")
    becomes(b, d, "A.4:0", c)
    shapes = shown.locator(".tree [aria-level='2'] .shape")
    last, first = shapes.last.bounding_box(), shapes.first.bounding_box()
    shown.mouse.move(last["x"] + 20, last["y"] + 12)
    shown.mouse.down()
    shown.mouse.move(first["x"] - 30, first["y"] + 12, steps=5)
    shown.mouse.up()
    becomes(c, b, d, "A.4:0")
    shown.locator(".tree").focus()
    shown.keyboard.press("End")
    fill("Name", "<b>E & co</b>", "Rename")
    expect(shown.get_by_role("alert")).to_contain_text("'<b>E & co</b>' is no name")
    fill("Name", "<b>", "Rename")
    becomes(c, b, d, "<b>:0")
    assert shown.locator(".kx-panel h2").inner_text().startswith("Node <b>")
    assert shown.locator(".kx b b").count() == 0
    for added in ("<b>.1:0", "<b>.1:0 <b>.2:0"):
        press(shown, "Add a branch")
        becomes(c, b, d, f"<b>:({added})")
    press(shown, "Remove")
    becomes(c, b, d)
    shown.get_by_label("branches").fill("2")
    shown.get_by_label("levels").fill("3")
    fill("number", "7", "Make")
    settled(shown)
    assert explorer.form["position"] == GAMES["tree"].format(uniform_tree(2, 3, 7))
    while trees:
        press(shown, "Undo")
        settled(shown)
        assert explorer.form["position"] == trees.pop()
    expect(undo).to_be_disabled()


def test_a_link_to_another_search_is_searched_and_opened_there(show):
    linked = explore(RICH_KNIGHT_12_5, depth=9, algorithm="minimax")
    shown = show(middle(), live="page", link=f"#{linked.link}&step=7")
    shown.get_by_text("Minimax, depth 9").wait_for()
    assert step(shown) == 7
    shown.wait_for_function("whole => location.hash === whole", arg=f"#{linked.link}&step=7")
    shown.evaluate("location.hash = 'game=chess&position=x&algorithm=minimax&depth=1'")
    expect(shown.get_by_role("alert")).to_contain_text("unknown game 'chess'")
    assert shown.locator(".kx-title").inner_text() == "Minimax, depth 9"


# In JupyterLab.


LAB = """import ipywidgets
from kalahlab.widgets.explorer import explore
explorer = explore("<3,0,0,2,2,2,2,2,2>", depth=3)
heard = ipywidgets.Label()  # of what the kernel knows
explorer.observe(lambda change: setattr(heard, "value", f"Python is at {change.new}"), "step")
ipywidgets.VBox([explorer, heard])"""


def test_in_jupyterlab_a_click_reaches_python(browser, lab):
    with in_lab(browser, lab(LAB)) as shown:
        view = shown.locator(".kx[data-ready]")
        view.get_by_role("button", name="Next cut").click()
        at = int(view.get_by_role("slider", name="Step").input_value())
        assert at > 0
        shown.get_by_text(f"Python is at {at}").wait_for()
        shown.get_by_text("Change the search").click()
        view.get_by_label("Algorithm").first.select_option("minimax")
        view.get_by_role("button", name="Search", exact=True).click()
        shown.get_by_text("Minimax, depth 3").wait_for()
