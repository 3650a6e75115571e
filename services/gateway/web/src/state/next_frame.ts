// Work that waits for the next frame: however much happens until then is drawn once.

/** What is needed of the browser; the tests have their own. */
export interface Screen {
  /** Whether nobody looks: then no frames are drawn. */
  hidden(): boolean;
  request(then: () => void): number;
  cancel(request: number): void;
}

const BROWSER: Screen = {
  hidden: () => document.hidden,
  request: (then) => requestAnimationFrame(then),
  cancel: (request) => cancelAnimationFrame(request),
};

export class NextFrame {
  private asked: number | null = null;

  constructor(
    private readonly work: () => void,
    private readonly screen: Screen = BROWSER,
  ) {}

  /** Does the work before the next frame is drawn; at once where none is. */
  ask(): void {
    if (this.screen.hidden()) this.now();
    else this.asked ??= this.screen.request(this.now);
  }

  /** Does it at once, and not again at the next frame. */
  readonly now = (): void => {
    this.cancel();
    this.work();
  };

  /** Does not do it. */
  cancel(): void {
    if (this.asked !== null) this.screen.cancel(this.asked);
    this.asked = null;
  }
}
