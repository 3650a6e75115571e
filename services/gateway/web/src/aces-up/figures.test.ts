import { expect, test } from "vitest";
import { bars, CHART, lasted, percent } from "./figures";
import { dealNumber } from "./number";

test.each([
  [0, "0:00"],
  [7_400, "0:07"],
  [247_000, "4:07"],
  [3_750_000, "1:02:30"],
  [-5, "0:00"],
])("%i ms are %s", (ms, text) => expect(lasted(ms)).toBe(text));

test.each([
  [0, "0%"],
  [0.374, "37%"],
  [0.999, "99%"],
  [1, "100%"],
  [1.2, "100%"],
])("a share of %f is %s", (share, text) => expect(percent(share, "en")).toBe(text));

test("every game has its bar, within the chart, as high as cards were removed", () => {
  const games = Array.from({ length: 50 }, (_, i) => i);
  const found = bars(games);
  expect(found.length).toBe(50);
  for (const { x, y, width, height } of found) {
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(CHART.width);
    expect(y + height).toBeCloseTo(CHART.height);
    expect(height).toBeGreaterThan(0);
  }
  expect(bars([48])[0]!.height).toBe(CHART.height);
  expect(bars([24])[0]!.height).toBe(CHART.height / 2);
});

test.each([
  ["1", 1],
  [" 123 ", 123],
  ["2147483648", 2_147_483_648],
  ["2147483649", null],
  ["0", null],
  ["-4", null],
  ["1e3", null],
  ["12.5", null],
  ["", null],
  [null, null],
  ["99999999999", null],
])("the text %j names deal %j", (text, number) => expect(dealNumber(text)).toBe(number));
