// A hand walked through with all its cards known: whether each lay where it was taken from, went where the rules let it,
// and whether each that was turned up is the one that the shuffle had put there.
import { buildsDown, type Card, columnOf, rank, type Source, suit } from "../game/cards";
import type { Dealt, Event } from "../generated/frames";

/** All cards of one seat that are on no foundation; the last of a pile is on top. */
interface Layout {
  readonly demon: Card[];
  readonly columns: Card[][];
  stock: Card[];
  waste: Card[];
}

/** What was wrong with an event. */
class Wrong extends Error {}

/** How many cards the seat's demon has by the deal. */
export function layoutOf(deck: readonly Card[], demon: number): Layout {
  return {
    demon: deck.slice(0, demon),
    columns: deck.slice(demon, demon + 4).map((card) => [card]),
    stock: deck.slice(demon + 4),
    waste: [],
  };
}

/** The seats whose open cards in `deal` are not those of their decks. */
export function misdealt(deal: Dealt, decks: readonly (readonly Card[])[]): number[] {
  return deal.layouts.flatMap((told, seat) => {
    const own = layoutOf(decks[seat] ?? [], told.demon);
    const right =
      own.demon.at(-1) === told.top &&
      own.stock.length === told.stock &&
      own.columns.length === told.columns.length &&
      own.columns.every((pile, i) => pile[0] === told.columns[i]);
    return right ? [] : [seat];
  });
}

/** The number of the first event that can't have happened with these cards; null: all could. */
export function firstWrong(events: readonly Event[], deal: Dealt, decks: readonly (readonly Card[])[]): number | null {
  const table = new Table(decks.map((deck, seat) => layoutOf(deck, deal.layouts[seat]!.demon)));
  for (const event of events) {
    try {
      table.follow(event);
    } catch (wrong) {
      if (!(wrong instanceof Wrong)) throw wrong;
      return event.seq;
    }
  }
  return null;
}

class Table {
  private readonly foundations: { suit: string; height: number }[] = [];

  constructor(private readonly layouts: readonly Layout[]) {}

  follow(event: Event): void {
    switch (event.e) {
      case "move": {
        const own = this.of(event.seat);
        const tail = take(own, event.from, event.card, event.count, event.shows);
        const to = own.columns[columnOf(event.to)];
        must(to && to !== own.columns[columnOf(event.from)]);
        must(!to.length || buildsDown(event.card, to.at(-1)!));
        to.push(...tail);
        return;
      }
      case "play":
        take(this.of(event.seat), event.from, event.card, 1, event.shows);
        return this.land(event.card, event.f, event.rank, event.tie);
      case "return":
        must(
          top(this.of(event.seat), event.from) === event.card && (this.foundations[event.f]?.height ?? 0) >= event.rank,
        );
        return;
      case "turn": {
        const own = this.of(event.seat);
        must(own.stock.length >= event.count && event.count > 0);
        for (let i = 0; i < event.count; i++) own.waste.push(own.stock.pop()!);
        must(own.waste.at(-1) === event.shows);
        return;
      }
      case "recycle": {
        const own = this.of(event.seat);
        must(!own.stock.length && own.waste.length === event.count);
        own.stock = own.waste.reverse();
        own.waste = [];
        return;
      }
      case "call":
        return must(!this.of(event.seat).demon.length);
      case "shift":
        for (const own of this.layouts) shift(own);
        return;
      default:
        return;
    }
  }

  private land(card: Card, f: number, at: number, tie: boolean): void {
    must(rank(card) === at);
    if (f === this.foundations.length) {
      must(at === 1 && !tie);
      this.foundations.push({ suit: suit(card), height: 1 });
      return;
    }
    const foundation = this.foundations[f];
    must(foundation && foundation.suit === suit(card));
    must(tie ? at <= foundation.height : at === foundation.height + 1);
    foundation.height = Math.max(foundation.height, at);
  }

  private of(seat: number): Layout {
    const own = this.layouts[seat];
    must(own);
    return own;
  }
}

function take(own: Layout, from: Source, card: Card, count: number, shows: Card | null): Card[] {
  const column = columnOf(from);
  const pile = column < 0 ? (from === "demon" ? own.demon : own.waste) : own.columns[column]!;
  must(count > 0 && pile.length >= count && (column >= 0 || count === 1));
  const taken = pile.splice(-count);
  must(taken[0] === card);
  must(taken.every((each, i) => i === 0 || buildsDown(each, taken[i - 1]!)));
  must((column < 0 ? (pile.at(-1) ?? null) : null) === shows);
  return taken;
}

function top(own: Layout, from: Source): Card | null {
  const column = columnOf(from);
  return (column < 0 ? (from === "demon" ? own.demon : own.waste) : own.columns[column]!).at(-1) ?? null;
}

/** The stock re-formed, its top card to the bottom (RD-10 d). */
function shift(own: Layout): void {
  const stock = [...own.stock, ...own.waste.reverse()];
  const moved = stock.pop();
  own.stock = moved === undefined ? [] : [moved, ...stock];
  own.waste = [];
}

function must(fact: unknown): asserts fact {
  if (!fact) throw new Wrong();
}
