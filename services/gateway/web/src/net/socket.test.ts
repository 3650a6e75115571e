import { beforeEach, describe, expect, test } from "vitest";
import { type Connection, type Final, Link, type Listener, type World } from "./socket";

class PaperConnection implements Connection {
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((close: { code: number }) => void) | null = null;
  readonly sent: string[] = [];
  closed = false;

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.closed = true;
  }
}

/** A browser on paper, whose clock is a number. */
class PaperWorld implements World {
  readonly connections: PaperConnection[] = [];
  private time = 0;
  private due: { at: number; then: () => void }[] = [];

  connect(): PaperConnection {
    const connection = new PaperConnection();
    this.connections.push(connection);
    return connection;
  }

  later(ms: number, then: () => void): () => void {
    const item = { at: this.time + ms, then };
    this.due.push(item);
    return () => (this.due = this.due.filter((each) => each !== item));
  }

  now = (): number => this.time;
  random = (): number => 1;

  pass(ms: number): void {
    const until = this.time + ms;
    for (;;) {
      const next = this.due.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.due = this.due.filter((each) => each !== next);
      this.time = next.at;
      next.then();
    }
    this.time = until;
  }

  get last(): PaperConnection {
    return this.connections.at(-1)!;
  }
}

class PaperListener implements Listener {
  readonly heard: string[] = [];
  final: Final | null = null;
  useful = false;

  opened = (): void => void this.heard.push("opened");
  received = (text: string): void => void this.heard.push(text);
  lost = (): boolean => (this.heard.push("lost"), this.useful);
  ended = (why: Final): void => void (this.final = why);
}

let world: PaperWorld;
let listener: PaperListener;
let link: Link;

beforeEach(() => {
  world = new PaperWorld();
  listener = new PaperListener();
  link = new Link("ws://here/table", listener, world);
  link.start();
  world.last.onopen!();
});

describe("a link", () => {
  test("waits longer from one vain try to the next, and never longer than five seconds", () => {
    const pauses: number[] = [];
    for (let i = 0; i < 9; i++) {
      world.last.onclose!({ code: 1006 });
      const before = world.connections.length;
      let waited = 0;
      while (world.connections.length === before) world.pass(((waited += 10), 10));
      pauses.push(waited);
    }
    expect(pauses).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000]);
  });

  test("comes back at once after a connection that was of use", () => {
    listener.useful = true;
    for (let i = 0; i < 4; i++) {
      world.last.onclose!({ code: 1001 });
      world.pass(100);
    }
    expect(world.connections.length).toBe(5);
  });

  test("waits longer at once where too many came together", () => {
    world.last.onclose!({ code: 1013 });
    world.pass(1_590);
    expect(world.connections.length).toBe(1);
    world.pass(20);
    expect(world.connections.length).toBe(2);
  });

  test.each([
    [4004, "unknown_table"],
    [4009, "taken_over"],
    [4010, "closed"],
    [4001, "not_signed_in"],
  ] as const)("does not come back after %i", (code, why) => {
    world.last.onclose!({ code });
    world.pass(60_000);
    expect(listener.final).toBe(why);
    expect(world.connections.length).toBe(1);
  });

  test("asks after silence, and gives up a connection that stays silent", () => {
    world.pass(3_000);
    expect(world.last.sent).toEqual(['{"t":"ping","id":1}']);
    world.pass(5_100);
    expect(listener.heard).toContain("lost");
    expect(world.connections.length).toBe(2);
    expect(world.connections[0]!.closed).toBe(true);
  });

  test("stays with a connection that is heard of", () => {
    for (let i = 0; i < 20; i++) {
      world.pass(2_900);
      world.last.onmessage!({ data: "{}" });
    }
    expect(world.connections.length).toBe(1);
  });

  test("hears nothing more of a connection that was dropped", () => {
    const [old] = world.connections;
    link.drop();
    expect(old!.onmessage).toBeNull();
    world.pass(200);
    expect(world.connections.length).toBe(2);
  });

  test("has one connection at a time, however often it is hurried", () => {
    world.last.onclose!({ code: 1006 });
    link.hurry();
    link.hurry();
    world.pass(1_000);
    expect(world.connections.length).toBe(2);
  });

  test("finds out at once whether a connection has outlived a phone's sleep", () => {
    world.last.onopen!();
    world.last.onmessage!({ data: "{}" });
    link.hurry();
    expect(world.last.sent).toEqual(['{"t":"ping","id":1}']);
    world.pass(2_000);
    expect(listener.heard).toContain("lost");
    world.pass(100);
    expect(world.connections.length).toBe(2);
  });

  test("stays with a connection that answers when it is hurried", () => {
    world.last.onopen!();
    link.hurry();
    link.hurry();
    world.last.onmessage!({ data: '{"t":"pong","id":2,"now":1}' });
    world.pass(2_900);
    expect(world.connections.length).toBe(1);
    expect(listener.heard).not.toContain("lost");
  });

  test("is silent for good once it was closed", () => {
    link.close();
    world.pass(60_000);
    expect(world.connections.length).toBe(1);
    expect(world.last.closed).toBe(true);
  });
});
