// Dragging with mouse, finger or pen. One pointer at a time; a press that does not move far is a tap.
//
// The cards are moved by transform, once a frame; where they may be dropped is asked once, when they are let go.

import { settings } from "../state/settings.svelte";

/** A press becomes a drag after so many pixels. */
const FAR = { mouse: 4, touch: 9 } as const;

/** What is dragged, and where to: all that differs between games. */
export interface Grip {
  /** Whether anything can be moved now. */
  readonly free: boolean;
  /** Takes the card into the hand; the elements that go along with it, itself the first, or none if it can't. */
  take(card: HTMLElement): HTMLElement[];
  /** The card was pressed and let go. */
  tap(card: HTMLElement): void;
  /** Where what is held may go; of places as near as each other the first is taken. */
  offers(): readonly Offer[];
  giveBack(): void;
}

export interface Offer {
  readonly place: Element | null;
  /** Lays there what is held; whether that was possible. */
  readonly lay: () => boolean;
}

/** Who lets cards glide: see table/flights. */
export interface Gliding {
  /** Lets them start from where they are now, if a change follows. */
  hold(): void;
  /** Starts them. */
  after(): void;
}

interface Press {
  readonly pointer: number;
  readonly card: HTMLElement;
  readonly name: string | undefined;
  readonly x: number;
  readonly y: number;
  readonly far: number;
  cards: HTMLElement[];
  dx: number;
  dy: number;
}

export class Drag {
  private press: Press | null = null;
  private frame = 0;

  /** What can be dragged within `root` has `data-from` and `data-card`. */
  constructor(
    private readonly root: HTMLElement,
    private readonly grip: Grip,
    private readonly gliding: Gliding,
  ) {
    root.addEventListener("pointerdown", this.down);
    root.addEventListener("pointermove", this.move);
    root.addEventListener("pointerup", this.up);
    root.addEventListener("pointercancel", this.cancel);
    root.addEventListener("lostpointercapture", this.lost);
  }

  end(): void {
    this.cancel();
    this.root.removeEventListener("pointerdown", this.down);
    this.root.removeEventListener("pointermove", this.move);
    this.root.removeEventListener("pointerup", this.up);
    this.root.removeEventListener("pointercancel", this.cancel);
    this.root.removeEventListener("lostpointercapture", this.lost);
  }

  /** Gives the cards back; also when the browser takes the pointer away. */
  readonly cancel = (): void => {
    const press = this.press;
    this.press = null;
    cancelAnimationFrame(this.frame);
    if (!press?.cards.length) return;
    this.gliding.hold();
    this.grip.giveBack();
    settle(press);
    this.gliding.after();
  };

  /** A finger is captured by what it touches, until it drags: only then it is the root's to lose. */
  private readonly lost = (event: PointerEvent): void => {
    if (event.target === this.root) this.cancel();
  };

  private readonly down = (event: PointerEvent): void => {
    if (this.press || event.button !== 0 || !event.isPrimary || !this.grip.free) return;
    const card = (event.target as Element).closest<HTMLElement>("[data-from][data-card]");
    if (!card) return;
    const { pointerId: pointer, clientX: x, clientY: y } = event;
    const far = FAR[event.pointerType === "touch" ? "touch" : "mouse"];
    this.press = { pointer, card, name: card.dataset["card"], x, y, far, cards: [], dx: 0, dy: 0 };
  };

  private readonly move = (event: PointerEvent): void => {
    const press = this.press;
    if (!press || event.pointerId !== press.pointer) return;
    press.dx = event.clientX - press.x;
    press.dy = event.clientY - press.y;
    if (!press.cards.length) {
      if (settings.input === "clicks" || Math.hypot(press.dx, press.dy) < press.far) return;
      press.cards = isSame(press) ? this.grip.take(press.card) : [];
      if (!press.cards.length) return void (this.press = null);
      for (const card of press.cards) card.classList.add("dragged");
      this.root.setPointerCapture(press.pointer);
    }
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => carry(press));
  };

  private readonly up = (event: PointerEvent): void => {
    const press = this.press;
    if (!press || event.pointerId !== press.pointer) return;
    this.press = null;
    cancelAnimationFrame(this.frame);
    if (!press.cards.length) return isSame(press) && settings.input !== "drags" ? this.grip.tap(press.card) : undefined;
    carry(press);
    this.gliding.hold(); // so that they glide from where they were let go
    const laid = this.drop(press, event.clientX, event.clientY);
    settle(press);
    if (!laid) {
      this.grip.giveBack();
      this.gliding.after();
    }
  };

  /** Lays the cards on the nearest place that takes them, if it is no more than a card's width away. */
  private drop(press: Press, x: number, y: number): boolean {
    const card = press.cards[0]!.getBoundingClientRect();
    let best: { distance: number; lay: () => boolean } | null = null;
    for (const { place, lay } of this.grip.offers()) {
      if (!place) continue;
      const box = place.getBoundingClientRect();
      const middle = away(box, card.left + card.width / 2, card.top + card.height / 2);
      const distance = Math.min(away(box, x, y), middle);
      if (distance <= card.width && (best === null || distance < best.distance)) best = { distance, lay };
    }
    return best?.lay() ?? false;
  }
}

/** Whether the element still shows the card that was pressed. */
const isSame = ({ card, name }: Press): boolean => card.isConnected && card.dataset["card"] === name;

function carry({ cards, dx, dy }: Press): void {
  for (const card of cards) card.style.transform = `translate(${dx}px, ${dy}px)`;
}

function settle({ cards }: Press): void {
  for (const card of cards) {
    card.classList.remove("dragged");
    card.style.transform = "";
  }
}

/** How far a point is from a rectangle; 0 inside. */
function away(place: DOMRect, x: number, y: number): number {
  const dx = Math.max(place.left - x, 0, x - place.right);
  const dy = Math.max(place.top - y, 0, y - place.bottom);
  return Math.hypot(dx, dy);
}
