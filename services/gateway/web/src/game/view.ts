// What everybody may see of a table: the mirror of services/rules/view.py, held to it by fixtures from there.
//
// Values are never changed: what an event does not touch is the same object afterwards, so the page redraws only what
// has changed.
import type { Choice, Event, Options, Phase, Played, Snapshot, GameSnapshot } from "../generated/frames";
import { type AcesView, acesAfter, acesFromSnapshot } from "./aces";
import { type Card, type Pile, type Source, type Suit, columnOf } from "./cards";

/** One seat's layout. In the waste, null is a card that was never shown; a demon's top is null while it isn't known. */
export interface SeatView {
  readonly demon: number;
  readonly top: Card | null;
  readonly columns: readonly Pile[];
  readonly stock: number;
  readonly waste: readonly (Card | null)[];
}

/** One foundation: the seats whose card lies at each rank, from the ace on. */
export interface FoundationView {
  readonly suit: Suit;
  readonly ranks: readonly (readonly number[])[];
}

/** The public state of a table after event `seq`; before the first hand everything is empty. Times are ms. */
export interface TableView {
  readonly seq: number;
  readonly phase: Phase | null;
  readonly hand: number;
  readonly match: string;
  readonly options: Options | null;
  readonly startAt: number | null;
  readonly closesAt: number | null;
  readonly progress: number;
  readonly callers: readonly number[];
  readonly votes: readonly (Choice | null)[];
  readonly asked: boolean;
  readonly seats: readonly SeatView[];
  readonly foundations: readonly FoundationView[];
  /** At a table of Aces Up its game; then seats, foundations and options are empty. */
  readonly game: AcesView | null;
}

export const EMPTY: TableView = {
  seq: 0,
  phase: null,
  hand: 0,
  match: "",
  options: null,
  startAt: null,
  closesAt: null,
  progress: 0,
  callers: [],
  votes: [],
  asked: false,
  seats: [],
  foundations: [],
  game: null,
};

export const wasteTop = (seat: SeatView): Card | null => seat.waste.at(-1) ?? null;

/** The view that a snapshot frame holds. Of a waste only the top is known. */
export function fromSnapshot(snapshot: Snapshot | GameSnapshot): TableView {
  const common = {
    ...EMPTY,
    seq: snapshot.seq,
    phase: snapshot.phase,
    hand: snapshot.hand,
    match: snapshot.match,
    startAt: snapshot.start_at,
  };
  if (!("seats" in snapshot)) return { ...common, game: "piles" in snapshot ? acesFromSnapshot(snapshot) : null };
  return {
    ...common,
    options: snapshot.options,
    closesAt: snapshot.closes_at,
    progress: snapshot.progress,
    callers: snapshot.callers,
    votes: snapshot.seats.map((_, seat) => snapshot.votes[String(seat)] ?? null),
    asked: snapshot.asked,
    seats: snapshot.seats.map((seat) => ({
      demon: seat.demon,
      top: seat.top,
      columns: seat.columns,
      stock: seat.stock,
      waste: seat.waste ? [...Array<null>(seat.waste - 1).fill(null), seat.waste_top] : [],
    })),
    foundations: snapshot.foundations,
  };
}

/** The view one event later; the caller has seen to it that the event is the next one. */
export function apply(view: TableView, event: Event): TableView {
  const at = { ...view, seq: event.seq };
  switch (event.e) {
    case "prepare":
      return { ...EMPTY, seq: event.seq, phase: "prepared", hand: event.hand, match: event.match };
    case "deal":
      return {
        ...EMPTY,
        seq: event.seq,
        phase: "dealt",
        hand: event.hand,
        match: event.match,
        options: event.options,
        startAt: event.start_at,
        votes: event.layouts.map(() => null),
        seats: event.layouts.map((dealt) => ({
          demon: dealt.demon,
          top: dealt.top,
          columns: dealt.columns.map((card) => [card]),
          stock: dealt.stock,
          waste: [],
        })),
      };
    case "start":
      return { ...at, phase: "playing" };
    case "move": {
      const seat = view.seats[event.seat]!;
      const tail = tailOf(seat, event.from, event.card, event.count);
      const moved = put(without(seat, event.from, event.count, event.shows), columnOf(event.to), tail);
      return withSeat(at, event.seat, moved, columnOf(event.from) < 0);
    }
    case "turn": {
      const seat = view.seats[event.seat]!;
      const waste = [...seat.waste, ...Array<null>(event.count - 1).fill(null), event.shows];
      return withSeat(at, event.seat, { ...seat, stock: seat.stock - event.count, waste }, false);
    }
    case "recycle":
      return withSeat(at, event.seat, { ...view.seats[event.seat]!, stock: event.count, waste: [] }, false);
    case "play": {
      const seat = without(view.seats[event.seat]!, event.from, 1, event.shows);
      return { ...withSeat(at, event.seat, seat, true), foundations: landed(view.foundations, event) };
    }
    case "call":
      return { ...at, phase: "closing", closesAt: event.closes_at, callers: [...view.callers, event.seat] };
    case "vote": {
      const kept = event.choice === "withdraw" ? null : event.choice;
      return { ...at, votes: view.votes.map((vote, seat) => (seat === event.seat ? kept : vote)) };
    }
    case "shift":
      return {
        ...at,
        seats: view.seats.map((seat) => ({ ...seat, stock: seat.stock + seat.waste.length, waste: [] })),
        votes: view.votes.map(() => null),
        asked: false,
      };
    case "ask":
      return { ...at, asked: true };
    case "end":
      return { ...at, phase: "over", callers: event.callers };
    case "aces_deal": {
      const { seq, hand, match, start_at: startAt } = event;
      return { ...EMPTY, seq, phase: "dealt", hand, match, startAt, game: acesAfter(null, event) };
    }
    case "aces_end":
      return { ...at, phase: "over", game: acesAfter(view.game, event) };
    case "return":
      return at;
    default:
      return { ...at, game: acesAfter(view.game, event) };
  }
}

/** A seat without the cards that left a place, and with the card that this showed. */
export function without(seat: SeatView, from: Source, count: number, shows: Card | null): SeatView {
  if (from === "demon") return { ...seat, demon: seat.demon - 1, top: shows };
  if (from === "waste") {
    const rest = seat.waste.slice(0, -1);
    return { ...seat, waste: rest.length ? [...rest.slice(0, -1), shows] : [] };
  }
  const left = columnOf(from);
  return { ...seat, columns: seat.columns.map((pile, i) => (i === left ? pile.slice(0, -count) : pile)) };
}

/** A seat with a tail on one of its columns. */
export function put(seat: SeatView, column: number, tail: Pile): SeatView {
  return { ...seat, columns: seat.columns.map((pile, i) => (i === column ? [...pile, ...tail] : pile)) };
}

export function tailOf(seat: SeatView, from: Source, card: Card, count: number): Pile {
  const column = columnOf(from);
  return column < 0 ? [card] : seat.columns[column]!.slice(-count);
}

function withSeat(view: TableView, index: number, changed: SeatView, progress: boolean): TableView {
  const seats = view.seats.map((seat, i) => (i === index ? changed : seat));
  if (!progress) return { ...view, seats };
  return { ...view, seats, progress: view.progress + 1, votes: view.votes.map(() => null), asked: false };
}

/** The foundations with the card of `event`, alone at its rank or beside others. */
export function landed(
  foundations: readonly FoundationView[],
  event: Pick<Played, "seat" | "card" | "f" | "rank">,
): readonly FoundationView[] {
  const { seat, card, f, rank } = event;
  if (f === foundations.length) return [...foundations, { suit: card.charAt(1) as Suit, ranks: [[seat]] }];
  return foundations.map((foundation, i) => {
    if (i !== f) return foundation;
    const ranks = [...foundation.ranks];
    ranks[rank - 1] = [...(ranks[rank - 1] ?? []), seat];
    return { ...foundation, ranks };
  });
}
