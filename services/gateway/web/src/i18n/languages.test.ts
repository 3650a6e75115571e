import { expect, test } from "vitest";
import en from "./en.json";
import es from "./es.json";
import pt from "./pt.json";
import ru from "./ru.json";

type Texts = { [key: string]: string | Texts };
const PLURAL = /_(zero|one|two|few|many|other)$/;

/** Every text by its path. */
function flat(texts: Texts, before = ""): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, text]) =>
      typeof text === "string" ? [[before + key, text] as const] : [...flat(text, `${before}${key}.`)],
    ),
  );
}

const english = flat(en);
const isPlural = (key: string, among: ReadonlyMap<string, string>): boolean =>
  PLURAL.test(key) && among.has(key.replace(PLURAL, "_other"));
const stem = (key: string): string => (isPlural(key, english) ? key.replace(PLURAL, "") : key);
const slots = (text: string): string[] => [...new Set(text.match(/{{\w+}}/g) ?? [])].sort();

test.each([
  ["en", en],
  ["es", es],
  ["pt", pt],
  ["ru", ru],
])("%s has every text, with every form of its plurals and every slot", (language, texts) => {
  const found = flat(texts as Texts);
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const wanted = new Set(
    [...english.keys()].flatMap((key) =>
      isPlural(key, english) ? forms.map((form) => `${stem(key)}_${form}`) : [key],
    ),
  );
  expect([...found.keys()].sort()).toEqual([...wanted].sort());
  for (const [key, text] of found) {
    expect(text.trim(), key).not.toBe("");
    const original = english.get(key) ?? english.get(key.replace(PLURAL, "_other"))!;
    // A form for exactly one may do without the number.
    const may = (slot: string): boolean => slot === "{{count}}" && /_one$/.test(key);
    expect(
      slots(text).filter((slot) => !may(slot)),
      key,
    ).toEqual(slots(original).filter((slot) => !may(slot)));
  }
});
