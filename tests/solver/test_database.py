import random
from hashlib import sha256
from itertools import combinations_with_replacement
from threading import Event

import numpy as np
import pandas as pd
import pytest
from oracle import plain_minimax

from kalahlab.data import data_file
from kalahlab.games.kalah import RULES_VERSION, Kalah, State
from kalahlab.games.rules import EMPTY_CAPTURE, STANDARD
from kalahlab.solver.endgame import database
from kalahlab.solver.endgame.database import DatabaseError, build, load, open_database, save
from kalahlab.solver.endgame.layout import count_positions

BOTH = pytest.mark.parametrize("rules", [STANDARD, EMPTY_CAPTURE], ids=["standard", "empty"])


def all_positions(pits, most):
    """Yield every position of at most `most` stones, South to move, stores empty."""
    nowhere = 2 * pits  # the place of stones that are in no pit
    for places in combinations_with_replacement(range(nowhere + 1), most):
        pebbles = [places.count(pit) for pit in range(nowhere)]
        yield State((*pebbles[:pits], 0, *pebbles[pits:], 0), 0)


@BOTH
@pytest.mark.parametrize(
    ("pits", "most"), [(1, 12), (2, 7), (3, 8), (4, 5), (5, 3), (6, 3), (7, 2)]
)
def test_every_position_has_its_minimax_value(pits, most, rules):
    game = Kalah(pits, 0, rules)
    solved, worth = build(pits, most, rules), plain_minimax(game)
    states = list(all_positions(pits, most))
    assert len(states) == solved.values.size == count_positions(pits, most)
    for state in states:
        margin = game.margin(state, 0) if game.is_over(state) else max(worth(state).values())
        assert solved.probe(state) == margin, state


@BOTH
def test_neither_threads_nor_more_stones_change_a_value(rules):
    """Check also that the last report of progress is that of the whole."""
    reports = []
    one = build(5, 10, rules, 1, on_progress=lambda done, of: reports.append((done, of)))
    assert reports[-1] == (one.values.size, one.values.size)
    assert reports == sorted(reports)
    three, more = build(5, 10, rules, 3), build(5, 12, rules)
    assert np.array_equal(one.values, three.values)
    assert np.array_equal(one.values, more.values[: one.values.size])


@BOTH
def test_a_build_has_the_size_and_the_sha256_of_the_table(rules, tmp_path):
    table = pd.read_csv(str(data_file("databases.csv"))).set_index(["rules", "stones"])
    for stones in (1, 7, 12):
        path = tmp_path / f"{stones}.values"
        save(build(6, stones, rules), path)
        row = table.loc[(database.to_file_name(rules), stones)]
        content = path.read_bytes()
        assert (len(content), sha256(content).hexdigest()) == (row["bytes"], row["sha256"])


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "some.values"
    save(build(4, 6), path)
    return path


def test_a_file_has_the_values_that_were_built(tmp_path):
    built = open_database(4, 7, EMPTY_CAPTURE, folder=tmp_path)
    assert [database.database_path(4, 7, EMPTY_CAPTURE, tmp_path)] == list(tmp_path.iterdir())
    mapped = open_database(4, 7, EMPTY_CAPTURE, folder=tmp_path)
    assert isinstance(mapped.values, np.memmap)
    assert not mapped.values.flags.writeable
    assert np.array_equal(built.values, mapped.values)
    assert database.find_stored_databases(4, EMPTY_CAPTURE, tmp_path) == (7,)
    assert database.find_stored_databases(4, STANDARD, tmp_path) == ()
    assert database.find_stored_databases(3, EMPTY_CAPTURE, tmp_path) == ()


def test_no_damage_goes_unnoticed(file):
    content, rng = file.read_bytes(), random.Random(1)
    damaged = [content[:length] for length in (0, 1, len(content) // 2, len(content) - 1)]
    for place in {0, *rng.sample(range(len(content)), 200), *range(len(content) - 4, len(content))}:
        flipped = bytes([content[place] ^ rng.randrange(1, 256)])
        damaged.append(content[:place] + flipped + content[place + 1 :])
    for data in (*damaged, content + b"\0"):
        file.write_bytes(data)
        with pytest.raises(DatabaseError, match=r"^.{1,300}$"):
            load(file, 4, 6, STANDARD)
    file.write_bytes(content)
    assert load(file, 4, 6, STANDARD).stones == 6


def test_a_database_of_another_board_or_version_is_refused(file, monkeypatch):
    for other in ((4, 6, EMPTY_CAPTURE), (4, 5, STANDARD), (3, 6, STANDARD)):
        with pytest.raises(DatabaseError, match="is not for"):
            load(file, *other)
    with pytest.raises(ValueError, match="1 to 7 pits"):
        open_database(8, 2, folder=file.parent)
    monkeypatch.setattr(database, "RULES_VERSION", RULES_VERSION + 1)
    with pytest.raises(DatabaseError, match="was not used; rebuild it"):
        load(file, 4, 6, STANDARD)


def test_the_largest_database_for_a_memory_fits_and_a_larger_one_does_not():
    memory = 10**8
    most = database.largest_stones(6, memory)
    assert database.build_bytes(6, most) <= memory < database.build_bytes(6, most + 1)


@pytest.mark.parametrize(("spare", "error"), [(1 << 60, OSError), (0, InterruptedError)])
def test_nothing_is_written_without_space_or_once_unwanted(spare, error, tmp_path, monkeypatch):
    monkeypatch.setattr(database, "SPARE_DISK", spare)
    stop = Event()
    stop.set()
    with pytest.raises(error):
        save(build(2, 4), tmp_path / "some.values", stop)
    assert list(tmp_path.iterdir()) == []
