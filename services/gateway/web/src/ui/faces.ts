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

/** Has the browser fetch all pictures before they are needed. */
export function preload(): void {
  for (const [name, url] of BY_NAME) if (name.startsWith(`${folder()}/`)) new Image().src = url;
}
