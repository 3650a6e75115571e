import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { compressed } from "./tools/compressed.ts";

export default defineConfig({
  plugins: [svelte(), compressed()],
  build: {
    target: "es2022",
    // Nothing is inlined: the policy of the page allows no inline script, and data: only for pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
