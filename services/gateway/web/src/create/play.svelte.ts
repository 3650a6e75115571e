// The way to a table: signs in by the name that was typed, makes the call, and goes there.
import { t } from "../i18n/i18n.svelte";
import { type Me, Problem } from "../net/rest";
import { go } from "../state/route.svelte";
import { session } from "../state/session.svelte";
import { change, settings } from "../state/settings.svelte";

export class Entrance {
  name = $state(settings.name || `${t("front.guest")} ${100 + Math.floor(Math.random() * 900)}`);
  working = $state(false);
  problem = $state.raw<Problem | null>(null);

  /** Goes to the table that `find` gives; whether that worked. */
  async play(find: (me: Me) => Promise<string>): Promise<boolean> {
    if (this.working) return false;
    this.working = true;
    this.problem = null;
    try {
      const me = await session.signIn(this.name.trim());
      change({ name: me.name });
      go(`/table/${await find(me)}`);
      return true;
    } catch (caught) {
      this.problem = caught instanceof Problem ? caught : new Problem(0, "any", "");
      if (this.problem.code === "already_seated") void session.restore().catch(() => undefined);
      if (this.problem.code === "not_signed_in") session.forget();
      return false;
    } finally {
      this.working = false;
    }
  }
}
