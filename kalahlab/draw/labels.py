"""Names of the code as people read them: on pages, in LaTeX and in figures."""

import re

from kalahlab.evaluators.kalah import EVALUATORS, STAGED_TERMS
from kalahlab.search import ALGORITHMS, ORDERS

NAMES = [name for name in (*ALGORITHMS, *ORDERS, *EVALUATORS, *STAGED_TERMS) if "_" in name]
# Files of numbers, commands and calls keep the names of the code.
LABELS = {name: name.replace("_", " ") for name in NAMES} | {
    "alpha_beta": "alpha-beta",
    "alpha_beta_table": "alpha-beta with a table",
    "anti_oracle": "anti-oracle",
    "learned_random": "learned on random games",
    "minimax_a_b": "MINIMAX-A-B",
    "mtdf_no_table": "MTD(f) without a table",
    "own_empty": "own empty pits",
    "opp_empty": "the opponent's empty pits",
    "pit_pairs": "pairs of pits",
    "pit_table": "table by pit and count",
    "scout_table": "scout with a table",
    "staged_capture": "staged with captures",
}
# A bare identifier in text.
NAME = re.compile(r"(?<![\w/.:])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w(]|:\w)")
QUOTED = re.compile(r"(`[^`]*`)")


def readable(text: str) -> str:
    return NAME.sub(lambda found: LABELS.get(found[0], found[0]), text)


def readable_prose(markdown: str) -> str:
    parts = QUOTED.split(markdown)
    return "".join(part if part.startswith("`") else readable(part) for part in parts)
