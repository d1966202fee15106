"""A notebook's tables, made fit for a page."""

import pandas as pd
import pytest
from bs4 import BeautifulSoup

from kalahlab.draw.tables import table_html
from kalahlab.report.tables import for_page


@pytest.fixture
def nested() -> str:
    index = pd.MultiIndex.from_product([["a", "b"], ["x", "y"], [1, 2, 3]], names=["p", "q", "n"])
    frame = pd.DataFrame({"value": range(12)}, index=index)
    frame.attrs["caption"] = "Twelve values"
    return table_html(frame)


def test_a_row_header_stands_for_the_rows_that_repeat_it(nested):
    page = BeautifulSoup(for_page(nested, captioned=True), "html.parser")
    headers = [(each.text, each.get("rowspan")) for each in page.select("tbody th")]
    # Every row has its own n; each p stands for six rows, each q for three.
    assert [each for each in headers if each[0] in "ab"] == [("a", "6"), ("b", "6")]
    assert [each for each in headers if each[0] in "xy"] == [("x", "3"), ("y", "3")] * 2
    assert [each for each in headers if each[0] in "123"] == [
        ("1", None),
        ("2", None),
        ("3", None),
    ] * 4
    assert all(each.text for each in page.select("th"))
    assert [row.select("td")[-1].text for row in page.select("tbody tr")] == [*map(str, range(12))]


def test_the_caption_goes_only_if_the_page_has_one(nested):
    assert "<caption>" in for_page(nested, captioned=False)
    assert "<caption>" not in for_page(nested, captioned=True)


def test_a_header_without_a_word_is_no_header():
    html = table_html(pd.DataFrame({"a": [1]}, index=["one"]))
    assert '<th scope="col" style="text-align: left"></th>' in html
    assert "></th>" not in for_page(html, captioned=False)


def test_what_is_not_one_table_stays_as_it_is():
    for html in ("<p>no table</p>", "<table></table><table></table>"):
        assert for_page(html, captioned=True) == html
