"""Properties of the tables of 17_literature at any size."""

import json

from kalahlab.data import data_file, data_rows
from kalahlab.report.claims import load_claims


def every_source_is_in_the_references(table):
    entries = json.loads(data_file("references.json").read_text(encoding="utf-8"))
    sources = {row["source"] for row in data_rows("literature.csv")}
    assert sources <= {entry["id"] for entry in entries}
    assert len(table("papers")) == len(sources)


def every_claim_of_a_paper_has_a_verdict(table):
    sources = {row["source"] for row in data_rows("literature.csv")}
    claims = load_claims()
    assert len(table("verdicts")) == claims["source"].isin(sources).sum()
    words = {"reproduced", "refuted", "holds", "does not hold", "not decided", "not tested"}
    assert set(table("verdicts")["here"]) <= words
