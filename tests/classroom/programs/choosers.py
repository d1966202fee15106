"""Players that give only a move: one by minimax, one by Monte Carlo tree search."""

import math
import random


def pits_of(board, player):
    half = len(board) // 2
    return [pit for pit in range(player * half, player * half + half - 1) if board[pit]]


def is_over(board):
    return not pits_of(board, 0) or not pits_of(board, 1)


def drop(board, pit, player):
    """Return the board after a move, and who is next."""
    size = len(board)
    half = size // 2
    board, home, away = list(board), player * half + half - 1, (1 - player) * half + half - 1
    seeds, board[pit], spot = board[pit], 0, pit
    while seeds:
        spot = (spot + 1) % size
        if spot != away:
            board[spot] += 1
            seeds -= 1
    if spot != home and spot // half == player and board[spot] == 1 and board[size - 2 - spot]:
        board[home] += 1 + board[size - 2 - spot]
        board[spot] = board[size - 2 - spot] = 0
    return board, (player if spot == home else 1 - player)


def lead(board, player):
    half = len(board) // 2
    value = board[half - 1] - board[-1]
    if is_over(board):
        value = sum(board[:half]) - sum(board[half:])
    return value if player == 0 else -value


def look(board, player, depth, me):
    if depth == 0 or is_over(board):
        return lead(board, me)
    values = []
    for pit in pits_of(board, player):
        child, following = drop(board, pit, player)
        values.append(look(child, following, depth - 1, me))
    return max(values) if player == me else min(values)


def best_move(board, player, depth):
    best, best_value = None, -math.inf
    for pit in pits_of(board, player):
        child, following = drop(board, pit, player)
        value = look(child, following, depth - 1, player)
        if value > best_value:
            best, best_value = pit, value
    return best


class Node:
    def __init__(self, board, player, pit=None, parent=None):
        self.board, self.player, self.pit, self.parent = board, player, pit, parent
        self.children, self.visits, self.wins = [], 0, 0.0
        self.untried = [] if is_over(board) else pits_of(board, player)


def play_out(rng, board, player):
    while not is_over(board):
        board, player = drop(board, rng.choice(pits_of(board, player)), player)
    return (lead(board, 0) > 0) - (lead(board, 0) < 0)


def grow(board, player, iterations, credit):
    rng, root = random.Random(1), Node(board, player)
    for _ in range(iterations):
        node = root
        while not node.untried and node.children:
            total = math.log(node.visits)
            node = max(
                node.children,
                key=lambda child: child.wins / child.visits + math.sqrt(total / child.visits),
            )
        if node.untried:
            pit = node.untried.pop()
            child = Node(*drop(node.board, pit, node.player), pit, node)
            node.children.append(child)
            node = child
        credit(node, play_out(rng, node.board, node.player), player)
    return max(root.children, key=lambda child: child.visits).pit


def credit_mover(node, result, player):
    while node:
        node.visits += 1
        if node.parent:
            node.wins += result if node.parent.player == 0 else -result
        node = node.parent


def credit_levels(node, result, player):
    path = []
    while node:
        path.append(node)
        node = node.parent
    own = result if player == 0 else -result
    for level, node in enumerate(reversed(path)):
        node.visits += 1
        node.wins += own if level % 2 else -own


def turn_over(node, result, player):
    own = -result if node.player == 0 else result
    while node:
        node.visits += 1
        node.wins += own
        own = -own
        node = node.parent


def credit_next(node, result, player):
    while node:
        node.visits += 1
        node.wins += result if node.player == 1 else -result
        node = node.parent


def mcts(board, player, iterations):
    return grow(board, player, iterations, credit_mover)


def mcts_by_level(board, player, iterations):
    return grow(board, player, iterations, credit_levels)


def mcts_turning_over(board, player, iterations):
    return grow(board, player, iterations, turn_over)


def mcts_by_next(board, player, iterations):
    return grow(board, player, iterations, credit_next)
