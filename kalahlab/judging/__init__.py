"""Perfect play as the judge.

`worth` looks up what the moves of one position are worth, `judged` holds positions with that, and
`benchmark` draws them from games of players of several strengths. `regret` judges players and
searches by them, `levels` the levels of play, `review` a game; `puzzles` are found among them.
`fit` and `train` fit evaluators to exact values.
"""
