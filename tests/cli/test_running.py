"""What is said of a search that takes long: how far it is, read from its stack."""

import os
import subprocess
import sys
from threading import Event

import pytest

from kalahlab.cli import search as cli_search
from kalahlab.cli.search import Seen, seen
from kalahlab.evaluators.kalah import EVALUATORS, store_difference
from kalahlab.games.hand_tree import HandTree, parse_tree
from kalahlab.games.kalah import Kalah
from kalahlab.search import ALGORITHMS, Depth, minimax
from kalahlab.search.perft import perft

TREE = parse_tree("((3 12 8) (2 4 6) (14 5 2))")
SLOW = ("search", "<2,0,0,1,1,1,1>", "--depth", "2")


def watched(search, game, state, depth, value):
    """What is seen at each static evaluation, and the counts in the end."""
    found = []

    def evaluator(board, player):
        found.append(seen(sys._getframe()))
        return value(board, player)

    return found, search(game, state, evaluator, Depth(depth)).counts


class Spied(Kalah):
    """A game that looks at who asks for its moves."""

    def moves(self, state):
        LOOKS.append(seen(sys._getframe()))
        return super().moves(state)


LOOKS: list[Seen] = []


def test_the_share_of_a_tree_is_that_of_its_leaves():
    """Each of the nine leaves is a ninth; as they are asked for, what is before them is done."""
    shares = []

    class Looked(HandTree):
        def margin(self, state, player):
            shares.append(seen(sys._getframe()).share)
            return super().margin(state, player)

    assert minimax(Looked(TREE), TREE, None, Depth(2)).value == 3
    assert shares == pytest.approx([nth / 9 for nth in range(9)])


@pytest.mark.parametrize("name", ALGORITHMS)
def test_what_is_seen_of_every_search_is_counted_and_grows(name):
    game = Kalah(4, 3)
    depth = 1 if name == "greedy" else 5
    found, counts = watched(ALGORITHMS[name], game, game.start(), depth, store_difference)
    assert found
    nodes = [each.nodes for each in found]
    assert nodes == sorted(nodes)
    assert nodes[-1] <= counts.visited
    assert all(0 <= each.share < 1 for each in found)
    if name in ("minimax", "alpha_beta", "minimax_a_b"):
        assert [each.share for each in found] == sorted(each.share for each in found)
        assert found[-1].share > 0.5


def test_perft_is_seen(monkeypatch):
    game = Spied(4, 3)
    LOOKS.clear()
    leaves = perft(game, game.start(), 4)
    assert [each.share for each in LOOKS] == sorted(each.share for each in LOOKS)
    assert 0 < LOOKS[-1].nodes <= sum(leaves) + 1


def test_without_a_terminal_nothing_watches(run, monkeypatch):
    """So a search is not slower there."""
    monkeypatch.setattr(cli_search, "Thread", None)
    assert run(*SLOW)[::2] == (0, "")


def test_on_a_terminal_it_is_said_what_runs_and_what_would_be_faster(run, monkeypatch):
    told, asked = Event(), []

    def status(*what):
        asked.append(what)
        told.set()
        return "so far"

    def patient(board, player):
        told.wait()
        return store_difference(board, player)

    monkeypatch.setitem(EVALUATORS, "patient", patient)
    monkeypatch.setattr(cli_search, "status", status)
    for name in ("QUIET_S", "EACH_S"):
        monkeypatch.setattr(cli_search, name, 0.01)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    answered, said = run(*SLOW, "--evaluator", "patient")[0::2]
    assert answered == 0
    assert said.startswith("--backend engine finds the same")
    assert "so far" in said
    assert asked[0][:2] == ("searching", "nodes")


def test_a_status_is_short_and_estimates_what_is_left():
    said = cli_search.status("searching", "nodes", 60, Seen(9_000_000_000, 0.25), True)
    assert (
        said == "searching: 01:00; 9,000,000,000 nodes, 150,000,000 a second; 25%, about 03:00 left"
    )
    assert "left" not in cli_search.status("searching", "nodes", 60, Seen(1000, 0.25), False)


@pytest.mark.skipif(os.name == "nt", reason="has no such terminals")
def test_progress_is_shown_in_a_terminal_that_reports_no_columns(tmp_path):
    import pty

    (tmp_path / "input.txt").write_text("1\n1\n1\n0 0 1\n1 1 0\n0\n0\n")
    for student in "ab":
        (tmp_path / "class" / student).mkdir(parents=True)
        (tmp_path / "class" / student / "next_state.txt").write_text("0 0 0\n0 0 0\n1\n2\n")
    ours, its = pty.openpty()
    command = [sys.executable, "-m", "kalahlab", "homework", "input.txt", "--check", "class"]
    subprocess.run(command, cwd=tmp_path, stderr=its, stdout=subprocess.DEVNULL)
    os.close(its)
    assert b"student [00:0" in os.read(ours, 10_000)
