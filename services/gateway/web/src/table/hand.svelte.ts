// The player's one hand: what it holds, and what clicks, drops and keys do with it. Knows no DOM.
//
// Nothing is sent that can't be legal as far as this page knows; who was first is the referee's to say.
import { type Card, type Column, COLUMNS, columnOf, type Source } from "../game/cards";
import type { Action, MoveAction, PlayAction } from "../game/actions";
import { goesUp, legalActions, moveTo, targets } from "../game/legal";
import { wasteTop } from "../game/view";
import type { TableStore } from "../state/table.svelte";

export interface Held {
  readonly from: Source;
  readonly card: Card;
}

/** What a hand plays on: a table, live or played back. */
export type Ground = Pick<TableStore, "view" | "seat" | "stands" | "awaits" | "do">;

/** Always the same, so that who has nothing in hand causes no work. */
const NOWHERE: (PlayAction | MoveAction)[] = [];

/** Two turns by pointer within this time, ms, are one double click. */
const DOUBLE_MS = 180;

export class Hand {
  private taken = $state.raw<Held | null>(null);
  private turnedAt = -DOUBLE_MS;

  constructor(private readonly store: Ground) {}

  /** What is held, if it still lies where it was taken from. */
  get held(): Held | null {
    return this.taken && this.lies(this.taken) ? this.taken : null;
  }

  /** Where what is held may go. */
  get targets(): (PlayAction | MoveAction)[] {
    const held = this.held;
    return held && this.store.seat !== null ? targets(this.store.view, this.store.seat, held.from, held.card) : NOWHERE;
  }

  /** Whether anything can be moved now. */
  get free(): boolean {
    return this.store.seat !== null && this.store.view.phase === "playing" && !this.store.stands;
  }

  take(held: Held): void {
    if (this.free && this.lies(held)) this.taken = held;
  }

  giveBack(): void {
    this.taken = null;
  }

  /** A card was clicked: taken, or what is held laid onto its column; clicked again it goes to a foundation. */
  tap(from: Source, card: Card): void {
    const held = this.held;
    if (held === null) return this.take({ from, card });
    if (held.from === from) {
      if (held.card !== card) return this.take({ from, card });
      if (!this.up(from, card)) this.giveBack();
      return;
    }
    if (columnOf(from) >= 0 && this.lay(from as Column)) return;
    this.take({ from, card });
  }

  /** Lays what is held onto a column; whether that was possible. */
  lay(to: Column): boolean {
    const held = this.held;
    if (!held || this.store.seat === null) return false;
    const move = moveTo(this.store.view, this.store.seat, held.from, held.card, to);
    return move !== null && this.act(move);
  }

  /** Puts what is held on a foundation, a certain one or any that takes it; whether that was possible. */
  layUp(to: number | null = null): boolean {
    const held = this.held;
    return held !== null && this.up(held.from, held.card, to);
  }

  /** A card straight to a foundation; whether one takes it. */
  up(from: Source, card: Card, to: number | null = null): boolean {
    const found = this.plays(from, card);
    // A certain one is named only where there is a choice: any that takes the card is more likely to be there in time.
    const several = found.filter((play) => play.to !== null).length > 1;
    const play = found.find((each) => each.to === (several ? to : null));
    return play !== undefined && this.act(play);
  }

  /** Turns the next cards of the stock, or the waste over. By pointer a double click turns once. */
  turn(now: number | null = null): void {
    if (!this.free || this.store.seat === null || this.store.awaits("turn") || this.store.awaits("recycle")) return;
    if (now !== null && now - this.turnedAt < DOUBLE_MS) return;
    const turn = legalActions(this.store.view, this.store.seat).find(({ t }) => t === "turn" || t === "recycle");
    if (!turn) return;
    if (now !== null) this.turnedAt = now;
    this.act(turn);
  }

  get mayCall(): boolean {
    const seat = this.store.seat === null ? undefined : this.store.view.seats[this.store.seat];
    return this.free && seat?.demon === 0 && this.store.view.options?.call !== "automatic";
  }

  call(): void {
    if (this.mayCall && !this.store.awaits("call")) this.act({ t: "call" });
  }

  vote(choice: "shift" | "end" | "replay" | "withdraw"): void {
    if (this.free) this.act({ t: "vote", choice, progress: this.store.view.progress });
  }

  /** The demon's or waste's top to a foundation; where none takes it, into the hand. */
  quick(from: "demon" | "waste"): void {
    const card = this.top(from);
    if (card !== null && !this.up(from, card)) this.take({ from, card });
  }

  /** A column by its number: lays there what is held, else takes its end; twice, it goes to a foundation. */
  column(index: number): void {
    const to = COLUMNS[index]!;
    const end = this.top(to);
    if (this.held && this.held.from !== to && this.lay(to)) return;
    if (end !== null) this.tap(to, end);
  }

  private plays(from: Source, card: Card): PlayAction[] {
    if (!this.free || this.store.seat === null || !goesUp(this.store.view.foundations, card)) return [];
    return targets(this.store.view, this.store.seat, from, card).filter(
      (each): each is PlayAction => each.t === "play",
    );
  }

  private act(action: Action): boolean {
    if (!this.free) return false;
    this.taken = null;
    this.store.do(action);
    return true;
  }

  private top(from: Source): Card | null {
    const seat = this.store.seat === null ? undefined : this.store.view.seats[this.store.seat];
    if (!seat) return null;
    if (from === "demon") return seat.top;
    return from === "waste" ? wasteTop(seat) : (seat.columns[columnOf(from)]!.at(-1) ?? null);
  }

  private lies({ from, card }: Held): boolean {
    const seat = this.store.seat === null ? undefined : this.store.view.seats[this.store.seat];
    const column = columnOf(from);
    return column < 0 ? this.top(from) === card : (seat?.columns[column]!.includes(card) ?? false);
  }
}
