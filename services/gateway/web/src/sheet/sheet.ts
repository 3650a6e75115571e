// A match as a paper sheet: a row for each hand, a column for each player or team (RD-12, RD-13). Pure.
import type { Ended } from "../generated/frames";
import type { HandSheet, Match, Table } from "../net/rest";

/** Who adds up in one column: a player, or partners. */
export interface Column {
  readonly seats: readonly number[];
  readonly names: readonly string[];
}

export interface Cell {
  readonly cards: number;
  readonly demon: number;
  readonly points: number;
  /** After this hand. */
  readonly total: number;
  readonly called: boolean;
  /** Whether nobody in the match had more after this hand. */
  readonly leads: boolean;
}

export interface Row {
  readonly hand: number;
  readonly why: string;
  /** Whether it is in the totals. */
  readonly counts: boolean;
  readonly playoff: boolean;
  readonly callers: readonly number[];
  readonly cells: readonly Cell[];
  readonly endedMs: number;
}

type Rules = Pick<Match, "options">;
const MOST_HANDS = 50;

/** The columns of a match, by its last hand: whoever came later has taken over a seat. */
export function columns(hands: readonly HandSheet[]): Column[] {
  const last = hands.at(-1);
  if (!last) return [];
  // What a bot is called first says nothing where there is little room.
  const name = (seat: number) => {
    const own = last.seats.find((each) => each.seat === seat);
    return own?.bot ? own.name.replace(/^Bot /, "") : (own?.name ?? "");
  };
  const groups = last.teams.length ? last.teams.map(({ seats }) => seats) : last.seats.map(({ seat }) => [seat]);
  return groups.map((seats) => ({ seats, names: seats.map(name) }));
}

export function rows({ hands, options }: Rules & { readonly hands: readonly HandSheet[] }): Row[] {
  const shape = columns(hands);
  const found: Row[] = [];
  let awaited = false;
  let counted = 0;
  for (const hand of hands) {
    const counts = hand.why !== "disputed" && hand.why !== "void";
    const cells = shape.map(({ seats }) => cell(hand, seats));
    const most = Math.max(...cells.map(({ total }) => total));
    found.push({
      hand: hand.hand,
      why: hand.why,
      counts,
      playoff: awaited,
      callers: hand.seats.filter(({ called }) => called).map(({ seat }) => seat),
      cells: cells.map((each) => ({ ...each, leads: counts && each.total === most })),
      endedMs: hand.ended_ms,
    });
    if (!counts) continue;
    counted += 1;
    awaited = !awaited && playoffAfter(options, counted, cells);
  }
  return found;
}

/** The hands with the one that has just ended, as its own event tells it, until it is counted. */
export function withEnded(
  hands: readonly HandSheet[],
  table: Pick<Table, "seats" | "teams">,
  end: Pick<Ended, "hand" | "why" | "callers" | "scores" | "at"> | null,
): readonly HandSheet[] {
  if (end === null || hands.some(({ hand }) => hand === end.hand)) return hands;
  const before = (seat: number) => hands.at(-1)?.seats.find((each) => each.seat === seat)?.total ?? 0;
  const seats = table.seats.map(({ index, player, name, bot }) => {
    const { foundation = 0, demon = 0, points = 0 } = end.scores.find(({ seat }) => seat === index) ?? {};
    const called = end.callers.includes(index);
    return { seat: index, player, name, bot, foundation, demon, called, points, total: before(index) + points };
  });
  // What partners have together is added up from their seats.
  const teams = table.teams.map((team) => ({ seats: team.seats, points: 0, total: 0 }));
  return [...hands, { hand: end.hand, why: end.why, seats, teams, ended_ms: end.at }];
}

function cell(hand: HandSheet, seats: readonly number[]): Omit<Cell, "leads"> {
  const own = hand.seats.filter(({ seat }) => seats.includes(seat));
  const sum = (of: (seat: HandSheet["seats"][number]) => number) => own.reduce((all, seat) => all + of(seat), 0);
  return {
    cards: sum(({ foundation }) => foundation),
    demon: sum(({ demon }) => demon),
    points: sum(({ points }) => points),
    total: sum(({ total }) => total),
    called: own.some(({ called }) => called),
  };
}

/** Whether one more hand decides after `counted` hands (RD-13 d). */
function playoffAfter(options: Match["options"], counted: number, cells: readonly Pick<Cell, "total">[]): boolean {
  if (options["match_end"] !== "playoff" || counted >= MOST_HANDS) return false;
  const hands = Number(options["hands"] ?? 0);
  if (hands) {
    const most = Math.max(...cells.map(({ total }) => total));
    return counted === hands && cells.filter(({ total }) => total === most).length > 1;
  }
  return cells.filter(({ total }) => total >= Number(options["target"] ?? 100)).length > 1;
}
