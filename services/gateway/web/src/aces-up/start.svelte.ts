// Beginning a game: whoever wants one is signed in, and goes to its table.
import { type AcesUpWish, Problem, rest } from "../net/rest";
import { go } from "../state/route.svelte";
import { session } from "../state/session.svelte";
import { change, settings } from "../state/settings.svelte";

export class Start {
  working = $state(false);
  problem = $state.raw<Problem | null>(null);

  /** Begins a game of a deal that nobody has chosen: any one, or any one that can be won. */
  anew(name = "", how: { replace?: boolean } = {}): Promise<void> {
    return this.begin(settings.acesWinnable ? { winnable: true } : {}, name, how);
  }

  /** Begins a game, with the comforts that were chosen unless the wish says otherwise; a running one ends by that. */
  async begin(wish: AcesUpWish, name = "", { replace = false } = {}): Promise<void> {
    if (this.working) return;
    this.working = true;
    this.problem = null;
    try {
      const me = session.me ?? (await session.restore()) ?? (await session.signIn(name));
      change({ name: me.name });
      const comforts = { practice: settings.acesPractice, auto_remove: settings.acesAutoRemove };
      const { id } = await rest.playAcesUp({ ...comforts, ...wish });
      session.me = { ...me, table: id };
      go(`/table/${id}`, { replace });
    } catch (caught) {
      this.problem = caught instanceof Problem ? caught : new Problem(0, "any", "");
      if (this.problem.code === "not_signed_in") session.forget();
    } finally {
      this.working = false;
    }
  }
}
