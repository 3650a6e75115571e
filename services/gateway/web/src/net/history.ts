// The one history of a table as this page has it: a gapless, digest-chained sequence, and the view it leads to.
import { chained, unseal } from "../game/digest";
import { type TableView, apply, EMPTY, fromSnapshot } from "../game/view";
import type { Event, Snapshot } from "./frames";

/** The next event does not follow: resume. */
export class Broken extends Error {}

export class History {
  seq = 0;
  digest = "";
  view: TableView = EMPTY;
  private brokenAt: number | null = null;
  private distrusted = false;

  /** The last event applied, as an attach names it; null: nothing, or nothing to be relied on. */
  get after(): { seq: number; digest: string } | null {
    return this.seq === 0 || this.distrusted ? null : { seq: this.seq, digest: this.digest };
  }

  /** What follows does not continue this history. The view stays until it comes, so nobody sees an empty table. */
  restart(): void {
    this.seq = 0;
    this.digest = "";
    this.brokenAt = null;
    this.distrusted = false;
  }

  load(snapshot: Snapshot): void {
    this.view = fromSnapshot(snapshot);
    this.seq = snapshot.seq;
    this.digest = snapshot.digest;
  }

  /** Applies the next event; null if it was applied before. Throws `Broken` at a gap or another history. */
  follow(text: string): Event | null {
    const sealed = unseal(text);
    const event = JSON.parse(text) as Event;
    if (!sealed) throw this.broken("an event without a digest");
    if (event.seq <= this.seq) return null;
    if (event.seq !== this.seq + 1) throw this.broken(`event ${event.seq} after ${this.seq}`);
    if (sealed.digest !== chained(this.digest, sealed.body)) throw this.broken(`event ${event.seq} does not follow`);
    this.view = apply(this.seq ? this.view : EMPTY, event);
    this.seq = event.seq;
    this.digest = sealed.digest;
    return event;
  }

  /** If it breaks twice at the same place, `after` asks for a snapshot. */
  private broken(why: string): Broken {
    this.distrusted = this.brokenAt === this.seq;
    this.brokenAt = this.seq;
    return new Broken(why);
  }
}
