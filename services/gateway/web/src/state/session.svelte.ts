// Who plays here. The token is a cookie that scripts can't read; here is only whether there is one, and whose it is.
import { type Me, Problem, rest } from "../net/rest";

const KEY = "pandemonium.player";

class Session {
  me = $state.raw<Me | null>(null);

  /** Finds out who is signed in; asks only if somebody was, so that a first visit causes no refusal. */
  async restore(): Promise<Me | null> {
    if (!remembered()) return null;
    try {
      this.me = await rest.me();
    } catch (problem) {
      if (!(problem instanceof Problem) || problem.code !== "not_signed_in") throw problem;
      this.forget();
    }
    return this.me;
  }

  /** A player of this name: the one who is here, if that is the name, else a new guest. */
  async signIn(name: string): Promise<Me> {
    if (this.me === null) await this.restore();
    if (this.me?.name === name) return this.me;
    const guest = await rest.createGuest(name);
    remember(guest.player);
    this.me = { player: guest.player, name: guest.name, table: null };
    return this.me;
  }

  /** Deletes the player for good. Throws `Problem`; then it can be asked again. */
  async delete(): Promise<void> {
    await rest.deleteMe();
    this.forget();
  }

  forget(): void {
    this.me = null;
    remember(null);
  }
}

function remembered(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return document.cookie.length > 0;
  }
}

function remember(player: string | null): void {
  try {
    if (player === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, player);
  } catch {
    // Then the next visit begins anew.
  }
}

export const session = new Session();
