import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Event } from "../generated/frames";
import { contests, tally } from "./contests";
import { contestFrame, film, frameAt } from "./film";

const path = process.env["PAPER_HANDS"];
const hands = (path ? (JSON.parse(readFileSync(path, "utf8")) as { events: string[] }[]) : []).map(({ events }) =>
  events.map((text) => JSON.parse(text) as Event),
);
const play = (seq: number, seat: number, at: number, arrived: number, tie = false) =>
  ({ e: "play", seq, seat, at, arrived, card: "AS", f: 0, rank: 1, tie }) as Event;

test("a tie tells how much later the second card came, and a returned card what the server says", () => {
  const lost = {
    e: "return",
    seq: 4,
    seat: 2,
    card: "AS",
    f: 0,
    rank: 1,
    why: "late",
    first: [0, 1],
    gap: 95,
  } as unknown;
  const found = contests([play(1, 0, 1_000, 990), play(2, 1, 1_050, 1_043, true), lost as Event]);
  expect(found).toMatchObject([
    { seq: 2, seat: 1, first: [0], tied: true, gap: 43 },
    { seq: 4, seat: 2, first: [0, 1], tied: false, gap: 95, seen: false },
  ]);
  expect(tally(found, 3)).toEqual([
    { won: 1, lost: 0, tied: 1, forgiven: 0 },
    { won: 1, lost: 0, tied: 1, forgiven: 43 },
    { won: 0, lost: 1, tied: 0, forgiven: 0 },
  ]);
});

test("of two cards at one place the film knows nothing more than the log", () => {
  expect(hands.length, "run it with pytest tests/web/test_units.py, which makes them").toBeGreaterThan(3);
  for (const events of hands) {
    const ties = events.filter((event) => event.e === "play" && event.tie).length;
    const returned = events.filter((event) => event.e === "return").length;
    const found = contests(events);
    expect([found.filter((each) => each.tied).length, found.filter((each) => !each.tied).length]).toEqual([
      ties,
      returned,
    ]);
  }
  expect(hands.flatMap(contests).length).toBeGreaterThan(5);
});

test("a film begins with the deal, ends with the end, and time never goes back", () => {
  for (const events of hands) {
    const made = film(events)!;
    expect(made.frames[0]).toMatchObject({ event: { e: "deal" }, at: 0 });
    expect(made.frames.at(-1)).toMatchObject({ event: { e: "end" }, view: { phase: "over" }, at: made.length });
    made.frames.slice(1).forEach((frame, i) => expect(frame.at).toBeGreaterThanOrEqual(made.frames[i]!.at));
    made.frames.forEach((frame) => expect(made.frames[frameAt(made.frames, frame.at)]!.at).toBe(frame.at));
  }
});

test("a hand that was never dealt is no film", () => {
  expect(film(hands[0]!.slice(0, 1))).toBeNull();
});

test("contests are gone to one by one, forwards and back", () => {
  const made = film(hands.find((events) => contests(events).length > 2)!)!;
  const seen: number[] = [];
  for (let at = contestFrame(made, 0, 1); at !== null; at = contestFrame(made, at, 1)) seen.push(at);
  expect(seen.map((at) => made.frames[at]!.event.seq)).toEqual(made.contests.map(({ seq }) => seq));
  expect(contestFrame(made, seen[1]!, -1)).toBe(seen[0]);
  expect(contestFrame(made, 0, -1)).toBeNull();
});
