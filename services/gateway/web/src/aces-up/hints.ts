// A hint as a sentence in the player's language: its key, and the cards and piles that it is about.
import { type Card, cardText } from "../game/cards";
import { type Key, tOr } from "../i18n/i18n.svelte";
import type { Hint } from "../net/rest";

const CARD = /^[A2-9TJQK][CDHS]$/;
/** Arguments that number a pile from 0; players count from 1. */
const PILES = new Set(["from", "to", "pile"]);

export function hintText({ key, args }: Hint): string {
  const said = Object.entries(args).map(([name, value]) => [
    name,
    typeof value === "number" && PILES.has(name)
      ? value + 1
      : CARD.test(String(value))
        ? cardText(value as Card)
        : value,
  ]);
  return tOr(
    `aces.hints.${key.slice(key.lastIndexOf(".") + 1)}`,
    "aces.hints.any" satisfies Key,
    Object.fromEntries(said),
  );
}
