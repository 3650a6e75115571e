// The pictures of the cards, from the package that holds them; the build gives each a name with its content's hash.
import type { Card } from "../game/cards";
import { settings } from "../state/settings.svelte";

const FILES = import.meta.glob<string>(
  [
    "../../node_modules/@heruka_urgyen/react-playing-cards/src/images/2color/*.svg",
    "../../node_modules/@heruka_urgyen/react-playing-cards/src/images/2color-bf/*.svg",
    "../../node_modules/@heruka_urgyen/react-playing-cards/src/images/4color/*.svg",
    "../../node_modules/@heruka_urgyen/react-playing-cards/src/images/4color-bf/*.svg",
  ],
  { query: "?url", import: "default", eager: true },
);
const BY_NAME = new Map(Object.entries(FILES).map(([path, url]) => [path.split("/").slice(-2).join("/"), url]));

const folder = (): string => settings.faces + (settings.figures === "big" ? "-bf" : "");

/** Where the picture of a card is. */
export const face = (card: Card): string => BY_NAME.get(`${folder()}/${card}.svg`)!;

/** So many pictures at once are fetched ahead: connections are few, and cards in sight must not wait for them. */
const AHEAD = 2;

/** Has the browser fetch all pictures before they are needed. */
export async function preload(): Promise<void> {
  const urls = [...BY_NAME].flatMap(([name, url]) => (name.startsWith(`${folder()}/`) ? [url] : [])).values();
  await Promise.all(
    Array.from({ length: AHEAD }, async () => {
      for (const url of urls) await fetched(url);
    }),
  );
}

/** Ends when the picture is there, or can't be had. */
function fetched(url: string): Promise<void> {
  return new Promise((done) => {
    const image = new Image();
    image.onload = image.onerror = () => done();
    image.fetchPriority = "low";
    image.src = url;
  });
}
