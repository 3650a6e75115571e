// Names within sentences. All languages here are written from the left; a name that is not keeps its order to itself.
const FROM_THE_RIGHT = /[\p{Script=Arab}\p{Script=Hebr}\p{Script=Syrc}\p{Script=Thaa}\p{Script=Nkoo}\p{Script=Adlm}]/u;
const FIRST_STRONG_ISOLATE = "\u2068";
const POP_ISOLATE = "\u2069";

/** The text, and if it is written from the right, between marks that keep all around it in order (UAX #9). */
export const isolated = (text: string): string =>
  FROM_THE_RIGHT.test(text) ? `${FIRST_STRONG_ISOLATE}${text}${POP_ISOLATE}` : text;

/** Names one after the other. */
export const listed = (names: readonly string[]): string => names.map(isolated).join(", ");
