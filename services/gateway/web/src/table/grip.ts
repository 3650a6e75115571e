// What of the table can be dragged, and where to. See `data-from`, `data-card`, `data-column`, `data-f` and
// `data-foundations` there.
import { type Card, columnOf, type Source } from "../game/cards";
import type { Grip, Offer } from "../ui/drag";
import type { Hand } from "./hand.svelte";

export class TableGrip implements Grip {
  constructor(
    private readonly root: HTMLElement,
    private readonly hand: Hand,
  ) {}

  get free(): boolean {
    return this.hand.free;
  }

  take(card: HTMLElement): HTMLElement[] {
    this.hand.take(lying(card));
    return this.hand.held ? this.tail(card) : [];
  }

  tap(card: HTMLElement): void {
    const { from, card: name } = lying(card);
    this.hand.tap(from, name);
  }

  /** A certain foundation goes before all of them together, where both are as near. */
  offers(): Offer[] {
    return this.hand.targets.toReversed().map((target) => {
      if (target.t === "move") {
        const { to } = target;
        return { place: this.root.querySelector(`[data-column="${to}"]`), lay: () => this.hand.lay(to) };
      }
      const f = target.to ?? null;
      const place = this.root.querySelector(f === null ? "[data-foundations]" : `[data-f="${f}"]`);
      return { place, lay: () => this.hand.layUp(f) };
    });
  }

  giveBack(): void {
    this.hand.giveBack();
  }

  private tail(card: HTMLElement): HTMLElement[] {
    const { from } = lying(card);
    if (columnOf(from) < 0) return [card];
    const cards = [...this.root.querySelectorAll<HTMLElement>(`[data-from="${from}"][data-card]`)];
    return cards.slice(cards.indexOf(card));
  }
}

const lying = ({ dataset }: HTMLElement) => ({ from: dataset["from"] as Source, card: dataset["card"] as Card });
