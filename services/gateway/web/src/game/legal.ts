// What a seat may do now: the mirror of services/rules/legal_moves.py, held to it by fixtures from there.
import type { Options } from "../generated/frames";
import type { Action, MoveAction, PlayAction } from "./actions";
import { type Card, type Column, type Pile, type Source, buildsDown, COLUMNS, rank, suit, tailLength } from "./cards";
import { type FoundationView, type SeatView, type TableView, wasteTop } from "./view";

/** Each place that a card can leave, with the tail that may go from there; its last card may go alone. */
export function sources(seat: SeatView): { from: Source; tail: Pile }[] {
  const found: { from: Source; tail: Pile }[] = [];
  if (seat.top !== null) found.push({ from: "demon", tail: [seat.top] });
  COLUMNS.forEach((from, i) => {
    const pile = seat.columns[i]!;
    if (pile.length) found.push({ from, tail: pile.slice(-tailLength(pile)) });
  });
  const top = wasteTop(seat);
  if (top !== null) found.push({ from: "waste", tail: [top] });
  return found;
}

/** The foundations that take the card now; of an ace none, since it opens one. */
export function takers(foundations: readonly FoundationView[], card: Card): number[] {
  const found: number[] = [];
  foundations.forEach((foundation, f) => {
    if (foundation.suit === suit(card) && foundation.ranks.length === rank(card) - 1) found.push(f);
  });
  return rank(card) === 1 ? [] : found;
}

export const goesUp = (foundations: readonly FoundationView[], card: Card): boolean =>
  rank(card) === 1 || takers(foundations, card).length > 0;

/** The card of `tail` with which it fits `target`, the tail's first one for a gap; null: it doesn't. */
export function headFor(tail: Pile, target: Pile, from: Source, options: Options): Card | null {
  const end = target.at(-1);
  if (end !== undefined) return tail.find((card) => buildsDown(card, end)) ?? null;
  return from === "demon" || options.gap_fill !== "demon_only" ? tail[0]! : null;
}

/** Every action but votes, as the referee would accept it from a player who has seen everything so far. */
export function legalActions(view: TableView, seatNumber: number): Action[] {
  const seat = view.seats[seatNumber];
  if (view.phase !== "playing" || !seat || !view.options) return [];
  const found: Action[] = [];
  const options = view.options;
  for (const { from, tail } of sources(seat)) {
    const card = tail.at(-1)!;
    if (!goesUp(view.foundations, card)) continue;
    found.push({ t: "play", from, card, to: null });
    for (const to of takers(view.foundations, card)) found.push({ t: "play", from, card, to });
  }
  for (const { from, tail } of sources(seat)) {
    COLUMNS.forEach((to, i) => {
      if (from === to) return;
      const target = seat.columns[i]!;
      const head = headFor(tail, target, from, options);
      if (head === null) return;
      const heads = target.length ? [head] : tail;
      for (const card of heads) found.push({ t: "move", from, card, to });
    });
  }
  if (seat.stock) found.push({ t: "turn", stock: seat.stock });
  else if (seat.waste.length && options.passes !== 1) found.push({ t: "recycle" });
  if (seat.demon === 0) found.push({ t: "call" });
  return found;
}

/** Where the card that begins a tail at `from` may go: foundations (also a new one) and columns. */
export function targets(view: TableView, seat: number, from: Source, card: Card): (PlayAction | MoveAction)[] {
  return legalActions(view, seat).filter(
    (action): action is PlayAction | MoveAction =>
      (action.t === "play" || action.t === "move") && action.from === from && action.card === card,
  );
}

/** A legal move of anything at `from` onto the column, preferring the tail that begins with `card`. */
export function moveTo(view: TableView, seat: number, from: Source, card: Card, to: Column): MoveAction | null {
  const moves = legalActions(view, seat).filter(
    (action): action is MoveAction => action.t === "move" && action.from === from && action.to === to,
  );
  return moves.find((move) => move.card === card) ?? moves[0] ?? null;
}
