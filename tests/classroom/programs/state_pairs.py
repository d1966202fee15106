"""Max-value and min-value on states (board, player), as in Russell and Norvig."""

from math import inf


def to_move(state):
    return state[1]


def actions(state):
    board, player = state
    half = len(board) // 2
    return [pit for pit in range(half - 1) if board[player * half + pit] > 0]


def result(state, action):
    board, player = list(state[0]), state[1]
    half = len(board) // 2
    position = player * half + action
    seeds = board[position]
    board[position] = 0
    forbidden = (1 - player) * half + half - 1
    while seeds > 0:
        position = (position + 1) % (2 * half)
        if position == forbidden:
            continue
        board[position] += 1
        seeds -= 1
    store = player * half + half - 1
    if position == store:
        return (board, player)
    if position // half == player and board[position] == 1:
        mirror = 2 * (half - 1) - position
        if board[mirror] > 0:
            board[store] += board[mirror] + 1
            board[mirror] = 0
            board[position] = 0
    return (board, 1 - player)


def terminal_test(state):
    board = state[0]
    half = len(board) // 2
    return not any(board[: half - 1]) or not any(board[half:-1])


def utility(state):
    board = state[0]
    half = len(board) // 2
    return sum(board[:half]) - sum(board[half:])


def evaluation(state):
    board = state[0]
    half = len(board) // 2
    stores = board[half - 1] - board[-1]
    return stores + 0.1 * (sum(board[: half - 1]) - sum(board[half:-1]))


def max_value(state, depth, alpha, beta):
    v = -inf
    for action in actions(state):
        v = max(v, value(result(state, action), depth - 1, alpha, beta))
        if v >= beta:
            return v
        alpha = max(alpha, v)
    return v


def min_value(state, depth, alpha, beta):
    v = inf
    for action in actions(state):
        v = min(v, value(result(state, action), depth - 1, alpha, beta))
        if v <= alpha:
            return v
        beta = min(beta, v)
    return v


def value(state, depth, alpha=-inf, beta=inf):
    if terminal_test(state):
        return utility(state)
    if depth == 0:
        return evaluation(state)
    if to_move(state) == 0:
        return max_value(state, depth, alpha, beta)
    return min_value(state, depth, alpha, beta)
