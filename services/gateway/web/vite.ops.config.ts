// The operators' console: a page of its own, which the console's service serves under /ops/.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  root: "ops",
  base: "/ops/",
  plugins: [svelte({ configFile: "../svelte.config.js" })],
  build: {
    outDir: "../../../ops/dist",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
