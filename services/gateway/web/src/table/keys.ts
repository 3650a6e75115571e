// What the keyboard does at a table; Keys.svelte lists it for players.
import type { Hand } from "./hand.svelte";

/** `stuck` is what there is to vote for at this table. */
export function onKey(event: KeyboardEvent, hand: Hand, stuck: "shift" | "end"): void {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target as Element | null;
  if (target?.closest("dialog, [popover], input, select, textarea")) return;
  if (event.key === "Enter" || (event.key === " " && target?.matches("button:not([data-card])"))) {
    if (target?.matches("button, a, summary")) return; // what has the focus is meant
  }
  const act = actions(hand, stuck)[event.key.toLowerCase()];
  if (!act) return;
  event.preventDefault();
  act();
}

const actions = (hand: Hand, stuck: "shift" | "end"): Record<string, () => void> => ({
  " ": () => hand.turn(),
  d: () => hand.quick("demon"),
  w: () => hand.quick("waste"),
  f: () => void hand.layUp(),
  "1": () => hand.column(0),
  "2": () => hand.column(1),
  "3": () => hand.column(2),
  "4": () => hand.column(3),
  c: () => hand.call(),
  v: () => hand.vote(stuck),
  escape: () => hand.giveBack(),
});
