"""Claims of the documents, each judged in the notebook's cell that has the numbers.

    claim("cs5329-e3-best", is_best, f"E3 scores {score:.2f}.")

The claims, and the reasons for verdicts that no computation decides, are in `data/claims.csv`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kalahlab.data import data_file

if TYPE_CHECKING:
    import pandas as pd  # takes a second, and every command imports this module

MIME = "application/vnd.kalahlab.claims+json"  # a list of objects with `id`, `verdict` and `why`
VERDICTS = {  # and what each means
    "reproduced": "the computation agrees with the document",
    "reproduced with a slip": "it agrees, but for a detail that the reason names",
    "refuted": "the computation, or the document's own numbers or program, contradict it",
    "open": "the document or our computation does not have what would decide it",
    "not defined": "the document does not say what its words mean",
    "illegible copy": "our copy, which a machine read, is damaged here; the rest agrees",
    "met": "the document does what its assignment asks for",
    "not met": "the document does not do what its assignment asks for",
    "reviewed": "a reader has judged it, as no computation can",
}
KINDS = (
    "rule",
    "definition",
    "algorithm",
    "formula",
    "example",
    "measurement",
    "requirement",
    "conclusion",
)
ORIGINS = ("borrowed", "own")  # a conclusion repeats the literature, or is the document's


@cache
def load_claims() -> "pd.DataFrame":
    """Return the claims of the five documents, a row each, by id.

    Columns:
        source: The document.
        place: The place in the document.
        quote: The quotation, at most 25 words.
        claim: The quotation in our words.
        clear: "yes" if the quotation alone says what is claimed; else "".
        kind: One of `KINDS`.
        origin: One of `ORIGINS` for a conclusion; else "".
        reviewed: The reason, if a reader and not a computation gives the verdict; else "".
    """
    import pandas as pd

    return pd.read_csv(str(data_file("claims.csv")), index_col="id", keep_default_na=False)


@dataclass(frozen=True)
class Verdict:
    """The verdict on a claim, and why; a notebook shows both in a table of one row."""

    id: str
    verdict: str
    why: str

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return ClaimList([self])._repr_mimebundle_()


class ClaimList(list[Verdict]):
    """Verdicts, which a notebook shows as a table that is folded away."""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        # IPython drops the types that it does not want, so `include` and `exclude` are ignored.
        lines = ["| the document says | verdict | why |", "|:--|:--|:--|"]
        previous = ""
        for verdict in self:
            quote = f"“{load_claims()['quote'][verdict.id]}”"
            quotation = "<br>".join(filter(None, (quote, explain_quote(verdict.id))))
            why = "As above." if verdict.why == previous else verdict.why
            previous = verdict.why
            cells = (quotation, f"**{verdict.verdict}**", why)
            escaped = [cell.replace("|", "\\|") for cell in cells]
            lines.append(f"| {' | '.join(escaped)} |")
        table = "\n".join(lines)
        counts = Counter(verdict.verdict for verdict in self)
        summary = ", ".join(f"{counts[name]} {name}" for name in VERDICTS if name in counts)
        summary = f"<summary>Claims judged here: {summary}</summary>"
        return {
            "text/markdown": f"<details>{summary}\n\n{table}\n\n</details>",
            "text/plain": "\n".join(f"{verdict.id}: {verdict.verdict}" for verdict in self),
            MIME: [asdict(verdict) for verdict in self],
        }


def explain_quote(id: str) -> str:
    """Return a claim in our words, or "" if its quotation alone is clear."""
    row = load_claims().loc[id]
    return "" if row["clear"] else str(row["claim"])


def claim(id: str, verdict: bool | str, why: str) -> Verdict:
    """Judge a claim.

    Args:
        id: The id of the claim in `data/claims.csv`.
        verdict: One of `VERDICTS`. True means reproduced, and False refuted; for a requirement, met
            and not met.
        why: The numbers that decide it, in a sentence.

    Raises:
        ValueError: The id or the verdict is unknown.
    """
    if id not in load_claims().index:
        raise ValueError(f"claim {id!r} is not in data/claims.csv")
    if not isinstance(verdict, str):
        is_requirement = load_claims().loc[id, "kind"] == "requirement"
        yes, no = ("met", "not met") if is_requirement else ("reproduced", "refuted")
        verdict = yes if verdict else no
    if verdict not in VERDICTS:
        raise ValueError(f"verdict {verdict!r} is unknown; use one of {', '.join(VERDICTS)}")
    return Verdict(id, verdict, why)


def judge_by_steps(whole: "pd.DataFrame", steps: "pd.DataFrame", gain: str) -> str:
    """Return the verdict on "the more, the better", by gains and their p values.

    Args:
        whole: A row for each gain over all steps together, with its p value in `p`.
        steps: A row for each gain over one step, with its p value in `p`.
        gain: The name of the column of the gain in both tables.

    Returns:
        A gain counts as clear if its p value is less than 0.05. The verdict is
        refuted, if a gain over all steps is clearly negative;
        open, if not all gains over all steps are clearly positive;
        reproduced with a slip, if these are, but a gain over one step is clearly negative;
        reproduced, if none is: a step too small for this sample is no slip of the document.
    """
    whole_gains = whole.loc[whole["p"] < 0.05, gain]
    step_gains = steps.loc[steps["p"] < 0.05, gain]
    if (whole_gains < 0).any():
        return "refuted"
    if (whole_gains > 0).sum() < len(whole):
        return "open"
    if (step_gains < 0).any():
        return "reproduced with a slip"
    return "reproduced"


def collect_claims(notebooks: Iterable[Path]) -> "pd.DataFrame":
    """Return each claim with its verdict, the reason, and the notebook and cell that show it.

    The verdict is "not judged" if none of the notebooks judges the claim and no reader reviewed it.

    Args:
        notebooks: The files of executed notebooks.

    Raises:
        ValueError: A claim is judged twice, or both judged and reviewed.
    """
    import pandas as pd

    columns = ["id", "verdict", "why", "notebook", "cell"]
    judged = pd.DataFrame([*_iter_verdicts(notebooks)], columns=columns).set_index("id")
    by_reader = load_claims()["reviewed"]
    reviewed = pd.DataFrame({"verdict": "reviewed", "why": by_reader[by_reader != ""]})
    verdicts = pd.concat([judged, reviewed])
    if twice := sorted(set(verdicts.index[verdicts.index.duplicated()])):
        raise ValueError(f"claims are judged twice: {', '.join(twice)}")
    rows = load_claims()[["source", "place", "quote", "claim", "kind", "origin"]].join(verdicts)
    unjudged = {"verdict": "not judged", "why": "", "notebook": "", "cell": ""}
    return rows.fillna(unjudged).reset_index()


def _iter_verdicts(notebooks: Iterable[Path]) -> Iterator[dict[str, str]]:
    """Yield a row for each verdict in an output: its fields, the notebook's stem, the cell's id."""
    import nbformat

    for notebook in notebooks:
        for cell in nbformat.read(notebook, as_version=4).cells:
            for output in cell.get("outputs", ()):
                for verdict in output.get("data", {}).get(MIME, ()):
                    yield {**verdict, "notebook": notebook.stem, "cell": cell.id}
