"""Fit the weights of `kalahlab.evaluators.fitted` to perfect play, and write them to a file.

    python data/make/fit.py data/fitted.json [--seed S]

Needs the extra `fit`. An exact value changes with the store difference, stone for stone, so a
stone in the store weighs 1, and the rest of the value is fitted by least squares. The right to move
has a value, too; evaluators do not know who is to move, and leave it out.
"""

import argparse
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.linear_model import LinearRegression
from sklearn.metrics import mean_absolute_error, r2_score
from sklearn.model_selection import train_test_split

from kalahlab.evaluators.fitted import FEATURES, make_linear_evaluator
from kalahlab.files import atomic_write
from kalahlab.formatting import to_json
from kalahlab.games.notation import format_board
from kalahlab.judging.solved_positions import SolvedPosition, load_positions

STEPS = 256
"""Weights are rounded to multiples of a STEPS-th of a stone."""

Fit = dict[str, Any]
"""The result of a fit.

weights: by feature. to_move: the value of the right to move, in stones. held_out: the number of
positions held out; on them, r2 and mean_abs_error (stones), r2_store, of the store difference and a
constant, and r2_rest, of the fitted part, the value less the store difference. made_from: sample,
its sha256 over boards and values, positions, seed and the version of scikit-learn.
"""


def split(sample: Sequence[SolvedPosition], seed: int = 0) -> list[list[SolvedPosition]]:
    """Split a sample into the positions to fit, and a fifth, drawn by `seed`, to hold out."""
    parts: list[list[SolvedPosition]] = train_test_split(sample, test_size=0.2, random_state=seed)
    return parts


def features(sample: Sequence[SolvedPosition]) -> NDArray[np.float64]:
    """Return a row a position: each feature of `FEATURES`, the mover's minus the opponent's."""
    evaluators = [make_linear_evaluator(weights) for weights in np.eye(len(FEATURES)).tolist()]
    rows = []
    for position in sample:
        rows.append([evaluator(*position.state) for evaluator in evaluators])
    return np.array(rows)


def worth(sample: Sequence[SolvedPosition]) -> NDArray[np.float64]:
    """Return the value of each position."""
    return np.array([row.value for row in sample], float)


def fit(sample: Sequence[SolvedPosition], seed: int = 0) -> Fit:
    """Fit the weights to a sample, of which a share drawn by `seed` is held out."""
    train, test = split(sample, seed)
    rows, values = features(train), worth(train)
    rest = values - rows[:, 0]
    model = LinearRegression().fit(rows[:, 1:], rest)
    weights = np.round([1.0, *model.coef_] * np.array(STEPS)) / STEPS
    unseen, truth = features(test), worth(test)
    predictions = unseen @ weights + model.intercept_
    store = unseen[:, 0]
    errors = {
        "r2": r2_score(truth, predictions),
        "r2_store": r2_score(truth, store + float(np.mean(rest))),
        "r2_rest": r2_score(truth - store, predictions - store),
        "mean_abs_error": mean_absolute_error(truth, predictions),
    }
    rounded = {name: round(float(value), 4) for name, value in errors.items()}
    return {
        "weights": dict(zip(FEATURES, weights.tolist(), strict=True)),
        "to_move": round(float(model.intercept_), 4),
        "held_out": {"positions": len(truth)} | rounded,
        "made_from": {
            "sample": "judged.csv.gz",
            "sha256": digest(sample),
            "positions": len(sample),
            "seed": seed,
            "scikit-learn": sklearn.__version__,
        },
    }


def digest(sample: Sequence[SolvedPosition]) -> str:
    """Return a hash of a sample that does not depend on the compression of its file."""
    text = "\n".join(f"{row.rules} {format_board(row.state)} {row.value}" for row in sample)
    return sha256(text.encode()).hexdigest()


def write(path: Path, result: Fit) -> None:
    """Write the result of a fit as JSON."""
    with atomic_write(path) as part:
        part.write_text(to_json(result, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Fit the weights to the judged positions of `data/`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("out", type=Path, help="the JSON file")
    parser.add_argument("--seed", type=int, default=0, help="draws the positions to hold out")
    args = parser.parse_args()
    result = fit(load_positions(), args.seed)
    write(args.out, result)
    print(to_json(result["held_out"]))


if __name__ == "__main__":
    main()
