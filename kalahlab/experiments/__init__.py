"""Experiments: grids of points to tidy rows, and what a search costs."""
