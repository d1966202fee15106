"""What the CS5329 report says of its own program and its 16 games (notebook 02)."""
