// Plays a film: where it is, how fast it goes, whose layout lies below. The table's parts show it like a live table.
import { tick } from "svelte";
import type { TableView } from "../game/view";
import type { Stage } from "../state/table.svelte";
import type { Ground } from "../table/hand.svelte";
import { type Film, frameAt } from "./film";

export const SPEEDS = [0.5, 1, 2, 4, 8] as const;
export type Speed = (typeof SPEEDS)[number];

export class Player implements Ground {
  index = $state(0);
  /** ms from the beginning. */
  time = $state(0);
  playing = $state(false);
  speed = $state<Speed>(2);
  seat = $state<number | null>(0);
  view = $state.raw<TableView>() as TableView;
  /** Nothing can be moved here. */
  readonly stands = true;
  readonly final = null;
  stage: Stage | null = null;
  private last: number | null = null;

  constructor(readonly film: Film) {
    this.view = film.frames[0]!.view;
  }

  get ended(): boolean {
    return this.index === this.film.frames.length - 1;
  }

  toggle(): void {
    if (!this.playing && this.ended) this.show(0);
    this.playing = !this.playing;
    this.last = null;
  }

  /** The time has gone on to `now`, ms by a steady clock. */
  advance(now: number): void {
    if (!this.playing) return;
    const passed = this.last === null ? 0 : now - this.last;
    this.last = now;
    this.time = Math.min(this.film.length, this.time + passed * this.speed);
    const next = frameAt(this.film.frames, this.time);
    // One event after the other, so that each card is seen to go its way; but no more than the eye can follow.
    if (next - this.index > 3) this.put(next);
    else while (this.index < next) this.put(this.index + 1);
    if (this.ended) this.playing = false;
  }

  /** Stops, and shows one frame. */
  show(index: number): void {
    const at = Math.max(0, Math.min(this.film.frames.length - 1, index));
    this.playing = false;
    this.time = this.film.frames[at]!.at;
    this.put(at);
  }

  step(by: 1 | -1): void {
    this.show(this.index + by);
  }

  /** Goes to a time, and on from there if it was playing. */
  seek(ms: number): void {
    this.time = ms;
    this.last = null;
    this.put(frameAt(this.film.frames, ms));
  }

  awaits(): boolean {
    return false;
  }

  do(): void {
    // A hand that was played stays as it was.
  }

  private put(index: number): void {
    if (index === this.index) return;
    const { view, event } = this.film.frames[index]!;
    this.stage?.before(this.view, view, event && index === this.index + 1 ? [event] : []);
    this.index = index;
    this.view = view;
    void tick().then(() => this.stage?.after());
  }
}
