// Racing Demon as far as a scripted hand needs it: whether a card may go where it is played, and who is there already.
//
// One table is one object that is changed in place. Cards are texts of rank and suit ("TS"); of a pile the last is the top.
// Fields of plays and events have the names of docs/protocol.md.

const RANKS = "A23456789TJQK";
const COLUMNS = ["c0", "c1", "c2", "c3"];
const PACKET = 3;

/** A running hand; `layouts` are texts as "4C5D|KS|9H|TS|2C|3C4C5S|": demon, four columns, stock, waste. */
export function table(layouts, { seq, window }) {
  return { seq, window, seats: layouts.map(seat), foundations: [] };
}

/** Judges a play and, if it is allowed, makes it. Returns its verdict, and its event unless it was refused. */
export function judge(table, index, what, play, now) {
  const seat = table.seats[index];
  if (play.n !== seat.n + 1) return { verdict: { n: play.n, v: "out_of_order", last: seat.n } };
  seat.n = play.n;
  const made = MOVES[what](table, index, play, now);
  if (made.why) return { verdict: { n: play.n, v: "refused", why: made.why } };
  const seq = ++table.seq;
  const event = { seq, at: now, e: what, seat: index, n: play.n, seen: play.seen, arrived: now, ...made };
  if (what !== "play") return { verdict: { n: play.n, v: "applied", seq }, event };
  if (made.lost) return { verdict: { n: play.n, v: "returned", seq, why: made.lost }, event };
  return { verdict: { n: play.n, v: made.tie ? "tied" : "applied", seq, f: made.f }, event };
}

const MOVES = {
  play(table, index, play, now) {
    const pile = source(table.seats[index], play.from);
    if (!pile || pile.at(-1) !== play.card) return { why: "not_there" };
    const place = landing(table, index, play, now);
    if (place.why) return place;
    const { from, card, to } = play;
    if (place.lost) return { from, card, to, ...place };
    pile.pop();
    return { from, card, to, shows: shown(pile, from), ...place };
  },

  move(table, index, { from, card, to }) {
    const seat = table.seats[index];
    const pile = source(seat, from);
    const target = seat[to];
    if (!COLUMNS.includes(to) || from === to) return { why: "does_not_fit" };
    const at = pile ? pile.lastIndexOf(card) : -1;
    if (at < 0 || !inOrder(pile, at, from)) return { why: "not_there" };
    if (target.length && !builds(card, target.at(-1))) return { why: "does_not_fit" };
    const tail = pile.splice(at);
    target.push(...tail);
    return { from, card, to, count: tail.length, shows: shown(pile, from) };
  },

  turn(table, index, { stock }) {
    const seat = table.seats[index];
    if (!seat.stock.length) return { why: "stock_empty" };
    if (seat.stock.length !== stock) return { why: "stock_changed" };
    const packet = seat.stock.splice(-PACKET).reverse();
    seat.waste.push(...packet);
    return { count: packet.length, shows: seat.waste.at(-1) };
  },

  recycle(table, index) {
    const seat = table.seats[index];
    if (seat.stock.length) return { why: "stock_not_empty" };
    if (!seat.waste.length) return { why: "waste_empty" };
    seat.stock = seat.waste.reverse();
    seat.waste = [];
    return { count: seat.stock.length };
  },
};

/** Where a card lands: a free place, beside a card that its player could not have seen, or nowhere. */
function landing(table, index, { card, to, seen }, now) {
  const rank = rankOf(card);
  if (rank === 1) {
    if (to !== null) return { why: "no_place" };
    table.foundations.push({ suit: card[1], slots: [{ seq: table.seq + 1, at: now, seats: [index] }] });
    return { f: table.foundations.length - 1, rank, tie: false };
  }
  let reached = false;
  let shared = null;
  let lost = null;
  for (
    let f = to ?? 0;
    f < (to === null ? table.foundations.length : Math.min(to + 1, table.foundations.length));
    f++
  ) {
    const { suit, slots } = table.foundations[f];
    if (suit !== card[1] || slots.length < rank - 1) continue;
    reached = true;
    const below = slots[rank - 2];
    if (below.seq > seen && !below.seats.includes(index)) continue;
    if (slots.length === rank - 1) {
      slots.push({ seq: table.seq + 1, at: now, seats: [index] });
      return { f, rank, tie: false };
    }
    const slot = slots[rank - 1];
    if (seen < slot.seq && now <= slot.at + table.window) shared ??= { f, slot };
    else if (!lost || slot.seq > lost.slot.seq) lost = { f, slot };
  }
  if (shared) {
    shared.slot.seats.push(index);
    return { f: shared.f, rank, tie: true };
  }
  if (lost) return { f: lost.f, rank, lost: seen < lost.slot.seq ? "late" : "seen", first: lost.slot.seats };
  return { why: reached ? "unseen" : "no_place" };
}

function seat(layout) {
  const [demon, c0, c1, c2, c3, stock, waste] = layout.split("|").map((pile) => pile.match(/../g) ?? []);
  return { n: 0, demon, c0, c1, c2, c3, stock, waste };
}

function source(seat, from) {
  return from === "demon" || from === "waste" || COLUMNS.includes(from) ? seat[from] : null;
}

/** The card that became available where one was taken; columns are open anyway. */
function shown(pile, from) {
  return COLUMNS.includes(from) ? null : (pile.at(-1) ?? null);
}

/** Whether everything from that card on may move as one. */
function inOrder(pile, at, from) {
  if (!COLUMNS.includes(from)) return at === pile.length - 1;
  for (let i = at + 1; i < pile.length; i++) if (!builds(pile[i], pile[i - 1])) return false;
  return true;
}

/** Whether a card goes onto another in a column: one lower, of the other colour. */
function builds(card, onto) {
  return rankOf(card) + 1 === rankOf(onto) && isRed(card) !== isRed(onto);
}

function rankOf(card) {
  return RANKS.indexOf(card[0]) + 1;
}

function isRed(card) {
  return card[1] === "H" || card[1] === "D";
}
