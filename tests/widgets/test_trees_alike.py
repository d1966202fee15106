"""Static trees and the explorer draw alike: the same marks, in the same places and colours."""

from growths import record_growths

from kalahlab.draw.growth_svg import growth_svg
from kalahlab.draw.tree_svg import tree_svg
from kalahlab.games.hand_tree import AIMA_5_2, RICH_KNIGHT_12_5, HandTree, parse_tree, uniform_tree
from kalahlab.games.kalah import Kalah
from kalahlab.widgets.explorer import explore
from kalahlab.widgets.growth import GrowthExplorer

# Returns the marks of a picture: for each line, outline and text its place, from the root on, and
# its look. A path of several lines is several marks; a line is known by nine of its points.
MARKS = """
(picture, left_out) => {
  const root = picture.querySelector("[data-id='0'] path, .node path");
  const TEXT = ["font-weight", "fill", "font-size", "text-anchor", "font-family"];
  const LINE = ["fill", "stroke", "stroke-dasharray", "stroke-width"];
  const styleOf = (element, names) => {
    const style = getComputedStyle(element);
    return names.map(name => style.getPropertyValue(name));
  };
  const to = root.getScreenCTM().inverse();
  const marks = [];
  for (const element of picture.querySelectorAll("path, text")) {
    if (element.closest(left_out)) continue;
    if (!element.checkVisibility()) continue;
    const { e, f } = to.multiply(element.getScreenCTM());
    if (element.localName === "text") {
      if (!element.textContent.trim()) continue;
      const [x, y] = ["x", "y"].map(name => Number(element.getAttribute(name)));
      const [weight, ...look] = styleOf(element, TEXT);
      const what = [element.textContent, weight > 500, ...look].join(" ");
      marks.push({ what, place: [x + e, y + f] });
      continue;
    }
    const [fill, stroke, dashes, width] = styleOf(element, LINE);
    for (const d of (element.getAttribute("d") ?? "").split(/(?=M)/)) {
      if (!d) continue;
      const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
      line.setAttribute("d", d);
      const long = line.getTotalLength();
      const place = [0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap(part => {
        const { x, y } = line.getPointAtLength((long * part) / 8);
        return [x + e, y + f];
      });
      const pen = stroke === "none" ? "" : `${stroke} ${dashes} ${width}`;
      marks.push({ what: `line ${fill} ${pen}`, place });
    }
  }
  return marks;
}
"""
NAMED = "(win:(a:3 12 draw:8) (2 longname:(-4.25 6.125 1234567) 4) [14 5 2])"
SEARCHES = {
    "aima": (AIMA_5_2, {}),
    "minimax": (AIMA_5_2, {"algorithm": "minimax"}),
    "rich & knight": (RICH_KNIGHT_12_5, {"algorithm": "minimax_a_b"}),
    "scout": (RICH_KNIGHT_12_5, {"algorithm": "scout"}),
    "passes": (RICH_KNIGHT_12_5, {"algorithm": "mtdf"}),
    "names": (HandTree(parse_tree(NAMED)), {}),
    "chance": (HandTree(parse_tree("({1/4*3 3/4*-1} {1/2*(2 5) 1/2*8})")), {"algorithm": "star1"}),
    "uniform": (HandTree(uniform_tree(3, 4, 7)), {}),
    "chances": (Kalah(3, 2).start(), {"depth": 2, "algorithm": "product_rule"}),
    "m and n": (RICH_KNIGHT_12_5, {"algorithm": "m_and_n"}),
    "extra turns": (Kalah(3, 2).start(), {"depth": 3}),
    "turns": (Kalah(3, 2).start(), {"depth": 2, "leaf": "turn"}),
    "table": (Kalah(2, 2).start(), {"depth": 5, "algorithm": "scout_table"}),
    "deepening": (Kalah(2, 2).start(), {"depth": 3, "algorithm": "mtdf_deepening"}),
    "fractions": (Kalah(3, 2).start(), {"depth": 2, "evaluator": "staged"}),
}


# What the explorer shows of the last iteration of a growing tree, and its bars, which are about the
# next one.
MOMENT = ".edges, .bar, .overlay, .note, .leaf .count, .appeal"


def is_near(one, other):
    return all(abs(x - y) < 0.3 for x, y in zip(one, other, strict=True))


def leave_out_pairs(marks, others):
    """Return the marks that have no counterpart among the others, and the others without one."""
    others, alone = [*others], []
    for mark in marks:
        what, place = mark["what"], mark["place"]
        for other in others:
            if other["what"] == what and is_near(other["place"], place):
                others.remove(other)
                break
        else:
            alone.append(mark)
    return alone, others


def describe(mark):
    return f"{mark['what']} at {[round(number) for number in mark['place']]}"


def show_ends(show, views):
    """Show the ends of searches on one page, which takes less time than a page for each."""
    page = show(*views, viewport={"width": 1920, "height": 1600}, color_scheme="light")
    ends = page.get_by_role("button", name="End", exact=True)
    ends.evaluate_all("all => all.forEach((end) => end.click())")  # then all are drawn once
    return page


def compare(page, place, picture, only_shown, only_drawn):
    """Add a picture to a page, and compare it with the view at a place.

    Return the number of the picture's marks, and descriptions of those that only one of both has,
    without those inside elements that a selector finds: one for the view, one for the picture.
    """
    page.evaluate("svg => document.body.insertAdjacentHTML('beforeend', svg)", picture)
    in_view = page.locator(".kx .camera").nth(place).evaluate(MARKS, only_shown)
    in_picture = page.locator("body > svg").last.evaluate(MARKS, only_drawn)
    differences = leave_out_pairs(in_view, in_picture)
    return len(in_picture), [[*map(describe, marks)] for marks in differences]


def test_a_static_tree_has_the_marks_of_the_explorer(show):
    views = [explore(root, **how) for root, how in SEARCHES.values()]
    page = show_ends(show, views)
    for place, (name, view) in enumerate(zip(SEARCHES, views, strict=True)):
        trace = view.request.run_first()[0]
        count, differences = compare(page, place, tree_svg(trace), ".overlay .ring", ".legend")
        assert differences == [[], []], name
        assert count > len(trace.nodes), name


def test_a_static_tree_that_grew_has_the_nodes_of_the_explorer(show):
    traces = {name: trace for name, trace in record_growths().items() if len(trace.nodes) <= 60}
    page = show_ends(show, [GrowthExplorer(trace) for trace in traces.values()])
    for place, (name, trace) in enumerate(traces.items()):
        picture = growth_svg(trace, most=len(trace.nodes))
        _, differences = compare(page, place, picture, MOMENT, "svg > :not(.node)")
        assert differences == [[], []], name
