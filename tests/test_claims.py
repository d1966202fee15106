"""The list of the documents' claims: `data/claims.csv`."""

from pathlib import Path

from kalahlab.data import data_rows

ROOT = Path(__file__).resolve().parents[1]


def test_each_claim_has_a_name_a_place_and_a_notebook_that_there_is() -> None:
    rows = [*data_rows("claims.csv", str)]
    notebooks = {path.stem for path in (ROOT / "notebooks").glob("*.ipynb")} | {""}
    assert len({row["id"] for row in rows}) == len(rows) >= 300
    for row in rows:
        assert row["id"].startswith(row["source"] + "-")
        assert all(row[name] for name in ("place", "quote", "claim", "kind")), row["id"]
        assert len(row["quote"].split()) <= 25, row["id"]
        assert row["notebook"] in notebooks, row["id"]
