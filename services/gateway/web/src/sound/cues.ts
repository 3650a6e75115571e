// Which events are heard, and as what. Pure: the sounds themselves are synth.ts's.
import type { Event } from "../generated/frames";

export type Cue = "card" | "foundation" | "lost" | "tie" | "call" | "count" | "go";

/** What is heard of an event at seat `me` (null: somebody who watches); of others' cards only what concerns all. */
export function cueOf(event: Event, me: number | null, holders: readonly number[] = []): Cue | null {
  switch (event.e) {
    case "start":
      return "go";
    case "move":
    case "turn":
    case "recycle":
      return event.seat === me ? "card" : null;
    case "play":
      if (event.tie && me !== null && (event.seat === me || holders.includes(me))) return "tie";
      return event.seat === me || me === null ? "foundation" : null;
    case "return":
      return event.seat === me ? "lost" : null;
    case "call":
      return "call";
    default:
      return null;
  }
}
