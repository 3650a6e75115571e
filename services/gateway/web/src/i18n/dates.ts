// Days and times as players write them.

const made = new Map<string, Intl.DateTimeFormat>();

/** Day and time of an instant, ms since 1970, where the player is. */
export function dateText(ms: number, language: string): string {
  let format = made.get(language);
  if (!format)
    made.set(language, (format = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" })));
  return format.format(ms);
}
