"""A class with a board of numpy and methods, whose MAX is the second player."""

import numpy as np


class KalahSearch:
    def __init__(self, ai_player=1):
        self.ai_player = ai_player
        self.nodes = 0

    def store_of(self, board, player):
        half = len(board) // 2
        return half - 1 if player == 0 else len(board) - 1

    def own_pits(self, board, player):
        half = len(board) // 2
        return range(half - 1) if player == 0 else range(half, len(board) - 1)

    def move(self, board, pit, player):
        board = board.copy()
        stones = int(board[pit])
        board[pit] = 0
        place = pit
        while stones:
            place = (place + 1) % len(board)
            if place != self.store_of(board, 1 - player):
                board[place] += 1
                stones -= 1
        if place == self.store_of(board, player):
            return board, player
        across = len(board) - 2 - place
        if place in self.own_pits(board, player) and board[place] == 1 and board[across] > 0:
            board[self.store_of(board, player)] += board[across] + 1
            board[place] = board[across] = 0
        return board, 1 - player

    def is_terminal(self, board):
        return any(not board[list(self.own_pits(board, player))].any() for player in (0, 1))

    def heuristic(self, board):
        mine, other = self.ai_player, 1 - self.ai_player
        stones = board[self.store_of(board, mine)] - board[self.store_of(board, other)]
        return float(stones)

    def final_value(self, board):
        totals = [0, 0]
        for player in (0, 1):
            totals[player] = board[list(self.own_pits(board, player))].sum()
            totals[player] += board[self.store_of(board, player)]
        return float(totals[self.ai_player] - totals[1 - self.ai_player])

    def minimax(self, board, depth, alpha, beta, player):
        self.nodes += 1
        if self.is_terminal(board):
            return {"score": self.final_value(board), "move": None}
        if depth == 0:
            return {"score": self.heuristic(board), "move": None}
        best = None
        for pit in self.own_pits(board, player):
            if board[pit] == 0:
                continue
            after, next_player = self.move(board, pit, player)
            score = self.minimax(after, depth - 1, alpha, beta, next_player)["score"]
            if player == self.ai_player:
                if best is None or score > best["score"]:
                    best = {"score": score, "move": pit}
                alpha = max(alpha, score)
            else:
                if best is None or score < best["score"]:
                    best = {"score": score, "move": pit}
                beta = min(beta, score)
            if beta <= alpha:
                break
        return best


def board_array(state):
    return np.array(state.board)
