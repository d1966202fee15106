"""How the code is written: names, docstrings and statements, found in its syntax trees.

`idiom.toml` has the words, the limits, and what is allowed against a rule, with the reason.
"""

import ast
import json
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
IDIOM = tomllib.loads((ROOT / "tests/idiom.toml").read_text(encoding="utf-8"))
LIMITS, ALLOWED = IDIOM["limits"], IDIOM["allowed"]
WORDS = {kind: set(words.split()) for kind, words in IDIOM["words"].items()}
PLACES = {
    "kalahlab": ["kalahlab"],
    "tests": ["tests"],
    "notebooks": ["notebooks"],
    "scripts and examples": ["data/make", "tools", "benchmarks", "docs"],
}
PREDICATE = re.compile(r"(is|has|can|should|was|may|must|does)_")
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
LITERALS = ast.Tuple | ast.List | ast.Constant | ast.JoinedStr


def read_code(file):
    """Return the Python code of a module, of a notebook's cells or of a page's examples."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    if file.suffix == ".md":
        return "\n".join(re.findall(r"^```python\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE))
    return text


@cache
def parse_files(place):
    """Return the nodes of the code's syntax tree by file, and its number of lines with text."""
    nodes, lines = {}, 0
    for folder in PLACES[place]:
        for file in sorted((ROOT / folder).rglob("*")):
            if file.suffix in (".py", ".ipynb", ".md") and "oracles" not in file.parts:
                code = read_code(file)
                nodes[file.relative_to(ROOT).as_posix()] = [*ast.walk(ast.parse(code))]
                lines += sum(bool(line.strip()) for line in code.splitlines())
    return nodes, lines


def select_functions(nodes):
    return [node for node in nodes if isinstance(node, FUNCTIONS)]


def is_verb(word):
    return bool({word, word.removesuffix("s"), word.removesuffix("es")} & WORDS["verbs"])


def is_property(function):
    return any("property" in ast.unparse(decorator) for decorator in function.decorator_list)


def is_participle(name):
    words = name.strip("_").split("_")
    if PREDICATE.match(name.strip("_")) or is_verb(words[0]):
        return False
    ends = {words[0], words[-1]} - WORDS["no_participles"]
    return any(re.fullmatch(r"[a-z]{2,}ed", word) or word in WORDS["participles"] for word in ends)


def is_predicate(name):
    words = name.strip("_").split("_")
    return bool(PREDICATE.match(name.strip("_"))) or is_verb(words[0]) or is_verb(words[-1])


def returns_bool(function):
    annotation = isinstance(function.returns, ast.Name) and function.returns.id == "bool"
    return annotation and not is_property(function) and not function.name.startswith("__")


def is_boolean(node):
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "bool"
    negated = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    return negated or isinstance(node, ast.Compare)


def uses_boolean_as_number(node):
    """Find `[""] * (n > 1)` and `("a", "b")[n > 1]`; the sign `(a > b) - (a < b)` is usual."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Add | ast.Sub):
        sides = [is_boolean(node.left), is_boolean(node.right)]
        return any(sides) and not (all(sides) and isinstance(node.op, ast.Sub))
    if isinstance(node, ast.Subscript) and isinstance(node.value, LITERALS):
        return any(is_boolean(part) for part in ast.walk(node.slice))
    return False


def find_participles(nodes):
    return {function.name for function in select_functions(nodes) if is_participle(function.name)}


def find_predicates(nodes):
    functions = filter(returns_bool, select_functions(nodes))
    return {function.name for function in functions if not is_predicate(function.name)}


def assigns_grammar_word(node):
    is_assigned = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    return is_assigned and node.id in WORDS["grammar"]


def find_grammar_words(nodes):
    """Find names of variables in functions, and of the loops there."""
    if not any(map(assigns_grammar_word, nodes)):
        return set()
    places = set()
    for function in select_functions(nodes):
        for node in filter(assigns_grammar_word, ast.walk(function)):
            places.add(f"{function.name}.{node.id}")
    return places


def find_booleans(nodes):
    return {ast.unparse(node) for node in nodes if uses_boolean_as_number(node)}


FINDERS = {
    "participles": find_participles,
    "predicates": find_predicates,
    "grammar": find_grammar_words,
    "booleans": find_booleans,
}


@pytest.mark.parametrize("rule", FINDERS)
def test_names_and_statements_follow_the_rules_but_for_what_is_allowed(rule):
    places = set()
    for place in PLACES:
        for file, nodes in parse_files(place)[0].items():
            places |= {f"{file}: {name}" for name in FINDERS[rule](nodes)}
    assert sorted(places - ALLOWED[rule].keys()) == []
    assert sorted(ALLOWED[rule].keys() - places) == []


@pytest.mark.parametrize("place", PLACES)
def test_docstrings_begin_with_a_verb(place):
    first_words = []
    for nodes in parse_files(place)[0].values():
        for function in select_functions(nodes):
            docstring = ast.get_docstring(function)
            if docstring and not is_property(function):
                first_words.append(docstring.split(maxsplit=1)[0].strip("`*.,:").lower())
    assert sum(map(is_verb, first_words)) >= LIMITS["verbs"] * len(first_words)
    questions = [word for word in first_words if word in WORDS["questions"]]
    assert len(questions) <= LIMITS["questions"] * len(first_words)


@pytest.mark.parametrize("place", PLACES)
def test_statements_are_plain(place):
    nodes_of_files, lines = parse_files(place)
    conditions = loops = 0
    for nodes in nodes_of_files.values():
        for node in nodes:
            conditions += isinstance(node, ast.IfExp)
            if isinstance(node, COMPREHENSIONS):
                inner = [part for part in ast.walk(node) if isinstance(part, COMPREHENSIONS)]
                loops += len(inner) > 1 or len(node.generators) > 1
    assert 1000 * conditions <= LIMITS["conditions"] * lines
    assert 1000 * loops <= LIMITS["loops"] * lines
