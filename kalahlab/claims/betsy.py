"""What the document on Betsy says (notebook 10)."""
