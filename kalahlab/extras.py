"""The optional packages: which extra of kalahlab installs which of them.

`pip install kalahlab` leaves them out, because they are large and few commands need them.
"""

from importlib.util import find_spec

# Keys: modules. Values: the extra in pyproject.toml whose packages include the module.
EXTRAS = {
    "dask": "cluster",
    "distributed": "cluster",
    "open_spiel": "openspiel",
    "playwright": "print",
    "pyarrow": "parquet",
    "pypdf": "print",
    "pyspiel": "openspiel",
    "sklearn": "report",
}


def is_missing(module: str) -> bool:
    """Return whether a module, or the module that contains it, is optional and not installed."""
    name = module.partition(".")[0]
    return name in EXTRAS and find_spec(name) is None


def describe_missing(module: str) -> str:
    """Return how to install an optional module, for the end of a message."""
    name = module.partition(".")[0]
    extra = EXTRAS[name]
    return f"{name}, which is not installed: pip install 'kalahlab[{extra}]'"
