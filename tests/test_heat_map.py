"""Numbers on colours can be read."""

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from seaborn.utils import relative_luminance

from kalahlab.report.draw.heat_map import heat_map

pytestmark = pytest.mark.usefixtures("figures")


def test_every_number_of_a_heat_map_can_be_read():
    scores = pd.DataFrame({"a": [None, 0.02, 0.27], "b": [0.4, None, 0.73], "c": [0.9, 0.6, None]})
    _, ax = plt.subplots()
    heat_map(ax, scores, cmap="PuOr_r", center=0.5, vmin=0, vmax=1)
    filled = scores.notna().to_numpy().flat
    cells = [c for c, one in zip(ax.collections[0].get_facecolor(), filled, strict=True) if one]
    for text, cell in zip(ax.texts, cells, strict=True):
        bright, dark = sorted(map(relative_luminance, (text.get_color(), cell)), reverse=True)
        assert (bright + 0.05) / (dark + 0.05) > 4.5
