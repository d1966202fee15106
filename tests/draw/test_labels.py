"""Names of the code, as people read them."""

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from bs4 import BeautifulSoup

from kalahlab.draw.labels import LABELS, NAME, readable, readable_prose
from kalahlab.draw.latex import table_latex
from kalahlab.draw.style import make_readable
from kalahlab.draw.tables import table_html
from kalahlab.evaluators.kalah import EVALUATORS, STAGED_TERMS
from kalahlab.report.tables import for_page
from kalahlab.search import ALGORITHMS, ORDERS


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("store_difference against e1", "store difference against e1"),
        ("alpha_beta:store_difference:4", "alpha_beta:store_difference:4"),
        ("kalahlab/search/alpha_beta.py", "kalahlab/search/alpha_beta.py"),
        ("an_unknown_name", "an_unknown_name"),
    ],
)
def test_a_name_has_a_label_where_it_stands_by_itself(text: str, said: str) -> None:
    assert readable(text) == said


def test_what_is_quoted_in_prose_stays() -> None:
    assert (
        readable_prose("`e1` and `alpha_beta` by alpha_beta")
        == "`e1` and `alpha_beta` by alpha-beta"
    )


def test_labels_are_of_names_that_are_there() -> None:
    assert all(NAME.fullmatch(name) and not NAME.search(label) for name, label in LABELS.items())
    assert {*LABELS} <= {*ALGORITHMS, *ORDERS, *EVALUATORS, *STAGED_TERMS}


def test_a_page_and_latex_write_labels_and_other_names_as_code() -> None:
    frame = pd.DataFrame({"player": ["store_difference", "some_function"], "store_first": [1, 2]})
    page = BeautifulSoup(for_page(table_html(frame), captioned=False), "html.parser")
    assert [cell.text for cell in page.select("td:first-child")] == [
        "store difference",
        "some_function",
    ]
    assert [each.text for each in page.select("code")] == ["some_function"]
    defined = BeautifulSoup(for_page(table_html(frame), False, as_code=True), "html.parser")
    assert [each.text for each in defined.select("code")] == ["store_difference", "some_function"]
    quoted = pd.DataFrame({"player": ["`staged` < alpha_beta"]})
    page = for_page(table_html(quoted), captioned=False)
    assert "<code>staged</code> &lt; alpha-beta" in page
    assert "store difference" in table_latex(frame, "name", "A caption.")


def test_a_figure_has_labels_in_its_legend_and_on_its_axes() -> None:
    figure, ax = plt.subplots()
    ax.plot([0, 1], label="alpha_beta")
    ax.set_xticks([0, 1], ["store_first", "pit"])
    ax.set_yticks([0, 1], [2, 4])
    ax.legend()
    make_readable(figure)
    figure.draw_without_rendering()
    assert ax.get_legend().get_texts()[0].get_text() == "alpha-beta"
    assert [each.get_text() for each in ax.get_xticklabels()] == ["store first", "pit"]
    plt.close(figure)
