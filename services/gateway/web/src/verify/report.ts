// What anybody can check of a hand with nothing but its log, the secret that was told at its end, and arithmetic.
import type { Card } from "../game/cards";
import { chained, unseal } from "../game/digest";
import { tallies } from "../game/points";
import { apply, EMPTY } from "../game/view";
import type { AcesDealt, AcesEnded, Dealt, Ended, Event, Prepared } from "../generated/frames";
import { available } from "./crypto";
import { acesDeck, commitment, decks } from "./deal";
import { firstWrong, misdealt } from "./walk";

export type What = "chain" | "joined" | "commitment" | "deal" | "cards" | "score";
/** One thing that was looked at; `ok` null: it could not be. `at` is the event, `seat` the seat where it went wrong. */
export interface Check {
  readonly what: What;
  readonly ok: boolean | null;
  readonly at?: number;
  readonly seats?: readonly number[];
}

export interface Report {
  readonly checks: readonly Check[];
  /** Whether all that could be looked at is right, and nothing that proves the deal was left out. */
  readonly verified: boolean;
  /** Of each seat the deck that the secret and the nonces give; of Aces Up the one that the number gives. */
  readonly decks: readonly (readonly Card[])[];
  readonly secret: string;
  readonly commitment: string;
}

/** Looks at a hand's log. `previous` is the digest of the table's event before; null: it is not at hand. */
export async function verify(texts: readonly string[], previous: string | null): Promise<Report> {
  const events = texts.map((text) => JSON.parse(text) as Event);
  const find = <E extends Event>(kind: E["e"]) => events.find((event) => event.e === kind) as E | undefined;
  const prepare = find<Prepared>("prepare");
  const end = find<Ended>("end") ?? find<AcesEnded>("aces_end");
  const checks: Check[] = [chain(texts, events), joined(texts[0], events[0], previous)];
  const promised = prepare?.commitment ?? "";
  const secret = end?.secret ?? "";
  const report = (own: readonly (readonly Card[])[]): Report => ({
    checks,
    verified: checks.every(({ what, ok }) => ok === true || (ok === null && what === "joined")),
    decks: own,
    secret,
    commitment: promised,
  });
  if (!available()) {
    for (const what of ["commitment", "deal", "cards", "score"] as const) checks.push({ what, ok: null });
    return report([]);
  }
  const deal = find<Dealt>("deal");
  const game = find<AcesDealt>("aces_deal");
  const told = (deal ?? game)?.commitment;
  checks.push({ what: "commitment", ok: (await commitment(secret)) === promised && (told ?? promised) === promised });
  if (game) return report(await numbered(game, events, checks));
  if (!deal || !prepare) {
    // A hand that ended before its deal has no cards to look at; there is nothing to prove then.
    for (const what of ["deal", "cards", "score"] as const) checks.push({ what, ok: end?.why === "void" });
    return report([]);
  }
  const nonces = deal.seats.map(({ nonce }) => nonce);
  const own = (await decks(secret, nonces, prepare.match, prepare.hand)) ?? [];
  const seats = misdealt(deal, own);
  checks.push({ what: "deal", ok: own.length > 0 && !seats.length, seats });
  const at = own.length === deal.layouts.length ? firstWrong(events, deal, own) : deal.seq;
  checks.push({ what: "cards", ok: at === null, ...(at === null ? {} : { at }) });
  checks.push({ what: "score", ok: end?.e === "end" && counted(events, end) });
  return report(own);
}

/** Whether every event has the next number and continues the digests. */
function chain(texts: readonly string[], events: readonly Event[]): Check {
  let before: string | null = null;
  for (const [i, text] of texts.entries()) {
    const sealed = unseal(text);
    const follows = sealed && (before === null || sealed.digest === chained(before, sealed.body));
    const number = events[i]!.seq === events[0]!.seq + i;
    if (!follows || !number) return { what: "chain", ok: false, at: events[i]!.seq };
    before = sealed.digest;
  }
  return { what: "chain", ok: texts.length > 0 };
}

/** Whether the first event continues what the table did before; a table's first one continues nothing. */
function joined(text: string | undefined, event: Event | undefined, previous: string | null): Check {
  const before = event?.seq === 1 ? "" : previous;
  const sealed = text === undefined ? null : unseal(text);
  if (before === null || !sealed) return { what: "joined", ok: null };
  return { what: "joined", ok: sealed.digest === chained(before, sealed.body) };
}

/** Whether the scores are those that the cards on the table give (RD-12). */
function counted(events: readonly Event[], end: Ended): boolean {
  if (end.why === "disputed" || end.why === "void") return end.scores.length === 0;
  const own = tallies(events.reduce(apply, EMPTY));
  return (
    own.length === end.scores.length &&
    end.scores.every(({ seat, foundation, demon, points }) => {
      const tally = own[seat];
      return tally?.up === foundation && tally.demon === demon && tally.points === points;
    })
  );
}

/** A game of Aces Up: its deal is that of its number, and its rows come in that order. */
async function numbered(game: AcesDealt, events: readonly Event[], checks: Check[]): Promise<Card[][]> {
  const deck = await acesDeck(game.options.number);
  const same = (cards: readonly Card[], from: number) => cards.every((card, i) => card === deck[from + i]);
  checks.push({ what: "deal", ok: game.cards.length === 4 && game.stock === 48 && same(game.cards, 0) });
  let at: number | null = null;
  let stock = 48;
  for (const event of events) {
    if (event.e === "undo" || event.e === "redo") stock = event.stock;
    if (event.e !== "row") continue;
    if (at === null && (event.cards.length !== 4 || !same(event.cards, 52 - stock))) at = event.seq;
    stock -= 4;
  }
  checks.push({ what: "cards", ok: at === null, ...(at === null ? {} : { at }) });
  return [deck];
}
