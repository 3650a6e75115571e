// What the platform knows of a game: what could be done next, and whether it can still be won. Both are of one state,
// and gone with the next.
import { type Hint, Problem, rest } from "../net/rest";
import type { TableStore } from "../state/table.svelte";

/** How often a question is asked again because a move came in between, or somebody else was being answered. */
const TRIES = 4;
const AGAIN_MS = 400;

export type Outlook = "yes" | "no" | "unknown" | "asking";

export class Advice {
  /** What the last question is about: the event it was asked at. */
  private hintOf = $state.raw<{ seq: number; hint: Hint | null } | null>(null);
  private outlookOf = $state.raw<{ seq: number; outlook: Outlook } | null>(null);

  constructor(private readonly store: TableStore) {}

  /** The hint for what is on the table now. */
  get hint(): Hint | null {
    return this.hintOf?.seq === this.seq ? this.hintOf.hint : null;
  }

  get asking(): boolean {
    return this.hintOf?.seq === this.seq && this.hintOf.hint === null;
  }

  get outlook(): Outlook | null {
    return this.outlookOf?.seq === this.seq ? this.outlookOf.outlook : null;
  }

  async ask(): Promise<void> {
    const seq = this.seq;
    if (seq < 0 || this.asking) return;
    this.hintOf = { seq, hint: null };
    try {
      const hint = await this.answer(seq, () => rest.hint(this.store.id));
      if (this.seq === seq) this.hintOf = hint?.seq === seq ? { seq, hint } : null;
    } catch (problem) {
      this.hintOf = null;
      this.store.tell({ kind: "problem", code: problem instanceof Problem ? problem.code : "any" });
    }
  }

  /** Finds out whether the game can still be won. */
  async look(): Promise<void> {
    const seq = this.seq;
    if (seq < 0 || this.outlook !== null) return;
    this.outlookOf = { seq, outlook: "asking" };
    try {
      const winnable = await this.answer(seq, () => rest.outlook(this.store.id));
      const outlook = winnable === null || winnable === undefined ? "unknown" : winnable ? "yes" : "no";
      if (this.seq === seq) this.outlookOf = { seq, outlook };
    } catch {
      if (this.seq === seq) this.outlookOf = { seq, outlook: "unknown" };
    }
  }

  /** The event that is shown; -1 while something is on its way, for then nobody knows yet what there is to ask about. */
  private get seq(): number {
    return this.store.unanswered ? -1 : this.store.view.seq;
  }

  /** The answer to a question of this state; undefined if there is another one meanwhile. */
  private async answer<Answer>(seq: number, question: () => Promise<Answer>): Promise<Answer | undefined> {
    for (let tries = 1; this.seq === seq; tries++) {
      try {
        return await question();
      } catch (problem) {
        const busy = problem instanceof Problem && (problem.status === 429 || problem.status === 503);
        if (!busy || tries === TRIES) throw problem;
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS * tries));
      }
    }
    return undefined;
  }
}
