"""The weights of `kalahlab.evaluators.fitted`: fitted to perfect play, and kept as a file.

    python data/make/fit.py data/fitted.json [--seed S]

Needs the extra `fit`. An exact value moves with the store difference, stone for stone, so a
stone in the store weighs 1 and what is fitted is the rest of the value, by least squares.
Being to move is worth something, too. An evaluator does not know who is, and leaves it out.
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
"""weights, by feature; to_move, what being to move is worth, in stones; held_out: the number
of positions held out, r2 and mean_abs_error (stones) there, r2_store of the store difference and a
constant, and r2_rest of what is fitted, the value less the store difference; made_from: sample,
its sha256 over boards and values, positions, seed and the version of scikit-learn."""


def split(sample: Sequence[SolvedPosition], seed: int = 0) -> list[list[SolvedPosition]]:
    """The positions that weights are fitted to, and a fifth, drawn by `seed`, that is held out."""
    found: list[list[SolvedPosition]] = train_test_split(sample, test_size=0.2, random_state=seed)
    return found


def features(sample: Sequence[SolvedPosition]) -> NDArray[np.float64]:
    """A row a position: each feature of `FEATURES`, the mover's minus the opponent's."""
    alone = [make_linear_evaluator(row) for row in np.eye(len(FEATURES)).tolist()]
    return np.array([[each(*row.state) for each in alone] for row in sample])


def worth(sample: Sequence[SolvedPosition]) -> NDArray[np.float64]:
    return np.array([row.value for row in sample], float)


def fit(sample: Sequence[SolvedPosition], seed: int = 0) -> Fit:
    """Fit the weights to a sample, of which a share drawn by `seed` is held out."""
    (rows, values), (unseen, truth) = (
        (features(part), worth(part)) for part in split(sample, seed)
    )
    model = LinearRegression().fit(rows[:, 1:], values - rows[:, 0])
    weights = np.round([1.0, *model.coef_] * np.array(STEPS)) / STEPS
    found = unseen @ weights + model.intercept_
    store, constant = unseen[:, 0], float(np.mean(values - rows[:, 0]))
    errors = {
        "r2": r2_score(truth, found),
        "r2_store": r2_score(truth, store + constant),
        "r2_rest": r2_score(truth - store, found - store),
        "mean_abs_error": mean_absolute_error(truth, found),
    }
    return {
        "weights": dict(zip(FEATURES, weights.tolist(), strict=True)),
        "to_move": round(float(model.intercept_), 4),
        "held_out": {"positions": len(truth)}
        | {name: round(float(value), 4) for name, value in errors.items()},
        "made_from": {
            "sample": "judged.csv.gz",
            "sha256": digest(sample),
            "positions": len(sample),
            "seed": seed,
            "scikit-learn": sklearn.__version__,
        },
    }


def digest(sample: Sequence[SolvedPosition]) -> str:
    """What distinguishes a sample, whatever its file was packed with."""
    text = "\n".join(f"{row.rules} {format_board(row.state)} {row.value}" for row in sample)
    return sha256(text.encode()).hexdigest()


def write(path: Path, found: Fit) -> None:
    with atomic_write(path) as part:
        part.write_text(to_json(found, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Fit the weights to the judged positions of `data/`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("out", type=Path, help="the JSON file")
    parser.add_argument("--seed", type=int, default=0, help="of which positions are held out")
    given = parser.parse_args()
    found = fit(load_positions(), given.seed)
    write(given.out, found)
    print(to_json(found["held_out"]))


if __name__ == "__main__":
    main()
