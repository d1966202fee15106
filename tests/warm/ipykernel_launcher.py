"""The module that `python -m ipykernel_launcher` runs under `pytest -n`: kernels start at once.

The tests start some sixty kernels. Those of this checkout are forked by the server that
`tests/conftest.py` starts; see `kalahlab.report.forked_kernels`.
"""

import os
import runpy
import sys
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent

sys.path.remove(str(HERE))  # so that ipykernel's module of this name is found
spec = find_spec("kalahlab")
if spec and Path(spec.origin or "").parent == HERE.parents[1] / "kalahlab":
    from kalahlab.report.forked_kernels import launch

    launch(os.environ["WARM_KERNELS"])
else:  # the kernel of another checkout
    runpy.run_module("ipykernel_launcher", run_name="__main__", alter_sys=True)
