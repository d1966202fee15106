"""Experiments: grids of settings, a row for each, and the costs of searches."""
