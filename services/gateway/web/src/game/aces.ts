// A game of Aces Up as everybody sees it: the mirror of services/rules/aces_up, held to it by fixtures from there.
//
// A card that a row has brought and that is not known yet is null; there is none in what the referee has confirmed.
import type * as frames from "../generated/frames";
import type { AcesAction } from "./actions";
import { type Card, rank, suit } from "./cards";

export type AcesPile = readonly (Card | null)[];

/** So many steps can be taken back in practice. */
const KEPT = 100;
const DECK = 52;
const ROW = 4;

/** `gone` are the removed cards that were seen to go; `before` and `again` are the views undo and redo lead to. */
export interface AcesView {
  readonly options: Required<frames.AcesUpOptions>;
  /** All face up, the top last. */
  readonly piles: readonly AcesPile[];
  readonly stock: number;
  readonly undoable: number;
  readonly redoable: number;
  readonly gone: readonly Card[];
  readonly before: AcesView | null;
  readonly again: AcesView | null;
  readonly end: Pick<frames.AcesEnded, "why" | "removed"> | null;
}

const START = { undoable: 0, redoable: 0, gone: [], before: null, again: null, end: null } as const;

export function acesFromSnapshot({ options, piles, stock, undoable, redoable }: frames.GameSnapshot): AcesView {
  const { number, practice, auto_remove } = options;
  return { ...START, options: { number, practice, auto_remove }, piles, stock, undoable, redoable };
}

/** The game one event later; null before its deal. */
export function acesAfter(game: AcesView | null, event: frames.Event): AcesView | null {
  if (event.e === "aces_deal") {
    const { number, practice = false, auto_remove = false } = event.options;
    const piles = event.cards.map((card) => [card]);
    return { ...START, options: { number, practice, auto_remove }, piles, stock: event.stock };
  }
  if (game === null) return null;
  switch (event.e) {
    case "row":
      return gone(stepped(game, rowOn(game.piles, event.cards), game.stock - event.cards.length), event.removed);
    case "remove":
      return gone(stepped(game, game.piles), [event.card, ...event.removed]);
    case "fill":
      return gone(stepped(game, moved(game.piles, event.from, event.to)), event.removed);
    case "undo":
      return { ...back(game), piles: event.piles, stock: event.stock };
    case "redo":
      return { ...forth(game), piles: event.piles, stock: event.stock };
    case "aces_end":
      return { ...game, end: { why: event.why, removed: event.removed } };
    default:
      return game;
  }
}

/** What the game would be if the referee accepted an action; null if it can't. */
export function acesForeseen(game: AcesView, action: AcesAction): AcesView | null {
  switch (action.t) {
    case "row":
      return game.stock && game.stock === action.stock
        ? stepped(game, rowOn(game.piles, Array<null>(ROW).fill(null)), game.stock - ROW)
        : null; // what goes by itself afterwards is not known either
    case "remove":
      if (topOf(game, action.pile) !== action.card || !removable(game, action.card)) return null;
      return tidied(gone(stepped(game, game.piles), [action.card]));
    case "fill":
      if (topOf(game, action.from) !== action.card || game.piles[action.to]?.length !== 0) return null;
      return tidied(stepped(game, moved(game.piles, action.from, action.to)));
    case "undo":
      return game.undoable && game.before ? back(game) : null;
    case "redo":
      return game.redoable && game.again ? forth(game) : null;
    case "give_up":
      return null; // shown once it is confirmed
  }
}

/** 2 to 14: the ace is the highest of its suit (AU-1). */
const strength = (card: Card): number => (rank(card) === 1 ? 14 : rank(card));

/** The available card of a pile (AU-2); null in a gap, or as long as it isn't known. */
export const topOf = (game: AcesView, pile: number): Card | null => game.piles[pile]?.at(-1) ?? null;

/** How many cards were removed. */
export const removedCount = ({ piles, stock }: AcesView): number =>
  DECK - stock - piles.reduce((sum, pile) => sum + pile.length, 0);

/** Whether a top card may be removed: a higher one of its suit is another top (AU-2). */
export function removable(game: AcesView, card: Card): boolean {
  return game.piles.some((_, pile) => {
    const top = topOf(game, pile);
    return top !== null && suit(top) === suit(card) && strength(top) > strength(card);
  });
}

/** The empty piles. */
export const gaps = ({ piles }: AcesView): number[] => piles.flatMap((pile, i) => (pile.length ? [] : [i]));

/** Every action that the referee would accept of a game that isn't over. */
export function acesActions(game: AcesView): AcesAction[] {
  const tops = game.piles.flatMap((_, pile) => {
    const card = topOf(game, pile);
    return card === null ? [] : [{ pile, card }];
  });
  const actions: AcesAction[] = [];
  for (const { pile, card } of tops) if (removable(game, card)) actions.push({ t: "remove", pile, card });
  for (const to of gaps(game)) for (const { pile, card } of tops) actions.push({ t: "fill", from: pile, card, to });
  if (game.stock) actions.push({ t: "row", stock: game.stock });
  if (game.undoable) actions.push({ t: "undo" });
  if (game.redoable) actions.push({ t: "redo" });
  return [...actions, { t: "give_up" }];
}

/** The four aces alone, one on each pile (AU-5). */
export const isWon = ({ piles, stock }: AcesView): boolean =>
  stock === 0 && piles.every(([card, ...more]) => card && !more.length && rank(card) === 1);

/** Whether nothing useful is left: no moves into gaps lead to another removal or to the four aces (AU-5). */
export function isLost(game: AcesView): boolean {
  if (game.stock || !allKnown(game)) return false;
  const found = new Map([[JSON.stringify(game.piles), game]]);
  // A map goes on to what is added to it meanwhile.
  for (const now of found.values()) {
    const actions = acesActions(now);
    if (isWon(now) || actions.some(({ t }) => t === "remove")) return false;
    for (const action of actions) {
      if (action.t !== "fill") continue;
      const after = { ...now, piles: moved(now.piles, action.from, action.to) };
      const name = JSON.stringify(after.piles);
      if (!found.has(name)) found.set(name, after);
    }
  }
  return true;
}

// Within

const allKnown = ({ piles }: AcesView): boolean => piles.every((pile) => pile.at(-1) !== null);

const rowOn = (piles: readonly AcesPile[], cards: AcesPile): AcesPile[] => piles.map((pile, i) => [...pile, cards[i]!]);

function moved(piles: readonly AcesPile[], from: number, to: number): AcesPile[] {
  const card = piles[from]!.at(-1)!;
  return piles.map((pile, i) => (i === from ? pile.slice(0, -1) : i === to ? [...pile, card] : pile));
}

/** One step later, with what can be taken back in practice. */
function stepped(game: AcesView, piles: readonly AcesPile[], stock = game.stock): AcesView {
  const { practice } = game.options;
  const undoable = practice ? Math.min(game.undoable + 1, KEPT) : 0;
  return { ...game, piles, stock, undoable, redoable: 0, before: practice ? game : null, again: null };
}

/** Without these tops, one after the other. */
function gone(game: AcesView, cards: readonly Card[]): AcesView {
  if (!cards.length) return game;
  let piles = game.piles;
  for (const card of cards) piles = piles.map((pile) => (pile.at(-1) === card ? pile.slice(0, -1) : pile));
  return { ...game, piles, gone: [...game.gone, ...cards] };
}

/** After the removals that are made by themselves, if they are: the lowest pile first. */
function tidied(game: AcesView): AcesView {
  if (!game.options.auto_remove || !allKnown(game)) return game;
  const card = game.piles.map((pile) => pile.at(-1)).find((top) => top && removable(game, top));
  return card ? tidied(gone(game, [card])) : game;
}

function back(game: AcesView): AcesView {
  const to = game.before ?? game;
  return { ...to, undoable: game.undoable - 1, redoable: game.redoable + 1, again: game };
}

function forth(game: AcesView): AcesView {
  const to = game.again ?? game;
  return { ...to, undoable: game.undoable + 1, redoable: game.redoable - 1, before: game };
}
