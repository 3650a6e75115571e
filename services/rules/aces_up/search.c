/* Whether a game of Aces Up can be won, and how: exact, in bounded memory.
 *
 * A search over the states right after a row was dealt. From such a state everything that removals and moves into gaps
 * reach without dealing (its "closure") is looked at, then the next row is dealt onto each of them. What is learnt from
 * a state that can't be won is how much of it mattered: so many cards from the top of each pile. Whatever else lies below,
 * a state with the same tops at the same row can't be won either, and is never searched.
 *
 * No removal is forced but one that can't matter: when no lower card of its suit is left to be removed by it.
 * The Python twin of this file (search.py) says why that is right, and the tests hold the two to each other.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PILES = 4, HIGHEST = 16, ACE = 14, CODES = 64, ROWS = 14, BOTTOM = 0 };
enum { LOST = 0, WON = 1, UNDECIDED = -1, NO_MEMORY = -2 };

typedef uint8_t u8;
typedef uint64_t u64;
typedef struct { u64 a, b; } Print; /* 128 bits: two different states never share one in practice */
typedef struct { u8 c[PILES][HIGHEST]; u8 n[PILES]; } State; /* zeros above every top */
typedef struct { u8 d[PILES]; } Depth;

/* A state of a closure: how many cards of each pile of the entering state are gone, and whether the pile's rest is still
 * there (`own`); the entry that it came from and the actions since, `acts[from .. from + count)`. */
typedef struct { State s; u8 popped[PILES]; u8 own[PILES]; int32_t parent; uint32_t from; u8 count; float score; } Entry;

typedef struct { Print *at; size_t mask, used; } Set;
typedef struct { Depth *depths; uint32_t *hits; int count, room; } Learnt; /* the shapes of what was learnt at a row */

typedef struct {
    u64 state;
    Print zobrist[PILES][HIGHEST + 1][CODES];
    u64 below[CODES], later[ROWS];
    const u8 *stock; /* the next card first */
    Learnt learnt[ROWS];
    Set lessons, parts; /* whole lessons; what they say of one pile */
    Entry *entries; size_t entry_count, entry_room;
    u8 *acts; size_t act_count, act_room;
    int32_t *slots; size_t slot_room;
    u64 looked, limit;
    int hasty; /* every removal is made at once */
    u8 *line; int *length;
    int failed;
} Search;

static int suit(int card) { return card >> 4; }
static int strength(int card) { return card & 15; }

static u64 random64(u64 *s) { /* splitmix64 */
    u64 z = (*s += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

static int grow(void **at, size_t *room, size_t wanted, size_t size) {
    size_t now = *room ? *room : 1024;
    void *more;
    if (wanted <= *room) return 1;
    while (now < wanted) now *= 2;
    more = realloc(*at, now * size);
    if (!more) return 0;
    *at = more;
    *room = now;
    return 1;
}

static int won(const State *s) {
    int i;
    for (i = 0; i < PILES; i++)
        if (s->n[i] != 1 || strength(s->c[i][0]) != ACE) return 0;
    return 1;
}

static int removable(const State *s, int pile) {
    int j, x = s->c[pile][s->n[pile] - 1];
    for (j = 0; j < PILES; j++)
        if (j != pile && s->n[j]) {
            int y = s->c[j][s->n[j] - 1];
            if (suit(y) == suit(x) && y > x) return 1;
        }
    return 0;
}

/* Lower is better: low cards above aces, and cards over higher ones of their suit, are in the way. */
static float score(const State *s) {
    float v = 0;
    int i, j;
    for (i = 0; i < PILES; i++) {
        int highest[PILES] = {-1, -1, -1, -1};
        for (j = 0; j < s->n[i]; j++) {
            int x = s->c[i][j], of = suit(x);
            if (strength(x) == ACE) v += 2.0f * (float)j;
            v += highest[of] > x ? 2.0f : 1.0f;
            if (highest[of] < x) highest[of] = x;
        }
        if (!s->n[i]) v -= 1.0f;
    }
    return v;
}

/* prints[i][d]: the d top cards of pile i; d = height + 1 says besides that nothing lies below. */
static void prefixes(const Search *q, const State *s, Print prints[PILES][HIGHEST + 2]) {
    int i, d;
    for (i = 0; i < PILES; i++) {
        Print sum = {0, 0};
        prints[i][0] = sum;
        for (d = 1; d <= s->n[i] + 1; d++) {
            int card = d <= s->n[i] ? s->c[i][s->n[i] - d] : BOTTOM;
            sum.a ^= q->zobrist[i][d - 1][card].a;
            sum.b ^= q->zobrist[i][d - 1][card].b;
            prints[i][d] = sum;
        }
    }
}

static Print fingerprint(Print prints[PILES][HIGHEST + 2], const Depth *depth, int row) {
    Print sum = {(u64)(row + 1) * 0xD6E8FEB86659FD93ull, 0};
    int i;
    for (i = 0; i < PILES; i++) {
        sum.a ^= prints[i][depth->d[i]].a;
        sum.b ^= prints[i][depth->d[i]].b + (u64)depth->d[i] * (0x9E3779B97F4A7C15ull << i);
    }
    if (!(sum.a | sum.b)) sum.a = 1; /* nothing is an empty place */
    return sum;
}

/* The same of one pile alone. */
static Print part(Print prints[PILES][HIGHEST + 2], int pile, int depth, int row) {
    Print p = prints[pile][depth];
    p.a ^= (u64)(row * 256 + pile * 64 + depth + 1) * 0xD6E8FEB86659FD93ull;
    if (!(p.a | p.b)) p.a = 1;
    return p;
}

static int known(const Set *set, Print p) {
    size_t at = (size_t)p.a & set->mask;
    while (set->at[at].a | set->at[at].b) {
        if (set->at[at].a == p.a && set->at[at].b == p.b) return 1;
        at = (at + 1) & set->mask;
    }
    return 0;
}

static int remember(Set *set, Print p) {
    size_t at, i;
    if (2 * (set->used + 1) > set->mask) {
        size_t mask = set->mask * 2 + 1;
        Print *more = calloc(mask + 1, sizeof *more);
        if (!more) return 0;
        for (i = 0; i <= set->mask; i++)
            if (set->at[i].a | set->at[i].b) {
                at = (size_t)set->at[i].a & mask;
                while (more[at].a | more[at].b) at = (at + 1) & mask;
                more[at] = set->at[i];
            }
        free(set->at);
        set->at = more;
        set->mask = mask;
    }
    at = (size_t)p.a & set->mask;
    while (set->at[at].a | set->at[at].b) {
        if (set->at[at].a == p.a && set->at[at].b == p.b) return 1;
        at = (at + 1) & set->mask;
    }
    set->at[at] = p;
    set->used++;
    return 1;
}

/* Whether something learnt says that the state can't be won; then `depth` is how much of it mattered. */
static int refuted(Search *q, const State *s, int row, Depth *depth) {
    Print prints[PILES][HIGHEST + 2];
    Learnt *learnt = &q->learnt[row];
    uint32_t match[PILES]; /* by pile: bit d is set if some lesson agrees with its d top cards */
    int i, d;
    if (!learnt->count) return 0;
    prefixes(q, s, prints);
    for (i = 0; i < PILES; i++) {
        match[i] = 0;
        for (d = 0; d <= s->n[i] + 1; d++)
            if (known(&q->parts, part(prints, i, d, row))) match[i] |= 1u << d;
        if (!match[i]) return 0;
    }
    for (i = 0; i < learnt->count; i++) {
        const u8 *deep = learnt->depths[i].d;
        if (!(match[0] >> deep[0] & match[1] >> deep[1] & match[2] >> deep[2] & match[3] >> deep[3] & 1)) continue;
        if (known(&q->lessons, fingerprint(prints, &learnt->depths[i], row))) {
            *depth = learnt->depths[i];
            learnt->hits[i]++;
            /* What helps often is tried early. */
            while (i && learnt->hits[i] > learnt->hits[i - 1]) {
                Depth d = learnt->depths[i];
                uint32_t h = learnt->hits[i];
                learnt->depths[i] = learnt->depths[i - 1];
                learnt->hits[i] = learnt->hits[i - 1];
                learnt->depths[i - 1] = d;
                learnt->hits[i - 1] = h;
                i--;
            }
            return 1;
        }
    }
    return 0;
}

static int learn(Search *q, const State *s, int row, Depth depth) {
    Print prints[PILES][HIGHEST + 2];
    Learnt *learnt = &q->learnt[row];
    int i;
    for (i = 0; i < learnt->count; i++)
        if (!memcmp(&learnt->depths[i], &depth, sizeof depth)) break;
    if (i == learnt->count) {
        if (learnt->count == learnt->room) {
            int room = learnt->room ? 2 * learnt->room : 32;
            Depth *depths = realloc(learnt->depths, (size_t)room * sizeof *depths);
            uint32_t *hits;
            if (!depths) return 0;
            learnt->depths = depths;
            hits = realloc(learnt->hits, (size_t)room * sizeof *hits);
            if (!hits) return 0;
            learnt->hits = hits;
            learnt->room = room;
        }
        learnt->depths[i] = depth;
        learnt->hits[i] = 0;
        learnt->count++;
    }
    prefixes(q, s, prints);
    for (i = 0; i < PILES; i++)
        if (!remember(&q->parts, part(prints, i, depth.d[i], row))) return 0;
    return remember(&q->lessons, fingerprint(prints, &depth, row));
}

static void pop(Entry *e, int pile) {
    e->s.c[pile][--e->s.n[pile]] = 0;
    if (e->own[pile]) {
        e->popped[pile]++;
        if (!e->s.n[pile]) e->own[pile] = 0;
    }
}

static u64 digest(const State *s) {
    u64 h = 0, word;
    size_t i;
    for (i = 0; i < sizeof s->c; i += sizeof word) {
        memcpy(&word, (const u8 *)s->c + i, sizeof word);
        h = (h ^ word) * 0x9E3779B97F4A7C15ull;
        h ^= h >> 32;
    }
    return h;
}

static int same(const State *a, const State *b) { return !memcmp(a->c, b->c, sizeof a->c); }

static int act(Search *q, u8 action) {
    if (!grow((void **)&q->acts, &q->act_room, q->act_count + 1, 1)) return 0;
    q->acts[q->act_count++] = action;
    return 1;
}

/* Adds the entry to the closure that begins at `first`, unless its state is there, after the removals that can't matter.
 * Its first actions are already in `acts` from `e.from` on. */
static int add(Search *q, Entry e, size_t first, size_t *slots, int row) {
    int i, j, changed = 1;
    size_t at;
    while (changed) {
        u64 left = q->later[row];
        changed = 0;
        for (i = 0; i < PILES; i++)
            for (j = 0; j < e.s.n[i]; j++) left |= 1ull << e.s.c[i][j];
        for (i = 0; i < PILES; i++)
            while (e.s.n[i] && removable(&e.s, i)) {
                int x = e.s.c[i][e.s.n[i] - 1];
                if (row && !q->hasty && (left & q->below[x])) break;
                pop(&e, i);
                left &= ~(1ull << x);
                if (!act(q, (u8)(0x10 | i))) return 0;
                changed = 1;
            }
    }
    e.count = (u8)(q->act_count - e.from);
    /* The closure's own little hash table: it grows with it. */
    if (2 * (q->entry_count - first + 1) > *slots) {
        size_t k, room = *slots ? *slots * 4 : 64;
        if (!grow((void **)&q->slots, &q->slot_room, room, sizeof *q->slots)) return 0;
        *slots = room;
        memset(q->slots, 0xFF, room * sizeof *q->slots);
        for (k = first; k < q->entry_count; k++) {
            at = (size_t)digest(&q->entries[k].s) & (room - 1);
            while (q->slots[at] >= 0) at = (at + 1) & (room - 1);
            q->slots[at] = (int32_t)k;
        }
    }
    at = (size_t)digest(&e.s) & (*slots - 1);
    while (q->slots[at] >= 0) {
        if (same(&q->entries[q->slots[at]].s, &e.s)) {
            q->act_count = e.from;
            return 1;
        }
        at = (at + 1) & (*slots - 1);
    }
    if (!grow((void **)&q->entries, &q->entry_room, q->entry_count + 1, sizeof *q->entries)) return 0;
    q->slots[at] = (int32_t)q->entry_count;
    q->entries[q->entry_count++] = e;
    return 1;
}

/* The actions to entry `at` go in front of the line. */
static void tell(Search *q, int32_t at) {
    for (; at >= 0; at = q->entries[at].parent) {
        const Entry *e = &q->entries[at];
        memmove(q->line + e->count, q->line, (size_t)*q->length);
        memcpy(q->line, q->acts + e->from, e->count);
        *q->length += e->count;
    }
}

static int by_score(const void *a, const void *b) {
    const float *x = a, *y = b;
    if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
    return x[1] < y[1] ? -1 : x[1] > y[1];
}

static u8 deeper(u8 a, int b) { return b > a ? (u8)b : a; }

/* LOST with `reach`, how much of the state mattered; WON with the line. `row`: how many rows are still to be dealt. */
static int solve(Search *q, const State *s, int row, Depth *reach) {
    Depth need = {{1, 1, 1, 1}};
    size_t first = q->entry_count, first_act = q->act_count, slots = 0, h, count;
    int i, j, g, outcome = LOST;
    Entry e;
    float *order = NULL;
    if (refuted(q, s, row, reach)) return LOST;
    memset(&e, 0, sizeof e);
    e.s = *s;
    e.parent = -1;
    e.from = (uint32_t)q->act_count;
    for (i = 0; i < PILES; i++) e.own[i] = s->n[i] > 0;
    if (!add(q, e, first, &slots, row)) goto memory;
    for (h = first; h < q->entry_count; h++) {
        Entry now = q->entries[h];
        if (++q->looked > q->limit) return UNDECIDED;
        if (!row && won(&now.s)) {
            tell(q, (int32_t)h);
            return WON;
        }
        for (i = 0; i < PILES; i++) need.d[i] = deeper(need.d[i], now.own[i] ? now.popped[i] + 1 : s->n[i] + 1);
        if (!row) { /* four aces on top, and something below one of them */
            int aces = 1;
            for (i = 0; i < PILES; i++) aces &= now.s.n[i] && strength(now.s.c[i][now.s.n[i] - 1]) == ACE;
            for (i = 0; aces && i < PILES; i++)
                if (now.own[i]) need.d[i] = deeper(need.d[i], now.popped[i] + 2);
        }
        for (i = 0; i < PILES; i++) {
            u8 x;
            if (!now.s.n[i]) continue;
            x = now.s.c[i][now.s.n[i] - 1];
            for (g = -1; g < PILES; g++) {
                if (g < 0 ? !row || !removable(&now.s, i) : now.s.n[g] != 0) continue;
                e = now;
                pop(&e, i);
                if (g >= 0) {
                    e.s.c[g][0] = x;
                    e.s.n[g] = 1;
                    e.own[g] = 0;
                }
                e.parent = (int32_t)h;
                e.from = (uint32_t)q->act_count;
                if (!act(q, (u8)(g < 0 ? 0x10 | i : 0x20 | i << 2 | g))) goto memory;
                if (!add(q, e, first, &slots, row)) goto memory;
            }
        }
    }
    count = q->entry_count - first;
    if (row) {
        order = malloc(count * 2 * sizeof *order);
        if (!order) goto memory;
        for (h = 0; h < count; h++) {
            order[2 * h] = score(&q->entries[first + h].s);
            order[2 * h + 1] = (float)h;
        }
        qsort(order, count, 2 * sizeof *order, by_score);
        for (h = 0; h < count && outcome == LOST; h++) {
            size_t at = first + (size_t)order[2 * h + 1];
            State next = q->entries[at].s;
            Depth mattered = {{0, 0, 0, 0}};
            for (i = 0; i < PILES; i++) next.c[i][next.n[i]++] = q->stock[(size_t)(-row * PILES + i)];
            outcome = solve(q, &next, row - 1, &mattered);
            if (outcome == WON) {
                memmove(q->line + 1, q->line, (size_t)*q->length);
                q->line[0] = 0x01;
                ++*q->length;
                tell(q, (int32_t)at);
            } else if (outcome == LOST) {
                const Entry *from = &q->entries[at];
                for (i = 0; i < PILES; i++) {
                    j = mattered.d[i] - 1; /* without the card that was dealt */
                    if (j > 0 && from->own[i]) {
                        int depth = from->popped[i] + j;
                        need.d[i] = deeper(need.d[i], depth < s->n[i] + 1 ? depth : s->n[i] + 1);
                    }
                }
            }
        }
        free(order);
        if (outcome != LOST) return outcome;
    }
    q->entry_count = first;
    q->act_count = first_act;
    for (i = 0; i < PILES; i++)
        if (need.d[i] > s->n[i] + 1) need.d[i] = (u8)(s->n[i] + 1);
    *reach = need;
    if (learn(q, s, row, need)) return LOST;
memory:
    return NO_MEMORY;
}

/* piles: heights[0] cards of pile 0, bottom first, then those of pile 1, ...; cards are suit * 16 + strength (2 to 14, the
 * ace). stock: the next card first, a multiple of four. Looks at no more than `limit` states. If WON, the first *length
 * bytes of line (room for 255) are the actions: 0x01 a row, 0x10 | pile a removal, 0x20 | pile << 2 | gap a move.
 */
int aces_up_solve(const u8 *piles, const u8 *heights, const u8 *stock, int stock_count, int hasty, u64 limit, u64 *looked,
                  u8 *line, int *length) {
    Search *q = calloc(1, sizeof *q);
    State s;
    Depth reach;
    u64 seed = 20240229;
    int i, k, r, x, rows = stock_count / PILES, outcome = NO_MEMORY;
    size_t at = 0;
    if (!q) return NO_MEMORY;
    q->lessons.mask = q->parts.mask = 4095;
    q->lessons.at = calloc(4096, sizeof *q->lessons.at);
    q->parts.at = calloc(4096, sizeof *q->parts.at);
    for (i = 0; i < PILES; i++)
        for (k = 0; k <= HIGHEST; k++)
            for (x = 0; x < CODES; x++) {
                q->zobrist[i][k][x].a = random64(&seed);
                q->zobrist[i][k][x].b = random64(&seed);
            }
    for (x = 0; x < CODES; x++) q->below[x] = (0xFFFFull << (x & ~15)) & ((1ull << x) - 1);
    for (r = 1; r <= rows; r++) {
        q->later[r] = q->later[r - 1];
        for (i = 0; i < PILES; i++) q->later[r] |= 1ull << stock[stock_count - r * PILES + i];
    }
    memset(&s, 0, sizeof s);
    for (i = 0; i < PILES; i++) {
        s.n[i] = heights[i];
        for (k = 0; k < heights[i]; k++) s.c[i][k] = piles[at++];
    }
    q->stock = stock + stock_count; /* counted from the end: row r before it begins at -4 r */
    q->limit = limit;
    q->hasty = hasty;
    q->line = line;
    q->length = length;
    *length = 0;
    if (q->lessons.at && q->parts.at) outcome = solve(q, &s, rows, &reach);
    *looked = q->looked;
    for (r = 0; r < ROWS; r++) {
        free(q->learnt[r].depths);
        free(q->learnt[r].hits);
    }
    free(q->lessons.at);
    free(q->parts.at);
    free(q->entries);
    free(q->acts);
    free(q->slots);
    free(q);
    return outcome;
}
