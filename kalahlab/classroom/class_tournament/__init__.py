"""A tournament of a class: each student's program in a process of its own, and what is told of it.

agents, absentees = find_agents(Path("class"), Path("cup"), Confinement.find(unsafe=False))
games = play_tournament(agents, Format(boards=("6,6",)), Path("cup"))
write_pages(games, Path("cup"))
"""
