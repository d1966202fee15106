"""Minimax of tuples with players 1 and 2; both give a value and a move as a pit from 1."""

from functools import cache


def opponent(player):
    return 3 - player


def legal(board, player):
    half = len(board) // 2
    start = 0 if player == 1 else half
    return [pit + 1 for pit in range(half - 1) if board[start + pit]]


@cache
def play(board, pit, player):
    half = len(board) // 2
    size = len(board)
    houses = list(board)
    start = pit - 1 if player == 1 else half + pit - 1
    mine = half - 1 if player == 1 else size - 1
    other = size - 1 if player == 1 else half - 1
    seeds, houses[start] = houses[start], 0
    current = start
    for _ in range(seeds):
        current = (current + 1) % size
        if current == other:
            current = (current + 1) % size
        houses[current] += 1
    facing = size - 2 - current
    is_mine = mine - half + 1 <= current < mine
    if is_mine and houses[current] == 1 and houses[facing]:
        houses[mine] += houses[facing] + houses[current]
        houses[facing] = houses[current] = 0
    again = current == mine
    return tuple(houses), player if again else opponent(player)


def is_over(board):
    half = len(board) // 2
    return not sum(board[: half - 1]) or not sum(board[half:-1])


def utility(board):
    half = len(board) // 2
    first, second = sum(board[:half]), sum(board[half:])
    if first == second:
        return 0
    return 1000 if first > second else -1000


def minimax(board, player, depth):
    half = len(board) // 2
    if is_over(board):
        return (utility(board), None)
    if depth == 0:
        return (board[half - 1] - board[-1], None)
    choices = []
    for pit in legal(board, player):
        after, turn = play(board, pit, player)
        choices.append((minimax(after, turn, depth - 1)[0], pit))
    if player == 1:
        return max(choices, key=lambda choice: choice[0])
    return min(choices, key=lambda choice: choice[0])
