// The table socket without a socket: frames in, effects out. Knows docs/protocol.md; no network, no clock, no DOM.
//
// The life of one: `attach()` at each new connection, `received(text)` for each frame, `lost()` when the connection is
// gone; `submit(action)` at any time. Each returns what is to be carried out, in order.
import type { Action } from "../game/actions";
import type { TableView } from "../game/view";
import type { EmoteOut, Notice } from "../generated/frames";
import { type Event, type ServerFrame, type Table, type Verdict, isEvent } from "./frames";
import { Broken, History } from "./history";
import { Outbox } from "./outbox";

export type Effect =
  /** Put this on the wire. */
  | { readonly kind: "send"; readonly frame: string }
  /** The view has moved on by this event; `ticket` is that of the own command it came from. */
  | { readonly kind: "happened"; readonly event: Event; readonly ticket: number | null }
  /** The view was replaced as a whole. */
  | { readonly kind: "renewed" }
  /** The command of this ticket has its verdict, and the view contains what came of it. */
  | { readonly kind: "settled"; readonly ticket: number; readonly verdict: Verdict }
  /** The command of this ticket will never have a verdict. */
  | { readonly kind: "failed"; readonly ticket: number }
  /** A seat has said something; no part of the game. */
  | { readonly kind: "said"; readonly seat: number; readonly emote: EmoteOut["emote"] }
  /** The operators tell all players something, or nothing any more. */
  | { readonly kind: "notice"; readonly notice: Notice }
  /** The edge did not take a frame of ours; nothing changed. */
  | { readonly kind: "complained"; readonly code: string }
  /** This connection is of no more use: drop it and attach on a new one. */
  | { readonly kind: "reconnect"; readonly why: string };

/** An event that a seat's command became. */
type SeatEvent = Extract<Event, { n: number }>;

const send = (frame: string): Effect => ({ kind: "send", frame });

/** One seat's (or watcher's) side of a table's socket, over all its connections. */
export class Protocol {
  private readonly history = new History();
  private readonly outbox = new Outbox();
  private readonly early = new Map<number, { ticket: number; verdict: Verdict }>(); // verdicts before their event
  private listening = false;
  attached = false;
  paused = false;
  seat: number | null = null;
  table: Table | null = null;
  /** The round trip that the edge last measured, ms. */
  rtt: number | null = null;
  /** How many watch the table. */
  watchers = 0;
  /** The edge's clock when the last frame that told it arrived, ms. */
  now = 0;

  constructor(private readonly wantsSeat: boolean) {}

  get view(): TableView {
    return this.history.view;
  }

  /** How many commands have no verdict yet. */
  get unanswered(): number {
    return this.outbox.size;
  }

  attach(): Effect[] {
    this.listening = true;
    const attach = { t: "attach", seat: this.wantsSeat, after: this.history.after, n: this.outbox.answered };
    return [send(JSON.stringify(attach))];
  }

  /** The connection is gone. Commands are kept. */
  lost(): void {
    this.listening = this.attached = false;
  }

  /** Takes a command of the seat; it is sent now, or when it may be. */
  submit(action: Action): { ticket: number; effects: Effect[] } {
    const { seq, digest } = this.history;
    const ticket = this.outbox.add(this.view.hand, seq, digest, action);
    return { ticket, effects: this.flush() };
  }

  received(text: string): Effect[] {
    if (!this.listening) return [];
    if (isEvent(text)) return this.event(text);
    const frame = JSON.parse(text) as ServerFrame;
    switch (frame.t) {
      case "verdict":
        return this.verdict(frame);
      case "ping":
        this.rtt = frame.rtt;
        return [send(JSON.stringify({ t: "pong", id: frame.id })), ...this.outbox.overdue().map(send)];
      case "table":
        this.take(frame.table);
        return [];
      case "welcome":
        this.now = frame.now;
        this.seat = frame.seat;
        return this.welcome(frame.n, frame.resumed, frame.set_back, frame.table);
      case "snapshot":
        this.history.load(frame);
        return [{ kind: "renewed" }, ...this.caughtUp()];
      case "set_back":
        this.history.restart();
        return this.void(frame.n);
      case "paused":
        this.paused = true;
        return [];
      case "going_on":
        this.paused = false;
        return [];
      case "pong":
        this.now = frame.now;
        return [];
      case "emote":
        return [{ kind: "said", seat: frame.seat, emote: frame.emote }];
      case "watchers":
        this.watchers = frame.count;
        return [];
      case "notice":
        return [{ kind: "notice", notice: frame }];
      case "error":
        return this.error(frame.code, frame.n);
      default:
        return []; // a newer edge may say more
    }
  }

  private welcome(judged: number, resumed: boolean, setBack: boolean, table: Table): Effect[] {
    this.attached = true;
    this.paused = false;
    this.watchers = 0;
    this.take(table);
    if (!resumed) this.history.restart();
    const again = setBack ? null : this.outbox.resume(judged);
    if (again === null) return [...this.void(judged), ...this.flush()];
    return [...again.map(send), ...this.flush()];
  }

  private event(text: string): Effect[] {
    let event: Event | null;
    try {
      event = this.history.follow(text);
    } catch (problem) {
      if (!(problem instanceof Broken)) throw problem;
      return this.reconnect(problem.message);
    }
    if (event === null) return [];
    const early = this.early.get(event.seq);
    this.early.delete(event.seq);
    const n = "n" in event && event.seat === this.seat ? (event as SeatEvent).n : 0;
    const ticket = early?.ticket ?? this.outbox.ticketOf(n);
    const happened: Effect = { kind: "happened", event, ticket };
    return early ? [happened, { kind: "settled", ...early }] : [happened];
  }

  private verdict(verdict: Verdict): Effect[] {
    if (verdict.v === "out_of_order") {
      const again = this.outbox.outOfOrder(verdict.n, verdict.last ?? 0);
      return again === null ? this.reconnect(`no command after ${verdict.last}`) : again.map(send);
    }
    if (verdict.v === "taken_over" || verdict.v === "set_back") return []; // what follows says so for all commands
    const ticket = this.outbox.judged(verdict.n);
    if (ticket === null) return [];
    if (verdict.seq !== undefined && verdict.seq > this.history.seq) {
      this.early.set(verdict.seq, { ticket, verdict });
      return this.flush();
    }
    return [{ kind: "settled", ticket, verdict }, ...this.flush()];
  }

  /** Settles what waited for events that a snapshot contains. */
  private caughtUp(): Effect[] {
    const due = [...this.early.keys()].filter((seq) => seq <= this.history.seq).sort((a, b) => a - b);
    return due.map((seq) => {
      const early = this.early.get(seq)!;
      this.early.delete(seq);
      return { kind: "settled", ...early };
    });
  }

  private void(last: number): Effect[] {
    const tickets = [...[...this.early.values()].map((early) => early.ticket), ...this.outbox.void(last)];
    this.early.clear();
    return tickets.map((ticket) => ({ kind: "failed", ticket }));
  }

  private error(code: string, n: number | null): Effect[] {
    // Attaching anew tells what counted; the rest is sent again.
    if (n !== null && code === "unavailable") return this.reconnect("no engine answered");
    const ticket = n === null ? null : this.outbox.judged(n);
    if (ticket === null) return [{ kind: "complained", code }];
    // Its number was not used up: attaching anew sorts out what that means for those after it.
    return [{ kind: "failed", ticket }, ...this.reconnect(code)];
  }

  private take(table: Table): void {
    if (this.table === null || table.version >= this.table.version) this.table = table;
  }

  private flush(): Effect[] {
    return this.attached ? this.outbox.flush().map(send) : [];
  }

  private reconnect(why: string): Effect[] {
    this.lost();
    return [{ kind: "reconnect", why }];
  }
}
