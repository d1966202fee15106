"""Players against each other.

`openings` is from where, `contenders` who plays, by name, `competition` a player of whole turns in
a stated time, `rating` how sure a score is, `pairs` both games of an opening, sides exchanged, and
what they come to. Matches are `rivals`, evaluators of any game, `cards` and `tournament`.
"""
