"""A class's work: what students handed in is found, read within limits, and graded."""
