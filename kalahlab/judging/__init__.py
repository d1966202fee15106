"""Perfect play as the judge.

`worth` looks up what the moves of one position are worth, `judged` holds positions with that.
`regret` judges players and searches by them, `review` a game; `puzzles` are found among them.
`data/make` does what only the files of `data/` need.
"""
