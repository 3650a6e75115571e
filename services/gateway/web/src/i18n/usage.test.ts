// Every text is used, and no text stands anywhere else than among the texts.
import { parse } from "svelte/compiler";
import { expect, test } from "vitest";
import en from "./en.json";

type Texts = { [key: string]: string | Texts };
const SOURCES = import.meta.glob<string>(["../**/*.svelte", "../**/*.ts", "!../**/*.test.ts", "!../generated/**"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const PLURAL = /_(zero|one|two|few|many|other)$/;

const keys = (texts: Texts, before = ""): string[] =>
  Object.entries(texts).flatMap(([key, text]) =>
    typeof text === "string" ? [(before + key).replace(PLURAL, "")] : keys(text, `${before}${key}.`),
  );

/** What a literal of a source can be: itself, and where something is filled in, whatever fits. */
function patterns(source: string): RegExp[] {
  const plain = source.match(/(["'])(?:(?!\1)[^\\\n])*\1/g) ?? [];
  const templates = source.match(/`(?:[^`\\])*`/g) ?? [];
  return [...plain, ...templates]
    .map((literal) => literal.slice(1, -1))
    .filter((literal) => /^[a-z]\w*\./i.test(literal))
    .map((literal) => {
      const parts = literal.split(/\$\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
      return new RegExp(`^${parts.join("[^.]+")}$`);
    });
}

test("every text is used somewhere", () => {
  const used = Object.values(SOURCES).flatMap(patterns);
  const idle = [...new Set(keys(en))].filter((key) => !used.some((pattern) => pattern.test(key)));
  expect(idle).toEqual([]);
});

/** Attributes that are read to people. */
const SPOKEN = new Set([
  "alt",
  "aria-label",
  "aria-description",
  "aria-roledescription",
  "label",
  "placeholder",
  "title",
]);
/** What is the same in all languages: ranks and keys. Words are of two letters and more. */
const WORD = /\p{L}{2,}/u;
const SAME_EVERYWHERE = new Set(["Esc", "Enter", "Tab", "Ctrl", "Shift", "Del"]);

interface Node {
  readonly type?: string;
  readonly name?: string;
  readonly data?: string;
  readonly value?: unknown;
  readonly [part: string]: unknown;
}

/** The words of a component's markup that no language file knows. */
function words(node: unknown, found: string[] = []): string[] {
  if (Array.isArray(node)) for (const each of node) words(each, found);
  else if (typeof node === "object" && node !== null) {
    const { type, name, data, ...parts } = node as Node;
    if (type === "Text" && data && WORD.test(data) && !SAME_EVERYWHERE.has(data.trim())) found.push(data.trim());
    // Of attributes only those that are read to people can hold words.
    if (type === "StyleDirective" || type === "ClassDirective") return found;
    if (type === "Attribute" && !SPOKEN.has(name ?? "")) return found;
    for (const [part, each] of Object.entries(parts)) if (part !== "parent") words(each, found);
  }
  return found;
}

test.each(Object.entries(SOURCES).filter(([path]) => path.endsWith(".svelte")))(
  "%s holds no words of its own",
  (path, source) => {
    const { fragment } = parse(source, { filename: path, modern: true });
    expect(words(fragment)).toEqual([]);
  },
);

test("words in markup are found, and nothing else", () => {
  const found = (source: string) => words(parse(source, { modern: true }).fragment);
  expect(found('<p class="some words">{t("front.play")} · A</p>')).toEqual([]);
  expect(found("<p>Play now</p>")).toEqual(["Play now"]);
  expect(found('<button aria-label="Close it">×</button>')).toEqual(["Close it"]);
  expect(found("{#if open}<i title={`Say ${word}`}></i>{/if}<kbd>Esc</kbd>")).toEqual([]);
});
