// Keeps a table's connection up: connects, notices silence, and tries again with jittered pauses. One socket at a time.
//
// Knows which close codes are final, and nothing of what the frames mean.
import { VERSION } from "./frames";

/** Why there will be no further connection. */
export type Final = "closed" | "unknown_table" | "taken_over" | "not_your_seat" | "not_signed_in" | "refused";

const FINAL: Readonly<Record<number, Final>> = {
  1000: "closed",
  1008: "refused",
  4001: "not_signed_in",
  4003: "not_your_seat",
  4004: "unknown_table",
  4009: "taken_over",
  4010: "closed",
};
/** After so much silence, ms, it pings; after twice that and a bit the connection is taken for dead. */
const PROBE_MS = 3_000;
const SILENCE_MS = 8_000;
/** Clocks may have stood still while a phone slept: whoever does not answer within this time, ms, is gone. */
const HURRY_MS = 2_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** The close code of an edge that lets nobody else in for now, and after how many failures one waits as long then. */
const TRY_AGAIN_LATER = 1013;
const CROWDED = 4;

export interface Listener {
  /** A new connection is open. */
  opened(): void;
  /** A frame has come on it. */
  received(text: string): void;
  /** It is gone, and another is tried. Answers whether it had been of use: then the next try comes at once. */
  lost(): boolean;
  /** It is gone for good. */
  ended(why: Final): void;
}

/** What is needed of the browser; the tests have their own. */
export interface World {
  connect(url: string, protocol: string): Connection;
  later(ms: number, then: () => void): () => void;
  now(): number;
  random(): number;
}

export interface Connection {
  onopen: (() => void) | null;
  onmessage: ((message: { data: string }) => void) | null;
  onclose: ((close: { code: number }) => void) | null;
  send(text: string): void;
  close(code?: number): void;
}

export const BROWSER: World = {
  connect: (url, protocol) => new WebSocket(url, protocol) as Connection,
  later: (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
  now: () => performance.now(),
  random: () => Math.random(),
};

export class Link {
  private connection: Connection | null = null;
  private open = false;
  private cancel: () => void = () => undefined;
  private failures = 0;
  private heardAt = 0;
  /** How many frames have come. */
  private heard = 0;
  private probes = 0;

  constructor(
    private readonly url: string,
    private readonly listener: Listener,
    private readonly world: World = BROWSER,
  ) {}

  start(): void {
    this.cancel();
    const connection = this.world.connect(this.url, VERSION);
    this.connection = connection;
    this.heardAt = this.world.now();
    connection.onopen = () => {
      this.open = true;
      this.listener.opened();
    };
    connection.onmessage = ({ data }) => {
      this.heardAt = this.world.now();
      this.heard += 1;
      this.listener.received(data);
    };
    connection.onclose = ({ code }) => this.gone(code);
    this.cancel = this.world.later(PROBE_MS, () => this.listen());
  }

  /** Writes a frame, if there is a connection. */
  send(text: string): void {
    if (this.open) this.connection?.send(text);
  }

  /** Gives the present connection up; another one follows. */
  drop(): void {
    this.abandon();
    this.gone(1006);
  }

  /** Says goodbye, for good. */
  close(): void {
    this.abandon();
    this.cancel();
  }

  /** The network is back, or the page is looked at again: tries at once, or soon knows whether anybody is there still. */
  hurry(): void {
    if (this.connection === null) return this.start();
    if (!this.open) return;
    const heard = this.heard;
    this.probe();
    this.cancel();
    this.cancel = this.world.later(HURRY_MS, () => (this.heard === heard ? this.drop() : this.listen()));
  }

  private abandon(): void {
    const connection = this.connection;
    this.connection = null;
    this.open = false;
    if (connection) {
      connection.onopen = connection.onmessage = connection.onclose = null;
      connection.close(1000);
    }
  }

  private listen(): void {
    const silence = this.world.now() - this.heardAt;
    if (silence >= SILENCE_MS) return this.drop();
    if (silence >= PROBE_MS) this.probe();
    this.cancel = this.world.later(Math.min(PROBE_MS, SILENCE_MS - silence), () => this.listen());
  }

  private probe(): void {
    this.probes += 1;
    this.send(JSON.stringify({ t: "ping", id: this.probes }));
  }

  private gone(code: number): void {
    this.connection = null;
    this.open = false;
    this.cancel();
    const why = FINAL[code];
    if (why) return this.listener.ended(why);
    if (this.listener.lost()) this.failures = 0;
    if (code === TRY_AGAIN_LATER) this.failures = Math.max(this.failures, CROWDED);
    // Full jitter, so that many pages of a lost edge don't return at once.
    const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(this.failures, 10));
    this.failures += 1;
    this.cancel = this.world.later(this.world.random() * longest, () => this.start());
  }
}
