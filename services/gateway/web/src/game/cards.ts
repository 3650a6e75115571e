// Cards: rank, suit, colour. A card is its name on the wire, such as "TD". Knows nothing of who holds it.
import type { CardName, Source } from "../generated/frames";

export type { Source } from "../generated/frames";
export type Card = CardName;
export type Suit = "C" | "D" | "H" | "S";
export type Pile = readonly Card[];
export type Column = "c0" | "c1" | "c2" | "c3";

export const COLUMNS: readonly Column[] = ["c0", "c1", "c2", "c3"];
const RANKS = "A23456789TJQK";
const SIGNS: Readonly<Record<Suit, string>> = { C: "♣", D: "♦", H: "♥", S: "♠" };

/** 1 (ace, low) to 13 (king). */
export const rank = (card: Card): number => RANKS.indexOf(card.charAt(0)) + 1;
export const suit = (card: Card): Suit => card.charAt(1) as Suit;
export const red = (card: Card): boolean => suit(card) === "D" || suit(card) === "H";
export const cardOf = (ofRank: number, ofSuit: Suit): Card => `${RANKS.charAt(ofRank - 1)}${ofSuit}` as Card;

/** The rank as players read it: "10", not "T". */
export const rankText = (card: Card): string => (card.startsWith("T") ? "10" : card.charAt(0));
/** The card as players read it: "10♦". */
export const cardText = (card: Card): string => rankText(card) + SIGNS[suit(card)];
export const suitSign = (of: Suit): string => SIGNS[of];

/** The column that a place of a layout is, or -1. */
export const columnOf = (place: Source): number => (COLUMNS as readonly string[]).indexOf(place);

/** Whether `lower` may lie on `upper` in a column: one less, the other colour (RD-4). */
export const buildsDown = (lower: Card, upper: Card): boolean =>
  rank(lower) === rank(upper) - 1 && red(lower) !== red(upper);

/** How many cards of a column, from the exposed end, are in order and so may move as one (RD-4). */
export function tailLength(pile: Pile): number {
  let n = Math.min(1, pile.length);
  while (n < pile.length && buildsDown(pile[pile.length - n]!, pile[pile.length - n - 1]!)) n += 1;
  return n;
}
