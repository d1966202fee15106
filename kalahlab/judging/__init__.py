"""Perfect play as the judge.

`worth` is what the moves of one position are worth, `judged` a sample of positions with that.
`regret` measures searches by the sample, `fit` fits an evaluator's weights to it, and `perfect`
judges openings and whole games.
"""
