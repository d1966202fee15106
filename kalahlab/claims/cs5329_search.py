"""What the CS5329 report says of search: its textbook part (notebooks 03 and 08)."""
