import { expect, test } from "vitest";
import type { Event } from "../generated/frames";
import { cueOf } from "./cues";

const event = (fields: object): Event =>
  ({ seq: 1, at: 1, digest: "", seat: 1, n: 1, seen: 0, arrived: 1, ...fields }) as unknown as Event;

test.each([
  [{ e: "move" }, "card"],
  [{ e: "turn" }, "card"],
  [{ e: "row" }, "card"],
  [{ e: "fill" }, "card"],
  [{ e: "remove" }, "foundation"],
  [{ e: "play", tie: false }, "foundation"],
  [{ e: "play", tie: true }, "tie"],
  [{ e: "return" }, "lost"],
  [{ e: "call" }, "call"],
  [{ e: "start" }, "go"],
  [{ e: "end" }, null],
])("one hears of oneself %j as %s", (fields, cue) => expect(cueOf(event(fields), 1)).toBe(cue));

test.each([
  [{ e: "move" }, null],
  [{ e: "play", tie: false }, null],
  [{ e: "return" }, null],
  [{ e: "call" }, "call"],
])("one hears of others %j as %s", (fields, cue) => expect(cueOf(event(fields), 0)).toBe(cue));

test("a tie is heard by everybody, and who watches hears what goes up", () => {
  expect(cueOf(event({ e: "play", tie: true }), 0)).toBe("tie");
  expect(cueOf(event({ e: "play", tie: false }), null)).toBe("foundation");
});
