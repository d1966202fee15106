"""Exact values: alpha-beta proofs over the endgame database."""
