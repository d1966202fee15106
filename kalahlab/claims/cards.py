"""What the document on the card game says (notebook 11)."""
