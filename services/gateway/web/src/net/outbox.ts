// A seat's commands on their way: numbered, at most 32 unanswered, sent again after a reconnect. No socket, no clock.
//
// A command gets its number when it is first sent and keeps its frame until its verdict arrives: the referee knows a
// number that it has judged, so sending again never counts twice.
import type { Action } from "../game/actions";

/** How many commands may be unanswered (docs/protocol.md); more wait here. */
export const WINDOW = 32;

interface Waiting {
  readonly ticket: number;
  readonly hand: number;
  readonly seen: number;
  readonly digest: string;
  readonly action: Action;
}

interface Sent {
  readonly ticket: number;
  readonly frame: string;
}

/** Commands that have no verdict yet. A ticket names a command to the caller, whatever number it gets. */
export class Outbox {
  private tickets = 0;
  private last = 0; // the highest number in use, here or (as the edge said) on another socket of the seat
  private welcome = 0; // the seat's last judged number when this socket was welcomed
  private waiting: Waiting[] = [];
  private readonly sent = new Map<number, Sent>();
  private outOfOrderAt: number | null = null;

  get size(): number {
    return this.waiting.length + this.sent.size;
  }

  /** The last number up to which every verdict has arrived: what an attach names. */
  get answered(): number {
    return this.sent.size ? Math.min(...this.sent.keys()) - 1 : this.last;
  }

  /** Queues a command and returns its ticket. `seen` is the last event its player had applied; its digest shows it. */
  add(hand: number, seen: number, digest: string, action: Action): number {
    this.tickets += 1;
    this.waiting.push({ ticket: this.tickets, hand, seen, digest, action });
    return this.tickets;
  }

  /** Numbers what the window has room for, and returns those frames. */
  flush(): string[] {
    const out: string[] = [];
    while (this.waiting.length && this.sent.size < WINDOW) {
      const { ticket, hand, seen, digest, action } = this.waiting.shift()!;
      this.last += 1;
      const { t, ...rest } = action;
      const frame = JSON.stringify({ t, n: this.last, hand, seen, digest, ...rest });
      this.sent.set(this.last, { ticket, frame });
      out.push(frame);
    }
    return out;
  }

  /** The frames to send again after a welcome that names `judged`; null: these are not that history's numbers. */
  resume(judged: number): string[] | null {
    const again = [...this.sent.keys()].filter((n) => n > judged).sort((a, b) => a - b);
    if (judged < this.answered || again.some((n, i) => n !== judged + 1 + i)) return null;
    this.last = Math.max(this.last, judged);
    this.welcome = judged;
    this.outOfOrderAt = null;
    return again.map((n) => this.sent.get(n)!.frame);
  }

  /** The frames that were judged before the welcome and whose verdict did not come with it: asking again gets it. */
  overdue(): string[] {
    return [...this.sent].flatMap(([n, { frame }]) => (n <= this.welcome ? [frame] : []));
  }

  /** The ticket of command `n`, which has its verdict; null if it had one before, or is none of ours. */
  judged(n: number): number | null {
    const sent = this.sent.get(n);
    if (!sent) return null;
    this.sent.delete(n);
    this.outOfOrderAt = null;
    return sent.ticket;
  }

  /** The ticket of command `n` while it has no verdict. */
  ticketOf(n: number): number | null {
    return this.sent.get(n)?.ticket ?? null;
  }

  /**
   * The frames to send again, because `n` arrived when the seat's last number was `last`. One lost frame makes each one
   * after it be answered so; only the first of them starts a new round. Null: what the edge waits for is not here.
   */
  outOfOrder(n: number, last: number): string[] | null {
    if (!this.sent.has(n)) return [];
    if (this.outOfOrderAt !== null && n > this.outOfOrderAt) {
      this.outOfOrderAt = n;
      return [];
    }
    if (!this.sent.has(last + 1)) return null;
    this.outOfOrderAt = n;
    return [...this.sent].flatMap(([number, { frame }]) => (number > last ? [frame] : []));
  }

  /** Forgets all commands, since they were made for a history that is gone, and returns their tickets. */
  void(last: number): number[] {
    const tickets = [...[...this.sent.values()].map((sent) => sent.ticket), ...this.waiting.map((w) => w.ticket)];
    this.sent.clear();
    this.waiting = [];
    this.last = this.welcome = last;
    this.outOfOrderAt = null;
    return tickets;
  }
}
