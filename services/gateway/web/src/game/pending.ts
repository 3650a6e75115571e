// One's own moves shown at once: what the view would be if the referee accepted what it hasn't judged yet.
//
// What a move uncovers is not known until its event comes: a demon's top or a waste's top is null until then.
import { type AcesView, acesForeseen } from "./aces";
import type { AcesAction, Action, PlayAction } from "./actions";
import { type Card, type Source, columnOf, rank, suit, tailLength } from "./cards";
import { type FoundationView, type SeatView, type TableView, landed, put, tailOf, wasteTop, without } from "./view";

/** The confirmed view with every unjudged action of the seat done to it; what no longer can be done is left out. */
export function foreseen(view: TableView, seat: number, actions: readonly Action[]): TableView {
  return actions.reduce((seen, action) => after(seen, seat, action) ?? seen, view);
}

function after(view: TableView, index: number, action: Action): TableView | null {
  if (view.game) return gameAfter(view, view.game, action);
  const seat = view.seats[index];
  if (!seat) return null;
  switch (action.t) {
    case "play":
      return playAfter(view, index, seat, action);
    case "move": {
      const count = countFrom(seat, action.from, action.card);
      if (count === 0) return null;
      const tail = tailOf(seat, action.from, action.card, count);
      const moved = put(without(seat, action.from, count, uncovered(seat, action.from)), columnOf(action.to), tail);
      return withSeat(view, index, moved);
    }
    case "turn": {
      if (seat.stock !== action.stock) return null;
      const count = Math.min(view.options?.draw ?? 3, seat.stock);
      const waste = [...seat.waste, ...Array<null>(count).fill(null)];
      return withSeat(view, index, { ...seat, stock: seat.stock - count, waste });
    }
    case "recycle":
      if (seat.stock || !seat.waste.length) return null;
      return withSeat(view, index, { ...seat, stock: seat.waste.length, waste: [] });
    default:
      return null; // calls and votes are shown once they are confirmed
  }
}

function gameAfter(view: TableView, game: AcesView, action: Action): TableView | null {
  const next = acesForeseen(game, action as AcesAction);
  return next && { ...view, game: next };
}

function playAfter(view: TableView, index: number, seat: SeatView, action: PlayAction): TableView | null {
  if (countFrom(seat, action.from, action.card) !== 1) return null;
  const place = placeFor(view.foundations, index, action);
  if (place === null) return null;
  const left = withSeat(view, index, without(seat, action.from, 1, uncovered(seat, action.from)));
  const event = { seat: index, card: action.card, f: place, rank: rank(action.card) };
  return { ...left, foundations: landed(view.foundations, event) };
}

/** Where a play will lie: where it fits, else beside the card that came first, until the referee has decided. */
function placeFor(foundations: readonly FoundationView[], seat: number, action: PlayAction): number | null {
  const wanted = rank(action.card);
  if (wanted === 1) return foundations.length;
  const open = foundations.flatMap((foundation, f) => {
    const reached = foundation.suit === suit(action.card) && foundation.ranks.length >= wanted - 1;
    const asked = action.to === null || action.to === undefined || action.to === f;
    return reached && asked && !foundation.ranks[wanted - 1]?.includes(seat) ? [f] : [];
  });
  return open.find((f) => foundations[f]!.ranks.length === wanted - 1) ?? open[0] ?? null;
}

/** How many cards leave `from` with `card` first; 0 if it can't go from there. */
function countFrom(seat: SeatView, from: Source, card: Card): number {
  if (from === "demon") return seat.top === card ? 1 : 0;
  if (from === "waste") return wasteTop(seat) === card ? 1 : 0;
  const pile = seat.columns[columnOf(from)]!;
  const at = pile.indexOf(card);
  return at >= 0 && pile.length - at <= tailLength(pile) ? pile.length - at : 0;
}

/** The card that comes to light, where it was shown before: in the waste only. */
const uncovered = (seat: SeatView, from: Source): Card | null =>
  from === "waste" ? (seat.waste.at(-2) ?? null) : null;

const withSeat = (view: TableView, index: number, changed: SeatView): TableView => ({
  ...view,
  seats: view.seats.map((seat, i) => (i === index ? changed : seat)),
});
