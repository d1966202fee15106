"""Players against each other.

`openings` is from where, `pairs` plays both games of an opening, sides exchanged, in any game, and
counts what they come to, `rating` says how sure a score is, `tournament` pairs players of Kalah,
and `competition` is a player of whole turns in a stated time.
"""
