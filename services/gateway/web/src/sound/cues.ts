// Which events are heard, and as what. Pure: the sounds themselves are synth.ts's.
import type { Event } from "../generated/frames";

export type Cue = "card" | "foundation" | "lost" | "tie" | "call" | "count" | "go";

/** What is heard of an event at seat `me` (null: by somebody who watches); of others only what concerns everybody. */
export function cueOf(event: Event, me: number | null): Cue | null {
  switch (event.e) {
    case "start":
      return "go";
    case "move":
    case "turn":
    case "recycle":
    case "row":
    case "fill":
    case "undo":
    case "redo":
      return event.seat === me ? "card" : null;
    case "play":
      if (event.tie) return "tie";
      return event.seat === me || me === null ? "foundation" : null;
    case "remove":
      return "foundation";
    case "return":
      return event.seat === me ? "lost" : null;
    case "call":
      return "call";
    default:
      return null;
  }
}
