"""Perfect play as the judge.

`worth` is what the moves of one position are worth, `judged` positions with that, and `benchmark`
draws them from games of players of several strengths. `player` judges a player by them.
`regret` measures searches by the sample, `fit` fits an evaluator's weights to it, and `perfect`
judges openings and whole games.
"""
