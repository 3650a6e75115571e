// SHA-256 and HMAC-SHA256 by the browser. It has them only where the page came by https or from this machine itself.

const encoder = new TextEncoder();

/** Whether anything can be checked here. */
export const available = (): boolean => globalThis.crypto?.subtle !== undefined;

export const ascii = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text);

/** The bytes of hex digits in lower case; null if it is anything else. */
export function fromHex(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) return null;
  return Uint8Array.from({ length: text.length / 2 }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** A function that gives the HMAC-SHA256 of a text under this key. */
export async function hmacSha256(key: Uint8Array<ArrayBuffer>): Promise<(text: string) => Promise<Uint8Array>> {
  const own = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return async (text) => new Uint8Array(await crypto.subtle.sign("HMAC", own, ascii(text)));
}
