"""Programs in the dialects of kalahlab.players.programs: `agents.py DIALECT MODE [FIFO]`.

In the mode `plays` each plays the pit with stones that is nearest to its store; `swaps` exchanges
sides where the pie rule allows it. The other modes are faults. The FIFO is held open for writing as
long as the program, or a child of it, lives. Nothing here knows kalahlab.
"""

import json
import os
import signal
import sys
import time

FOREVER = 10_000


def nearest(pits):
    return max(index for index, stones in enumerate(pits) if stones)


def kgpc(lines, answer):
    next(lines), next(lines)
    own = [int(word) for word in next(lines).split()]
    next(lines)
    answer("0")  # the last line counts
    answer(str(nearest(own)))


def buet(lines, answer):
    is_first = sys.argv[-1] == "1"
    for line in lines:
        board = [int(word) for word in line.split()]
        half = len(board) // 2
        own = board[: half - 1] if is_first else board[half:-1]
        answer(str(nearest(own) + 1))


def manchester(lines, answer):
    is_south, may_swap, has_swapped = None, False, False
    for line in lines:
        word, *rest = line.strip().split(";")
        if word == "END":
            return
        if word == "START":
            is_south = rest == ["South"]
            may_swap = not is_south
            if is_south:
                answer("MOVE;7")  # on the usual board of seven pits
            continue
        move, board, turn = rest
        if move == "SWAP":
            assert not has_swapped  # it is told of the opponent's exchange only
            is_south = not is_south
        if turn != "YOU":
            continue
        if may_swap and MODE == "swaps":
            answer("SWAP")
            is_south = not is_south
            may_swap, has_swapped = False, True
            continue
        may_swap = False
        board = [int(word) for word in board.split(",")]
        half = len(board) // 2
        own = board[half:-1] if is_south else board[: half - 1]
        answer(f"MOVE;{nearest(own) + 1}")


def nmsu(lines, answer):
    """Sow on a ring of 14 by the usual rules, as the program is told no board."""
    ring = [4, 4, 4, 4, 4, 4, 0] * 2
    me = None

    def play(square):
        stones, ring[square] = ring[square], 0
        own_store = 6 if square < 6 else 13
        place = square
        while stones:
            place = (place + 1) % 14
            if place != 19 - own_store:
                ring[place] += 1
                stones -= 1
        is_own = own_store - 6 <= place < own_store
        if is_own and ring[place] == 1 and ring[12 - place]:
            ring[own_store] += 1 + ring[12 - place]
            ring[place] = ring[12 - place] = 0

    for line in lines:
        word, *rest = line.split()
        if word == "quit":
            return
        if word == "opponent":
            me = me or ("first" if int(rest[0]) > 6 else "second")
            play(int(rest[0]))
        if word == "move":
            me = me or "first"
            base = 0 if me == "first" else 7
            square = base + nearest(ring[base : base + 6])
            answer(str(square))
            play(square)


def homework(lines, answer):
    """Write the board after the whole turn; rows are from left to right, player 2 sows left."""
    with open("input.txt") as file:
        task, player, depth, north, south, north_store, south_store = file.read().split("\n")[:7]
    assert task == "3"
    assert depth == "4"
    north, south = ([int(word) for word in row.split()] for row in (north, south))
    m = len(south)
    ring = [*south, int(south_store), *reversed(north), int(north_store)]
    base = 0 if player == "1" else m + 1
    is_again = True
    while is_again and any(ring[:m]) and any(ring[m + 1 : -1]):
        square = base + nearest(ring[base : base + m])
        stones, ring[square] = ring[square], 0
        while stones:
            square = (square + 1) % len(ring)
            if square != (base + m + m + 1) % len(ring):
                ring[square] += 1
                stones -= 1
        is_again = square == base + m
        opposite = 2 * m - square
        if base <= square < base + m and ring[square] == 1 and ring[opposite]:
            ring[base + m] += 1 + ring[opposite]
            ring[square] = ring[opposite] = 0
    sides = ring[:m], ring[m + 1 : -1]
    if not all(map(any, sides)):  # the rest goes to its owner
        ring[m] += sum(sides[0])
        ring[-1] += sum(sides[1])
        ring[:m] = ring[m + 1 : -1] = [0] * m
    rows = [ring[m + 1 : -1][::-1], ring[:m], [ring[-1]], [ring[m]]]
    text = "".join(" ".join(map(str, row)) + "\n" for row in rows)
    with open("next_state.txt", "w") as file:
        file.write(text)


def json_lines(lines, answer):
    for line in lines:
        board = [int(word) for word in json.loads(line)["board"].split()[0][1:-1].split(",")]
        own = board[3 : 3 + board[0]]
        answer(json.dumps({"move": nearest(own) + 1, "value": 0.5}))


def answer(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def fail(number, text):
    """Answer the question with this number by a fault."""
    if MODE == "crashes" or (MODE == "crashes later" and number > 2):
        raise KeyError("oops")
    if MODE == "exits":
        sys.exit(0)
    if MODE in ("is silent", "ignores SIGTERM") or (MODE == "is late" and number > 2):
        time.sleep(FOREVER)
    if MODE == "floods":
        while True:
            os.write(1, b"x" * 4096)
    if MODE == "writes other bytes":
        os.write(1, b"\xff\xfe\n")
        return
    answers = {"is illegal": ILLEGAL[DIALECT], "writes garbage": "hello"}
    answer(answers.get(MODE, text))


ILLEGAL = {
    "kgpc": "99",
    "buet": "99",
    "manchester": "MOVE;99",
    "nmsu": "99",
    "json": '{"move": 99}',
}
PROGRAMS = {
    "kgpc": kgpc, "buet": buet, "manchester": manchester, "nmsu": nmsu, "homework": homework,
    "json": json_lines,
}  # fmt: skip

if __name__ == "__main__":
    DIALECT, MODE = sys.argv[1:3]
    if len(sys.argv) > 3 and "/" in sys.argv[3]:
        held = os.open(sys.argv[3], os.O_WRONLY)
        os.set_inheritable(held, True)
        os.write(held, b"x")
    if MODE == "ignores SIGTERM":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.fork()
    if MODE == "sleeps":
        answer("ready")
        time.sleep(FOREVER)
    count = 0

    def count_answer(text):
        global count
        count += 1
        if MODE in ("plays", "swaps"):
            answer(text)
        else:
            fail(count, text)

    PROGRAMS[DIALECT](iter(sys.stdin.readline, ""), count_answer)
