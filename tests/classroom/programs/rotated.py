"""Negamax on a board that is turned so that the player to move is always the first."""


def turn_round(board):
    half = len(board) // 2
    return board[half:] + board[:half]


def step(board, pit):
    """Sow for the first player; return the board and whether this player moves again."""
    half = len(board) // 2
    board = board[:]
    seeds, board[pit] = board[pit], 0
    where = pit
    while seeds:
        where = 0 if where == len(board) - 2 else where + 1
        board[where] += 1
        seeds -= 1
    if where < half - 1 and board[where] == 1 and board[len(board) - 2 - where]:
        board[half - 1] += 1 + board[len(board) - 2 - where]
        board[where] = board[len(board) - 2 - where] = 0
    return board, where == half - 1


def is_over(board):
    half = len(board) // 2
    return not any(board[: half - 1]) or not any(board[half:-1])


def value_of(board):
    half = len(board) // 2
    return board[half - 1] - board[-1]


def result(board):
    half = len(board) // 2
    return sum(board[:half]) - sum(board[half:])


def search(board, depth, a=float("-inf"), b=float("inf")):
    if is_over(board):
        return result(board)
    if depth == 0:
        return value_of(board)
    for pit in range(len(board) // 2 - 1):
        if not board[pit]:
            continue
        child, again = step(board, pit)
        if again:
            value = search(child, depth - 1, a, b)
        else:
            value = -search(turn_round(child), depth - 1, -b, -a)
        if value >= b:
            return b
        if value > a:
            a = value
    return a
