"""Alpha-beta on a list of 14, as most courses hand it out: maximizing tells who moves."""

import math


def is_game_over(board):
    return sum(board[0:6]) == 0 or sum(board[7:13]) == 0


def get_valid_moves(board, maximizing):
    pits = range(0, 6) if maximizing else range(7, 13)
    return [pit for pit in pits if board[pit] > 0]


def make_move(board, pit, maximizing):
    board = board.copy()
    store, opponent_store = (6, 13) if maximizing else (13, 6)
    stones = board[pit]
    board[pit] = 0
    index = pit
    while stones > 0:
        index = (index + 1) % 14
        if index == opponent_store:
            continue
        board[index] += 1
        stones -= 1
    own_side = range(0, 6) if maximizing else range(7, 13)
    if index in own_side and board[index] == 1 and board[12 - index] > 0:
        board[store] += board[12 - index] + 1
        board[index] = 0
        board[12 - index] = 0
    extra_turn = index == store
    if is_game_over(board):
        board[6] += sum(board[0:6])
        board[13] += sum(board[7:13])
        for pit in range(0, 6):
            board[pit] = 0
            board[pit + 7] = 0
    return board, extra_turn


def evaluate(board):
    return board[6] - board[13]


def alphabeta(board, depth, alpha, beta, maximizing):
    if depth == 0 or is_game_over(board):
        return evaluate(board)
    if maximizing:
        best = -math.inf
        for move in get_valid_moves(board, True):
            child, extra_turn = make_move(board, move, True)
            value = alphabeta(child, depth - 1, alpha, beta, extra_turn)
            best = max(best, value)
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best
    best = math.inf
    for move in get_valid_moves(board, False):
        child, extra_turn = make_move(board, move, False)
        value = alphabeta(child, depth - 1, alpha, beta, not extra_turn)
        best = min(best, value)
        beta = min(beta, best)
        if alpha >= beta:
            break
    return best
