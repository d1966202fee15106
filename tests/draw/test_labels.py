"""Names of the code, as people read them."""

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from conftest import cases

from kalahlab.draw.labels import LABELS, NAME, readable_prose
from kalahlab.draw.latex import table_latex
from kalahlab.draw.style import make_readable
from kalahlab.draw.tables import table_html
from kalahlab.evaluators.kalah import EVALUATORS, STAGED_TERMS
from kalahlab.report.cells import for_page
from kalahlab.search import ALGORITHMS, ORDERS


@cases(Path(__file__).parent / "prose.csv")
def test_a_name_has_a_label_where_it_stands_by_itself_and_is_not_quoted(text, said):
    assert readable_prose(text) == said


def test_labels_are_of_names_that_are_there():
    assert all(NAME.fullmatch(name) and not NAME.search(label) for name, label in LABELS.items())
    assert {*LABELS} <= {*ALGORITHMS, *ORDERS, *EVALUATORS, *STAGED_TERMS}


def test_a_page_and_latex_write_labels_and_other_names_as_code():
    frame = pd.DataFrame({"player": ["store_difference", "some_function"], "store_first": [1, 2]})
    page = for_page(table_html(frame), captioned=False)
    assert ">store difference<" in page
    assert "<code>some_function</code>" in page
    defined = for_page(table_html(frame), captioned=False, as_code=True)
    assert "<code>store_difference</code>" in defined
    assert "<code>some_function</code>" in defined
    quoted = for_page(table_html(pd.DataFrame({"player": ["`staged` < alpha_beta"]})), False)
    assert "<code>staged</code> &lt; alpha-beta" in quoted
    assert "store difference" in table_latex(frame, "name", "A caption.")


def test_a_figure_has_labels_in_its_legend_and_on_its_axes():
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
