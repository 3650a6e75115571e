// What the operators tell all players: heard on a table's socket, elsewhere asked for now and then.
import { rest } from "../net/rest";

export interface Notice {
  readonly id: string;
  readonly texts: Readonly<Record<string, string>>;
  readonly until: number;
}

const ASK_MS = 30_000;

class Notices {
  /** What is told at present and was not put away; null: nothing. */
  shown = $state.raw<Notice | null>(null);
  private putAwayId = "";

  /** Takes what the edge says. No id: there is nothing to be told any more. */
  hear(notice: Notice): void {
    this.shown = notice.id && notice.id !== this.putAwayId ? notice : null;
  }

  /** The player has read it. */
  putAway(): void {
    this.putAwayId = this.shown?.id ?? "";
    this.shown = null;
  }

  /** Asks from now on, until the function that it gives is called. */
  follow(): () => void {
    const ask = () =>
      void rest.notice().then(
        (notice) => this.hear(notice),
        () => undefined,
      );
    ask();
    const timer = setInterval(ask, ASK_MS);
    return () => clearInterval(timer);
  }
}

export const notices = new Notices();
