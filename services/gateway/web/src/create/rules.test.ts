import { expect, test } from "vitest";
import type { HouseRules } from "../net/rest";
import { changesOf, differences, optionsOf, perSeat } from "./rules";

const option = (name: string, usual: number | string) => ({
  name,
  default: usual,
  choices: null,
  lowest: 0,
  highest: 20,
  per_seat: name === "demon_size",
});
const CATALOGUE: HouseRules = {
  options: [option("demon_size", 13), option("target", 100), option("newest", 1), option("draw", 3)],
  presets: {
    racing_demon: { demon_size: 13, target: 100, newest: 1, draw: 3 },
    family: { demon_size: 13, target: 50, newest: 1, draw: 3 },
  },
  pairs_seats: [4, 6, 8],
  words: {},
};

test("only what differs from the preset is asked for", () => {
  expect(changesOf(CATALOGUE, "family", { target: 50, draw: 1, gone: 3 })).toEqual({ draw: 1 });
});

test("what differs from the usual rules is shown in the order in which it is asked for", () => {
  const rules = { target: 50, draw: 1, demon_size: [13, 10], newest: 1 };
  expect(differences(CATALOGUE, rules).map(({ option, value }) => [option.name, value])).toEqual([
    ["demon_size", [13, 10]],
    ["draw", 1],
    ["target", 50],
  ]);
});

test("an option that no group knows can be chosen all the same", () => {
  expect(optionsOf(CATALOGUE, "match").map(({ name }) => name)).toEqual(["target", "newest"]);
});

test("a handicap has as many numbers as there are seats", () => {
  expect(perSeat(13, 3, 13)).toEqual([13, 13, 13]);
  expect(perSeat([10, 8], 3, 13)).toEqual([10, 8, 13]);
  expect(perSeat([10, 8, 7], 2, 13)).toEqual([10, 8]);
});
