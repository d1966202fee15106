"""The board and the explorer, in a notebook or in a page without a kernel.

Python computes all moves, values and searches; JavaScript draws them.
"""
