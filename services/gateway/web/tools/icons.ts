// The page's icon as pictures of pixels, for the systems that install it as an app; drawn at build time from the one SVG.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import type { Plugin } from "vite";

const SOURCE = "public/icon.svg";
/** Names and widths in pixels; `whole` icons have no round corners, since the system cuts them its own way. */
const ICONS = [
  { fileName: "icon-192.png", width: 192, whole: false },
  { fileName: "icon-512.png", width: 512, whole: false },
  { fileName: "icon-whole-512.png", width: 512, whole: true },
  { fileName: "apple-touch-icon.png", width: 180, whole: true },
] as const;

export function icons(): Plugin {
  return {
    name: "icons",
    apply: "build",
    async generateBundle() {
      await initWasm(await readFile(createRequire(import.meta.url).resolve("@resvg/resvg-wasm/index_bg.wasm")));
      const drawn = await readFile(SOURCE, "utf8");
      for (const { fileName, width, whole } of ICONS) {
        const svg = whole ? drawn.replace(/ rx="96"/, "") : drawn;
        const source = new Resvg(svg, { fitTo: { mode: "width", value: width } }).render().asPng();
        this.emitFile({ type: "asset", fileName, source });
      }
    },
  };
}
