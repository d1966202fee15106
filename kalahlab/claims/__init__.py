"""What the five source documents claim, and what becomes of each claim when it is judged."""
