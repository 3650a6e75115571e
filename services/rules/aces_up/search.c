/* Whether a game of Aces Up can be won, and how: exact, in memory that is bounded by the limit of positions.
 *
 * The twin of search.py and lessons.py, which say how the search works and why it is right. Both go the same way through
 * the same positions, and the tests hold them to that.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1024 }; /* actions of a line: 48 removals, 12 rows, at most 52 fills, and moves of singles for each */
enum { PILES = 4, HIGHEST = 16, ACE = 14, CARDS = 64, ROWS = 14, BOTTOM = 0, LEVELS = HIGHEST + 2, ORDERS = 24 };
enum { LOST = 0, WON = 1, UNDECIDED = -1, NO_MEMORY = -2, HOPELESS = 2 };

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

/* c[i][0] is the bottom of pile i; cards are suit * 16 + strength. */
typedef struct { u8 c[PILES][HIGHEST], n[PILES]; } State;

/* Why a state can't be won, as `Why` in lessons.py. Of each suit only the lowest card that was missed matters: 4 bits for
 * each suit, 15 if none was. */
typedef struct { u16 missed[PILES][LEVELS], in_gaps; u8 depth[PILES], levels[PILES]; } Why;

/* A tree: an odd number is a lesson (where it lies in `lessons`, twice), an even one a question (twice its number). */
typedef u32 Tree;
typedef struct { Tree any; u8 pile, at; } Question;
typedef struct { u64 key; Tree tree; } Branch; /* key: question and card, plus 1; 0 is an empty place */
typedef struct { u64 kept; u32 dealt; Tree tree; } Root;

typedef struct {
    const u8 *stock;
    int rows, hasty;
    u64 looked, limit;
    Question *questions;
    u64 question_count, question_room;
    u8 *lessons;
    u64 lesson_bytes, lesson_room;
    Branch *branches;
    u64 branch_mask, branch_count;
    Root *roots;
    u64 root_mask, root_count;
    u8 hopeless[ROWS + 2];
    u8 *line;
    int length;
} Search;

static const u16 NONE = 0xFFFF;

static int suit(int card) { return card >> 4; }
static int strength(int card) { return card & 15; }
static int top(const State *s, int i) { return s->n[i] ? s->c[i][s->n[i] - 1] : BOTTOM; }

/* The card that lies `at` below the top; the mark of the bottom below them all; -1 further down. */
static int below(const State *s, int i, int at) {
    return at < s->n[i] ? s->c[i][s->n[i] - 1 - at] : at == s->n[i] ? BOTTOM : -1;
}

static void push(State *s, int i, int card) { s->c[i][s->n[i]++] = (u8)card; }
static void pop(State *s, int i) { s->c[i][--s->n[i]] = 0; }

static void act(Search *q, int action) { q->line[--q->length] = (u8)action; }

static int grow(void **at, u64 *room, u64 wanted, size_t size) {
    u64 now = *room ? *room : 1024;
    void *more;
    if (wanted <= *room) return 1;
    while (now < wanted) now += now / 2;
    more = realloc(*at, now * size);
    if (!more) return 0;
    *at = more;
    *room = now;
    return 1;
}

static u16 lowest(u16 a, u16 b) {
    u16 low = 0;
    int i;
    for (i = 0; i < 16; i += 4) {
        u16 x = a >> i & 15, y = b >> i & 15;
        low |= (u16)((x < y ? x : y) << i);
    }
    return low;
}

static u16 only(int card) { return (u16)(NONE & ~((15 - strength(card)) << 4 * suit(card))); }

/* --- lessons --- */

static u64 scattered(u64 key) { return (key * 0x9E3779B97F4A7C15ull) >> 20; }

static Branch *branch(Branch *in, u64 mask, u64 key) {
    u64 at = scattered(key) & mask;
    while (in[at].key && in[at].key != key) at = (at + 1) & mask;
    return &in[at];
}

static u64 branch_key(Tree question, int card) { return ((u64)question << 8 | (u64)card) + 1; }

static Tree hanging(const Search *q, Tree question, int card) {
    return branch(q->branches, q->branch_mask, branch_key(question, card))->tree;
}

static int hang(Search *q, Tree question, int card, Tree tree) {
    u64 i, key = branch_key(question, card);
    Branch *place;
    if (2 * (q->branch_count + 1) > q->branch_mask) {
        u64 mask = 2 * q->branch_mask + 1;
        Branch *more = calloc(mask + 1, sizeof *more);
        if (!more) return 0;
        for (i = 0; i <= q->branch_mask; i++)
            if (q->branches[i].key) *branch(more, mask, q->branches[i].key) = q->branches[i];
        free(q->branches);
        q->branches = more;
        q->branch_mask = mask;
    }
    place = branch(q->branches, q->branch_mask, key);
    if (!place->key) q->branch_count++;
    place->key = key;
    place->tree = tree;
    return 1;
}

static Root *root(Root *in, u64 mask, u64 kept, u32 dealt) {
    u64 at = scattered(kept * ROWS + dealt + 1) & mask;
    while (in[at].tree && (in[at].kept != kept || in[at].dealt != dealt)) at = (at + 1) & mask;
    return &in[at];
}

/* The lessons of this point of the game; to put some there, room is made. */
static Root *lessons_of(Search *q, u64 kept, int dealt, int make) {
    u64 i;
    if (make && 2 * (q->root_count + 1) > q->root_mask) {
        u64 mask = 2 * q->root_mask + 1;
        Root *more = calloc(mask + 1, sizeof *more);
        if (!more) return NULL;
        for (i = 0; i <= q->root_mask; i++)
            if (q->roots[i].tree) *root(more, mask, q->roots[i].kept, q->roots[i].dealt) = q->roots[i];
        free(q->roots);
        q->roots = more;
        q->root_mask = mask;
    }
    return root(q->roots, q->root_mask, kept, (u32)dealt);
}

/* A lesson's bytes: depth, levels, in_gaps, what was missed, the upper cards of each pile from the top. */
enum { HEAD = 2 * PILES + 2 };

static const u8 *upper_cards(const u8 *lesson) {
    return lesson + HEAD + 2 * (lesson[PILES] + lesson[PILES + 1] + lesson[PILES + 2] + lesson[PILES + 3]);
}

static int agrees(const u8 *lesson, const State *s) {
    const u8 *upper = upper_cards(lesson);
    int i, k;
    for (i = 0; i < PILES; i++)
        for (k = 0; k < lesson[i]; k++)
            if (below(s, i, k) != *upper++) return 0;
    return 1;
}

static void read_lesson(const u8 *lesson, Why *why) {
    const u8 *at = lesson + 2 * PILES;
    int i;
    memcpy(why->depth, lesson, PILES);
    memcpy(why->levels, lesson + PILES, PILES);
    memcpy(&why->in_gaps, at, 2);
    at += 2;
    for (i = 0; i < PILES; i++) {
        memcpy(why->missed[i], at, 2 * (size_t)why->levels[i]);
        at += 2 * why->levels[i];
    }
}

/* Where the lesson was put, or 0 if there is no room. */
static Tree write_lesson(Search *q, const State *s, const Why *why) {
    u64 start = q->lesson_bytes, bytes = HEAD;
    u8 *at;
    int i, k;
    for (i = 0; i < PILES; i++) bytes += 2 * (u64)why->levels[i] + why->depth[i];
    if (start + bytes > 0x7FFFFFFF || !grow((void **)&q->lessons, &q->lesson_room, start + bytes, 1)) return 0;
    at = q->lessons + start;
    memcpy(at, why->depth, PILES);
    memcpy(at + PILES, why->levels, PILES);
    memcpy(at + 2 * PILES, &why->in_gaps, 2);
    at += HEAD;
    for (i = 0; i < PILES; i++) {
        memcpy(at, why->missed[i], 2 * (size_t)why->levels[i]);
        at += 2 * why->levels[i];
    }
    for (i = 0; i < PILES; i++)
        for (k = 0; k < why->depth[i]; k++) *at++ = (u8)below(s, i, k);
    q->lesson_bytes += bytes;
    return (Tree)(start << 1 | 1);
}

static int recalled(const Search *q, const State *s, Tree tree, Why *why) {
    Tree waiting[PILES * LEVELS + 2];
    int count = 0;
    waiting[count++] = tree;
    while (count) {
        tree = waiting[--count];
        if (tree & 1) {
            const u8 *lesson = q->lessons + (tree >> 1);
            if (agrees(lesson, s)) {
                read_lesson(lesson, why);
                return 1;
            }
        } else {
            const Question *asked = &q->questions[tree >> 1];
            int card = below(s, asked->pile, asked->at);
            Tree further = card < 0 ? 0 : hanging(q, tree, card);
            if (asked->any) waiting[count++] = asked->any;
            if (further) waiting[count++] = further;
        }
    }
    return 0;
}

/* A question that tells an old lesson from the new one of `s`, or 0 if there is no room. */
static Tree told_apart(Search *q, Tree old, Tree new, const State *s, const Why *why) {
    const u8 *lesson = q->lessons + (old >> 1), *upper = upper_cards(lesson);
    Tree asked;
    int i, k = 0, there = 0;
    for (i = 0; i < PILES; i++) {
        for (k = 0; k < lesson[i]; k++) {
            there = *upper++;
            if (k >= why->depth[i] || below(s, i, k) != there) goto found;
        }
    }
    return 0; /* not reached: the lesson would have been known */
found:
    if (!grow((void **)&q->questions, &q->question_room, q->question_count + 1, sizeof *q->questions)) return 0;
    asked = (Tree)(q->question_count++ << 1);
    q->questions[asked >> 1] = (Question){k >= why->depth[i] ? new : 0, (u8)i, (u8)k};
    if (!hang(q, asked, there, old)) return 0;
    return k >= why->depth[i] || hang(q, asked, below(s, i, k), new) ? asked : 0;
}

static int learn(Search *q, const State *s, u64 kept, int dealt, const Why *why) {
    Root *start = lessons_of(q, kept, dealt, 1);
    Tree tree, further, lesson = write_lesson(q, s, why);
    if (!start || !lesson) return 0;
    if (!start->tree) {
        *start = (Root){kept, (u32)dealt, lesson};
        q->root_count++;
        return 1;
    }
    if (start->tree & 1) return (start->tree = told_apart(q, start->tree, lesson, s, why)) != 0;
    for (tree = start->tree;; tree = further) {
        Question *asked = &q->questions[tree >> 1];
        int card = asked->at < why->depth[asked->pile] ? below(s, asked->pile, asked->at) : -1;
        further = card < 0 ? asked->any : hanging(q, tree, card);
        if (further && !(further & 1)) continue;
        if (further) lesson = told_apart(q, further, lesson, s, why);
        if (!lesson) return 0;
        if (card >= 0) return hang(q, tree, card, lesson);
        q->questions[tree >> 1].any = lesson;
        return 1;
    }
}

/* --- what was gathered of a failure --- */

static void deepen(Why *f, int i, int depth) {
    if (depth > f->depth[i]) f->depth[i] = (u8)depth;
}

/* Adds why a state can't be won that this one leads to; `gone`: 1 without this pile's top, -1 with a card of a row. */
static void take(Why *f, const Why *why, int i, int gone) {
    int k;
    deepen(f, i, why->depth[i] + gone);
    for (k = gone < 0 ? 1 : 0; k < why->levels[i]; k++) {
        if (k + gone < f->levels[i])
            f->missed[i][k + gone] = lowest(f->missed[i][k + gone], why->missed[i][k]);
        else {
            f->missed[i][k + gone] = why->missed[i][k];
            f->levels[i] = (u8)(k + gone + 1);
        }
    }
}

/* --- orders of single cards --- */

typedef struct { int count, spots[PILES], now[PILES]; } Singles;

static Singles singles(const State *s) {
    Singles free = {0, {0}, {0}};
    int i;
    for (i = 0; i < PILES; i++)
        if (s->n[i] <= 1) {
            free.spots[free.count] = i;
            free.now[free.count++] = top(s, i);
        }
    return free;
}

/* All different orders of the cards, as Python's itertools gives them; how many there are. */
static int orders(const int *cards, int count, int into[ORDERS][PILES]) {
    int at[PILES] = {0}, found = 0, level = 0, i, k;
    while (level >= 0) {
        if (level == count) {
            int order[PILES] = {0};
            for (i = 0; i < count; i++) order[i] = cards[at[i]];
            for (k = 0; k < found && memcmp(into[k], order, sizeof order); k++) {}
            if (k == found) memcpy(into[found++], order, sizeof order);
            if (--level < 0) break;
            at[level]++;
            continue;
        }
        for (;;) {
            for (i = 0; i < level && at[i] != at[level]; i++) {}
            if (at[level] >= count || i == level) break;
            at[level]++;
        }
        if (at[level] >= count) {
            at[level] = 0;
            if (--level >= 0) at[level]++;
        } else if (++level < count)
            at[level] = 0;
    }
    return found;
}

/* The moves that bring single cards from one order into another over a gap, written in front of the line. */
static void tell_moves(Search *q, const Singles *free, const int *then) {
    int now[PILES], moves[2 * PILES], count = 0, gap, from, k;
    memcpy(now, free->now, sizeof now);
    for (;;) {
        for (k = 0; k < free->count && now[k] == then[k]; k++) {}
        if (k == free->count) break;
        for (gap = 0; gap < free->count && !(then[gap] && !now[gap]); gap++) {}
        if (gap < free->count)
            for (from = 0; now[from] != then[gap]; from++) {}
        else {
            for (gap = 0; now[gap]; gap++) {}
            for (from = 0; !now[from] || now[from] == then[from]; from++) {}
        }
        moves[count++] = 0x20 | free->spots[from] << 2 | free->spots[gap];
        now[gap] = now[from];
        now[from] = BOTTOM;
    }
    while (count) act(q, moves[--count]);
}

/* --- the search --- */

static int refuted(Search *q, const State *s, u64 kept, int dealt, Why *why);

/* A top goes; it is kept if that may help. */
static int removal(Search *q, const State *s, u64 kept, int dealt, int pile, Why *f) {
    State after = *s;
    Why why;
    int i, outcome, card = top(s, pile), missed;
    pop(&after, pile);
    outcome = refuted(q, &after, kept, dealt, &why);
    if (outcome == WON) act(q, 0x10 | pile);
    if (outcome != LOST) return outcome;
    f->in_gaps = lowest(f->in_gaps, why.in_gaps);
    for (i = 0; i < PILES; i++) take(f, &why, i, i == pile);
    missed = why.levels[pile] ? lowest(why.in_gaps, why.missed[pile][0]) : why.in_gaps;
    if (q->hasty || (missed >> 4 * suit(card) & 15) >= strength(card)) return LOST;
    outcome = refuted(q, s, kept | 1ull << card, dealt, &why);
    if (outcome != LOST) return outcome;
    f->in_gaps = lowest(f->in_gaps, why.in_gaps);
    for (i = 0; i < PILES; i++) take(f, &why, i, 0);
    return LOST;
}

/* One top with cards under it in a gap. */
static int fill(Search *q, const State *s, u64 kept, int dealt, int source, const Singles *free, Why *f) {
    int order[ORDERS][PILES], cards[PILES], count = 0, gaps = 0, gap = -1, o, found, i, k, outcome;
    int card = top(s, source), arrange;
    for (k = 0; k < free->count; k++) {
        if (free->now[k])
            cards[count++] = free->now[k];
        else if (++gaps == 1)
            gap = k;
    }
    arrange = gaps == 1 && dealt < q->rows;
    cards[count++] = card;
    found = arrange ? orders(cards, count, order) : 1;
    for (o = 0; o < found; o++) {
        State after = *s;
        Why why;
        int then[PILES] = {0}, place = gap;
        if (arrange)
            memcpy(then, order[o], sizeof then);
        else {
            memcpy(then, free->now, sizeof then);
            then[gap] = card;
        }
        pop(&after, source);
        for (k = 0; k < free->count; k++) {
            i = free->spots[k];
            after.n[i] = then[k] != BOTTOM;
            after.c[i][0] = (u8)then[k];
            if (then[k] == card) place = k;
        }
        outcome = refuted(q, &after, kept, dealt, &why);
        if (outcome == WON) {
            act(q, 0x20 | source << 2 | free->spots[place]);
            then[place] = BOTTOM;
            tell_moves(q, free, then);
        }
        if (outcome != LOST) return outcome;
        f->in_gaps = lowest(f->in_gaps, why.in_gaps);
        for (i = k = 0; i < PILES; i++) {
            int same = 1;
            if (k < free->count && free->spots[k] == i) {
                same = free->now[k] == after.c[i][0];
                k++;
            }
            if (same) take(f, &why, i, i == source);
        }
    }
    return LOST;
}

/* Moves into gaps: aces first, then tops that uncover a card of a suit in sight. */
static int fills(Search *q, const State *s, u64 kept, int dealt, const Singles *free, Why *f) {
    int rank, i, j, outcome;
    for (rank = 0; rank < 4; rank++)
        for (i = 0; i < PILES; i++) {
            int in_sight = 0;
            if (s->n[i] <= 1) continue;
            for (j = 0; j < PILES; j++) in_sight |= top(s, j) >> 4 == below(s, i, 1) >> 4;
            if (rank != 2 * (strength(top(s, i)) != ACE) + !in_sight) continue;
            outcome = fill(q, s, kept, dealt, i, free, f);
            if (outcome != LOST) return outcome;
        }
    return LOST;
}

/* The next row, on the piles as they are and, if there is a gap, on single cards in every order. */
static int row(Search *q, const State *s, int dealt, const Singles *free, Why *f) {
    int order[ORDERS][PILES] = {{0}}, found = 1, o, i, k, outcome;
    if (free->count) found = orders(free->now, free->count, order);
    for (o = 0; o < found; o++) {
        State after = *s;
        Why why;
        for (k = 0; k < free->count; k++) {
            i = free->spots[k];
            after.n[i] = order[o][k] != BOTTOM;
            after.c[i][0] = (u8)order[o][k];
        }
        for (i = 0; i < PILES; i++) push(&after, i, q->stock[dealt * PILES + i]);
        outcome = refuted(q, &after, 0, dealt + 1, &why);
        if (outcome == WON) {
            act(q, 0x01);
            tell_moves(q, free, order[o]);
        }
        if (outcome != LOST) return outcome;
        if (why.depth[0] <= 1 && why.depth[1] <= 1 && why.depth[2] <= 1 && why.depth[3] <= 1) {
            q->hopeless[dealt + 1] = 1;
            return HOPELESS;
        }
        f->in_gaps = lowest(f->in_gaps, why.in_gaps);
        for (i = k = 0; i < PILES; i++) {
            int same = 1;
            if (k < free->count && free->spots[k] == i) {
                same = free->now[k] == order[o][k];
                k++;
            }
            if (same) take(f, &why, i, -1);
        }
    }
    return LOST;
}

static int onward(Search *q, const State *s, u64 kept, int dealt, Why *f) {
    Singles free = {0, {0}, {0}};
    int i, gap = 0, aces = 1, outcome;
    for (i = 0; i < PILES; i++) {
        gap |= !s->n[i];
        aces &= strength(top(s, i)) == ACE;
    }
    if (dealt == q->rows && aces) {
        for (i = 0; i < PILES && s->n[i] == 1; i++) {}
        if (i == PILES) return WON;
        deepen(f, i, 2);
    }
    if (gap) {
        free = singles(s);
        for (i = 0; i < PILES; i++) deepen(f, i, s->n[i] ? 2 : 1);
        outcome = fills(q, s, kept, dealt, &free, f);
        if (outcome != LOST) return outcome;
    }
    return dealt == q->rows ? LOST : row(q, s, dealt, &free, f);
}

/* LOST with why, HOPELESS if nothing of the state matters, or WON with the line. */
static int refuted(Search *q, const State *s, u64 kept, int dealt, Why *why) {
    Why f;
    Root *start;
    u16 missed = NONE;
    int i, j, k, pending = -1, gap = 0, outcome, removable[PILES] = {0};
    if (dealt < q->rows && q->hopeless[dealt + 1]) return HOPELESS;
    start = lessons_of(q, kept, dealt, 0);
    if (start->tree && recalled(q, s, start->tree, why)) return LOST;
    if (++q->looked > q->limit) return UNDECIDED;
    for (i = PILES - 1; i >= 0; i--) {
        int card = top(s, i);
        if (!card) {
            gap = 1;
            continue;
        }
        for (j = 0; j < PILES; j++) removable[i] |= top(s, j) > card && suit(top(s, j)) == suit(card);
        if (!removable[i]) {
            if (strength(card) != ACE) missed = lowest(missed, only(card));
        } else if (!(kept >> card & 1))
            pending = i;
    }
    f.in_gaps = gap ? missed : NONE;
    for (i = 0; i < PILES; i++) { /* a pile's own top is no top where another card lies on it */
        u16 others = NONE;
        for (j = 0; j < PILES; j++)
            if (j != i && s->n[j] && !removable[j] && strength(top(s, j)) != ACE) others = lowest(others, only(top(s, j)));
        f.missed[i][0] = others;
        f.depth[i] = f.levels[i] = 1;
    }
    outcome = pending >= 0 ? removal(q, s, kept, dealt, pending, &f) : onward(q, s, kept, dealt, &f);
    if (outcome != LOST) return outcome;
    for (i = 0; i < PILES; i++)
        for (k = f.levels[i] - 1; k > 0; k--) f.missed[i][k - 1] = lowest(f.missed[i][k - 1], f.missed[i][k]);
    *why = f;
    return learn(q, s, kept, dealt, why) ? LOST : NO_MEMORY;
}

static int searched(Search *q, const State *s, int hasty) {
    Why why;
    int outcome = NO_MEMORY;
    q->hasty = hasty;
    q->question_count = 1; /* the number 0 is nothing */
    q->branch_mask = 4095;
    q->root_mask = 255;
    q->branches = calloc(q->branch_mask + 1, sizeof *q->branches);
    q->roots = calloc(q->root_mask + 1, sizeof *q->roots);
    if (q->branches && q->roots && grow((void **)&q->questions, &q->question_room, 1, sizeof *q->questions))
        outcome = refuted(q, s, 0, 0, &why);
    free(q->questions);
    free(q->lessons);
    free(q->branches);
    free(q->roots);
    return outcome == HOPELESS ? LOST : outcome;
}

/* piles: heights[0] cards of pile 0, bottom first, then those of pile 1, ...; cards are suit * 16 + strength (2 to 14, the
 * ace). stock: the next card first, a multiple of four. Looks at no more than `limit` positions. If WON, *length bytes from
 * line[0] (room for 1,024) on are the actions: 0x01 a row, 0x10 | pile a removal, 0x20 | pile << 2 | gap a move.
 */
int aces_up_solve(const u8 *piles, const u8 *heights, const u8 *stock, int stock_count, int hasty, u64 limit, u64 *looked,
                  u8 *line, int *length) {
    State s;
    Search q;
    int i, k, try, outcome = LOST;
    u64 before = 0;
    memset(&s, 0, sizeof s);
    for (i = 0; i < PILES; i++)
        for (k = 0; k < heights[i]; k++) push(&s, i, *piles++);
    for (try = hasty ? 1 : 0; try < 2 && outcome == LOST; try++) { /* haste wins most of what can be won, and decides soon */
        memset(&q, 0, sizeof q);
        q.stock = stock;
        q.rows = stock_count / PILES;
        q.looked = before;
        q.limit = limit;
        q.line = line;
        q.length = LONGEST;
        outcome = searched(&q, &s, hasty || !try);
        before = q.looked;
    }
    *looked = before;
    *length = outcome == WON ? LONGEST - q.length : 0;
    memmove(line, line + q.length, (size_t)*length);
    return outcome;
}
