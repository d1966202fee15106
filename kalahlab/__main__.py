"""The command line, as `python -m kalahlab`."""

import os
import sys

# Python searches the working folder first. But folders of data there may have the names of modules.
# So the folder is no longer searched, unless it contains this package, as in a checkout.
if not sys.flags.safe_path and sys.path[0] != os.path.dirname(os.path.dirname(__file__)):
    del sys.path[0]

from kalahlab.cli import main

main()
