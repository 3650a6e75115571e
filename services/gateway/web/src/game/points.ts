// What a hand is worth so far (RD-12), from what everybody sees.
import type { TableView } from "./view";

export interface Tally {
  readonly up: number;
  readonly demon: number;
  readonly points: number;
}

/** By seat: own cards on foundations, cards left in the demon, and the points that makes now. */
export function tallies(view: TableView): Tally[] {
  const up = view.seats.map(() => 0);
  for (const { ranks } of view.foundations) for (const seats of ranks) for (const seat of seats) up[seat]! += 1;
  const penalty = view.options?.demon_penalty ?? 2;
  const bonus = view.options?.out_bonus ?? 0;
  return view.seats.map(({ demon }, seat) => {
    const called = view.callers.includes(seat);
    return { up: up[seat]!, demon, points: up[seat]! - penalty * demon + (called ? bonus : 0) };
  });
}
