"""What the report's words mean: counts, orders, rules of each document, evaluators as formulas."""

import inspect
import random
import re
from collections.abc import Sequence
from html import escape
from itertools import groupby
from typing import Any

import pandas as pd

from kalahlab.backends import SearchSpec
from kalahlab.data import data_rows
from kalahlab.evaluators import betsy, cards
from kalahlab.evaluators.fitted import FEATURES, FIT
from kalahlab.evaluators.kalah import EVALUATORS
from kalahlab.games.kalah import NORTH, SOUTH, Board, Kalah, side, sow, stores
from kalahlab.play import random_position
from kalahlab.search import ORDERS
from kalahlab.search.model import Counts
from kalahlab.words import Words, tables

say = Words("studies", "s00_definitions")

FORMULAS: dict[str, str] = tables("studies")["formulas"]
"""Each evaluator of Kalah in the names of `TERMS`, as an expression that can be computed."""

TERMS: dict[str, str] = tables("studies")["terms"]


def glossary() -> str:
    """The terms of `data/glossary.csv` with their meanings, as HTML: a list for each subject.

    Each term has an anchor, see `anchor`, so that other pages can link to it.
    """
    lists = groupby(data_rows("glossary.csv"), key=lambda row: row["subject"])
    return "\n".join(
        f'<section class="glossary"><p><strong>{escape(subject)}</strong></p>\n<dl>\n'
        + "\n".join(_entry(row["term"], row["meaning"]) for row in rows)
        + "\n</dl></section>"
        for subject, rows in lists
    )


def _entry(term: str, meaning: str) -> str:
    return f'<dt id="{anchor(term)}">{escape(term)}</dt>\n<dd>{escape(meaning)}</dd>'


def anchor(term: str) -> str:
    """What a link to a term ends in: `transposition-table` for "transposition table"."""
    return "-".join(re.findall(r"[a-z0-9]+", term.lower()))


def described(doc: str | None) -> dict[str, str]:
    """What a docstring says of names, `name: what it is.`, by name."""
    text = inspect.cleandoc(doc or "")
    found = re.findall(r"^(\w+): (.+?)(?=^\w+: |\Z)", text, re.MULTILINE | re.DOTALL)
    return {name: " ".join(said.split()) for name, said in found}


def counts_table(game: Kalah, depth: int, algorithms: Sequence[str]) -> pd.DataFrame:
    """Each count, what it counts, and how large it is in one search by each algorithm."""
    searches = [SearchSpec(name, "store_difference", backend="textbook") for name in algorithms]
    found = [each.search(game, game.start(), depth).counts for each in searches]
    said = described(Counts.__doc__)
    said["visited"] = "nodes entered: expanded + evaluated + recalled."
    rows = [
        {"what it counts": text}
        | {name: getattr(counts, what) for name, counts in zip(algorithms, found, strict=True)}
        for what, text in said.items()
    ]
    return pd.DataFrame(rows, index=pd.Index(said, name="count"))


def orders_table(game: Kalah, depth: int) -> pd.DataFrame:
    """Each order, in a sentence, and what alpha-beta with E1 plays first and visits in it."""
    found = {
        name: SearchSpec("alpha_beta", "e1", order=name, backend="textbook").search(
            game, game.start(), depth
        )
        for name in ORDERS
    }
    rows = [
        {
            "what is tried first": _sentence(ORDERS[name]),
            "value": result.value,
            "pit played": result.move + 1,
            "visited": result.counts.visited,
        }
        for name, result in found.items()
    ]
    return pd.DataFrame(rows, index=pd.Index(found, name="order"))


def _sentence(thing: Any) -> str:
    """The first sentence of what a docstring says; none of nothing."""
    return " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split()) if thing else ""


def document_rules() -> pd.DataFrame:
    """Which document plays which rules, as it prints them."""
    rows = pd.DataFrame(data_rows("document_rules.csv"))
    return rows.set_index(rows.pop("document") + ", " + rows.pop("place"))


def formulas_table() -> pd.DataFrame:
    """Each evaluator of Kalah as a formula."""
    return pd.DataFrame({"formula": FORMULAS}).rename_axis("evaluator")


def corrections() -> pd.DataFrame:
    """What was printed of an evaluator that is not used as printed, and what was changed."""
    docs = {name: " ".join((EVALUATORS[name].__doc__ or "").split()) for name in FORMULAS}
    found = {name: re.search(r"Printed: (.+?) Changed: (.+)", doc) for name, doc in docs.items()}
    rows = {
        name: {"as printed": said[1], "changed": said[2]} for name, said in found.items() if said
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("evaluator")


def terms(board: Board, player: int) -> dict[str, Any]:
    """What the names of `TERMS` stand for on a board, found without the evaluators."""
    own_pits, opp_pits = side(board, player), side(board, 1 - player)
    own, opp = stores(board)[player], stores(board)[1 - player]
    m, total = len(own_pits), sum(board)
    return {
        **{"own": own, "opp": opp, "own_pits": own_pits, "opp_pits": opp_pits},
        **{"m": m, "total": total, "any_pits": any(own_pits + opp_pits)},
        "aim": lambda pits: sum(_aim(stones, m - at) for at, stones in enumerate(pits)),
        "exact": lambda pits: sum(stones == m - at for at, stones in enumerate(pits)),
        "filled": lambda pits: sum(stones > 0 for stones in pits),
        "stage": 0.75 * own - opp if opp < total / 6 else own - 0.6 * opp,
        "staged": EVALUATORS["staged"](board, player),
        "takes": _takes,
        "worth": lambda owner: _worth(board, owner),
        **{"own_side": player, "opp_side": 1 - player},
    }


def _aim(stones: int, distance: int) -> int:
    if stones == 0:
        return 0
    return 15 if stones == distance else 8 if stones < distance else 5


def _takes(own_pits: Board, opp_pits: Board) -> int:
    ends = [at + stones for at, stones in enumerate(own_pits) if stones]
    return sum(opp_pits[-1 - end] for end in ends if end < len(own_pits) and not own_pits[end])


def _worth(board: Board, player: int) -> float:
    """The features of a side, each found by sowing its pits, times their weights."""
    pits, m = side(board, player), len(side(board, player))
    home = m + player * (m + 1)
    sown = {at: sow(board, player, at, False) for at in range(m) if pits[at]}
    features = {f"stones_{m - at}": float(stones) for at, stones in enumerate(pits)}
    features |= {
        "store": stores(board)[player],
        "mobility": len(sown),
        "extra_turns": sum(each.last == home for each in sown.values()),
        "spills": sum(pits[at] > m - at for at in sown),
        "capture": max((each.captured for each in sown.values()), default=0),
    }
    return float(sum(FIT["weights"].get(name, 0.0) * count for name, count in features.items()))


def agreement(boards: Sequence[Board]) -> pd.DataFrame:
    """On how many boards, for both players, a formula is worth what its evaluator says."""
    asked = [(board, player) for board in boards for player in (SOUTH, NORTH)]
    equal = {
        name: sum(
            abs(eval(formula, terms(*each)) - EVALUATORS[name](*each)) < 1e-9 for each in asked
        )
        for name, formula in FORMULAS.items()
    }
    rows = [{"values compared": len(asked), "equal": found} for found in equal.values()]
    return pd.DataFrame(rows, index=pd.Index(equal, name="evaluator"))


def boards_of(game: Kalah, number: int, seed: int) -> list[Board]:
    """Boards of random games: so many, of all lengths up to 30 sows, finished ones too."""
    chance = random.Random(seed)
    return [random_position(game, chance, chance.randrange(31)).board for _ in range(number)]


def terms_table() -> pd.DataFrame:
    """What the names in the formulas mean."""
    return pd.DataFrame(
        {"what it is": list(TERMS.values())}, index=pd.Index(TERMS, name="name in a formula")
    )


def weights_table() -> pd.DataFrame:
    """The weight of each feature of `fitted`, in stones."""
    weights = pd.Series({name: FIT["weights"].get(name, 0.0) for name in FEATURES}, name="weight")
    return weights.rename_axis("feature").to_frame()


def finding(agreement: pd.DataFrame) -> str:
    """On how many values formulas and functions agree, in a sentence: see `agreement`."""
    compared = int(agreement["values compared"].iloc[0])
    wrong = [*agreement.index[agreement["equal"] < agreement["values compared"]]]
    facts = {"formulas": len(agreement), "wrong": len(wrong), "names": wrong}
    return say("finding-wrong" if wrong else "finding", compared=compared, **facts)


def answer(agreement: pd.DataFrame) -> str:
    """Whether the formulas say what the program computes, and what follows."""
    wrong = (agreement["equal"] < agreement["values compared"]).any()
    return say("answer-wrong" if wrong else "answer", finding=finding(agreement))


def other_evaluators() -> pd.DataFrame:
    """Betsy's heuristics, as the program computes them and as the text words them."""
    known = vars(betsy)
    rows = {
        name: {
            "as the program computes it": _sentence(known[name]),
            "as the document words it": _in_words(name),
            "weight": weight,
        }
        for name, weight in zip(betsy.HEURISTICS, betsy.PUBLISHED_WEIGHTS, strict=True)
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("heuristic")


def _in_words(name: str) -> str:
    if "no word of it" in (inspect.getdoc(vars(betsy)[name]) or ""):
        return "not described"
    return _sentence(vars(betsy).get(f"{name}_in_words")) or "the same"


def card_factors() -> pd.DataFrame:
    """The six factors of the card game's E, and their weights; F is E(own) - E(opponent's)."""
    text = " ".join((cards.Factors.__doc__ or "").split())
    said = dict(re.findall(r"\b([smn]\d(?:, [smn]\d)?): (.+?)(?=\.(?: |$))", text))
    weights = {key: [cards.WEIGHTS._asdict()[each] for each in key.split(", ")] for key in said}
    rows = {
        key: {"what it is": said[key], "weight": ", ".join(f"{each:g}" for each in weights[key])}
        for key in said
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("factor")
