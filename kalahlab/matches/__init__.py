"""Players against each other: openings, pairs of games, matches, ratings, sequential tests."""
