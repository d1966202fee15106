"""What a reader crosses out: the whole tree, and of each branch whether alpha-beta visits it.

The tree is that of minimax, which visits all of it. Whether and why a branch is cut says the trace
of alpha-beta.
"""

import gzip
import json
from typing import Any

from kalahlab.trace import Trace
from kalahlab.widgets.explorer.packing import pack

LARGEST = 160
"""Nodes of a tree that the explorer shows whole."""


def cross_out(trace: Trace, full: Trace) -> dict[str, Any]:
    """The whole tree, packed, and its `branches`; nothing if the two searches order moves
    differently.

    trace: the search by alpha-beta; full: that by minimax. branches: gzipped JSON, per node of
    `full` [the highest node of the branch that is cut, or -1 if it is visited; the reason].
    """
    twins = {0: 0}  # the node of `trace` that each of `full` is, as far as `trace` made them
    for visit in full.visited():
        if visit.id not in twins or not (made := trace.nodes[twins[visit.id]].children):
            continue
        if [full.nodes[id].node.move for id in visit.children] != [
            trace.nodes[id].node.move for id in made
        ]:
            return {}
        twins.update(zip(visit.children, made, strict=True))
    cuts = {cut.node: cut for cut in trace.cuts}
    branches: list[tuple[int, str]] = []
    for visit in full.visited():
        twin = twins.get(visit.id)
        if twin is None:
            branches.append((branches[visit.parent or 0][0], ""))
        elif trace.nodes[twin].kind == "unvisited":
            parent = trace.nodes[twin].parent
            assert parent is not None, "the root is visited"
            branches.append((visit.id, trace.why(cuts[parent])))
        else:
            branches.append((-1, trace.why_visited(twin)))
    return {
        "trace": pack(full, "Which branches will alpha-beta not visit?"),
        "branches": gzip.compress(json.dumps(branches, ensure_ascii=False).encode(), mtime=0),
    }
