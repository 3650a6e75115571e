// The rule book (docs/rules), as what it consists of. No HTML is ever made of it: what it says is drawn by components.
import { lexer, type MarkedToken, type Tokens } from "marked";
import type { Language } from "../state/settings.svelte";

const BOOKS = import.meta.glob<string>("../../../../../docs/rules/*.md", { query: "?raw", import: "default" });

export interface Chapter {
  readonly id: string;
  readonly text: string;
  /** 2 for chapters, 3 for what is within one. */
  readonly depth: number;
}

export interface Book {
  readonly title: string;
  readonly blocks: readonly MarkedToken[];
  readonly chapters: readonly Chapter[];
  readonly ids: ReadonlyMap<MarkedToken, string>;
}

const RULE = /^(?:RD|AU)-\d+/;

/** A heading's anchor: the rule's number, `RD-8`, or its place in the book, which is the same in all languages. */
export function book(markdown: string): Book {
  const blocks = lexer(markdown) as MarkedToken[];
  const headings = blocks.filter((block): block is Tokens.Heading => block.type === "heading");
  const chapters: Chapter[] = [];
  const ids = new Map<MarkedToken, string>();
  headings.forEach((heading, i) => {
    const id = RULE.exec(heading.text)?.[0] ?? `part-${i}`;
    ids.set(heading, id);
    if (heading.depth > 1) chapters.push({ id, text: heading.text, depth: heading.depth });
  });
  const title = headings.find(({ depth }) => depth === 1)?.text ?? "";
  return { title, blocks: blocks.filter((block) => block.type !== "heading" || block.depth > 1), chapters, ids };
}

/** The number of the rule that a piece of code names, if it names one. */
export const ruleOf = (code: string): string | null => (RULE.exec(code)?.[0] === code ? code : null);

export async function load(language: Language): Promise<Book> {
  const found = Object.entries(BOOKS).find(([path]) => path.endsWith(`/${language}.md`));
  return book(await found![1]());
}
