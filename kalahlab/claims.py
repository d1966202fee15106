"""What a document claims, judged in the notebook's cell that has the numbers.

    claim("cs5329-e3-best", found, f"E3 scores {score:.2f}.")

The claims, and the reasons for verdicts that no computation decides, are in `data/claims.csv`.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kalahlab.data import data_file

if TYPE_CHECKING:
    import pandas as pd  # takes a second, and every command imports this module

MIME = "application/vnd.kalahlab.claims+json"  # a list of objects with `id`, `verdict` and `why`
VERDICTS = ("reproduced", "reproduced with a slip", "refuted", "open", "not defined", "reviewed")
KINDS = ("rule", "definition", "algorithm", "formula", "example", "measurement", "conclusion")


@cache
def printed() -> "pd.DataFrame":
    """The claims of the five documents, a row each, by id.

    source: the document; place: where in it; quote: its words, at most 25; claim: what they say,
    in ours; kind: one of `KINDS`; reviewed: why a reader, not a computation, decided it.
    """
    import pandas as pd

    return pd.read_csv(str(data_file("claims.csv")), index_col="id", keep_default_na=False)


@dataclass(frozen=True)
class Verdict:
    id: str
    verdict: str
    why: str

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        names = ["quote", "source", "place", "claim"]
        quote, source, place, meant = printed().loc[self.id, names]
        text = f"> “{quote}” ({source}, {place})\n>\n> {meant}\n>\n> **{self.verdict}**"
        return {
            "text/markdown": f"{text}: {self.why}",
            "text/plain": f"{self.id}: {self.verdict}",
            MIME: [asdict(self)],
        }


class claims(list[Verdict]):  # called as a function
    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        table = "| the document says, and what is judged | verdict | why |\n|:--|:--|:--|"
        for each in self:
            quote, meant = printed().loc[each.id, ["quote", "claim"]]
            cells = (f"“{quote}”<br>{meant}", f"**{each.verdict}**", each.why)
            table += f"\n| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
        found = Counter(each.verdict for each in self)
        counts = ", ".join(f"{found[name]} {name}" for name in VERDICTS if name in found)
        summary = f"<summary>Claims judged here: {counts}</summary>"
        return {
            "text/markdown": f"<details>{summary}\n\n{table}\n\n</details>",
            "text/plain": "\n".join(f"{each.id}: {each.verdict}" for each in self),
            MIME: [asdict(each) for each in self],
        }


def claim(id: str, found: bool | str, why: str) -> Verdict:
    """Judge a claim: reproduced if `found` is true, refuted if it is false, or a verdict's name.
    why: the numbers that decide it, in a sentence. `ValueError` for an unknown id or verdict."""
    if id not in printed().index:
        raise ValueError(f"claim {id!r} is not in data/claims.csv")
    verdict = found if isinstance(found, str) else "reproduced" if found else "refuted"
    if verdict not in VERDICTS:
        raise ValueError(f"verdict {verdict!r} is unknown; use one of {', '.join(VERDICTS)}")
    return Verdict(id, verdict, why)


def by_steps(whole: "pd.DataFrame", steps: "pd.DataFrame", gain: str) -> str:
    """The verdict on "the more, the better" by gains and their p: reproduced if each step is shown
    to help; with a slip if not, but each of `whole`, from the first step to the last, is; refuted
    if one of `whole` is shown to harm."""
    first_to_last, each = (rows.loc[rows["p"] < 0.05, gain] for rows in (whole, steps))
    if (first_to_last < 0).any():
        return "refuted"
    if (first_to_last > 0).sum() < len(whole):
        return "open"
    return "reproduced" if (each > 0).sum() == len(steps) else "reproduced with a slip"


def ledger(notebooks: Iterable[Path]) -> "pd.DataFrame":
    """Each claim with its verdict, why, and the notebook and cell that show it.

    notebooks: executed. A claim that none of them judges and that was not reviewed is "not judged".
    `ValueError` if one is judged twice, or both judged and reviewed.
    """
    import nbformat
    import pandas as pd

    judged = [
        {**verdict, "notebook": notebook.stem, "cell": cell.id}
        for notebook in notebooks
        for cell in nbformat.read(notebook, as_version=4).cells
        for output in cell.get("outputs", ())
        for verdict in output.get("data", {}).get(MIME, ())
    ]
    columns = ["id", "verdict", "why", "notebook", "cell"]
    found = pd.DataFrame(judged, columns=columns).set_index("id")
    by_reader = printed()["reviewed"]
    reviewed = pd.DataFrame({"verdict": "reviewed", "why": by_reader[by_reader != ""]})
    verdicts = pd.concat([found, reviewed])
    if twice := sorted(set(verdicts.index[verdicts.index.duplicated()])):
        raise ValueError(f"claims are judged twice: {', '.join(twice)}")
    rows = printed()[["source", "place", "quote", "claim", "kind"]].join(verdicts)
    missing = {"verdict": "not judged", "why": "", "notebook": "", "cell": ""}
    return rows.fillna(missing).reset_index()
