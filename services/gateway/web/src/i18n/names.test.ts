import { createInstance } from "i18next";
import { expect, test } from "vitest";
import en from "./en.json";
import { interpolation } from "./i18n.svelte";
import { listed } from "./names";

const HEBREW = "\u05d0\u05d3\u05d4";
const ARABIC = "\u0623\u062f\u0627";

async function told(key: string, values: Record<string, string>): Promise<string> {
  const texts = createInstance();
  await texts.init({ lng: "en", resources: { en: { translation: en } }, interpolation });
  return texts.t(key, values);
}

test("a name that is written from the right leaves the sentence around it in order", async () => {
  const said = await told("news.plays", { name: HEBREW, card: "2♣" });
  expect(said).toBe(en.news.plays.replace("{{name}}", `\u2068${HEBREW}\u2069`).replace("{{card}}", "2♣"));
});

test("other names are filled in as they are, whatever they hold", async () => {
  const said = await told("news.plays", { name: "<b>Ada</b> & $t(app.name) {{card}}", card: "2♣" });
  expect(said).toBe(
    `<b>Ada</b> & $t(app.name) {{card}}${en.news.plays.slice("{{name}}".length).replace("{{card}}", "2♣")}`,
  );
});

test("names in a list stay in its order, wherever they are written from", () => {
  expect(listed([HEBREW, "Ada", ARABIC])).toBe(`\u2068${HEBREW}\u2069, Ada, \u2068${ARABIC}\u2069`);
});
