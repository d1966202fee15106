"""A tournament of a class: each student's program in a process of its own, and what is told of it.

cup, confinement = Path("cup"), Confinement()
agents, absentees = find_agents(Path("class"), cup, confinement)
tournament = play_tournament(agents, absentees, Format(boards=("6,6",)), confinement, cup)
write_pages(tournament, find_worst_moves(tournament, cup, seconds=3), cup)
"""
