"""The textbook searches on packed boards, node for node."""
