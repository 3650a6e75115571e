// What a player chose for this browser; kept in localStorage, which may be missing or full.

export type Language = "en" | "es" | "pt" | "ru";
export interface Settings {
  name: string;
  language: Language | null;
  faces: "2color" | "4color";
  /** On which side stock and waste lie. */
  hand: "right" | "left";
  seats: number;
  preset: string;
}

const KEY = "pandemonium.settings";
const DEFAULTS: Settings = {
  name: "",
  language: null,
  faces: "2color",
  hand: "right",
  seats: 4,
  preset: "racing_demon",
};

function load(): Settings {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>) };
  } catch {
    return { ...DEFAULTS };
  }
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
