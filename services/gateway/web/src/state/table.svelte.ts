// One table as this page has it: what is shown, what is on its way, and what has just happened.
//
// The thin shell around net/protocol: it carries effects out. What is legal is asked of game/, what moves where on the
// screen is the stage's. What others do is shown frame by frame, what one does oneself at once.
import { tick } from "svelte";
import type { Card } from "../game/cards";
import type { Action } from "../game/actions";
import { foreseen } from "../game/pending";
import { EMPTY, type TableView } from "../game/view";
import type { Ended, Event, Returned } from "../generated/frames";
import type { Table } from "../net/frames";
import { type Effect, Protocol } from "../net/protocol";
import { Problem, socketUrl } from "../net/rest";
import { type Final, Link, type Listener } from "../net/socket";
import { cueOf } from "../sound/cues";
import { heard } from "../sound/ear";
import { Company, type EmoteName } from "./company.svelte";
import { NextFrame } from "./next_frame";
import { notices } from "./notice.svelte";

/** What players are told in passing. */
export type News =
  /** An own card that came second. */
  | { readonly kind: "returned"; readonly event: Returned }
  /** Another's card that came after one's own. */
  | { readonly kind: "kept"; readonly event: Returned }
  | { readonly kind: "tie"; readonly card: Card; readonly seats: readonly number[] }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "setBack" }
  | { readonly kind: "called"; readonly seat: number }
  | { readonly kind: "shifted" }
  | { readonly kind: "problem"; readonly code: string };

/** Where cards are moved on the screen: told before and after each change of what is shown. */
export interface Stage {
  before(old: TableView, next: TableView, events: readonly Event[]): void;
  after(): void;
}

const NEWS_MS = 3_500;
const NO_STAGE: Stage = { before: () => undefined, after: () => undefined };

export class TableStore implements Listener {
  /** The table as the lobby knows it. */
  table = $state.raw<Table | null>(null);
  /** What is to be seen, own moves that are on their way included. */
  view = $state.raw<TableView>(EMPTY);
  seat = $state.raw<number | null>(null);
  connection = $state.raw<"connecting" | "live" | "lost" | "paused" | "frozen">("connecting");
  rtt = $state.raw<number | null>(null);
  /** Why there will be no more to see. */
  final = $state.raw<Final | null>(null);
  /** How the last hand ended, until the next is dealt. */
  end = $state.raw<Ended | null>(null);
  news = $state.raw<readonly { readonly id: number; readonly what: News }[]>([]);
  /** The events that were shown last, for those who listen. */
  events = $state.raw<readonly Event[]>([]);
  /** How many own commands are on their way. */
  unanswered = $state.raw(0);

  readonly company = new Company();
  stage: Stage = NO_STAGE;
  private readonly protocol: Protocol;
  private readonly link: Link;
  private pending: { readonly ticket: number; readonly action: Action }[] = [];
  /** What will be seen at the next frame, and by which events. */
  private next: TableView = EMPTY;
  private happened: Event[] = [];
  private readonly frame = new NextFrame(() => this.draw());
  private newsCount = 0;
  private offset = 0;

  constructor(
    readonly id: string,
    readonly wantsSeat: boolean,
  ) {
    this.protocol = new Protocol(wantsSeat);
    this.link = new Link(socketUrl(id), this);
    this.link.start();
  }

  /** The edge's clock, ms since 1970. */
  now(): number {
    return Date.now() + this.offset;
  }

  /** Sends an action of the seat, and shows at once what it does. */
  do(action: Action): void {
    const { ticket, effects } = this.protocol.submit(action);
    this.pending = [...this.pending, { ticket, action }];
    this.show(null);
    this.frame.now();
    this.carryOut(effects);
  }

  /** Whether an own action of this kind is on its way. */
  awaits(kind: Action["t"]): boolean {
    return this.pending.some(({ action }) => action.t === kind);
  }

  ready(isReady = true): void {
    const nonce = [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");
    this.link.send(JSON.stringify({ t: "ready", ready: isReady, nonce }));
  }

  /** Says something to everyone at the table; it comes back as what others say does. */
  say(emote: EmoteName): void {
    this.link.send(JSON.stringify({ t: "emote", emote }));
  }

  /** The network is back, or the page is looked at again. */
  hurry(): void {
    if (this.final === null) this.link.hurry();
  }

  close(): void {
    this.frame.cancel();
    this.link.close();
  }

  /** Makes a call and tells what is wrong with it, if something is. */
  async ask(call: Promise<unknown>): Promise<void> {
    try {
      await call;
    } catch (problem) {
      this.tell({ kind: "problem", code: problem instanceof Problem ? problem.code : "any" });
    }
  }

  tell(what: News): void {
    const id = ++this.newsCount;
    this.news = [...this.news.slice(-2), { id, what }];
    setTimeout(() => (this.news = this.news.filter((each) => each.id !== id)), NEWS_MS);
  }

  /** Whether no move counts now. */
  get stands(): boolean {
    return this.connection === "paused" || this.connection === "frozen";
  }

  // What the link tells

  opened(): void {
    this.carryOut(this.protocol.attach());
  }

  received(text: string): void {
    this.carryOut(this.protocol.received(text));
    const { now, table, seat, rtt, watchers, paused, attached } = this.protocol;
    if (now) this.offset = now - Date.now();
    this.protocol.now = 0;
    this.table = table;
    this.seat = seat;
    this.rtt = rtt;
    this.company.watchers = watchers;
    if (attached) this.connection = paused ? "paused" : table?.frozen ? "frozen" : "live";
  }

  lost(): boolean {
    const attached = this.protocol.attached;
    this.protocol.lost();
    if (this.connection !== "connecting") this.connection = "lost";
    return attached;
  }

  ended(why: Final): void {
    this.protocol.lost();
    this.final = why;
  }

  // Within

  private carryOut(effects: Effect[]): void {
    for (const effect of effects) this.carryOutOne(effect);
    this.unanswered = this.protocol.unanswered;
  }

  private carryOutOne(effect: Effect): void {
    switch (effect.kind) {
      case "send":
        return this.link.send(effect.frame);
      case "happened":
        this.forget(effect.ticket);
        this.show(effect.event);
        return this.note(effect.event);
      case "renewed":
        if (this.protocol.view.phase !== "over" && this.protocol.view.phase !== "prepared") this.end = null;
        return this.show(null);
      case "settled":
        this.forget(effect.ticket);
        this.show(null);
        if (effect.verdict.v === "refused") this.tell({ kind: "refused", why: effect.verdict.why ?? "" });
        return;
      case "failed":
        this.forget(effect.ticket);
        this.show(null);
        return this.tell({ kind: "setBack" });
      case "reconnect":
        return this.link.drop();
      case "said":
        return this.company.hear(effect.seat, effect.emote, this.table?.seats[effect.seat]?.player ?? "");
      case "notice":
        return notices.hear(effect.notice);
      case "complained":
        if (effect.code === "too_many_emotes") this.tell({ kind: "problem", code: effect.code });
        return;
    }
  }

  private forget(ticket: number | null): void {
    if (ticket !== null) this.pending = this.pending.filter((each) => each.ticket !== ticket);
  }

  /** Shows what is confirmed with what is on its way. */
  private show(event: Event | null): void {
    const confirmed = this.protocol.view;
    const actions = this.pending.map(({ action }) => action);
    if (event !== null) this.happened.push(event);
    // The last hand stays in sight until the next one is dealt.
    if (confirmed.phase !== "prepared" || this.next.phase !== "over") {
      this.next = this.protocol.seat === null ? confirmed : foreseen(confirmed, this.protocol.seat, actions);
    }
    this.frame.ask();
  }

  private draw(): void {
    const { next, happened } = this;
    this.happened = [];
    if (happened.length) this.events = happened;
    if (next === this.view) return;
    this.stage.before(this.view, next, happened);
    this.view = next;
    void tick().then(() => this.stage.after());
  }

  private note(event: Event): void {
    const mine = "n" in event && event.seat === this.protocol.seat;
    void heard(cueOf(event, this.protocol.seat));
    switch (event.e) {
      case "deal":
        this.end = null;
        return;
      case "end":
        this.end = event;
        return;
      case "return":
        if (mine) this.tell({ kind: "returned", event });
        else if (this.protocol.seat !== null && event.first.includes(this.protocol.seat)) {
          this.tell({ kind: "kept", event });
        }
        return;
      case "play": {
        const seats = this.protocol.view.foundations[event.f]?.ranks[event.rank - 1] ?? [];
        const me = this.protocol.seat;
        if (event.tie && me !== null && seats.includes(me)) this.tell({ kind: "tie", card: event.card, seats });
        return;
      }
      case "call":
        return this.tell({ kind: "called", seat: event.seat });
      case "shift":
        return this.tell({ kind: "shifted" });
    }
  }
}
