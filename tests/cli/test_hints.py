"""The advice in a message is right: a command that follows it runs."""

import re
import shlex
import sys
from pathlib import Path

import pytest
from conftest import cases

FILES = {
    "mine.py": "def f(board, player):\n    return board[0] - board[len(board) // 2]\n",
    "deep.toml": "algorithms = ['alpha_beta']\nevaluators = ['e1']\npits = 2\nstones = 1\n"
    "depths = [9223372036854775808]\n",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("kalahlab.names.IMPORTED", {})
    monkeypatch.setattr("kalahlab.user_code.UserModules.folders", [])
    return tmp_path


@cases(Path(__file__).with_name("hints.csv"))
def test_the_advice_of_a_message_works(run, folder, case, words, wrong, advice):
    status, _, err = run(*shlex.split(words))
    assert status == 2 or case == "each bracket square", err
    line = " ".join(err.split())
    right = re.search(advice, line)[1]
    if wrong.startswith("search"):
        mended = [*shlex.split(words), *right.split()]
    elif wrong.endswith(".toml"):
        (folder / wrong).write_text(re.sub(r"\d{5,}", right, FILES[wrong]))
        mended = shlex.split(words)
    else:
        mended = [right if word == wrong else word for word in shlex.split(words)]
    assert mended != shlex.split(words) or wrong.endswith(".toml")
    status, out, err = run(*mended)
    assert status == 0, err
    assert out
    assert "write" not in err


MEMO = """
from kalahlab.search.model import Line
from kalahlab.search.tree import observable, searcher

@searcher
def memo(tree):
{body}
"""
VISIT = """
@observable
def visit(tree, node{parameter}):
    if node.state in memory:
        return memory[node.state]
    if tree.deep_enough(node):
        return Line(tree.static(node))
    lines = [(child, visit(tree, child{argument})) for child in tree.successors(node)]
    child, best = (max if node.maximizing else min)(lines, key=lambda line: line[1].value)
    memory[node.state] = Line(best.value, (child.move, *best.path))
    return memory[node.state]
"""


def test_a_surplus_parameter_is_named_with_the_place_to_keep_it(run, folder):
    """Follow the advice to define the search inside the function with the table."""
    words = ("search", "--pits", "3", "--stones", "3", "--depth", "5", "--algorithm", "memo.memo")
    visit = VISIT.format(parameter=", memory", argument=", memory")
    (folder / "memo.py").write_text(
        MEMO.format(body="    return visit(tree, tree.root, {})") + visit
    )
    status, _, err = run(*words)
    assert status == 2
    assert "not (tree, node, memory); keep memory in tree.table, or define visit within" in err
    assert "with @observable above it" in err
    assert "node.maximizing" not in err
    inner = VISIT.format(parameter="", argument="").replace("\n", "\n    ")
    body = f"    memory = {{}}\n{inner}\n    return visit(tree, tree.root)\n"
    (folder / "memo.py").write_text(MEMO.format(body=body))
    sys.modules.pop("memo", None)
    status, out, err = run(*words)
    assert status == 0, err
    assert re.search(r"^value +\S+$", out, re.MULTILINE)


SURPLUS = {
    "maximizing": "node.maximizing says whose turn it is",
    "depth": "tree.deep_enough(node) says where to stop",
    "memory": "keep memory in tree.table",
}


@pytest.mark.parametrize(("name", "hint"), SURPLUS.items())
@pytest.mark.parametrize("before", ["tree, node", "tree, node, alpha, beta"])
def test_exactly_one_hint_is_about_the_surplus_parameter(name, hint, before):
    from kalahlab.search.tree import observable

    namespace = {}
    exec(f"def visit({before}, {name}): pass", namespace)
    with pytest.raises(TypeError) as error:
        observable(namespace["visit"])
    assert f"not ({before}, {name}); {hint}" in str(error.value)
    assert sum(other in str(error.value) for other in SURPLUS.values()) == 1


LIBRARY = ["os.getcwd", "builtins.print", "builtins.len", "math.hypot", "os.path.join"]
LIBRARY += ["builtins.dict", "builtins.zip", "operator.add", "os.sep", "builtins.max"]
USES = """
search BOARD --depth 2 --algorithm PATH
search BOARD --depth 2 --evaluator PATH
search BOARD --depth 2 --order PATH
explore BOARD --algorithm PATH --out page.html
play BOARD --south PATH --north random:1
play BOARD --south PATH:e3:2 --north random:1
play BOARD --south alpha_beta:e3:2:sow:PATH --north random:1
search --game PATH --depth 2
"""


@pytest.mark.parametrize("path", LIBRARY)
def test_a_function_of_a_library_is_not_reported_as_a_bug(run, folder, path):
    for use in USES.strip().splitlines():
        words = use.replace("BOARD", "'<2,0,0,2,2,2,2>'").replace("PATH", path)
        status, _, err = run(*shlex.split(words))
        assert status in (1, 2), (words, err)
        assert "bug" not in err, words
        assert path in err, (words, err)
