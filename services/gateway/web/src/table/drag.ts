// Dragging with mouse, finger or pen. One pointer at a time; a press that does not move far is a click.
//
// The cards are moved by transform, once a frame; where they may be dropped is asked once, when they are let go.
import { type Card, type Column, columnOf, type Source } from "../game/cards";
import type { Flights } from "./flights";
import type { Hand } from "./hand.svelte";

/** A press becomes a drag after so many pixels. */
const FAR = { mouse: 4, touch: 9 } as const;

interface Press {
  readonly pointer: number;
  readonly from: Source;
  readonly card: Card;
  readonly x: number;
  readonly y: number;
  readonly touch: boolean;
  cards: HTMLElement[];
  dx: number;
  dy: number;
}

export class Drag {
  private press: Press | null = null;
  private frame = 0;

  /** `root` holds all places; see `data-from`, `data-card`, `data-column`, `data-f` and `data-foundations` there. */
  constructor(
    private readonly root: HTMLElement,
    private readonly hand: Hand,
    private readonly flights: Flights,
  ) {
    root.addEventListener("pointerdown", this.down);
    root.addEventListener("pointermove", this.move);
    root.addEventListener("pointerup", this.up);
    root.addEventListener("pointercancel", this.cancel);
    root.addEventListener("lostpointercapture", this.cancel);
  }

  end(): void {
    this.cancel();
    this.root.removeEventListener("pointerdown", this.down);
    this.root.removeEventListener("pointermove", this.move);
    this.root.removeEventListener("pointerup", this.up);
    this.root.removeEventListener("pointercancel", this.cancel);
    this.root.removeEventListener("lostpointercapture", this.cancel);
  }

  /** Gives the cards back; also when the browser takes the pointer away. */
  readonly cancel = (): void => {
    const press = this.press;
    this.press = null;
    cancelAnimationFrame(this.frame);
    if (press?.cards.length) {
      this.hand.giveBack();
      this.flights.around(() => this.settle(press));
    }
  };

  private readonly down = (event: PointerEvent): void => {
    if (this.press || event.button !== 0 || !event.isPrimary) return;
    const element = (event.target as Element).closest<HTMLElement>("[data-from]");
    const from = element?.dataset["from"] as Source | undefined;
    const card = element?.dataset["card"] as Card | undefined;
    if (!from || !card || !this.hand.free) return;
    const touch = event.pointerType === "touch";
    this.press = {
      pointer: event.pointerId,
      from,
      card,
      x: event.clientX,
      y: event.clientY,
      touch,
      cards: [],
      dx: 0,
      dy: 0,
    };
  };

  private readonly move = (event: PointerEvent): void => {
    const press = this.press;
    if (!press || event.pointerId !== press.pointer) return;
    press.dx = event.clientX - press.x;
    press.dy = event.clientY - press.y;
    if (!press.cards.length) {
      if (Math.hypot(press.dx, press.dy) < FAR[press.touch ? "touch" : "mouse"]) return;
      this.hand.take({ from: press.from, card: press.card });
      if (!this.hand.held) return void (this.press = null);
      press.cards = this.tail(press);
      for (const card of press.cards) card.classList.add("dragged");
      this.root.setPointerCapture(press.pointer);
    }
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      for (const card of press.cards) card.style.transform = `translate(${press.dx}px, ${press.dy}px)`;
    });
  };

  private readonly up = (event: PointerEvent): void => {
    const press = this.press;
    if (!press || event.pointerId !== press.pointer) return;
    this.press = null;
    cancelAnimationFrame(this.frame);
    if (!press.cards.length) return this.hand.tap(press.from, press.card);
    for (const card of press.cards) card.style.transform = `translate(${press.dx}px, ${press.dy}px)`;
    this.flights.hold(); // so that they glide from where they were let go
    const laid = this.drop(press, event.clientX, event.clientY);
    this.settle(press);
    if (!laid) {
      this.hand.giveBack();
      this.flights.after();
    }
  };

  /** Lays the cards on the nearest place that takes them, if it is no more than a card's width away. */
  private drop(press: Press, x: number, y: number): boolean {
    const card = press.cards[0]!.getBoundingClientRect();
    const near = (place: DOMRect): number =>
      Math.min(away(place, x, y), away(place, card.left + card.width / 2, card.top + card.height / 2));
    let best: { distance: number; lay: () => boolean } | null = null;
    const offer = (element: Element | null, lay: () => boolean): void => {
      if (!element) return;
      const distance = near(element.getBoundingClientRect());
      if (distance <= card.width && (best === null || distance < best.distance)) best = { distance, lay };
    };
    // A certain foundation goes before all of them together, where both are as near.
    for (const target of this.hand.targets.toReversed()) {
      if (target.t === "move") {
        offer(this.root.querySelector(`[data-column="${target.to}"]`), () => this.hand.lay(target.to as Column));
      } else if (target.to === null || target.to === undefined) {
        offer(this.root.querySelector("[data-foundations]"), () => this.hand.layUp());
      } else {
        const f = target.to;
        offer(this.root.querySelector(`[data-f="${f}"]`), () => this.hand.layUp(f));
      }
    }
    return (best as { lay: () => boolean } | null)?.lay() ?? false;
  }

  private tail(press: Press): HTMLElement[] {
    const cards = [...this.root.querySelectorAll<HTMLElement>(`[data-from="${press.from}"][data-card]`)];
    const at = cards.findIndex((card) => card.dataset["card"] === press.card);
    return columnOf(press.from) < 0 ? cards.slice(at, at + 1) : cards.slice(at);
  }

  private settle(press: Press): void {
    for (const card of press.cards) {
      card.classList.remove("dragged");
      card.style.transform = "";
    }
  }
}

/** How far a point is from a rectangle; 0 inside. */
function away(place: DOMRect, x: number, y: number): number {
  const dx = Math.max(place.left - x, 0, x - place.right);
  const dy = Math.max(place.top - y, 0, y - place.bottom);
  return Math.hypot(dx, dy);
}
