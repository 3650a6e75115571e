import { expect, test } from "vitest";
import { book, load, ruleOf } from "./book";

const LANGUAGES = ["en", "es", "pt", "ru"] as const;
const RULES = [
  ...Array.from({ length: 14 }, (_, i) => `RD-${i + 1}`),
  ...Array.from({ length: 6 }, (_, i) => `AU-${i + 1}`),
];

test.each(LANGUAGES)(
  "%s: every rule has its anchor, and all anchors are those of the English book",
  async (language) => {
    const [own, english] = [await load(language), await load("en")];
    const ids = own.chapters.map(({ id }) => id);
    expect(ids.filter((id) => ruleOf(id))).toEqual(RULES);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(english.chapters.map(({ id }) => id));
    expect(own.title).not.toBe("");
  },
);

test.each(LANGUAGES)("%s: nothing in the book is of a kind that would not be drawn", async (language) => {
  const drawn = ["heading", "paragraph", "list", "table", "space", "text", "strong", "em", "codespan", "list_item"];
  const kinds = new Set<string>();
  const look = (tokens: readonly { type: string; tokens?: unknown; items?: unknown }[]): void => {
    for (const token of tokens) {
      kinds.add(token.type);
      for (const inner of [token.tokens, token.items]) if (inner) look(inner as never);
    }
  };
  look((await load(language)).blocks);
  expect([...kinds].filter((kind) => !drawn.includes(kind))).toEqual([]);
});

test("HTML is text of no kind that is drawn", () => {
  const kinds = book("# A\n\n<script>1</script>\n").blocks.map(({ type }) => type);
  expect(kinds.filter((kind) => kind !== "space")).toEqual(["html"]);
});

test("code names a rule only if it is nothing but its number", () => {
  expect(["RD-8", "AU-1", "RD-8x", "draw = 3", "RD-"].map(ruleOf)).toEqual(["RD-8", "AU-1", null, null, null]);
});
