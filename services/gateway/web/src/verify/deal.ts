// The shuffle, done again (docs/deal.md; docs/aces-up.md for numbered deals).
import { type Card, cardOf, type Suit } from "../game/cards";
import { ascii, fromHex, hmacSha256, sha256, toHex } from "./crypto";

const SUITS: readonly Suit[] = ["C", "D", "H", "S"];
const DECK: readonly Card[] = SUITS.flatMap((suit) => Array.from({ length: 13 }, (_, i) => cardOf(i + 1, suit)));
const SECRET_BYTES = 32;
const NONCE = /^[\x20-\x7e]{1,64}$/;

/** The SHA-256 of the secret's bytes, hex; null if it is no secret. */
export async function commitment(secret: string): Promise<string | null> {
  const bytes = fromHex(secret);
  return bytes?.length === SECRET_BYTES ? toHex(await sha256(bytes)) : null;
}

/** The deck of each seat; null if the secret, a nonce or the match's id can't be one. */
export async function decks(
  secret: string,
  nonces: readonly string[],
  match: string,
  hand: number,
): Promise<Card[][] | null> {
  const key = fromHex(secret);
  if (key?.length !== SECRET_BYTES || match.includes("\n") || !nonces.every((nonce) => NONCE.test(nonce))) return null;
  const head = ["pandemonium-deal-1", match, hand, ...nonces].join("\n");
  return Promise.all(nonces.map((_, seat) => shuffled(key, `${head}\n${seat}\n`)));
}

/** The 52 cards of a numbered deal of Aces Up, in the order in which they are dealt. */
export async function acesDeck(number: number): Promise<Card[]> {
  return shuffled(await sha256(ascii(`pandemonium-aces-up-1\n${number}`)), "");
}

async function shuffled(key: Uint8Array<ArrayBuffer>, head: string): Promise<Card[]> {
  const hmac = await hmacSha256(key);
  let block: Uint8Array = new Uint8Array();
  let blocks = 0;
  let at = 0;
  const byte = async (): Promise<number> => {
    if (at === block.length) {
      block = await hmac(`${head}${blocks++}`);
      at = 0;
    }
    return block[at++]!;
  };
  const deck = [...DECK];
  for (let i = deck.length - 1; i > 0; i--) {
    const n = i + 1;
    let drawn = await byte();
    while (drawn >= 256 - (256 % n)) drawn = await byte();
    const j = drawn % n;
    [deck[i], deck[j]] = [deck[j]!, deck[i]!];
  }
  return deck;
}
