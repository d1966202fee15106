"""What the report on a staged evaluator says (notebooks 03 and 06)."""
