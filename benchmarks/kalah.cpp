// The yardstick of benchmarks/kernel.py: alpha-beta on the store difference of Kalah(6, n) under
// the standard rules, pits tried from the left.
//
//   kalah STONES DEPTH REPEATS
//
// It visits the tree of the kernel of kalahlab/engine/twin/fast_kernel.py by the same tables, in plain
// C++: a better move is noted in a branch, and each level is a function. Compiled with -DLEAN it does
// less than the kernel: it answers no line, and one count instead of four. Prints the value, the nodes
// visited, and the seconds of processor time of each repeat.
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

using Word = int64_t;

constexpr int PITS = 6, ROW = 128, NOWHERE = 56, BOTTOM = 3;
constexpr Word INFINITE = Word(1) << 62;

static Word OWN[PITS * ROW], OPP[PITS * ROW], EFFECT[PITS * ROW];

static void make_tables() {
    for (int pit = 0; pit < PITS; pit++)
        for (int count = 1; count < ROW; count++) {
            Word own = -(Word(count) << 8 * pit), opp = 0, gain = 0;
            int at = pit;
            for (int stone = 0; stone < count; stone++) {
                at = (at + 1) % (2 * PITS + 1);
                if (at < PITS) own += Word(1) << 8 * at;
                else if (at == PITS) gain++;
                else opp += Word(1) << 8 * (at - PITS - 1);
            }
            int landing = at < PITS ? 8 * at : NOWHERE;
            int facing = at < PITS ? 8 * (PITS - 1 - at) : 0;
            OWN[pit * ROW + count] = own;
            OPP[pit * ROW + count] = opp;
            EFFECT[pit * ROW + count] = landing | facing << 8 | gain << 16 | Word(at == PITS) << 24;
        }
}

static inline Word stones(Word word) { return Word(uint64_t(word) * 0x0101010101010101u) >> 56; }
static inline Word filled(Word word) { return (word + 0x007F7F7F7F7F7F7F) & 0x0080808080808080; }
static inline int count_bits(Word word) { return __builtin_popcountll(word); }

struct Sown {
    Word own, opp, banked;
    bool again;
};

static inline Sown sow(Word own, Word opp, int entry) {
    Word effect = EFFECT[entry];
    int landing = effect & 255, facing = effect >> 8 & 255;
    Word banked = effect >> 16 & 255;
    own += OWN[entry];
    opp += OPP[entry];
    if ((own >> landing & 255) == 1) {
        Word count = opp >> facing & 255;
        if (count != 0) {
            banked += count + 1;
            own -= Word(1) << landing;
            opp -= count << facing;
        }
    }
    return {own, opp, banked, (effect >> 24 & 1) != 0};
}

static inline int entry(Word word, int bit) {
    return (bit >> 3) * ROW + int(word >> (bit - 7) & 255);
}

#ifdef LEAN

struct Answer {
    Word value, visited;
};

static inline Answer opened(int) { return {0, 1}; }
static inline void leaf(Answer &a, int leaves) { a.visited += leaves; }
static inline void add(Answer &a, const Answer &child) { a.visited += child.visited; }
static inline Answer closed(Answer a, Word value, Word, Word) { return {value, a.visited}; }
static inline Word extend(const Answer &, int) { return 0; }
static inline Word visited(const Answer &a) { return a.visited; }

#else

struct Answer {
    Word value, line, expanded, generated, evaluated, cutoffs;
};

static inline Answer opened(int children) { return {0, 0, 1, children, 0, 0}; }
static inline void leaf(Answer &a, int leaves) { a.evaluated += leaves; }
static inline void add(Answer &a, const Answer &child) {
    a.expanded += child.expanded;
    a.generated += child.generated;
    a.evaluated += child.evaluated;
    a.cutoffs += child.cutoffs;
}
static inline Answer closed(Answer a, Word value, Word line, Word untried) {
    return {value, line, a.expanded, a.generated, a.evaluated, a.cutoffs + (untried != 0)};
}
static inline Word extend(const Answer &child, int bit) {
    return child.line << 3 | ((bit >> 3) + 1);
}
static inline Word visited(const Answer &a) { return a.expanded + a.evaluated; }

#endif

template <bool MAY_END>
static inline Answer tried(Word own, Word opp, Word ahead, Word beta) {
    Word best = -INFINITE, line = 0, untried = filled(own);
    int generated = count_bits(untried);
    while (untried) {
        int bit = __builtin_ctzll(untried);
        untried &= untried - 1;
        Sown s = sow(own, opp, entry(own, bit));
        Word value = ahead + s.banked;
        if (MAY_END && (s.own == 0 || s.opp == 0)) value += stones(s.own) - stones(s.opp);
        if (value > best) {
            best = value;
            line = (bit >> 3) + 1;
            if (best >= beta) break;
        }
    }
    Answer answer = opened(generated);
    leaf(answer, generated - count_bits(untried));
    return closed(answer, best, line, untried);
}

static inline Answer leaves(Word own, Word opp, Word ahead, Word beta) {
    Word mine = filled(own), theirs = filled(opp);
    if ((mine & (mine - 1)) == 0 || (theirs & (theirs - 1)) == 0)
        return tried<true>(own, opp, ahead, beta);
    if (ahead >= beta) {
        Answer answer = opened(count_bits(mine));
        leaf(answer, 1);
        return closed(answer, ahead, 0, 1);
    }
    return tried<false>(own, opp, ahead, beta);
}

// LEVEL: how far above the leaves, or 0 for anywhere above BOTTOM.
template <int LEVEL>
static Answer node(Word own, Word opp, Word ahead, int depth, Word alpha, Word beta) {
    if constexpr (LEVEL == 1) {
        return leaves(own, opp, ahead, beta);
    } else {
        if (LEVEL == 0 && depth == BOTTOM) return node<BOTTOM>(own, opp, ahead, depth, alpha, beta);
        constexpr int BELOW = LEVEL == 0 ? 0 : LEVEL - 1;
        Word best = -INFINITE, line = 0, untried = filled(own);
        Answer answer = opened(count_bits(untried));
        while (untried) {
            int bit = __builtin_ctzll(untried);
            untried &= untried - 1;
            Sown s = sow(own, opp, entry(own, bit));
            Word value = ahead + s.banked;
            Answer child{};
            if (s.own == 0 || s.opp == 0) {
                value += stones(s.own) - stones(s.opp);
                leaf(answer, 1);
            } else if (s.again) {
                child = node<BELOW>(s.own, s.opp, value, depth - 1, alpha, beta);
                value = child.value;
                add(answer, child);
            } else {
                child = node<BELOW>(s.opp, s.own, -value, depth - 1, -beta, -alpha);
                value = -child.value;
                add(answer, child);
            }
            if (value > best) {
                best = value;
                line = extend(child, bit);
                if (best >= beta) break;
                alpha = std::max(alpha, best);
            }
        }
        return closed(answer, best, line, untried);
    }
}

static double seconds() {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_utime.tv_sec + usage.ru_utime.tv_usec / 1e6;
}

int main(int count, char **words) {
    int depth = count == 4 ? atoi(words[2]) : 0;
    if (depth <= BOTTOM) return 2;
    Word side = atoi(words[1]) * Word(0x010101010101);
    make_tables();
    for (int repeat = 0; repeat < atoi(words[3]); repeat++) {
        double began = seconds();
        Answer answer = node<0>(side, side, 0, depth, -INFINITE, INFINITE);
        double took = seconds() - began;
        if (repeat == 0) printf("%ld %ld", long(answer.value), long(visited(answer)));
        printf(" %.6f", took);
    }
    puts("");
}
