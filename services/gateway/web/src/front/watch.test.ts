import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watching } from "./watch";

/** A page that can be put out of sight. */
class Page extends EventTarget {
  hidden = false;
  show(shown: boolean): void {
    this.hidden = !shown;
    this.dispatchEvent(new Event("visibilitychange"));
  }
}

let page: Page;
beforeEach(() => {
  vi.useFakeTimers();
  page = new Page();
  const window = new EventTarget();
  vi.stubGlobal("document", page);
  vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
  vi.stubGlobal("removeEventListener", window.removeEventListener.bind(window));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("it looks soon after a change, and ever more seldom while nothing changes", async () => {
  let changes = true;
  const look = vi.fn(async () => changes);
  const end = watching(look);
  await vi.advanceTimersByTimeAsync(9_500);
  expect(look).toHaveBeenCalledTimes(4);
  changes = false;
  await vi.advanceTimersByTimeAsync(600_000);
  expect(look.mock.calls.length).toBeLessThan(4 + 50);
  end();
  const before = look.mock.calls.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(look).toHaveBeenCalledTimes(before);
});

test("out of sight it does not look, and in sight again it looks at once", async () => {
  const look = vi.fn(async () => false);
  const end = watching(look);
  await vi.advanceTimersByTimeAsync(0);
  page.hidden = true;
  await vi.advanceTimersByTimeAsync(60_000);
  const before = look.mock.calls.length;
  expect(before).toBeLessThanOrEqual(2);
  page.show(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(look).toHaveBeenCalledTimes(before + 1);
  end();
});

test("a look that fails is followed by another", async () => {
  const look = vi.fn(async () => Promise.reject(new Error("no network")));
  const end = watching(look);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(look.mock.calls.length).toBeGreaterThan(1);
  end();
});
