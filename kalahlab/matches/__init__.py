"""Players against each other.

`openings` is from where, `contenders` who plays, by name, `competition` a player of whole turns in
a stated time, `rating` how sure a score is. `pairs`, `rivals` (of any game), `cards` and
`tournament` play: each opening twice, with sides exchanged.
"""
