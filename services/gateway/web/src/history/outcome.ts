// How a match went for a player, from its sheets. Pure.
import type { Match } from "../net/rest";

export interface Outcome {
  readonly players: readonly string[];
  readonly winners: readonly string[];
  readonly hands: number;
  /** Null: the player was not in its last hand, or it is not over. */
  readonly won: boolean | null;
  /** The player's points; null: the player was not in its last hand. */
  readonly points: number | null;
}

/** The match as it looks after its last hand. Nobody's own, if `player` is null. */
export function outcome({ hands, over, winners }: Match, player: string | null): Outcome {
  const seats = hands.at(-1)?.seats ?? [];
  const own = player ? seats.find((seat) => seat.player === player) : undefined;
  return {
    players: seats.map(({ name }) => name),
    winners: over ? seats.filter(({ seat }) => winners.includes(seat)).map(({ name }) => name) : [],
    hands: hands.filter(({ why }) => why !== "void" && why !== "disputed").length,
    won: over && own ? winners.includes(own.seat) : null,
    points: own?.total ?? null,
  };
}
