import { expect, test } from "vitest";
import { NextFrame, type Screen } from "./next_frame";

/** A screen that draws when it is told to. */
class PaperScreen implements Screen {
  looked = true;
  private readonly waiting = new Map<number, () => void>();
  private requests = 0;

  hidden(): boolean {
    return !this.looked;
  }

  request(then: () => void): number {
    this.waiting.set(++this.requests, then);
    return this.requests;
  }

  cancel(request: number): void {
    this.waiting.delete(request);
  }

  draw(): void {
    const due = [...this.waiting.values()];
    this.waiting.clear();
    for (const each of due) each();
  }
}

function scene(): { screen: PaperScreen; frame: NextFrame; done: () => number } {
  const screen = new PaperScreen();
  let times = 0;
  const frame = new NextFrame(() => (times += 1), screen);
  return { screen, frame, done: () => times };
}

test("however often it is asked for, the work is done once, at the next frame", () => {
  const { screen, frame, done } = scene();
  frame.ask();
  frame.ask();
  expect(done()).toBe(0);
  screen.draw();
  screen.draw();
  expect(done()).toBe(1);
  frame.ask();
  screen.draw();
  expect(done()).toBe(2);
});

test("what is done at once is not done again at the next frame", () => {
  const { screen, frame, done } = scene();
  frame.ask();
  frame.now();
  screen.draw();
  expect(done()).toBe(1);
});

test("nothing waits for a frame while nobody looks", () => {
  const { screen, frame, done } = scene();
  frame.ask();
  screen.looked = false;
  frame.ask();
  screen.draw();
  expect(done()).toBe(1);
});

test("what was called off is not done", () => {
  const { screen, frame, done } = scene();
  frame.ask();
  frame.cancel();
  screen.draw();
  expect(done()).toBe(0);
});
