// Where in a replay one is, as its address tells it: `?seat=2#57`, frame 57 seen from seat 2. Pure.

export interface Place {
  readonly seat: number;
  readonly frame: number;
}

/** What an address names, kept within the hand; the beginning, seen from the first seat, where it names nothing. */
export function placeOf({ search, hash }: Pick<Location, "search" | "hash">, seats: number, frames: number): Place {
  const seat = Number(new URLSearchParams(search).get("seat") ?? 0);
  const frame = Number(/^#(\d{1,6})$/.exec(hash)?.[1] ?? 0);
  return {
    seat: Number.isInteger(seat) && seat >= 0 && seat < seats ? seat : 0,
    frame: Math.min(frame, frames - 1),
  };
}

export function address(match: string, hand: number, seat: number | null, frame: number): string {
  return `/replay/${match}/${hand}${seat ? `?seat=${seat}` : ""}${frame ? `#${frame}` : ""}`;
}
