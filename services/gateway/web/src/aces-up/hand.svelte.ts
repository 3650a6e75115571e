// The player's hand at Aces Up: what it holds, and what taps, drops and keys do with it. Knows no DOM.
//
// Nothing is sent that can't be legal as far as this page knows.
import { type AcesView, gaps, removable, topOf } from "../game/aces";
import type { AcesAction } from "../game/actions";
import type { Card } from "../game/cards";
import { settings } from "../state/settings.svelte";
import type { TableStore } from "../state/table.svelte";

export interface Held {
  readonly pile: number;
  readonly card: Card;
}

/** What a hand plays on: a table, live or played back. */
export type Ground = Pick<TableStore, "view" | "seat" | "stands" | "final" | "awaits" | "do">;

/** Two rows by pointer within this time, ms, are one double click. */
const DOUBLE_MS = 280;

export class AcesHand {
  private taken = $state.raw<Held | null>(null);
  private dealtAt = -DOUBLE_MS;

  constructor(private readonly store: Ground) {}

  get game(): AcesView | null {
    return this.store.view.game;
  }

  /** Whether anything can be done now. */
  get free(): boolean {
    const { seat, view, stands, final } = this.store;
    return seat !== null && view.game !== null && view.phase === "playing" && !stands && !final;
  }

  /** What is held, if it is still the top of its pile. */
  get held(): Held | null {
    const { taken, game } = this;
    return taken && game && this.free && topOf(game, taken.pile) === taken.card ? taken : null;
  }

  /** The gaps where what is held may go. */
  get gaps(): number[] {
    return this.held && this.game ? gaps(this.game) : [];
  }

  /** Whether what is held may be removed. */
  get mayGo(): boolean {
    return this.held !== null && this.game !== null && removable(this.game, this.held.card);
  }

  take(held: Held): void {
    if (this.free) this.taken = held;
  }

  giveBack(): void {
    this.taken = null;
  }

  /** A pile was tapped, or its number pressed: its top is taken, and the second time does the best with it. */
  tap(pile: number): void {
    if (!this.game || !this.free) return;
    const card = topOf(this.game, pile);
    if (card === null) return void this.lay(pile);
    const again = this.held?.pile === pile;
    this.take({ pile, card });
    if (again || (settings.acesOneTap && this.mayGo)) this.best();
  }

  /** Removes what is held; if it can't go, puts it into the first gap; without one gives it back. */
  best(): void {
    const gap = this.gaps[0];
    if (this.remove() || (gap !== undefined && this.lay(gap))) return;
    this.giveBack();
  }

  /** Removes what is held; whether that was possible. */
  remove(): boolean {
    const { held, mayGo } = this;
    return held !== null && mayGo && this.act({ t: "remove", pile: held.pile, card: held.card });
  }

  /** Moves what is held into a gap; whether that was possible. */
  lay(to: number): boolean {
    const { held } = this;
    return held !== null && this.gaps.includes(to) && this.act({ t: "fill", from: held.pile, card: held.card, to });
  }

  /** Deals a row. By pointer, at `now`, a double click deals once. */
  deal(now: number | null = null): void {
    const stock = this.game?.stock;
    if (!stock || this.store.awaits("row") || (now !== null && now - this.dealtAt < DOUBLE_MS)) return;
    if (now !== null) this.dealtAt = now;
    this.act({ t: "row", stock });
  }

  undo(): void {
    if (this.game?.undoable) this.act({ t: "undo" });
  }

  redo(): void {
    if (this.game?.redoable) this.act({ t: "redo" });
  }

  giveUp(): void {
    this.act({ t: "give_up" });
  }

  private act(action: AcesAction): boolean {
    if (!this.free) return false;
    this.taken = null;
    this.store.do(action);
    return true;
  }
}
