"""`python -m kalahlab`: the command line."""

from kalahlab.cli import main

main()
