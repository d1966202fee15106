"""What the CS5329 report says of rules, solved games and evaluation (notebooks 01, 04, 05, 07)."""
