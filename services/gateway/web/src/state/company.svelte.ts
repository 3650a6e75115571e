// Who else is at a table: how many watch it, and what the seats say to each other in a word.
import { SvelteSet } from "svelte/reactivity";
import type { Emote } from "../generated/frames";
import { settings } from "./settings.svelte";

export type EmoteName = Emote["emote"];
export const EMOTES: readonly EmoteName[] = [
  "hello",
  "good_luck",
  "well_played",
  "nice",
  "thanks",
  "wow",
  "oops",
  "thinking",
];

/** What a seat has just said. */
export interface Said {
  readonly id: number;
  readonly seat: number;
  readonly emote: EmoteName;
}

const SHOWN_MS = 3_000;

/** Players whose words are not shown, for as long as the page is open. */
export const muted = new SvelteSet<string>();

export class Company {
  watchers = $state.raw(0);
  /** What is in sight: of each seat its last word. */
  said = $state.raw<readonly Said[]>([]);
  private count = 0;

  /** A seat has said something; shows it for a while, unless its player is muted or nothing is to be shown. */
  hear(seat: number, emote: EmoteName, player: string): void {
    if (settings.emotes === "off" || muted.has(player)) return;
    const id = ++this.count;
    this.said = [...this.said.filter((each) => each.seat !== seat), { id, seat, emote }];
    setTimeout(() => (this.said = this.said.filter((each) => each.id !== id)), SHOWN_MS);
  }
}
