// SHA-1 of an ASCII text, at once. The browser's own is asynchronous, and absent where a page came without TLS.

const words = new Uint32Array(80);
const rotated = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

/** 40 hex digits. */
export function sha1(text: string): string {
  const length = text.length;
  const bytes = new Uint8Array(((length + 72) >> 6) << 6);
  for (let i = 0; i < length; i++) bytes[i] = text.charCodeAt(i);
  bytes[length] = 0x80;
  const data = new DataView(bytes.buffer);
  data.setUint32(bytes.length - 4, length * 8);
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  for (let block = 0; block < bytes.length; block += 64) mix(state, data, block);
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

function mix(state: number[], data: DataView, block: number): void {
  for (let i = 0; i < 16; i++) words[i] = data.getUint32(block + i * 4);
  for (let i = 16; i < 80; i++) {
    words[i] = rotated(words[i - 3]! ^ words[i - 8]! ^ words[i - 14]! ^ words[i - 16]!, 1);
  }
  let [a, b, c, d, e] = state as [number, number, number, number, number];
  for (let i = 0; i < 80; i++) {
    const [f, k] =
      i < 20
        ? [(b & c) | (~b & d), 0x5a827999]
        : i < 40
          ? [b ^ c ^ d, 0x6ed9eba1]
          : i < 60
            ? [(b & c) | (b & d) | (c & d), 0x8f1bbcdc]
            : [b ^ c ^ d, 0xca62c1d6];
    const next = (rotated(a, 5) + f + e + k + words[i]!) | 0;
    [e, d, c, b, a] = [d, c, rotated(b, 30), a, next];
  }
  [a, b, c, d, e].forEach((word, i) => (state[i] = (state[i]! + word) | 0));
}
