// Numbers of deals, as people type and share them. Pure.

/** The highest number of a deal; the lowest is 1. */
export const LAST_NUMBER = 2 ** 31;

/** The number of a deal, as somebody typed it or a link has it; null if it is none. */
export function dealNumber(text: string | null): number | null {
  const number = /^\s*\d{1,10}\s*$/.test(text ?? "") ? Number(text) : 0;
  return number >= 1 && number <= LAST_NUMBER ? number : null;
}

/** The link that offers a deal to others. */
export const dealLink = (number: number): string => `${location.origin}/aces-up?deal=${number}`;
