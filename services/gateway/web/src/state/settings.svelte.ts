// What a player chose for this browser; kept in localStorage, which may be missing, full, or of another time.

export type Language = "en" | "es" | "pt" | "ru";
export type Strength = "easy" | "medium" | "hard";
export type Pace = "human" | "fast";
export interface Settings {
  name: string;
  language: Language | null;
  faces: "2color" | "4color";
  figures: "big" | "classic";
  /** On which side stock and waste lie. */
  hand: "right" | "left";
  size: "s" | "m" | "l" | "xl";
  motion: "moves" | "still";
  sound: "off" | "on";
  /** Whether words between players are shown. */
  emotes: "off" | "on";
  /** What pointers do with cards. */
  input: "both" | "drags" | "clicks";
  seats: number;
  preset: string;
  /** House rules of the next table that differ from its preset. */
  rules: Record<string, unknown>;
  door: "public" | "private";
  strength: Strength;
  pace: Pace;
  /** Aces Up: a card that may be removed goes at one tap, not two. */
  acesOneTap: boolean;
  /** Aces Up: whether the game can still be won is told all the time. */
  acesOutlook: boolean;
  acesPractice: boolean;
  acesAutoRemove: boolean;
  acesWinnable: boolean;
}

const KEY = "pandemonium.settings";
const DEFAULTS: Settings = {
  name: "",
  language: null,
  faces: "2color",
  figures: "big",
  hand: "right",
  size: "m",
  motion: "moves",
  sound: "off",
  emotes: "on",
  input: "both",
  seats: 4,
  preset: "racing_demon",
  acesOneTap: false,
  acesOutlook: false,
  acesPractice: false,
  acesAutoRemove: false,
  acesWinnable: false,
  rules: {},
  door: "public",
  strength: "medium",
  pace: "human",
};

/** What was kept, as far as it is of the kind that is expected. */
function load(): Settings {
  const known: Record<string, unknown> = { ...DEFAULTS };
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, unknown>;
    for (const [name, standard] of Object.entries(DEFAULTS)) {
      const value = kept[name];
      if (typeof value === typeof standard && (value === null) === (standard === null)) known[name] = value;
      else if (name === "language" && typeof value === "string") known[name] = value;
    }
  } catch {
    // Then everything is as at first.
  }
  return known as unknown as Settings;
}

export const settings = $state(load());

export function change(changes: Partial<Settings>): void {
  Object.assign(settings, changes);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Then it is kept as long as the page is open.
  }
}
