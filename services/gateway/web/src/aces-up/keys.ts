// What the keyboard does in a game of Aces Up; Menu.svelte lists it for players.
import type { AcesHand } from "./hand.svelte";

/** What keys do besides what the hand does. */
export interface Others {
  hint(): void;
  outlook(): void;
  menu(): void;
}

export function onKey(event: KeyboardEvent, hand: AcesHand, others: Others): void {
  const target = event.target as Element | null;
  if (event.repeat || target?.closest("dialog, input, select, textarea")) return;
  if (event.key === "Enter" || (event.key === " " && target?.matches("button:not([data-card], .stock)"))) {
    if (target?.matches("button, a, summary")) return; // what has the focus is meant
  }
  const command = event.ctrlKey || event.metaKey;
  if (event.altKey || (command && !/^[zy]$/i.test(event.key))) return;
  const name = command && event.shiftKey ? "y" : command && /^y$/i.test(event.key) ? "y" : command ? "u" : event.key;
  const act = actions(hand, others)[name.toLowerCase()];
  if (!act) return;
  event.preventDefault();
  act();
}

const actions = (hand: AcesHand, others: Others): Record<string, () => void> => ({
  " ": () => hand.deal(),
  "1": () => hand.tap(0),
  "2": () => hand.tap(1),
  "3": () => hand.tap(2),
  "4": () => hand.tap(3),
  x: () => void hand.remove(),
  delete: () => void hand.remove(),
  u: () => hand.undo(),
  y: () => hand.redo(),
  h: () => others.hint(),
  o: () => others.outlook(),
  m: () => others.menu(),
  escape: () => hand.giveBack(),
});
