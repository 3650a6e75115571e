import { describe, expect, test } from "vitest";
import { chained } from "../game/digest";
import type { Action } from "../game/actions";
import type { Table } from "./frames";
import { type Effect, Protocol } from "./protocol";

const TABLE = { id: "t", version: 1, state: "playing", seats: [] } as unknown as Table;
const TURN: Action = { t: "turn", stock: 35 };

/** An edge on paper: it writes a table's log, and says what it is told to. */
class Edge {
  seq = 0;
  digest = "";

  event(e: string, fields: object): string {
    this.seq += 1;
    const body = JSON.stringify({ seq: this.seq, at: 1000 + this.seq, e, ...fields }).slice(0, -1);
    this.digest = chained(this.digest, body);
    return `${body},"digest":"${this.digest}"}`;
  }

  /** The log up to the start signal of a hand of two. */
  started(): string[] {
    const layout = { demon: 13, top: "KD", columns: ["2H", "9S", "QC", "5D"], stock: 35 };
    return [
      this.event("prepare", { hand: 1, match: "m", seats: 2, commitment: "c" }),
      this.event("deal", {
        hand: 1,
        match: "m",
        options: { draw: 3 },
        commitment: "c",
        seats: [],
        start_at: 1,
        layouts: [layout, layout],
      }),
      this.event("start", { hand: 1 }),
    ];
  }

  turned(n: number, seat = 0): string {
    return this.event("turn", { seat, n, seen: 3, arrived: 1, count: 3, shows: "7C" });
  }
}

const welcome = (fields: object = {}): string =>
  JSON.stringify({
    t: "welcome",
    v: 1,
    player: "p",
    seat: 0,
    n: 0,
    resumed: false,
    set_back: false,
    table: TABLE,
    now: 5,
    ...fields,
  });
const verdict = (n: number, fields: object): string => JSON.stringify({ t: "verdict", n, ...fields });
const sent = (effects: Effect[]): unknown[] =>
  effects.flatMap((effect) => (effect.kind === "send" ? [JSON.parse(effect.frame) as unknown] : []));
const kinds = (effects: Effect[]): string[] => effects.map((effect) => effect.kind);

function attached(edge: Edge): Protocol {
  const protocol = new Protocol(true);
  protocol.attach();
  protocol.received(welcome());
  for (const text of edge.started()) protocol.received(text);
  return protocol;
}

describe("a table's socket", () => {
  test("first says what it has, and is shown what follows", () => {
    const protocol = new Protocol(true);
    expect(sent(protocol.attach())).toEqual([{ t: "attach", seat: true, after: null, n: 0 }]);
    protocol.received(welcome());
    for (const text of new Edge().started()) protocol.received(text);
    expect(protocol.view.phase).toBe("playing");
    expect(protocol.seat).toBe(0);
  });

  test("numbers commands and names the hand and the last event that was seen", () => {
    const edge = new Edge();
    const protocol = attached(edge);
    const seen = { hand: 1, seen: 3, digest: edge.digest };
    expect(sent(protocol.submit(TURN).effects)).toEqual([{ t: "turn", n: 1, ...seen, stock: 35 }]);
    expect(sent(protocol.submit({ t: "recycle" }).effects)).toEqual([{ t: "recycle", n: 2, ...seen }]);
  });

  test.each(["verdict first", "event first"])("applies an own move once, %s", (order) => {
    const edge = new Edge();
    const protocol = attached(edge);
    const { ticket } = protocol.submit(TURN);
    const event = edge.turned(1);
    const judged = verdict(1, { v: "applied", seq: 4 });
    const effects = (order === "verdict first" ? [judged, event] : [event, judged]).flatMap((text) =>
      protocol.received(text),
    );
    expect(effects).toMatchObject([
      { kind: "happened", ticket },
      { kind: "settled", ticket },
    ]);
    expect(protocol.view.seats[0]!.stock).toBe(32);
    expect(protocol.received(event)).toEqual([]);
    expect(protocol.view.seats[0]!.stock).toBe(32);
  });

  test("does not take another seat's event for its own", () => {
    const edge = new Edge();
    const protocol = attached(edge);
    protocol.submit(TURN);
    expect(protocol.received(edge.turned(1, 1))).toMatchObject([{ kind: "happened", ticket: null }]);
  });

  test("sends what has no verdict again after a reconnect, and nothing that was judged", () => {
    const edge = new Edge();
    const protocol = attached(edge);
    const before = edge.digest;
    protocol.submit(TURN);
    protocol.submit({ t: "recycle" });
    protocol.received(edge.turned(1));
    protocol.lost();
    expect(protocol.submit({ t: "call" }).effects).toEqual([]);
    expect(sent(protocol.attach())).toMatchObject([{ after: { seq: 4, digest: edge.digest }, n: 0 }]);
    const again = protocol.received(welcome({ n: 1, resumed: true }));
    expect(sent(again)).toMatchObject([
      { t: "recycle", n: 2, seen: 3, digest: before },
      { t: "call", n: 3, seen: 4, digest: edge.digest },
    ]);
    expect(kinds(protocol.received(verdict(1, { v: "applied", seq: 4 })))).toEqual(["settled"]);
  });

  test("asks for a snapshot if the same event breaks the chain twice", () => {
    const edge = new Edge();
    const protocol = attached(edge);
    const wrong = edge.turned(1).replace(/[0-9a-f]{16}"}$/, `${"0".repeat(16)}"}`);
    expect(kinds(protocol.received(wrong))).toEqual(["reconnect"]);
    expect(sent(protocol.attach())).toMatchObject([{ after: { seq: 3 } }]);
    protocol.received(welcome({ resumed: true }));
    expect(kinds(protocol.received(wrong))).toEqual(["reconnect"]);
    expect(sent(protocol.attach())).toMatchObject([{ after: null }]);
  });

  test("a gap is never papered over", () => {
    const edge = new Edge();
    const protocol = attached(edge);
    edge.turned(1, 1);
    expect(kinds(protocol.received(edge.turned(2, 1)))).toEqual(["reconnect"]);
    expect(protocol.view.seq).toBe(3);
  });

  test("what was unanswered is void when history was lost", () => {
    const protocol = attached(new Edge());
    protocol.submit(TURN);
    expect(kinds(protocol.received(JSON.stringify({ t: "set_back", n: 0 })))).toEqual(["failed"]);
    expect(protocol.unanswered).toBe(0);
  });

  test("settles verdicts that waited for events when a snapshot contains them", () => {
    const edge = new Edge();
    const protocol = attached(edge);
    const { ticket } = protocol.submit(TURN);
    protocol.received(verdict(1, { v: "applied", seq: 4 }));
    edge.turned(1);
    const snapshot = {
      ...{
        t: "snapshot",
        seq: 4,
        digest: edge.digest,
        phase: "playing",
        hand: 1,
        match: "m",
        options: {},
        commitment: "c",
      },
      ...{ start_at: 1, closes_at: null, progress: 0, callers: [], votes: { "1": "shift" }, asked: false, away: [] },
      seats: [1, 2].map(() => ({
        demon: 2,
        top: "KD",
        columns: [[], [], [], []],
        stock: 32,
        waste: 3,
        waste_top: "7C",
      })),
      foundations: [{ suit: "S", ranks: [[0], [0, 1]] }],
      last_n: [1, 0],
    };
    expect(protocol.received(JSON.stringify(snapshot))).toMatchObject([
      { kind: "renewed" },
      { kind: "settled", ticket },
    ]);
    expect(protocol.view.seats[0]!.waste).toEqual([null, null, "7C"]);
    expect(protocol.view.votes).toEqual([null, "shift"]);
  });

  test("at most 32 commands are unanswered, the others wait their turn", () => {
    const edge = new Edge();
    const protocol = attached(edge);
    for (let i = 0; i < 32; i++) protocol.submit(TURN);
    expect(protocol.submit({ t: "call" }).effects).toEqual([]);
    expect(sent(protocol.received(verdict(1, { v: "refused", why: "stock_changed" })))).toMatchObject([
      { t: "call", n: 33 },
    ]);
  });

  test("answers pings at once", () => {
    expect(sent(attached(new Edge()).received('{"t":"ping","id":5,"rtt":31}'))).toEqual([{ t: "pong", id: 5 }]);
  });

  test("what seats say passes by, and who watches is known until the connection is another", () => {
    const protocol = attached(new Edge());
    expect(protocol.received('{"t":"emote","seat":1,"emote":"nice"}')).toEqual([
      { kind: "said", seat: 1, emote: "nice" },
    ]);
    expect(protocol.received('{"t":"watchers","count":3}')).toEqual([]);
    expect(protocol.watchers).toBe(3);
    protocol.lost();
    protocol.attach();
    protocol.received(welcome({ resumed: true }));
    expect(protocol.watchers).toBe(0);
  });

  test("a frame that was lost makes what follows it be sent again, once", () => {
    const protocol = attached(new Edge());
    for (let i = 0; i < 3; i++) protocol.submit(TURN);
    expect(sent(protocol.received(verdict(2, { v: "out_of_order", last: 0 })))).toMatchObject([
      { n: 1 },
      { n: 2 },
      { n: 3 },
    ]);
    expect(protocol.received(verdict(3, { v: "out_of_order", last: 0 }))).toEqual([]);
  });
});
