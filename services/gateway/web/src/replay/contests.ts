// Who went for the same place, who was first, and what the table forgave a longer wire (RD-8). Pure.
import type { Card } from "../game/cards";
import type { Event, Played } from "../generated/frames";

/** A card that came to a place that was taken: it shares the place, or it went back. */
export interface Contest {
  readonly seq: number;
  readonly seat: number;
  readonly card: Card;
  readonly f: number;
  /** The seats that had the place before. */
  readonly first: readonly number[];
  readonly tied: boolean;
  /** How many ms after the first card was recorded this one reached the table; 0: before that. */
  readonly gap: number;
  /** Whether its player had seen the place taken. */
  readonly seen: boolean;
}

/** A seat's contests in a hand. `forgiven` are the ms by which its tied cards came later, in all. */
export interface Tally {
  readonly won: number;
  readonly lost: number;
  readonly tied: number;
  readonly forgiven: number;
}

/** All contests of a hand, in order. */
export function contests(events: readonly Event[]): Contest[] {
  const places = new Map<string, { readonly at: number; readonly seats: number[] }>();
  const found: Contest[] = [];
  for (const event of events) {
    if (event.e === "play") {
      const key = `${event.f}:${event.rank}`;
      const place = places.get(key);
      if (place) {
        found.push({ ...common(event, place.seats, gapOf(event, place.at)), tied: true, seen: false });
        place.seats.push(event.seat);
      } else places.set(key, { at: event.at, seats: [event.seat] });
    } else if (event.e === "return") {
      found.push({ ...common(event, event.first, event.gap), tied: false, seen: event.why === "seen" });
    }
  }
  return found;
}

type Came = Pick<Played, "seq" | "seat" | "card" | "f">;
const common = ({ seq, seat, card, f }: Came, first: readonly number[], gap: number) => ({
  seq,
  seat,
  card,
  f,
  first: [...first],
  gap,
});
const gapOf = (event: Played, at: number): number => Math.max(0, Math.min(event.arrived, event.at) - at);

/** By seat, what came of its contests. Each card that went back is a contest won by those who had the place. */
export function tally(found: readonly Contest[], seats: number): Tally[] {
  const sums = Array.from({ length: seats }, () => ({ won: 0, lost: 0, tied: 0, forgiven: 0 }));
  for (const { seat, first, tied, gap } of found) {
    if (tied) {
      for (const each of [seat, ...first]) if (sums[each]) sums[each].tied += 1;
      if (sums[seat]) sums[seat].forgiven += gap;
    } else {
      if (sums[seat]) sums[seat].lost += 1;
      for (const each of first) if (sums[each]) sums[each].won += 1;
    }
  }
  return sums;
}
