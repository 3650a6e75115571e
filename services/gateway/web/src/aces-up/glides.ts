// Cards glide: whatever lies elsewhere after a change starts from where it lay before, and what is new from the stock
// (FLIP, by transform only). Elements are marked with their card, or with their place while the card isn't known.
import type { TableView } from "../game/view";
import type { Stage } from "../state/table.svelte";
import type { Gliding } from "../ui/drag";
import { still } from "../ui/motion";

const DURATION_MS = 210;
/** Between the cards of a row. */
const STAGGER_MS = 45;
const EASING = "cubic-bezier(.2,.7,.3,1)";
export const STOCK = "stock";

export class Glides implements Stage, Gliding {
  private readonly marked = new Map<string, HTMLElement>();
  private readonly running = new Map<HTMLElement, Animation>();
  private readonly from = new Map<string | HTMLElement, DOMRect>();

  /** An attachment that marks an element. */
  mark(name: string): (element: HTMLElement) => () => void {
    return (element) => {
      this.marked.set(name, element);
      return () => {
        if (this.marked.get(name) === element) this.marked.delete(name);
      };
    };
  }

  before(old: TableView, next: TableView): void {
    if (old.game !== next.game) this.hold();
  }

  hold(): void {
    for (const [name, element] of this.marked) {
      if (this.from.has(name)) continue;
      const place = element.getBoundingClientRect();
      this.from.set(name, place);
      this.from.set(element, place);
    }
  }

  after(): void {
    const from = new Map(this.from);
    this.from.clear();
    const stock = from.get(STOCK);
    if (!stock || still()) return;
    for (const animation of this.running.values()) animation.cancel();
    // All places are read before anything is moved, so that the browser lays the page out once.
    const moved = [...this.marked].map(([name, element]) => {
      const was = from.get(name) ?? from.get(element);
      return { element, was: was ?? stock, isNew: !was, to: element.getBoundingClientRect() };
    });
    let late = 0;
    for (const { element, was, isNew, to } of moved) this.glide(element, was, to, isNew ? late++ * STAGGER_MS : 0);
  }

  private glide(element: HTMLElement, from: DOMRect, to: DOMRect, delay: number): void {
    const scale = to.width ? Math.min(1.2, from.width / to.width) : 1;
    const dx = from.left + from.width / 2 - (to.left + to.width / 2);
    const dy = from.top + from.height / 2 - (to.top + to.height / 2);
    if (Math.abs(dx) < 1 && Math.abs(dy) < 1) return;
    const frames = [{ transform: `translate(${dx}px, ${dy}px) scale(${scale})` }, { transform: "none" }];
    element.classList.add("flying");
    const animation = element.animate(frames, { duration: DURATION_MS, easing: EASING, delay, fill: "backwards" });
    this.running.set(element, animation);
    animation.onfinish = animation.oncancel = () => {
      if (this.running.get(element) !== animation) return;
      this.running.delete(element);
      element.classList.remove("flying");
    };
  }
}
