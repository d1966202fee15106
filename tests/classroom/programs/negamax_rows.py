"""Negamax on two rows, each with its store at the end; players are 0 and 1."""

import copy

INFINITY = 10**9


def pits(board):
    return len(board[0]) - 1


def sow(board, player, pit):
    """Return the board after a move, and the player who moves next."""
    board = copy.deepcopy(board)
    n = pits(board)
    hand = board[player][pit]
    board[player][pit] = 0
    row, place = player, pit
    while hand:
        place += 1
        if (place == n and row != player) or place > n:
            row, place = 1 - row, 0
        board[row][place] += 1
        hand -= 1
    if row == player and place < n and board[row][place] == 1:
        facing = n - 1 - place
        if board[1 - row][facing]:
            board[player][n] += 1 + board[1 - row][facing]
            board[row][place] = board[1 - row][facing] = 0
    if row == player and place == n:
        return board, player
    return board, 1 - player


def over(board):
    return not any(board[0][:-1]) or not any(board[1][:-1])


def final(board, player):
    return sum(board[player]) - sum(board[1 - player])


def score(board, player):
    return board[player][-1] - board[1 - player][-1]


def negamax(board, player, depth, alpha=-INFINITY, beta=INFINITY):
    if over(board):
        return final(board, player), None
    if depth <= 0:
        return score(board, player), None
    best, best_pit = -INFINITY, None
    for pit in range(pits(board)):
        if board[player][pit] == 0:
            continue
        after, mover = sow(board, player, pit)
        if mover == player:
            value = negamax(after, mover, depth - 1, alpha, beta)[0]
        else:
            value = -negamax(after, mover, depth - 1, -beta, -alpha)[0]
        if value > best:
            best, best_pit = value, pit
        alpha = max(alpha, value)
        if alpha >= beta:
            break
    return best, best_pit
