// What is proven of hands that the real rules have dealt and judged, and what is not of hands that somebody changed.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { chained, unseal } from "../game/digest";
import { acesDeck, commitment, decks } from "./deal";
import { verify, type What } from "./report";

const path = process.env["PAPER_HANDS"];
const hands = path ? (JSON.parse(readFileSync(path, "utf8")) as { events: string[] }[]) : [];
const SECRET = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/** The hand with the text of one event changed, and all digests made to fit again. */
function forged(events: readonly string[], change: (text: string) => string): string[] {
  let before = "";
  return events.map((text) => {
    const { body } = unseal(change(text))!;
    before = chained(before, body);
    return `${body},"digest":"${before}"}`;
  });
}

const once = (pattern: RegExp, by: (found: string) => string): ((text: string) => string) => {
  let done = false;
  return (text) => (done || !pattern.test(text) ? text : ((done = true), text.replace(pattern, by)));
};
const failed = async (events: readonly string[]): Promise<What[]> =>
  (await verify(events, null)).checks.filter(({ ok }) => ok === false).map(({ what }) => what);

test("the test vector of docs/deal.md comes out", async () => {
  expect(await commitment(SECRET)).toBe("630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd");
  const [first, second] = (await decks(SECRET, ["alice", "bob"], "m", 1))!;
  expect(first!.join(" ")).toMatch(/^JH 2D AC 2H JC 4H 9D 3H .* 3D 6H TC 9H$/);
  expect(second!.join(" ")).toMatch(/^8H TD 4H 4C QD QC 3D .* JS 5C AH KS TC$/);
});

test("what can be no secret or nonce gives no deck", async () => {
  expect(await commitment(SECRET.toUpperCase())).toBeNull();
  expect(await decks(SECRET.slice(2), ["a"], "m", 1)).toBeNull();
  expect(await decks(SECRET, ["a\n0"], "m", 1)).toBeNull();
  expect(await decks(SECRET, ["a"], "m\n1", 1)).toBeNull();
});

test("the numbered deals of docs/aces-up.md come out", async () => {
  expect((await acesDeck(1)).join(" ")).toMatch(/^8D 3H AD AS QS JH .* 6D 8S 9D 5C$/);
  expect((await acesDeck(2147483648)).join(" ")).toMatch(/^4H 5C 6C 5H 3D .* 8H AS AC QC$/);
});

test("there are hands to verify", () => {
  expect(hands.length, "run it with pytest tests/web/test_units.py, which makes them").toBeGreaterThan(3);
});

describe.each(hands.map(({ events }, i) => [i, events] as const))("hand %i", (_, events) => {
  test("is verified, every seat's deck with it", async () => {
    const report = await verify(events, null);
    expect(report.checks.filter(({ ok }) => ok !== true)).toEqual([]);
    expect(report.verified).toBe(true);
    for (const deck of report.decks) expect(new Set(deck).size).toBe(52);
  });

  test("an event changed, left out or moved breaks the chain", async () => {
    const changed = events.map((text) => text.replace('"e":"start"', '"e":"started"'));
    expect(await failed(changed)).toContain("chain");
    expect(await failed(events.filter((_, i) => i !== 5))).toContain("chain");
    expect(await failed([...events.slice(0, 4), events[5]!, events[4]!, ...events.slice(6)])).toContain("chain");
  });

  test("another secret than the one that was promised is found out", async () => {
    const other = forged(
      events,
      once(/"secret":"../, () => '"secret":"ff'),
    );
    expect(await failed(other)).toEqual(["commitment", "deal", "cards"]);
  });

  test("a deal that the secret does not give is found out, by its seat", async () => {
    const swapped = forged(
      events,
      once(/"columns":\["(..)","(..)"/, (found) => found.replace(/"(..)","(..)"$/, '"$2","$1"')),
    );
    const report = await verify(swapped, null);
    expect(report.checks.find(({ what }) => what === "deal")).toMatchObject({ ok: false, seats: [0] });
    expect(report.verified).toBe(false);
  });

  test("a card that the shuffle had not put there is found out", async () => {
    const cheat = (found: string) =>
      found.replace(/"shows":"(..)"/, (_, card) => `"shows":"${card === "2C" ? "3C" : "2C"}"`);
    expect(await failed(forged(events, once(/"e":"turn".*"shows":".."/, cheat)))).toEqual(["cards"]);
  });

  test("points that nobody made are found out", async () => {
    const more = once(/"points":(-?\d+)/, (found) => found.replace(/-?\d+$/, (points) => `${Number(points) + 1}`));
    expect(await failed(forged(events, more))).toEqual(["score"]);
  });
});

test("a hand that continues another than the table's last event is found out", async () => {
  const { events } = hands[0]!;
  const later = forged(events, (text) => text.replace(/"seq":(\d+)/, (_, seq) => `"seq":${Number(seq) + 7}`));
  expect((await verify(later, null)).checks[1]).toEqual({ what: "joined", ok: null });
  expect((await verify(later, "")).checks[1]).toEqual({ what: "joined", ok: true });
  expect((await verify(later, "0123456789abcdef")).checks[1]).toEqual({ what: "joined", ok: false });
});
