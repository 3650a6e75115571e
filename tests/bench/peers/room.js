// The room: one table, four clients. A play is judged at once, in the order in which it came; where there is a commit,
// nobody hears of it before that has succeeded.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { Room } from "@colyseus/core";

import { judge, table } from "./rules.js";

export class TableRoom extends Room {
  maxClients = 4;
  patchRate = null; // no shared state: everything is told by messages

  /** `commit` (call, verdict) resolves once a play is written; null: nothing is kept. */
  onCreate({ table: id, folder, commit }) {
    const { layouts, seq, window, calls } = JSON.parse(readFileSync(join(folder, `${id}.json`), "utf8"));
    this.commit = commit;
    this.calls = calls;
    this.table = table(layouts, { seq, window });
    for (const what of ["play", "move", "turn", "recycle"]) {
      this.onMessage(what, (client, play) => this.take(client, what, play));
    }
  }

  onJoin(client, { seat }) {
    client.userData = { seat };
  }

  async take(client, what, play) {
    const { seat } = client.userData;
    const { verdict, event } = judge(this.table, seat, what, play, Date.now());
    if (this.commit) await this.commit(this.calls[seat][play.n - 1], verdict);
    if (event) this.broadcast("event", event);
    client.send("verdict", verdict);
  }
}
