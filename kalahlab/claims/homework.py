"""What the homework on Mancala says (notebook 09)."""
