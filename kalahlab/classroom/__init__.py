"""The work of a class: submissions, found, read within limits, and graded."""
