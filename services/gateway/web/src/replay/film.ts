// A hand's log as something to be played back: what everybody saw after each event, and when. Pure.
import { apply, EMPTY, type TableView } from "../game/view";
import type { Event, Player } from "../generated/frames";
import { type Contest, contests } from "./contests";

export interface Frame {
  readonly event: Event;
  readonly view: TableView;
  /** ms from the beginning of the film. */
  readonly at: number;
}

export interface Film {
  readonly frames: readonly Frame[];
  readonly seats: readonly Player[];
  /** How many cards each seat's demon had; nothing for Aces Up. */
  readonly demons: readonly number[];
  readonly contests: readonly Contest[];
  /** ms. */
  readonly length: number;
}

/** How long the dealt cards are seen before the start, ms: nobody wants the whole countdown. */
const LEAD_MS = 1_500;

/** The film of a hand, or of a game of Aces Up; null if its cards were never dealt. */
export function film(events: readonly Event[]): Film | null {
  const deal = events.find((event) => event.e === "deal" || event.e === "aces_deal");
  if (!deal) return null;
  const start = events.find((event) => event.e === "start")?.at ?? deal.at;
  const frames: Frame[] = [];
  let view = EMPTY;
  for (const event of events) {
    view = apply(view, event);
    if (event.seq < deal.seq) continue;
    const at = event.seq === deal.seq ? 0 : LEAD_MS + Math.max(0, event.at - start);
    // A clock that was set back changes no order.
    frames.push({ event, view, at: Math.max(at, frames.at(-1)?.at ?? 0) });
  }
  const demons = deal.e === "deal" ? deal.layouts.map(({ demon }) => demon) : [];
  return { frames, seats: deal.seats, demons, contests: contests(events), length: frames.at(-1)!.at };
}

/** The last frame that has happened `ms` after the beginning. */
export function frameAt(frames: readonly Pick<Frame, "at">[], ms: number): number {
  let low = 0;
  let high = frames.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (frames[middle]!.at <= ms) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The frame of the next contest after frame `from`, or of the one before it; null: there is none. */
export function contestFrame(of: Film, from: number, direction: 1 | -1): number | null {
  const first = of.frames[0]!.event.seq;
  const places = of.contests.map(({ seq }) => seq - first);
  return (direction > 0 ? places.find((at) => at > from) : places.findLast((at) => at < from)) ?? null;
}
