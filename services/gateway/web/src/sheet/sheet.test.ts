import { expect, test } from "vitest";
import type { HandSheet } from "../net/rest";
import { columns, rows, withEnded } from "./sheet";

interface Line {
  readonly points: number;
  readonly total: number;
  readonly called?: boolean;
}
const sheet = (hand: number, why: string, lines: readonly Line[], teams: number[][] = []): HandSheet => ({
  hand,
  why,
  ended_ms: hand,
  seats: lines.map(({ points, total, called = false }, seat) => ({
    seat,
    player: `p${seat}`,
    name: `Player ${seat}`,
    bot: false,
    foundation: points + 2,
    demon: 1,
    called,
    points,
    total,
  })),
  teams: teams.map((seats) => ({ seats, points: 0, total: 0 })),
});
const two = (hand: number, a: number, b: number, why = "called") =>
  sheet(hand, why, [
    { points: a, total: a, called: why === "called" },
    { points: b, total: b },
  ]);
const playoffs = (hands: HandSheet[], options: Record<string, unknown>) =>
  rows({ hands, options }).flatMap(({ hand, playoff }) => (playoff ? [hand] : []));

test("a row has a cell for each player, and says who called and who leads", () => {
  const [row] = rows({ hands: [two(1, 20, 5)], options: {} });
  expect(row).toMatchObject({ hand: 1, why: "called", counts: true, callers: [0] });
  expect(row!.cells).toEqual([
    { cards: 22, demon: 1, points: 20, total: 20, called: true, leads: true },
    { cards: 7, demon: 1, points: 5, total: 5, called: false, leads: false },
  ]);
});

test("partners share a column", () => {
  const lines = [1, 2, 3, 4].map((points) => ({ points, total: 10 * points, called: points === 4 }));
  const hands = [
    sheet(1, "called", lines, [
      [0, 2],
      [1, 3],
    ]),
  ];
  expect(columns(hands).map(({ seats }) => seats)).toEqual([
    [0, 2],
    [1, 3],
  ]);
  expect(rows({ hands, options: {} })[0]!.cells).toEqual([
    { cards: 8, demon: 2, points: 4, total: 40, called: false, leads: false },
    { cards: 10, demon: 2, points: 6, total: 60, called: true, leads: true },
  ]);
});

test("the hand after two have reached the target is the playoff, and only where there is one", () => {
  const hands = [two(1, 60, 20), two(2, 101, 100), two(3, 120, 130)];
  expect(playoffs(hands, { match_end: "playoff", target: 100 })).toEqual([3]);
  expect(playoffs(hands, { match_end: "share", target: 100 })).toEqual([]);
  expect(playoffs([two(1, 101, 90), two(2, 130, 120)], { match_end: "playoff", target: 100 })).toEqual([]);
});

test("after a fixed number of hands it is the playoff if the lead is shared", () => {
  expect(playoffs([two(1, 9, 3), two(2, 20, 20), two(3, 1, 2)], { match_end: "playoff", hands: 2 })).toEqual([3]);
  expect(playoffs([two(1, 9, 9), two(2, 20, 21)], { match_end: "playoff", hands: 2 })).toEqual([]);
});

test("a hand that was taken back leads nobody, and is dealt again as what it was", () => {
  const hands = [two(1, 101, 102), two(2, 101, 102, "disputed"), two(3, 110, 120)];
  const found = rows({ hands, options: { match_end: "playoff", target: 100 } });
  expect(found.map(({ counts, playoff }) => [counts, playoff])).toEqual([
    [true, false],
    [false, true],
    [true, true],
  ]);
  expect(found[1]!.cells.some(({ leads }) => leads)).toBe(false);
});

test("a match without a hand has no sheet", () => {
  expect(columns([])).toEqual([]);
  expect(rows({ hands: [], options: {} })).toEqual([]);
});

test("a hand that has just ended is on the sheet at once, and once", () => {
  const seat = (index: number) => ({ index, player: `p${index}`, name: `Player ${index}`, bot: false });
  const table = { seats: [seat(0), seat(1)], teams: [] } as never;
  const scores = [
    { seat: 0, foundation: 10, demon: 0, points: 10 },
    { seat: 1, foundation: 5, demon: 4, points: -3 },
  ];
  const end = { hand: 2, why: "called" as const, callers: [0], scores, at: 5 };
  const hands = withEnded([two(1, 20, 5)], table, end);
  expect(rows({ hands, options: {} })[1]).toMatchObject({
    hand: 2,
    callers: [0],
    cells: [
      { points: 10, total: 30, called: true, leads: true },
      { cards: 5, demon: 4, points: -3, total: 2 },
    ],
  });
  expect(withEnded(hands, table, end)).toBe(hands);
  expect(withEnded(hands, table, null)).toBe(hands);
});
