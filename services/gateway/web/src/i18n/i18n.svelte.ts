// All text goes through `t`. A language is loaded when it is chosen; English is what others fall back to.
import i18next, { type InterpolationOptions, type TOptions } from "i18next";
import { type Language, change, settings } from "../state/settings.svelte";
import en from "./en.json";
import { isolated } from "./names";

export const LANGUAGES: Readonly<Record<Language, string>> = {
  en: "English",
  es: "Español",
  pt: "Português",
  ru: "Русский",
};
const LOADERS: Readonly<Record<Exclude<Language, "en">, () => Promise<{ default: object }>>> = {
  es: () => import("./es.json"),
  pt: () => import("./pt.json"),
  ru: () => import("./ru.json"),
};

/** Every key of the English texts; those of plurals without their endings. */
type Keys<Tree, Before extends string = ""> = {
  [Key in keyof Tree & string]: Tree[Key] extends string
    ? `${Before}${Key extends `${infer Stem}_${"one" | "other"}` ? (`${Stem}_other` extends keyof Tree ? Stem : Key) : Key}`
    : Keys<Tree[Key], `${Before}${Key}.`>;
}[keyof Tree & string];
export type Key = Keys<typeof en>;

/** How texts are filled in. Markup is Svelte's care; names may be written in another direction than the text. */
export const interpolation: InterpolationOptions = { escape: isolated };

let language = $state<Language>("en");
/** Texts without gaps, in the language that is spoken: a score sheet has some of them hundreds of times. */
const plain = new Map<Key, string>();

export async function startI18n(): Promise<void> {
  await i18next.init({
    lng: "en",
    fallbackLng: "en",
    resources: { en: { translation: en } },
    interpolation,
  });
  await speak(settings.language ?? preferred());
}

/** Changes the language, for this browser for good. */
export async function chooseLanguage(to: Language): Promise<void> {
  await speak(to);
  change({ language: to });
}

export const spoken = (): Language => language;

/** The text of a key in the language that is spoken; redrawn when that changes. */
export function t(key: Key, options?: TOptions): string {
  void language;
  if (options) return i18next.t(key, options) as string;
  const known = plain.get(key);
  if (known !== undefined) return known;
  const text = i18next.t(key) as string;
  plain.set(key, text);
  return text;
}

/** The text of a key that the server named, or that of `otherwise`. */
export function tOr(key: string, otherwise: Key, options?: TOptions): string {
  void language;
  return i18next.exists(key) ? (i18next.t(key, options ?? {}) as string) : t(otherwise, options);
}

async function speak(to: Language): Promise<void> {
  if (to !== "en" && !i18next.hasResourceBundle(to, "translation")) {
    i18next.addResourceBundle(to, "translation", (await LOADERS[to]()).default);
  }
  await i18next.changeLanguage(to);
  document.documentElement.lang = to;
  plain.clear();
  language = to;
}

function preferred(): Language {
  const known = navigator.languages.map((each) => each.slice(0, 2).toLowerCase());
  return (known.find((each) => each in LANGUAGES) as Language | undefined) ?? "en";
}
