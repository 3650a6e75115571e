// The chain of digests that names a table's history (docs/protocol.md, "Events").
import { sha1 } from "./sha1";

const DIGEST = ',"digest":"';
const LENGTH = 16;

/** Body and digest of an event's text; null if it has no digest at its end. */
export function unseal(text: string): { body: string; digest: string } | null {
  const at = text.lastIndexOf(DIGEST);
  if (at < 0 || text.length !== at + DIGEST.length + LENGTH + 2 || !text.endsWith('"}')) return null;
  return { body: text.slice(0, at), digest: text.slice(at + DIGEST.length, -2) };
}

/** The digest of an event with this body, after the digest of the one before; "" before a table's first. */
export const chained = (previous: string, body: string): string => sha1(previous + body).slice(0, LENGTH);
