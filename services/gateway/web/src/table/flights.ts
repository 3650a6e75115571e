// Cards glide: whatever lies elsewhere after a change starts from where it lay before (FLIP, by transform only).
//
// Elements are marked with a name, "0:4H" for a card of seat 0, "seat:2" for a seat's place. Places are read before a
// change and again after it, in one go each, so that the browser lays the page out once.
import type { Event } from "../generated/frames";
import type { TableView } from "../game/view";
import type { Stage } from "../state/table.svelte";
import type { Gliding } from "../ui/drag";
import { still } from "../ui/motion";

const DURATION_MS = 180;
const EASING = "cubic-bezier(.2,.7,.3,1)";

export class Flights implements Stage, Gliding {
  private readonly marked = new Map<string, HTMLElement>();
  private readonly from = new Map<string, DOMRect>();

  constructor(private readonly seat: () => number | null) {}

  /** An attachment that marks an element: `{@attach flights.mark("0:4H")}`. */
  mark(name: string | null): (element: HTMLElement) => () => void {
    return (element) => {
      if (name !== null) this.marked.set(name, element);
      return () => {
        if (name !== null && this.marked.get(name) === element) this.marked.delete(name);
      };
    };
  }

  /** Where a marked element lies in the window; null: there is none. */
  placeOf(name: string): DOMRect | null {
    return this.marked.get(name)?.getBoundingClientRect() ?? null;
  }

  before(old: TableView, next: TableView, events: readonly Event[]): void {
    const me = this.seat();
    if (me !== null && old.hand === next.hand && old.seats[me] !== next.seats[me]) this.rememberOwn(me);
    for (const event of events) {
      if (event.e !== "play" || event.seat === me) continue;
      const place = this.marked.get(`seat:${event.seat}`);
      if (place) this.from.set(`${event.seat}:${event.card}`, place.getBoundingClientRect());
    }
  }

  after(): void {
    const moved: [HTMLElement, DOMRect, DOMRect][] = [];
    if (!still()) {
      for (const [name, from] of this.from) {
        const element = this.marked.get(name);
        if (element) moved.push([element, from, element.getBoundingClientRect()]);
      }
    }
    this.from.clear();
    for (const [element, from, to] of moved) glide(element, from, to);
  }

  /** Starts the flights of own cards from where they are now, if a change follows. */
  hold(): void {
    const me = this.seat();
    if (me !== null) this.rememberOwn(me);
  }

  private rememberOwn(me: number): void {
    const own = `${me}:`;
    for (const [name, element] of this.marked) {
      if (name.startsWith(own) && !this.from.has(name)) this.from.set(name, element.getBoundingClientRect());
    }
  }
}

function glide(element: HTMLElement, from: DOMRect, to: DOMRect): void {
  const scale = to.width ? Math.min(1.2, from.width / to.width) : 1;
  const dx = from.left + from.width / 2 - (to.left + to.width / 2);
  const dy = from.top + from.height / 2 - (to.top + to.height / 2);
  if (Math.abs(dx) < 1 && Math.abs(dy) < 1) return;
  const frames = [{ transform: `translate(${dx}px, ${dy}px) scale(${scale})` }, { transform: "none" }];
  element.classList.add("flying");
  const animation = element.animate(frames, { duration: DURATION_MS, easing: EASING });
  animation.onfinish = animation.oncancel = () => element.classList.remove("flying");
}
