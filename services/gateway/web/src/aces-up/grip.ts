// What of a game can be dragged, and where to. See `data-from`, `data-card`, `data-pile` and `data-gone` there.
import type { Card } from "../game/cards";
import type { Grip, Offer } from "../ui/drag";
import type { AcesHand } from "./hand.svelte";

export class AcesGrip implements Grip {
  constructor(
    private readonly root: HTMLElement,
    private readonly hand: AcesHand,
  ) {}

  get free(): boolean {
    return this.hand.free;
  }

  take(card: HTMLElement): HTMLElement[] {
    this.hand.take({ pile: Number(card.dataset["from"]), card: card.dataset["card"] as Card });
    return this.hand.held ? [card] : [];
  }

  tap(card: HTMLElement): void {
    this.hand.tap(Number(card.dataset["from"]));
  }

  offers(): Offer[] {
    const offers: Offer[] = this.hand.gaps.map((to) => ({
      place: this.root.querySelector(`[data-pile="${to}"]`),
      lay: () => this.hand.lay(to),
    }));
    if (this.hand.mayGo) offers.push({ place: this.root.querySelector("[data-gone]"), lay: () => this.hand.remove() });
    return offers;
  }

  giveBack(): void {
    this.hand.giveBack();
  }
}
