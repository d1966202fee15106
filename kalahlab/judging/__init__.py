"""Perfect play as the judge: what moves are worth, and how players and games do by that."""
