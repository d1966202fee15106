// Alpha-beta on the store difference for wide boards of Kalah, standard rules, in plain int8 arrays.
//
//     wide PITS STONES DEPTH
//
// Prints the value for the first player, the nodes visited and the seconds of processor time.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

static int pits;
static long nodes;

struct Board {
    int8_t cups[2][32];  // by side; the store is the cup behind the last pit
};

// Sow a pit of a side. Returns whether the same side moves again.
static bool sow(Board &board, int side, int pit) {
    int8_t *own = board.cups[side], *opp = board.cups[1 - side];
    int held = own[pit];
    own[pit] = 0;
    int row = side, place = pit;
    while (held > 0) {
        ++place;
        int last = row == side ? pits : pits - 1;  // the opponent's store is left out
        if (place > last) {
            row = 1 - row;
            place = 0;
        }
        ++board.cups[row][place];
        --held;
    }
    if (row == side && place == pits) return true;
    if (row == side && own[place] == 1 && opp[pits - 1 - place] > 0) {
        own[pits] += 1 + opp[pits - 1 - place];
        own[place] = opp[pits - 1 - place] = 0;
    }
    return false;
}

static int rest(const int8_t *cups) {
    int sum = 0;
    for (int pit = 0; pit < pits; ++pit) sum += cups[pit];
    return sum;
}

static int search(const Board &board, int side, int depth, int alpha, int beta) {
    int best = -10000;
    for (int pit = 0; pit < pits; ++pit) {
        if (board.cups[side][pit] == 0) continue;
        Board child = board;
        int mover = sow(child, side, pit) ? side : 1 - side;
        ++nodes;
        int own_rest = rest(child.cups[side]), opp_rest = rest(child.cups[1 - side]);
        int lead = child.cups[side][pits] - child.cups[1 - side][pits];
        int value;
        if (own_rest == 0 || opp_rest == 0) {
            value = lead + own_rest - opp_rest;
        } else if (depth == 1) {
            value = lead;
        } else if (mover == side) {
            value = search(child, mover, depth - 1, alpha, beta);
        } else {
            value = -search(child, mover, depth - 1, -beta, -alpha);
        }
        if (value > best) best = value;
        if (best >= beta) break;
        if (best > alpha) alpha = best;
    }
    return best;
}

int main(int count, char **words) {
    if (count != 4) return 2;
    pits = atoi(words[1]);
    Board board;
    memset(&board, 0, sizeof board);
    for (int pit = 0; pit < pits; ++pit) board.cups[0][pit] = board.cups[1][pit] = atoi(words[2]);
    clock_t begin = clock();
    nodes = 1;
    int value = search(board, 0, atoi(words[3]), -10000, 10000);
    printf("%d %ld %f\n", value, nodes, double(clock() - begin) / CLOCKS_PER_SEC);
}
